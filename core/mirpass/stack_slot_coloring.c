/* stack-slot-coloring: spill slots that never hold a value at the same time share their room.
 *
 *	ST_local_u32 %stack.0, 0, %1                ST_local_u32 %stack.0, 0, %1
 *	%2 = LD_local_u32 %stack.0, 0               %2 = LD_local_u32 %stack.0, 0
 *	ST_local_u32 %stack.1, 0, %3          →     ST_local_u32 %stack.0, 0, %3
 *	%4 = LD_local_u32 %stack.1, 0               %4 = LD_local_u32 %stack.0, 0
 *
 * A slot holds a value from a store to the last load that may read it (mir/slotlive.h). Slots whose address is anywhere but
 * in loads and stores are left alone. The order is that of stack-coloring: the largest first. A slot that has gone stays in
 * the list of objects as a dead one, with its spill mark.
 *
 * Runs on code that is not in SSA form; keeps the control flow. Cost: mir/slotlive.h. */
#include "mir/slotlive.h"
#include "mirpass/mirpass.h"

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	u32      slots = 0;
	for (u32 n = 0; n < f->frame.n; n++)
		slots += f->frame.p[n].is_spill && !f->frame.p[n].is_dead;
	if (slots < 2 || f->props & MP_ALLOCATED)
		return false;
	MirFrameUses *uses = mir_frame_uses(f, cx->scratch);
	SlotLive     *l = slot_live_by_accesses(f, mir_cfg(cx), uses, cx->scratch);
	if (!l)
		pass_remark(cx, REMARK_MISSED, 0, "too many spill slots and blocks to see which are in use at once");
	return l && mirpass_share_slots(cx, f, l);
}

static const Knob knobs[] = {KNOB_usedessa, KNOB_NONE};

const Pass mirpass_stack_slot_coloring = {
	.id = "stack-slot-coloring",
	.title = "Stack Slot Coloring",
	.summary = "Lets spill slots that never hold a value at the same time share their room.",
	.group = "ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_ssc,
	.gated = mirpass_full_mode,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
