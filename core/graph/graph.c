/* graph.c: builds adjacency arrays by counting sort, depth-first orders, and strongly connected components by Tarjan's
 * algorithm. All are linear in nodes and edges, and keep explicit stacks instead of recursion. */
#include "graph/graph.h"

/* Counting sort of the edges by one end: stable, so every list keeps the order of the edges. */
static NodeLists lists_build(Arena *a, u32 n, const GraphEdge *edge, u32 n_edges, bool by_target)
{
	NodeLists lists = {arena_array(a, u32, n + 1), arena_array(a, u32, n_edges + 1)}, *l = &lists;
	for (u32 i = 0; i < n_edges; i++)
		l->at[by_target ? edge[i].to : edge[i].from]++;
	u32 sum = 0;
	for (u32 i = 0; i <= n; i++) {
		u32 count = i < n ? l->at[i] : 0;
		l->at[i] = sum;
		sum += count;
	}
	for (u32 i = 0; i < n_edges; i++) {
		u32 key = by_target ? edge[i].to : edge[i].from;
		l->item[l->at[key]++] = by_target ? edge[i].from : edge[i].to;
	}
	/* at[i] now is the end of list i, which is the start of list i + 1. */
	for (u32 i = n; i > 0; i--)
		l->at[i] = l->at[i - 1];
	l->at[0] = 0;
	return lists;
}

NodeLists node_lists(Arena *a, u32 n, const GraphEdge *pair, u32 n_pairs) { return lists_build(a, n, pair, n_pairs, false); }

void graph_build(Graph *g, Arena *a, u32 n, const GraphEdge *edge, u32 n_edges)
{
	g->n = n;
	g->succ = lists_build(a, n, edge, n_edges, false);
	g->pred = lists_build(a, n, edge, n_edges, true);
}

Order graph_rpo(const Graph *g, Arena *a, u32 root)
{
	Order o = {arena_array(a, u32, g->n + 1), arena_array(a, u32, g->n + 1), 0};
	u32  *stack = arena_array(a, u32, g->n + 1);
	u32  *next = arena_array(a, u32, g->n + 1); /* by node: its next successor to visit */
	u32   depth = 0, fill = g->n;

	for (u32 i = 0; i < g->n; i++)
		o.pos[i] = GRAPH_NONE;
	if (root >= g->n)
		return o;
	stack[depth++] = root;
	o.pos[root] = 0;
	while (depth) {
		u32   v = stack[depth - 1];
		Nodes s = graph_succ(g, v);
		if (next[v] == s.n) {
			o.node[--fill] = v;
			depth--;
			continue;
		}
		u32 w = s.p[next[v]++];
		if (o.pos[w] == GRAPH_NONE) {
			o.pos[w] = 0;
			stack[depth++] = w;
		}
	}
	o.n = g->n - fill;
	memmove(o.node, o.node + fill, o.n * sizeof(u32));
	for (u32 i = 0; i < o.n; i++)
		o.pos[o.node[i]] = i;
	return o;
}

/* ---- strongly connected components ---- */

typedef struct Tarjan {
	const Graph *g;
	u32         *low, *index; /* by node; index 0 = not seen */
	u32         *next;
	u32         *path, depth;  /* the depth-first path */
	u32         *open, n_open; /* seen, not yet in a component */
	u32          counter;
} Tarjan;

static void tarjan_enter(Tarjan *t, u32 v)
{
	t->index[v] = t->low[v] = ++t->counter;
	t->path[t->depth++] = v;
	t->open[t->n_open++] = v;
}

static void tarjan_close(Tarjan *t, Sccs *s, u32 v)
{
	u32 w;
	do {
		w = t->open[--t->n_open];
		s->of[w] = s->n;
	} while (w != v);
	s->n++;
}

static void tarjan_from(Tarjan *t, Sccs *s, u32 root)
{
	tarjan_enter(t, root);
	while (t->depth) {
		u32   v = t->path[t->depth - 1];
		Nodes succ = graph_succ(t->g, v);
		if (t->next[v] < succ.n) {
			u32 w = succ.p[t->next[v]++];
			if (!t->index[w])
				tarjan_enter(t, w);
			else if (s->of[w] == GRAPH_NONE)
				t->low[v] = PS_MIN(t->low[v], t->index[w]);
			continue;
		}
		if (t->low[v] == t->index[v])
			tarjan_close(t, s, v);
		if (--t->depth) {
			u32 up = t->path[t->depth - 1];
			t->low[up] = PS_MIN(t->low[up], t->low[v]);
		}
	}
}

Sccs graph_sccs(const Graph *g, Arena *a)
{
	u32    n = g->n;
	Sccs   s = {.of = arena_array(a, u32, n + 1)};
	Tarjan t = {.g = g,
	            .low = arena_array(a, u32, n + 1),
	            .index = arena_array(a, u32, n + 1),
	            .next = arena_array(a, u32, n + 1),
	            .path = arena_array(a, u32, n + 1),
	            .open = arena_array(a, u32, n + 1)};
	for (u32 i = 0; i < n; i++)
		s.of[i] = GRAPH_NONE;
	for (u32 i = 0; i < n; i++)
		if (!t.index[i])
			tarjan_from(&t, &s, i);

	GraphEdge *edge = arena_array(a, GraphEdge, n + 1); /* component → member */
	for (u32 i = 0; i < n; i++)
		edge[i] = (GraphEdge){s.of[i], i};
	s.member = node_lists(a, s.n, edge, n);
	return s;
}

bool scc_is_cyclic(const Graph *g, const Sccs *s, u32 c)
{
	Nodes m = node_list(&s->member, c);
	if (m.n > 1)
		return true;
	Nodes succ = graph_succ(g, m.p[0]);
	for (u32 i = 0; i < succ.n; i++)
		if (succ.p[i] == m.p[0])
			return true;
	return false;
}
