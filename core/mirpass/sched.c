/* sched.c: walks over the regions of blocks for the schedulers, and applies the orders that they have found, see sched.h. */
#include "mirpass/sched.h"

void sched_open(Sched *s, PassCx *cx)
{
	*s = (Sched){.cx = cx, .f = mirpass_func(cx), .rpa = mir_rpa(cx), .machine = isa_machine(cx->s->target.sm)};
	s->n_regs = s->f->vreg.n;
	s->current = arena_array(cx->scratch, u32, s->n_regs);
}

void sched_block(Sched *s, MirBlockId b, SchedFn *fn, void *user)
{
	MirRegions list = {0};
	Arena      a;
	arena_init(&a, s->cx->scratch->budget);
	mir_regions(s->rpa, b, &a, &list);
	for (u32 k = 0; k < list.n; k++) {
		arena_init(&s->arena, s->cx->scratch->budget);
		SchedRegion x = {.s = s, .r = list.p[k]};
		MirStretch  stretch = {.f = s->f, .block = b, .first = x.r.first, .last = x.r.last, .machine = s->machine};
		x.deps = mir_deps_build(&stretch, &s->arena);
		x.live = mir_region_live(&x.r, x.deps, s->rpa->ranges, s->current, &s->arena);
		x.peak = mir_region_peak(x.live, NULL, &s->arena);
		fn(&x, user);
		arena_free(&s->arena);
	}
	arena_free(&a);
}

enum { COPY = 1u << 31 }; /* in Sched.order: another occurrence of the load */

void sched_keep_sequence(SchedRegion *x, const u32 *unit, u32 n)
{
	Sched *s = x->s;
	Bitset seen = bitset_new(&s->arena, x->deps->n);
	VecU32 inst = {0};
	for (u32 k = 0; k < n; k++) {
		vec_push(s->cx->scratch, &inst, x->deps->inst[unit[k]].i | (bitset_has(seen, unit[k]) ? COPY : 0));
		bitset_add(seen, unit[k]);
	}
	vec_push(s->cx->scratch, &s->changed, x->r);
	vec_push(s->cx->scratch, &s->order, inst);
}

void sched_keep(SchedRegion *x, const u32 *order) { sched_keep_sequence(x, order, x->r.n); }

/* ---- repeated loads ---- */

static void make_volatile(MirFunc *f, MirInstId i)
{
	PtxOpc  o = mir_desc(f, i)->opc;
	MirMem *m = mir_mem(f, i);
	o.slot[SLOT_sem] = TOK_sem_volatile;
	mir_set_desc(f, i, isa_intern(f->module->session, o));
	if (m)
		m->flags |= MMF_VOLATILE;
}

/* A copy of the load, for the time being in front of the region; its registers take the place of the load's. */
static MirInstId copy_load(Sched *s, MirInstId load, const MirRegion *r, VecU32 *replaced)
{
	MirFunc *f = s->f;
	make_volatile(f, load);
	MirInstId copy = mir_clone(f, load, r->block, r->first);
	for (u32 n = 0; n < mir_inst(f, copy)->n_ops; n++) {
		MirReg reg = mir_op_reg(mir_op(f, copy, n));
		if (!mir_is_virt(reg))
			continue;
		if (mir_op_is_def(mir_op(f, copy, n))) {
			s->current[reg.i] = mir_reg_new(f, mir_class(f, reg)).i;
			vec_push(&s->arena, replaced, reg.i);
			mir_op_set_reg(f, copy, n, (MirReg){s->current[reg.i]});
		} else
			mir_forget_kills(f, reg);
	}
	return copy;
}

static void read_copies(Sched *s, MirInstId i)
{
	for (u32 n = 0; n < mir_inst(s->f, i)->n_ops; n++) {
		const MirOp *o = mir_op(s->f, i, n);
		MirReg       r = mir_op_reg(o);
		if (mir_op_is_use(o) && mir_is_virt(r) && r.i < s->n_regs && s->current[r.i])
			mir_op_set_reg(s->f, i, n, (MirReg){s->current[r.i]});
	}
}

/* Makes the copies; afterwards each instruction occurs once. */
static void make_copies(Sched *s, const MirRegion *r, VecU32 *order)
{
	VecU32 replaced = {0};
	for (u32 k = 0; k < order->n; k++)
		if (order->p[k] & COPY)
			order->p[k] = copy_load(s, (MirInstId){order->p[k] & ~(u32)COPY}, r, &replaced).i;
		else
			read_copies(s, (MirInstId){order->p[k]});
	for (u32 k = 0; k < replaced.n; k++)
		s->current[replaced.p[k]] = 0;
}

bool sched_close(Sched *s)
{
	arena_init(&s->arena, s->cx->scratch->budget);
	for (u32 k = 0; k < s->changed.n; k++) {
		MirRegion *r = &s->changed.p[k];
		make_copies(s, r, &s->order.p[k]);
		mir_region_apply(r, s->order.p[k].p, s->order.p[k].n);
	}
	arena_free(&s->arena);
	return s->changed.n != 0;
}

u32 sched_line(const SchedRegion *x)
{
	u32 line = 0;
	for (u32 u = 0; u < x->deps->n && !line; u++)
		line = mir_inst(x->s->f, x->deps->inst[u])->origin;
	return line;
}

u32 *sched_latencies(const SchedRegion *x)
{
	u32 *latency = arena_array(&x->s->arena, u32, x->deps->n + 1);
	for (u32 u = 0; u < x->deps->n; u++)
		latency[u] = isa_cost(x->s->machine, mir_desc(x->s->f, x->deps->inst[u])).latency;
	return latency;
}

void sched_keep_faster(SchedRegion *x, const u32 *order)
{
	Arena *a = &x->s->arena;
	u32   *latency = sched_latencies(x);
	u32    before = mir_region_cycles(x->deps, latency, NULL, a), after = mir_region_cycles(x->deps, latency, order, a);
	MirRegionPeak peak = mir_region_peak(x->live, order, a);
	bool          higher = false;
	for (u32 k = 0; k < FILE_COUNT; k++)
		higher |= peak.unit[k] > x->peak.unit[k];
	if (after >= before)
		return;
	if (pass_wants_remarks(x->s->cx))
		pass_remark(x->s->cx, higher ? REMARK_MISSED : REMARK_PASSED, sched_line(x),
		            "%u instructions of bb.%u in another order take %u cycles instead of %u%s", x->r.n,
		            mir_block(x->s->f, x->r.block)->number, after, before,
		            higher ? ", but more registers: they stay" : "");
	if (!higher)
		sched_keep(x, order);
}
