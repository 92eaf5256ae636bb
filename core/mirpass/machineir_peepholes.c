/* machineir-peepholes: addresses of stack objects, and chains of copies.
 *
 *	%1 = FRAME_ADDR %stack.0; %2 = CVTA_to_local_u64 %1      →     %2 = FRAME_ADDR_LOCAL %stack.0
 *	%2 = FRAME_ADDR_LOCAL %stack.0; LD_local_u32 %2, 4       →     LD_local_u32 %stack.0, 4
 *	%2 = COPY %1; %3 = COPY %2                               →     %3 = COPY %1       (-nvptx-fold-copy-chains)
 *
 * The address of a stack object that is made generic and then local again is its local address at once: the conversion names the
 * object itself. The generic address goes when nobody else reads it; where it escapes, to a call say, it stays.
 *
 * Loads and stores at a constant distance from an object name the object, so that what reads the code behind (aliases,
 * nvptx-mem2reg, stack-slot-coloring) sees which one it is, and prologepilog makes [%SPL+offset] of them.
 *
 * A chain of copies reads what its first one reads, and what nobody reads any more goes. This is behind its own gate, off by
 * default: the copies that cssa has put on the edges of a phi web are such chains where webs touch, and the last copy of a folded
 * chain keeps the first source alive up to itself.
 *
 * Needs SSA; keeps the control flow. Cost: one look at each instruction; a chain is followed by one link a visit, in program
 * order, so each link is followed once. */
#include "mir/frame.h"
#include "mirpass/mirpass.h"

static bool single(const MirFunc *f, MirReg r) { return mir_is_virt(r) && mir_vreg(f, r)->n_defs == 1; }

/* Erases the definition of `r` where nobody reads it. */
static void drop_unread(MirFunc *f, MirReg r)
{
	if (!mir_vreg(f, r)->n_uses)
		mir_erase(f, mir_def_inst(f, r));
}

static bool fold_frame_address(PassCx *cx, MirFunc *f, MirInstId i)
{
	MirReg    generic = mir_op_reg(mir_op(f, i, 1));
	MirInstId d = single(f, generic) ? mir_def_inst(f, generic) : (MirInstId){0};
	if (!d.i || mir_inst(f, d)->desc != ISA_FRAME_ADDR) {
		pass_remark(cx, REMARK_MISSED, mir_inst(f, i)->origin,
		            "the conversion stays: this is not the address of a stack object");
		return false;
	}
	pass_remark(cx, REMARK_PASSED, mir_inst(f, i)->origin, "the local address of a stack object needs no conversion");
	MirOp frame = *mir_op(f, d, 1);
	mir_set_desc(f, i, ISA_FRAME_ADDR_LOCAL);
	mir_op_set(f, i, 1, frame);
	drop_unread(f, generic);
	return true;
}

/* [%2 + 4] with %2 = FRAME_ADDR_LOCAL %stack.0: [%stack.0 + 4] */
static bool fold_accesses(PassCx *cx, MirFunc *f, MirInstId i)
{
	MirReg r = mir_op_reg(mir_op(f, i, 0));
	u32    folded = single(f, r) ? mir_frame_fold(f, r, *mir_op(f, i, 1), cx->scratch) : 0;
	if (!folded)
		return false;
	pass_remark(cx, REMARK_PASSED, mir_inst(f, i)->origin, "%u access%s the stack object", folded,
	            folded == 1 ? " names" : "es name");
	return true;
}

static bool is_copy(const MirFunc *f, MirInstId i)
{
	u32 desc = mir_inst(f, i)->desc;
	return (desc == ISA_COPY || desc == ISA_CSSA_COPY) && mir_is_virt(mir_op_reg(mir_op(f, i, 1))) &&
	       !(mir_op(f, i, 1)->flags & MOF_UNDEF);
}

static bool fold_copy_chain(PassCx *cx, MirFunc *f, MirInstId i)
{
	MirReg    middle = mir_op_reg(mir_op(f, i, 1));
	MirInstId d = single(f, middle) ? mir_def_inst(f, middle) : (MirInstId){0};
	if (!d.i || !is_copy(f, d))
		return false;
	MirReg first = mir_op_reg(mir_op(f, d, 1));
	if (!single(f, first) || !mir_alike(f, first, middle))
		return false;
	pass_remark(cx, REMARK_PASSED, mir_inst(f, i)->origin, "the copy of a copy reads what the first one reads");
	mir_op_set_reg(f, i, 1, first);
	drop_unread(f, middle);
	return true;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     chains = knob_bool(cx->s, KNOB_nvptx_fold_copy_chains), frame = f->frame.n && !(f->props & MP_ALLOCATED);
	bool     changed = false;
	chains &= mir_may_have(f, ISA_COPY) || mir_may_have(f, ISA_CSSA_COPY);
	if (!chains && !frame && !mir_may_have(f, ISA_cvta))
		return false;
	mir_each_block(f, b)
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i))
			if (mir_is_cvta_to_local(f, i))
				changed |= fold_frame_address(cx, f, i);
			else if (chains && is_copy(f, i))
				changed |= fold_copy_chain(cx, f, i);
	if (!frame)
		return changed;
	mir_each_block(f, b)
		for (MirInstId i = {mir_block(f, b)->first}, next; i.i; i = next) {
			bool address = mir_inst(f, i)->desc == ISA_FRAME_ADDR || mir_inst(f, i)->desc == ISA_FRAME_ADDR_LOCAL;
			bool folded = address && fold_accesses(cx, f, i);
			next = mir_next(f, i); /* folding erases sums, which may stand here */
			changed |= folded;
			if (folded)
				drop_unread(f, mir_op_reg(mir_op(f, i, 0)));
		}
	return changed;
}

static const Knob knobs[] = {KNOB_nvptx_fold_copy_chains, KNOB_NONE};

const Pass mirpass_machineir_peepholes = {
	.id = "machineir-peepholes",
	.title = "MachineIR Peepholes",
	.summary = "Uses local addresses of stack objects directly, and on request folds chains of copies.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_machineir_peepholes,
	.knobs = knobs,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
