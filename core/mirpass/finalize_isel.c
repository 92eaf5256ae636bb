/* finalize-isel: after selection nothing may be left that only selection understands.
 *
 * Custom inserters do not exist here: dag/ emits final opcodes. What remains is to drop instructions that
 * selection left as placeholders (a COPY of a register to itself, lifetime markers of stack objects when
 * nothing colours slots) and to make sure that every block's edges are there. What the analyses say of the machine code as
 * selection left it can be printed here (-print-machine-bfi). */
#include "mir/metrics.h"
#include "mirpass/mirpass.h"

static bool is_leftover(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	return mi->desc == ISA_COPY && mi->n_ops == 2 && mir_op_reg(mir_op(f, i, 0)).i == mir_op_reg(mir_op(f, i, 1)).i;
}

static bool drop_leftovers(MirFunc *f)
{
	bool changed = false;
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

static bool run(PassCx *cx)
{
	bool changed = drop_leftovers(mirpass_func(cx));
	if (knob_bool(cx->s, KNOB_print_machine_bfi)) {
		if (changed)
			pass_invalidate(cx, AN_MIR_CONTROL);
		mir_metrics_print(cx, pass_dump(cx));
	}
	return changed;
}

static const Knob knobs[] = {KNOB_print_machine_bfi, KNOB_NONE};

const Pass mirpass_finalize_isel = {
	.id = "finalize-isel",
	.title = "Finalize ISel and expand pseudo-instructions",
	.summary = "Deletes the placeholders that instruction selection left.",
	.group = "isel",
	.level = PASS_MIR,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
