/* twelve.c: what the runtime of CUDA 12 has besides that of CUDA 13: the forms of functions that CUDA 13 has left, by their plain names.
 * The newer forms are the other files', which twelve.h gives the names that they have there. */
#include "cudart/state.h"

#if PS_CUDART == 12

#define AT(p) ((CUdeviceptr)(uintptr_t)(p))

#undef cudaGetDeviceProperties
#undef cudaChooseDevice
#undef cudaMemPrefetchAsync
#undef cudaMemAdvise
#undef cudaGraphGetEdges
#undef cudaGraphNodeGetDependencies
#undef cudaGraphNodeGetDependentNodes
#undef cudaGraphAddDependencies
#undef cudaGraphRemoveDependencies
#undef cudaGraphAddNode
#undef cudaStreamUpdateCaptureDependencies
#undef cudaStreamGetCaptureInfo
#undef cudaMemcpyBatchAsync
#undef cudaMemcpy3DBatchAsync

/* Devices were numbers, and -1 the host. */
cudaError_t cudaMemPrefetchAsync(const void *p, size_t size, int device, cudaStream_t s);
cudaError_t cudaMemPrefetchAsync(const void *p, size_t size, int device, cudaStream_t s)
{
	RUNTIME_CALL(cuMemPrefetchAsync(AT(p), size, device, s));
}
cudaError_t cudaMemAdvise(const void *p, size_t size, int advice, int device);
cudaError_t cudaMemAdvise(const void *p, size_t size, int advice, int device)
{
	RUNTIME_CALL(cuMemAdvise(AT(p), size, advice, device));
}

/* Edges had no data. */
cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n);
cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n)
{
	RUNTIME_CALL(cuGraphGetEdges(g, from, to, n));
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *out, size_t *n);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *out, size_t *n)
{
	RUNTIME_CALL(cuGraphNodeGetDependencies(node, out, n));
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *out, size_t *n);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *out, size_t *n)
{
	RUNTIME_CALL(cuGraphNodeGetDependentNodes(node, out, n));
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n);
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n)
{
	RUNTIME_CALL(cuGraphAddDependencies(g, from, to, n));
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n)
{
	RUNTIME_CALL(cuGraphRemoveDependencies(g, from, to, n));
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n, cudaGraphNodeParams *p);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n, cudaGraphNodeParams *p)
{
	return cudaGraphAddNode_v2(out, g, after, NULL, n, p);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *node, size_t n, unsigned how);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *node, size_t n, unsigned how)
{
	RUNTIME_CALL(cuStreamUpdateCaptureDependencies(s, node, n, how));
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, int *status, unsigned long long *id);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, int *status, unsigned long long *id)
{
	return cudaStreamGetCaptureInfo_v3(s, status, id, NULL, NULL, NULL, NULL);
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t s, int *status, unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **after, size_t *n);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t s, int *status, unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **after, size_t *n)
{
	return cudaStreamGetCaptureInfo_v3(s, status, id, graph, after, NULL, n);
}

cudaError_t cudaMemcpyBatchAsync(void **to, void **from, size_t *size, size_t n, CUmemcpyAttributes *how, size_t *first,
                                 size_t n_how, size_t *fail, cudaStream_t s);
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemcpyBatchAsync(void **to, void **from, size_t *size, size_t n, CUmemcpyAttributes *how, size_t *first,
                                 size_t n_how, size_t *fail, cudaStream_t s)
{
	RUNTIME_CALL(
		cuMemcpyBatchAsync((CUdeviceptr *)(void *)to, (CUdeviceptr *)(void *)from, size, n, how, first, n_how, fail, s));
}
cudaError_t cudaMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *p, size_t *fail, unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *p, size_t *fail, unsigned long long flags, cudaStream_t s)
{
	RUNTIME_CALL(cuMemcpy3DBatchAsync(n, p, fail, flags, s));
}

/* Names from before CUDA 4. */
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaEventElapsedTime_v2(float *out, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventElapsedTime_v2(float *out, cudaEvent_t from, cudaEvent_t to) { return cudaEventElapsedTime(out, from, to); }

#endif
