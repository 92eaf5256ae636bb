/* dom.c: builds dominator and post-dominator trees, and dominance frontiers; dom.h describes the results.
 *
 * Dominators: semi-NCA on a depth-first numbering (Georgiadis and Tarjan), O(m log n) with path compression.
 * Post-dominators: the same on the reversed graph with a virtual exit. Iterated frontiers: Sreedhar and Gao, linear. */
#include "graph/dom.h"

#include "base/sort.h"

#include "base/bitset.h"

/* All arrays by depth-first number, 0 .. k-1, except `num`, by node. */
typedef struct Nca {
	const Graph *g;
	u32          k;
	u32         *vertex, *num;
	u32         *parent; /* of the depth-first tree; eval compresses `anc`, a copy of it */
	u32         *anc, *label, *semi;
	u32         *stack;
} Nca;

static void nca_number(Nca *t, Arena *a, u32 root)
{
	u32 *next = arena_array(a, u32, t->g->n + 1), depth = 0;
	for (u32 i = 0; i < t->g->n; i++)
		t->num[i] = GRAPH_NONE;
	t->num[root] = 0;
	t->vertex[t->k++] = root;
	t->stack[depth++] = root;
	while (depth) {
		u32   v = t->stack[depth - 1];
		Nodes s = graph_succ(t->g, v);
		if (next[v] == s.n) {
			depth--;
			continue;
		}
		u32 w = s.p[next[v]++];
		if (t->num[w] != GRAPH_NONE)
			continue;
		t->num[w] = t->k;
		t->parent[t->k] = t->num[v];
		t->vertex[t->k++] = w;
		t->stack[depth++] = w;
	}
}

/* The node of least semidominator on the path from v up to the roots of the forest; nodes numbered
 * `linked` and up are in the forest below their parents. */
static u32 nca_eval(Nca *t, u32 v, u32 linked)
{
	u32 depth = 0;
	while (v >= linked && t->anc[v] >= linked) {
		t->stack[depth++] = v;
		v = t->anc[v];
	}
	u32 top = v, best = t->label[v];
	while (depth) {
		v = t->stack[--depth];
		t->anc[v] = t->anc[top];
		if (t->semi[best] < t->semi[t->label[v]])
			t->label[v] = best;
		else
			best = t->label[v];
	}
	return t->label[v];
}

static void nca_semidominators(Nca *t)
{
	for (u32 i = 0; i < t->k; i++) {
		t->anc[i] = t->parent[i];
		t->label[i] = t->semi[i] = i;
	}
	for (u32 w = t->k; w-- > 1;) {
		Nodes p = graph_pred(t->g, t->vertex[w]);
		t->semi[w] = t->parent[w];
		for (u32 i = 0; i < p.n; i++) {
			u32 v = t->num[p.p[i]];
			if (v == GRAPH_NONE)
				continue;
			u32 u = t->semi[nca_eval(t, v, w + 1)];
			t->semi[w] = PS_MIN(t->semi[w], u);
		}
	}
}

/* Preorder intervals, depths and child lists of a tree given by idom. */
static void tree_number(DomTree *t, Arena *a, const u32 *dfs_order)
{
	GraphEdge *edge = arena_array(a, GraphEdge, t->reached + 1);
	u32        n_edges = 0, depth = 0, clock = 0;
	for (u32 i = 1; i < t->reached; i++)
		edge[n_edges++] = (GraphEdge){t->idom[dfs_order[i]], dfs_order[i]};
	t->child = node_lists(a, t->n, edge, n_edges);

	u32 *stack = arena_array(a, u32, t->n + 1), *next = arena_array(a, u32, t->n + 1);
	for (u32 i = 0; i < t->n; i++)
		t->depth[i] = GRAPH_NONE;
	t->depth[t->root] = 0;
	t->jump[t->root] = t->root;
	t->pre[clock] = t->root;
	t->in[t->root] = clock++;
	stack[depth++] = t->root;
	while (depth) {
		u32   v = stack[depth - 1];
		Nodes c = node_list(&t->child, v);
		if (next[v] == c.n) {
			t->out[v] = clock - 1;
			depth--;
			continue;
		}
		u32 w = c.p[next[v]++];
		u32 far = t->jump[v];
		t->jump[w] = t->depth[v] - t->depth[far] == t->depth[far] - t->depth[t->jump[far]] ? t->jump[far] : v;
		t->depth[w] = depth;
		t->pre[clock] = w;
		t->in[w] = clock++;
		stack[depth++] = w;
	}
}

DomTree dom_build(const Graph *g, Arena *a, u32 root)
{
	u32     n = g->n;
	DomTree d = {.n = n, .root = root};
	d.idom = arena_array(a, u32, n + 1);
	d.depth = arena_array(a, u32, n + 1);
	d.jump = arena_array(a, u32, n + 1);
	d.in = arena_array(a, u32, n + 1);
	d.out = arena_array(a, u32, n + 1);
	d.pre = arena_array(a, u32, n + 1);
	for (u32 i = 0; i < n; i++)
		d.idom[i] = d.depth[i] = GRAPH_NONE;
	if (root >= n)
		return d;

	Nca t = {.g = g};
	t.vertex = arena_array(a, u32, n + 1);
	t.num = arena_array(a, u32, n + 1);
	t.parent = arena_array(a, u32, n + 1);
	t.anc = arena_array(a, u32, n + 1);
	t.label = arena_array(a, u32, n + 1);
	t.semi = arena_array(a, u32, n + 1);
	t.stack = arena_array(a, u32, n + 1);
	nca_number(&t, a, root);
	nca_semidominators(&t);

	/* idom(w) is the nearest common ancestor of w's parent and its semidominator; by number. */
	u32 *idom = t.anc;
	idom[0] = 0;
	for (u32 w = 1; w < t.k; w++) {
		u32 up = t.parent[w];
		while (up > t.semi[w])
			up = idom[up];
		idom[w] = up;
		d.idom[t.vertex[w]] = t.vertex[up];
	}
	d.reached = t.k;
	tree_number(&d, a, t.vertex);
	return d;
}

/* By component: the member that leads to the virtual exit, or GRAPH_NONE where the component can be left. */
static u32 *exits_of_components(const Graph *g, Arena *a, u32 root, const Sccs *s)
{
	Order order = graph_rpo(g, a, root);
	u32  *exit = arena_array(a, u32, s->n + 1);
	for (u32 c = 0; c < s->n; c++) {
		Nodes m = node_list(&s->member, c);
		u32   last = m.p[0];
		bool  leaves = false;
		for (u32 i = 0; i < m.n; i++) {
			u32   v = m.p[i], pv = order.pos[v], pl = order.pos[last];
			Nodes succ = graph_succ(g, v);
			for (u32 k = 0; k < succ.n; k++)
				leaves |= s->of[succ.p[k]] != c;
			if (pv != GRAPH_NONE ? pl == GRAPH_NONE || pv > pl : pl == GRAPH_NONE)
				last = v;
		}
		exit[c] = leaves ? GRAPH_NONE : last;
	}
	return exit;
}

DomTree postdom_build(const Graph *g, Arena *a, u32 root)
{
	GraphEdges edges = {0};
	Sccs       s = graph_sccs(g, a);
	u32       *exit = exits_of_components(g, a, root, &s);

	/* A node without successors is a component that cannot be left, so it is covered by `exit`. */
	for (u32 v = 0; v < g->n; v++) {
		Nodes succ = graph_succ(g, v);
		for (u32 i = 0; i < succ.n; i++)
			vec_push(a, &edges, ((GraphEdge){succ.p[i], v}));
		if (exit[s.of[v]] == v)
			vec_push(a, &edges, ((GraphEdge){g->n, v}));
	}
	Graph back;
	graph_build(&back, a, g->n + 1, edges.p, edges.n);
	return dom_build(&back, a, g->n);
}

u32 dom_common(const DomTree *t, u32 a, u32 b)
{
	if (!dom_reached(t, a) || !dom_reached(t, b))
		return GRAPH_NONE;
	while (!dom_dominates(t, a, b))
		a = dom_dominates(t, t->jump[a], b) ? t->idom[a] : t->jump[a];
	return a;
}

NodeLists dom_frontiers(const DomTree *t, const Graph *g, Arena *a)
{
	GraphEdges edges = {0};
	u32       *last = arena_array(a, u32, t->n + 1); /* by node: the join last added to it, plus one */
	for (u32 join = 0; join < g->n; join++) {
		if (!dom_reached(t, join))
			continue;
		Nodes p = graph_pred(g, join);
		for (u32 i = 0; i < p.n; i++) {
			if (!dom_reached(t, p.p[i]))
				continue;
			for (u32 up = p.p[i]; up != GRAPH_NONE && up != t->idom[join]; up = t->idom[up]) {
				if (last[up] == join + 1)
					break;
				last[up] = join + 1;
				vec_push(a, &edges, ((GraphEdge){up, join}));
			}
		}
	}
	return node_lists(a, t->n, edges.p, edges.n);
}

/* ---- iterated frontiers ---- */

static bool is_deeper(const DomFrontier *f, u32 a, u32 b) { return f->t->depth[a] > f->t->depth[b]; }

static void waits_add(DomFrontier *f, u32 node)
{
	vec_push(f->a, &f->waits, node);
	u32 *heap = f->waits.p, at = f->waits.n - 1;
	for (; at && is_deeper(f, node, heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = node;
}

static u32 waits_take(DomFrontier *f)
{
	u32 top = f->waits.p[0], last = vec_pop(&f->waits), *heap = f->waits.p, n = f->waits.n, at = 0;
	for (u32 c; (c = 2 * at + 1) < n; at = c) {
		c += c + 1 < n && is_deeper(f, heap[c + 1], heap[c]);
		if (!is_deeper(f, heap[c], last))
			break;
		heap[at] = heap[c];
	}
	if (n)
		heap[at] = last;
	return top;
}

static bool is_join_edge(const DomTree *t, u32 from, u32 to) { return t->idom[to] != from; }

static int by_up(const void *a, const void *b, void *up)
{
	u32 x = ((const u32 *)up)[*(const u32 *)a], y = ((const u32 *)up)[*(const u32 *)b];
	return (x > y) - (x < y);
}

DomFrontier dom_frontier_new(const DomTree *t, const Graph *g, Arena *a)
{
	DomFrontier f = {.t = t, .g = g, .a = a};
	f.up = arena_array(a, u32, t->n + 1);
	f.found = arena_array(a, u32, t->n + 1);
	f.walked = arena_array(a, u32, t->n + 1);
	memset(f.up, 0xFF, t->n * sizeof *f.up);
	GraphEdges pairs = {0};
	for (u32 k = t->reached; k-- > 0;) {
		u32   v = t->pre[k];
		Nodes s = v < g->n ? graph_succ(g, v) : (Nodes){0};
		for (u32 i = 0; i < s.n; i++)
			if (is_join_edge(t, v, s.p[i]))
				f.up[v] = PS_MIN(f.up[v], t->depth[s.p[i]]);
		if (t->idom[v] != GRAPH_NONE) {
			f.up[t->idom[v]] = PS_MIN(f.up[t->idom[v]], f.up[v]);
			vec_push(a, &pairs, ((GraphEdge){t->idom[v], v}));
		}
	}
	f.child = node_lists(a, t->n, pairs.p, pairs.n);
	for (u32 v = 0; v < t->n; v++)
		sort_stable(a, f.child.item + f.child.at[v], f.child.at[v + 1] - f.child.at[v], sizeof(u32), by_up, f.up);
	return f;
}

static bool is_alive(const DomAlive *alive, u32 node)
{
	if (!alive || alive->node[node])
		return true;
	u32 low = 0, high = alive->n_spans;
	while (low < high) {
		u32 mid = low + (high - low) / 2;
		if (alive->span[mid].last < node)
			low = mid + 1;
		else
			high = mid;
	}
	return low < alive->n_spans && alive->span[low].first <= node;
}

static void walk_to(DomFrontier *f, u32 node)
{
	if (f->walked[node] == f->stamp)
		return;
	f->walked[node] = f->stamp;
	vec_push(f->a, &f->walk, node);
}

/* The nodes that an edge from `v` joins, and which are no deeper than the definition that is looked at. */
static void find_joins(DomFrontier *f, u32 v, u32 depth, const DomAlive *alive)
{
	Nodes s = graph_succ(f->g, v);
	for (u32 i = 0; i < s.n; i++) {
		u32 w = s.p[i];
		if (!is_join_edge(f->t, v, w) || f->t->depth[w] > depth || f->found[w] == f->stamp || !is_alive(alive, w))
			continue;
		f->found[w] = f->stamp;
		vec_push(f->a, &f->out, w);
		waits_add(f, w);
	}
}

Nodes dom_iterated_frontier(DomFrontier *f, Nodes def, const DomAlive *alive)
{
	f->stamp++;
	f->out.n = 0;
	for (u32 i = 0; i < def.n; i++)
		if (dom_reached(f->t, def.p[i]))
			waits_add(f, def.p[i]);
	while (f->waits.n) {
		/* Every edge that leaves top's subtree to a node not deeper than top is a join edge. */
		u32 top = waits_take(f), depth = f->t->depth[top];
		walk_to(f, top);
		while (f->walk.n) {
			u32   v = vec_pop(&f->walk);
			Nodes c = node_list(&f->child, v);
			find_joins(f, v, depth, alive);
			/* Where the variable is dead, so is every join that a definition above reaches through here: what is alive
			 * below has a definition or a join of its own in between, which was walked before. */
			for (u32 i = 0; i < c.n && f->up[c.p[i]] <= depth; i++)
				if (is_alive(alive, c.p[i]))
					walk_to(f, c.p[i]);
		}
	}
	sort_u32(f->a, f->out.p, f->out.n);
	return (Nodes){f->out.p, f->out.n};
}

bool dom_equal(const void *a, const void *b)
{
	const DomTree *x = a, *y = b;
	return x->n == y->n && x->root == y->root && memcmp(x->idom, y->idom, x->n * sizeof(u32)) == 0;
}

DomTree *dom_new(const Graph *g, Arena *a)
{
	DomTree *t = arena_new(a, DomTree);
	*t = dom_build(g, a, 0);
	return t;
}

DomTree *postdom_new(const Graph *g, Arena *a)
{
	DomTree *t = arena_new(a, DomTree);
	*t = postdom_build(g, a, 0);
	return t;
}
