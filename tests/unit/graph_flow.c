/* Dataflow: liveness and definite assignment against walking every path. */
#include "graph/flow.h"
#include "graph_oracle.h"
#include "unit.h"

/* Fact b holds after a node: some path from a node that generates b arrives with no kill on the way. */
static bool may_hold_out(Arena *a, u32 n, const GraphEdges *e, const SetFlow *f, const bool *live, u32 node, u32 b)
{
	bool *holds = arena_array(a, bool, n); /* b may hold after */
	for (bool again = true; again;) {
		again = false;
		for (u32 v = 0; v < n; v++) {
			bool in = false;
			for (u32 i = 0; i < e->n; i++)
				in |= e->p[i].to == v && live[e->p[i].from] && holds[e->p[i].from];
			bool out = live[v] && (bitset_has(f->gen[v], b) || (in && !bitset_has(f->kill[v], b)));
			again |= out != holds[v];
			holds[v] = out;
		}
	}
	return holds[node];
}

/* Fact b fails to hold after a node on some path from the root. */
static bool may_fail_out(Arena *a, u32 n, const GraphEdges *e, const SetFlow *f, const bool *live, u32 node, u32 b)
{
	bool *fails = arena_array(a, bool, n);
	for (bool again = true; again;) {
		again = false;
		for (u32 v = 0; v < n; v++) {
			bool in = v == 0; /* nothing holds at the start */
			for (u32 i = 0; i < e->n; i++)
				in |= e->p[i].to == v && live[e->p[i].from] && fails[e->p[i].from];
			bool out = live[v] && !bitset_has(f->gen[v], b) && (in || bitset_has(f->kill[v], b));
			again |= out != fails[v];
			fails[v] = out;
		}
	}
	return fails[node];
}

static SetFlow random_sets(Arena *a, Rng *r, u32 n, u32 bits)
{
	SetFlow f = {.bits = bits, .gen = arena_array(a, Bitset, n), .kill = arena_array(a, Bitset, n)};
	for (u32 i = 0; i < n; i++) {
		f.gen[i] = bitset_new(a, bits);
		f.kill[i] = bitset_new(a, bits);
		for (u32 b = 0; b < bits; b++) {
			if (rng_below(r, 5) == 0)
				bitset_add(f.gen[i], b);
			if (rng_below(r, 4) == 0)
				bitset_add(f.kill[i], b);
		}
	}
	return f;
}

TEST(flow, sets_forward)
{
	Rng r = {11};
	for (u32 round = 0; round < 120; round++) {
		u32        n = 1 + rng_below(&r, 14), bits = 3;
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 9));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		Order   o = graph_rpo(&g, a, 0);
		bool   *live = reach(a, n, &e, 0, GRAPH_NONE);
		SetFlow may = random_sets(a, &r, n, bits), must = may;
		must.all_paths = true;
		set_flow_solve(&may, &g, &o, a);
		set_flow_solve(&must, &g, &o, a);
		for (u32 v = 0; v < n; v++)
			for (u32 b = 0; live[v] && b < bits; b++) {
				EXPECT_EQ(bitset_has(may.out[v], b), may_hold_out(a, n, &e, &may, live, v, b));
				EXPECT_EQ(bitset_has(must.out[v], b), !may_fail_out(a, n, &e, &must, live, v, b));
			}
	}
}

TEST(flow, sets_backward)
{
	Rng r = {12};
	for (u32 round = 0; round < 120; round++) {
		u32        n = 1 + rng_below(&r, 14), bits = 3;
		GraphEdges e = random_edges(a, &r, n, 1 + rng_below(&r, 9)), turned = {0};
		for (u32 i = 0; i < e.n; i++)
			vec_push(a, &turned, ((GraphEdge){e.p[i].to, e.p[i].from}));
		Graph g;
		graph_build(&g, a, n, e.p, e.n);
		Graph   back = graph_reversed(&g);
		Order   o = flow_backward_order(&g, a, 0);
		bool   *all = arena_array(a, bool, n);
		SetFlow f = random_sets(a, &r, n, bits);
		memset(all, 1, n);
		EXPECT_EQ(o.n, n);
		set_flow_solve(&f, &back, &o, a);
		for (u32 v = 0; v < n; v++)
			for (u32 b = 0; b < bits; b++)
				EXPECT_EQ(bitset_has(f.out[v], b), may_hold_out(a, n, &turned, &f, all, v, b));
	}
}

typedef struct Count {
	u32 calls[4];
} Count;

static bool never_changes(void *user, u32 node)
{
	((Count *)user)->calls[node]++;
	return false;
}

TEST(flow, visits_once_where_nothing_changes)
{
	GraphEdge e[] = {{0, 1}, {1, 2}, {2, 1}};
	Graph     g;
	Count     c = {{0}};
	graph_build(&g, a, 4, e, 3);
	Order o = graph_rpo(&g, a, 0);
	EXPECT_EQ(flow_solve(&g, &o, a, never_changes, &c), 3);
	EXPECT_EQ(c.calls[1], 1);
	EXPECT_EQ(c.calls[3], 0);
}

UNIT_MAIN
