/* diverge.c: joins and cycles of divergent branches, see diverge.h. */
#include "graph/diverge.h"

/* Is `to`, which comes earlier in the order, the header of a loop around `from`? */
static bool is_back_edge(const Loops *l, u32 from, u32 to)
{
	u32 loop = l->of[to];
	return loop != GRAPH_NONE && l->loop[loop].header == to && loop_contains(l, loop, from);
}

/* Components with a retreating edge that is not a loop's back edge. */
static void find_tangles(Diverge *d)
{
	bool found = false;
	for (u32 i = 0; i < d->order->n; i++) {
		u32   v = d->order->node[i];
		Nodes s = graph_succ(d->g, v);
		for (u32 k = 0; k < s.n; k++) {
			if (d->order->pos[s.p[k]] > i || is_back_edge(d->loops, v, s.p[k]))
				continue;
			if (!found) {
				d->scc = graph_sccs(d->g, d->arena);
				d->tangle = bitset_new(d->arena, d->scc.n);
				found = true;
			}
			bitset_add(d->tangle, d->scc.of[v]);
		}
	}
}

void diverge_init(Diverge *d, const Graph *g, const Order *order, const DomTree *postdom, const Loops *loops, Arena *a)
{
	*d = (Diverge){.g = g, .order = order, .postdom = postdom, .loops = loops, .arena = a};
	d->branch = bitset_new(a, g->n);
	d->join = bitset_new(a, g->n);
	d->region = bitset_new(a, g->n);
	d->number = arena_array(a, u32, g->n + 1);
	find_tangles(d);
	d->left = bitset_new(a, loops->n + d->scc.n);
}

static void add(Diverge *d, Bitset set, VecU32 *list, u32 x)
{
	if (bitset_has(set, x))
		return;
	bitset_add(set, x);
	vec_push(d->arena, list, x);
}

static u32 tangle_of(const Diverge *d, u32 node)
{
	return d->scc.n && bitset_has(d->tangle, d->scc.of[node]) ? d->loops->n + d->scc.of[node] : GRAPH_NONE;
}

/* ---- the region of one branch ---- */

typedef struct Region {
	VecU32 node; /* of the graph, by number; number 0 is the branch, which stands there again if a path leads back to it */
	GraphEdges edge;    /* by numbers */
	u32        n_first; /* edges of the branch, which come first */
	u32        stop;    /* where the threads meet again at the latest; none: the virtual exit */
	u32       *way;     /* by number: the node dominated immediately by the branch that leads there */
} Region;

static void number_edge(Diverge *d, Region *r, Arena *a, u32 from, u32 to)
{
	if (!d->number[to]) {
		vec_push(a, &r->node, to);
		d->number[to] = r->node.n;
	}
	vec_push(a, &r->edge, ((GraphEdge){from, d->number[to] - 1}));
}

/* Do all threads that come to `stop`, which post-dominates the branch, come to it in one iteration of each loop around both? */
static bool is_meeting(const Diverge *d, u32 branch, u32 stop)
{
	const Loops *l = d->loops;
	if (stop >= d->g->n)
		return true;
	if (tangle_of(d, branch) != GRAPH_NONE && d->scc.of[branch] == d->scc.of[stop])
		return false;
	for (u32 x = l->of[branch]; x != GRAPH_NONE; x = l->loop[x].parent)
		if (loop_contains(l, x, stop) && l->loop[x].header != stop && d->number[l->loop[x].header])
			return false;
	return true;
}

/* Breadth first, up to the branch itself and the first post-dominator where the threads meet. */
static void collect_region(Diverge *d, Region *r, Arena *a, u32 branch)
{
	Nodes s = graph_succ(d->g, branch);
	u32   at_stop = 0; /* its number, where it has one */
	r->stop = d->postdom->idom[branch];
	vec_push(a, &r->node, branch);
	for (u32 i = 0; i < s.n; i++)
		if (!d->number[s.p[i]]) /* several edges to one successor separate nobody */
			number_edge(d, r, a, 0, s.p[i]);
	r->n_first = r->edge.n;
	for (u32 k = 1; k < r->node.n && r->n_first > 1;) {
		u32 v = r->node.p[k++];
		if (v == r->stop)
			at_stop = k - 1;
		s = v == r->stop || v == branch ? (Nodes){0} : graph_succ(d->g, v);
		for (u32 i = 0; i < s.n; i++)
			number_edge(d, r, a, k - 1, s.p[i]);
		while (k == r->node.n && !is_meeting(d, branch, r->stop)) {
			v = r->stop;
			r->stop = d->postdom->idom[v];
			s = graph_succ(d->g, v);
			for (u32 i = 0; i < s.n && at_stop; i++)
				number_edge(d, r, a, at_stop, s.p[i]);
			at_stop = 0; /* no path comes to the next one but through this */
		}
	}
}

static void find_joins(Diverge *d, Region *r, Arena *a)
{
	Graph g;
	graph_build(&g, a, r->node.n, r->edge.p, r->edge.n);
	DomTree t = dom_build(&g, a, 0);
	r->way = arena_array(a, u32, r->node.n);
	for (u32 i = 1; i < t.reached; i++) {
		u32 v = t.pre[i];
		r->way[v] = t.idom[v] ? r->way[t.idom[v]] : v;
		if (t.idom[v])
			continue;
		bool  joins = false;
		Nodes p = graph_pred(&g, v);
		for (u32 k = 0; k < p.n && !joins; k++)
			joins = p.p[k] && !dom_dominates(&t, v, p.p[k]);
		if (joins)
			add(d, d->join, &d->joins, r->node.p[v]);
	}
}

/* Loops around the branch whose exits and headers are reached on different ways. */
static void find_left(Diverge *d, const Region *r)
{
	const Loops *l = d->loops;
	u32          branch = r->node.p[0], tangle = tangle_of(d, branch);
	for (u32 k = 0; k < r->edge.n; k++) {
		u32 from = r->node.p[r->edge.p[k].from], to = r->node.p[r->edge.p[k].to];
		for (u32 x = l->of[from]; x != GRAPH_NONE && !loop_contains(l, x, to); x = l->loop[x].parent) {
			u32 header = d->number[l->loop[x].header];
			if (loop_contains(l, x, branch) && header && r->way[header - 1] != r->way[r->edge.p[k].to])
				add(d, d->left, &d->lefts, x);
		}
	}
	if (tangle != GRAPH_NONE)
		add(d, d->left, &d->lefts, tangle);
}

void diverge_branch(Diverge *d, u32 node)
{
	if (graph_succ(d->g, node).n < 2 || bitset_has(d->branch, node))
		return;
	bitset_add(d->branch, node);
	Arena  a;
	Region r = {0};
	arena_init(&a, d->arena->budget);
	collect_region(d, &r, &a, node);
	if (r.n_first > 1) {
		find_joins(d, &r, &a);
		find_left(d, &r);
		for (u32 k = 1; k < r.node.n; k++)
			if (r.node.p[k] != r.stop)
				add(d, d->region, &d->regions, r.node.p[k]);
	}
	for (u32 k = 0; k < r.node.n; k++)
		d->number[r.node.p[k]] = 0;
	arena_free(&a);
}

/* ---- cycles ---- */

Nodes diverge_cycle(const Diverge *d, u32 cycle)
{
	return cycle < d->loops->n ? loop_nodes(d->loops, cycle) : node_list(&d->scc.member, cycle - d->loops->n);
}

bool diverge_differs(const Diverge *d, u32 cycle, u32 def, u32 use, bool by_phi)
{
	return cycle < d->loops->n ? !loop_contains(d->loops, cycle, use) : def != use || by_phi;
}

bool diverge_escapes(const Diverge *d, u32 def, u32 use, bool by_phi)
{
	const Loops *l = d->loops;
	u32          tangle = tangle_of(d, def);
	for (u32 x = l->of[def]; x != GRAPH_NONE && !loop_contains(l, x, use); x = l->loop[x].parent)
		if (bitset_has(d->left, x))
			return true;
	return tangle != GRAPH_NONE && bitset_has(d->left, tangle) && diverge_differs(d, tangle, def, use, by_phi);
}
