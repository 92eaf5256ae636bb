/* stream.c: streams, events, capture. */
#include "cudart/state.h"

cudaError_t cudaStreamCreate(cudaStream_t *out) { RUNTIME_CALL(cuStreamCreate(out, 0)); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags) { RUNTIME_CALL(cuStreamCreate(out, flags)); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
	RUNTIME_CALL(cuStreamCreateWithPriority(out, flags, priority));
}
cudaError_t cudaStreamDestroy(cudaStream_t s) { RUNTIME_CALL(cuStreamDestroy_v2(s)); }
cudaError_t cudaStreamSynchronize(cudaStream_t s) { RUNTIME_CALL(cuStreamSynchronize(s)); }
cudaError_t cudaStreamQuery(cudaStream_t s) { RUNTIME_CALL(cuStreamQuery(s)); }
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *out) { RUNTIME_CALL(cuStreamGetFlags(s, out)); }
cudaError_t cudaStreamGetPriority(cudaStream_t s, int *out) { RUNTIME_CALL(cuStreamGetPriority(s, out)); }
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *out) { RUNTIME_CALL(cuStreamGetId(s, out)); }

static CUresult device_of(cudaStream_t s, int *out)
{
	CUcontext c;
	CUresult  r = out ? cuStreamGetCtx(s, &c) : CUDA_ERROR_INVALID_VALUE;
	return r == CUDA_SUCCESS ? cuCtxGetDevice_v2(out, c) : r;
}

cudaError_t cudaStreamGetDevice(cudaStream_t s, int *out) { RUNTIME_CALL(device_of(s, out)); }
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags) { RUNTIME_CALL(cuStreamWaitEvent(s, e, flags)); }
/* The callback gets a cudaError_t, which has the numbers of a CUresult. */
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t fn, void *user, unsigned flags)
{
	RUNTIME_CALL(cuStreamAddCallback(s, (CUstreamCallback)(void (*)(void))fn, user, flags));
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t size, unsigned flags)
{
	RUNTIME_CALL(cuStreamAttachMemAsync(s, (CUdeviceptr)(uintptr_t)p, size, flags));
}
cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode) { RUNTIME_CALL(cuStreamBeginCapture_v2(s, mode)); }
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *after, const uint64_t *data,
                                          size_t n, int mode)
{
	RUNTIME_CALL(cuStreamBeginCaptureToGraph(s, g, after, data, n, mode));
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *out) { RUNTIME_CALL(cuStreamEndCapture(s, out)); }
cudaError_t cudaStreamIsCapturing(cudaStream_t s, int *out)
{
	RUNTIME_CALL(cuStreamIsCapturing(s, (CUstreamCaptureStatus *)(void *)out));
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, int *status, unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **after, const uint64_t **data, size_t *n)
{
	RUNTIME_CALL(cuStreamGetCaptureInfo_v3(s, (CUstreamCaptureStatus *)(void *)status, (uint64_t *)(void *)id, graph, after,
	                                       data, n));
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *node, const uint64_t *data, size_t n,
                                                unsigned how)
{
	RUNTIME_CALL(cuStreamUpdateCaptureDependencies_v2(s, node, data, n, how));
}
cudaError_t cudaStreamGetAttribute(cudaStream_t s, int id, void *out) { RUNTIME_CALL(cuStreamGetAttribute(s, id, out)); }
cudaError_t cudaStreamSetAttribute(cudaStream_t s, int id, const void *value)
{
	RUNTIME_CALL(cuStreamSetAttribute(s, id, value));
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) { RUNTIME_CALL(cuStreamCopyAttributes(to, from)); }
cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode) { RUNTIME_CALL(cuThreadExchangeStreamCaptureMode(mode)); }

/* ---- events */

cudaError_t cudaEventCreate(cudaEvent_t *out) { RUNTIME_CALL(cuEventCreate(out, 0)); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags) { RUNTIME_CALL(cuEventCreate(out, flags)); }
cudaError_t cudaEventDestroy(cudaEvent_t e) { RUNTIME_CALL(cuEventDestroy_v2(e)); }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) { RUNTIME_CALL(cuEventRecord(e, s)); }
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags)
{
	RUNTIME_CALL(cuEventRecordWithFlags(e, s, flags));
}
cudaError_t cudaEventQuery(cudaEvent_t e) { RUNTIME_CALL(cuEventQuery(e)); }
cudaError_t cudaEventSynchronize(cudaEvent_t e) { RUNTIME_CALL(cuEventSynchronize(e)); }
cudaError_t cudaEventElapsedTime(float *out, cudaEvent_t from, cudaEvent_t to)
{
	RUNTIME_CALL(cuEventElapsedTime(out, from, to));
}
