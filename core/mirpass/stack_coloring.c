/* stack-coloring: stack objects that are never in use at the same time share their room.
 *
 *	LIFETIME_START %stack.0                     ST_local_u32 %stack.0, 0, %1
 *	ST_local_u32 %stack.0, 0, %1                …
 *	…                                     →     ST_local_u32 %stack.0, 4, %2
 *	LIFETIME_END %stack.0
 *	LIFETIME_START %stack.1                     %stack.1 is dead
 *	ST_local_u32 %stack.1, 4, %2
 *	LIFETIME_END %stack.1
 *
 * llvm.lifetime.start and .end say where an object is in use (mir/slotlive.h); an object without a LIFETIME_START always is.
 * The largest objects come first, and each smaller one goes into the first room that is free where it is in use, so a room
 * is as large as the object that it was made for. Memory records stop naming allocas: two of them may be one place now,
 * and what follows would take accesses of them for independent.
 *
 * The markers are for this pass alone and are erased, whether anything was found or not. It runs before any pass that
 * moves accesses to memory. Works in SSA form and out of it; keeps the control flow. Cost: mir/slotlive.h. */
#include "mir/alias.h"
#include "mir/slotlive.h"
#include "mirpass/mirpass.h"

#include "ir/ir.h"

static bool erase_markers(MirFunc *f)
{
	bool any = false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			if (mir_is_marker(f, i)) {
				mir_erase(f, i);
				any = true;
			}
	return any;
}

static void forget_allocas(MirFunc *f)
{
	const IrModule *m = f->module->ir;
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			MirMem *mem = mir_mem(f, i);
			IrRef   object = {m && mem ? mir_object_of(f, mem->value) : 0};
			if (object.i && ir_kind(object) == IR_INST)
				mem->value = 0, mem->offset = 0;
		}
}

bool mirpass_share_slots(PassCx *cx, MirFunc *f, const SlotLive *l)
{
	VecU32 order = slot_by_size(l);
	u32   *into = slot_share(l, &order), merged = 0;
	Bitset shared = bitset_new(cx->scratch, f->frame.n);
	for (u32 k = 0; k < l->object.n; k++) {
		u32 n = l->object.p[k];
		if (into[n] == n)
			continue;
		merged++;
		bitset_add(shared, into[n]);
		pass_remark(cx, REMARK_PASSED, 0, "%%stack.%u shares the room of %%stack.%u: never in use at once", n, into[n]);
	}
	for (u32 k = 0; k < l->object.n && l->object.n > 1; k++)
		if (into[l->object.p[k]] == l->object.p[k] && !bitset_has(shared, l->object.p[k]))
			pass_remark(cx, REMARK_MISSED, 0,
			            "%%stack.%u keeps its room for itself: each other one is in use with it", l->object.p[k]);
	if (merged)
		mir_frame_merge(f, into);
	return merged != 0;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	if (!mir_may_have(f, ISA_LIFETIME_START) && !mir_may_have(f, ISA_LIFETIME_END))
		return false;
	SlotLive *l = slot_live_by_markers(f, mir_cfg(cx), cx->scratch);
	bool      changed = l && mirpass_share_slots(cx, f, l);
	if (!l)
		pass_remark(cx, REMARK_MISSED, 0, "too many stack objects and blocks to see which are in use at once");
	if (changed)
		forget_allocas(f);
	return erase_markers(f) || changed;
}

const Pass mirpass_stack_coloring = {
	.id = "stack-coloring",
	.title = "Merge disjoint stack slots",
	.summary = "Lets stack objects that are never in use at the same time share their room.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_stack_coloring,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
