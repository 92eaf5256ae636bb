#include "graph/loops.h"

static u32 outermost(const Loops *l, u32 loop)
{
	while (l->loop[loop].parent != GRAPH_NONE)
		loop = l->loop[loop].parent;
	return loop;
}

/* Walks back from the latches of `loop`; whole inner loops (found before) are stepped over at once. */
static void collect_nodes(Loops *l, const Graph *g, const DomTree *dom, u32 loop, u32 *stack)
{
	u32   header = l->loop[loop].header, depth = 0;
	Nodes latch = node_list(&l->latch, loop);
	l->of[header] = loop;
	for (u32 i = 0; i < latch.n; i++)
		stack[depth++] = latch.p[i];
	while (depth) {
		u32 v = stack[--depth], from = v, inner = GRAPH_NONE;
		if (l->of[v] == GRAPH_NONE) {
			l->of[v] = loop;
		} else {
			inner = outermost(l, l->of[v]);
			if (inner == loop)
				continue;
			l->loop[inner].parent = loop;
			from = l->loop[inner].header;
		}
		Nodes p = graph_pred(g, from);
		for (u32 i = 0; i < p.n; i++)
			if (dom_reached(dom, p.p[i]) && (inner == GRAPH_NONE || !loop_contains(l, inner, p.p[i])))
				stack[depth++] = p.p[i];
	}
}

/* `nodes` of every loop, from `of`. */
static void list_nodes(Loops *l, const Order *order, Arena *a)
{
	GraphEdges member = {0};
	for (u32 i = 0; i < order->n; i++)
		for (u32 loop = l->of[order->node[i]]; loop != GRAPH_NONE; loop = l->loop[loop].parent)
			vec_push(a, &member, ((GraphEdge){loop, order->node[i]}));
	l->nodes = node_lists(a, l->n, member.p, member.n);
}

Loops loops_build(const Graph *g, const Order *order, const DomTree *dom, Arena *a)
{
	Loops      l = {.of = arena_array(a, u32, g->n + 1)};
	GraphEdges back = {0}; /* loop → latch */
	VecU32     headers = {0};
	u32        n_edges = 0;

	for (u32 i = 0; i < g->n; i++)
		l.of[i] = GRAPH_NONE;
	for (u32 i = 0; i < order->n; i++) {
		u32   h = order->node[i], before = back.n;
		Nodes p = graph_pred(g, h);
		n_edges += p.n;
		for (u32 k = 0; k < p.n; k++)
			if (dom_reached(dom, p.p[k]) && dom_dominates(dom, h, p.p[k]))
				vec_push(a, &back, ((GraphEdge){headers.n, p.p[k]}));
		if (back.n > before)
			vec_push(a, &headers, h);
	}
	l.n = headers.n;
	l.loop = arena_array(a, Loop, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		l.loop[i] = (Loop){headers.p[i], GRAPH_NONE, 0};
	l.latch = node_lists(a, l.n, back.p, back.n);

	u32 *stack = arena_array(a, u32, n_edges + back.n + 1);
	for (u32 i = l.n; i-- > 0;)
		collect_nodes(&l, g, dom, i, stack);
	for (u32 i = 0; i < l.n; i++)
		l.loop[i].depth = l.loop[i].parent == GRAPH_NONE ? 1 : l.loop[l.loop[i].parent].depth + 1;
	list_nodes(&l, order, a);
	return l;
}

bool loop_encloses(const Loops *l, u32 outer, u32 inner)
{
	if (outer == GRAPH_NONE)
		return true;
	while (inner != GRAPH_NONE && inner != outer)
		inner = l->loop[inner].parent;
	return inner == outer;
}

bool loop_contains(const Loops *l, u32 loop, u32 node) { return loop_encloses(l, loop, l->of[node]); }

GraphEdges loop_exits(const Graph *g, const Loops *l, Arena *a, u32 loop)
{
	GraphEdges out = {0};
	Nodes      nodes = node_list(&l->nodes, loop);
	for (u32 i = 0; i < nodes.n; i++) {
		Nodes s = graph_succ(g, nodes.p[i]);
		for (u32 k = 0; k < s.n; k++)
			if (!loop_contains(l, loop, s.p[k]))
				vec_push(a, &out, ((GraphEdge){nodes.p[i], s.p[k]}));
	}
	return out;
}

u32 loop_entering(const Graph *g, const Loops *l, u32 loop)
{
	u32   found = GRAPH_NONE;
	Nodes p = graph_pred(g, l->loop[loop].header);
	for (u32 i = 0; i < p.n; i++) {
		if (loop_contains(l, loop, p.p[i]) || p.p[i] == found)
			continue;
		if (found != GRAPH_NONE)
			return GRAPH_NONE;
		found = p.p[i];
	}
	return found;
}

GraphEdges graph_irreducible_edges(const Graph *g, const Order *order, const DomTree *dom, Arena *a)
{
	GraphEdges out = {0};
	for (u32 i = 0; i < order->n; i++) {
		Nodes s = graph_succ(g, order->node[i]);
		for (u32 k = 0; k < s.n; k++)
			if (order->pos[s.p[k]] <= i && !dom_dominates(dom, s.p[k], order->node[i]))
				vec_push(a, &out, ((GraphEdge){order->node[i], s.p[k]}));
	}
	return out;
}

bool graph_is_reducible(const Graph *g, const Order *order, const DomTree *dom)
{
	for (u32 i = 0; i < order->n; i++) {
		Nodes s = graph_succ(g, order->node[i]);
		for (u32 k = 0; k < s.n; k++)
			if (order->pos[s.p[k]] <= i && !dom_dominates(dom, s.p[k], order->node[i]))
				return false;
	}
	return true;
}

static bool lists_equal(const NodeLists *a, const NodeLists *b, u32 n)
{
	return memcmp(a->at, b->at, (n + 1) * sizeof(u32)) == 0 && memcmp(a->item, b->item, a->at[n] * sizeof(u32)) == 0;
}

bool loops_equal(const void *a, const void *b)
{
	const Loops *x = a, *y = b;
	if (x->n != y->n || !lists_equal(&x->nodes, &y->nodes, x->n) || !lists_equal(&x->latch, &y->latch, x->n))
		return false;
	for (u32 i = 0; i < x->n; i++)
		if (x->loop[i].header != y->loop[i].header || x->loop[i].parent != y->loop[i].parent)
			return false;
	return true;
}
