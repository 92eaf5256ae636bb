/* Graphs with nodes that allocate and free, and with conditions. */
#include "test.h"

/* step: *p += by, and the condition is whether that leaves less than `most`. */
static const char ptx[] =
	HEAD ".extern .func cudaGraphSetConditional(.param .b64 h, .param .b32 v);\n"
	     ".visible .entry step(.param .u64 p, .param .u32 by, .param .u64 handle, .param .u32 most) {\n"
	     "	.reg .b64 %rd<3>; .reg .b32 %r<5>; .reg .pred %q;\n"
	     "	ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [by]; ld.param.u64 %rd2, [handle]; ld.param.u32 %r2, [most];\n"
	     "	ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r1; st.global.u32 [%rd1], %r3;\n"
	     "	setp.eq.u64 %q, %rd2, 0; @%q ret; setp.lt.u32 %q, %r3, %r2; selp.u32 %r4, 1, 0, %q;\n"
	     "	{ .param .b64 h; st.param.b64 [h], %rd2; .param .b32 v; st.param.b32 [v], %r4;\n"
	     "	call.uni cudaGraphSetConditional, (h, v); } ret; }\n"
	     ".visible .entry choose(.param .u64 p, .param .u64 handle) {\n"
	     "	.reg .b64 %rd<3>; .reg .b32 %r; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [handle]; ld.global.u32 %r, [%rd1];\n"
	     "	{ .param .b64 h; st.param.b64 [h], %rd2; .param .b32 v; st.param.b32 [v], %r;\n"
	     "	call.uni cudaGraphSetConditional, (h, v); } ret; }\n";

enum { IF, WHILE, SWITCH };
static CUfunction  step, choose;
static const char *dot;

static unsigned word(CUdeviceptr p)
{
	unsigned v;
	OK(cuMemcpyDtoH_v2(&v, p, 4));
	return v;
}

static CUgraphNode add_step(CUgraph g, const CUgraphNode *after, CUdeviceptr p, unsigned by, CUgraphConditionalHandle h,
                            unsigned most)
{
	CUgraphNode       n;
	void             *params[] = {&p, &by, &h, &most};
	CUgraphNodeParams d = {.kernel = {.func = step, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params}};
	OK(cuGraphAddNode_v2(&n, g, after, NULL, after != NULL, &d));
	return n;
}

static CUgraphExec executable(CUgraph g, unsigned long long flags)
{
	CUgraphExec x;
	OK(cuGraphInstantiateWithFlags(&x, g, flags));
	return x;
}

/* ---- memory */

static CUgraphNode add_memory(CUgraph g, size_t size, CUdeviceptr *out)
{
	CUgraphNode                n;
	CUDA_MEM_ALLOC_NODE_PARAMS p = {.pool = {.type = 1, .location = {1, 0}}, .size = size}, back;
	OK(cuGraphAddMemAllocNode(&n, g, NULL, 0, &p));
	OK(cuGraphMemAllocNodeGetParams(n, &back));
	TRUE(back.size == size && back.address == p.address && p.address);
	*out = p.address;
	return n;
}

static uint64_t used(int which)
{
	uint64_t v;
	OK(cuDeviceGetGraphMemAttribute(0, which, &v));
	return v;
}

static void memory(CUdeviceptr out)
{
	CUgraph     g, other;
	CUgraphNode fill, add, copy, freed;
	CUdeviceptr p, back;
	CUcontext   c;
	OK(cuCtxGetCurrent(&c));
	OK(cuGraphCreate(&g, 0));
	CUgraphNode             made = add_memory(g, 1 << 20, &p);
	CUDA_MEMSET_NODE_PARAMS zero = {.dst = p, .pitch = 4, .value = 5, .element_size = 4, .width = 1, .height = 1};
	CUDA_MEMCPY3D           to_out = {.src_type = CU_MEMORYTYPE_DEVICE,
	                                  .src_device = p,
	                                  .dst_type = CU_MEMORYTYPE_DEVICE,
	                                  .dst_device = out,
	                                  .width = 4,
	                                  .height = 1,
	                                  .depth = 1};
	OK(cuGraphAddMemsetNode(&fill, g, &made, 1, &zero, c));
	add = add_step(g, &fill, p, 2, 0, 0);
	OK(cuGraphAddMemcpyNode(&copy, g, &add, 1, &to_out, c));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&other, g));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(p, 1, 1)); /* it is not there before the graph runs */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(p));
	CUgraphExec x = executable(g, 0), again = executable(g, 1);
	OK(cuGraphLaunch(x, NULL));
	TRUE(word(out) == 7 && word(p) == 7 && used(0) == 1 << 20);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(x, NULL)); /* it has not been freed */
	OK(cuGraphLaunch(again, NULL));                          /* which this one does by itself */
	OK(cuMemFree_v2(p));
	TRUE(used(0) == 0 && used(1) == 1 << 20 && used(2) == 1 << 20);
	OK(cuDeviceGraphMemTrim(0));
	TRUE(used(2) == 0 && used(3) == 1 << 20);
	OK(cuGraphAddMemFreeNode(&freed, g, &copy, 1, p));
	OK(cuGraphMemFreeNodeGetParams(freed, &back));
	TRUE(back == p);
	CUgraphExec whole = executable(g, 0);
	for (int i = 0; i < 3; i++)
		OK(cuGraphLaunch(whole, NULL));
	OK(cuGraphLaunch(x, NULL));
	OK(cuGraphDestroy(g));
	OK(cuGraphExecDestroy(x));
	OK(cuGraphExecDestroy(again));
	OK(cuGraphExecDestroy(whole));
	TRUE(word(p) == 7); /* what has not been freed outlives its graph */
	OK(cuMemFree_v2(p));
}

/* cuMemAllocAsync and cuMemFreeAsync in a stream that is captured. */
static void captured(CUdeviceptr out)
{
	CUstream    s;
	CUgraph     g;
	CUdeviceptr p;
	unsigned    four = 4;
	OK(cuStreamCreate(&s, 0));
	OK(cuStreamBeginCapture_v2(s, 0));
	OK(cuMemAllocAsync(&p, 100, s));
	OK(cuMemcpyHtoDAsync_v2(p, &four, 4, s));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoDAsync_v2(p + 97, &four, 4, s));
	OK(cuMemcpyDtoDAsync_v2(out, p, 4, s));
	OK(cuMemFreeAsync(p, s));
	OK(cuStreamEndCapture(s, &g));
	CUgraphExec x = executable(g, 0);
	for (int i = 0; i < 2; i++)
		OK(cuGraphLaunch(x, s));
	TRUE(word(out) == 4);
	OK(cuGraphExecDestroy(x));
	OK(cuGraphDestroy(g));
	OK(cuStreamDestroy_v2(s));
}

/* ---- conditions */

static CUgraphNodeParams condition(CUgraphConditionalHandle h, int type, unsigned size)
{
	return (CUgraphNodeParams){.type = 13, .conditional = {.handle = h, .type = type, .size = size}};
}

/* for (; *p < 30; *p += 3) for (; *p < 20; *p += 2); the inner loop's default holds for each of its runs. */
static void loops(CUdeviceptr p)
{
	CUgraph                  g, other;
	CUgraphNode              outer, inner;
	CUgraphConditionalHandle h, k;
	OK(cuGraphCreate(&g, 0));
	OK(cuGraphConditionalHandleCreate(&h, g, NULL, 1, 1));
	CUgraphNodeParams a = condition(h, WHILE, 1), bad = condition(h, WHILE, 2);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode_v2(&outer, g, NULL, NULL, 0, &bad));
	bad = condition(h + 1, IF, 1);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode_v2(&outer, g, NULL, NULL, 0, &bad));
	OK(cuGraphAddNode_v2(&outer, g, NULL, NULL, 0, &a));
	CUgraph body = a.conditional.bodies[0];
	OK(cuGraphConditionalHandleCreate(&k, body, NULL, 1, 1));
	CUgraphNodeParams b = condition(k, WHILE, 1);
	OK(cuGraphAddNode_v2(&inner, body, NULL, NULL, 0, &b));
	add_step(b.conditional.bodies[0], NULL, p, 2, k, 20);
	CUgraphNode last = add_step(body, &inner, p, 3, h, 30);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(body));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&other, g));
	CUgraphExec x = executable(g, 0);
	for (int i = 0; i < 2; i++) {
		OK(cuMemsetD32_v2(p, 0, 1));
		OK(cuGraphLaunch(x, NULL));
		TRUE(word(p) == 20 + 3 + 2 + 3 + 2 + 3);
	}
	/* A step of a body is changed as any other is. */
	unsigned          by = 10, most = 30;
	void             *params[] = {&p, &by, &h, &most};
	CUgraphNodeParams d = {.kernel = {.func = step, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params}};
	OK(cuGraphExecNodeSetParams(x, last, &d));
	OK(cuMemsetD32_v2(p, 0, 1));
	OK(cuGraphLaunch(x, NULL));
	TRUE(word(p) == 30);
	OK(cuMemsetD32_v2(p, 0, 1));
	CUgraphExecUpdateResultInfo info;
	OK(cuGraphExecUpdate_v2(x, g, &info));
	OK(cuGraphDestroy(g));
	OK(cuGraphLaunch(x, NULL));
	TRUE(word(p) == 33);
	OK(cuGraphExecDestroy(x));
}

/* Which of the bodies runs, by the value at `p`, which then grows by 100 for the first of them, 200 for the second, and so on. */
static unsigned chosen(CUdeviceptr p, int type, unsigned size, unsigned value)
{
	CUgraph                  g;
	CUgraphNode              first, second;
	CUgraphConditionalHandle h;
	CUstream                 s;
	OK(cuGraphCreate(&g, 0));
	OK(cuGraphConditionalHandleCreate(&h, g, NULL, 0, 0));
	void                   *params[] = {&p, &h};
	CUDA_KERNEL_NODE_PARAMS k = {.func = choose, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params};
	CUgraphNodeParams       c = condition(h, type, size);
	OK(cuGraphAddKernelNode(&first, g, NULL, 0, &k));
	OK(cuGraphAddNode_v2(&second, g, &first, NULL, 1, &c));
	OK(cuStreamCreate(&s, 0));
	for (unsigned i = 0; i < size; i++) { /* bodies are filled by capture */
		uint64_t none = 0;
		unsigned by = 100 * (i + 1);
		void    *args[] = {&p, &by, &none, &by};
		OK(cuStreamBeginCaptureToGraph(s, c.conditional.bodies[i], NULL, NULL, 0, 0));
		OK(cuLaunchKernel(step, 1, 1, 1, 1, 1, 1, 0, s, args, NULL));
		OK(cuStreamEndCapture(s, NULL));
	}
	CUgraphExec x = executable(g, 0);
	OK(cuMemsetD32_v2(p, value, 1));
	OK(cuGraphLaunch(x, s));
	OK(cuGraphExecDestroy(x));
	OK(cuGraphDestroy(g));
	OK(cuStreamDestroy_v2(s));
	return word(p) - value;
}

static void destroyed(void *count) { ++*(int *)count; }

/* Objects are destroyed behind the last of their references, whoever has it. */
static void users(void)
{
	int          gone[3] = {0};
	CUuserObject u, v, w;
	CUgraph      g, other, child;
	CUgraphNode  n;
	OK(cuGraphCreate(&g, 0));
	OK(cuGraphCreate(&child, 0));
	TRUE(cuUserObjectCreate(&u, gone, destroyed, 0, 1) == CUDA_ERROR_INVALID_VALUE);
	TRUE(cuUserObjectCreate(&u, gone, destroyed, 1, 0) == CUDA_ERROR_INVALID_VALUE);
	OK(cuUserObjectCreate(&u, &gone[0], destroyed, 2, 1));
	OK(cuUserObjectCreate(&v, &gone[1], destroyed, 1, 1));
	OK(cuUserObjectCreate(&w, &gone[2], destroyed, 1, 1));
	TRUE(cuUserObjectRelease(u, 3) == CUDA_ERROR_INVALID_VALUE);
	TRUE(cuGraphRetainUserObject(g, v, 2, 1) == CUDA_ERROR_INVALID_VALUE); /* the program has one that it may give */
	TRUE(cuGraphReleaseUserObject(g, v, 1) == CUDA_ERROR_INVALID_VALUE);
	OK(cuGraphRetainUserObject(g, u, 1, 0));
	OK(cuGraphRetainUserObject(g, v, 1, 1));
	OK(cuGraphRetainUserObject(child, w, 1, 1));
	TRUE(cuUserObjectRelease(v, 1) == CUDA_ERROR_INVALID_VALUE);
	OK(cuUserObjectRetain(u, 1));
	OK(cuUserObjectRelease(u, 3));
	OK(cuGraphAddChildGraphNode(&n, g, NULL, 0, child)); /* a copy, which keeps its objects, too */
	OK(cuGraphDestroy(child));
	OK(cuGraphClone(&other, g));
	CUgraphExec x = executable(g, 0);
	OK(cuGraphReleaseUserObject(g, u, 1));
	OK(cuGraphDestroy(g));
	TRUE(!gone[0] && !gone[1] && !gone[2]);
	OK(cuGraphDestroy(other));
	TRUE(!gone[0] && !gone[1] && !gone[2]);
	OK(cuGraphCreate(&g, 0));
	OK(cuGraphCreate(&child, 0));
	OK(cuGraphAddChildGraphNode(&n, g, NULL, 0, child));
	CUgraphExecUpdateResultInfo info;
	OK(cuGraphExecUpdate_v2(x, g, &info)); /* the executable graph keeps what the new one does */
	TRUE(gone[0] == 1 && gone[1] == 1 && gone[2] == 1);
	TRUE(cuUserObjectRetain(u, 1) == CUDA_ERROR_INVALID_VALUE);
	OK(cuGraphExecDestroy(x));
	OK(cuGraphDestroy(child));
	OK(cuGraphDestroy(g));
}

/* ---- attributes of kernels, changed children, graphs as text */

static CUgraphNode add_plain(CUgraph g, CUdeviceptr p, unsigned by) { return add_step(g, NULL, p, by, 0, 0); }

static void attributes(CUdeviceptr p)
{
	CUgraph     g, copy, h;
	CUgraphNode twin;
	CUstream    s;
	size_t      n = 1;
	unsigned    cluster[16] = {2, 1, 1}, back[16] = {0}, yes[16] = {1};
	OK(cuGraphCreate(&g, 0));
	CUgraphNode a = add_plain(g, p, 1), b = add_plain(g, p, 2);
	OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &(int[16]){-3}));
	OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, yes));
	OK(cuGraphKernelNodeCopyAttributes(b, a));
	OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_PRIORITY, back));
	TRUE((int)back[0] == -3);
	OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, back));
	TRUE(back[0] == 1);
	/* New parameters leave attributes as they are, and so do copies of the graph. */
	CUDA_KERNEL_NODE_PARAMS k;
	OK(cuGraphKernelNodeGetParams_v2(b, &k));
	OK(cuGraphKernelNodeSetParams_v2(b, &k));
	OK(cuGraphClone(&copy, g));
	OK(cuGraphNodeFindInClone(&twin, b, copy));
	OK(cuGraphKernelNodeGetAttribute(twin, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, back));
	TRUE(back[0] == 1);
	OK(cuGraphKernelNodeGetAttribute(twin, CU_LAUNCH_ATTRIBUTE_PRIORITY, back));
	TRUE((int)back[0] == -3);
	/* A grid of one block is not a whole number of clusters of two. */
	OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster));
	CUgraphExec x = executable(g, 0);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(x, NULL));
	OK(cuGraphExecDestroy(x));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeSetAttribute(a, 3, yes));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeSetAttribute(a, 99, yes));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeSetAttribute(a, 2, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetAttribute(NULL, 2, back));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE, yes));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeCopyAttributes(a, (CUgraphNode)(void *)g));
	/* A captured kernel has the priority of its stream. */
	void *params[] = {&p, &back[1], &(CUdeviceptr){0}, &back[1]};
	OK(cuStreamCreateWithPriority(&s, 0, -2));
	OK(cuStreamBeginCapture_v2(s, 0));
	OK(cuLaunchKernel(step, 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
	OK(cuStreamEndCapture(s, &h));
	OK(cuGraphGetNodes(h, &twin, &n));
	OK(cuGraphKernelNodeGetAttribute(twin, CU_LAUNCH_ATTRIBUTE_PRIORITY, back));
	TRUE((int)back[0] == -2);
	OK(cuStreamDestroy_v2(s));
	OK(cuGraphDestroy(g));
	OK(cuGraphDestroy(h));
	OK(cuGraphDestroy(copy));
}

static void children(CUdeviceptr p)
{
	CUgraph     g, inside, other, larger;
	CUgraphNode first, child;
	OK(cuGraphCreate(&g, 0));
	OK(cuGraphCreate(&inside, 0));
	OK(cuGraphCreate(&other, 0));
	OK(cuGraphCreate(&larger, 0));
	CUgraphNode in = add_plain(inside, p, 10), out = add_plain(other, p, 1000);
	add_step(inside, &in, p, 20, 0, 0);
	add_step(other, &out, p, 2000, 0, 0);
	first = add_plain(g, p, 1);
	OK(cuGraphAddChildGraphNode(&child, g, &first, 1, inside));
	add_step(g, &child, p, 2, 0, 0);
	CUgraphExec x = executable(g, 0);
	OK(cuMemsetD32_v2(p, 0, 1));
	OK(cuGraphLaunch(x, NULL));
	TRUE(word(p) == 33);
	OK(cuGraphExecChildGraphNodeSetParams(x, child, other));
	OK(cuGraphLaunch(x, NULL));
	TRUE(word(p) == 33 + 3003);
	add_plain(larger, p, 1);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecChildGraphNodeSetParams(x, child, larger));
	add_plain(larger, p, 1); /* as many nodes, but another order */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecChildGraphNodeSetParams(x, child, larger));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecChildGraphNodeSetParams(x, first, other));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecChildGraphNodeSetParams(NULL, child, other));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecChildGraphNodeSetParams(x, child, NULL));
	OK(cuGraphLaunch(x, NULL)); /* still the other one */
	TRUE(word(p) == 33 + 2 * 3003);
	OK(cuGraphExecDestroy(x));

	/* As text, into the file that the program was started with. */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDebugDotPrint(g, NULL, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDebugDotPrint(NULL, dot, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDebugDotPrint(g, dot, 1 << 16));
	GIVES(CUDA_ERROR_OPERATING_SYSTEM, cuGraphDebugDotPrint(g, "/nowhere/graph.dot", 0));
	OK(cuGraphDebugDotPrint(g, dot, 4));
	OK(cuGraphDestroy(g));
	OK(cuGraphDestroy(inside));
	OK(cuGraphDestroy(other));
	OK(cuGraphDestroy(larger));
}

int main(int argc, char **argv)
{
	CUmodule    m;
	CUdeviceptr p;
	CUcontext   c = begin();
	step = kernel_of(&m, ptx, "step");
	OK(cuModuleGetFunction(&choose, m, "choose"));
	OK(cuMemAlloc_v2(&p, 4));
	TRUE(argc == 2);
	dot = argv[1];
	memory(p);
	captured(p);
	attributes(p);
	children(p);
	loops(p);
	TRUE(chosen(p, IF, 1, 0) == 0 && chosen(p, IF, 1, 7) == 100);
	TRUE(chosen(p, IF, 2, 0) == 200 && chosen(p, IF, 2, 7) == 100);
	for (unsigned i = 0; i < 4; i++)
		TRUE(chosen(p, SWITCH, 3, i) == (i < 3 ? 100 * (i + 1) : 0));
	users();
	OK(cuCtxDestroy_v2(c));
	puts("done");
	return 0;
}
