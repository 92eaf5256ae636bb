/* post-RA-sched: the instructions of a region in the order of the paths that take longest.
 *
 *	%1 = ADD %8, 1                         %2 = LD_global %9
 *	%2 = LD_global %9             →        %1 = ADD %8, 1
 *	%3 = ADD %2, %1                        %3 = ADD %2, %1
 *
 * A list scheduler from the region's start downward, cycle by cycle: of the units whose operands are there the one is issued
 * that has the longest path to the region's end (mir/deps.h, latencies of isa/machine.def), if what is live then stays within
 * the peak that the region has in the source order; MOST_TRIES are looked at. Where none fits, the first in the source is issued.
 * The new order is taken where the region takes fewer cycles, one instruction issued per cycle, and no peak is higher.
 *
 * Off by default, as ptxas schedules for latency itself; -pipeline=documented has it. Needs code without phis; keeps the control
 * flow. Cost: live ranges of the function; for each region its dependences, and units times the logarithm of the units. */
#include "mirpass/sched.h"

enum { MOST_TRIES = 8 };

typedef Vec(u64) Keys; /* a heap, the least first; the lower half of a key is a unit */

typedef struct Issue {
	const SchedRegion *x;
	Arena             *a;
	u32               *tail;         /* by unit: cycles from its beginning to the end of all */
	u32               *left, *start; /* by unit: dependences that wait; the first cycle that they allow */
	u32               *readers;      /* by value: those that are not issued */
	bool              *issued;
	Keys               ready, waiting;  /* by tail, the longest first; by start */
	i64                now[FILE_COUNT]; /* units that are live */
	u32                first;           /* the first in the source that is not issued: nothing holds it up */
} Issue;

/* ---- keys ---- */

static void key_push(Arena *a, Keys *k, u64 key)
{
	vec_push(a, k, key);
	for (u32 at = k->n - 1, up; at && k->p[up = (at - 1) / 2] > key; at = up) {
		k->p[at] = k->p[up];
		k->p[up] = key;
	}
}

static u64 key_pop(Keys *k)
{
	u64 top = k->p[0], key = k->p[--k->n];
	u32 at = 0;
	for (u32 child; (child = 2 * at + 1) < k->n; at = child) {
		child += child + 1 < k->n && k->p[child + 1] < k->p[child];
		if (k->p[child] >= key)
			break;
		k->p[at] = k->p[child];
	}
	k->p[at] = key;
	return top;
}

/* ---- pressure ---- */

/* What is live behind the unit if it is issued now; `peak`: and at it. */
static void pass(const Issue *s, u32 unit, i64 *now, i64 *peak)
{
	const MirRegionLive *l = s->x->live;
	Nodes                reads = node_list(&l->reads, unit), writes = node_list(&l->writes, unit);
	i64                  unread[FILE_COUNT] = {0};
	memcpy(now, s->now, sizeof s->now);
	for (u32 k = 0; k < reads.n; k++) {
		const MirRegionValue *v = &l->value[reads.p[k]];
		now[v->file] -= s->readers[reads.p[k]] == 1 && !v->live_out ? v->units : 0;
	}
	for (u32 k = 0; k < writes.n; k++) {
		const MirRegionValue *v = &l->value[writes.p[k]];
		now[v->file] += v->units;
		unread[v->file] += v->readers || v->live_out ? 0 : v->units;
	}
	memcpy(peak, now, sizeof s->now);
	for (u32 k = 0; k < FILE_COUNT; k++)
		now[k] -= unread[k];
}

static bool fits(const Issue *s, u32 unit)
{
	i64  now[FILE_COUNT], peak[FILE_COUNT];
	bool ok = true;
	pass(s, unit, now, peak);
	for (u32 k = 0; k < FILE_COUNT; k++)
		ok &= peak[k] <= s->x->peak.unit[k] || peak[k] <= s->now[k];
	return ok;
}

/* ---- issuing ---- */

static void release(Issue *s, u32 unit) { key_push(s->a, &s->waiting, (u64)s->start[unit] << 32 | unit); }

static void issue(Issue *s, u32 unit, u32 clock)
{
	const MirRegionLive *l = s->x->live;
	const MirDeps       *d = s->x->deps;
	Nodes                reads = node_list(&l->reads, unit), out = mir_deps_out(d, unit);
	i64                  now[FILE_COUNT], peak[FILE_COUNT];
	pass(s, unit, now, peak);
	memcpy(s->now, now, sizeof s->now);
	s->issued[unit] = true;
	for (u32 k = 0; k < reads.n; k++)
		s->readers[reads.p[k]]--;
	for (u32 k = 0; k < out.n; k++) {
		const MirDep *e = &d->dep.p[out.p[k]];
		s->start[e->to] = PS_MAX(s->start[e->to], clock + e->latency);
		if (--s->left[e->to] == 0)
			release(s, e->to);
	}
	while (s->first < d->n && s->issued[s->first])
		s->first++;
}

/* The unit to issue in this cycle, or in a later one where no operands are there yet. */
static u32 choose(Issue *s, u32 *clock)
{
	u64 passed[MOST_TRIES];
	u32 n = 0, unit = GRAPH_NONE;
	while (s->waiting.n && (s->waiting.p[0] >> 32 <= *clock || !s->ready.n)) {
		u32 start = (u32)(s->waiting.p[0] >> 32), u = (u32)key_pop(&s->waiting);
		if (s->issued[u])
			continue;
		*clock = PS_MAX(*clock, start);
		key_push(s->a, &s->ready, (u64)(0xFFFFFFFF - s->tail[u]) << 32 | u);
	}
	while (s->ready.n && n < MOST_TRIES && unit == GRAPH_NONE) {
		u64 key = key_pop(&s->ready);
		if (s->issued[(u32)key])
			continue;
		if (fits(s, (u32)key))
			unit = (u32)key;
		else
			passed[n++] = key;
	}
	for (u32 k = 0; k < n; k++)
		key_push(s->a, &s->ready, passed[k]);
	return unit == GRAPH_NONE ? s->first : unit;
}

static void prepare(Issue *s)
{
	const MirDeps       *d = s->x->deps;
	const MirRegionLive *l = s->x->live;
	MirDepth             depth = mir_deps_depth(d, s->x->s->f, s->x->s->machine, s->a);
	s->tail = arena_array(s->a, u32, d->n);
	s->left = arena_array(s->a, u32, d->n);
	s->start = arena_array(s->a, u32, d->n);
	s->issued = arena_array(s->a, bool, d->n);
	s->readers = arena_array(s->a, u32, l->n_values + 1);
	for (u32 k = 0; k < FILE_COUNT; k++)
		s->now[k] = l->across[k];
	for (u32 v = 0; v < l->n_values; v++) {
		s->readers[v] = l->value[v].readers;
		s->now[l->value[v].file] += l->value[v].def == GRAPH_NONE ? l->value[v].units : 0;
	}
	for (u32 u = 0; u < d->n; u++) {
		s->tail[u] = depth.length - depth.alap[u];
		s->left[u] = mir_deps_in(d, u).n;
		if (!s->left[u])
			release(s, u);
	}
}

u32 *sched_for_latency(const SchedRegion *x)
{
	Issue s = {.x = x, .a = &x->s->arena};
	u32  *order = arena_array(s.a, u32, x->deps->n), clock = 0;
	prepare(&s);
	for (u32 k = 0; k < x->deps->n; k++) {
		u32 unit = choose(&s, &clock);
		order[k] = unit;
		clock = PS_MAX(clock, s.start[unit]);
		issue(&s, unit, clock++);
	}
	return order;
}

static void schedule_region(SchedRegion *x, void *user)
{
	(void)user;
	sched_keep_faster(x, sched_for_latency(x));
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	Sched    s;
	if (!f->first_block)
		return false;
	sched_open(&s, cx);
	mir_each_block(f, b)
		sched_block(&s, b, schedule_region, NULL);
	return sched_close(&s);
}

const Pass mirpass_post_ra_sched = {
	.id = "post-RA-sched",
	.title = "Post RA top-down list latency scheduler",
	.summary = "Puts instructions in an order that takes less time, as far as no more registers are live.",
	.group = "post-ra",
	.level = PASS_MIR,
	.gate = KNOB_post_RA_scheduler,
	.disable = KNOB_disable_post_ra,
	.needs = PN_NO_PHIS,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_DOCUMENTED,
	.run = run,
};
