/* Passages against the edges, looked at one by one. */
#include "graph/passages.h"
#include "graph_oracle.h"
#include "unit.h"

/* Which nodes reach one without successors? */
static bool *leaving(Arena *arena, u32 n, const GraphEdges *e)
{
	bool *yes = arena_array(arena, bool, n + 1), *has_succ = arena_array(arena, bool, n + 1);
	for (u32 k = 0; k < e->n; k++)
		has_succ[e->p[k].from] = true;
	for (u32 x = 0; x < n; x++) {
		bool *seen = reach(arena, n, e, x, GRAPH_NONE);
		for (u32 y = 0; y < n; y++)
			yes[x] |= seen[y] && !has_succ[y];
	}
	return yes;
}

/* Are the nodes [first, end) entered only at `first`, left only to `end`, and all in front of `end` that precedes it? */
static bool is_passage(const GraphEdges *e, const bool *leaves, u32 first, u32 end)
{
	for (u32 x = first; x < end; x++)
		if (!leaves[x])
			return false;
	for (u32 x = first; x < end; x++) {
		bool goes_on = false;
		for (u32 k = 0; k < e->n; k++)
			goes_on |= e->p[k].from == x;
		if (!goes_on)
			return false;
	}
	bool arrives = false;
	for (u32 k = 0; k < e->n; k++) {
		u32  from = e->p[k].from, to = e->p[k].to;
		bool inside = from >= first && from < end;
		if (inside && (to < first || to > end))
			return false;
		if (!inside && to > first && to < end)
			return false;
		if (to == end && from < end && !inside)
			return false;
		arrives |= inside && to == end;
	}
	return arrives;
}

/* Mostly nested and one behind the other, with some edges at random. */
static GraphEdges structured(Arena *arena, Rng *r, u32 n, u32 wild)
{
	GraphEdges e = {0};
	for (u32 k = 0; k + 1 < n; k++) {
		vec_push(arena, &e, ((GraphEdge){k, k + 1}));
		if (rng_below(r, 2) && k + 2 < n)
			vec_push(arena, &e, ((GraphEdge){k, k + 1 + rng_below(r, 1 + rng_below(r, 2) * (n - k - 2) / 2 + 1)}));
		if (rng_below(r, 4) == 0)
			vec_push(arena, &e, ((GraphEdge){k, k - rng_below(r, PS_MIN(k + 1, 4u))}));
	}
	for (u32 k = 0; k < wild; k++)
		vec_push(arena, &e, ((GraphEdge){rng_below(r, n), rng_below(r, n)}));
	return e;
}

TEST(passages, equal_the_edge_oracle)
{
	Rng r = {11};
	u32 found = 0, of_several = 0;
	for (u32 round = 0; round < 2000; round++) {
		u32        n = 1 + rng_below(&r, 24);
		GraphEdges e = round % 2 ? structured(a, &r, n, rng_below(&r, 3)) : random_edges(a, &r, n, 1 + rng_below(&r, 10));
		Graph      g;
		graph_build(&g, a, n, e.p, e.n);
		Passages p = passages_new(&g, a);
		bool    *leaves = leaving(a, n, &e);
		VecU32   holes = {0};
		for (u32 k = 0; k < n; k++)
			if (rng_below(&r, 8) == 0)
				vec_push(a, &holes, k);
		for (u32 end = 0; end < n; end++) {
			u32  shortest = GRAPH_NONE, longest = GRAPH_NONE;
			bool clear = true;
			for (u32 first = end; first-- > 0;) {
				for (u32 k = 0; k < holes.n; k++)
					clear &= holes.p[k] != first;
				if (!is_passage(&e, leaves, first, end))
					continue;
				shortest = shortest == GRAPH_NONE ? first : shortest;
				longest = clear ? first : longest;
			}
			EXPECT_EQ(p.at[end].first, shortest);
			EXPECT_EQ(passage_before(&p, end, (Nodes){holes.p, holes.n}), longest);
			found += longest != GRAPH_NONE;
			of_several += longest != GRAPH_NONE && longest != shortest;
		}
	}
	EXPECT(found > 1000);
	EXPECT(of_several > 100);
}

/* A chain of 100,000: however long the passage, its beginning is found in few steps. */
TEST(passages, long_chains_take_few_steps)
{
	enum { N = 100000 };
	GraphEdges e = {0};
	for (u32 k = 0; k + 1 < N; k++)
		vec_push(a, &e, ((GraphEdge){k, k + 1}));
	Graph g;
	graph_build(&g, a, N, e.p, e.n);
	Passages p = passages_new(&g, a);
	u32      most = 0;
	for (u32 end = 1; end < N; end += 37) {
		u32 at = end, steps = 0;
		for (u32 left = p.at[end].steps; left; steps++) {
			left -= p.at[at].wide;
			at = p.at[at].jump;
		}
		EXPECT_EQ(at, 0);
		EXPECT_EQ(passage_before(&p, end, (Nodes){NULL, 0}), 0);
		most = PS_MAX(most, steps);
	}
	EXPECT(most <= 40);
}

UNIT_MAIN
