/* copies.c: a COPY becomes the mov of its classes (for post-ra-pseudos and nvptx-proxy-reg-erasure); moves within a class are
 * recognized and forwarded (for machine-cp, peephole-opt and redundant-move-elim). Needs virtual registers with classes. */
#include "mirpass/mirpass.h"

void mirpass_expand_copy(Session *s, MirFunc *f, MirInstId i)
{
	const MirOp *o = mir_ops(f, i);
	MirReg       to = mir_op_reg(&o[0]), from = mir_op_reg(&o[1]);
	if (to.i == from.i) {
		mir_erase(f, i);
		return;
	}
	if (o[1].flags & MOF_UNDEF) {
		mir_op_remove(f, i, 1);
		mir_set_desc(f, i, ISA_IMPLICIT_DEF);
		return;
	}
	PtxOpc mov = {.op = ISA_mov};
	mov.slot[SLOT_type] = isa_class_info[mir_class(f, to)].move;
	mir_set_desc(f, i, isa_intern(s, mov));
}

void mirpass_copy_before(MirFunc *f, MirInstId before, MirReg to, MirReg from)
{
	MirInstId i = mir_build(f, (MirBlockId){mir_inst(f, before)->block}, before, ISA_COPY);
	mir_add_def(f, i, to);
	mir_add_use(f, i, from);
	mir_inst(f, i)->origin = mir_inst(f, before)->origin;
	mir_inst(f, i)->dbg = mir_inst(f, before)->dbg;
}

bool mirpass_is_move(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	if (d->opc.op != ISA_COPY && (d->opc.op != ISA_mov || d->opc.slot[SLOT_guard]))
		return false;
	const MirOp *o = mir_ops(f, i);
	return mir_inst(f, i)->n_ops == 2 && mir_is_virt(mir_op_reg(&o[0])) && mir_is_virt(mir_op_reg(&o[1])) &&
	       !(o[1].flags & (MOF_UNDEF | MOF_NOT)) && !o[0].tie && mir_alike(f, mir_op_reg(&o[0]), mir_op_reg(&o[1]));
}

void mirpass_forward_move(MirFunc *f, MirInstId i)
{
	MirReg to = mir_op_reg(mir_op(f, i, 0)), from = mir_op_reg(mir_op(f, i, 1));
	mir_erase(f, i);
	if (to.i != from.i)
		mir_replace_uses(f, to, from);
}
