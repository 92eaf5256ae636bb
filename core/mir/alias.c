/* alias.c: what an instruction accesses, from its operands and its memory record, and the rules that keep two accesses apart,
 * see alias.h. */
#include "mir/alias.h"

#include "ir/ir.h"

/* ---- what an access is ---- */

static u32 space_of(const IsaDesc *d, const MirMem *m)
{
	const IsaSpace *s = isa_space_of_token(d->opc.slot[SLOT_space]);
	return s ? s->number : m ? m->space : (u32)AS_GENERIC;
}

/* Does the function's argument point to memory that it reaches by no other way: noalias, or a copy of the caller's? */
static bool is_object_argument(const MirFunc *f, IrRef arg)
{
	const IrModule *m = f->module->ir;
	const IrFunc   *of = f->ir ? ir_func(m, ir_ref(IR_GLOBAL, f->ir)) : NULL;
	u32             i = of ? ir_index(arg) - of->first_arg : 0;
	return of && i < of->n_args && (ir_param_attr(m, of, i, IRA_NOALIAS) || ir_param_attr(m, of, i, IRA_BYVAL));
}

u32 mir_object_of(const MirFunc *f, u32 value)
{
	const IrModule *m = f->module->ir;
	IrRef           v = {value};
	if (!m || !value)
		return 0;
	for (u32 steps = 0; steps < 16 && ir_kind(v) == IR_INST; steps++) {
		const IrInst *i = ir_inst(m, v);
		if (i->op == IR_ALLOCA)
			return v.i;
		if (i->op != IR_GETELEMENTPTR && i->op != IR_BITCAST && i->op != IR_ADDRSPACECAST)
			return 0;
		v = ir_op(m, v, 0);
	}
	return ir_kind(v) == IR_GLOBAL || (ir_kind(v) == IR_ARG && is_object_argument(f, v)) ? v.i : 0;
}

/* The address operands: the base and the offset behind it. */
static void address_of(const MirFunc *f, MirInstId i, const IsaDesc *d, MirAccess *a)
{
	const MirInst *mi = mir_inst(f, i);
	for (u32 k = 0; k + 1 < d->n_operands && k + 1u < mi->n_ops; k++) {
		if (d->operand[k].kind != IO_BASE)
			continue;
		const MirOp *base = mir_op(f, i, k), *offset = mir_op(f, i, k + 1);
		a->base = base->kind;
		a->ref = base->ref;
		a->offset = (offset->kind == MO_IMM ? offset->imm : 0) + (base->kind == MO_REG ? 0 : base->imm);
		if (base->kind == MO_REG && (!mir_is_virt(mir_op_reg(base)) || mir_vreg(f, mir_op_reg(base))->n_defs != 1))
			a->base = MO_NONE; /* it may hold another value there */
		return;
	}
}

static u64 size_of(const IsaDesc *d, const MirMem *m)
{
	u32 type = d->opc.slot[SLOT_type];
	if (m && m->size)
		return m->size;
	return type ? (u64)isa_type(type)->bits / 8 * isa_vec(&d->opc) : 0;
}

MirAccess mir_access(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirInst *mi = mir_inst(f, i);
	const MirMem  *m = mir_mem(f, i);
	MirAccess      a = {0};
	a.flags |= d->flags & IF_LOAD ? MA_READS : 0;
	a.flags |= d->flags & IF_STORE || mi->flags & MIF_SIDE_EFFECT ? MA_WRITES : 0;
	if (m)
		a.flags |= (m->flags & MMF_LOAD ? MA_READS : 0) | (m->flags & MMF_STORE ? MA_WRITES : 0);
	if (!a.flags)
		return a;
	if (d->eval != EV_ld && d->eval != EV_st && d->eval != EV_atom) {
		a.flags |= MA_UNKNOWN; /* calls, inline asm, matrices, textures, copies that go on by themselves */
		return a;
	}
	a.space = (u16)space_of(d, m);
	a.size = size_of(d, m);
	address_of(f, i, d, &a);
	a.object = m ? mir_object_of(f, m->value) : 0;
	bool invariant =
		(m && m->flags & MMF_INVARIANT) || d->opc.slot[SLOT_flag] == TOK_flag_nc || !isa_space_is(a.space, SF_WRITABLE);
	if (!(a.flags & MA_WRITES) && invariant)
		a.flags |= MA_CONSTANT;
	return a;
}

/* ---- two of them ---- */

static u32 window(u32 space) { return space == AS_CLUSTER ? (u32)AS_SHARED : space; }

static bool apart(const MirAccess *a, const MirAccess *b)
{
	if (!a->size || !b->size)
		return false;
	/* The difference of two offsets of 64 bits does not overflow as unsigned numbers in the right order. */
	if (a->offset <= b->offset)
		return (u64)b->offset - (u64)a->offset >= a->size;
	return (u64)a->offset - (u64)b->offset >= b->size;
}

static bool is_object(const MirAccess *a) { return a->base == MO_GLOBAL || a->base == MO_SYMBOL || a->base == MO_FRAME; }

bool mir_may_alias_across(const MirAccess *a, const MirAccess *b, bool steady)
{
	if (!((a->flags | b->flags) & MA_WRITES) || !a->flags || !b->flags || (a->flags | b->flags) & MA_CONSTANT)
		return false;
	if ((a->flags | b->flags) & MA_UNKNOWN)
		return true;
	u32 x = window(a->space), y = window(b->space);
	if (x != y && x != AS_GENERIC && y != AS_GENERIC)
		return false;
	if (a->base != MO_NONE && a->base == b->base && a->ref == b->ref && (a->base != MO_REG || steady))
		return !apart(a, b);
	if (a->base == MO_IMM && b->base == MO_IMM && x == y)
		return !apart(a, b);
	if (is_object(a) && is_object(b))
		return false;
	return !(a->object && b->object && a->object != b->object);
}

bool mir_may_alias(const MirAccess *a, const MirAccess *b) { return mir_may_alias_across(a, b, true); }
