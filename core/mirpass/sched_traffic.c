/* sched_traffic.c: what an order of a region costs where not all values fit into registers.
 *
 * The order is followed with `limit` units of file R. A value is read from a register; where it is in none it is loaded, and the value
 * that is read last of all that are held leaves: the choice of Belady ("A study of replacement algorithms for a virtual-storage
 * computer", 1966), which loads least. A value that leaves and has not been stored is stored, if it is read again or lives out. A
 * unit that occurs again is a load: what it writes counts as loaded. The region is followed twice, as in a loop, and the second time
 * counts: what its end leaves in registers is there where it begins.
 *
 * Cost: operands, and for each value that leaves a look at those that are held. */
#include "base/map.h"
#include "mirpass/sched.h"

enum { NEVER = 0xFFFFFFFF };

typedef struct Held {
	u32  next;      /* where it is read next; NEVER: nowhere */
	u32  named;     /* 1 + the last place that names it */
	u32  first;     /* where it is read first, if it lives in; else NEVER */
	u32  successor; /* 1 + what its register holds where the region begins again; 0: it does not live out, or nothing */
	u32  at;        /* 1 + its place in Traffic.held; 0: it is in no register */
	bool dirty;     /* not stored */
} Held;

typedef struct Traffic {
	const MirRegionLive *live;
	Arena               *a;
	Held                *value;
	VecU32               held;
	VecU32               next;   /* by access, the first one last: where the value is read next */
	u32                  access; /* how many of these are to come */
	u32                  used, limit, place;
	u32                  moved;
} Traffic;

static u32  weight(const Traffic *t, u32 v) { return sched_weight(&t->live->value[v], FILE_R); }
static bool is_wanted(const Traffic *t, u32 v) { return t->value[v].next != NEVER || t->live->value[v].live_out; }

static void let_go(Traffic *t, u32 v)
{
	Held *h = &t->value[v];
	u32   last = vec_pop(&t->held);
	if (last != v) {
		t->held.p[h->at - 1] = last;
		t->value[last].at = h->at;
	}
	t->used -= weight(t, v);
	t->moved += h->dirty && is_wanted(t, v) ? weight(t, v) : 0;
	h->at = 0;
	h->dirty = false;
}

/* The value that the instruction at hand does not name and that is read last; GRAPH_NONE: it names all. */
static u32 farthest(const Traffic *t)
{
	u32 best = GRAPH_NONE;
	for (u32 k = 0; k < t->held.n; k++) {
		const Held *h = &t->value[t->held.p[k]];
		if (h->named != t->place + 1 && (best == GRAPH_NONE || h->next > t->value[best].next))
			best = t->held.p[k];
	}
	return best;
}

static void hold(Traffic *t, u32 v)
{
	u32 out;
	while (t->used + weight(t, v) > t->limit && (out = farthest(t)) != GRAPH_NONE)
		let_go(t, out);
	t->used += weight(t, v);
	vec_push(t->a, &t->held, v);
	t->value[v].at = t->held.n;
}

static void pass(Traffic *t, u32 v)
{
	t->value[v].next = t->next.p[--t->access];
	if (t->value[v].at && !is_wanted(t, v))
		let_go(t, v);
}

static void read_values(Traffic *t, Nodes reads)
{
	for (u32 k = 0; k < reads.n; k++)
		t->value[reads.p[k]].named = t->place + 1;
	for (u32 k = 0; k < reads.n; k++)
		if (!t->value[reads.p[k]].at && weight(t, reads.p[k])) {
			t->moved += weight(t, reads.p[k]);
			hold(t, reads.p[k]);
		}
	for (u32 k = 0; k < reads.n; k++)
		pass(t, reads.p[k]);
}

static void write_values(Traffic *t, Nodes writes, bool again)
{
	for (u32 k = 0; k < writes.n; k++) {
		u32 v = writes.p[k];
		t->value[v].named = t->place + 1;
		t->moved += again ? weight(t, v) : 0;
		if (!t->value[v].at && weight(t, v))
			hold(t, v);
		t->value[v].dirty = true;
		pass(t, v);
	}
}

/* ---- from the end to the beginning ---- */

static void find_next(Traffic *t, const u32 *unit, u32 n)
{
	t->next.n = 0;
	for (u32 k = n; k-- > 0;) {
		Nodes reads = node_list(&t->live->reads, unit[k]), writes = node_list(&t->live->writes, unit[k]);
		for (u32 j = writes.n; j-- > 0;) {
			vec_push(t->a, &t->next, t->value[writes.p[j]].next);
			t->value[writes.p[j]].next = NEVER;
		}
		for (u32 j = reads.n; j-- > 0;) {
			vec_push(t->a, &t->next, t->value[reads.p[j]].next);
			t->value[reads.p[j]].next = k;
		}
	}
}

/* By value that lives out: what its register holds where the region begins. */
static void find_successors(Traffic *t)
{
	Map in = {.arena = t->a};
	for (u32 v = 0; v < t->live->n_values; v++)
		if (t->live->value[v].def == GRAPH_NONE)
			map_set(&in, t->live->value[v].reg, v + 1);
	for (u32 v = 0; v < t->live->n_values; v++)
		t->value[v].successor = t->live->value[v].live_out ? (u32)map_or(&in, t->live->value[v].reg, 0) : 0;
}

/* The accesses of a region that comes again: what lives out is read next where the region begins. */
static void find_accesses(Traffic *t, const u32 *unit, u32 n)
{
	u32 *first = arena_array(t->a, u32, t->live->n_values + 1);
	find_successors(t);
	for (u32 v = 0; v < t->live->n_values; v++)
		t->value[v].next = NEVER;
	find_next(t, unit, n);
	for (u32 v = 0; v < t->live->n_values; v++)
		first[v] = t->value[v].next;
	for (u32 v = 0; v < t->live->n_values; v++) {
		u32 successor = t->value[v].successor;
		t->value[v].next = successor && first[successor - 1] != NEVER ? n + first[successor - 1] : NEVER;
	}
	find_next(t, unit, n);
	for (u32 v = 0; v < t->live->n_values; v++)
		t->value[v].next = t->value[v].first = t->live->value[v].def == GRAPH_NONE ? first[v] : NEVER;
}

/* What is held at the end is held under its new name; what does not come again has been stored. */
static void begin_again(Traffic *t)
{
	VecU32 held = t->held;
	t->held = (VecU32){0};
	t->used = 0;
	for (u32 k = 0; k < held.n; k++)
		t->value[held.p[k]].at = 0;
	for (u32 k = 0; k < held.n; k++) {
		u32  v = held.p[k], successor = t->value[v].successor;
		bool dirty = t->value[v].dirty;
		t->value[v].dirty = successor == v + 1 && dirty;
		if (!successor) {
			t->moved += dirty && t->live->value[v].live_out ? weight(t, v) : 0;
			continue;
		}
		hold(t, successor - 1);
		t->value[successor - 1].dirty = dirty;
	}
	for (u32 v = 0; v < t->live->n_values; v++)
		t->value[v].next = t->value[v].first;
}

static void follow(Traffic *t, const SchedRegion *x, const u32 *unit, u32 n)
{
	Bitset seen = bitset_new(t->a, x->deps->n);
	t->access = t->next.n;
	for (t->place = 0; t->place < n; t->place++) {
		u32 u = unit[t->place];
		read_values(t, node_list(&x->live->reads, u));
		write_values(t, node_list(&x->live->writes, u), bitset_has(seen, u));
		bitset_add(seen, u);
	}
	begin_again(t);
}

u32 sched_traffic(const SchedRegion *x, const u32 *unit, u32 n, u32 limit)
{
	Arena a;
	arena_init(&a, x->s->cx->scratch->budget);
	Traffic t = {.live = x->live, .a = &a, .limit = limit, .value = arena_array(&a, Held, x->live->n_values + 1)};
	find_accesses(&t, unit, n);
	follow(&t, x, unit, n);
	t.moved = 0;
	follow(&t, x, unit, n);
	arena_free(&a);
	return t.moved;
}
