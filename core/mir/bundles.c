/* bundles.c: bundles of block borders by union-find over the edges, see bundles.h. */
#include "mir/bundles.h"

/* Sides: 2 * node is the entry, 2 * node + 1 the exit. */
static u32 find(u32 *up, u32 side)
{
	while (up[side] != side)
		side = up[side] = up[up[side]];
	return side;
}

static NodeLists lists(const MirBundles *b, const u32 *bundle, Arena *a)
{
	GraphEdge *pair = arena_array(a, GraphEdge, b->n_nodes + 1);
	for (u32 node = 0; node < b->n_nodes; node++)
		pair[node] = (GraphEdge){bundle[node], node};
	return node_lists(a, b->n, pair, b->n_nodes);
}

MirBundles *mir_bundles_build(const MirCfg *cfg, Arena *a)
{
	MirBundles *b = arena_new(a, MirBundles);
	u32         sides = 2 * cfg->g.n;
	u32        *up = arena_array(a, u32, sides + 1), *number = arena_array(a, u32, sides + 1);
	*b = (MirBundles){.in = arena_array(a, u32, cfg->g.n + 1), .out = arena_array(a, u32, cfg->g.n + 1), .n_nodes = cfg->g.n};
	for (u32 k = 0; k < sides; k++)
		up[k] = k;
	for (u32 node = 0; node < cfg->g.n; node++) {
		Nodes succ = graph_succ(&cfg->g, node);
		for (u32 k = 0; k < succ.n; k++)
			up[find(up, 2 * succ.p[k])] = find(up, 2 * node + 1);
	}
	for (u32 k = 0; k < sides; k++) {
		u32 root = find(up, k);
		if (!number[root])
			number[root] = ++b->n;
		(k & 1 ? b->out : b->in)[k / 2] = number[root] - 1;
	}
	b->entering = lists(b, b->out, a);
	b->leaving = lists(b, b->in, a);
	return b;
}

/* ---- the manager's row (pass/analyses.def) ---- */

void *mir_bundles_compute(PassCx *cx, Arena *arena);
bool  mir_bundles_equal(const void *a, const void *b);

void *mir_bundles_compute(PassCx *cx, Arena *arena) { return mir_bundles_build(mir_cfg(cx), arena); }

bool mir_bundles_equal(const void *a, const void *b)
{
	const MirBundles *x = a, *y = b;
	return x->n == y->n && x->n_nodes == y->n_nodes && memcmp(x->in, y->in, x->n_nodes * sizeof(u32)) == 0 &&
	       memcmp(x->out, y->out, x->n_nodes * sizeof(u32)) == 0;
}
