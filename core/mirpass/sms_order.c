/* sms_order.c: the order in which the units of a loop are scheduled: each has neighbours above it or below it that are placed
 * already, hardly ever both, so that values live short.
 *
 *	%i → %i (RecMII 5)        sets: {%i}, then what is between it and {%s}, and {%s}
 *	%i → %a → %p → %s         order: %i, %a, %p, %s: each is placed as early as its operands allow
 *	%s → %s (RecMII 4)
 *
 * As in the paper. Recurrences come first, those with the longer interval before others, each with the units on paths between it
 * and the sets before it; the last set is the rest. The recurrence that decides whether the loop goes on comes before all of them,
 * as every unit has to stay within an interval of it. Within a set the walk goes down along dependences from what is ordered
 * already, or up, and changes direction when it comes to an end. Which of the units at hand is taken next is documented: the one
 * with the longer path still to go in the direction of the walk, the one that the target prefers, the one with the narrower window
 * (least mobility). Control dependences take no part, as they join every unit to the branch.
 *
 * Cost: sets times edges for the paths, units times those at hand for the walk. */
#include "base/sort.h"
#include "mirpass/sms.h"

/* Loads begin early, so that whoever waits for memory waits least: plain ones, asynchronous copies, textures. */
enum { PRIORITY_MEMORY = 4, PRIORITY_FEW_PIPES = 2 };

static const u8 priority[UNIT_COUNT] = {
	[UNIT_TEX] = PRIORITY_MEMORY,
	[UNIT_TENSOR] = PRIORITY_FEW_PIPES + 1,
	[UNIT_FP64] = PRIORITY_FEW_PIPES,
	[UNIT_SFU] = PRIORITY_FEW_PIPES,
	[UNIT_CVT] = 1,
};

u8 sms_priority(const IsaDesc *d)
{
	return d->flags & (IF_LOAD | IF_ASYNC) && d->unit == UNIT_LSU ? (u8)PRIORITY_MEMORY : priority[d->unit];
}

typedef struct Orderer {
	const SmsGraph  *g;
	const SmsBounds *b;
	const SmsTimes  *t;
	Arena           *a;
	u32             *set;   /* by unit: 1 + the set it is in; 0: none yet */
	bool            *done;  /* by unit: ordered */
	bool            *ready; /* by unit: at hand */
	u32             *order;
	u32              n;
} Orderer;

/* ---- sets ---- */

typedef struct Recurrence {
	u32 component, rec;
} Recurrence;

static int by_rec(const void *a, const void *b, void *user)
{
	const Recurrence *x = a, *y = b;
	const u32        *control = user;
	if ((x->component == *control) != (y->component == *control))
		return x->component == *control ? -1 : 1;
	return (x->rec < y->rec) - (x->rec > y->rec);
}

/* Marks what can be reached from the marked units, down or up. */
static void reach(const Orderer *o, bool *mark, bool down)
{
	VecU32 work = {0};
	for (u32 u = 0; u < o->g->n; u++)
		if (mark[u])
			vec_push(o->a, &work, u);
	while (work.n) {
		u32   u = vec_pop(&work);
		Nodes edges = down ? sms_out(o->g, u) : sms_in(o->g, u);
		for (u32 k = 0; k < edges.n; k++) {
			const SmsEdge *e = &o->g->edge.p[edges.p[k]];
			u32            other = down ? e->to : e->from;
			if (e->kind == SMS_CONTROL || mark[other])
				continue;
			mark[other] = true;
			vec_push(o->a, &work, other);
		}
	}
}

/* The component and what lies on paths between it and the sets before it, either way. */
static void take_set(Orderer *o, u32 component, u32 number)
{
	const u32 n = o->g->n;
	bool     *old[2], *new[2]; /* what is below, above */
	for (u32 way = 0; way < 2; way++) {
		old[way] = arena_array(o->a, bool, n + 1);
		new[way] = arena_array(o->a, bool, n + 1);
		for (u32 u = 0; u < n; u++) {
			old[way][u] = o->set[u] != 0;
			new[way][u] = o->b->sccs.of[u] == component;
		}
		reach(o, old[way], way == 0);
		reach(o, new[way], way == 0);
	}
	for (u32 u = 0; u < n; u++)
		if (!o->set[u] && (o->b->sccs.of[u] == component || (old[0][u] && new[1][u]) || (old[1][u] && new[0][u])))
			o->set[u] = number;
}

static u32 make_sets(Orderer *o)
{
	Vec(Recurrence) r = {0};
	u32 number = 0, control = GRAPH_NONE;
	for (u32 k = 0; k < o->g->edge.n; k++)
		if (o->g->edge.p[k].kind == SMS_CONTROL)
			control = o->b->sccs.of[o->g->edge.p[k].from];
	for (u32 c = o->b->sccs.n; c-- > 0;)
		if (o->b->scc_rec[c])
			vec_push(o->a, &r, ((Recurrence){c, o->b->scc_rec[c]}));
	sort_stable(o->a, r.p, r.n, sizeof *r.p, by_rec, &control);
	for (u32 k = 0; k < r.n; k++)
		take_set(o, r.p[k].component, ++number);
	number++;
	for (u32 u = 0; u < o->g->n; u++)
		if (!o->set[u])
			o->set[u] = number;
	return number;
}

/* ---- the walk ---- */

/* Is x to be taken before y? */
static bool is_before(const Orderer *o, u32 x, u32 y, bool down)
{
	const u32 *deep = down ? o->t->height : o->t->depth;
	if (deep[x] != deep[y])
		return deep[x] > deep[y];
	if (o->g->unit[x].priority != o->g->unit[y].priority)
		return o->g->unit[x].priority > o->g->unit[y].priority;
	if (sms_mobility(o->t, x) != sms_mobility(o->t, y))
		return sms_mobility(o->t, x) < sms_mobility(o->t, y);
	return down ? x < y : x > y;
}

static u32 best(const Orderer *o, bool down)
{
	u32 found = GRAPH_NONE;
	for (u32 u = 0; u < o->g->n; u++)
		if (o->ready[u] && (found == GRAPH_NONE || is_before(o, u, found, down)))
			found = u;
	return found;
}

/* Neighbours of an ordered unit in the set come to hand. */
static bool add_neighbours(Orderer *o, u32 unit, u32 set, bool down)
{
	Nodes edges = down ? sms_out(o->g, unit) : sms_in(o->g, unit);
	bool  any = false;
	for (u32 k = 0; k < edges.n; k++) {
		const SmsEdge *e = &o->g->edge.p[edges.p[k]];
		u32            other = down ? e->to : e->from;
		if (e->kind == SMS_CONTROL || o->done[other] || o->set[other] != set)
			continue;
		o->ready[other] = any = true;
	}
	return any;
}

static bool start(Orderer *o, u32 set, bool down)
{
	bool any = false;
	for (u32 k = 0; k < o->n; k++)
		any |= add_neighbours(o, o->order[k], set, down);
	return any;
}

/* Nothing of the set is next to what is ordered: from its latest unit upward. */
static bool start_anew(Orderer *o, u32 set)
{
	u32 latest = GRAPH_NONE;
	for (u32 u = 0; u < o->g->n; u++)
		if (!o->done[u] && o->set[u] == set && (latest == GRAPH_NONE || o->t->asap[u] > o->t->asap[latest]))
			latest = u;
	if (latest != GRAPH_NONE)
		o->ready[latest] = true;
	return latest != GRAPH_NONE;
}

static void order_set(Orderer *o, u32 set)
{
	for (;;) {
		bool down = false;
		if (!start(o, set, false) && !(down = start(o, set, true)) && !start_anew(o, set))
			return;
		do {
			for (u32 u; (u = best(o, down)) != GRAPH_NONE;) {
				o->ready[u] = false;
				o->done[u] = true;
				o->order[o->n++] = u;
				add_neighbours(o, u, set, down);
			}
			down = !down;
		} while (start(o, set, down));
	}
}

u32 *sms_order(const SmsGraph *g, const SmsBounds *b, const SmsTimes *t, u32 *sets, Arena *a)
{
	Orderer o = {.g = g, .b = b, .t = t, .a = a};
	o.set = arena_array(a, u32, g->n + 1);
	o.done = arena_array(a, bool, g->n + 1);
	o.ready = arena_array(a, bool, g->n + 1);
	o.order = arena_array(a, u32, g->n + 1);
	*sets = make_sets(&o);
	for (u32 k = 1; k <= *sets; k++)
		order_set(&o, k);
	return o.order;
}
