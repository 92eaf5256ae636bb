/* graph_nodes.c: what nodes of graphs do: added, asked for, changed, in graphs and in executable ones. */
#include "cuda/graph.h"

#include <stdlib.h>
#include <string.h>

/* Adds a node that does `w`, which was made out of what the program gave with the result `made`. */
static CUresult add(CUgraphNode *out, CUgraph g, AFTER, CUresult made, const Work *w)
{
	if (made != CUDA_SUCCESS)
		return made;
	if (!out || !is_graph(g) || (n && !after))
		return CUDA_ERROR_INVALID_VALUE;
	return graph_add(g, after, n, w, out);
}

/* The node does `w` from now on, in the executable graph or, where x is NULL, in its own; it stays of its kind. */
static CUresult change(CUgraphExec x, CUgraphNode n, CUresult made, const Work *w)
{
	Step *s = x ? exec_step(x, n) : NULL;
	if (!is_node(n, w->kind))
		return CUDA_ERROR_INVALID_VALUE;
	if (made != CUDA_SUCCESS)
		return made;
	if (x && (!s || s->work.kind != w->kind))
		return CUDA_ERROR_INVALID_VALUE;
	return work_replace(x ? &s->work : &n->work, w);
}

/* ---- kernels */

static CUresult kernel(const CUDA_KERNEL_NODE_PARAMS *p, u8 *room, Work *w)
{
	*w = (Work){.kind = WORK_KERNEL};
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(w->kernel.grid, p->grid, sizeof w->kernel.grid);
	memcpy(w->kernel.block, p->block, sizeof w->kernel.block);
	w->kernel.shared = p->shared_bytes;
	return kernel_work(p->func, p->params, p->extra, room, &w->kernel);
}

static CUresult add_kernel(CUgraphNode *out, CUgraph g, AFTER, const CUDA_KERNEL_NODE_PARAMS *p)
{
	u8       room[MOST_PARAMS];
	Work     w;
	CUresult made = kernel(p, room, &w);
	return add(out, g, after, n, made, &w);
}

CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, AFTER, const CUDA_KERNEL_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, add_kernel(out, g, after, n, p));
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph g, AFTER, const CUDA_KERNEL_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, add_kernel(out, g, after, n, p));
}

/* The addresses of the parameters are good until the node is changed or gone. */
static CUresult get_kernel(CUgraphNode n, CUDA_KERNEL_NODE_PARAMS *out, bool whole)
{
	size_t at, size;
	if (!is_node(n, WORK_KERNEL) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	const KernelWork *k = &n->work.kernel;
	if (!object_is(k->f, OBJECT_FUNCTION) || k->f->o.id != k->f_id)
		return CUDA_ERROR_INVALID_HANDLE;
	void **args = realloc(n->args, (k->f->kernel.n_params + 1) * sizeof *args);
	if (!args)
		return CUDA_ERROR_OUT_OF_MEMORY;
	n->args = args;
	for (u32 i = 0; ps_emulator_parameter(k->f->module->emulator, k->f->kernel.name, i, &at, &size); i++)
		args[i] = k->params + at;
	memset(out, 0, whole ? sizeof *out : offsetof(CUDA_KERNEL_NODE_PARAMS, kernel));
	out->func = k->f;
	memcpy(out->grid, k->grid, sizeof out->grid);
	memcpy(out->block, k->block, sizeof out->block);
	out->shared_bytes = k->shared;
	out->params = args;
	return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode n, CUDA_KERNEL_NODE_PARAMS *out)
{
	DRIVER_CALL(IN_CONTEXT, get_kernel(n, out, false));
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode n, CUDA_KERNEL_NODE_PARAMS *out)
{
	DRIVER_CALL(IN_CONTEXT, get_kernel(n, out, true));
}

/* `x`: of the executable graph; NULL: of the node. Its attributes stay. */
static CUresult set_kernel(CUgraphExec x, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p)
{
	u8          room[MOST_PARAMS];
	Work        w;
	CUresult    made = kernel(p, room, &w);
	const Step *s = x ? exec_step(x, n) : NULL;
	const Work *old = s ? &s->work : is_node(n, WORK_KERNEL) ? &n->work : NULL;
	if (old && old->kind == WORK_KERNEL) {
		w.kernel.cooperative = old->kernel.cooperative;
		memcpy(w.kernel.cluster, old->kernel.cluster, sizeof w.kernel.cluster);
	}
	return change(x, n, made, &w);
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, set_kernel(NULL, n, p));
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, set_kernel(NULL, n, p));
}
#define EXEC(x, call) ((x) ? (call) : CUDA_ERROR_INVALID_VALUE)
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec x, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, EXEC(x, set_kernel(x, n, p)));
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec x, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, EXEC(x, set_kernel(x, n, p)));
}

/* ---- attributes of kernels */

static int attribute_at(int id)
{
	/* the window of L2, how clusters are placed, the priority, domains of memory, the preferred cluster,
	 * shared memory out of L1 */
	static const u8 ids[NODE_ATTRIBUTES] = {1, 5, 8, 9, 10, 11, 14};
	for (int i = 0; i < NODE_ATTRIBUTES; i++)
		if (ids[i] == id)
			return i;
	return -1;
}

static CUresult get_kernel_attribute(CUgraphNode n, int id, void *out)
{
	int at = attribute_at(id);
	if (!is_node(n, WORK_KERNEL) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	const KernelWork *k = &n->work.kernel;
	if (at >= 0)
		memcpy(out, n->kept.value[at], sizeof n->kept.value[at]);
	else if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		*(int *)out = k->cooperative;
	else if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
		memcpy(out, k->cluster, sizeof k->cluster);
	else
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode n, int id, void *out)
{
	DRIVER_CALL(IN_CONTEXT, get_kernel_attribute(n, id, out));
}

static CUresult set_kernel_attribute(CUgraphNode n, int id, const void *value)
{
	int at = attribute_at(id);
	if (!is_node(n, WORK_KERNEL) || !value)
		return CUDA_ERROR_INVALID_VALUE;
	KernelWork *k = &n->work.kernel;
	if (at >= 0)
		memcpy(n->kept.value[at], value, sizeof n->kept.value[at]);
	else if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		k->cooperative = *(const int *)value != 0;
	else if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
		memcpy(k->cluster, value, sizeof k->cluster);
	else
		return id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE ? unsupported("a node that kernels update")
		                                                  : CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode n, int id, const void *value)
{
	DRIVER_CALL(IN_CONTEXT, set_kernel_attribute(n, id, value));
}

void node_priority(CUgraphNode n, int priority) { memcpy(n->kept.value[attribute_at(8)], &priority, sizeof priority); }

static CUresult copy_kernel_attributes(CUgraphNode to, CUgraphNode from)
{
	if (!is_node(to, WORK_KERNEL) || !is_node(from, WORK_KERNEL))
		return CUDA_ERROR_INVALID_VALUE;
	to->work.kernel.cooperative = from->work.kernel.cooperative;
	memcpy(to->work.kernel.cluster, from->work.kernel.cluster, sizeof to->work.kernel.cluster);
	to->kept = from->kept;
	return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
	DRIVER_CALL(IN_CONTEXT, copy_kernel_attributes(to, from));
}

/* ---- copies */

static CUresult add_copy(CUgraphNode *out, CUgraph g, AFTER, const CUDA_MEMCPY3D *p)
{
	Work     w = {.kind = WORK_COPY};
	CUresult r = copy_box(p, &w.copy);
	r = add(out, g, after, n, r, &w);
	if (r == CUDA_SUCCESS)
		(*out)->copy = *p;
	return r;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, AFTER, const CUDA_MEMCPY3D *p, CUcontext context)
{
	DRIVER_CALL(IN_CONTEXT, object_is(context, OBJECT_CONTEXT) ? add_copy(out, g, after, n, p) : CUDA_ERROR_INVALID_CONTEXT);
}

static CUresult get_copy(CUgraphNode n, CUDA_MEMCPY3D *out)
{
	if (!is_node(n, WORK_COPY) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = n->copy;
	return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode n, CUDA_MEMCPY3D *out) { DRIVER_CALL(IN_CONTEXT, get_copy(n, out)); }

static CUresult set_copy(CUgraphExec x, CUgraphNode n, const CUDA_MEMCPY3D *p)
{
	Work     w = {.kind = WORK_COPY};
	CUresult r = copy_box(p, &w.copy);
	r = change(x, n, r, &w);
	if (r == CUDA_SUCCESS && !x)
		n->copy = *p;
	return r;
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode n, const CUDA_MEMCPY3D *p) { DRIVER_CALL(IN_CONTEXT, set_copy(NULL, n, p)); }
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec x, CUgraphNode n, const CUDA_MEMCPY3D *p, CUcontext context)
{
	DRIVER_CALL(IN_CONTEXT, ((void)context, EXEC(x, set_copy(x, n, p))));
}

/* ---- fills */

static CUresult fill(const CUDA_MEMSET_NODE_PARAMS *p, Work *w)
{
	*w = (Work){.kind = WORK_FILL};
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	*w = (Work){.kind = WORK_FILL,
	            .fill = {.to = p->dst,
	                     .pitch = p->pitch,
	                     .width = p->width,
	                     .height = p->height,
	                     .value = p->value,
	                     .element = p->element_size}};
	return fill_work(&w->fill);
}

static CUresult add_fill(CUgraphNode *out, CUgraph g, AFTER, const CUDA_MEMSET_NODE_PARAMS *p)
{
	Work     w;
	CUresult made = fill(p, &w);
	return add(out, g, after, n, made, &w);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, AFTER, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context)
{
	DRIVER_CALL(IN_CONTEXT, object_is(context, OBJECT_CONTEXT) ? add_fill(out, g, after, n, p) : CUDA_ERROR_INVALID_CONTEXT);
}

static CUresult get_fill(CUgraphNode n, CUDA_MEMSET_NODE_PARAMS *out)
{
	if (!is_node(n, WORK_FILL) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	const FillWork *f = &n->work.fill;
	*out = (CUDA_MEMSET_NODE_PARAMS){f->to, f->pitch, f->value, f->element, f->width, f->height};
	return CUDA_SUCCESS;
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode n, CUDA_MEMSET_NODE_PARAMS *out) { DRIVER_CALL(IN_CONTEXT, get_fill(n, out)); }

static CUresult set_fill(CUgraphExec x, CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p)
{
	Work     w;
	CUresult made = fill(p, &w);
	return change(x, n, made, &w);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, set_fill(NULL, n, p));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec x, CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context)
{
	DRIVER_CALL(IN_CONTEXT, ((void)context, EXEC(x, set_fill(x, n, p))));
}

/* ---- functions of the host */

static CUresult host(const CUDA_HOST_NODE_PARAMS *p, Work *w)
{
	*w = (Work){.kind = WORK_HOST};
	if (!p || !p->fn)
		return CUDA_ERROR_INVALID_VALUE;
	*w = (Work){.kind = WORK_HOST, .host = {.fn = p->fn, .user = p->user}};
	return CUDA_SUCCESS;
}

static CUresult add_host(CUgraphNode *out, CUgraph g, AFTER, const CUDA_HOST_NODE_PARAMS *p)
{
	Work     w;
	CUresult made = host(p, &w);
	return add(out, g, after, n, made, &w);
}

CUresult cuGraphAddHostNode(CUgraphNode *out, CUgraph g, AFTER, const CUDA_HOST_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, add_host(out, g, after, n, p));
}

static CUresult get_host(CUgraphNode n, CUDA_HOST_NODE_PARAMS *out)
{
	if (!is_node(n, WORK_HOST) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (CUDA_HOST_NODE_PARAMS){n->work.host.fn, n->work.host.user};
	return CUDA_SUCCESS;
}

CUresult cuGraphHostNodeGetParams(CUgraphNode n, CUDA_HOST_NODE_PARAMS *out) { DRIVER_CALL(IN_CONTEXT, get_host(n, out)); }

static CUresult set_host(CUgraphExec x, CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p)
{
	Work     w;
	CUresult made = host(p, &w);
	return change(x, n, made, &w);
}

CUresult cuGraphHostNodeSetParams(CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, set_host(NULL, n, p));
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec x, CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, EXEC(x, set_host(x, n, p)));
}

/* ---- the others */

CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph g, AFTER)
{
	DRIVER_CALL(IN_CONTEXT, add(out, g, after, n, CUDA_SUCCESS, &(Work){.kind = WORK_EMPTY}));
}

static CUresult add_event(CUgraphNode *out, CUgraph g, AFTER, CUevent e, WorkKind kind)
{
	return object_is(e, OBJECT_EVENT) ? add(out, g, after, n, CUDA_SUCCESS, &(Work){.kind = kind, .event = e})
	                                  : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph g, AFTER, CUevent e)
{
	DRIVER_CALL(IN_CONTEXT, add_event(out, g, after, n, e, WORK_RECORD));
}
CUresult cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph g, AFTER, CUevent e)
{
	DRIVER_CALL(IN_CONTEXT, add_event(out, g, after, n, e, WORK_WAIT));
}

static CUresult event_of(CUgraphNode n, WorkKind kind, CUevent *out)
{
	if (!is_node(n, kind) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = n->work.event;
	return CUDA_SUCCESS;
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode n, CUevent *out) { DRIVER_CALL(IN_CONTEXT, event_of(n, WORK_RECORD, out)); }
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode n, CUevent *out) { DRIVER_CALL(IN_CONTEXT, event_of(n, WORK_WAIT, out)); }

static CUresult set_event(CUgraphExec x, CUgraphNode n, WorkKind kind, CUevent e)
{
	return change(x, n, object_is(e, OBJECT_EVENT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE,
	              &(Work){.kind = kind, .event = e});
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode n, CUevent e) { DRIVER_CALL(IN_CONTEXT, set_event(NULL, n, WORK_RECORD, e)); }
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode n, CUevent e) { DRIVER_CALL(IN_CONTEXT, set_event(NULL, n, WORK_WAIT, e)); }
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec x, CUgraphNode n, CUevent e)
{
	DRIVER_CALL(IN_CONTEXT, EXEC(x, set_event(x, n, WORK_RECORD, e)));
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec x, CUgraphNode n, CUevent e)
{
	DRIVER_CALL(IN_CONTEXT, EXEC(x, set_event(x, n, WORK_WAIT, e)));
}

/* The child is a copy of the graph. */
static CUresult add_child(CUgraphNode *out, CUgraph g, AFTER, CUgraph child)
{
	return is_graph(child) ? add(out, g, after, n, graph_may_be_cloned(child), &(Work){.kind = WORK_GRAPH, .graph = child})
	                       : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph g, AFTER, CUgraph child)
{
	DRIVER_CALL(IN_CONTEXT, add_child(out, g, after, n, child));
}

static CUresult child_of(CUgraphNode n, CUgraph *out)
{
	if (!is_node(n, WORK_GRAPH) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = n->work.graph;
	return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode n, CUgraph *out) { DRIVER_CALL(IN_CONTEXT, child_of(n, out)); }

/* In the executable graph, the child's steps stand before that of its node, and do what those of `child` do from now on. */
static CUresult set_child(CUgraphExec x, CUgraphNode n, CUgraph child)
{
	Step    *s = exec_step(x, n);
	Sequence now = {0}, next = {0};
	if (!s || !is_node(n, WORK_GRAPH) || !is_graph(child))
		return CUDA_ERROR_INVALID_VALUE;
	if (s < x->sequence.step || s >= x->sequence.step + x->sequence.n)
		return unsupported("changing a child graph in the body of a condition");
	CUresult r = graph_may_be_cloned(child);
	if (r == CUDA_SUCCESS && (r = sequence_of(&now, n->work.graph)) == CUDA_SUCCESS)
		r = sequence_of(&next, child);
	u32 at = (u32)(s - x->sequence.step);
	if (r == CUDA_SUCCESS && (now.n != next.n || next.n > at || differences(&x->sequence, at - next.n, &next) != UPDATED))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS && !user_references_copy(&x->sequence.users, &next.users))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	if (r == CUDA_SUCCESS)
		exchange_work(&x->sequence, at - next.n, &next);
	sequence_free(&now);
	sequence_free(&next);
	return r;
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec x, CUgraphNode n, CUgraph child)
{
	DRIVER_CALL(IN_CONTEXT, set_child(x, n, child));
}

static CUresult node_type(CUgraphNode n, int *out)
{
	if (!object_is(n, OBJECT_NODE) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (int)n->work.kind;
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode n, int *out) { DRIVER_CALL(IN_CONTEXT, node_type(n, out)); }

/* ---- nodes of any kind, described by one structure */

/* The kernel may be named by a handle that is good in every context. */
static CUDA_KERNEL_NODE_PARAMS any_kernel(const CUgraphNodeParams *p)
{
	CUDA_KERNEL_NODE_PARAMS k = p->kernel;
	if (!k.func)
		k.func = (CUfunction)(void *)k.kernel;
	return k;
}

static CUresult add_any(CUcontext c, CUgraphNode *out, CUgraph g, AFTER, CUgraphNodeParams *p)
{
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_KERNEL_NODE_PARAMS k;
	switch (p->type) {
	case WORK_KERNEL: k = any_kernel(p); return add_kernel(out, g, after, n, &k);
	case WORK_COPY: return add_copy(out, g, after, n, &p->copy.params);
	case WORK_FILL: return add_fill(out, g, after, n, &p->fill);
	case WORK_HOST: return add_host(out, g, after, n, &p->host);
	case WORK_GRAPH:
		return p->child.ownership ? unsupported("a child graph that is moved")
		                          : add_child(out, g, after, n, p->child.graph);
	case WORK_EMPTY: return add(out, g, after, n, CUDA_SUCCESS, &(Work){.kind = WORK_EMPTY});
	case WORK_WAIT:
	case WORK_RECORD: return add_event(out, g, after, n, p->event, (WorkKind)p->type);
	case WORK_ALLOC: return graph_add_alloc(c, out, g, after, n, &p->alloc);
	case WORK_FREE: return graph_add_free(out, g, after, n, p->free);
	case WORK_CONDITIONAL: return graph_add_conditional(out, g, after, n, &p->conditional);
	default: return unsupported("a node of this type");
	}
}

CUresult cuGraphAddNode(CUgraphNode *out, CUgraph g, AFTER, CUgraphNodeParams *p)
{
	DRIVER_CALL(IN_CONTEXT, add_any(c.context, out, g, after, n, p));
}
CUresult cuGraphAddNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *after, const uint64_t *data, size_t n,
                           CUgraphNodeParams *p)
{
	DRIVER_CALL(IN_CONTEXT, ((void)data, add_any(c.context, out, g, after, n, p)));
}

static CUresult set_any(CUgraphExec x, CUgraphNode n, const CUgraphNodeParams *p)
{
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_KERNEL_NODE_PARAMS k;
	switch (p->type) {
	case WORK_KERNEL: k = any_kernel(p); return set_kernel(x, n, &k);
	case WORK_COPY: return set_copy(x, n, &p->copy.params);
	case WORK_FILL: return set_fill(x, n, &p->fill);
	case WORK_HOST: return set_host(x, n, &p->host);
	case WORK_WAIT:
	case WORK_RECORD: return set_event(x, n, (WorkKind)p->type, p->event);
	case WORK_GRAPH:
		if (x)
			return set_child(x, n, p->child.graph);
		/* fall through */
	default: return unsupported("changing a node of this type");
	}
}

CUresult cuGraphNodeSetParams(CUgraphNode n, CUgraphNodeParams *p) { DRIVER_CALL(IN_CONTEXT, set_any(NULL, n, p)); }
CUresult cuGraphExecNodeSetParams(CUgraphExec x, CUgraphNode n, CUgraphNodeParams *p)
{
	DRIVER_CALL(IN_CONTEXT, EXEC(x, set_any(x, n, p)));
}
