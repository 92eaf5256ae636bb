/* greedy_split.c: a live range that does not fit is cut at the points where there is no room.
 *
 *	bb.1:  reads it             part 1: from the definition to here
 *	bb.2:  no room              (in memory)
 *	bb.3:  reads it, in a loop  part 2: a reload in front of the loop, or at the first read, as spill placement says
 *
 * Between two accesses of a block, and between these and its borders, the range is either in a register, which is possible where the
 * matrix has room, or in memory. Inside a block a gap with room stays in a register. At the borders
 * mir/spillplace.h decides, by the frequencies of blocks. Stretches in a register that are connected through accesses or bundles
 * become one item. An access with memory on both sides becomes an item of its own, for which others have to make
 * room. */
#include "base/sort.h"
#include "mirpass/greedy.h"

enum { MOST_SPLITS = 12 }; /* of what one range was; then it stays in memory between all accesses */

/* A segment of the item inside one block. */
typedef struct Part {
	u32  node, start, end;
	u32  first, n; /* its accesses */
	bool enters, leaves;
	bool hot_first, hot_last; /* no room between the start and the first access, between the last one and the end */
	bool hot_tail;            /* it cannot be reloaded at the end of the block */
} Part;

/* A stretch of a part that is in a register. */
typedef struct Run {
	u32  start, end;
	u32  up;   /* union-find: runs of one item */
	u32  item; /* of the representative */
	u32  accesses;
	bool wide; /* more than one instruction */
	f64  cost;
} Run;

typedef struct Splitter {
	Greedy  *g;
	u32      item, units;
	bool     keeps; /* gaps with room stay in registers */
	Accesses access;
	VecU32   order; /* runs, those of one item together */
	Vec(Part) part;
	Vec(Run) run;
} Splitter;

static void list_accesses(Greedy *g, MirReg r)
{
	u32 first = g->access.n, n = first;
	mir_each_use(g->f, r, o)
		if (!(o->flags & MOF_UNDEF))
			vec_push(g->arena, &g->access, 4 * g->points->inst[o->inst]);
	mir_each_def(g->f, r, o)
		if (mir_inst(g->f, (MirInstId){o->inst})->desc != ISA_IMPLICIT_DEF)
			vec_push(g->arena, &g->access, 4 * (g->points->inst[o->inst] + !(o->flags & MOF_EARLY_CLOBBER)) + 1);
	u32 *p = g->access.p;
	sort_u32(g->cx->scratch, p + first, g->access.n - first);
	for (u32 k = first; k < g->access.n; k++)
		if (n == first || p[n - 1] != p[k])
			p[n++] = p[k];
	g->access.n = n;
	g->accesses[r.i] = first + 1;
	g->n_accesses[r.i] = n - first;
}

Accesses greedy_accesses(Greedy *g, MirReg r)
{
	if (!g->accesses[r.i])
		list_accesses(g, r);
	return (Accesses){g->access.p + g->accesses[r.i] - 1, g->n_accesses[r.i]};
}

static u32  point_of(const Splitter *s, u32 access) { return s->access.p[access] / 4; }
static bool is_def(const Splitter *s, u32 access) { return s->access.p[access] & 1; }

static bool hot(Splitter *s, u32 start, u32 end)
{
	s->g->work++;
	return mir_matrix_above(s->g->matrix, start, end, s->g->limit - s->units) != MIR_NO_POINT;
}

/* The first access at or behind a point. */
static u32 first_access(const Splitter *s, u32 point)
{
	u32 low = 0, high = s->access.n;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (point_of(s, mid) < point)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void add_part(Splitter *s, u32 node, u32 start, u32 end)
{
	const MirPoints *p = s->g->points;
	Part             x = {.node = node, .start = start, .end = end, .first = first_access(s, start)};
	x.n = first_access(s, end) - x.first;
	x.enters = start == p->start[node];
	x.leaves = end == p->start[node + 1];
	if (s->keeps) {
		u32 tail = p->tail[node], last = x.n ? point_of(s, x.first + x.n - 1) : 0;
		x.hot_first = x.enters && hot(s, start, x.n ? point_of(s, x.first) : end);
		x.hot_last = x.leaves && (x.n ? hot(s, last + 1, end) : x.enters ? x.hot_first : hot(s, start, end));
		x.hot_tail = x.leaves && x.hot_last && ((x.n && last >= tail) || hot(s, PS_MAX(tail, start), end));
	}
	vec_push(s->g->arena, &s->part, x);
}

static void find_parts(Splitter *s)
{
	const Item *i = &s->g->item.p[s->item];
	for (u32 k = i->first; k < i->first + i->n; k++) {
		MatrixSegment seg = s->g->matrix->seg.p[k];
		for (u32 node = mir_points_node(s->g->points, seg.start), at = seg.start; at < seg.end; node++) {
			u32 end = PS_MIN(seg.end, s->g->points->start[node + 1]);
			add_part(s, node, at, end);
			at = end;
		}
	}
	s->g->work += s->part.n;
}

/* ---- borders ---- */

static void place(Splitter *s)
{
	SpillPlace       *p = s->g->place;
	const MirBundles *b = s->g->bundles;
	spill_place_begin(p);
	for (u32 k = 0; k < s->part.n && s->keeps; k++) {
		const Part *x = &s->part.p[k];
		f64         freq = freq_at(s->g, x->node);
		if (x->enters)
			spill_place_name(p, b->in[x->node]);
		if (x->leaves)
			spill_place_name(p, b->out[x->node]);
		if (x->enters && x->n && !is_def(s, x->first) && !x->hot_first)
			spill_place_enter(p, x->node, freq);
		if (!x->leaves)
			continue;
		if (x->hot_last && x->hot_tail)
			spill_place_never(p, x->node);
		else if (x->hot_last || (!x->n && !x->enters))
			spill_place_leave(p, x->node, freq);
		else if (!x->n)
			spill_place_pass(p, x->node, freq);
	}
	spill_place_solve(p);
}

/* ---- runs ---- */

static u32 find(Splitter *s, u32 run)
{
	while (s->run.p[run].up != run)
		run = s->run.p[run].up = s->run.p[s->run.p[run].up].up;
	return run;
}

/* Runs at one bundle are one item. */
static void join_at(Splitter *s, u32 run, u32 bundle)
{
	SpillBundle *b = &s->g->place->of[bundle];
	s->run.p[run].wide = true;
	if (b->run == GRAPH_NONE)
		b->run = run;
	u32 x = find(s, run), y = find(s, b->run);
	s->run.p[PS_MAX(x, y)].up = PS_MIN(x, y);
}

static u32 open_run(Splitter *s, u32 start)
{
	u32 run = s->run.n;
	vec_push(s->g->arena, &s->run, ((Run){.start = start, .end = start, .up = run}));
	return run;
}

/* A terminator's operand is reloaded in front of the first terminator. */
static u32 reload_point(const Splitter *s, const Part *x, u32 access)
{
	u32 at = point_of(s, access), tail = s->g->points->tail[x->node];
	return is_def(s, access) || at < tail ? at : PS_MAX(tail, x->start);
}

/* Is it a definition at the point at which its instruction reads? */
static bool writes_early(const Splitter *s, u32 access)
{
	u32 at = point_of(s, access);
	return is_def(s, access) && s->g->points->inst[s->g->points->at[at]] == at;
}

static u32 run_along(Splitter *s, const Part *x, u32 run)
{
	f64 freq = freq_at(s->g, x->node);
	for (u32 k = x->first; k < x->first + x->n; k++) {
		u32 at = point_of(s, k), before = run != GRAPH_NONE ? s->run.p[run].end : at;
		if (run != GRAPH_NONE && before < at && k > x->first) { /* a gap; the one in front of the first is the caller's */
			if (!s->keeps || hot(s, before, at))
				run = GRAPH_NONE;
			else
				s->run.p[run].wide = true;
		}
		run = run == GRAPH_NONE ? open_run(s, reload_point(s, x, k)) : run;
		s->run.p[run].end = at + 1 + writes_early(s, k); /* until it can be stored */
		s->run.p[run].accesses++;
		s->run.p[run].cost += freq;
	}
	return run;
}

static void find_runs(Splitter *s)
{
	const MirBundles *b = s->g->bundles;
	for (u32 k = 0; k < s->part.n; k++) {
		const Part *x = &s->part.p[k];
		u32         in = b->in[x->node], out = b->out[x->node], run = GRAPH_NONE;
		bool        enter = s->keeps && x->enters && spill_place_chosen(s->g->place, in) && !x->hot_first;
		bool        leave = s->keeps && x->leaves && spill_place_chosen(s->g->place, out);
		if (enter && (x->n ? !is_def(s, x->first) : leave)) {
			run = open_run(s, x->start);
			join_at(s, run, in);
		}
		run = run_along(s, x, run);
		if (!leave)
			continue;
		if (run == GRAPH_NONE || x->hot_last) {
			run = open_run(s, PS_MAX(s->g->points->tail[x->node], x->start));
			s->run.p[run].cost -= freq_at(s->g, x->node);
		}
		s->run.p[run].end = x->end;
		join_at(s, run, out);
	}
}

/* ---- items ---- */

static f64 weight_of(const Splitter *s, const Item *i, f64 cost)
{
	u32 size = 0;
	for (u32 k = i->first; k < i->first + i->n; k++)
		size += s->g->matrix->seg.p[k].end - s->g->matrix->seg.p[k].start;
	cost *= spill_is_cheap(s->g->spiller, (MirReg){i->reg}) ? 0.5 : 1;
	return (cost > 0 ? cost : 0) / ((f64)s->units * (size + 4.0));
}

static int by_item(const void *a, const void *b, void *user)
{
	const Splitter *s = user;
	u32             x = *(const u32 *)a, y = *(const u32 *)b;
	u32             p = s->run.p[x].up, q = s->run.p[y].up;
	return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

/* Segments of the runs order[0 .. n), of one item; those that touch become one. */
static void add_item(Splitter *s, const u32 *order, u32 n)
{
	Greedy     *g = s->g;
	const Item *old = &g->item.p[s->item];
	Item i = {.reg = old->reg, .first = g->matrix->seg.n, .splits = old->splits + 1, .next = g->of[old->reg], .tiny = n == 1};
	f64  cost = 0;
	for (u32 k = 0; k < n; k++) {
		const Run *r = &s->run.p[order[k]];
		i.tiny &= !r->wide;
		cost += r->cost;
		if (i.n && vec_last(&g->matrix->seg).end == r->start)
			vec_last(&g->matrix->seg).end = r->end;
		else {
			mir_matrix_segment(g->matrix, r->start, r->end, g->item.n);
			i.n++;
		}
	}
	const MatrixSegment *seg = g->matrix->seg.p;
	i.local = mir_points_node(g->points, seg[i.first].start) == mir_points_node(g->points, seg[i.first + i.n - 1].end - 1);
	i.weight = weight_of(s, &i, cost);
	vec_push(g->arena, &g->item, i);
	g->of[i.reg] = g->item.n;
	greedy_admit(g, g->item.n - 1);
}

static void add_items(Splitter *s)
{
	Greedy *g = s->g;
	VecU32 *order = &s->order;
	order->n = 0;
	for (u32 k = 0; k < s->run.n; k++) {
		s->run.p[k].up = find(s, k);
		vec_push(g->arena, order, k);
	}
	sort_stable(g->cx->scratch, order->p, order->n, sizeof *order->p, by_item, s);
	u32 first_item = g->item.n;
	for (u32 k = 0, n; k < order->n; k += n) {
		for (n = 1; k + n < order->n && s->run.p[order->p[k + n]].up == s->run.p[order->p[k]].up;)
			n++;
		add_item(s, order->p + k, n);
	}
	for (u32 k = first_item, last = g->item.n; k < last; k++)
		for (u32 n = g->item.p[k].first; n < g->item.p[k].first + g->item.p[k].n; n++) {
			MatrixSegment seg = g->matrix->seg.p[n];
			for (u32 at;
			     !g->stuck && (at = mir_matrix_above(g->matrix, seg.start, seg.end, g->limit)) != MIR_NO_POINT;)
				greedy_relieve(g, at);
		}
}

void greedy_split(Greedy *g, u32 item)
{
	if (!g->splitter)
		g->splitter = arena_new(g->arena, Splitter);
	Splitter *s = g->splitter;
	s->g = g;
	s->item = item;
	s->units = item_units(g, &g->item.p[item]);
	s->keeps = g->item.p[item].splits < MOST_SPLITS && g->work < g->most_work;
	s->access = greedy_accesses(g, (MirReg){g->item.p[item].reg});
	s->part.n = s->run.n = 0;
	g->item.p[item].state = ITEM_SPLIT;
	find_parts(s);
	place(s);
	find_runs(s);
	add_items(s);
}
