/* postmisched: places the instructions of a region in cycles, on request (-misched-postra).
 *
 *	cycle   0  %2 = LD_global %9           early 0, late 0
 *	        1  %1 = ADD %8, 1              early 0, late 22
 *	       24  %3 = ADD %2, %1             early 24, late 24
 *
 * The seed's ScheduleDAGMILive. A region is given as many cycles as its longest path or its busiest unit of the machine takes,
 * and one for each instruction. An instruction's window goes from the first cycle that the paths from the region's start
 * allow (ASAP) to the last from which all behind it can be done (ALAP). Instructions are placed from the end upward, in the order
 * of their first cycles, which all dependences follow, each in the last cycle in which its readers can still wait for it, nothing
 * else is issued and its unit of the machine is free: so values are not there longer than latencies ask for. Stores and others that write no register then go to
 * the first cycle that they can have. Where an instruction
 * finds no cycle in its window the placement has failed: a remark says which, and the source order stays. It stays too where the
 * placement, read by cycles, takes no fewer of them or has a higher pressure. A loop that machine-pipeliner has written is a
 * region like others: its iterations overlap through registers, which dependences show.
 *
 * Runs always and changes nothing without -misched-postra (documented default: off). Needs code without phis; keeps the control
 * flow. Cost: live ranges; for each region its dependences, a sort, and at most MOST_CYCLES cycles for each instruction. */
#include "base/sort.h"
#include "mirpass/sched.h"

enum { MOST_CYCLES = 256 };

typedef struct Placement {
	const SchedRegion *x;
	MirDepth           depth;
	u32                cycles, *cycle; /* that the region is given; by unit */
	Bitset             issued;         /* by cycle */
	Bitset             busy[UNIT_COUNT];
} Placement;

/* The last to begin comes first. */
static int by_beginning(const void *a, const void *b, void *user)
{
	const Placement *p = user;
	u32              x = *(const u32 *)a, y = *(const u32 *)b;
	if (p->depth.asap[x] != p->depth.asap[y])
		return p->depth.asap[x] > p->depth.asap[y] ? -1 : 1;
	return (x < y) - (x > y);
}

/* Takes the cycle, or (taken false) gives it back. */
static void reserve(Placement *p, u32 unit, u32 cycle, bool taken)
{
	const IsaDesc *d = mir_desc(p->x->s->f, p->x->deps->inst[unit]);
	u32            n = isa_cost(p->x->s->machine, d).cycles;
	void (*mark)(Bitset, u32) = taken ? bitset_add : bitset_del;
	mark(p->issued, cycle);
	for (u32 k = 0; k < n; k++)
		mark(p->busy[d->unit], cycle + k);
	p->cycle[unit] = cycle;
}

static bool is_free(const Placement *p, u32 unit, u32 cycle)
{
	const IsaDesc *d = mir_desc(p->x->s->f, p->x->deps->inst[unit]);
	u32            n = isa_cost(p->x->s->machine, d).cycles;
	bool           free = !bitset_has(p->issued, cycle);
	for (u32 k = 0; k < n && free; k++)
		free = !bitset_has(p->busy[d->unit], cycle + k);
	return free;
}

/* False where no cycle is free for it. */
static bool place(Placement *p, u32 unit)
{
	const MirDeps *d = p->x->deps;
	u32            early = p->depth.asap[unit];
	i64            late = (i64)p->depth.alap[unit] + p->cycles - p->depth.length;
	Nodes          out = mir_deps_out(d, unit);
	for (u32 k = 0; k < out.n; k++) {
		const MirDep *e = &d->dep.p[out.p[k]];
		late = PS_MIN(late, (i64)p->cycle[e->to] - PS_MAX(e->latency, 1));
	}
	for (i64 c = late, tries = 0; c >= early && tries < MOST_CYCLES; c--, tries++)
		if (is_free(p, unit, (u32)c)) {
			reserve(p, unit, (u32)c, true);
			return true;
		}
	if (pass_wants_remarks(p->x->s->cx))
		pass_remark(p->x->s->cx, REMARK_MISSED, mir_inst(p->x->s->f, d->inst[unit])->origin,
		            "no cycle from %u to %lld is free for %.*s: bb.%u keeps its order", early, (long long)late,
		            STR_ARG(mir_desc(p->x->s->f, d->inst[unit])->mnemonic), mir_block(p->x->s->f, p->x->r.block)->number);
	return false;
}

/* What writes no register ends values and begins none: it goes to the first cycle that is free for it. */
static void advance(Placement *p, u32 unit)
{
	const MirDeps *d = p->x->deps;
	u32            now = p->cycle[unit], early = 0;
	Nodes          in = mir_deps_in(d, unit);
	if (node_list(&p->x->live->writes, unit).n)
		return;
	for (u32 k = 0; k < in.n; k++) {
		const MirDep *e = &d->dep.p[in.p[k]];
		early = PS_MAX(early, p->cycle[e->from] + PS_MAX(e->latency, 1));
	}
	reserve(p, unit, now, false);
	for (u32 c = early, tries = 0; c < now && tries < MOST_CYCLES; c++, tries++)
		if (is_free(p, unit, c)) {
			reserve(p, unit, c, true);
			return;
		}
	reserve(p, unit, now, true);
}

static int by_cycle(const void *a, const void *b, void *user)
{
	const u32 *cycle = user;
	u32        x = cycle[*(const u32 *)a], y = cycle[*(const u32 *)b];
	return (x > y) - (x < y);
}

u32 *sched_in_cycles(const SchedRegion *x)
{
	Arena    *a = &x->s->arena;
	u32       n = x->deps->n, *order = arena_array(a, u32, n), most = 0;
	MirTrace  trace = mir_deps_trace(x->deps, x->s->f, x->s->machine, a);
	Placement p = {.x = x, .cycle = arena_array(a, u32, n)};
	p.depth = mir_deps_depth(x->deps, x->s->f, x->s->machine, a);
	p.cycles = PS_MAX(trace.busy, trace.length) + n;
	for (u32 u = 0; u < n; u++) {
		most = PS_MAX(most, (u32)isa_cost(x->s->machine, mir_desc(x->s->f, x->deps->inst[u])).cycles);
		order[u] = u;
	}
	p.issued = bitset_new(a, p.cycles + 1);
	for (u32 k = 0; k < UNIT_COUNT; k++)
		p.busy[k] = bitset_new(a, p.cycles + most + 1);
	sort_stable(a, order, n, sizeof *order, by_beginning, &p);
	for (u32 k = 0; k < n; k++)
		if (!place(&p, order[k]))
			return NULL;
	sort_stable(a, order, n, sizeof *order, by_cycle, p.cycle);
	for (u32 k = 0; k < n; k++)
		advance(&p, order[k]);
	sort_stable(a, order, n, sizeof *order, by_cycle, p.cycle);
	return order;
}

static void schedule_region(SchedRegion *x, void *user)
{
	const u32 *order = sched_in_cycles(x);
	(void)user;
	if (order)
		sched_keep_faster(x, order);
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	Sched    s;
	if (!f->first_block || !knob_bool(cx->s, KNOB_misched_postra))
		return false;
	sched_open(&s, cx);
	mir_each_block(f, b)
		sched_block(&s, b, schedule_region, NULL);
	return sched_close(&s);
}

static const Knob knobs[] = {KNOB_misched_postra, KNOB_usedessa, KNOB_NONE};

const Pass mirpass_postmisched = {
	.id = "postmisched",
	.title = "PostRA Machine Instruction Scheduler",
	.summary = "Places instructions in cycles after register allocation, on request.",
	.group = "post-ra",
	.level = PASS_MIR,
	.gated = mirpass_full_mode,
	.knobs = knobs,
	.needs = PN_NO_PHIS,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
