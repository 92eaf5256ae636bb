/* redundant-move-elim: register moves that selection left behind.
 *
 *	%4 = MOVu32r %4                                  (nothing)
 *	%1 = …; %2 = COPY %1; %3 = MOVu32r %2      →     %1 = …   (readers of %2 and %3 read %1)
 *
 * A move within a class whose registers have one definition each is forwarded: in SSA form the source holds the same value wherever
 * the result is read. Out of SSA form only a move of a register to itself goes, since
 * a source may be written again before the result is read. Moves of constants and addresses, copies between classes, proxies of
 * call results and the copies that keep phi webs apart (CSSA_COPY) are no moves in this sense.
 *
 * Keeps the control flow. Cost: one look at each instruction and at each reader of a moved result. */
#include "mirpass/mirpass.h"

static bool eliminate(PassCx *cx, MirFunc *f, MirInstId i)
{
	MirReg to = mir_op_reg(mir_op(f, i, 0)), from = mir_op_reg(mir_op(f, i, 1));
	u32    line = mir_inst(f, i)->origin;
	if (to.i == from.i) {
		pass_remark(cx, REMARK_PASSED, line, "a move of a register to itself goes");
		mirpass_forward_move(f, i);
		return true;
	}
	if (!(f->props & MP_SSA)) {
		pass_remark(cx, REMARK_MISSED, line, "the move stays: its source may be written again");
		return false;
	}
	pass_remark(cx, REMARK_PASSED, line, "the move goes: its readers read the source");
	mirpass_forward_move(f, i);
	return true;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	if (!mir_may_have(f, ISA_COPY) && !mir_may_have(f, ISA_mov))
		return false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			if (mirpass_is_move(f, i))
				changed |= eliminate(cx, f, i);
	return changed;
}

const Pass mirpass_redundant_move_elim = {
	.id = "redundant-move-elim",
	.title = "Remove redundant moves",
	.summary = "Deletes moves between registers by letting the source instruction define the target.",
	.group = "isel",
	.level = PASS_MIR,
	.disable = KNOB_disable_redundant_move_elim,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
