/* sched_pressure.c: orders the units of a region for few registers.
 *
 * A list scheduler from the region's end upward: of the units whose users are all placed, the one is placed next, above those
 * already there, that the policy prefers. What a unit adds to the pressure is the units of the values it reads that are not
 * live yet, less those that it writes; it changes only when one of those values becomes live, so the ready units are a heap
 * whose keys only improve. SCHED_DEPTH places what became ready last, which completes one expression before it begins another; of
 * what became ready together, the unit with the smaller need of registers is placed first and so executed last, after
 * Sethi and Ullman ("The generation of optimal code for arithmetic expressions", 1970).
 *
 * Below the limit the unit that is last in the source is placed, which keeps the source's order: a second heap.
 *
 * Cost: (units + operands) times the logarithm of the units. */
#include "mirpass/sched.h"

typedef struct ListUnit {
	u32 left;  /* users that are not placed */
	i32 delta; /* units of file R that it adds to the pressure above it */
	u32 ready; /* the step at which it became ready, from 1; 0: not yet */
	u32 need;  /* Sethi and Ullman's number */
	u32 at[2]; /* 1 + its place in each heap; 0: not in it */
} ListUnit;

enum { BY_SOURCE, BY_POLICY };

typedef struct List {
	const SchedRegion   *x;
	const MirRegionLive *live;
	SchedPolicy          policy;
	ListUnit            *unit;
	bool                *is_live; /* by value */
	VecU32               heap[2];
	u32                  step;
	bool                 by_source; /* there is a limit, and a heap for what is below it */
} List;

static u32  weight(const MirRegionValue *v) { return sched_weight(v, FILE_R); }
static bool is_wanted(const MirRegionValue *v) { return v->readers || v->live_out; }

/* ---- the heaps ---- */

static bool comes_first(const List *l, u32 heap, u32 a, u32 b)
{
	const ListUnit *p = &l->unit[a], *q = &l->unit[b];
	if (heap == BY_SOURCE)
		return a > b;
	if (l->policy == SCHED_NEAR)
		return p->delta != q->delta ? p->delta < q->delta : a > b;
	if ((p->delta < 0) != (q->delta < 0))
		return p->delta < 0;
	if (p->ready != q->ready)
		return p->ready > q->ready;
	if (p->delta != q->delta)
		return p->delta < q->delta;
	if (p->need != q->need)
		return p->need < q->need;
	return a > b;
}

static void put(List *l, u32 heap, u32 place, u32 unit)
{
	l->heap[heap].p[place] = unit;
	l->unit[unit].at[heap] = place + 1;
}

static void sift_up(List *l, u32 heap, u32 place)
{
	u32 unit = l->heap[heap].p[place];
	while (place && comes_first(l, heap, unit, l->heap[heap].p[(place - 1) / 2])) {
		put(l, heap, place, l->heap[heap].p[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	put(l, heap, place, unit);
}

static void sift_down(List *l, u32 heap, u32 place)
{
	u32 n = l->heap[heap].n, unit = l->heap[heap].p[place];
	for (u32 child; (child = 2 * place + 1) < n; place = child) {
		if (child + 1 < n && comes_first(l, heap, l->heap[heap].p[child + 1], l->heap[heap].p[child]))
			child++;
		if (!comes_first(l, heap, l->heap[heap].p[child], unit))
			break;
		put(l, heap, place, l->heap[heap].p[child]);
	}
	put(l, heap, place, unit);
}

static void heap_add(List *l, u32 heap, u32 unit)
{
	vec_push(&l->x->s->arena, &l->heap[heap], unit);
	sift_up(l, heap, l->heap[heap].n - 1);
}

static void heap_remove(List *l, u32 heap, u32 unit)
{
	u32 place = l->unit[unit].at[heap] - 1, last = l->heap[heap].p[--l->heap[heap].n];
	l->unit[unit].at[heap] = 0;
	if (place == l->heap[heap].n)
		return;
	put(l, heap, place, last);
	sift_up(l, heap, place);
	sift_down(l, heap, l->unit[last].at[heap] - 1);
}

/* ---- the list ---- */

static void make_ready(List *l, u32 unit)
{
	l->unit[unit].ready = l->step;
	if (l->by_source)
		heap_add(l, BY_SOURCE, unit);
	heap_add(l, BY_POLICY, unit);
}

/* The registers that it takes to compute what a unit writes: operands in the order of their needs, the greatest first. */
static u32 need_of(const List *l, u32 unit)
{
	Nodes reads = node_list(&l->live->reads, unit);
	u32   most = 0, held = 0;
	for (u32 k = 0; k < reads.n; k++) {
		const MirRegionValue *v = &l->live->value[reads.p[k]];
		u32                   need = v->def == GRAPH_NONE ? 0 : PS_MAX(l->unit[v->def].need, weight(v));
		if (need > most) {
			most = need;
			held = 0;
		} else if (need == most)
			held += weight(v);
	}
	return most + held;
}

static void measure(List *l)
{
	const MirRegionLive *live = l->live;
	for (u32 v = 0; v < live->n_values; v++)
		l->is_live[v] = live->value[v].live_out;
	for (u32 u = 0; u < live->deps->n; u++) {
		ListUnit *x = &l->unit[u];
		Nodes     reads = node_list(&live->reads, u), writes = node_list(&live->writes, u);
		x->left = mir_deps_out(live->deps, u).n;
		x->need = need_of(l, u);
		for (u32 k = 0; k < reads.n; k++)
			x->delta += l->is_live[reads.p[k]] ? 0 : (i32)weight(&live->value[reads.p[k]]);
		for (u32 k = 0; k < writes.n; k++)
			x->delta -= is_wanted(&live->value[writes.p[k]]) ? (i32)weight(&live->value[writes.p[k]]) : 0;
	}
}

/* The value is live from here upward: nobody else who reads it adds it. */
static void begin_live(List *l, u32 value)
{
	Nodes readers = node_list(&l->live->readers, value);
	l->is_live[value] = true;
	for (u32 k = 0; k < readers.n; k++) {
		ListUnit *x = &l->unit[readers.p[k]];
		x->delta -= (i32)weight(&l->live->value[value]);
		if (x->at[BY_POLICY])
			sift_up(l, BY_POLICY, x->at[BY_POLICY] - 1);
	}
}

static void place(List *l, u32 unit)
{
	const MirDeps *d = l->live->deps;
	Nodes          reads = node_list(&l->live->reads, unit), in = mir_deps_in(d, unit);
	if (l->by_source)
		heap_remove(l, BY_SOURCE, unit);
	heap_remove(l, BY_POLICY, unit);
	l->step++;
	for (u32 k = 0; k < reads.n; k++)
		if (!l->is_live[reads.p[k]])
			begin_live(l, reads.p[k]);
	for (u32 k = 0; k < in.n; k++)
		if (--l->unit[d->dep.p[in.p[k]].from].left == 0)
			make_ready(l, d->dep.p[in.p[k]].from);
}

u32 *sched_for_pressure(const SchedRegion *x, SchedPolicy policy, u32 limit)
{
	Arena *a = &x->s->arena;
	u32    n = x->deps->n, *order = arena_array(a, u32, n);
	i64    now = x->r.end[FILE_R];
	List   l = {.x = x, .live = x->live, .policy = policy, .step = 1, .by_source = limit != 0};
	l.unit = arena_array(a, ListUnit, n);
	l.is_live = arena_array(a, bool, x->live->n_values + 1);
	measure(&l);
	for (u32 u = 0; u < n; u++)
		if (!l.unit[u].left)
			make_ready(&l, u);
	for (u32 k = n; k-- > 0;) {
		u32 unit = l.heap[BY_POLICY].p[0];
		if (l.by_source && now + l.unit[l.heap[BY_SOURCE].p[0]].delta <= limit)
			unit = l.heap[BY_SOURCE].p[0];
		now += l.unit[unit].delta;
		order[k] = unit;
		place(&l, unit);
	}
	return order;
}
