/* sms_schedule.c: units are placed into a table of as many rows as the initiation interval; then the stages.
 *
 *	interval 4        stage 0        stage 1
 *	row 0             ld  %p         fma %s         cycle 4: the fma of an iteration runs beside the
 *	row 1             add %a                        ld of the next one
 *	row 2             setp
 *
 * A unit may begin between two cycles, which follow from the longest paths to it from all units placed before, and from it to them,
 * an iteration's distance being worth an interval (Huff's minimal distances, "Lifetime-sensitive modulo scheduling", PLDI 1993): the
 * direct neighbours that the paper looks at leave windows empty which a unit not yet placed narrows. With placed neighbours above it
 * a unit takes the first free cycle; with those below it alone the last; with neither the first from its earliest cycle on. No more
 * than interval cycles are tried, as the table repeats then. A unit takes an issue slot in its row, and its pipe in as many rows as it
 * keeps it.
 * Where a unit finds no place, it becomes the first of the order, and all are placed anew, MOST_TRIES times at each interval: control
 * dependences bound every unit from above, which the paper's order does not know of, and pipes that are kept for several cycles
 * leave gaps. A circuit that is longer than the interval allows ends the attempt at once. Cost for an interval: the cube of the units
 * for the distances; tries times units times the interval times the pipes' cycles for the placement. */
#include "base/sort.h"
#include "mirpass/sms.h"

typedef struct Table {
	const SmsGraph *g;
	u32             ii;
	u8             *issue;            /* by row */
	u8             *pipe[UNIT_COUNT]; /* by row */
	i64            *cycle;            /* by unit */
	bool           *placed;
	i32            *path; /* [from * n + to]: the longest path; NO_PATH */
} Table;

enum { NO_PATH = -0x40000000, MOST_TRIES = 16 };

static u32 row_of(const Table *t, i64 cycle) { return (u32)(((cycle % t->ii) + t->ii) % t->ii); }

static bool is_free(const Table *t, const SmsUnit *u, i64 cycle)
{
	if (u->issues && t->issue[row_of(t, cycle)])
		return false;
	for (u32 k = 0; k < u->busy; k++)
		if (t->pipe[u->pipe][row_of(t, cycle + k)])
			return false;
	return u->busy <= t->ii;
}

static void take(Table *t, const SmsUnit *u, i64 cycle)
{
	if (u->issues)
		t->issue[row_of(t, cycle)] = 1;
	for (u32 k = 0; k < u->busy; k++)
		t->pipe[u->pipe][row_of(t, cycle + k)] = 1;
}

static void table_init(Table *t, const SmsGraph *g, u32 ii, Arena *a)
{
	*t = (Table){.g = g, .ii = ii, .issue = arena_array(a, u8, ii + 1)};
	for (u32 k = 0; k < UNIT_COUNT; k++)
		t->pipe[k] = arena_array(a, u8, ii + 1);
	t->cycle = arena_array(a, i64, g->n + 1);
	t->placed = arena_array(a, bool, g->n + 1);
}

/* ---- placement ---- */

/* False where a circuit is too long. (Floyd and Warshall.) */
static bool find_paths(Table *t, Arena *a)
{
	const u32 n = t->g->n;
	t->path = arena_array(a, i32, (u64)n * n + 1);
	for (u32 k = 0; k < n * n; k++)
		t->path[k] = NO_PATH;
	for (u32 k = 0; k < t->g->edge.n; k++) {
		const SmsEdge *e = &t->g->edge.p[k];
		i32           *p = &t->path[e->from * n + e->to];
		*p = PS_MAX(*p, (i32)e->latency - (i32)(t->ii * e->distance));
	}
	for (u32 k = 0; k < n; k++)
		for (u32 i = 0; i < n; i++) {
			const i32 first = t->path[i * n + k];
			for (u32 j = 0; j < n && first != NO_PATH; j++)
				if (t->path[k * n + j] != NO_PATH)
					t->path[i * n + j] = PS_MAX(t->path[i * n + j], first + t->path[k * n + j]);
		}
	for (u32 k = 0; k < n; k++)
		if (t->path[k * n + k] > 0)
			return false;
	return true;
}

typedef struct Window {
	i64 early, late; /* inclusive */
} Window;

static Window window_of(const Table *t, u32 unit)
{
	const u32 n = t->g->n;
	Window    w = {.early = INT64_MIN, .late = INT64_MAX};
	for (u32 k = 0; k < n; k++) {
		if (!t->placed[k])
			continue;
		if (t->path[k * n + unit] != NO_PATH)
			w.early = PS_MAX(w.early, t->cycle[k] + t->path[k * n + unit]);
		if (t->path[unit * n + k] != NO_PATH)
			w.late = PS_MIN(w.late, t->cycle[k] - t->path[unit * n + k]);
	}
	return w;
}

/* Is a direct neighbour placed that values or memory connect? */
static bool is_beside(const Table *t, u32 unit, bool above)
{
	Nodes edges = above ? sms_in(t->g, unit) : sms_out(t->g, unit);
	for (u32 k = 0; k < edges.n; k++) {
		const SmsEdge *e = &t->g->edge.p[edges.p[k]];
		u32            other = above ? e->from : e->to;
		if (e->kind != SMS_CONTROL && other != unit && t->placed[other])
			return true;
	}
	return false;
}

static bool place(Table *t, u32 unit, u32 asap)
{
	Window w = window_of(t, unit);
	bool   above = is_beside(t, unit, true), up = !above && is_beside(t, unit, false);
	i64    at = up ? w.late : above ? w.early : PS_MAX(w.early, (i64)asap);
	if (at > w.late)
		up = true, at = w.late;
	for (u32 k = 0; k < t->ii; k++) {
		i64 c = up ? at - k : at + k;
		if (c < w.early || c > w.late)
			return false;
		if (!is_free(t, &t->g->unit[unit], c))
			continue;
		take(t, &t->g->unit[unit], c);
		t->cycle[unit] = c;
		t->placed[unit] = true;
		return true;
	}
	return false;
}

/* ---- what has been found ---- */

static int by_rank(const void *a, const void *b, void *user)
{
	const SmsSchedule *s = user;
	u32                x = *(const u32 *)a, y = *(const u32 *)b;
	if (sms_row(s, x) != sms_row(s, y))
		return sms_row(s, x) < sms_row(s, y) ? -1 : 1;
	if (s->cycle[x] != s->cycle[y]) /* of the older iteration first: what the younger one waits for */
		return s->cycle[x] > s->cycle[y] ? -1 : 1;
	return (x > y) - (x < y);
}

static void describe(SmsSchedule *s, u32 last, Arena *a)
{
	s->stages = last / s->ii;
	s->stage = arena_array(a, SmsStage, s->stages + 1);
	for (u32 u = 0; u < s->n; u++) {
		SmsStage *g = &s->stage[sms_stage(s, u)];
		g->first = g->units ? PS_MIN(g->first, s->cycle[u]) : s->cycle[u];
		g->last = PS_MAX(g->last, s->cycle[u]);
		g->units++;
	}
	for (u32 u = 0; u < s->n; u++)
		s->at[u] = u;
	sort_stable(a, s->at, s->n, sizeof *s->at, by_rank, s);
	for (u32 k = 0; k < s->n; k++)
		s->rank[s->at[k]] = k;
}

/* Places all; else the number in the order of the unit that finds no place. */
static u32 place_all(Table *t, const SmsTimes *times, const u32 *order)
{
	const u32 n = t->g->n;
	memset(t->issue, 0, t->ii);
	for (u32 k = 0; k < UNIT_COUNT; k++)
		memset(t->pipe[k], 0, t->ii);
	memset(t->placed, 0, n * sizeof *t->placed);
	for (u32 k = 0; k < n; k++)
		if (!place(t, order[k], times->asap[order[k]]))
			return k;
	return n;
}

/* Number k of the order becomes the first. */
static void promote(u32 *order, u32 k)
{
	u32 unit = order[k];
	memmove(order + 1, order, k * sizeof *order);
	order[0] = unit;
}

SmsSchedule sms_place(const SmsGraph *g, const SmsTimes *times, const u32 *order, u32 ii, Arena *a)
{
	SmsSchedule s = {.ii = ii, .n = g->n};
	u32        *own = arena_array(a, u32, g->n + 1);
	i64         first = INT64_MAX, last = INT64_MIN;
	Table       t;
	table_init(&t, g, ii, a);
	if (!find_paths(&t, a))
		return s;
	memcpy(own, order, g->n * sizeof *own);
	for (u32 tries = 0; tries < MOST_TRIES && !s.found; tries++) {
		u32 failed = place_all(&t, times, own);
		s.found = failed == g->n;
		if (!s.found)
			promote(own, failed);
	}
	if (!s.found)
		return s;
	for (u32 u = 0; u < g->n; u++) {
		first = PS_MIN(first, t.cycle[u]);
		last = PS_MAX(last, t.cycle[u]);
	}
	s.cycle = arena_array(a, u32, g->n + 1);
	s.rank = arena_array(a, u32, g->n + 1);
	s.at = arena_array(a, u32, g->n + 1);
	for (u32 u = 0; u < g->n; u++)
		s.cycle[u] = (u32)(t.cycle[u] - first);
	describe(&s, g->n ? (u32)(last - first) : 0, a);
	return s;
}

bool sms_verify(const SmsGraph *g, const SmsSchedule *s, Arena *a)
{
	Table t;
	table_init(&t, g, s->ii, a);
	for (u32 k = 0; k < g->edge.n; k++) {
		const SmsEdge *e = &g->edge.p[k];
		u64            to = s->cycle[e->to] + (u64)s->ii * e->distance, from = s->cycle[e->from];
		if (to < from + e->latency)
			return false;
		/* Both in one execution of the kernel: in the order of the instructions, too. */
		if (sms_stage(s, e->from) == sms_stage(s, e->to) + e->distance && e->from != e->to &&
		    s->rank[e->from] > s->rank[e->to])
			return false;
	}
	for (u32 u = 0; u < g->n; u++) {
		if (!is_free(&t, &g->unit[u], s->cycle[u]))
			return false;
		take(&t, &g->unit[u], s->cycle[u]);
	}
	return true;
}
