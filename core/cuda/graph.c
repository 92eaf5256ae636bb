/* graph.c: graphs of work, and what is made of them to be launched.
 *
 * An executable graph is a copy of the work in an order in which everything comes behind what it depends on, so a launch is a loop. The
 * order is by depth first search from the nodes in the order in which they were added. */
#include "base/checked.h"
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>

struct CUgraphNode_st {
	Object       o;
	CUgraph      graph;
	Work         work; /* its parameters are its own */
	CUgraphNode *after;
	size_t       n_after;
	u32          mark;
};

struct CUgraph_st {
	Object       o;
	CUgraphNode *node;
	size_t       n;
};

struct CUgraphExec_st {
	Object o;
	Work  *work;
	size_t n;
};

static bool is_graph(CUgraph g) { return object_is(g, OBJECT_GRAPH); }

CUgraph graph_new(CUcontext c) { return object_new(OBJECT_GRAPH, c, sizeof(struct CUgraph_st)); }

/* A copy that owns what it points to; false: there is no memory. */
static bool work_copy(const Work *from, Work *to)
{
	*to = *from;
	if (from->kind != WORK_KERNEL)
		return true;
	to->kernel.params = malloc((size_t)from->kernel.params_size + 1);
	if (to->kernel.params)
		memcpy(to->kernel.params, from->kernel.params, (size_t)from->kernel.params_size);
	return to->kernel.params != NULL;
}

static void work_free(Work *w)
{
	if (w->kind == WORK_KERNEL)
		free(w->kernel.params);
}

CUresult graph_add(CUgraph g, const CUgraphNode *after, size_t n, const Work *w, CUgraphNode *out)
{
	for (size_t i = 0; i < n; i++)
		if (!object_is(after[i], OBJECT_NODE) || after[i]->graph != g)
			return CUDA_ERROR_INVALID_VALUE;
	CUgraphNode *more = realloc(g->node, (g->n + 1) * sizeof *more);
	if (more)
		g->node = more;
	CUgraphNode node = more ? object_new(OBJECT_NODE, g->o.context, sizeof *node) : NULL;
	if (!node)
		return CUDA_ERROR_OUT_OF_MEMORY;
	node->graph = g;
	node->after = malloc((n + 1) * sizeof *node->after);
	if (!node->after || !work_copy(w, &node->work)) {
		free(node->after);
		object_free(node);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	bytes_copy(node->after, after, n * sizeof *after);
	node->n_after = n;
	g->node[g->n++] = node;
	*out = node;
	return CUDA_SUCCESS;
}

void graph_destroy(CUgraph g)
{
	for (size_t i = 0; i < g->n; i++) {
		work_free(&g->node[i]->work);
		free(g->node[i]->after);
		object_free(g->node[i]);
	}
	free(g->node);
	object_free(g);
}

void exec_destroy(CUgraphExec x)
{
	for (size_t i = 0; i < x->n; i++)
		work_free(&x->work[i]);
	free(x->work);
	object_free(x);
}

/* ---- orders */

/* Nodes from `roots` on against the edges, what comes first in front, without recursion. A node's mark is 1 + how many of its edges
 * have been followed, and DONE in the end. NULL: no memory, or (*cycle) the graph has a cycle. */
enum { DONE = UINT32_MAX };
static CUgraphNode *ordered(CUgraph g, const CUgraphNode *roots, size_t n_roots, size_t *n, bool *cycle)
{
	CUgraphNode *order = calloc(2 * g->n + 1, sizeof *order), *stack = order ? order + g->n : NULL;
	*n = 0;
	*cycle = false;
	for (size_t i = 0; i < g->n; i++)
		g->node[i]->mark = 0;
	for (size_t i = 0; order && i < n_roots; i++) {
		size_t top = 0;
		if (roots[i]->mark)
			continue;
		roots[i]->mark = 1;
		stack[top++] = roots[i];
		while (top) {
			CUgraphNode at = stack[top - 1];
			if (at->mark - 1 == at->n_after) {
				at->mark = DONE;
				order[(*n)++] = at;
				top--;
				continue;
			}
			CUgraphNode next = at->after[at->mark++ - 1];
			if (next->mark == DONE)
				continue;
			if (next->mark) {
				*cycle = true;
				free(order);
				return NULL;
			}
			next->mark = 1;
			stack[top++] = next;
		}
	}
	return order;
}

bool graph_reaches(CUgraph g, const CUgraphNode *last, size_t n_last, const CUgraphNode *all, size_t n_all)
{
	size_t       n;
	bool         cycle;
	CUgraphNode *order = ordered(g, last, n_last, &n, &cycle);
	bool         reached = order != NULL;
	for (size_t i = 0; i < n_all; i++)
		reached = reached && all[i]->mark == DONE;
	free(order);
	return reached;
}

/* ---- building */

static CUresult create(CUcontext c, CUgraph *out, unsigned flags)
{
	if (!out || flags)
		return CUDA_ERROR_INVALID_VALUE;
	*out = graph_new(c);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuGraphCreate(CUgraph *out, unsigned flags) { DRIVER_CALL(IN_CONTEXT, create(c.context, out, flags)); }

static CUresult destroy(CUgraph g)
{
	if (!is_graph(g))
		return CUDA_ERROR_INVALID_VALUE;
	graph_destroy(g);
	return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph g) { DRIVER_CALL(IN_CONTEXT, destroy(g)); }

static CUresult add(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const Work *w)
{
	if (!out || !is_graph(g) || (n && !after))
		return CUDA_ERROR_INVALID_VALUE;
	return graph_add(g, after, n, w, out);
}

static CUresult add_kernel(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_KERNEL_NODE_PARAMS *p)
{
	u8   room[MOST_PARAMS];
	Work w = {.kind = WORK_KERNEL};
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(w.kernel.grid, p->grid, sizeof w.kernel.grid);
	memcpy(w.kernel.block, p->block, sizeof w.kernel.block);
	w.kernel.shared = p->shared_bytes;
	CUresult r = kernel_work(p->func, p->params, p->extra, room, &w.kernel);
	return r == CUDA_SUCCESS ? add(out, g, after, n, &w) : r;
}

CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_KERNEL_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, add_kernel(out, g, after, n, p));
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n,
                                 const CUDA_KERNEL_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, add_kernel(out, g, after, n, p));
}

static CUresult add_copy(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_MEMCPY3D *p)
{
	Work     w = {.kind = WORK_COPY};
	CUresult r = copy_box(p, &w.copy);
	return r == CUDA_SUCCESS ? add(out, g, after, n, &w) : r;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_MEMCPY3D *p,
                              CUcontext context)
{
	DRIVER_CALL(IN_CONTEXT, object_is(context, OBJECT_CONTEXT) ? add_copy(out, g, after, n, p) : CUDA_ERROR_INVALID_CONTEXT);
}

static CUresult add_fill(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_MEMSET_NODE_PARAMS *p)
{
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	Work     w = {.kind = WORK_FILL,
	              .fill = {.to = p->dst,
	                       .pitch = p->pitch,
	                       .width = p->width,
	                       .height = p->height,
	                       .value = p->value,
	                       .element = p->element_size}};
	CUresult r = fill_work(&w.fill);
	return r == CUDA_SUCCESS ? add(out, g, after, n, &w) : r;
}

CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_MEMSET_NODE_PARAMS *p,
                              CUcontext context)
{
	DRIVER_CALL(IN_CONTEXT, object_is(context, OBJECT_CONTEXT) ? add_fill(out, g, after, n, p) : CUDA_ERROR_INVALID_CONTEXT);
}

static CUresult add_host(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_HOST_NODE_PARAMS *p)
{
	if (!p || !p->fn)
		return CUDA_ERROR_INVALID_VALUE;
	return add(out, g, after, n, &(Work){.kind = WORK_HOST, .host = {.fn = p->fn, .user = p->user}});
}

CUresult cuGraphAddHostNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_HOST_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, add_host(out, g, after, n, p));
}
CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n)
{
	DRIVER_CALL(IN_CONTEXT, add(out, g, after, n, &(Work){.kind = WORK_EMPTY}));
}

/* At most *n of them; without room, how many there are. */
static CUresult nodes(CUgraph g, CUgraphNode *out, size_t *n)
{
	if (!is_graph(g) || !n)
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; out && i < *n; i++)
		out[i] = i < g->n ? g->node[i] : NULL;
	*n = out ? PS_MIN(*n, g->n) : g->n;
	return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *out, size_t *n) { DRIVER_CALL(IN_CONTEXT, nodes(g, out, n)); }

static CUresult node_type(CUgraphNode n, int *out)
{
	if (!object_is(n, OBJECT_NODE) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (int)n->work.kind;
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode n, int *out) { DRIVER_CALL(IN_CONTEXT, node_type(n, out)); }

/* ---- launching */

static CUresult instantiate(CUcontext c, CUgraphExec *out, CUgraph g, unsigned long long flags)
{
	size_t n;
	bool   cycle;
	if (!out || !is_graph(g) || flags > 15)
		return CUDA_ERROR_INVALID_VALUE;
	CUgraphNode *order = ordered(g, g->node, g->n, &n, &cycle);
	CUgraphExec  x = order ? object_new(OBJECT_EXEC, c, sizeof *x) : NULL;
	if (x)
		x->work = calloc(n + 1, sizeof *x->work);
	bool ok = x && x->work;
	for (size_t i = 0; ok && i < n; i++, x->n += ok)
		ok = work_copy(&order[i]->work, &x->work[i]);
	free(order);
	if (!ok && x)
		exec_destroy(x);
	*out = ok ? x : NULL;
	return ok ? CUDA_SUCCESS : cycle ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph g, unsigned long long flags)
{
	DRIVER_CALL(IN_CONTEXT, instantiate(c.context, out, g, flags));
}

static CUresult launch(CUcontext c, CUgraphExec x, CUstream handle)
{
	CUstream s;
	if (!object_is(x, OBJECT_EXEC))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = stream_of(c, handle, &s);
	if (r == CUDA_SUCCESS && stream_captures(s))
		return unsupported("a graph that is launched while its stream is captured");
	for (size_t i = 0; r == CUDA_SUCCESS && i < x->n && !c->failed; i++)
		r = work_run(c, &x->work[i]);
	return r;
}

CUresult cuGraphLaunch(CUgraphExec x, CUstream s) { DRIVER_CALL(IN_CONTEXT, launch(c.context, x, s)); }

static CUresult exec_only(CUgraphExec x, bool destroyed)
{
	if (!object_is(x, OBJECT_EXEC))
		return CUDA_ERROR_INVALID_VALUE;
	if (destroyed)
		exec_destroy(x);
	return CUDA_SUCCESS;
}

CUresult cuGraphUpload(CUgraphExec x, CUstream s) { DRIVER_CALL(IN_CONTEXT, ((void)s, exec_only(x, false))); }
CUresult cuGraphExecDestroy(CUgraphExec x) { DRIVER_CALL(IN_CONTEXT, exec_only(x, true)); }
