/* loops.c: finds loops by walking backwards from latches, innermost loops first; loops.h describes the algorithm. */
#include "graph/loops.h"

/* The outermost loop found so far around `loop`; `up` are shortened parent links (union-find by path halving). */
static u32 outermost(u32 *up, u32 loop)
{
	while (up[loop] != loop)
		loop = up[loop] = up[up[loop]];
	return loop;
}

typedef struct Finder {
	const Graph   *g;
	const DomTree *dom;
	Loops         *l;
	u32           *stack;
	u32           *up; /* by loop */
} Finder;

/* Walks back from the latches of `loop`; whole inner loops (found before) are stepped over at once. */
static void collect_nodes(Finder *f, u32 loop)
{
	Loops *l = f->l;
	u32    header = l->loop[loop].header, depth = 0;
	Nodes  latch = node_list(&l->latch, loop);
	l->of[header] = loop;
	for (u32 i = 0; i < latch.n; i++)
		f->stack[depth++] = latch.p[i];
	while (depth) {
		u32 v = f->stack[--depth];
		if (l->of[v] == GRAPH_NONE) {
			l->of[v] = loop;
		} else {
			u32 inner = outermost(f->up, l->of[v]);
			if (inner == loop)
				continue;
			l->loop[inner].parent = f->up[inner] = loop;
			v = l->loop[inner].header; /* which dominates its latches, and no node outside leads back to it */
		}
		Nodes p = graph_pred(f->g, v);
		for (u32 i = 0; i < p.n; i++)
			if (dom_reached(f->dom, p.p[i]) && !dom_dominates(f->dom, v, p.p[i]))
				f->stack[depth++] = p.p[i];
	}
}

/* Loop.n, Loop.first and `node`: a loop's nodes and inner loops follow its header in reverse post order, each inner loop at the
 * place of its header. Edges between them that are no back edges go forward, as a loop is entered at its header. */
static void list_nodes(Loops *l, const Order *order, u32 n_nodes, Arena *a)
{
	u32 *next = arena_array(a, u32, l->n + 1), end = 0; /* by loop: where its next node or inner loop goes */
	l->node = arena_array(a, u32, n_nodes + 1);
	l->place = arena_array(a, u32, n_nodes + 1);
	for (u32 v = 0; v < n_nodes; v++) {
		l->place[v] = GRAPH_NONE;
		if (l->of[v] != GRAPH_NONE)
			l->loop[l->of[v]].n++;
	}
	for (u32 i = l->n; i-- > 0;)
		if (l->loop[i].parent != GRAPH_NONE)
			l->loop[l->loop[i].parent].n += l->loop[i].n;
	for (u32 i = 0; i < order->n; i++) {
		u32 v = order->node[i], loop = l->of[v];
		if (loop == GRAPH_NONE)
			continue;
		Loop *x = &l->loop[loop];
		if (v == x->header) {
			u32 *from = x->parent == GRAPH_NONE ? &end : &next[x->parent];
			x->first = next[loop] = *from;
			*from += x->n;
		}
		l->place[v] = next[loop]++;
		l->node[l->place[v]] = v;
	}
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
		l.loop[i] = (Loop){.header = headers.p[i], .parent = GRAPH_NONE};
	l.latch = node_lists(a, l.n, back.p, back.n);

	Finder f = {.g = g, .dom = dom, .l = &l};
	f.stack = arena_array(a, u32, n_edges + back.n + 1);
	f.up = arena_array(a, u32, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		f.up[i] = i;
	for (u32 i = l.n; i-- > 0;)
		collect_nodes(&f, i);
	for (u32 i = 0; i < l.n; i++)
		l.loop[i].depth = l.loop[i].parent == GRAPH_NONE ? 1 : l.loop[l.loop[i].parent].depth + 1;
	list_nodes(&l, order, g->n, a);
	return l;
}

Loops *loops_new(const Graph *g, const Order *order, const DomTree *dom, Arena *a)
{
	Loops *l = arena_new(a, Loops);
	*l = loops_build(g, order, dom, a);
	return l;
}

GraphEdges loop_exits(const Graph *g, const Loops *l, Arena *a, u32 loop)
{
	GraphEdges out = {0};
	Nodes      nodes = loop_nodes(l, loop);
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

bool loops_equal(const void *a, const void *b)
{
	const Loops *x = a, *y = b;
	if (x->n != y->n || memcmp(x->latch.at, y->latch.at, (x->n + 1) * sizeof(u32)) != 0 ||
	    memcmp(x->latch.item, y->latch.item, x->latch.at[x->n] * sizeof(u32)) != 0)
		return false;
	for (u32 i = 0; i < x->n; i++) {
		const Loop *p = &x->loop[i], *q = &y->loop[i];
		if (p->header != q->header || p->parent != q->parent || p->first != q->first || p->n != q->n ||
		    (p->depth == 1 && memcmp(x->node + p->first, y->node + p->first, p->n * sizeof(u32)) != 0))
			return false;
	}
	return true;
}
