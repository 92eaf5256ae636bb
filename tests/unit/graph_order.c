/* Adjacency lists, reverse post order and strongly connected components against path oracles. */
#include "graph_oracle.h"
#include "unit.h"

TEST(graph, lists_keep_the_order_of_edges)
{
	GraphEdge e[] = {{0, 2}, {0, 1}, {0, 2}, {2, 0}, {1, 1}};
	Graph     g;
	graph_build(&g, a, 3, e, 5);
	EXPECT_EQ(graph_succ(&g, 0).n, 3);
	EXPECT_EQ(graph_succ(&g, 0).p[0], 2);
	EXPECT_EQ(graph_succ(&g, 0).p[1], 1);
	EXPECT_EQ(graph_succ(&g, 0).p[2], 2);
	EXPECT_EQ(graph_pred(&g, 1).n, 2);
	EXPECT_EQ(graph_pred(&g, 1).p[0], 0);
	EXPECT_EQ(graph_pred(&g, 1).p[1], 1);
	Graph back = graph_reversed(&g);
	EXPECT_EQ(graph_succ(&back, 0).p[0], 2);
}

TEST(graph, empty_and_single)
{
	Graph g;
	graph_build(&g, a, 0, NULL, 0);
	EXPECT_EQ(graph_rpo(&g, a, 0).n, 0);
	EXPECT_EQ(graph_sccs(&g, a).n, 0);
	graph_build(&g, a, 1, NULL, 0);
	EXPECT_EQ(graph_rpo(&g, a, 0).n, 1);
	EXPECT_EQ(graph_sccs(&g, a).n, 1);
}

/* A graph without cycles: every edge goes forward in reverse post order. */
TEST(graph, rpo_is_topological_without_cycles)
{
	Rng r = {1};
	for (u32 round = 0; round < 200; round++) {
		u32        n = 1 + rng_below(&r, 40);
		GraphEdges e = {0};
		for (u32 i = 0; i < n * 2; i++) {
			u32 x = rng_below(&r, n), y = rng_below(&r, n);
			if (x != y)
				vec_push(a, &e, ((GraphEdge){PS_MIN(x, y), PS_MAX(x, y)}));
		}
		Graph g;
		graph_build(&g, a, n, e.p, e.n);
		Order o = graph_rpo(&g, a, 0);
		for (u32 i = 0; i < e.n; i++)
			if (o.pos[e.p[i].from] != GRAPH_NONE)
				EXPECT(o.pos[e.p[i].from] < o.pos[e.p[i].to]);
	}
}

TEST(graph, rpo_holds_what_is_reached)
{
	Rng r = {2};
	for (u32 round = 0; round < 300; round++) {
		u32        n = 1 + rng_below(&r, 30);
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 12));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		Order o = graph_rpo(&g, a, 0);
		bool *seen = reach(a, n, &e, 0, GRAPH_NONE);
		u32   count = 0;
		for (u32 i = 0; i < n; i++) {
			EXPECT_EQ(o.pos[i] != GRAPH_NONE, seen[i]);
			count += seen[i];
			if (seen[i])
				EXPECT_EQ(o.node[o.pos[i]], i);
		}
		EXPECT_EQ(o.n, count);
		EXPECT_EQ(o.node[0], 0);
	}
}

TEST(graph, sccs_are_mutual_reachability)
{
	Rng r = {3};
	for (u32 round = 0; round < 300; round++) {
		u32        n = 1 + rng_below(&r, 24);
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 8));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		Sccs   s = graph_sccs(&g, a);
		bool **to = arena_array(a, bool *, n);
		u32    members = 0;
		for (u32 i = 0; i < n; i++)
			to[i] = reach(a, n, &e, i, GRAPH_NONE);
		for (u32 i = 0; i < n; i++)
			for (u32 k = 0; k < n; k++)
				EXPECT_EQ(s.of[i] == s.of[k], to[i][k] && to[k][i]);
		for (u32 i = 0; i < e.n; i++)
			EXPECT(s.of[e.p[i].from] >= s.of[e.p[i].to]);
		for (u32 c = 0; c < s.n; c++) {
			Nodes m = node_list(&s.member, c);
			bool  cyclic = m.n > 1;
			members += m.n;
			for (u32 i = 0; i < e.n; i++)
				cyclic |= e.p[i].from == m.p[0] && e.p[i].to == m.p[0];
			EXPECT_EQ(scc_is_cyclic(&g, &s, c), cyclic);
		}
		EXPECT_EQ(members, n);
	}
}

/* A million nodes in a row: nothing recurses. */
TEST(graph, long_path)
{
	enum { N = 1000000 };
	GraphEdge *e = arena_array(a, GraphEdge, N);
	for (u32 i = 0; i + 1 < N; i++)
		e[i] = (GraphEdge){i, i + 1};
	Graph g;
	graph_build(&g, a, N, e, N - 1);
	EXPECT_EQ(graph_rpo(&g, a, 0).n, N);
	EXPECT_EQ(graph_sccs(&g, a).n, N);
}

UNIT_MAIN
