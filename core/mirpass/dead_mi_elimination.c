/* dead-mi-elimination: instructions whose results nobody reads and that do nothing else.
 *
 *	%4 = ADD %2, %3      (no use of %4)      →      (nothing)
 *
 * A worklist: removing a reader may leave what it read without readers. Phis that only feed each other stay
 * (opt-phis sees to those). The registers are gone through, not the instructions: they are fewer bytes. Works with
 * several definitions per register: they go together when the last reader does. */
#include "mirpass/mirpass.h"

/* Loads go too, unless volatile or ordered; what the desc calls a side effect stays. */
static bool removable(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	const IsaDesc *d = mir_desc(f, i);
	const MirMem  *m = mir_mem(f, i);
	u32            keep = IF_STORE | IF_SIDE_EFFECTS | IF_TERMINATOR | IF_CALL | IF_CARRY_OUT | IF_ASYNC | IF_ATOMIC;
	if (d->opc.op == ISA_INLINEASM)
		keep = 0;
	if (d->opc.op == ISA_KILL || (d->flags & (keep | IF_META)) || (mi->flags & MIF_SIDE_EFFECT))
		return false;
	return !m || (!(m->flags & MMF_VOLATILE) && m->ordering <= MIR_UNORDERED);
}

static bool has_readers(const MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	const MirOp   *o = mir_ops(f, i);
	bool           defines = false;
	for (u32 n = 0; n < mi->n_ops; n++) {
		if (!mir_op_is_def(&o[n]))
			continue;
		if (!mir_is_virt(mir_op_reg(&o[n])) || mir_vreg(f, mir_op_reg(&o[n]))->n_uses)
			return true;
		defines = true;
	}
	return !defines;
}

static bool dead(const MirFunc *f, MirInstId i) { return mir_inst(f, i)->block && !has_readers(f, i) && removable(f, i); }

/* What defines a register that nobody reads. */
static void push_dead(PassCx *cx, const MirFunc *f, MirReg r, VecU32 *work)
{
	mir_each_def(f, r, o)
		if (dead(f, (MirInstId){o->inst}))
			vec_push(cx->scratch, work, o->inst);
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	VecU32   work = {0}, read = {0};
	bool     changed = false;
	for (u32 r = 1; r < f->vreg.n; r++)
		if (!mir_vreg(f, (MirReg){r})->n_uses)
			push_dead(cx, f, (MirReg){r}, &work);
	while (work.n) {
		MirInstId i = {vec_pop(&work)};
		if (!dead(f, i))
			continue;
		read.n = 0;
		for (u32 k = 0; k < mir_inst(f, i)->n_ops; k++) {
			MirReg r = mir_op_reg(mir_op(f, i, k));
			if (mir_is_virt(r) && mir_op_is_use(mir_op(f, i, k)))
				vec_push(cx->scratch, &read, r.i);
		}
		mir_erase(f, i);
		changed = true;
		for (u32 k = 0; k < read.n; k++)
			if (!mir_vreg(f, (MirReg){read.p[k]})->n_uses)
				push_dead(cx, f, (MirReg){read.p[k]}, &work);
	}
	return changed;
}

const Pass mirpass_dead_mi_elimination = {
	.id = "dead-mi-elimination",
	.title = "Remove dead machine instructions",
	.summary = "Deletes instructions whose results are not used.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_machine_dce,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
