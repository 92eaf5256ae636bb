/* lowerinvoke: nothing is thrown on a GPU, so an invoke is a call that comes back.
 *
 *   a: %r = invoke i32 @f() to label %b unwind label %c     a: %r = call i32 @f()
 *   b: ret i32 %r                                              br label %b
 *   c: %e = landingpad { ptr, i32 } cleanup             →   b: ret i32 %r
 *      resume { ptr, i32 } %e
 *
 * Landing pads and funclets can only be reached by an edge that unwinds: they go, with what only they lead to, and so does the
 * function's personality, which otherwise stays as a declaration of a function that nobody calls. The weights of an invoke count its two edges and say
 * nothing of a call, so they go, too. Linear in the blocks of functions that have a personality; others are not read.
 *
 * llc-22 does the same behind its passes on IR; here it is in front of them, so that each of them knows one kind of call. */
#include "ir/builder.h"
#include "irpass/util.h"

static void make_call(IrModule *m, IrRef block, IrRef invoke)
{
	IrRef normal = ir_succ(m, block, 0), unwind = ir_succ(m, block, 1);
	u32   n = ir_n_ops(m, invoke);
	ir_phis_forget(m, unwind, block);
	ir_remove_op(m, invoke, n - 1);
	ir_remove_op(m, invoke, n - 2);
	ir_inst(m, invoke)->op = IR_CALL;
	ir_attach(m, invoke, "prof", (IrMd){0});
	IrBuilder b = ir_build_end(m, block);
	b.origin = ir_info(m, invoke)->origin;
	b.dbg = ir_info(m, invoke)->dbg;
	ir_b_br(&b, normal);
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	if (!f->extra[2])
		return false;
	ir_each_block(m, f, b) {
		IrRef t = ir_term(m, b);
		if (is_inst(m, t, IR_INVOKE))
			make_call(m, b, t);
	}
	pass_invalidate(cx, 0);
	if (remove_unreached_blocks(cx))
		fold_all_single_phis(m, f);
	ir_func_drop_personality(m, f);
	return true;
}

const Pass irpass_lowerinvoke = {
	.id = "lowerinvoke",
	.title = "Lower invoke and unwind, for unwindless code generators",
	.summary = "Makes calls of invokes and deletes what only an exception leads to.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = 0,
	.flags = PF_ANY_SIZE | PF_IDEMPOTENT | PF_REQUIRED,
	.run = run,
};
