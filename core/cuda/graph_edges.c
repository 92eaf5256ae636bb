/* graph_edges.c: the nodes of a graph and the edges between them. Data of edges (ports, kinds) has no meaning here and must be zero. */
#include "cuda/graph.h"

#include <stdlib.h>

/* At most *n of them into `out`; without it, how many there are. */
typedef struct List {
	void **out;
	size_t room, n;
} List;

static void put(List *l, void *p)
{
	if (l->out && l->n < l->room)
		l->out[l->n] = p;
	l->n++;
}

static CUresult list_end(const List *l, size_t *n)
{
	for (size_t i = l->n; l->out && i < *n; i++)
		l->out[i] = NULL;
	*n = l->out ? PS_MIN(*n, l->n) : l->n;
	return CUDA_SUCCESS;
}

static CUresult nodes(CUgraph g, CUgraphNode *out, size_t *n, bool roots)
{
	if (!is_graph(g) || !n)
		return CUDA_ERROR_INVALID_VALUE;
	List l = {(void **)out, *n, 0};
	for (size_t i = 0; i < g->n; i++)
		if (!roots || !g->node[i]->n_after)
			put(&l, g->node[i]);
	return list_end(&l, n);
}

CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *out, size_t *n) { DRIVER_CALL(IN_CONTEXT, nodes(g, out, n, false)); }
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *out, size_t *n) { DRIVER_CALL(IN_CONTEXT, nodes(g, out, n, true)); }

static CUresult edges(CUgraph g, CUgraphNode *from, CUgraphNode *to, uint64_t *data, size_t *n)
{
	if (!is_graph(g) || !n || !from != !to)
		return CUDA_ERROR_INVALID_VALUE;
	List   a = {(void **)from, *n, 0}, b = {(void **)to, *n, 0};
	size_t room = from ? *n : 0;
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->node[i]->n_after; k++) {
			if (data && a.n < room)
				data[a.n] = 0;
			put(&a, g->node[i]->after[k]);
			put(&b, g->node[i]);
		}
	size_t count = *n;
	list_end(&a, &count);
	return list_end(&b, n);
}

CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
	DRIVER_CALL(IN_CONTEXT, edges(g, from, to, NULL, n));
}
CUresult cuGraphGetEdges_v2(CUgraph g, CUgraphNode *from, CUgraphNode *to, uint64_t *data, size_t *n)
{
	DRIVER_CALL(IN_CONTEXT, edges(g, from, to, data, n));
}

/* What the node comes behind; or (`behind`) what comes behind it. */
static CUresult neighbours(CUgraphNode n, CUgraphNode *out, uint64_t *data, size_t *count, bool behind)
{
	if (!object_is(n, OBJECT_NODE) || !count)
		return CUDA_ERROR_INVALID_VALUE;
	List l = {(void **)out, *count, 0};
	for (size_t i = 0; data && out && i < *count; i++)
		data[i] = 0;
	for (size_t i = 0; !behind && i < n->n_after; i++)
		put(&l, n->after[i]);
	for (size_t i = 0; behind && i < n->graph->n; i++)
		for (size_t k = 0; k < n->graph->node[i]->n_after; k++)
			if (n->graph->node[i]->after[k] == n)
				put(&l, n->graph->node[i]);
	return list_end(&l, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *out, size_t *n)
{
	DRIVER_CALL(IN_CONTEXT, neighbours(node, out, NULL, n, false));
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *out, uint64_t *data, size_t *n)
{
	DRIVER_CALL(IN_CONTEXT, neighbours(node, out, data, n, false));
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *out, size_t *n)
{
	DRIVER_CALL(IN_CONTEXT, neighbours(node, out, NULL, n, true));
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *out, uint64_t *data, size_t *n)
{
	DRIVER_CALL(IN_CONTEXT, neighbours(node, out, data, n, true));
}

/* ---- adding and removing */

typedef struct Edges {
	const CUgraphNode *from, *to;
	const uint64_t    *data;
	size_t             n;
} Edges;

/* Where `from` is among what `to` comes behind; ~0: it is not. */
static size_t find(CUgraphNode from, CUgraphNode to)
{
	for (size_t i = 0; i < to->n_after; i++)
		if (to->after[i] == from)
			return i;
	return SIZE_MAX;
}

static CUresult are_edges(CUgraph g, const Edges *e, bool there)
{
	if (!is_graph(g) || (e->n && (!e->from || !e->to)))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < e->n; i++) {
		CUgraphNode a = e->from[i], b = e->to[i];
		if (!object_is(a, OBJECT_NODE) || !object_is(b, OBJECT_NODE) || a->graph != g || b->graph != g || a == b ||
		    (find(a, b) != SIZE_MAX) != there)
			return CUDA_ERROR_INVALID_VALUE;
		if (e->data && e->data[i])
			return unsupported("edges of graphs with data");
	}
	return CUDA_SUCCESS;
}

static CUresult add(CUgraph g, const Edges *e)
{
	CUresult r = are_edges(g, e, false);
	for (size_t i = 0; r == CUDA_SUCCESS && i < e->n; i++) {
		CUgraphNode  to = e->to[i];
		CUgraphNode *more = realloc(to->after, (to->n_after + 1) * sizeof *more);
		if (!more)
			return CUDA_ERROR_OUT_OF_MEMORY;
		to->after = more;
		if (find(e->from[i], to) == SIZE_MAX)
			more[to->n_after++] = e->from[i];
	}
	return r;
}

static CUresult take(CUgraph g, const Edges *e)
{
	CUresult r = are_edges(g, e, true);
	for (size_t i = 0; r == CUDA_SUCCESS && i < e->n; i++) {
		CUgraphNode to = e->to[i];
		size_t      at = find(e->from[i], to);
		if (at != SIZE_MAX)
			to->after[at] = to->after[--to->n_after];
	}
	return r;
}

CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n)
{
	DRIVER_CALL(IN_CONTEXT, add(g, &(Edges){from, to, NULL, n}));
}
CUresult cuGraphAddDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const uint64_t *data, size_t n)
{
	DRIVER_CALL(IN_CONTEXT, add(g, &(Edges){from, to, data, n}));
}
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n)
{
	DRIVER_CALL(IN_CONTEXT, take(g, &(Edges){from, to, NULL, n}));
}
CUresult cuGraphRemoveDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const uint64_t *data, size_t n)
{
	DRIVER_CALL(IN_CONTEXT, take(g, &(Edges){from, to, data, n}));
}
