/* graph_oracle.h: random graphs, and answers found by walking paths instead of by algorithms. */
#ifndef PS_GRAPH_ORACLE_H
#define PS_GRAPH_ORACLE_H

#include <stdlib.h>

#include "base/hash.h"
#include "graph/graph.h"

typedef struct Rng {
	u64 s;
} Rng;

static inline u32 rng_below(Rng *r, u32 n)
{
	r->s = r->s * 6364136223846793005u + 1442695040888963407u;
	return (u32)((hash_u64(r->s) >> 16) % n);
}

/* How many random functions a test runs: RANDOMMIR=N in the environment, else 10,000, or 1,000 where each takes long. */
static inline u32 random_runs(void)
{
	const char *n = getenv("RANDOMMIR");
#if defined(__SANITIZE_ADDRESS__) || defined(__wasm__)
	return n ? (u32)strtoul(n, NULL, 10) : 1000;
#else
	return n ? (u32)strtoul(n, NULL, 10) : 10000;
#endif
}

/* n nodes with about n * density / 4 edges: at low density chains and unreachable parts, at high
 * density tangles. Every third graph is laid along a path, so that deep ones occur. */
static inline GraphEdges random_edges(Arena *a, Rng *r, u32 n, u32 density)
{
	GraphEdges e = {0};
	bool       path = rng_below(r, 3) == 0;
	if (path)
		for (u32 i = 0; i + 1 < n; i++)
			vec_push(a, &e, ((GraphEdge){i, i + 1}));
	u32 more = path ? n * density / 10 : n * density / 4;
	for (u32 i = 0; i < more; i++)
		vec_push(a, &e, ((GraphEdge){rng_below(r, n), rng_below(r, n)}));
	return e;
}

/* Which nodes can be reached from `from` by a path (of no edge too) that avoids node `without`
 * (GRAPH_NONE: none)? Computed by relaxing all edges until nothing changes. */
static inline bool *reach(Arena *a, u32 n, const GraphEdges *e, u32 from, u32 without)
{
	bool *seen = arena_array(a, bool, n + 1);
	if (from == without)
		return seen;
	seen[from] = true;
	for (bool again = true; again;) {
		again = false;
		for (u32 i = 0; i < e->n; i++)
			if (seen[e->p[i].from] && e->p[i].to != without && !seen[e->p[i].to])
				again = seen[e->p[i].to] = true;
	}
	return seen;
}

#endif
