/* memory.c: allocation in all its forms, pools, what a pointer is, symbols. */
#include "cudart/state.h"

#define AT(p) ((CUdeviceptr)(uintptr_t)(p))
/* The driver writes addresses as numbers, the runtime's programs have pointers. */
#define OUT(p) ((CUdeviceptr *)(void *)(p))

static CUresult device_alloc(void **out, size_t size)
{
	if (out && !size)
		return *out = NULL, CUDA_SUCCESS;
	return cuMemAlloc_v2(OUT(out), size);
}

cudaError_t cudaMalloc(void **out, size_t size) { RUNTIME_CALL(device_alloc(out, size)); }

static CUresult host_alloc(void **out, size_t size, unsigned flags)
{
	if (out && !size)
		return *out = NULL, CUDA_SUCCESS;
	return cuMemHostAlloc(out, size, flags);
}

cudaError_t cudaMallocHost(void **out, size_t size)
{
	RUNTIME_CALL(host_alloc(out, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
}
cudaError_t cudaHostAlloc(void **out, size_t size, unsigned flags) { RUNTIME_CALL(host_alloc(out, size, flags)); }
cudaError_t cudaMallocManaged(void **out, size_t size, unsigned flags) { RUNTIME_CALL(cuMemAllocManaged(OUT(out), size, flags)); }
cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
	RUNTIME_CALL(cuMemAllocPitch_v2(OUT(out), pitch, width, height, 4));
}

static CUresult alloc_3d(cudaPitchedPtr *out, cudaExtent size)
{
	CUdeviceptr p;
	size_t      pitch;
	if (!out || (size.depth && size.height > SIZE_MAX / size.depth))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = cuMemAllocPitch_v2(&p, &pitch, size.width, size.height * size.depth, 4);
	if (r == CUDA_SUCCESS)
		*out = (cudaPitchedPtr){(void *)(uintptr_t)p, pitch, size.width, size.height};
	return r;
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *out, cudaExtent size) { RUNTIME_CALL(alloc_3d(out, size)); }

static CUresult alloc_async(void **out, size_t size, cudaStream_t s)
{
	if (out && !size)
		return *out = NULL, CUDA_SUCCESS;
	return cuMemAllocAsync(OUT(out), size, s);
}

cudaError_t cudaMallocAsync(void **out, size_t size, cudaStream_t s) { RUNTIME_CALL(alloc_async(out, size, s)); }
cudaError_t cudaMallocFromPoolAsync(void **out, size_t size, cudaMemPool_t pool, cudaStream_t s)
{
	RUNTIME_CALL(cuMemAllocFromPoolAsync(OUT(out), size, pool, s));
}

cudaError_t cudaFree(void *p) { RUNTIME_CALL(cuMemFree_v2(AT(p))); }
cudaError_t cudaFreeHost(void *p) { RUNTIME_CALL(p ? cuMemFreeHost(p) : CUDA_SUCCESS); }
cudaError_t cudaFreeAsync(void *p, cudaStream_t s) { RUNTIME_CALL(p ? cuMemFreeAsync(AT(p), s) : CUDA_SUCCESS); }
cudaError_t cudaHostRegister(void *p, size_t size, unsigned flags) { RUNTIME_CALL(cuMemHostRegister_v2(p, size, flags)); }
cudaError_t cudaHostUnregister(void *p) { RUNTIME_CALL(cuMemHostUnregister(p)); }
cudaError_t cudaHostGetDevicePointer(void **out, void *p, unsigned flags)
{
	RUNTIME_CALL(cuMemHostGetDevicePointer_v2(OUT(out), p, flags));
}
cudaError_t cudaHostGetFlags(unsigned *out, void *p) { RUNTIME_CALL(cuMemHostGetFlags(out, p)); }
cudaError_t cudaMemGetInfo(size_t *left, size_t *total) { RUNTIME_CALL(cuMemGetInfo_v2(left, total)); }

/* Memory that nobody told the driver of is the program's own, and of no device (-2). */
static CUresult pointer(cudaPointerAttributes *out, const void *p)
{
	unsigned type = 0, managed = 0;
	int      device = 0;
	void    *device_side = NULL, *host_side = NULL, *values[] = {&type, &managed, &device, &device_side, &host_side};
	CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
	                               CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
	                               CU_POINTER_ATTRIBUTE_HOST_POINTER};
	CUresult            r = out ? cuPointerGetAttributes(PS_COUNT(which), which, values, AT(p)) : CUDA_ERROR_INVALID_VALUE;
	if (r != CUDA_SUCCESS)
		return r;
	*out = (cudaPointerAttributes){.type = managed                      ? cudaMemoryTypeManaged
	                                       : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
	                                       : type                       ? cudaMemoryTypeDevice
	                                                                    : cudaMemoryTypeUnregistered,
	                               .device = type ? device : -2,
	                               .devicePointer = device_side,
	                               .hostPointer = type ? host_side : (void *)(uintptr_t)p};
	return CUDA_SUCCESS;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *out, const void *p) { RUNTIME_CALL(pointer(out, p)); }
cudaError_t cudaMemPrefetchAsync(const void *p, size_t size, CUmemLocation where, unsigned flags, cudaStream_t s)
{
	RUNTIME_CALL(cuMemPrefetchAsync_v2(AT(p), size, where, flags, s));
}
cudaError_t cudaMemAdvise(const void *p, size_t size, int advice, CUmemLocation where)
{
	RUNTIME_CALL(cuMemAdvise_v2(AT(p), size, advice, where));
}

cudaError_t cudaMemRangeGetAttribute(void *out, size_t out_size, int which, const void *p, size_t size)
{
	RUNTIME_CALL(cuMemRangeGetAttribute(out, out_size, which, AT(p), size));
}
cudaError_t cudaMemRangeGetAttributes(void **out, size_t *sizes, int *which, size_t n, const void *p, size_t size)
{
	RUNTIME_CALL(cuMemRangeGetAttributes(out, sizes, which, n, AT(p), size));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemPrefetchBatchAsync(void **p, size_t *size, size_t n, CUmemLocation *where, size_t *first, size_t n_where,
                                      unsigned long long flags, cudaStream_t s)
{
	RUNTIME_CALL(cuMemPrefetchBatchAsync(OUT(p), size, n, where, first, n_where, flags, s));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **p, size_t *size, size_t n, CUmemLocation *where, size_t *first,
                                                size_t n_where, unsigned long long flags, cudaStream_t s)
{
	RUNTIME_CALL(cuMemDiscardAndPrefetchBatchAsync(OUT(p), size, n, where, first, n_where, flags, s));
}
cudaError_t cudaMemDiscardBatchAsync(void **p, size_t *size, size_t n, unsigned long long flags, cudaStream_t s)
{
	RUNTIME_CALL(cuMemDiscardBatchAsync(OUT(p), size, n, flags, s));
}

/* ---- pools */

cudaError_t cudaMemPoolGetAccess(int *out, cudaMemPool_t pool, CUmemLocation *where)
{
	RUNTIME_CALL(cuMemPoolGetAccess(out, pool, where));
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, CUmemLocation *where, int type)
{
	RUNTIME_CALL(cuMemGetDefaultMemPool(out, where, type));
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, CUmemLocation *where, int type)
{
	RUNTIME_CALL(cuMemGetMemPool(out, where, type));
}
cudaError_t cudaMemSetMemPool(CUmemLocation *where, int type, cudaMemPool_t pool)
{
	RUNTIME_CALL(cuMemSetMemPool(where, type, pool));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const void *props) { RUNTIME_CALL(cuMemPoolCreate(out, props)); }
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) { RUNTIME_CALL(cuMemPoolDestroy(pool)); }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) { RUNTIME_CALL(cuMemPoolTrimTo(pool, keep)); }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int a, void *value)
{
	RUNTIME_CALL(cuMemPoolSetAttribute(pool, a, value));
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, int a, void *value)
{
	RUNTIME_CALL(cuMemPoolGetAttribute(pool, a, value));
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const void *access, size_t n)
{
	RUNTIME_CALL(cuMemPoolSetAccess(pool, access, n));
}

/* ---- memory and events of other processes */

cudaError_t cudaIpcGetMemHandle(CUipcHandle *out, void *p) { RUNTIME_CALL(cuIpcGetMemHandle(out, AT(p))); }
cudaError_t cudaIpcOpenMemHandle(void **out, CUipcHandle h, unsigned flags)
{
	RUNTIME_CALL(cuIpcOpenMemHandle_v2(OUT(out), h, flags));
}
cudaError_t cudaIpcCloseMemHandle(void *p) { RUNTIME_CALL(cuIpcCloseMemHandle(AT(p))); }
cudaError_t cudaIpcGetEventHandle(CUipcHandle *out, cudaEvent_t e) { RUNTIME_CALL(cuIpcGetEventHandle(out, e)); }
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *out, CUipcHandle h) { RUNTIME_CALL(cuIpcOpenEventHandle(out, h)); }
cudaError_t cudaMemPoolExportToShareableHandle(void *out, cudaMemPool_t pool, int type, unsigned flags)
{
	RUNTIME_CALL(cuMemPoolExportToShareableHandle(out, pool, type, flags));
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *out, void *handle, int type, unsigned flags)
{
	RUNTIME_CALL(cuMemPoolImportFromShareableHandle(out, handle, type, flags));
}
cudaError_t cudaMemPoolExportPointer(CUipcHandle *out, void *p) { RUNTIME_CALL(cuMemPoolExportPointer(out, AT(p))); }
cudaError_t cudaMemPoolImportPointer(void **out, cudaMemPool_t pool, CUipcHandle *from)
{
	RUNTIME_CALL(cuMemPoolImportPointer(OUT(out), pool, from));
}

/* ---- symbols */

static CUresult symbol(const void *name, void **address, size_t *size)
{
	CUdeviceptr p;
	size_t      bytes;
	if (!address && !size)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = symbol_of(name, &p, &bytes);
	if (r == CUDA_SUCCESS && address)
		*address = (void *)(uintptr_t)p;
	if (r == CUDA_SUCCESS && size)
		*size = bytes;
	return r;
}

cudaError_t cudaGetSymbolAddress(void **out, const void *name) { RUNTIME_CALL(symbol(name, out, NULL)); }
cudaError_t cudaGetSymbolSize(size_t *out, const void *name) { RUNTIME_CALL(symbol(name, NULL, out)); }
