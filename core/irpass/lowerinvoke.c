/* lowerinvoke: nothing is thrown on a GPU, so an invoke is a call that comes back.
 *
 *   a: %r = invoke i32 @f() to label %b unwind label %c     a: %r = call i32 @f()
 *   b: ret i32 %r                                              br label %b
 *   c: %e = landingpad { ptr, i32 } cleanup             →   b: ret i32 %r
 *      resume { ptr, i32 } %e
 *
 * Landing pads and funclets can only be reached by an edge that unwinds: they go, with what only they lead to, and so does the
 * function's personality, which otherwise stays as a declaration of a function that nobody calls. It is left where a resume can be reached
 * without an edge that unwinds, which selection reports. The weights of an invoke count its two edges and say
 * nothing of a call, so they go, too.
 *
 * What is swifterror is in a register of its own on some targets, so LLVM lets nobody compute with its address. Here it is a pointer
 * like others, and passes treat it so: the mark goes.
 *
 * Linear in the blocks of functions that have a personality or a swifterror parameter or slot; of others only the allocas are read.
 *
 * llc-22 does the same behind its passes on IR; here it is in front of them, so that each of them knows one kind of call. */
#include "ir/builder.h"
#include "irpass/util.h"

/* ---- exceptions ---- */

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

static bool has_resume(IrModule *m, const IrFunc *f)
{
	ir_each_block_had(m, f, b, IR_OPS(RESUME))
		if (is_inst(m, ir_term(m, b), IR_RESUME))
			return true;
	return false;
}

static bool lower_exceptions(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	bool      changed = false;
	ir_each_block(m, f, b) {
		IrRef t = ir_term(m, b);
		if (!is_inst(m, t, IR_INVOKE))
			continue;
		make_call(m, b, t);
		changed = true;
	}
	if (changed)
		pass_invalidate(cx, 0);
	if (remove_unreached_blocks(cx)) {
		fold_all_single_phis(m, f);
		changed = true;
	}
	if (has_resume(m, f))
		return changed;
	ir_func_drop_personality(m, f);
	return true;
}

/* ---- swifterror ---- */

/* Only these are passed to others as swifterror. */
static bool has_swifterror(IrModule *m, const IrFunc *f)
{
	for (u32 i = 0; i < f->n_args; i++)
		if (ir_param_attr(m, f, i, IRA_SWIFTERROR))
			return true;
	ir_each_block_had(m, f, b, IR_OPS(ALLOCA))
		ir_each_inst(m, b, i)
			if (ir_inst(m, i)->op == IR_ALLOCA && ir_inst(m, i)->flags & IRF_SWIFTERROR)
				return true;
	return false;
}

static void pass_without_mark(PassCx *cx, IrRef call)
{
	IrModule *m = cx->ir;
	u32       n = ir_call(m, call)->n_args, *sets = arena_array(cx->scratch, u32, n + 1);
	for (u32 k = 0; k < n; k++)
		sets[k] = ir_attrs_without(m, ir_call_param_attrs(m, call, k), IRA_SWIFTERROR).i;
	if (ir_call(m, call)->params)
		ir_call(m, call)->params = ir_list_new(m, sets, n);
}

static void drop_swifterror(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	for (u32 i = 0; i < f->n_args; i++) {
		IrArg *a = ir_arg(m, ir_func_arg(f, i));
		a->attrs = ir_attrs_without(m, a->attrs, IRA_SWIFTERROR);
	}
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i) {
			u32 op = ir_inst(m, i)->op;
			if (op == IR_ALLOCA)
				ir_inst(m, i)->flags &= (u16)~IRF_SWIFTERROR;
			else if (ir_op_info[op].flags & IROF_CALLS)
				pass_without_mark(cx, i);
		}
}

static bool run(PassCx *cx)
{
	IrFunc *f = pass_func(cx);
	bool    swift = has_swifterror(cx->ir, f);
	if (swift)
		drop_swifterror(cx);
	return (f->extra[2] && lower_exceptions(cx)) || swift;
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
