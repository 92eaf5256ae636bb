/* graph.c: graphs: nodes are described in the runtime's terms and added in the driver's. */
#include "cudart/state.h"

#include <string.h>

enum { NODE_KERNEL, NODE_COPY, NODE_FILL, NODE_ALLOC = 10, NODE_CONDITIONAL = 13 };

/* What nodes come after, as every function that adds one is given it. */
#define AFTER const cudaGraphNode_t *after, size_t n

cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags) { RUNTIME_CALL(cuGraphCreate(out, flags)); }
cudaError_t cudaGraphDestroy(cudaGraph_t g) { RUNTIME_CALL(cuGraphDestroy(g)); }

static CUresult kernel_params(const cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *out)
{
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (CUDA_KERNEL_NODE_PARAMS){.grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
	                                 .block = {p->blockDim.x, p->blockDim.y, p->blockDim.z},
	                                 .shared_bytes = p->sharedMemBytes,
	                                 .params = p->kernelParams,
	                                 .extra = p->extra};
	return function_of(p->func, &out->func);
}

static CUresult add_kernel(cudaGraphNode_t *out, cudaGraph_t g, AFTER, const cudaKernelNodeParams *p)
{
	CUDA_KERNEL_NODE_PARAMS k;
	CUresult                r = kernel_params(p, &k);
	return r == CUDA_SUCCESS ? cuGraphAddKernelNode_v2(out, g, after, n, &k) : r;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, const cudaKernelNodeParams *p)
{
	RUNTIME_CALL(add_kernel(out, g, after, n, p));
}

static CUresult add_copy(cudaGraphNode_t *out, cudaGraph_t g, AFTER, CUresult described, const CUDA_MEMCPY3D *p)
{
	CUcontext c;
	CUresult  r = described == CUDA_SUCCESS ? cuCtxGetCurrent(&c) : described;
	return r == CUDA_SUCCESS ? cuGraphAddMemcpyNode(out, g, after, n, p, c) : r;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, const cudaMemcpy3DParms *p)
{
	CUDA_MEMCPY3D c;
	RUNTIME_CALL(add_copy(out, g, after, n, copy_params(p, &c), &c));
}

/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t g, AFTER, void *to, const void *from, size_t size,
                                     cudaMemcpyKind kind)
{
	CUDA_MEMCPY3D c;
	RUNTIME_CALL(add_copy(out, g, after, n, copy_line(to, from, size, kind, &c), &c));
}

static CUDA_MEMSET_NODE_PARAMS fill_params(const cudaMemsetParams *p)
{
	return (CUDA_MEMSET_NODE_PARAMS){(CUdeviceptr)(uintptr_t)p->dst, p->pitch, p->value, p->elementSize, p->width, p->height};
}

static CUresult add_fill(cudaGraphNode_t *out, cudaGraph_t g, AFTER, const cudaMemsetParams *p)
{
	CUcontext c;
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_MEMSET_NODE_PARAMS f = fill_params(p);
	CUresult                r = cuCtxGetCurrent(&c);
	return r == CUDA_SUCCESS ? cuGraphAddMemsetNode(out, g, after, n, &f, c) : r;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, const cudaMemsetParams *p)
{
	RUNTIME_CALL(add_fill(out, g, after, n, p));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, const CUDA_HOST_NODE_PARAMS *p)
{
	RUNTIME_CALL(cuGraphAddHostNode(out, g, after, n, p));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER)
{
	RUNTIME_CALL(cuGraphAddEmptyNode(out, g, after, n));
}
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *out, size_t *n) { RUNTIME_CALL(cuGraphGetNodes(g, out, n)); }
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, int *out) { RUNTIME_CALL(cuGraphNodeGetType(node, out)); }

/* ---- what nodes do */

static CUresult kernel_of(cudaGraphNode_t node, cudaKernelNodeParams *out)
{
	CUDA_KERNEL_NODE_PARAMS k;
	CUresult                r = out ? cuGraphKernelNodeGetParams_v2(node, &k) : CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		*out = (cudaKernelNodeParams){
			k.func, {k.grid[0], k.grid[1], k.grid[2]}, {k.block[0], k.block[1], k.block[2]}, k.shared_bytes, k.params,
			k.extra};
	return r;
}

/* The function is the driver's handle, which every call that takes a kernel takes, too. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *out) { RUNTIME_CALL(kernel_of(node, out)); }

/* Of the executable graph; NULL: of the node. */
static CUresult set_kernel(cudaGraphExec_t x, cudaGraphNode_t node, const cudaKernelNodeParams *p)
{
	CUDA_KERNEL_NODE_PARAMS k;
	CUresult                r = kernel_params(p, &k);
	return r != CUDA_SUCCESS ? r
	       : x               ? cuGraphExecKernelNodeSetParams_v2(x, node, &k)
	                         : cuGraphKernelNodeSetParams_v2(node, &k);
}

#define EXEC(x, call) RUNTIME_CALL((x) ? (call) : CUDA_ERROR_INVALID_VALUE)

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *p)
{
	RUNTIME_CALL(set_kernel(NULL, node, p));
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, const cudaKernelNodeParams *p)
{
	EXEC(x, set_kernel(x, node, p));
}

static CUresult set_copy(cudaGraphExec_t x, cudaGraphNode_t node, CUresult described, const CUDA_MEMCPY3D *p)
{
	if (described != CUDA_SUCCESS)
		return described;
	return x ? cuGraphExecMemcpyNodeSetParams(x, node, p, NULL) : cuGraphMemcpyNodeSetParams(node, p);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *p)
{
	CUDA_MEMCPY3D c;
	RUNTIME_CALL(set_copy(NULL, node, copy_params(p, &c), &c));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, const cudaMemcpy3DParms *p)
{
	CUDA_MEMCPY3D c;
	EXEC(x, set_copy(x, node, copy_params(p, &c), &c));
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t size, cudaMemcpyKind kind)
{
	CUDA_MEMCPY3D c;
	RUNTIME_CALL(set_copy(NULL, node, copy_line(to, from, size, kind, &c), &c));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t x, cudaGraphNode_t node, void *to, const void *from, size_t size,
                                               cudaMemcpyKind kind)
{
	CUDA_MEMCPY3D c;
	EXEC(x, set_copy(x, node, copy_line(to, from, size, kind, &c), &c));
}

/* Described as the driver has it, in the runtime's terms. */
static CUresult copy_of(cudaGraphNode_t node, cudaMemcpy3DParms *out)
{
	CUDA_MEMCPY3D c;
	CUresult      r = out ? cuGraphMemcpyNodeGetParams(node, &c) : CUDA_ERROR_INVALID_VALUE;
	return r == CUDA_SUCCESS ? copy_params_back(&c, out) : r;
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *out) { RUNTIME_CALL(copy_of(node, out)); }

static CUresult set_fill(cudaGraphExec_t x, cudaGraphNode_t node, const cudaMemsetParams *p)
{
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_MEMSET_NODE_PARAMS f = fill_params(p);
	return x ? cuGraphExecMemsetNodeSetParams(x, node, &f, NULL) : cuGraphMemsetNodeSetParams(node, &f);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *p)
{
	RUNTIME_CALL(set_fill(NULL, node, p));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, const cudaMemsetParams *p)
{
	EXEC(x, set_fill(x, node, p));
}

static CUresult fill_of(cudaGraphNode_t node, cudaMemsetParams *out)
{
	CUDA_MEMSET_NODE_PARAMS f;
	CUresult                r = out ? cuGraphMemsetNodeGetParams(node, &f) : CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		*out = (cudaMemsetParams){(void *)(uintptr_t)f.dst, f.pitch, f.value, f.element_size, f.width, f.height};
	return r;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *out) { RUNTIME_CALL(fill_of(node, out)); }
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, CUDA_HOST_NODE_PARAMS *out)
{
	RUNTIME_CALL(cuGraphHostNodeGetParams(node, out));
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS *p)
{
	RUNTIME_CALL(cuGraphHostNodeSetParams(node, p));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS *p)
{
	RUNTIME_CALL(cuGraphExecHostNodeSetParams(x, node, p));
}

/* ---- nodes of any kind, described by one structure */

/* In the driver's terms: kernels, copies and fills are described otherwise, and the rest is the same. */
static CUresult any_params(const cudaGraphNodeParams *p, CUgraphNodeParams *out)
{
	CUcontext c;
	CUresult  r = p ? cuCtxGetCurrent(&c) : CUDA_ERROR_INVALID_VALUE;
	if (r != CUDA_SUCCESS)
		return r;
	*out = (CUgraphNodeParams){.type = p->type};
	memcpy(out->room, p->room, sizeof out->room);
	if (p->type == NODE_KERNEL)
		return kernel_params(&p->kernel, &out->kernel);
	if (p->type == NODE_COPY)
		return out->copy.context = c, copy_params(&p->copy.params, &out->copy.params);
	if (p->type == NODE_FILL)
		out->fill = fill_params(&p->fill);
	if (p->type == NODE_CONDITIONAL)
		out->conditional.context = c;
	return CUDA_SUCCESS;
}

/* What the driver gives back is for the program. */
static CUresult add_any(cudaGraphNode_t *out, cudaGraph_t g, AFTER, const uint64_t *data, cudaGraphNodeParams *p)
{
	CUgraphNodeParams d;
	CUresult          r = any_params(p, &d);
	if (r == CUDA_SUCCESS)
		r = cuGraphAddNode_v2(out, g, after, data, n, &d);
	if (r == CUDA_SUCCESS && p->type == NODE_ALLOC)
		p->alloc.address = d.alloc.address;
	if (r == CUDA_SUCCESS && p->type == NODE_CONDITIONAL)
		p->conditional.bodies = d.conditional.bodies;
	return r;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, const uint64_t *data, size_t n,
                             cudaGraphNodeParams *p)
{
	RUNTIME_CALL(add_any(out, g, after, n, data, p));
}

static CUresult set_any(cudaGraphExec_t x, cudaGraphNode_t node, const cudaGraphNodeParams *p)
{
	CUgraphNodeParams d;
	CUresult          r = any_params(p, &d);
	return r != CUDA_SUCCESS ? r : x ? cuGraphExecNodeSetParams(x, node, &d) : cuGraphNodeSetParams(node, &d);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *p) { RUNTIME_CALL(set_any(NULL, node, p)); }
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, cudaGraphNodeParams *p)
{
	EXEC(x, set_any(x, node, p));
}

/* ---- memory, conditions */

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, CUDA_MEM_ALLOC_NODE_PARAMS *p)
{
	RUNTIME_CALL(cuGraphAddMemAllocNode(out, g, after, n, p));
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, CUDA_MEM_ALLOC_NODE_PARAMS *out)
{
	RUNTIME_CALL(cuGraphMemAllocNodeGetParams(node, out));
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, void *p)
{
	RUNTIME_CALL(cuGraphAddMemFreeNode(out, g, after, n, (CUdeviceptr)(uintptr_t)p));
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *out)
{
	RUNTIME_CALL(cuGraphMemFreeNodeGetParams(node, out));
}
cudaError_t cudaDeviceGraphMemTrim(int d) { RUNTIME_CALL(cuDeviceGraphMemTrim(d)); }
cudaError_t cudaDeviceGetGraphMemAttribute(int d, int a, void *value) { RUNTIME_CALL(cuDeviceGetGraphMemAttribute(d, a, value)); }
cudaError_t cudaDeviceSetGraphMemAttribute(int d, int a, void *value) { RUNTIME_CALL(cuDeviceSetGraphMemAttribute(d, a, value)); }
cudaError_t cudaGraphConditionalHandleCreate(CUgraphConditionalHandle *out, cudaGraph_t g, unsigned value, unsigned flags)
{
	RUNTIME_CALL(cuGraphConditionalHandleCreate(out, g, NULL, value, flags));
}

/* ---- copies to and from variables */

static CUresult in_symbol(const void *symbol, size_t size, size_t offset, void **out)
{
	CUdeviceptr p;
	size_t      bytes;
	CUresult    r = symbol_of(symbol, &p, &bytes);
	if (r == CUDA_SUCCESS && (offset > bytes || size > bytes - offset))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		*out = (void *)(uintptr_t)(p + offset);
	return r;
}

/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t g, AFTER, const void *symbol, const void *from,
                                           size_t size, size_t offset, cudaMemcpyKind kind)
{
	CUDA_MEMCPY3D c;
	void         *to = NULL;
	CUresult      r = runtime_begin();
	r = r ? r : in_symbol(symbol, size, offset, &to);
	return runtime_end(r ? r : add_copy(out, g, after, n, copy_line(to, from, size, kind, &c), &c));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t g, AFTER, void *to, const void *symbol,
                                             size_t size, size_t offset, cudaMemcpyKind kind)
{
	CUDA_MEMCPY3D c;
	void         *from = NULL;
	CUresult      r = runtime_begin();
	r = r ? r : in_symbol(symbol, size, offset, &from);
	return runtime_end(r ? r : add_copy(out, g, after, n, copy_line(to, from, size, kind, &c), &c));
}

/* Of the executable graph; NULL: of the node. */
static CUresult set_to_symbol(cudaGraphExec_t x, cudaGraphNode_t node, const void *symbol, const void *from, size_t size,
                              size_t offset, cudaMemcpyKind kind)
{
	CUDA_MEMCPY3D c;
	void         *to = NULL;
	CUresult      r = in_symbol(symbol, size, offset, &to);
	return r == CUDA_SUCCESS ? set_copy(x, node, copy_line(to, from, size, kind, &c), &c) : r;
}

static CUresult set_from_symbol(cudaGraphExec_t x, cudaGraphNode_t node, void *to, const void *symbol, size_t size, size_t offset,
                                cudaMemcpyKind kind)
{
	CUDA_MEMCPY3D c;
	void         *from = NULL;
	CUresult      r = in_symbol(symbol, size, offset, &from);
	return r == CUDA_SUCCESS ? set_copy(x, node, copy_line(to, from, size, kind, &c), &c) : r;
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *from, size_t size,
                                                 size_t offset, cudaMemcpyKind kind)
{
	RUNTIME_CALL(set_to_symbol(NULL, node, symbol, from, size, offset, kind));
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const void *symbol, size_t size, size_t offset,
                                                   cudaMemcpyKind kind)
{
	RUNTIME_CALL(set_from_symbol(NULL, node, to, symbol, size, offset, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t x, cudaGraphNode_t node, const void *symbol,
                                                     const void *from, size_t size, size_t offset, cudaMemcpyKind kind)
{
	EXEC(x, set_to_symbol(x, node, symbol, from, size, offset, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t x, cudaGraphNode_t node, void *to, const void *symbol,
                                                       size_t size, size_t offset, cudaMemcpyKind kind)
{
	EXEC(x, set_from_symbol(x, node, to, symbol, size, offset, kind));
}

/* ---- attributes of kernels, graphs as text */

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, int id, void *out)
{
	RUNTIME_CALL(cuGraphKernelNodeGetAttribute(node, id, out));
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, int id, const void *value)
{
	RUNTIME_CALL(cuGraphKernelNodeSetAttribute(node, id, value));
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
	RUNTIME_CALL(cuGraphKernelNodeCopyAttributes(to, from));
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t g, const char *path, unsigned flags)
{
	RUNTIME_CALL(cuGraphDebugDotPrint(g, path, flags));
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, cudaGraph_t child)
{
	RUNTIME_CALL(cuGraphExecChildGraphNodeSetParams(x, node, child));
}

/* ---- events, children, copies of graphs */

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, cudaEvent_t e)
{
	RUNTIME_CALL(cuGraphAddEventRecordNode(out, g, after, n, e));
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, cudaEvent_t e)
{
	RUNTIME_CALL(cuGraphAddEventWaitNode(out, g, after, n, e));
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
	RUNTIME_CALL(cuGraphEventRecordNodeGetEvent(node, out));
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t e)
{
	RUNTIME_CALL(cuGraphEventRecordNodeSetEvent(node, e));
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
	RUNTIME_CALL(cuGraphEventWaitNodeGetEvent(node, out));
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t e)
{
	RUNTIME_CALL(cuGraphEventWaitNodeSetEvent(node, e));
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t x, cudaGraphNode_t node, cudaEvent_t e)
{
	RUNTIME_CALL(cuGraphExecEventRecordNodeSetEvent(x, node, e));
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t x, cudaGraphNode_t node, cudaEvent_t e)
{
	RUNTIME_CALL(cuGraphExecEventWaitNodeSetEvent(x, node, e));
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t g, AFTER, cudaGraph_t child)
{
	RUNTIME_CALL(cuGraphAddChildGraphNode(out, g, after, n, child));
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *out)
{
	RUNTIME_CALL(cuGraphChildGraphNodeGetGraph(node, out));
}
cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t g) { RUNTIME_CALL(cuGraphClone(out, g)); }
cudaError_t cudaUserObjectCreate(CUuserObject *out, void *value, CUhostFn destroy, unsigned count, unsigned flags)
{
	RUNTIME_CALL(cuUserObjectCreate(out, value, destroy, count, flags));
}
cudaError_t cudaUserObjectRetain(CUuserObject u, unsigned count) { RUNTIME_CALL(cuUserObjectRetain(u, count)); }
cudaError_t cudaUserObjectRelease(CUuserObject u, unsigned count) { RUNTIME_CALL(cuUserObjectRelease(u, count)); }
cudaError_t cudaGraphRetainUserObject(cudaGraph_t g, CUuserObject u, unsigned count, unsigned flags)
{
	RUNTIME_CALL(cuGraphRetainUserObject(g, u, count, flags));
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t g, CUuserObject u, unsigned count)
{
	RUNTIME_CALL(cuGraphReleaseUserObject(g, u, count));
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t node, cudaGraph_t g)
{
	RUNTIME_CALL(cuGraphNodeFindInClone(out, node, g));
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) { RUNTIME_CALL(cuGraphDestroyNode(node)); }

/* ---- edges; their data is that of the driver */

cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *out, size_t *n)
{
	RUNTIME_CALL(cuGraphGetRootNodes(g, out, n));
}
cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, uint64_t *data, size_t *n)
{
	RUNTIME_CALL(cuGraphGetEdges_v2(g, from, to, data, n));
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *out, uint64_t *data, size_t *n)
{
	RUNTIME_CALL(cuGraphNodeGetDependencies_v2(node, out, data, n));
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *out, uint64_t *data, size_t *n)
{
	RUNTIME_CALL(cuGraphNodeGetDependentNodes_v2(node, out, data, n));
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const uint64_t *data,
                                     size_t n)
{
	RUNTIME_CALL(cuGraphAddDependencies_v2(g, from, to, data, n));
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const uint64_t *data, size_t n)
{
	RUNTIME_CALL(cuGraphRemoveDependencies_v2(g, from, to, data, n));
}

/* ---- executable graphs */

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t g, CUDA_GRAPH_INSTANTIATE_PARAMS *p)
{
	RUNTIME_CALL(cuGraphInstantiateWithParams(out, g, p));
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t x, cudaGraph_t g, CUgraphExecUpdateResultInfo *info)
{
	RUNTIME_CALL(cuGraphExecUpdate_v2(x, g, info));
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t x, unsigned long long *out) { RUNTIME_CALL(cuGraphExecGetFlags(x, out)); }
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t x, cudaGraphNode_t node, unsigned on)
{
	RUNTIME_CALL(cuGraphNodeSetEnabled(x, node, on));
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t x, cudaGraphNode_t node, unsigned *out)
{
	RUNTIME_CALL(cuGraphNodeGetEnabled(x, node, out));
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags)
{
	RUNTIME_CALL(cuGraphInstantiateWithFlags(out, g, flags));
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags)
{
	RUNTIME_CALL(cuGraphInstantiateWithFlags(out, g, flags));
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t s) { RUNTIME_CALL(cuGraphLaunch(x, s)); }
cudaError_t cudaGraphUpload(cudaGraphExec_t x, cudaStream_t s) { RUNTIME_CALL(cuGraphUpload(x, s)); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t x) { RUNTIME_CALL(cuGraphExecDestroy(x)); }
