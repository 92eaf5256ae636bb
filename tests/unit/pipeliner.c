/* Swing modulo scheduling on random dependence graphs against brute force. random_runs() says how many. */
#include "graph_oracle.h"
#include "unit.h"

#include "mirpass/sms.h"

enum { MOST = 9 };

typedef struct Maker {
	SmsGraph g;
	Rng      r;
	Arena   *a;
} Maker;

static void edge(Maker *k, u32 from, u32 to, u32 latency, u32 distance)
{
	vec_push(k->a, &k->g.edge, ((SmsEdge){from, to, (u16)latency, (u8)distance, SMS_DATA}));
}

static void open_graph(Maker *k, u32 n, Arena *a)
{
	k->a = a;
	k->g = (SmsGraph){.n = n, .unit = arena_array(a, SmsUnit, n + 1)};
}

static void random_graph(Maker *k, u64 seed, Arena *a)
{
	static const u8 pipes[] = {UNIT_ALU, UNIT_FMA, UNIT_LSU};
	k->r.s = seed;
	open_graph(k, 1 + rng_below(&k->r, MOST), a);
	for (u32 u = 0; u < k->g.n; u++) {
		SmsUnit *x = &k->g.unit[u];
		x->issues = rng_below(&k->r, 8) != 0;
		x->pipe = pipes[rng_below(&k->r, PS_COUNT(pipes))];
		x->busy = x->issues ? (u16)(1 + rng_below(&k->r, 3)) : 0;
		x->latency = (u16)rng_below(&k->r, 7);
		x->priority = (u8)rng_below(&k->r, 3);
	}
	for (u32 m = rng_below(&k->r, 2 * k->g.n); m-- > 0;) {
		u32 x = rng_below(&k->r, k->g.n), y = rng_below(&k->r, k->g.n), distance = rng_below(&k->r, 3);
		if (distance || x < y)
			edge(k, x, y, rng_below(&k->r, 7), distance);
	}
	sms_link(&k->g, a);
}

/* ---- RecMII and ResMII ---- */

typedef struct Path {
	const SmsGraph *g;
	bool            on[MOST];
	u32             start, most;
} Path;

/* Every simple circuit through `start` and units above it. */
static void circuits(Path *p, u32 at, u32 latency, u32 distance)
{
	for (u32 k = 0; k < p->g->edge.n; k++) {
		const SmsEdge *e = &p->g->edge.p[k];
		u32            l = latency + e->latency, d = distance + e->distance;
		if (e->from != at || e->to < p->start)
			continue;
		if (e->to == p->start)
			p->most = PS_MAX(p->most, (l + d - 1) / d);
		if (e->to == p->start || p->on[e->to])
			continue;
		p->on[e->to] = true;
		circuits(p, e->to, l, d);
		p->on[e->to] = false;
	}
}

static u32 rec_by_circuits(const SmsGraph *g)
{
	u32 most = 0;
	for (u32 u = 0; u < g->n; u++) {
		Path p = {.g = g, .start = u};
		p.on[u] = true;
		circuits(&p, u, 0, 0);
		most = PS_MAX(most, p.most);
	}
	return most;
}

static u32 res_by_pipes(const SmsGraph *g)
{
	u32 most = 0, issued = 0;
	for (u32 pipe = 0; pipe < UNIT_COUNT; pipe++) {
		u32 busy = 0;
		for (u32 u = 0; u < g->n; u++)
			busy += g->unit[u].pipe == pipe ? g->unit[u].busy : 0;
		most = PS_MAX(most, busy);
	}
	for (u32 u = 0; u < g->n; u++)
		issued += g->unit[u].issues;
	return PS_MAX(most, issued);
}

TEST(pipeliner, SMS_03_interval_of_all_circuits_and_pipes)
{
	u32 bound = 0;
	for (u32 i = 0; i < random_runs(); i++) {
		Arena scratch;
		Maker k;
		arena_init(&scratch, a->budget);
		random_graph(&k, i + 1, &scratch);
		SmsBounds b = sms_bounds(&k.g, &scratch);
		EXPECT_EQ(b.rec, rec_by_circuits(&k.g));
		EXPECT_EQ(b.res, res_by_pipes(&k.g));
		bound += b.rec > b.res;
		arena_free(&scratch);
	}
	EXPECT(bound > random_runs() / 50); /* recurrences decide often enough */
}

/* ---- earliest and latest cycles ---- */

typedef struct Reach {
	bool to[MOST][MOST];
} Reach;

static void close_reach(const SmsGraph *g, Reach *r)
{
	memset(r, 0, sizeof *r);
	for (u32 k = 0; k < g->edge.n; k++)
		r->to[g->edge.p[k].from][g->edge.p[k].to] = true;
	for (u32 k = 0; k < g->n; k++)
		for (u32 i = 0; i < g->n; i++)
			for (u32 j = 0; j < g->n; j++)
				r->to[i][j] |= r->to[i][k] && r->to[k][j];
}

/* The longest of all paths, from `at` up or down: over edges within an iteration alone, or those that are around no circuit. */
static i64 longest(const SmsGraph *g, const Reach *r, u32 at, bool down, u32 ii)
{
	i64 most = 0;
	for (u32 k = 0; k < g->edge.n; k++) {
		const SmsEdge *e = &g->edge.p[k];
		bool           around = e->from == e->to || (r->to[e->from][e->to] && r->to[e->to][e->from]);
		if ((down ? e->from : e->to) != at || (e->distance && (around || !ii)))
			continue;
		most = PS_MAX(most, longest(g, r, down ? e->to : e->from, down, ii) + e->latency - (i64)ii * e->distance);
	}
	return most;
}

/* Down from `at` to the end of the longest: no unit may begin behind `length`. */
static i64 latest(const SmsGraph *g, const Reach *r, u32 at, u32 length, u32 ii)
{
	i64 late = length;
	for (u32 k = 0; k < g->edge.n; k++) {
		const SmsEdge *e = &g->edge.p[k];
		bool           around = e->from == e->to || (r->to[e->from][e->to] && r->to[e->to][e->from]);
		if (e->from == at && !(e->distance && around))
			late = PS_MIN(late, latest(g, r, e->to, length, ii) - e->latency + (i64)ii * e->distance);
	}
	return late;
}

TEST(pipeliner, LIVE_03_cycles_are_longest_paths)
{
	for (u32 i = 0; i < random_runs(); i++) {
		Arena scratch;
		Maker k;
		Reach r;
		arena_init(&scratch, a->budget);
		random_graph(&k, i + 1, &scratch);
		close_reach(&k.g, &r);
		SmsBounds b = sms_bounds(&k.g, &scratch);
		u32       ii = PS_MAX(PS_MAX(b.rec, b.res), 1);
		SmsTimes  t = sms_times(&k.g, &b, ii, &scratch);
		u32       length = 0;
		for (u32 u = 0; u < k.g.n; u++) {
			EXPECT_EQ(t.asap[u], longest(&k.g, &r, u, false, ii));
			EXPECT_EQ(t.depth[u], longest(&k.g, &r, u, false, 0));
			EXPECT_EQ(t.height[u], longest(&k.g, &r, u, true, 0));
			length = PS_MAX(length, t.asap[u]);
		}
		EXPECT_EQ(t.length, length);
		for (u32 u = 0; u < k.g.n; u++)
			EXPECT_EQ(t.alap[u], latest(&k.g, &r, u, length, ii));
		arena_free(&scratch);
	}
}

/* ---- schedules ---- */

static bool holds(const SmsGraph *g, const SmsSchedule *s)
{
	for (u32 k = 0; k < g->edge.n; k++) {
		const SmsEdge *e = &g->edge.p[k];
		if (s->cycle[e->to] + (i64)s->ii * e->distance < (i64)s->cycle[e->from] + e->latency)
			return false;
	}
	for (u32 x = 0; x < g->n; x++)
		for (u32 y = 0; y < x; y++) {
			const SmsUnit *p = &g->unit[x], *q = &g->unit[y];
			u32            gap = (s->cycle[y] % s->ii + s->ii - s->cycle[x] % s->ii) % s->ii;
			if (p->issues && q->issues && gap == 0)
				return false;
			if (p->busy && q->busy && p->pipe == q->pipe && (gap < p->busy || (s->ii - gap) % s->ii < q->busy))
				return false;
		}
	return true;
}

/* The instructions of one execution of the kernel stand as their dependences want them. */
static bool is_in_order(const SmsGraph *g, const SmsSchedule *s)
{
	for (u32 k = 0; k < g->edge.n; k++) {
		const SmsEdge *e = &g->edge.p[k];
		if (e->from != e->to && sms_stage(s, e->from) == sms_stage(s, e->to) + e->distance &&
		    s->rank[e->from] > s->rank[e->to])
			return false;
	}
	return true;
}

static SmsSchedule find(Maker *k, u32 most, u32 *mii)
{
	u32         sets;
	SmsBounds   b = sms_bounds(&k->g, k->a);
	SmsSchedule s = {0};
	*mii = PS_MAX(b.rec, b.res);
	if (!*mii)
		return s;
	SmsTimes t = sms_times(&k->g, &b, *mii, k->a);
	u32     *order = sms_order(&k->g, &b, &t, &sets, k->a);
	u64      seen = 0;
	for (u32 u = 0; u < k->g.n; u++) {
		EXPECT(t.asap[u] <= t.alap[u]);
		seen |= (u64)1 << order[u];
	}
	EXPECT_EQ(seen, ((u64)1 << k->g.n) - 1);
	for (u32 ii = *mii; ii < *mii + most && !s.found; ii++)
		s = sms_place(&k->g, &t, order, ii, k->a);
	return s;
}

TEST(pipeliner, SMS_17_LIVE_06_schedules_hold)
{
	u32 found = 0, at_once = 0;
	for (u32 i = 0; i < random_runs(); i++) {
		Arena scratch;
		Maker k;
		u32   mii, last = 0, units = 0;
		arena_init(&scratch, a->budget);
		random_graph(&k, i + 1, &scratch);
		SmsSchedule s = find(&k, 10, &mii);
		if (s.found) {
			found++;
			at_once += s.ii == mii;
			EXPECT(holds(&k.g, &s));
			EXPECT(is_in_order(&k.g, &s));
			EXPECT(sms_verify(&k.g, &s, &scratch));
			for (u32 u = 0; u < k.g.n; u++)
				last = PS_MAX(last, s.cycle[u]);
			EXPECT_EQ(s.stages, last / s.ii);
			for (u32 n = 0; n <= s.stages; n++) {
				units += s.stage[n].units;
				EXPECT(!s.stage[n].units || (s.stage[n].first / s.ii == n && s.stage[n].last / s.ii == n));
			}
			EXPECT_EQ(units, k.g.n);
			s.cycle[rng_below(&k.r, k.g.n)] += rng_below(&k.r, 5); /* the check sees what that breaks, if anything */
			EXPECT_EQ(sms_verify(&k.g, &s, &scratch), holds(&k.g, &s) && is_in_order(&k.g, &s));
		}
		arena_free(&scratch);
	}
	EXPECT(found > random_runs() * 9 / 10);
	EXPECT(at_once > found / 2);
}

/* Two loads of 3 cycles on one pipe, 1 to 1 + (ii - 8) cycles apart. */
TEST(pipeliner, SMS_06_the_third_interval)
{
	Maker k;
	u32   mii;
	open_graph(&k, 2, a);
	for (u32 u = 0; u < 2; u++)
		k.g.unit[u] = (SmsUnit){.latency = 1, .busy = 3, .pipe = UNIT_LSU, .issues = 1};
	edge(&k, 0, 1, 1, 0);
	edge(&k, 1, 0, 7, 1);
	sms_link(&k.g, a);
	SmsSchedule s = find(&k, 2, &mii);
	EXPECT_EQ(mii, 8);
	EXPECT(!s.found);
	s = find(&k, 3, &mii);
	EXPECT(s.found);
	EXPECT_EQ(s.ii, 10);
}

typedef struct Choice {
	u32 height, priority[2], room; /* of the second: a longer way to go; by unit; less room */
} Choice;

/* Unit 0 is a recurrence, and comes first; which of the two behind it is next? */
static u32 second(Arena *a, Choice c)
{
	Maker k;
	u32   sets;
	open_graph(&k, 5, a);
	for (u32 u = 0; u < 5; u++)
		k.g.unit[u] = (SmsUnit){.latency = 4, .busy = 1, .pipe = UNIT_ALU, .issues = 1};
	k.g.unit[1].priority = (u8)c.priority[0];
	k.g.unit[2].priority = (u8)c.priority[1];
	edge(&k, 0, 0, 9, 1);
	edge(&k, 0, 1, 4, 0);
	edge(&k, 0, 2, 4 + c.room, 0);
	edge(&k, 1, 3, 4, 0);
	edge(&k, 2, 4, 4 + c.height, 0);
	sms_link(&k.g, a);
	SmsBounds b = sms_bounds(&k.g, a);
	SmsTimes  t = sms_times(&k.g, &b, 9, a);
	u32      *order = sms_order(&k.g, &b, &t, &sets, a);
	EXPECT_EQ(sets, 2);
	EXPECT_EQ(order[0], 0);
	return order[1];
}

TEST(pipeliner, SMS_18_deeper_then_priority_then_narrower)
{
	EXPECT_EQ(second(a, (Choice){0}), 1); /* all equal: the first */
	EXPECT_EQ(second(a, (Choice){.height = 1}), 2);
	EXPECT_EQ(second(a, (Choice){.priority = {0, 1}}), 2);
	EXPECT_EQ(second(a, (Choice){.room = 9}), 2);
	EXPECT_EQ(second(a, (Choice){.height = 1, .priority = {1, 0}}), 2);
	EXPECT_EQ(second(a, (Choice){.room = 9, .priority = {1, 0}}), 1);
}

UNIT_MAIN
