/* Dominators, post-dominators and frontiers against paths: a dominates b when no path from the root
 * that avoids a arrives at b. */
#include "graph/dom.h"
#include "graph/loops.h"
#include "graph_oracle.h"
#include "unit.h"

static void check_tree(const DomTree *t, Arena *a, u32 n, const GraphEdges *e, u32 root)
{
	bool *all = reach(a, n, e, root, GRAPH_NONE);
	for (u32 x = 0; x < n; x++) {
		bool *without = reach(a, n, e, root, x);
		u32   strict = 0;
		EXPECT_EQ(dom_reached(t, x), all[x]);
		for (u32 b = 0; b < n; b++)
			EXPECT_EQ(dom_dominates(t, x, b), !all[b] || (all[x] && !without[b]));
		for (u32 d = 0; all[x] && d < n; d++)
			strict += all[d] && dom_strictly(t, d, x);
		if (all[x])
			EXPECT_EQ(t->depth[x], strict);
		if (all[x] && x != root)
			EXPECT_EQ(t->depth[t->idom[x]] + 1, t->depth[x]);
	}
}

TEST(dom, equals_the_path_oracle)
{
	Rng r = {4};
	for (u32 round = 0; round < 1000; round++) {
		u32        n = 1 + rng_below(&r, 22), root = rng_below(&r, n);
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 14));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		DomTree t = dom_build(&g, a, root);
		check_tree(&t, a, n, &e, root);
		EXPECT_EQ(t.idom[root], GRAPH_NONE);
	}
}

TEST(dom, common_dominator_is_the_deepest)
{
	Rng r = {5};
	for (u32 round = 0; round < 200; round++) {
		u32        n = 2 + rng_below(&r, 20);
		GraphEdges e = random_edges(a, &r, n, 6);
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		DomTree t = dom_build(&g, a, 0);
		for (u32 x = 0; x < n; x++)
			for (u32 y = 0; y < n; y++) {
				u32 best = GRAPH_NONE;
				for (u32 d = 0; dom_reached(&t, x) && dom_reached(&t, y) && d < n; d++)
					if (dom_reached(&t, d) && dom_dominates(&t, d, x) && dom_dominates(&t, d, y) &&
					    (best == GRAPH_NONE || t.depth[d] > t.depth[best]))
						best = d;
				EXPECT_EQ(dom_common(&t, x, y), best);
			}
	}
}

/* b is in the frontier of x: x dominates a predecessor of b, and does not strictly dominate b. */
static bool in_frontier(const DomTree *t, const GraphEdges *e, u32 x, u32 b)
{
	if (!dom_reached(t, x) || !dom_reached(t, b) || dom_strictly(t, x, b))
		return false;
	for (u32 i = 0; i < e->n; i++)
		if (e->p[i].to == b && dom_reached(t, e->p[i].from) && dom_dominates(t, x, e->p[i].from))
			return true;
	return false;
}

TEST(dom, frontiers_by_definition)
{
	Rng r = {6};
	for (u32 round = 0; round < 400; round++) {
		u32        n = 1 + rng_below(&r, 18);
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 12));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		DomTree   t = dom_build(&g, a, 0);
		NodeLists f = dom_frontiers(&t, &g, a);
		for (u32 x = 0; x < n; x++) {
			Nodes l = node_list(&f, x);
			u32   k = 0;
			for (u32 b = 0; b < n; b++) {
				bool has = k < l.n && l.p[k] == b;
				EXPECT_EQ(has, in_frontier(&t, &e, x, b));
				k += has;
			}
			EXPECT_EQ(k, l.n);
		}
	}
}

/* The least set of nodes in the frontiers of the definitions and of itself, of those that are alive (NULL: of all). */
static bool *frontier_oracle(Arena *a, const DomTree *t, const GraphEdges *e, const u32 *def, u32 n_def, const bool *alive)
{
	bool *want = arena_array(a, bool, t->n);
	for (bool again = true; again;) {
		again = false;
		for (u32 b = 0; b < t->n; b++) {
			bool in = false;
			for (u32 i = 0; i < n_def; i++)
				in |= in_frontier(t, e, def[i], b);
			for (u32 x = 0; x < t->n; x++)
				in |= want[x] && in_frontier(t, e, x, b);
			in &= !alive || alive[b];
			again |= in && !want[b];
			want[b] |= in;
		}
	}
	return want;
}

/* By node: is a variable live in that `def` define and random nodes read? */
static bool *random_alive(Arena *a, Rng *r, const Graph *g, const u32 *def, u32 n_def)
{
	bool *alive = arena_array(a, bool, g->n), *defines = arena_array(a, bool, g->n);
	for (u32 i = 0; i < n_def; i++)
		defines[def[i]] = true;
	for (u32 b = 0; b < g->n; b++)
		alive[b] = rng_below(r, 5) == 0;
	for (bool again = true; again;) {
		again = false;
		for (u32 b = 0; b < g->n; b++) {
			Nodes s = graph_succ(g, b);
			for (u32 i = 0; i < s.n; i++)
				if (alive[s.p[i]] && !defines[b] && !alive[b])
					alive[b] = again = true;
		}
	}
	return alive;
}

static void expect_nodes(Nodes got, const bool *want, u32 n)
{
	u32 k = 0;
	for (u32 b = 0; b < n; b++) {
		bool has = k < got.n && got.p[k] == b;
		EXPECT_EQ(has, want[b]);
		k += has;
	}
}

/* Some runs of nodes that are alive as spans, the others one by one. */
static u32 spans_of(Rng *r, const bool *alive, u32 n, bool *some, NodeSpan *span)
{
	u32 spans = 0;
	for (u32 b = 0, last; b < n; b = last + 1) {
		for (last = b; alive[b] && last + 1 < n && alive[last + 1];)
			last++;
		bool apart = rng_below(r, 2);
		for (u32 k = b; k <= last; k++)
			some[k] = alive[b] && apart;
		if (alive[b] && !apart)
			span[spans++] = (NodeSpan){b, last};
	}
	return spans;
}

TEST(dom, iterated_frontier_is_the_closure)
{
	Rng r = {7};
	for (u32 round = 0; round < 600; round++) {
		u32        n = 1 + rng_below(&r, 20), n_def = 1 + rng_below(&r, 4), def[4];
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 12));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		DomTree t = dom_build(&g, a, 0);
		for (u32 i = 0; i < n_def; i++)
			def[i] = rng_below(&r, n);
		bool       *alive = random_alive(a, &r, &g, def, n_def);
		DomFrontier f = dom_frontier_new(&t, &g, a);
		for (u32 again = 0; again < 2; again++) {
			expect_nodes(dom_iterated_frontier(&f, (Nodes){def, n_def}, NULL),
			             frontier_oracle(a, &t, &e, def, n_def, NULL), n);
			expect_nodes(dom_iterated_frontier(&f, (Nodes){def, n_def}, &(DomAlive){alive, NULL, 0}),
			             frontier_oracle(a, &t, &e, def, n_def, alive), n);
			bool    *some = arena_array(a, bool, n + 1);
			NodeSpan span[20];
			u32      n_spans = spans_of(&r, alive, n, some, span);
			expect_nodes(dom_iterated_frontier(&f, (Nodes){def, n_def}, &(DomAlive){some, span, n_spans}),
			             frontier_oracle(a, &t, &e, def, n_def, alive), n);
		}
	}
}

TEST(postdom, equals_the_path_oracle_where_all_leave)
{
	Rng r = {8};
	for (u32 round = 0; round < 500; round++) {
		u32        n = 1 + rng_below(&r, 18);
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 6)), back = {0};
		for (u32 i = 0; i < n; i++) /* no infinite loop: every node may go to the last one */
			if (i + 1 < n && rng_below(&r, 2))
				vec_push(a, &e, ((GraphEdge){i, n - 1}));
		for (u32 i = 0; i < e.n; i++)
			if (e.p[i].from == n - 1)
				e.p[i--] = vec_pop(&e);
		Graph g;
		graph_build(&g, a, n, e.p, e.n);
		bool loops_forever = false;
		Sccs s = graph_sccs(&g, a);
		for (u32 c = 0; c < s.n; c++) {
			Nodes m = node_list(&s.member, c);
			bool  leaves = !scc_is_cyclic(&g, &s, c);
			for (u32 i = 0; i < m.n; i++)
				for (u32 k = 0; k < graph_succ(&g, m.p[i]).n; k++)
					leaves |= s.of[graph_succ(&g, m.p[i]).p[k]] != c;
			loops_forever |= !leaves;
		}
		if (loops_forever)
			continue;
		for (u32 i = 0; i < e.n; i++)
			vec_push(a, &back, ((GraphEdge){e.p[i].to, e.p[i].from}));
		for (u32 i = 0; i < n; i++)
			if (graph_succ(&g, i).n == 0)
				vec_push(a, &back, ((GraphEdge){n, i}));
		DomTree t = postdom_build(&g, a, 0);
		EXPECT_EQ(postdom_exit(&t), n);
		check_tree(&t, a, n + 1, &back, n);
	}
}

/*  0 → 1 ⇄ 2, and 0 → 3: the loop of 1 and 2 leaves, as it were, at 2. */
TEST(postdom, infinite_loop_leaves_at_its_latch)
{
	GraphEdge e[] = {{0, 1}, {1, 2}, {2, 1}, {0, 3}};
	Graph     g;
	graph_build(&g, a, 4, e, 4);
	DomTree t = postdom_build(&g, a, 0);
	EXPECT_EQ(t.idom[1], 2);
	EXPECT_EQ(t.idom[2], 4);
	EXPECT_EQ(t.idom[3], 4);
	EXPECT_EQ(t.idom[0], 4);
	EXPECT(dom_dominates(&t, 2, 1));
}

TEST(postdom, every_node_is_in_the_tree)
{
	Rng r = {9};
	for (u32 round = 0; round < 300; round++) {
		u32        n = 1 + rng_below(&r, 30);
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 12));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		DomTree t = postdom_build(&g, a, 0);
		EXPECT_EQ(t.reached, n + 1);
		for (u32 i = 0; i < n; i++)
			EXPECT(dom_dominates(&t, n, i));
	}
}

/* ---- loops ---- */

/* Is v in the natural loop of header h: can v reach a latch of h without going through h? */
static bool in_natural_loop(Arena *a, u32 n, const GraphEdges *e, const DomTree *t, u32 h, u32 v)
{
	if (!dom_reached(t, v) || !dom_reached(t, h))
		return false;
	bool *from_v = v == h ? NULL : reach(a, n, e, v, h);
	for (u32 i = 0; i < e->n; i++) {
		u32 latch = e->p[i].from;
		if (e->p[i].to == h && dom_reached(t, latch) && dom_dominates(t, h, latch) && (v == h || from_v[latch]))
			return true;
	}
	return false;
}

static void check_loops(Arena *a, const Graph *g, const GraphEdges *e, const DomTree *t, const Order *o)
{
	u32   n = g->n, headers = 0;
	Loops l = loops_build(g, o, t, a);
	for (u32 h = 0; h < n; h++) {
		if (!in_natural_loop(a, n, e, t, h, h))
			continue;
		u32 loop = 0;
		headers++;
		while (loop < l.n && l.loop[loop].header != h)
			loop++;
		EXPECT(loop < l.n);
		if (loop == l.n)
			return;
		u32 members = 0;
		for (u32 v = 0; v < n; v++) {
			bool in = in_natural_loop(a, n, e, t, h, v);
			members += in;
			EXPECT_EQ(loop_contains(&l, loop, v), in);
		}
		EXPECT_EQ(loop_nodes(&l, loop).n, members);
		EXPECT_EQ(loop_nodes(&l, loop).p[0], h);
		for (u32 k = 0; k < members; k++)
			EXPECT(in_natural_loop(a, n, e, t, h, loop_nodes(&l, loop).p[k]));
	}
	for (u32 k = 0; graph_is_reducible(g, o, t) && k < e->n; k++) { /* an order of each loop's body */
		u32 from = e->p[k].from, to = e->p[k].to;
		if (l.of[from] != GRAPH_NONE && l.of[to] != GRAPH_NONE && !dom_dominates(t, to, from))
			EXPECT(!loop_encloses(&l, l.loop[l.of[to]].parent, l.of[from]) || l.place[from] < l.place[to]);
	}
	EXPECT_EQ(l.n, headers);
	for (u32 v = 0; v < n; v++) {
		u32 depth = 0;
		for (u32 i = 0; i < l.n; i++)
			depth += in_natural_loop(a, n, e, t, l.loop[i].header, v);
		EXPECT_EQ(loop_depth(&l, v), depth);
	}
	for (u32 i = 0; i < l.n; i++)
		if (l.loop[i].parent != GRAPH_NONE)
			EXPECT(l.loop[i].parent < i);
}

/* Reducible: taking away the edges to a dominator leaves no cycle among what is reached. */
static bool reducible_by_definition(Arena *a, u32 n, const GraphEdges *e, const DomTree *t)
{
	GraphEdges fwd = {0};
	for (u32 i = 0; i < e->n; i++)
		if (dom_reached(t, e->p[i].from) && !dom_dominates(t, e->p[i].to, e->p[i].from))
			vec_push(a, &fwd, e->p[i]);
	Graph g;
	graph_build(&g, a, n, fwd.p, fwd.n);
	Sccs s = graph_sccs(&g, a);
	return s.n == n;
}

TEST(loops, natural_loops_and_reducibility)
{
	Rng r = {10};
	u32 reducible = 0, irreducible = 0;
	for (u32 round = 0; round < 600; round++) {
		u32        n = 1 + rng_below(&r, 16);
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 9));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		DomTree t = dom_build(&g, a, 0);
		Order   o = graph_rpo(&g, a, 0);
		bool    want = reducible_by_definition(a, n, &e, &t);
		EXPECT_EQ(graph_is_reducible(&g, &o, &t), want);
		EXPECT_EQ(graph_irreducible_edges(&g, &o, &t, a).n == 0, want);
		reducible += want;
		irreducible += !want;
		check_loops(a, &g, &e, &t, &o);
	}
	EXPECT(reducible > 50 && irreducible > 50);
}

/* 0 → 1 → 2 → 3 → 2 (inner), 3 → 1 (outer), 1 → 4 */
TEST(loops, exits_and_entering)
{
	GraphEdge e[] = {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 1}, {1, 4}};
	Graph     g;
	graph_build(&g, a, 5, e, 6);
	DomTree t = dom_build(&g, a, 0);
	Order   o = graph_rpo(&g, a, 0);
	Loops   l = loops_build(&g, &o, &t, a);
	EXPECT_EQ(l.n, 2);
	EXPECT_EQ(l.loop[0].header, 1);
	EXPECT_EQ(l.loop[1].header, 2);
	EXPECT_EQ(l.loop[1].parent, 0);
	EXPECT_EQ(loop_entering(&g, &l, 0), 0);
	EXPECT_EQ(loop_entering(&g, &l, 1), 1);
	GraphEdges x = loop_exits(&g, &l, a, 1);
	EXPECT_EQ(x.n, 1);
	EXPECT_EQ(x.p[0].to, 1);
	EXPECT(loop_encloses(&l, 0, 1) && !loop_encloses(&l, 1, 0) && loop_encloses(&l, GRAPH_NONE, 0));
}

UNIT_MAIN
