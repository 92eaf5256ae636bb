/* nvptx-lower-unreachable: puts an exit instruction before unreachable, so that ptxas sees that control ends there.
 *
 *   call void @throw()             call void @throw()
 *   unreachable              →     call void asm sideeffect "exit;", ""()
 *                                  unreachable
 *
 * Without an instruction that ends the thread, ptxas has to assume that control falls through into the
 * next block, which can create a loop that the program does not have. With trap-unreachable instruction selection emits a
 * trap instead, unless the program traps there already; where no-trap-after-noreturn omits that trap, the exit is inserted again.
 * ptxas of PTX 8.3 on knows that a trap ends the thread. Linear in blocks. */
#include "ir/builder.h"
#include "ir/intrinsic.h"
#include "irpass/util.h"
#include "isa/isa.h"

static bool traps(const PassCx *cx, IrRef unreachable)
{
	IrModule *m = cx->ir;
	if (!knob_bool(cx->s, KNOB_trap_unreachable))
		return false;
	IrRef prev = ir_inst(m, unreachable)->prev;
	bool  after_noreturn =
		!ir_is_none(prev) && ir_inst(m, prev)->op == IR_CALL && ir_call_fn_attr(m, prev, IRA_NORETURN) != NULL;
	return !(after_noreturn && knob_bool(cx->s, KNOB_no_trap_after_noreturn));
}

/* Does ptxas see that control ends here? */
static bool ends(const PassCx *cx, IrRef unreachable)
{
	IrRef prev = ir_inst(cx->ir, unreachable)->prev;
	if (ir_is_trap(cx->ir, prev))
		return isa_target_has(&cx->s->target, ISA_FEATURE_TRAP_ENDS);
	return traps(cx, unreachable) || ir_is_exit(cx->ir, prev);
}

/* A callbr may say that control comes nowhere on its other way, and then nothing stands there; selection reports it. */
static bool is_way_of_callbr(const IrModule *m, IrRef block)
{
	ir_each_use(m, block, u)
		if (is_inst(m, ir_use(m, u)->user, IR_CALLBR))
			return true;
	return false;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      changed = false;
	ir_each_block_had(m, pass_func(cx), b, IR_OPS(UNREACHABLE)) {
		IrRef t = ir_term(m, b);
		if (ir_is_none(t) || ir_inst(m, t)->op != IR_UNREACHABLE || ends(cx, t) || is_way_of_callbr(m, b))
			continue;
		IrType    type = ir_func_type(m, IR_TYPE(VOID), NULL, 0, false);
		IrRef     text = ir_asm_new(m, type, STR("exit;"), STR(""), IRASM_SIDEEFFECT);
		IrBuilder at = ir_build_before(m, t);
		ir_b_call(&at, type, text, NULL, 0);
		changed = true;
	}
	return changed;
}

static const Knob knobs[] = {KNOB_trap_unreachable, KNOB_no_trap_after_noreturn, KNOB_NONE};

const Pass irpass_nvptx_lower_unreachable = {
	.id = "nvptx-lower-unreachable",
	.title = "Lower Unreachable",
	.summary = "Ends the thread (exit) before unreachable points.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.knobs = knobs,
	.keeps = AN_ALL,
	.looks_for = IR_OPS(UNREACHABLE),
	.flags = PF_ANY_SIZE | PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
