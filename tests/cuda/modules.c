/* Modules: variables, functions, libraries, the linker's calls, and what is refused. */
#include "test.h"

static const char text[] =
	HEAD ".visible .global .align 4 .u32 count = 5;\n"
	     ".visible .const .align 4 .u32 step = 2;\n"
	     ".visible .global .align 8 .u64 self = count;\n"
	     ".visible .entry bump() {\n"
	     "	.reg .b32 %r<3>;\n"
	     "	ld.const.u32 %r1, [step]; atom.global.add.u32 %r2, [count], %r1; ret; }\n"
	     ".visible .entry other(.param .u64 p) {\n"
	     "	.reg .b64 %rd; .reg .b32 %r; ld.param.u64 %rd, [p]; ld.u32 %r, [%rd]; st.global.u32 [count], %r; ret; }\n";

static const char heap[] =
	HEAD ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
	     ".extern .func free(.param .b64 p);\n"
	     ".visible .global .align 4 .u32 seen;\n"
	     ".visible .global .align 8 .u64 kept;\n"
	     ".visible .entry make(.param .u64 bytes) {\n"
	     "	.reg .b64 %rd<3>; .reg .b32 %r; .reg .pred %p; ld.param.u64 %rd1, [bytes];\n"
	     "	{ .param .b64 n; st.param.b64 [n], %rd1; .param .b64 r; call.uni (r), malloc, (n); ld.param.b64 %rd2, [r]; }\n"
	     "	st.global.u64 [kept], %rd2; setp.eq.u64 %p, %rd2, 0; @%p ret; mov.u32 %r, 77; st.u32 [%rd2], %r; ret; }\n"
	     ".visible .entry take() {\n"
	     "	.reg .b64 %rd; .reg .b32 %r;\n"
	     "	ld.global.u64 %rd, [kept]; ld.u32 %r, [%rd]; st.global.u32 [seen], %r;\n"
	     "	{ .param .b64 p; st.param.b64 [p], %rd; call.uni free, (p); } ret; }\n";

/* Thread i comes to the barrier i times. */
static const char leaving[] =
	HEAD ".visible .entry leave(.param .u64 p) {\n"
	     "	.reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .pred %q; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
	     "L: setp.ge.u32 %q, %r2, %r1; @%q bra E; bar.sync 0; add.u32 %r2, %r2, 1; bra L;\n"
	     "E: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r2; ret; }\n";

static unsigned word(CUdeviceptr p)
{
	unsigned v;
	OK(cuMemcpyDtoH_v2(&v, p, 4));
	return v;
}

static void in_library(CUlibrary lib, CUkernel kernel, CUfunction g)
{
	CUkernel    some[4];
	CUlibrary   whose;
	const char *name;
	unsigned    n;
	int         most;
	size_t      offset, size;
	CUdeviceptr count;
	OK(cuLibraryGetKernelCount(&n, lib));
	TRUE(n >= 1);
	OK(cuLibraryEnumerateKernels(some, 1, lib));
	OK(cuKernelGetName(&name, kernel));
	TRUE(strcmp(name, "bump") == 0);
	OK(cuKernelGetLibrary(&whose, kernel));
	TRUE(whose == lib);
	OK(cuKernelGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
	TRUE(most == 1024);
	OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000, kernel, 0));
	OK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, g));
	TRUE(most == 100000);
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuKernelGetAttribute(&most, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 99));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuKernelGetParamInfo(kernel, 99, &offset, NULL));
	GIVES(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&count, &size, lib, "count"));
	GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuLibraryLoadFromFile(&whose, "/nowhere", NULL, NULL, 0, NULL, NULL, 0));
	/* 100,000 bytes: two blocks on each of 8 multiprocessors, so clusters of 8 fit twice. */
	CUlaunchAttribute eight = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value = {8, 1, 1}};
	CUlaunchConfig    wide = {.grid = {8, 1, 1}, .block = {128, 1, 1}, .shared_bytes = 100000, .attrs = &eight, .n_attrs = 1};
	OK(cuOccupancyMaxActiveClusters(&most, g, &wide));
	TRUE(most == 2);
	OK(cuOccupancyMaxPotentialClusterSize(&most, g, &wide));
	TRUE(most == 8);
	eight.value[1] = 8;
	GIVES(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuOccupancyMaxActiveClusters(&most, g, &wide));
}

/* What malloc gives to one kernel is there for the next ones, of every module, until it is freed. */
static void malloc_outlives_a_launch(void)
{
	CUmodule    m[2];
	CUfunction  take[2], make[2];
	CUdeviceptr seen[2], kept[2];
	uint64_t    bytes = 20 << 20, p;
	size_t      limit;
	void       *params[] = {&bytes};
	for (int i = 0; i < 2; i++) {
		make[i] = kernel_of(&m[i], heap, "make");
		OK(cuModuleGetFunction(&take[i], m[i], "take"));
		OK(cuModuleGetGlobal_v2(&seen[i], NULL, m[i], "seen"));
		OK(cuModuleGetGlobal_v2(&kept[i], NULL, m[i], "kept"));
	}
	OK(cuLaunchKernel(make[0], 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	TRUE(!word(kept[0])); /* 8 MiB */
	OK(cuCtxSetLimit(2, 36 << 20));
	OK(cuCtxGetLimit(&limit, 2));
	TRUE(limit == 36 << 20);
	for (int i = 0; i < 3; i++) {
		int from = i % 2, to = !from;
		OK(cuMemsetD32_v2(seen[to], 0, 1));
		OK(cuLaunchKernel(make[from], 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
		OK(cuMemcpyDtoH_v2(&p, kept[from], sizeof p));
		OK(cuLaunchKernel(make[to], 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
		TRUE(p && !word(kept[to])); /* the limit is for both of them */
		OK(cuMemcpyHtoD_v2(kept[to], &p, sizeof p));
		OK(cuLaunchKernel(take[to], 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
		TRUE(word(seen[to]) == 77);
	}
	GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(2, 64 << 20)); /* kernels have had some of it */
	OK(cuModuleUnload(m[0]));
	OK(cuModuleUnload(m[1]));
}

/* From sm_70 on, barriers count threads: those that have ended are not waited for. */
static void barriers_wait_for_threads(void)
{
	CUmodule    m;
	CUfunction  f = kernel_of(&m, leaving, "leave");
	CUdeviceptr p;
	OK(cuMemAlloc_v2(&p, 64 * 4));
	void *params[] = {&p};
	OK(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	for (unsigned i = 0; i < 64; i++)
		TRUE(word(p + 4 * i) == i);
	OK(cuMemFree_v2(p));
	OK(cuModuleUnload(m));
}

int main(void)
{
	begin();
	barriers_wait_for_threads();
	malloc_outlives_a_launch();
	CUmodule    m, n;
	CUfunction  f = kernel_of(&m, text, "bump"), g, all[2];
	CUdeviceptr count, step, self, second;
	size_t      size;
	unsigned    v = 10, k;
	OK(cuModuleGetGlobal_v2(&count, &size, m, "count"));
	TRUE(size == 4 && word(count) == 5);
	OK(cuModuleGetGlobal_v2(&step, NULL, m, "step"));
	OK(cuModuleGetGlobal_v2(&self, NULL, m, "self"));
	uint64_t held;
	OK(cuMemcpyDtoH_v2(&held, self, 8));
	TRUE(held == count);
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	TRUE(word(count) == 7);
	OK(cuMemcpyHtoD_v2(step, &v, 4));
	OK(cuLaunchKernel(f, 2, 1, 1, 3, 1, 1, 0, NULL, NULL, NULL));
	TRUE(word(count) == 67);

	/* A second module has variables of its own; its kernel reads those of the first, by its address. */
	OK(cuModuleLoadData(&n, text));
	OK(cuModuleGetGlobal_v2(&second, NULL, n, "count"));
	TRUE(second != count && word(second) == 5);
	OK(cuModuleGetFunction(&g, n, "other"));
	void *params[] = {&count};
	OK(cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	TRUE(word(second) == 67);
	params[0] = &step;
	OK(cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	TRUE(word(second) == 10);

	OK(cuModuleGetFunctionCount(&k, m));
	TRUE(k == 2);
	OK(cuModuleEnumerateFunctions(all, 2, m));
	const char *name;
	OK(cuFuncGetName(&name, all[1]));
	TRUE(strcmp(name, "other") == 0);
	GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&g, m, "nobody"));
	GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2(&count, &size, m, "nobody"));

	CUlinkState l;
	void       *cubin;
	OK(cuLinkCreate_v2(0, NULL, NULL, &l));
	OK(cuLinkAddData_v2(l, CU_JIT_INPUT_PTX, (void *)text, sizeof text, "text", 0, NULL, NULL));
	OK(cuLinkComplete(l, &cubin, &size));
	OK(cuModuleUnload(n));
	OK(cuModuleLoadData(&n, cubin));
	OK(cuLinkDestroy(l));
	CUlibrary lib;
	CUkernel  kernel;
	OK(cuLibraryLoadData(&lib, text, NULL, NULL, 0, NULL, NULL, 0));
	OK(cuLibraryGetKernel(&kernel, lib, "bump"));
	OK(cuKernelGetFunction(&g, kernel));
	OK(cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	OK(cuLibraryGetGlobal(&count, &size, lib, "count"));
	TRUE(word(count) == 7);
	in_library(lib, kernel, g);
	OK(cuLibraryUnload(lib));

	/* What cannot be loaded. */
	char         errors[200] = "";
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void        *values[] = {errors, (void *)sizeof errors};
	GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&m, HEAD "\nnonsense", 2, options, values));
	TRUE(strstr(errors, "module.ptx:5:1: error:") != NULL);
	GIVES(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&m, "\177ELF\2\1\1"));
	GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, "\1\2\3\4"));
	GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&m, "/nowhere/to/be/found.ptx"));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&m, NULL));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload((CUmodule)(void *)errors));
	puts("done");
	return 0;
}
