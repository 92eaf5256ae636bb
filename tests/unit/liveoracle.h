/* liveoracle.h: what is live where, by the textbook: bit vectors, iterated over all blocks until nothing changes. Nothing
 * here knows of live ranges. */
#ifndef PS_UNIT_LIVEORACLE_H
#define PS_UNIT_LIVEORACLE_H

#include "mir/liverange.h"
#include "randommir.h"

/* The function with a graph and loops of its own. */
static inline MirFlow random_flow(MirFunc *f, Arena *a)
{
	MirCfg *cfg = mir_cfg_build(f, a);
	DomTree dom = dom_build(&cfg->g, a, 0);
	Loops  *loops = arena_new(a, Loops);
	*loops = loops_build(&cfg->g, &cfg->order, &dom, a);
	return (MirFlow){f, cfg, loops};
}

typedef struct LiveOracle {
	MirFunc *f;
	Arena   *a;
	Bitset  *in, *out; /* by block id: registers */
	Bitset  *def_out;  /* by block id: operand ids of definitions that reach its end */
} LiveOracle;

static inline bool oracle_reads(const MirOp *o)
{
	return mir_op_is_use(o) && mir_is_virt(mir_op_reg(o)) && !(o->flags & MOF_UNDEF);
}
static inline bool oracle_writes(const MirOp *o) { return mir_op_is_def(o) && mir_is_virt(mir_op_reg(o)); }

/* `live` is what lives behind the instruction, and becomes what lives in front of it. */
static inline void oracle_up(const MirFunc *f, MirInstId i, Bitset live)
{
	const MirOp *o = mir_ops(f, i);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
		if (oracle_writes(&o[n]))
			bitset_del(live, o[n].ref);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops && mir_inst(f, i)->desc != ISA_PHI; n++)
		if (oracle_reads(&o[n]))
			bitset_add(live, o[n].ref);
}

static inline void oracle_phi_reads(const MirFunc *f, MirBlockId from, MirBlockId to, Bitset live)
{
	for (MirInstId i = {mir_block(f, to)->first}; i.i && mir_inst(f, i)->desc == ISA_PHI; i = mir_next(f, i))
		for (u32 n = 1; n + 1 < mir_inst(f, i)->n_ops; n += 2)
			if (mir_op(f, i, n + 1)->ref == from.i && oracle_reads(mir_op(f, i, n)))
				bitset_add(live, mir_op(f, i, n)->ref);
}

/* Definitions of the same registers that reached until here do no longer. */
static inline void oracle_down(const MirFunc *f, MirInstId i, Bitset reach)
{
	const MirInst *mi = mir_inst(f, i);
	for (u32 n = 0; n < mi->n_ops; n++)
		if (oracle_writes(mir_op(f, i, n)))
			mir_each_def(f, mir_op_reg(mir_op(f, i, n)), d)
				bitset_del(reach, mir_inst(f, (MirInstId){d->inst})->op + mir_op_number(f, d));
	for (u32 n = 0; n < mi->n_ops; n++)
		if (oracle_writes(mir_op(f, i, n)))
			bitset_add(reach, mi->op + n);
}

static inline LiveOracle live_oracle(MirFunc *f, Arena *a)
{
	LiveOracle x = {f, a, arena_array(a, Bitset, f->block.n), arena_array(a, Bitset, f->block.n),
	                arena_array(a, Bitset, f->block.n)};
	Bitset     t = bitset_new(a, f->vreg.n), d = bitset_new(a, f->n_ops);
	mir_each_block(f, b) {
		x.in[b.i] = bitset_new(a, f->vreg.n);
		x.out[b.i] = bitset_new(a, f->vreg.n);
		x.def_out[b.i] = bitset_new(a, f->n_ops);
	}
	for (bool again = true; again;) {
		again = false;
		mir_each_block(f, b) {
			mir_each_succ(f, b, e) {
				again |= bitset_union(x.out[b.i], x.in[e->to]);
				bitset_copy(t, x.out[b.i]);
				oracle_phi_reads(f, b, (MirBlockId){e->to}, t);
				again |= bitset_union(x.out[b.i], t);
			}
			bitset_copy(t, x.out[b.i]);
			mir_each_inst_up(f, b, i)
				oracle_up(f, i, t);
			again |= bitset_union(x.in[b.i], t);
			bitset_clear(d);
			mir_each_pred(f, b, e)
				bitset_union(d, x.def_out[e->from]);
			mir_each_inst(f, b, i)
				oracle_down(f, i, d);
			again |= bitset_union(x.def_out[b.i], d);
		}
	}
	return x;
}

/* Calls `visit` for every slot of every block, in order, with what is live in it and the definitions that reach it. */
typedef void (*OracleVisit)(void *user, MirBlockId b, u32 slot, Bitset live, Bitset reach);

typedef struct OracleWalk {
	const LiveOracle *x;
	OracleVisit       visit;
	void             *user;
	MirBlockId        b;
	Bitset            undef; /* registers whose value comes from an IMPLICIT_DEF of this block */
	Bitset            reach, shown;
} OracleWalk;

static inline void oracle_show(OracleWalk *w, u32 slot, Bitset live)
{
	bitset_copy(w->shown, live);
	bitset_each(w->undef, r)
		bitset_del(w->shown, r);
	w->visit(w->user, w->b, slot, w->shown, w->reach);
}

/* What the instruction writes: early or late, into `live`; dead ones too. */
static inline void oracle_add_writes(const MirFunc *f, MirInstId i, bool early, Bitset live)
{
	for (u32 n = 0; n < mir_inst(f, i)->n_ops && mir_inst(f, i)->desc != ISA_IMPLICIT_DEF; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (oracle_writes(o) && early == ((o->flags & MOF_EARLY_CLOBBER) != 0))
			bitset_add(live, o->ref);
	}
}

static inline void oracle_inst(OracleWalk *w, MirInstId i, u32 slot, Bitset before, Bitset after, Bitset t)
{
	const MirFunc *f = w->x->f;
	bitset_copy(t, before);
	oracle_add_writes(f, i, true, t);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
		if (oracle_writes(mir_op(f, i, n)) && mir_op(f, i, n)->flags & MOF_EARLY_CLOBBER)
			bitset_del(w->undef, mir_op(f, i, n)->ref);
	oracle_show(w, slot, t);
	/* Behind the reads: what lives on, but for what is written late. */
	bitset_copy(t, after);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (oracle_writes(o) && !(o->flags & MOF_EARLY_CLOBBER))
			bitset_del(t, o->ref);
	}
	oracle_show(w, slot + 1, t);
	oracle_down(f, i, w->reach);
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
		if (oracle_writes(mir_op(f, i, n))) {
			if (mir_inst(f, i)->desc == ISA_IMPLICIT_DEF)
				bitset_add(w->undef, mir_op(f, i, n)->ref);
			else
				bitset_del(w->undef, mir_op(f, i, n)->ref);
		}
	bitset_copy(t, after);
	oracle_add_writes(f, i, false, t);
	oracle_show(w, slot + 2, t);
	oracle_show(w, slot + 3, after);
}

static inline void oracle_block(OracleWalk *w, const MirSlots *s)
{
	const LiveOracle *x = w->x;
	const MirFunc    *f = x->f;
	u32               n = 0;
	Bitset           *at = arena_array(x->a, Bitset, 1); /* by place in the block: what lives behind */
	Bitset            t = bitset_new(x->a, f->vreg.n);
	mir_each_inst(f, w->b, i)
		n++;
	at = arena_array(x->a, Bitset, n + 1);
	at[n] = bitset_new(x->a, f->vreg.n);
	bitset_copy(at[n], x->out[w->b.i]);
	mir_each_inst_up(f, w->b, i) {
		at[n - 1] = bitset_new(x->a, f->vreg.n);
		bitset_copy(at[n - 1], at[n]);
		oracle_up(f, i, at[--n]);
	}
	bitset_clear(w->undef);
	bitset_clear(w->reach);
	mir_each_pred(f, w->b, e)
		bitset_union(w->reach, x->def_out[e->from]);
	/* Phis write at once, where the block starts. */
	Bitset    first = bitset_new(x->a, f->vreg.n);
	MirInstId i = {mir_block(f, w->b)->first};
	bitset_copy(first, at[0]);
	for (; i.i && mir_inst(f, i)->desc == ISA_PHI; i = mir_next(f, i), n++) {
		oracle_add_writes(f, i, false, first);
		oracle_down(f, i, w->reach);
	}
	bitset_union(first, at[n]);
	oracle_show(w, mir_slot_start(s, w->b), first);
	for (u32 k = 1; k < SLOT_STEP; k++)
		oracle_show(w, mir_slot_start(s, w->b) + k, at[n]);
	for (; i.i; i = mir_next(f, i), n++)
		oracle_inst(w, i, mir_slot_of(s, i), at[n], at[n + 1], t);
}

static inline void oracle_visit(const LiveOracle *x, const MirSlots *s, OracleVisit visit, void *user)
{
	OracleWalk w = {.x = x, .visit = visit, .user = user};
	w.undef = bitset_new(x->a, x->f->vreg.n);
	w.shown = bitset_new(x->a, x->f->vreg.n);
	w.reach = bitset_new(x->a, x->f->n_ops);
	mir_each_block(x->f, b) {
		w.b = b;
		oracle_block(&w, s);
	}
}

#endif
