#include "mir/live.h"

#include "isa/isa.h"

/* ---- live registers by block ---- */

typedef struct Walk {
	const MirFunc *f;
	Arena          scratch;
	u32           *in_mark, *out_mark, *def_mark; /* by block id: the last register seen there */
	VecU32         in, out;                       /* pairs: block, register */
	VecU32         work;                          /* blocks whose predecessors are still to be seen */
} Walk;

static void live_in(Walk *w, u32 b, u32 r)
{
	if (w->in_mark[b] == r)
		return;
	w->in_mark[b] = r;
	vec_push(&w->scratch, &w->in, b);
	vec_push(&w->scratch, &w->in, r);
	vec_push(&w->scratch, &w->work, b);
}

static void live_out(Walk *w, u32 b, u32 r)
{
	if (w->out_mark[b] == r)
		return;
	w->out_mark[b] = r;
	vec_push(&w->scratch, &w->out, b);
	vec_push(&w->scratch, &w->out, r);
	if (w->def_mark[b] != r)
		live_in(w, b, r);
}

/* Is the register defined in the user's block in front of it? */
static bool defined_above(const MirFunc *f, MirReg r, MirInstId user)
{
	const MirInst *u = mir_inst(f, user);
	mir_each_def(f, r, o) {
		const MirInst *d = mir_inst(f, (MirInstId){o->inst});
		if (d->block == u->block && (d->desc == ISA_PHI || mir_before(f, (MirInstId){o->inst}, user)) &&
		    o->inst != user.i)
			return true;
	}
	return false;
}

static void walk_register(Walk *w, MirReg r)
{
	const MirFunc *f = w->f;
	mir_each_def(f, r, o)
		w->def_mark[mir_inst(f, (MirInstId){o->inst})->block] = r.i;
	mir_each_use(f, r, o) {
		const MirInst *u = mir_inst(f, (MirInstId){o->inst});
		if (o->flags & MOF_UNDEF)
			continue;
		if (u->desc == ISA_PHI)
			live_out(w, o[1].ref, r.i);
		else if (w->def_mark[u->block] != r.i || !defined_above(f, r, (MirInstId){o->inst}))
			live_in(w, u->block, r.i);
	}
	while (w->work.n) {
		MirBlockId b = {vec_pop(&w->work)};
		mir_each_pred(f, b, e)
			live_out(w, e->from, r.i);
	}
}

/* The pairs sorted by block; within a block they are in order of register already. */
static MirLiveList *lists(const VecU32 *pairs, u32 n_blocks, u32 *reg, u32 base, Arena *a)
{
	MirLiveList *l = arena_array(a, MirLiveList, n_blocks);
	for (u32 i = 0; i < pairs->n; i += 2)
		l[pairs->p[i]].n++;
	for (u32 b = 0, at = base; b < n_blocks; b++) {
		l[b].first = at;
		at += l[b].n;
		l[b].n = 0;
	}
	for (u32 i = 0; i < pairs->n; i += 2) {
		MirLiveList *b = &l[pairs->p[i]];
		reg[b->first + b->n++] = pairs->p[i + 1];
	}
	return l;
}

MirLive mir_live_of(const MirFunc *f, Bitset regs, Arena *a)
{
	u32  n_blocks = f->block.n;
	Walk w = {.f = f};
	arena_init(&w.scratch, a->budget);
	w.in_mark = arena_array(&w.scratch, u32, n_blocks);
	w.out_mark = arena_array(&w.scratch, u32, n_blocks);
	w.def_mark = arena_array(&w.scratch, u32, n_blocks);
	bitset_each(regs, r)
		walk_register(&w, (MirReg){r});
	MirLive l = {.reg = arena_array(a, u32, (w.in.n + w.out.n) / 2 + 1)};
	l.in = lists(&w.in, n_blocks, l.reg, 0, a);
	l.out = lists(&w.out, n_blocks, l.reg, w.in.n / 2, a);
	arena_free(&w.scratch);
	return l;
}

/* Registers that are read by a phi, or in a block in which they have not been written above. */
static Bitset reaching_registers(const MirFunc *f, Arena *a)
{
	Bitset regs = bitset_new(a, f->vreg.n);
	u32   *written = arena_array(a, u32, f->vreg.n); /* by register: the last block it was written in */
	mir_each_block(f, b)
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i)) {
			const MirInst *mi = mir_inst(f, i);
			const MirOp   *o = mir_op_at(f, mi->op);
			for (u32 n = 0; n < mi->n_ops; n++)
				if (mir_op_is_use(&o[n]) && mir_is_virt(mir_op_reg(&o[n])) &&
				    (written[o[n].ref] != b.i || mi->desc == ISA_PHI))
					bitset_add(regs, o[n].ref);
			for (u32 n = 0; n < mi->n_ops; n++)
				if (mir_op_is_def(&o[n]) && mir_is_virt(mir_op_reg(&o[n])))
					written[o[n].ref] = b.i;
		}
	return regs;
}

MirLive mir_live_new(const MirFunc *f, Arena *a)
{
	Arena scratch;
	arena_init(&scratch, a->budget);
	MirLive l = mir_live_of(f, reaching_registers(f, &scratch), a);
	arena_free(&scratch);
	return l;
}

bool mir_live_has(const MirLive *l, MirLiveList list, MirReg r)
{
	u32 low = list.first, high = list.first + list.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (l->reg[mid] == r.i)
			return true;
		if (l->reg[mid] < r.i)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

/* ---- flags ---- */

static bool flag(MirOp *o, u32 bit, bool on)
{
	bool was = (o->flags & bit) != 0;
	if (was == on)
		return false;
	o->flags ^= (u16)bit;
	return true;
}

/* One instruction, seen from below; `live` is what is live behind it and becomes what is live before it. */
static bool flags_of_inst(MirFunc *f, MirInstId i, Bitset live)
{
	bool     changed = false;
	MirInst *mi = mir_inst(f, i);
	MirOp   *o = mir_ops(f, i);
	for (u32 n = 0; n < mi->n_ops; n++)
		if (mir_op_is_def(&o[n]) && mir_is_virt(mir_op_reg(&o[n])))
			changed |= flag(&o[n], MOF_DEAD, !bitset_has(live, o[n].ref));
	for (u32 n = 0; n < mi->n_ops; n++)
		if (mir_op_is_def(&o[n]) && mir_is_virt(mir_op_reg(&o[n])))
			bitset_del(live, o[n].ref);
	if (mi->desc == ISA_PHI)
		return changed;
	/* Of several uses of a dying register the last one kills it. */
	for (u32 n = mi->n_ops; n-- > 0;) {
		if (!mir_op_is_use(&o[n]) || !mir_is_virt(mir_op_reg(&o[n])))
			continue;
		bool read = !(o[n].flags & MOF_UNDEF);
		changed |= flag(&o[n], MOF_KILL, read && !bitset_has(live, o[n].ref));
		if (read)
			bitset_add(live, o[n].ref);
	}
	return changed;
}

bool mir_live_set_flags(MirFunc *f, const MirLive *l, Arena *scratch)
{
	Bitset live = bitset_new(scratch, f->vreg.n);
	bool   changed = !(f->props & MP_LIVENESS);
	f->props |= MP_LIVENESS;
	f->has_kills = true;
	mir_each_block(f, b) {
		for (u32 k = 0; k < l->out[b.i].n; k++)
			bitset_add(live, l->reg[l->out[b.i].first + k]);
		mir_each_inst_up(f, b, i)
			changed |= flags_of_inst(f, i, live);
		for (u32 k = 0; k < l->in[b.i].n; k++)
			bitset_del(live, l->reg[l->in[b.i].first + k]);
	}
	return changed;
}

/* ---- pressure ---- */

typedef struct Count {
	const MirFunc *f;
	Bitset         live;
	u32            now[MIR_CLASSES];
	MirPressure   *most;
} Count;

static void count_add(Count *c, u32 r)
{
	if (bitset_has(c->live, r))
		return;
	bitset_add(c->live, r);
	u32 cls = mir_class(c->f, (MirReg){r});
	c->now[cls]++;
	c->most->by_class[cls] = PS_MAX(c->most->by_class[cls], c->now[cls]);
}

static void count_del(Count *c, u32 r)
{
	if (!bitset_has(c->live, r))
		return;
	bitset_del(c->live, r);
	c->now[mir_class(c->f, (MirReg){r})]--;
}

static void count_inst(Count *c, MirInstId i)
{
	const MirInst *mi = mir_inst(c->f, i);
	const MirOp   *o = mir_ops(c->f, i);
	for (u32 n = 0; n < mi->n_ops; n++)
		if (mir_op_is_def(&o[n]) && mir_is_virt(mir_op_reg(&o[n])))
			count_add(c, o[n].ref);
	for (u32 n = 0; n < mi->n_ops; n++)
		if (mir_op_is_def(&o[n]) && mir_is_virt(mir_op_reg(&o[n])))
			count_del(c, o[n].ref);
	if (mi->desc == ISA_PHI)
		return;
	for (u32 n = 0; n < mi->n_ops; n++)
		if (mir_op_is_use(&o[n]) && mir_is_virt(mir_op_reg(&o[n])) && !(o[n].flags & MOF_UNDEF))
			count_add(c, o[n].ref);
}

static void count_block(Count *c, const MirLive *l, MirBlockId b)
{
	for (u32 k = 0; k < l->out[b.i].n; k++)
		count_add(c, l->reg[l->out[b.i].first + k]);
	mir_each_inst_up(c->f, b, i)
		count_inst(c, i);
	for (u32 k = 0; k < l->in[b.i].n; k++)
		count_del(c, l->reg[l->in[b.i].first + k]);
	/* Registers read without a definition above (undefined on some path) are live here all the same. */
	memset(c->now, 0, sizeof c->now);
}

MirPressure *mir_pressure_blocks(const MirFunc *f, const MirLive *l, Arena *a)
{
	MirPressure *p = arena_array(a, MirPressure, f->block.n);
	Count        c = {.f = f, .live = bitset_new(a, f->vreg.n)};
	mir_each_block(f, b) {
		c.most = &p[b.i];
		count_block(&c, l, b);
	}
	return p;
}

MirPressure mir_pressure(const MirFunc *f, const MirLive *l, Arena *scratch)
{
	MirPressure most = {{0}};
	Count       c = {.f = f, .live = bitset_new(scratch, f->vreg.n), .most = &most};
	mir_each_block(f, b)
		count_block(&c, l, b);
	return most;
}
