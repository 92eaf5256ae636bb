/* emit_end.c: the last phases of a block's emission: 12 copies that nothing reads go, 13 what was glued in front
 * of them goes with them, 14 what was put on the dead list is deleted. */
#include "dag/emit.h"

static bool is_unused(const MirFunc *f, i32 reg)
{
	return reg == EMIT_NO_REG || (!emit_is_phys(reg) && mir_vreg(f, (MirReg){(u32)reg})->n_uses == 0);
}

static void add_dead(Emitter *e, u32 inst)
{
	if (e->n_dead < EMIT_DEAD_INLINE)
		e->dead_inline[e->n_dead] = inst;
	else
		vec_push(e->f->arena, &e->dead_more, inst);
	map_set(&e->queued, inst, 1);
	e->n_dead++;
}

static bool is_queued(const Emitter *e, u32 inst) { return map_get(&e->queued, inst) != NULL; }

/* The copies move physical registers: where they stand as killed, somebody may come to read them later. */
static void clear_kill_flags(Emitter *e, Bitset phys)
{
	MirFunc *m = e->f->mir;
	mir_each_inst(m, e->f->mir_block, i)
		for (u32 k = 0; k < mir_inst(m, i)->n_ops; k++) {
			MirOp *o = mir_op(m, i, k);
			if (o->kind == MO_REG && mir_is_phys(mir_op_reg(o)) && bitset_has(phys, o->ref & ~MIR_PHYS_BIT))
				o->flags &= (u16)~MOF_KILL;
		}
}

static void keep_physical(Emitter *e)
{
	enum { NUMBERS = EMIT_FIRST_PARAM + EMIT_PARAMS };
	Bitset phys = {0};
	bool   any = false;
	for (u32 k = 0; k < e->records.n; k++) {
		const EmitResultRecord *r = &e->records.p[k];
		for (u32 side = 0; side < 2; side++) {
			i32 reg = side ? r->dst_vreg : r->src_vreg;
			if (!emit_is_phys(reg) || emit_phys_number(reg) >= NUMBERS)
				continue;
			if (!any)
				phys = bitset_new(e->f->arena, NUMBERS);
			bitset_add(phys, emit_phys_number(reg));
			any = true;
		}
	}
	if (any)
		clear_kill_flags(e, phys);
}

/* A copy that nothing reads goes at once; one whose source its consumer took itself waits for the end. */
static void dead_copies(Emitter *e)
{
	MirFunc *m = e->f->mir;
	e->phase[12]++;
	keep_physical(e);
	for (u32 k = 0; k < e->records.n; k++, e->steps++) {
		const EmitResultRecord *r = &e->records.p[k];
		MirInstId               inst = {(u32)(r->producer >> 3)};
		const MirInst          *x = mir_inst(m, inst);
		if (!x->block || !emit_is_candidate(0, emit_ts_flags(isa_desc(e->f->s, x->desc))))
			continue;
		bool may_drop = emit_is_phys(r->src_vreg) ? e->hooks->drop_copy_from(e, r) : e->hooks->drop_generic(e, r);
		bool unused = is_unused(m, r->dst_vreg) && (!(r->flags & EMIT_EXPORTED) || may_drop);
		if (!unused && !(r->flags & EMIT_FOLDED))
			continue;
		if (unused)
			mir_erase(m, inst);
		else
			add_dead(e, inst.i);
	}
}

static bool defines_nothing_used(const MirFunc *m, MirInstId i)
{
	for (u32 k = 0; k < mir_inst(m, i)->n_defs; k++) {
		MirReg r = mir_op_reg(mir_op(m, i, k));
		if (!mir_is_virt(r) || mir_vreg(m, r)->n_uses)
			return false;
	}
	return mir_inst(m, i)->n_defs != 0;
}

/* Copies that only fed a copy that went, up the glue. */
static void glue_walk(Emitter *e)
{
	MirFunc *m = e->f->mir;
	Dag     *d = &e->f->dag;
	e->phase[13]++;
	for (u32 k = 0; k < e->records.n; k++) {
		const EmitResultRecord *r = &e->records.p[k];
		if (mir_inst(m, (MirInstId){(u32)(r->producer >> 3)})->block)
			continue;
		u32 steps = 0;
		for (u32 g = r->node; dag_link_tag(dag_at(d, g)->link) == DAG_TAG_GLUE && steps++ < d->n_nodes;) {
			g = dag_link_node(dag_at(d, g)->link);
			e->steps++;
			u64      *known = map_get(&e->inst, g);
			MirInstId i = {known ? (u32)*known : 0};
			if (i.i && mir_inst(m, i)->block && mir_inst(m, i)->desc == ISA_COPY && defines_nothing_used(m, i) &&
			    !is_queued(e, i.i))
				add_dead(e, i.i);
		}
	}
}

void emit_finish(Emitter *e)
{
	MirFunc *m = e->f->mir;
	dead_copies(e);
	glue_walk(e);
	e->phase[14]++;
	for (u32 i = 0; i < e->n_dead; i++) {
		MirInstId x = {i < EMIT_DEAD_INLINE ? e->dead_inline[i] : e->dead_more.p[i - EMIT_DEAD_INLINE]};
		if (mir_inst(m, x)->block)
			mir_erase(m, x);
	}
	e->n_dead = e->dead_more.n = 0;
}
