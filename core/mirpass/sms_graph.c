/* sms_graph.c: the dependence graph of a loop, the bounds of its initiation interval, and the earliest and latest cycle of each unit.
 *
 *	%p = ld [%a]          ld --20--> fma --4--> fma, one iteration on:     RecMII 4
 *	%s = fma %p, %q, %s   add --4--> ld, one iteration on
 *	%a = add %a, 4        3 instructions, of which 1 keeps the LSU for 4 cycles:   ResMII 4
 *
 * The graph has the dependences of mir/deps.h, less those of registers that are written again (anti and output dependences): each
 * iteration gets registers of its own, see sms_expand.c. Behind a load no more than pipeliner-load-latency cycles are
 * provided for. The unit that computes the condition of the branch is in front of all of the next iteration, so that no iteration
 * begins that the program does not execute: loops of any trip count are pipelined, and nothing is executed on trial.
 *
 * RecMII: each circuit asks for its latency divided by its distance. All circuits of a strongly connected component are looked at
 * at once: an interval is large enough where no circuit of the weights latency - interval * distance is positive (Bellman-Ford),
 * and the least such interval is found by bisection. Cost: units times edges of a component, times the logarithm of its latency.
 * ResMII: the busiest of the pipes of machine.def and of the issue slots, one a cycle.
 *
 * Earliest and latest cycles are longest paths over the dependences that are not around recurrences: of distance 0, or between
 * components, where an iteration's distance is worth an interval. Depth and height are those of one iteration. Linear. */
#include "mirpass/sms.h"

void sms_link(SmsGraph *g, Arena *a)
{
	GraphEdge *pair = arena_array(a, GraphEdge, g->edge.n + 1);
	for (u32 k = 0; k < g->edge.n; k++)
		pair[k] = (GraphEdge){g->edge.p[k].from, k};
	g->out = node_lists(a, g->n, pair, g->edge.n);
	for (u32 k = 0; k < g->edge.n; k++)
		pair[k] = (GraphEdge){g->edge.p[k].to, k};
	g->in = node_lists(a, g->n, pair, g->edge.n);
}

/* ---- of a loop ---- */

static SmsUnit unit_of(const SmsLoop *l, MirInstId i)
{
	const IsaDesc *d = mir_desc(l->f, i);
	IsaCost        c = isa_cost(l->machine, d);
	SmsUnit        u = {.latency = c.latency, .priority = sms_priority(d)};
	u32            most = (u32)knob_int(l->cx->s, KNOB_pipeliner_load_latency);
	if (d->flags & IF_META)
		return u;
	u.issues = 1;
	u.pipe = d->unit == UNIT_NONE ? (u8)UNIT_ALU : d->unit;
	u.busy = c.cycles;
	if (d->flags & IF_LOAD)
		u.latency = (u16)PS_MIN(u.latency, most);
	return u;
}

static void add_dependence(SmsLoop *l, const MirDep *d)
{
	SmsEdge e = {d->from, d->to, d->latency, d->distance, d->kind == DEP_TRUE ? SMS_DATA : SMS_MEMORY};
	if (d->kind == DEP_ANTI || d->kind == DEP_OUTPUT)
		return;
	if (d->latency)
		e.latency = (u16)PS_MIN(d->latency, l->graph.unit[d->from].latency);
	vec_push(l->temp, &l->graph.edge, e);
}

static void add_control(SmsLoop *l)
{
	u32 v = sms_value_of(l, l->guard);
	if (v == GRAPH_NONE)
		return;
	for (u32 u = 0; u < l->graph.n; u++)
		vec_push(l->temp, &l->graph.edge, ((SmsEdge){l->value.p[v].unit, u, 1, 1, SMS_CONTROL}));
}

static void list_units(SmsLoop *l)
{
	Vec(MirInstId) v = {0};
	for (MirInstId i = {mir_block(l->f, l->block)->first}; !mir_is(l->f, i, IF_TERMINATOR); i = mir_next(l->f, i))
		vec_push(l->cx->scratch, &v, i);
	l->inst = v.p;
	l->graph.n = v.n;
	l->graph.unit = arena_array(l->cx->scratch, SmsUnit, v.n + 1);
	for (u32 u = 0; u < v.n; u++)
		l->graph.unit[u] = unit_of(l, v.p[u]);
}

static void add_dependences(SmsLoop *l)
{
	MirStretch s = {.f = l->f, .block = l->block, .last = l->inst[l->graph.n - 1], .loop = true, .machine = l->machine};
	MirDeps   *d = mir_deps_build(&s, l->temp);
	l->n_deps = d->dep.n;
	sms_values(l);
	for (u32 k = 0; k < d->dep.n; k++)
		add_dependence(l, &d->dep.p[k]);
	add_control(l);
}

void sms_graph(SmsLoop *l)
{
	list_units(l);
	l->too_long = l->graph.n > SMS_MOST_UNITS;
	if (l->graph.n && !l->too_long)
		add_dependences(l);
	sms_link(&l->graph, l->temp);
}

/* ---- RecMII ---- */

typedef struct Component {
	const SmsGraph *g;
	Nodes           member;
	const u32      *of;
	u32             c;
	i64            *far; /* by unit: the longest path to it */
} Component;

/* Is there a circuit in the component that takes longer than `ii` cycles for each iteration that it spans? */
static bool is_too_short(const Component *x, u32 ii)
{
	bool again = true;
	for (u32 k = 0; k < x->member.n; k++)
		x->far[x->member.p[k]] = 0;
	for (u32 round = 0; again && round <= x->member.n; round++) {
		again = false;
		for (u32 k = 0; k < x->member.n; k++) {
			Nodes in = sms_in(x->g, x->member.p[k]);
			for (u32 j = 0; j < in.n; j++) {
				const SmsEdge *e = &x->g->edge.p[in.p[j]];
				i64 far = x->of[e->from] == x->c ? x->far[e->from] + e->latency - (i64)ii * e->distance : 0;
				if (far > x->far[e->to])
					x->far[e->to] = far, again = true;
			}
		}
	}
	return again;
}

static u32 component_rec(const Component *x)
{
	u32 low = 0, high = 0; /* high is always long enough: no circuit spans less than an iteration */
	for (u32 k = 0; k < x->member.n; k++) {
		Nodes in = sms_in(x->g, x->member.p[k]);
		u32   most = 0;
		for (u32 j = 0; j < in.n; j++)
			most = PS_MAX(most, x->g->edge.p[in.p[j]].latency);
		high += most;
	}
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (is_too_short(x, mid))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static Sccs components(const SmsGraph *g, Arena *a)
{
	Graph      graph;
	GraphEdge *pair = arena_array(a, GraphEdge, g->edge.n + 1);
	for (u32 k = 0; k < g->edge.n; k++)
		pair[k] = (GraphEdge){g->edge.p[k].from, g->edge.p[k].to};
	graph_build(&graph, a, g->n, pair, g->edge.n);
	return graph_sccs(&graph, a);
}

SmsBounds sms_bounds(const SmsGraph *g, Arena *a)
{
	SmsBounds b = {.sccs = components(g, a)};
	i64      *far = arena_array(a, i64, g->n + 1);
	u32       busy[UNIT_COUNT] = {0}, issued = 0;
	b.scc_rec = arena_array(a, u32, b.sccs.n + 1);
	for (u32 c = 0; c < b.sccs.n; c++) {
		Component x = {g, node_list(&b.sccs.member, c), b.sccs.of, c, far};
		b.scc_rec[c] = component_rec(&x);
		b.rec = PS_MAX(b.rec, b.scc_rec[c]);
	}
	for (u32 u = 0; u < g->n; u++) {
		busy[g->unit[u].pipe] += g->unit[u].busy;
		issued += g->unit[u].issues;
	}
	b.res = issued;
	for (u32 k = 0; k < UNIT_COUNT; k++)
		if (busy[k] > b.res)
			b.res = busy[k], b.busiest = (IsaUnit)k;
	return b;
}

/* ---- cycles ---- */

/* Is the edge not around a recurrence? Those that are not form no circuit. */
static bool is_forward(const SmsBounds *b, const SmsEdge *e)
{
	return e->kind != SMS_CONTROL && (!e->distance || b->sccs.of[e->from] != b->sccs.of[e->to]);
}

static i64 weight(const SmsEdge *e, u32 ii) { return e->latency - (i64)ii * e->distance; }

static void look_up(const SmsGraph *g, const SmsBounds *b, u32 ii, SmsTimes *t, u32 unit)
{
	Nodes in = sms_in(g, unit);
	for (u32 k = 0; k < in.n; k++) {
		const SmsEdge *e = &g->edge.p[in.p[k]];
		i64            at = is_forward(b, e) ? t->asap[e->from] + weight(e, ii) : 0;
		t->asap[unit] = (u32)PS_MAX((i64)t->asap[unit], at);
		if (!e->distance)
			t->depth[unit] = PS_MAX(t->depth[unit], t->depth[e->from] + e->latency);
	}
	t->length = PS_MAX(t->length, t->asap[unit]);
}

static void look_down(const SmsGraph *g, const SmsBounds *b, u32 ii, SmsTimes *t, u32 unit)
{
	Nodes out = sms_out(g, unit);
	i64   late = t->length;
	for (u32 k = 0; k < out.n; k++) {
		const SmsEdge *e = &g->edge.p[out.p[k]];
		if (is_forward(b, e))
			late = PS_MIN(late, t->alap[e->to] - weight(e, ii));
		if (!e->distance)
			t->height[unit] = PS_MAX(t->height[unit], t->height[e->to] + e->latency);
	}
	t->alap[unit] = (u32)late;
}

/* Components are numbered from the last to the first, and their members ascend as the edges of distance 0 do. */
SmsTimes sms_times(const SmsGraph *g, const SmsBounds *b, u32 ii, Arena *a)
{
	SmsTimes t = {arena_array(a, u32, g->n + 1), arena_array(a, u32, g->n + 1), arena_array(a, u32, g->n + 1),
	              arena_array(a, u32, g->n + 1), 0};
	for (u32 c = b->sccs.n; c-- > 0;) {
		Nodes m = node_list(&b->sccs.member, c);
		for (u32 k = 0; k < m.n; k++)
			look_up(g, b, ii, &t, m.p[k]);
	}
	for (u32 c = 0; c < b->sccs.n; c++) {
		Nodes m = node_list(&b->sccs.member, c);
		for (u32 k = m.n; k-- > 0;)
			look_down(g, b, ii, &t, m.p[k]);
	}
	return t;
}
