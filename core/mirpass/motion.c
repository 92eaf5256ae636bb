/* motion.c: which instructions may be executed at another place than where they stand. Shared by the passes that merge,
 * sink and hoist. */
#include "mirpass/mirpass.h"

static bool has_single_results(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	for (u32 n = 0; n < mi->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (o->tie || (mir_op_is_def(o) && (!mir_is_virt(mir_op_reg(o)) || mir_vreg(f, mir_op_reg(o))->n_defs != 1)))
			return false;
	}
	return mi->n_defs != 0;
}

bool mirpass_is_movable(const MirFunc *f, MirInstId i)
{
	const u32 never = IF_STORE | IF_SIDE_EFFECTS | IF_TERMINATOR | IF_CALL | IF_CONVERGENT | IF_PHI | IF_COPY | IF_META |
	                  IF_CARRY_IN | IF_CARRY_OUT | IF_ASYNC | IF_ATOMIC | IF_FENCE | IF_VARIADIC;
	const IsaDesc *d = mir_desc(f, i);
	const MirMem  *m = mir_mem(f, i);
	if (d->flags & never || mir_inst(f, i)->flags & (MIF_SIDE_EFFECT | MIF_NO_DUP) || d->opc.slot[SLOT_guard])
		return false;
	if (d->opc.op == ISA_sreg && isa_sreg(d->opc.slot[SLOT_sreg])->divergence == DIV_VOLATILE)
		return false;
	if (d->flags & IF_LOAD && !(m && m->flags & MMF_INVARIANT && !(m->flags & MMF_VOLATILE) && m->ordering == MIR_NOT_ATOMIC))
		return false;
	return has_single_results(f, i);
}

bool mirpass_may_speculate(const MirFunc *f, MirInstId i)
{
	return mirpass_is_movable(f, i) && (!mir_is(f, i, IF_LOAD) || mir_mem(f, i)->flags & MMF_DEREFERENCEABLE);
}
