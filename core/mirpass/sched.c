/* sched.c: walks over the regions of blocks for the schedulers, and applies the orders that they have found, see sched.h. */
#include "mirpass/sched.h"

void sched_open(Sched *s, PassCx *cx)
{
	*s = (Sched){.cx = cx, .f = mirpass_func(cx), .rpa = mir_rpa(cx), .machine = isa_machine(cx->s->target.sm)};
	s->current = arena_array(cx->scratch, u32, s->f->vreg.n);
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

void sched_keep(SchedRegion *x, const u32 *order)
{
	Sched     *s = x->s;
	MirInstId *inst = arena_array(s->cx->scratch, MirInstId, x->r.n);
	for (u32 k = 0; k < x->r.n; k++)
		inst[k] = x->deps->inst[order[k]];
	vec_push(s->cx->scratch, &s->changed, x->r);
	vec_push(s->cx->scratch, &s->order, inst);
}

bool sched_close(Sched *s)
{
	for (u32 k = 0; k < s->changed.n; k++)
		mir_region_apply(&s->changed.p[k], s->order.p[k]);
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
