/* driver.c: random sequences of calls of CUDA's driver API (make fuzz-driver), under AddressSanitizer and UBSan.
 *
 *	fuzz-driver [--seed=N] [--seconds=N]     case i of seed S depends on both alone
 *
 * Handles and addresses are live ones, ones that are gone, and numbers that never were any. Sizes are small or absurd; memory of the host
 * is one buffer that has room for all that the small ones reach. A case ends with the destruction of its contexts. The program dies where
 * a sanitizer finds something; its last line is "N cases, N calls, N successes". */
#include "cuda/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct Pool {
	void *p[16];
} Pool;

static struct {
	uint64_t      random, calls, successes;
	Pool          context, module, function, stream, event, graph, node, exec, link, array, mipmap, pool;
	CUdeviceptr   memory[16], object[8], range[4]; /* range: address space of RANGE units */
	uint64_t      handle[8];
	CUtensorMap   map[4];
	CUmanagedSet  managed[2];
	CUipcHandle   ipc[4];
	unsigned char host[1 << 18];
} f;

#define UNIT ((size_t)2 << 20)
enum { RANGE = 8 };

static unsigned below(unsigned n)
{
	f.random = f.random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((f.random >> 33) % n);
}

static void       *any(Pool *p) { return below(24) ? p->p[below(16)] : (void *)(uintptr_t)(below(4) ? below(64) * 8 : f.random); }
static void      **slot(Pool *p) { return below(20) ? &p->p[below(16)] : NULL; }
static CUdeviceptr address(void)
{
	CUdeviceptr p = below(12) ? f.memory[below(16)] : below(2) ? (uintptr_t)f.host : f.random >> below(60);
	return below(3) ? p : p + below(512);
}
static size_t size(void) { return below(16) ? below(below(2) ? 64 : 4096) : f.random >> below(63); }
static size_t little(void) { return below(40) ? below(9) : f.random >> below(63); }
static void  *host(void) { return below(30) ? f.host + (1 << 17) : NULL; }

/* clang-format off */
static const char *const texts[] = {
	".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .align 8 .b8 room[64];\n.visible .const .align 4 .u32 c "
        "= 3;\n"
	".visible .entry k(.param .u64 p, .param .u32 n) { .reg .b64 %d<4>; .reg .b32 %r<4>;\n"
	" ld.param.u64 %d1,[p]; ld.param.u32 %r1,[n]; mov.u32 %r2,%tid.x; mul.wide.u32 %d2,%r2,4; add.s64 %d1,%d1,%d2;\n"
	" st.global.u32 [%d1],%r1; st.global.u32 [room], %r2; ret; }\n"
	".visible .entry copy(.param .u64 p, .param .u64 q) { .reg .b64 %d<4>;\n"
	" ld.param.u64 %d1,[p]; ld.param.u64 %d2,[q]; ld.u64 %d3,[%d2]; st.u64 [%d1],%d3; ret; }\n",
	".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 t, .param .u64 p) { .reg .b64 %d<3>; .reg "
        ".f32 %f<5>;\n"
	" ld.param.u64 %d1,[t]; ld.param.u64 %d2,[p]; mov.f32 %f1, 0f3F000000;\n"
	" tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%d1, {%f1,%f1}]; st.global.f32 [%d2], %f1; ret; }\n",
	".version 8.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) twice(.param .b32 x);\n"
	".visible .entry k(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; { .param .b32 a; .param .b32 b; st.param.b32 [a], 7;\n"
	" call (b), twice, (a); ld.param.b32 %r, [b]; } ld.param.u64 %d,[p]; st.global.u32 [%d], %r; ret; }\n",
	".version 8.0\n.target sm_90\n.address_size 64\n.visible .func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r;\n"
	" ld.param.b32 %r,[x]; add.s32 %r,%r,%r; st.param.b32 [r],%r; ret; }\n",
	".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .attribute(.managed) .align 4 .u32 room = 7;\n"
	".visible .global .attribute(.managed) .u64 copy[3];\n.visible .entry k(.param .u64 p) { .reg .b64 %d; .reg .b32 %r;\n"
	" ld.global.u32 %r,[room]; add.u32 %r,%r,1; st.global.u32 [room],%r; ld.param.u64 %d,[p]; st.u32 [%d],%r; ret; }\n",
	".version 8.0\n.target sm_90\nnonsense",
	".visible { ( [",
	"",
	"\"",
	"/*",
	".func",
	".file 1 \"",
	"= ; = {",
};
/* clang-format on */
static const char *text(void) { return texts[below(sizeof texts / sizeof *texts)]; }

static CUDA_MEMCPY3D box(void)
{
	CUDA_MEMCPY3D c = {.src_x = little(),
	                   .src_y = little(),
	                   .src_z = little(),
	                   .src_type = 1 + below(4),
	                   .src_host = host(),
	                   .src_device = address(),
	                   .src_array = any(&f.array),
	                   .src_pitch = below(64),
	                   .src_height = below(9),
	                   .dst_x = little(),
	                   .dst_y = little(),
	                   .dst_z = little(),
	                   .dst_type = 1 + below(4),
	                   .dst_host = host(),
	                   .dst_device = address(),
	                   .dst_array = any(&f.array),
	                   .dst_pitch = below(64),
	                   .dst_height = below(9),
	                   .width = little(),
	                   .height = little(),
	                   .depth = little()};
	/* The driver cannot know where the host's memory ends. */
	if (c.width > 64 || c.height > 64 || c.depth > 64 || c.src_x > 64 || c.src_y > 64 || c.src_z > 64 || c.dst_x > 64 ||
	    c.dst_y > 64 || c.dst_z > 64) {
		c.src_type = c.src_type == CU_MEMORYTYPE_HOST ? CU_MEMORYTYPE_DEVICE : c.src_type;
		c.dst_type = c.dst_type == CU_MEMORYTYPE_HOST ? CU_MEMORYTYPE_DEVICE : c.dst_type;
	}
	c.src_type = c.src_type == CU_MEMORYTYPE_UNIFIED ? CU_MEMORYTYPE_DEVICE : c.src_type;
	c.dst_type = c.dst_type == CU_MEMORYTYPE_UNIFIED ? CU_MEMORYTYPE_DEVICE : c.dst_type;
	return c;
}

static void nothing(void *user) { (void)user; }

static CUresult contexts(void)
{
	int n;
	switch (below(9)) {
	case 0: return cuCtxCreate_v2((CUcontext *)slot(&f.context), below(9), (int)below(3));
	case 1: return cuCtxDestroy_v2(any(&f.context));
	case 2: return cuCtxSetCurrent(any(&f.context));
	case 3: return cuCtxPushCurrent_v2(any(&f.context));
	case 4: return cuCtxPopCurrent_v2((CUcontext *)slot(&f.context));
	case 5: return cuCtxEnablePeerAccess(any(&f.context), below(8) == 7);
	case 6: return cuCtxDisablePeerAccess(any(&f.context));
	case 7: return cuDeviceGetAttribute(&n, (int)below(160), (int)below(3));
	default: return cuCtxSynchronize();
	}
}

static CUresult memory(void)
{
	CUdeviceptr *to = below(30) ? &f.memory[below(16)] : NULL;
	size_t       n;
	unsigned     type;
	switch (below(18)) {
	case 0:
	case 1: return cuMemAlloc_v2(to, size());
	case 2: return cuMemFree_v2(address());
	case 3: return cuMemAllocManaged(to, size(), below(4));
	case 4: return cuMemHostAlloc((void **)to, size(), below(9));
	case 5: return cuMemFreeHost((void *)address());
	case 6: return cuMemHostRegister_v2(f.host + below(1 << 16), 1 + below(4096), below(4));
	case 7: return cuMemHostUnregister(below(2) ? (void *)address() : f.host);
	case 8: return cuMemAllocPitch_v2(to, &n, size(), below(9), 4u << below(4));
	case 9: return cuMemAllocAsync(to, size(), any(&f.stream));
	case 10: return cuMemFreeAsync(address(), any(&f.stream));
	case 11: return cuMemcpyHtoD_v2(address(), host(), size() & 0xffff);
	case 12: return cuMemcpyDtoH_v2(host(), address(), size() & 0xffff);
	case 13: return cuMemcpyDtoDAsync_v2(address(), address(), size(), any(&f.stream));
	case 14: return cuMemsetD32Async(address(), 5, size(), any(&f.stream));
	case 15: return cuMemsetD2D16_v2(address(), size(), 7, little(), little());
	case 16: return cuPointerGetAttribute(&n, below(20), address());
	default: {
		CUDA_MEMCPY3D c = box();
		(void)type;
		return below(2) ? cuMemcpy3D_v2(&c) : cuMemcpy3DAsync_v2(&c, any(&f.stream));
	}
	}
}

static size_t units(void) { return below(20) ? below(RANGE) * UNIT : f.random >> below(63); }

static CUresult virtual_memory(void)
{
	CUmemAllocationProp prop = {.type = below(30) ? 1 : (int)below(4),
	                            .handle_types = (int)below(2),
	                            .location = {below(30) ? 1 : (int)below(6), (int)below(2)}};
	CUmemAccessDesc     access[2] = {{{1, (int)below(3)}, below(9) ? 3 : (int)below(4)}, {{1, (int)below(2)}, (int)below(4)}};
	CUdeviceptr        *range = &f.range[below(4)], at = below(9) ? *range + below(RANGE) * UNIT : address();
	uint64_t           *handle = below(30) ? &f.handle[below(8)] : NULL, h = below(20) ? f.handle[below(8)] : f.random;
	unsigned long long  rights;
	switch (below(12)) {
	case 0: return *range ? CUDA_SUCCESS : cuMemAddressReserve(range, RANGE * UNIT, 0, 0, 0);
	case 1: return cuMemAddressReserve(NULL, units(), units(), address(), below(2));
	case 2:
	case 3: return cuMemCreate(handle, units(), &prop, 0);
	case 4:
	case 5: return cuMemMap(at, units(), below(20) ? 0 : units(), h, 0);
	case 6: return cuMemUnmap(at, units());
	case 7:
	case 8: f.memory[below(16)] = at; return cuMemSetAccess(at, units(), access, below(3));
	case 9: return below(3) ? CUDA_SUCCESS : cuMemRelease(h);
	case 10: return cuMemRetainAllocationHandle(handle, (void *)(uintptr_t)at);
	default: return cuMemGetAccess(&rights, &access[0].location, at);
	}
}

/* Gives back what no context owns. */
static void end_virtual_memory(void)
{
	for (int i = 0; i < 4; i++) {
		for (size_t at = 0; f.range[i] && at < RANGE; at++)
			for (size_t n = 1; n <= RANGE - at; n++)
				cuMemUnmap(f.range[i] + at * UNIT, n * UNIT);
		if (f.range[i] && cuMemAddressFree(f.range[i], RANGE * UNIT) != CUDA_SUCCESS)
			abort();
		f.range[i] = 0;
	}
	for (int i = 0; i < 8; i++)
		while (cuMemRelease(f.handle[i]) == CUDA_SUCCESS)
			;
}

static CUresult tensors(void)
{
	uint64_t dims[5], strides[5];
	uint32_t box[5], steps[5];
	int      lower[3], upper[3], type = (int)below(17), interleave = (int)below(4), swizzle = (int)below(8);
	uint32_t rank = below(7);
	for (int i = 0; i < 5; i++) {
		dims[i] = below(9) ? below(64) : f.random;
		strides[i] = below(9) ? 16 * below(64) : f.random;
		box[i] = below(9) ? 8 * below(9) : below(300);
		steps[i] = below(9) ? 1 : below(300);
		lower[i % 3] = (int)below(9) - 4, upper[i % 3] = (int)below(9) - 4;
	}
	CUtensorMap *to = below(30) ? &f.map[below(4)] : (CUtensorMap *)(void *)((char *)f.map + 8);
	void        *at = (void *)(uintptr_t)(address() & ~(CUdeviceptr)(below(9) ? 127 : 0));
	switch (below(4)) {
	case 0: return cuTensorMapReplaceAddress(to, at);
	case 1:
		return cuTensorMapEncodeIm2col(to, type, rank, at, dims, strides, lower, upper, box[0], box[1], steps, interleave,
		                               swizzle, (int)below(5), (int)below(3));
	case 2:
		return cuTensorMapEncodeIm2colWide(to, type, rank, at, dims, strides, lower[0], upper[0], box[0], box[1], steps,
		                                   interleave, (int)below(3), swizzle, 0, 0);
	default:
		return cuTensorMapEncodeTiled(to, type, rank, at, dims, strides, box, steps, interleave, swizzle, (int)below(5),
		                              (int)below(3));
	}
}

static CUresult modules(void)
{
	static const char *const names[] = {"k", "copy", "room", "c", "", "none"};
	const char              *name = names[below(6)];
	const char              *ptx = text();
	void                    *image;
	size_t                   n;
	switch (below(9)) {
	case 0:
	case 1: return cuModuleLoadData((CUmodule *)slot(&f.module), ptx);
	case 2: return below(6) ? CUDA_SUCCESS : cuModuleUnload(any(&f.module));
	case 3:
	case 4: return cuModuleGetFunction((CUfunction *)slot(&f.function), any(&f.module), name);
	case 5: return cuModuleGetGlobal_v2(&f.memory[below(16)], &n, any(&f.module), name);
	case 6: return cuLinkCreate_v2(0, NULL, NULL, (CUlinkState *)slot(&f.link));
	case 7:
		return cuLinkAddData_v2(any(&f.link), CU_JIT_INPUT_PTX, (void *)(uintptr_t)ptx, strlen(ptx) + 1, "t", 0, NULL,
		                        NULL);
	default: {
		CUlinkState l = any(&f.link);
		CUresult    r = cuLinkComplete(l, &image, &n);
		if (r == CUDA_SUCCESS)
			cuModuleLoadData((CUmodule *)slot(&f.module), image);
		return below(2) ? cuLinkDestroy(l) : r;
	}
	}
}

static CUresult launches(void)
{
	CUdeviceptr    a = below(3) ? address() : f.object[below(8)], b = address();
	void          *args[] = {&a, &b, &a, &b};
	CUfunction     k = any(&f.function);
	CUlaunchConfig c = {.grid = {below(4), 1, 1}, .block = {below(40), 1 + below(2), 1}, .stream = any(&f.stream)};
	int            n;
	switch (below(6)) {
	case 0: return cuFuncSetAttribute(k, below(17), (int)size());
	case 1: return cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, (int)below(1100), size());
	case 2: return cuLaunchCooperativeKernel(k, below(80), 1, 1, 32, 1, 1, 0, any(&f.stream), args);
	default: return cuLaunchKernelEx(&c, k, args, NULL);
	}
}

static CUresult streams(void)
{
	float                    ms;
	CUgraphNode              after[2] = {any(&f.node), any(&f.node)};
	const CUgraphNode       *now;
	CUgraph                  g;
	CUstreamCaptureStatus    status;
	size_t                   n;
	CUstreamBatchMemOpParams ops[2] = {
		{{.operation = (int)below(8), .address = address(), .value = below(5), .flags = below(5)}},
		{{.operation = (int)below(8), .address = address(), .value = below(5), .flags = below(3)}}};
	switch (below(20)) {
	case 18: return cuStreamWaitValue32_v2(any(&f.stream), address(), below(4), below(5));
	case 19: return cuStreamBatchMemOp_v2(any(&f.stream), below(3), ops, below(9) == 8);
	case 0: return cuStreamCreate((CUstream *)slot(&f.stream), below(3));
	case 1: return cuStreamDestroy_v2(any(&f.stream));
	case 2: return cuStreamBeginCapture_v2(any(&f.stream), (int)below(4));
	case 3:
	case 4: return cuStreamEndCapture(any(&f.stream), (CUgraph *)slot(&f.graph));
	case 5: return cuStreamWaitEvent(any(&f.stream), any(&f.event), 0);
	case 6: return cuEventCreate((CUevent *)slot(&f.event), below(8));
	case 7: return cuEventDestroy_v2(any(&f.event));
	case 8: return cuEventRecord(any(&f.event), any(&f.stream));
	case 9: return cuEventRecordWithFlags(any(&f.event), any(&f.stream), below(3));
	case 10: return cuEventElapsedTime(&ms, any(&f.event), any(&f.event));
	case 11: return cuLaunchHostFunc(any(&f.stream), below(9) ? nothing : NULL, NULL);
	case 12: return cuStreamWriteValue64_v2(any(&f.stream), address(), 3, below(3));
	case 13: return cuStreamUpdateCaptureDependencies(any(&f.stream), after, below(3), below(3));
	case 14: return cuStreamGetCaptureInfo_v2(any(&f.stream), &status, NULL, &g, &now, &n);
	case 15: return cuStreamSetAttribute(any(&f.stream), (int)below(12), f.host);
	case 16: return cuStreamCopyAttributes(any(&f.stream), any(&f.stream));
	default: return cuStreamSynchronize(any(&f.stream));
	}
}

static CUresult graphs(void)
{
	CUgraphNode                 after[2] = {any(&f.node), any(&f.node)};
	CUgraphNode                *to = (CUgraphNode *)slot(&f.node);
	CUgraph                     g = any(&f.graph);
	CUgraphExec                 x = any(&f.exec);
	CUdeviceptr                 a = address();
	void                       *args[] = {&a, &a};
	size_t                      n = below(3), many = below(20);
	CUgraphNode                 room[20];
	CUDA_KERNEL_NODE_PARAMS     k = {.func = any(&f.function), .grid = {1, 1, 1}, .block = {below(40), 1, 1}, .params = args};
	CUDA_MEMSET_NODE_PARAMS     s = {address(), size(), 3, 1u << below(4), little(), little()};
	CUDA_MEMCPY3D               c = box();
	CUgraphExecUpdateResultInfo info;
	unsigned                    value[16] = {below(3), 1, 1};
	switch (below(29)) {
	case 22: return cuGraphKernelNodeSetAttribute(any(&f.node), (int)below(17), value);
	case 23: return cuGraphKernelNodeGetAttribute(any(&f.node), (int)below(17), value);
	case 24: return cuGraphKernelNodeCopyAttributes(any(&f.node), any(&f.node));
	case 25: return cuGraphExecChildGraphNodeSetParams(x, any(&f.node), any(&f.graph));
	case 26: return cuGraphDebugDotPrint(g, "/dev/null", below(3) ? 1 : below(1 << 17));
	case 27: return cuGraphKernelNodeSetParams_v2(any(&f.node), &k);
	case 0: return cuGraphCreate((CUgraph *)slot(&f.graph), 0);
	case 1: return below(4) ? CUDA_SUCCESS : cuGraphDestroy(g);
	case 2: return cuGraphAddKernelNode_v2(to, g, after, n, &k);
	case 3: return cuGraphAddMemsetNode(to, g, after, n, &s, any(&f.context));
	case 4: return cuGraphAddMemcpyNode(to, g, after, n, &c, any(&f.context));
	case 5: return cuGraphAddEmptyNode(to, g, after, n);
	case 6: return cuGraphAddChildGraphNode(to, g, after, n, any(&f.graph));
	case 7: return cuGraphAddEventRecordNode(to, g, after, n, any(&f.event));
	case 8: return cuGraphAddDependencies(g, &after[0], &after[1], 1);
	case 9: return cuGraphRemoveDependencies(g, &after[0], &after[1], 1);
	case 10: return cuGraphClone((CUgraph *)slot(&f.graph), g);
	case 11: return cuGraphDestroyNode(any(&f.node));
	case 12: return cuGraphGetEdges(g, room, room, &many);
	case 13: return cuGraphNodeGetDependentNodes(any(&f.node), room, &many);
	case 14: return cuGraphInstantiateWithFlags((CUgraphExec *)slot(&f.exec), g, 0);
	case 15:
	case 16: return cuGraphLaunch(x, any(&f.stream));
	case 17: return cuGraphExecUpdate_v2(x, g, &info);
	case 18: return cuGraphExecKernelNodeSetParams_v2(x, any(&f.node), &k);
	case 19: return cuGraphKernelNodeGetParams_v2(any(&f.node), &k);
	case 20: return cuGraphChildGraphNodeGetGraph(any(&f.node), (CUgraph *)slot(&f.graph));
	default: return cuGraphExecDestroy(x);
	}
}

static CUresult images(void)
{
	static const int        formats[] = {1, 2, 3, 8, 9, 10, 16, 32, 5};
	CUDA_ARRAY3D_DESCRIPTOR d = {little(), little(), little(), formats[below(9)], 1u << below(3), below(9)};
	CUDA_RESOURCE_DESC      r = {.type = (int)below(4)};
	CUDA_TEXTURE_DESC       t = {.address = {(int)below(5), (int)below(4), 0}, .filter = (int)below(3), .flags = below(4)};
	CUDA_RESOURCE_VIEW_DESC v = {.first_mipmap = below(4), .last_mipmap = below(5)};
	if (r.type < 2)
		r.array = any(r.type ? &f.mipmap : &f.array);
	else
		r.texels = (CUtexels){address(), formats[below(9)], 1u << below(3), size(), little(), size()};
	t.mipmap_filter = (int)below(3), t.mipmap_bias = (float)below(5) - 2, t.max_mipmap = (float)below(6);
	switch (below(11)) {
	case 6: return cuMipmappedArrayCreate((CUmipmappedArray *)slot(&f.mipmap), &d, below(6));
	case 7: return cuMipmappedArrayDestroy(any(&f.mipmap));
	case 8:
	case 9: return cuMipmappedArrayGetLevel((CUarray *)slot(&f.array), any(&f.mipmap), below(6));
	case 10: return cuTexObjectCreate(&f.object[below(8)], &r, &t, &v);
	case 0: return cuArray3DCreate_v2((CUarray *)slot(&f.array), &d);
	case 1: return cuArrayDestroy(any(&f.array));
	case 2: return cuTexObjectCreate(&f.object[below(8)], &r, &t, NULL);
	case 3: return cuSurfObjectCreate(&f.object[below(8)], &r);
	case 4: return cuTexObjectDestroy(f.object[below(8)]);
	default: return cuMemcpyAtoH_v2(host(), any(&f.array), little(), size() & 0xffff);
	}
}

static CUresult managed(void)
{
	CUdeviceptr   p[3] = {address(), address(), address()};
	size_t        sizes[3] = {size(), size(), size()}, first[2] = {0, below(4)};
	CUmemLocation where[2] = {{(int)below(6), (int)below(3)}, {(int)below(5), (int)below(3)}};
	int           out[4];
	switch (below(9)) {
	case 0:
	case 1: return cuMemAdvise_v2(p[0], sizes[0], (int)below(8), where[0]);
	case 2: return cuMemAdvise(p[0], sizes[0], (int)below(8), (int)below(5) - 2);
	case 3: return cuMemPrefetchAsync_v2(p[0], sizes[0], where[0], below(9) == 8, any(&f.stream));
	case 4: return cuMemPrefetchBatchAsync(p, sizes, below(4), where, first, below(3), 0, any(&f.stream));
	case 5: return cuMemDiscardBatchAsync(p, sizes, below(4), 0, any(&f.stream));
	case 6: return ptxscope_module_load((CUmodule *)slot(&f.module), text(), &f.managed[below(2)]);
	default: return cuMemRangeGetAttribute(out, below(5) ? 4 : below(17), (int)below(10), p[0], sizes[0]);
	}
}

/* Within one process, opening is refused; a handle with other bytes names something else, or nothing. */
static CUresult sharing(void)
{
	int         file = -1;
	CUipcHandle h = f.ipc[below(4)];
	uint64_t    memory;
	CUresult    r;
	if (below(2))
		h.reserved[below(64)] = (char)below(256);
	switch (below(8)) {
	case 0:
	case 1: return cuIpcGetMemHandle(&f.ipc[below(4)], below(3) ? f.memory[below(16)] : address());
	case 2: return cuIpcOpenMemHandle_v2(&f.memory[below(16)], h, below(9) ? 1 : below(3));
	case 3: return cuIpcCloseMemHandle(address());
	case 4: return cuIpcGetEventHandle(&f.ipc[below(4)], any(&f.event));
	case 5: return cuIpcOpenEventHandle((CUevent *)slot(&f.event), h);
	case 6: r = cuMemExportToShareableHandle(&file, f.handle[below(8)], 1, 0); break;
	default:
		return cuMemImportFromShareableHandle(&memory, (void *)(intptr_t)below(64), 1) ? CUDA_ERROR_INVALID_VALUE
		                                                                               : cuMemRelease(memory);
	}
	if (r == CUDA_SUCCESS) {
		if (cuMemImportFromShareableHandle(&memory, (void *)(intptr_t)file, 1) == CUDA_SUCCESS)
			cuMemRelease(memory);
		close(file);
	}
	return r;
}

static void one_case(void)
{
	static CUresult (*const kinds[])(void) = {contexts, memory, memory,         modules,        launches, streams, graphs,
	                                          graphs,   images, virtual_memory, virtual_memory, tensors,  managed, sharing};
	CUcontext first;
	for (unsigned i = 0, n = 20 + below(200); i < n; i++) {
		if (i == 0 && below(20))
			cuCtxCreate_v2(&first, 0, (int)below(2)), f.context.p[0] = first;
		CUresult r = kinds[below(sizeof kinds / sizeof *kinds)]();
		f.calls++;
		f.successes += r == CUDA_SUCCESS;
		/* After a fault only a new context goes on. */
		if (r == CUDA_ERROR_ILLEGAL_ADDRESS || r == CUDA_ERROR_MISALIGNED_ADDRESS || r == CUDA_ERROR_LAUNCH_FAILED)
			cuCtxCreate_v2((CUcontext *)&f.context.p[below(16)], 0, 0);
	}
	for (int i = 0; i < 16; i++)
		cuCtxDestroy_v2(f.context.p[i]);
	while (cuCtxPopCurrent_v2(NULL) == CUDA_SUCCESS)
		;
	for (int i = 0; i < 2; i++)
		ptxscope_managed_free(f.managed[i]), f.managed[i] = NULL;
	cuMemHostUnregister(f.host);
	end_virtual_memory();
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, seconds = 10, cases = 0;
	time_t   end;
	for (int i = 1; i < argc; i++)
		if (sscanf(argv[i], "--seed=%lu", &seed) != 1 && sscanf(argv[i], "--seconds=%lu", &seconds) != 1)
			return 2;
	setenv("PTXSCOPE_DEVICES", "2", 1);
	cuInit(0);
	for (end = time(NULL) + (time_t)seconds; time(NULL) < end; cases++) {
		f.random = seed * 0x9E3779B97F4A7C15u + cases;
		if (cases % 64 == 0)
			printf("case %lu\n", cases);
		one_case();
	}
	printf("%lu cases, %lu calls, %lu successes\n", cases, f.calls, f.successes);
	return 0;
}
