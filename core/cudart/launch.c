/* launch.c: launches, and what is known of kernels. */
#include "cudart/state.h"

/* ---- the configuration between <<< and >>>, which waits for the kernel's stub */

typedef struct Configuration {
	dim3         grid, block;
	size_t       shared;
	cudaStream_t stream;
} Configuration;

enum { MOST_PUSHED = 32 };
static _Thread_local struct {
	Configuration at[MOST_PUSHED];
	u32           n;
} pushed;

/* Not 0: the kernel is not called. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream stream)
{
	if (pushed.n == MOST_PUSHED)
		return (unsigned)runtime_end(CUDA_ERROR_OUT_OF_MEMORY);
	pushed.at[pushed.n++] = (Configuration){grid, block, shared, stream};
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	if (!pushed.n)
		return runtime_end((CUresult)cudaErrorMissingConfiguration);
	const Configuration *c = &pushed.at[--pushed.n];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	*(cudaStream_t *)stream = c->stream;
	return cudaSuccess;
}

/* ---- launches */

static bool has_shape(dim3 grid, dim3 block)
{
	u64 threads = (u64)block.x * block.y * block.z;
	return grid.x && grid.x <= INT32_MAX && grid.y && grid.y <= 65535 && grid.z && grid.z <= 65535 && threads &&
	       threads <= 1024 && block.x <= 1024 && block.y <= 1024 && block.z <= 64;
}

static CUlaunchConfig launch_config(const cudaLaunchConfig_t *p)
{
	return (CUlaunchConfig){.grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
	                        .block = {p->blockDim.x, p->blockDim.y, p->blockDim.z},
	                        .shared_bytes = (unsigned)p->dynamicSmemBytes,
	                        .stream = p->stream,
	                        .attrs = p->attrs,
	                        .n_attrs = p->numAttrs};
}

static CUresult launch(const void *f, const cudaLaunchConfig_t *p, void **args)
{
	CUfunction function;
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = function_of(f, &function);
	if (r != CUDA_SUCCESS)
		return r;
	if (!has_shape(p->gridDim, p->blockDim))
		return (CUresult)cudaErrorInvalidConfiguration;
	if (p->dynamicSmemBytes > UINT32_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	CUlaunchConfig c = launch_config(p);
	return cuLaunchKernelEx(&c, function, args, NULL);
}

static CUresult launch_plain(const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s, bool cooperative)
{
	CUlaunchAttribute  a = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = {1}};
	cudaLaunchConfig_t c = {grid, block, shared, s, &a, cooperative};
	return launch(f, &c, args);
}

cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s)
{
	RUNTIME_CALL(launch_plain(f, grid, block, args, shared, s, false));
}
cudaError_t cudaLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s)
{
	RUNTIME_CALL(launch_plain(f, grid, block, args, shared, s, true));
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *f, void **args)
{
	RUNTIME_CALL(launch(f, config, args));
}
cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s)
{
	RUNTIME_CALL(launch_plain(k, grid, block, args, shared, s, false));
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, CUhostFn fn, void *user) { RUNTIME_CALL(cuLaunchHostFunc(s, fn, user)); }

/* ---- kernels */

/* Needs no device, as stubs call it before main. */
cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *host)
{
	Entry *e = entry_find(ENTRY_KERNEL, host);
	*out = e;
	return e ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *f)
{
	RUNTIME_CALL(out ? function_of(f, out) : CUDA_ERROR_INVALID_VALUE);
}

static CUresult get_kernel(cudaKernel_t *out, const void *f)
{
	CUfunction function;
	CUresult   r = out ? function_of(f, &function) : CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		*out = function;
	return r;
}

cudaError_t cudaGetKernel(cudaKernel_t *out, const void *f) { RUNTIME_CALL(get_kernel(out, f)); }

static CUresult attributes(cudaFuncAttributes *out, const void *f)
{
	CUfunction function;
	int        shared, constant, local;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = function_of(f, &function);
	if (r != CUDA_SUCCESS)
		return r;
	*out = (cudaFuncAttributes){0};
	const struct {
		CUfunction_attribute a;
		int                 *to;
	} rows[] = {
		{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared},
		{CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &constant},
		{CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &local},
		{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &out->maxThreadsPerBlock},
		{CU_FUNC_ATTRIBUTE_NUM_REGS, &out->numRegs},
		{CU_FUNC_ATTRIBUTE_PTX_VERSION, &out->ptxVersion},
		{CU_FUNC_ATTRIBUTE_BINARY_VERSION, &out->binaryVersion},
		{CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &out->maxDynamicSharedSizeBytes},
		{CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, &out->preferredShmemCarveout},
	};
	for (u32 i = 0; r == CUDA_SUCCESS && i < PS_COUNT(rows); i++)
		r = cuFuncGetAttribute(rows[i].to, rows[i].a, function);
	if (r != CUDA_SUCCESS)
		return r;
	out->sharedSizeBytes = (size_t)shared;
	out->constSizeBytes = (size_t)constant;
	out->localSizeBytes = (size_t)local;
	return CUDA_SUCCESS;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, const void *f) { RUNTIME_CALL(attributes(out, f)); }

/* `call` of the driver with the kernel's handle `k`, where there is one. */
#define KERNEL_CALL(f, call)                                \
	do {                                                \
		CUfunction k = NULL;                        \
		CUresult   begun = runtime_begin();         \
		begun = begun ? begun : function_of(f, &k); \
		return runtime_end(begun ? begun : (call)); \
	} while (0)

/* The attributes that can be set have the driver's numbers. */
cudaError_t cudaFuncSetAttribute(const void *f, int attribute, int value)
{
	KERNEL_CALL(f, cuFuncSetAttribute(k, (CUfunction_attribute)attribute, value));
}
cudaError_t cudaFuncSetCacheConfig(const void *f, int config) { KERNEL_CALL(f, cuFuncSetCacheConfig(k, config)); }
cudaError_t cudaFuncSetSharedMemConfig(const void *f, int config) { KERNEL_CALL(f, cuFuncSetSharedMemConfig(k, config)); }
cudaError_t cudaFuncGetName(const char **out, const void *f) { KERNEL_CALL(f, cuFuncGetName(out, k)); }
cudaError_t cudaFuncGetParamInfo(const void *f, size_t i, size_t *offset, size_t *size)
{
	KERNEL_CALL(f, cuFuncGetParamInfo(k, i, offset, size));
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, int attribute, int value, int d)
{
	KERNEL_CALL(kernel, d == runtime_device() ? cuFuncSetAttribute(k, (CUfunction_attribute)attribute, value)
	                                          : CUDA_ERROR_INVALID_DEVICE);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *out, const void *f, int block, size_t shared)
{
	KERNEL_CALL(f, cuOccupancyMaxActiveBlocksPerMultiprocessor(out, k, block, shared));
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *out, const void *f, int block, size_t shared,
                                                                   unsigned flags)
{
	KERNEL_CALL(f, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out, k, block, shared, flags));
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *out, const void *f, int blocks, int block)
{
	KERNEL_CALL(f, cuOccupancyAvailableDynamicSMemPerBlock(out, k, blocks, block));
}

static CUresult cluster_occupancy(int *out, const void *f, const cudaLaunchConfig_t *p,
                                  CUresult (*ask)(int *, CUfunction, const CUlaunchConfig *))
{
	CUfunction k;
	CUresult   r = p ? function_of(f, &k) : CUDA_ERROR_INVALID_VALUE;
	if (r != CUDA_SUCCESS)
		return r;
	CUlaunchConfig config = launch_config(p);
	return ask(out, k, &config);
}
cudaError_t cudaOccupancyMaxActiveClusters(int *out, const void *f, const cudaLaunchConfig_t *p)
{
	RUNTIME_CALL(cluster_occupancy(out, f, p, cuOccupancyMaxActiveClusters));
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *out, const void *f, const cudaLaunchConfig_t *p)
{
	RUNTIME_CALL(cluster_occupancy(out, f, p, cuOccupancyMaxPotentialClusterSize));
}

/* ---- libraries */

/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *image, int *jit, void **jit_values, unsigned n_jit, int *options,
                                void **values, unsigned n)
{
	RUNTIME_CALL(cuLibraryLoadData(out, image, (CUjit_option *)jit, jit_values, n_jit, options, values, n));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *out, const char *path, int *jit, void **jit_values, unsigned n_jit,
                                    int *options, void **values, unsigned n)
{
	RUNTIME_CALL(cuLibraryLoadFromFile(out, path, (CUjit_option *)jit, jit_values, n_jit, options, values, n));
}
cudaError_t cudaLibraryGetKernelCount(unsigned *out, cudaLibrary_t l) { RUNTIME_CALL(cuLibraryGetKernelCount(out, l)); }
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *out, unsigned n, cudaLibrary_t l)
{
	RUNTIME_CALL(cuLibraryEnumerateKernels((CUkernel *)out, n, l));
}
cudaError_t cudaLibraryGetManaged(void **out, size_t *size, cudaLibrary_t l, const char *name)
{
	RUNTIME_CALL(cuLibraryGetManaged((CUdeviceptr *)(void *)out, size, l, name));
}
cudaError_t cudaLibraryUnload(cudaLibrary_t l) { RUNTIME_CALL(cuLibraryUnload(l)); }
cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t l, const char *name)
{
	RUNTIME_CALL(cuLibraryGetKernel((CUkernel *)out, l, name));
}
cudaError_t cudaLibraryGetGlobal(void **out, size_t *size, cudaLibrary_t l, const char *name)
{
	RUNTIME_CALL(cuLibraryGetGlobal((CUdeviceptr *)(void *)out, size, l, name));
}
