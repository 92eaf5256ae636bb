/* Streams, events, callbacks, graphs that are built and graphs that are captured. */
#include "test.h"

enum { N = 64 };

static void count(void *user) { ++*(int *)user; }

/* May call the driver's functions that do no work, and other threads may run. */
static void called(CUstream s, CUresult status, void *user)
{
	(void)s;
	int devices;
	OK(status);
	OK(cuDeviceGetCount(&devices));
	++*(int *)user;
}

static float first(CUdeviceptr p)
{
	float v;
	OK(cuMemcpyDtoH_v2(&v, p, sizeof v));
	return v;
}

static void events(CUstream s)
{
	CUevent from, to, untimed;
	float   ms = -1;
	int     calls = 0;
	OK(cuEventCreate(&from, 0));
	OK(cuEventCreate(&to, CU_EVENT_BLOCKING_SYNC));
	OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, from, to)); /* not recorded */
	OK(cuEventRecord(from, s));
	OK(cuLaunchHostFunc(s, count, &calls));
	OK(cuStreamAddCallback(s, called, &calls, 0));
	OK(cuEventRecord(to, s));
	OK(cuEventRecord(untimed, NULL));
	OK(cuStreamWaitEvent(s, untimed, 0));
	OK(cuEventQuery(to));
	OK(cuEventSynchronize(to));
	OK(cuEventElapsedTime(&ms, from, to));
	TRUE(ms >= 0 && ms < 1e4f && calls == 2);
	OK(cuEventElapsedTime(&ms, to, from));
	TRUE(ms <= 0);
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, from, untimed));
	OK(cuEventDestroy_v2(from));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(from, s));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy_v2(from));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&from, 64));
}

static void built(CUfunction add, CUdeviceptr a, CUdeviceptr b)
{
	CUgraph                 g;
	CUgraphExec             x;
	CUgraphNode             fill, kernel, host, after[2], all[8];
	CUcontext               c;
	int                     calls = 0, type;
	unsigned                n = N;
	size_t                  how_many = 8;
	void                   *params[] = {&a, &b, &n};
	CUDA_MEMSET_NODE_PARAMS zero = {.dst = a, .value = 0, .element_size = 4, .width = N, .height = 1};
	CUDA_KERNEL_NODE_PARAMS k = {.func = add, .grid = {1, 1, 1}, .block = {N, 1, 1}, .params = params};
	CUDA_HOST_NODE_PARAMS   h = {count, &calls};
	OK(cuCtxGetCurrent(&c));
	OK(cuMemsetD32_v2(b, 0x3f800000, N)); /* 1.0 */
	OK(cuGraphCreate(&g, 0));
	OK(cuGraphAddHostNode(&host, g, NULL, 0, &h));
	OK(cuGraphAddMemsetNode(&fill, g, NULL, 0, &zero, c));
	after[0] = fill, after[1] = host;
	OK(cuGraphAddKernelNode_v2(&kernel, g, after, 2, &k));
	OK(cuGraphAddKernelNode_v2(&kernel, g, &kernel, 1, &k));
	a = 0; /* parameters were copied */
	OK(cuGraphGetNodes(g, all, &how_many));
	TRUE(how_many == 4 && all[3] == kernel);
	OK(cuGraphNodeGetType(fill, &type));
	TRUE(type == 2);
	OK(cuGraphInstantiateWithFlags(&x, g, 0));
	OK(cuGraphDestroy(g));
	TRUE(calls == 0);
	OK(cuGraphLaunch(x, NULL));
	OK(cuGraphLaunch(x, NULL));
	TRUE(calls == 2 && first(zero.dst) == 2);
	OK(cuGraphExecDestroy(x));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(x, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(g));
}

/* Two streams: the second joins by an event and comes back by another. */
static void captured(CUfunction add, CUdeviceptr a, CUdeviceptr b, CUstream s)
{
	CUstream              t;
	CUevent               fork, join;
	CUgraph               g;
	CUgraphExec           x;
	CUstreamCaptureStatus status;
	unsigned              n = N;
	void                 *params[] = {&a, &b, &n};
	OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
	OK(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
	OK(cuMemsetD32_v2(a, 0, N));
	OK(cuStreamBeginCapture_v2(s, 0));
	OK(cuStreamIsCapturing(s, &status));
	TRUE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
	OK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, s, params, NULL));
	OK(cuEventRecord(fork, s));
	OK(cuStreamWaitEvent(t, fork, 0));
	OK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, t, params, NULL));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(t, &g));
	OK(cuEventRecord(join, t));
	OK(cuStreamWaitEvent(s, join, 0));
	OK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, s, params, NULL));
	OK(cuStreamEndCapture(s, &g));
	OK(cuStreamIsCapturing(t, &status));
	TRUE(status == CU_STREAM_CAPTURE_STATUS_NONE);
	TRUE(first(a) == 0); /* nothing has run yet */
	OK(cuGraphInstantiateWithFlags(&x, g, 0));
	OK(cuGraphLaunch(x, s));
	TRUE(first(a) == 3);
	OK(cuGraphLaunch(x, t));
	TRUE(first(a) == 6);

	/* What does not end as it should. */
	OK(cuStreamBeginCapture_v2(s, 2));
	OK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, s, params, NULL));
	OK(cuEventRecord(fork, s));
	OK(cuStreamWaitEvent(t, fork, 0));
	OK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, t, params, NULL));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(s, &g));
	OK(cuStreamBeginCapture_v2(s, 2));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(s));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, s, params, NULL));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &g));
	GIVES(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(s, &g));
	GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture_v2(NULL, 0));
	TRUE(first(a) == 6);
}

/* A child goes with its node, whatever context the graph was made in that it is a copy of. */
static void children(CUcontext own)
{
	CUcontext   other;
	CUgraph     inner, outer;
	CUgraphNode n, child;
	OK(cuCtxCreate_v2(&other, 0, 0));
	OK(cuGraphCreate(&inner, 0));
	OK(cuGraphAddEmptyNode(&n, inner, NULL, 0));
	OK(cuCtxSetCurrent(own));
	OK(cuGraphCreate(&outer, 0));
	OK(cuGraphAddChildGraphNode(&child, outer, NULL, 0, inner));
	OK(cuCtxDestroy_v2(other));
	OK(cuGraphChildGraphNodeGetGraph(child, &inner));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(inner));
	OK(cuGraphDestroyNode(child));
	OK(cuGraphDestroy(outer));
}

/* What a library asks of a stream that it is given: is it captured, after which nodes? It may add nodes itself. */
static void looked_into(CUdeviceptr a, CUstream s)
{
	CUstreamCaptureStatus status;
	uint64_t              id = 0;
	CUgraph               g, whole;
	CUgraphNode           node, other;
	const CUgraphNode    *after;
	size_t                n = 99;
	CUgraphExec           x;
	unsigned              v[2];
	OK(cuStreamGetCaptureInfo_v2(s, &status, &id, &g, &after, &n));
	TRUE(status == CU_STREAM_CAPTURE_STATUS_NONE && n == 99);
	GIVES(CUDA_ERROR_ILLEGAL_STATE, cuStreamUpdateCaptureDependencies(s, NULL, 0, 1));
	OK(cuStreamBeginCapture_v2(s, 0));
	OK(cuMemsetD32Async(a, 1, 1, s));
	OK(cuStreamGetCaptureInfo_v3(s, &status, &id, &g, &after, NULL, &n));
	TRUE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id && n == 1);
	CUDA_MEMSET_NODE_PARAMS p = {.dst = a + 4, .value = 2, .element_size = 4, .width = 1, .height = 1};
	CUcontext               c;
	OK(cuCtxGetCurrent(&c));
	OK(cuGraphAddMemsetNode(&node, g, after, n, &p, c));
	OK(cuStreamUpdateCaptureDependencies(s, &node, 1, 1));
	OK(cuStreamGetCaptureInfo_v2(s, &status, NULL, NULL, &after, &n));
	TRUE(n == 1 && after[0] == node);
	OK(cuGraphAddEmptyNode(&other, g, NULL, 0));
	OK(cuStreamUpdateCaptureDependencies(s, &other, 1, 0));
	OK(cuStreamGetCaptureInfo_v2(s, &status, NULL, NULL, NULL, &n));
	TRUE(n == 2);
	CUgraphNode stranger = (CUgraphNode)(void *)s;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamUpdateCaptureDependencies(s, &stranger, 1, 0));
	OK(cuStreamEndCapture(s, &whole));
	TRUE(whole == g);
	OK(cuGraphInstantiateWithFlags(&x, whole, 0));
	OK(cuGraphLaunch(x, s));
	OK(cuMemcpyDtoH_v2(v, a, 8));
	TRUE(v[0] == 1 && v[1] == 2);
	OK(cuGraphExecDestroy(x));
	OK(cuGraphDestroy(whole));
}

static void attributes(CUstream s)
{
	CUstream t;
	int      value[16] = {0}, policy[16] = {2};
	CUdevice d = 9;
	OK(cuStreamGetAttribute(s, 8, value));
	TRUE(value[0] == -5);
	OK(cuStreamSetAttribute(s, 3, policy));
	OK(cuStreamCreate(&t, 0));
	OK(cuStreamCopyAttributes(t, s));
	OK(cuStreamGetAttribute(t, 3, value));
	TRUE(value[0] == 2);
	OK(cuStreamGetAttribute(NULL, 3, value));
	TRUE(value[0] == 0);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetAttribute(t, 2, value));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamSetAttribute(t, 3, NULL));
	OK(cuStreamGetDevice(t, &d));
	TRUE(d == 0);
	OK(cuStreamDestroy_v2(t));
}

int main(void)
{
	CUcontext   c = begin(), of;
	CUmodule    m;
	CUfunction  add = kernel_of(&m, ADD, "add");
	CUdeviceptr a, b;
	CUstream    s;
	unsigned    flags;
	int         priority;
	OK(cuMemAlloc_v2(&a, N * sizeof(float)));
	OK(cuMemAlloc_v2(&b, N * sizeof(float)));
	OK(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, -100));
	OK(cuStreamGetFlags(s, &flags));
	OK(cuStreamGetPriority(s, &priority));
	OK(cuStreamGetCtx(s, &of));
	TRUE(flags == CU_STREAM_NON_BLOCKING && priority == -5 && of == c);
	events(s);
	built(add, a, b);
	captured(add, a, b, s);
	children(c);
	looked_into(a, s);
	attributes(s);
	OK(cuStreamQuery(s));
	OK(cuStreamDestroy_v2(s));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(s));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamQuery((CUstream)(void *)&flags));
	OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	OK(cuCtxDestroy_v2(c));
	puts("done");
	return 0;
}
