/* The host side of CUDA's runtime. In a file of kernels host code is read and checked; in a whole program the functions without a body
 * are those of runtime.js. */
#pragma once

#include <ptxscope/vectors.h>

enum cudaError {
#define PX_ERROR(name, number, text) name = number,
#include <ptxscope/errors.h>
};
typedef enum cudaError cudaError_t;

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef void (*cudaHostFn_t)(void *data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);

#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaOccupancyDefault 0

/* Numbers and meanings as in CUDA; an attribute that is not listed is not there. */
enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxBlockDimX = 2,
	cudaDevAttrMaxBlockDimY = 3,
	cudaDevAttrMaxBlockDimZ = 4,
	cudaDevAttrMaxGridDimX = 5,
	cudaDevAttrMaxGridDimY = 6,
	cudaDevAttrMaxGridDimZ = 7,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrTotalConstantMemory = 9,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMaxPitch = 11,
	cudaDevAttrMaxRegistersPerBlock = 12,
	cudaDevAttrClockRate = 13,
	cudaDevAttrTextureAlignment = 14,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrKernelExecTimeout = 17,
	cudaDevAttrIntegrated = 18,
	cudaDevAttrCanMapHostMemory = 19,
	cudaDevAttrComputeMode = 20,
	cudaDevAttrConcurrentKernels = 31,
	cudaDevAttrEccEnabled = 32,
	cudaDevAttrMemoryClockRate = 36,
	cudaDevAttrGlobalMemoryBusWidth = 37,
	cudaDevAttrL2CacheSize = 38,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrAsyncEngineCount = 40,
	cudaDevAttrUnifiedAddressing = 41,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrStreamPrioritiesSupported = 78,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrMaxRegistersPerMultiprocessor = 82,
	cudaDevAttrManagedMemory = 83,
	cudaDevAttrPageableMemoryAccess = 88,
	cudaDevAttrConcurrentManagedAccess = 89,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
	cudaDevAttrMaxBlocksPerMultiprocessor = 106,
};

struct cudaDeviceProp {
	char name[256];
	size_t totalGlobalMem, sharedMemPerBlock;
	int regsPerBlock, warpSize;
	size_t memPitch;
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
	size_t totalConstMem;
	int major, minor;
	size_t textureAlignment;
	int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, concurrentKernels, ECCEnabled;
	int pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
	int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, pageableMemoryAccess, concurrentManagedAccess, cooperativeLaunch;
	size_t sharedMemPerBlockOptin;
	int maxBlocksPerMultiProcessor;
};

struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
	enum cudaMemoryType type;
	int device;
	void *devicePointer, *hostPointer;
};
enum cudaMemoryAdvise {
	cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation, cudaMemAdviseUnsetPreferredLocation,
	cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};

extern "C" {
__host__ __device__ cudaError_t cudaGetLastError();
__host__ __device__ cudaError_t cudaPeekAtLastError();
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);

cudaError_t cudaFree(void *memory);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaMemGetInfo(size_t *left, size_t *total);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = 0);
cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = 0);
cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, int device, cudaStream_t stream = 0);
cudaError_t cudaMemAdvise(const void *memory, size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory);

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);

/* What clang makes of <<<...>>>. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);

/* What the functions below are made of. */
cudaError_t __px_malloc(void **memory, size_t bytes);
cudaError_t __px_malloc_host(void **memory, size_t bytes);
cudaError_t __px_malloc_managed(void **memory, size_t bytes);
cudaError_t __px_symbol(void **address, size_t *bytes, const void *symbol);
cudaError_t __px_function_attributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t __px_function_set(const void *kernel, int attribute, int value);
cudaError_t __px_occupancy(int *blocks, const void *kernel, int threads, size_t shared);
}

__host__ __device__ inline const char *cudaGetErrorName(cudaError_t error) {
	switch ((int)error) {
#define PX_ERROR(name, number, text) case number: return #name;
#include <ptxscope/errors.h>
	}
	return "unrecognized error code";
}
__host__ __device__ inline const char *cudaGetErrorString(cudaError_t error) {
	switch ((int)error) {
#define PX_ERROR(name, number, text) case number: return text;
#include <ptxscope/errors.h>
	}
	return "unrecognized error code";
}

static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
	int value = 0;
	*p = cudaDeviceProp{};
	if (cudaError_t error = cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, device))
		return error;
	auto get = [&](cudaDeviceAttr attribute) { cudaDeviceGetAttribute(&value, attribute, device); return value; };
	const char *name = "ptxscope emulator";
	for (int i = 0; name[i]; i++)
		p->name[i] = name[i];
	size_t left = 0;
	cudaMemGetInfo(&left, &p->totalGlobalMem);
	p->sharedMemPerBlock = get(cudaDevAttrMaxSharedMemoryPerBlock);
	p->regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
	p->warpSize = get(cudaDevAttrWarpSize);
	p->memPitch = get(cudaDevAttrMaxPitch);
	p->maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
	for (int i = 0; i < 3; i++) {
		p->maxThreadsDim[i] = get((cudaDeviceAttr)(cudaDevAttrMaxBlockDimX + i));
		p->maxGridSize[i] = get((cudaDeviceAttr)(cudaDevAttrMaxGridDimX + i));
	}
	p->clockRate = get(cudaDevAttrClockRate);
	p->totalConstMem = get(cudaDevAttrTotalConstantMemory);
	p->major = get(cudaDevAttrComputeCapabilityMajor);
	p->minor = get(cudaDevAttrComputeCapabilityMinor);
	p->textureAlignment = get(cudaDevAttrTextureAlignment);
	p->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
	p->canMapHostMemory = get(cudaDevAttrCanMapHostMemory);
	p->concurrentKernels = get(cudaDevAttrConcurrentKernels);
	p->asyncEngineCount = p->deviceOverlap = get(cudaDevAttrAsyncEngineCount);
	p->unifiedAddressing = get(cudaDevAttrUnifiedAddressing);
	p->memoryClockRate = get(cudaDevAttrMemoryClockRate);
	p->memoryBusWidth = get(cudaDevAttrGlobalMemoryBusWidth);
	p->l2CacheSize = get(cudaDevAttrL2CacheSize);
	p->maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
	p->streamPrioritiesSupported = get(cudaDevAttrStreamPrioritiesSupported);
	p->globalL1CacheSupported = p->localL1CacheSupported = 1;
	p->sharedMemPerMultiprocessor = get(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
	p->regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
	p->managedMemory = get(cudaDevAttrManagedMemory);
	p->concurrentManagedAccess = get(cudaDevAttrConcurrentManagedAccess);
	p->cooperativeLaunch = get(cudaDevAttrCooperativeLaunch);
	p->sharedMemPerBlockOptin = get(cudaDevAttrMaxSharedMemoryPerBlockOptin);
	p->maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
	return cudaSuccess;
}

template <class T> cudaError_t cudaMalloc(T **memory, size_t bytes) { return __px_malloc((void **)memory, bytes); }
template <class T> cudaError_t cudaMallocAsync(T **memory, size_t bytes, cudaStream_t stream) { return __px_malloc((void **)memory, bytes); }
static inline cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream) { return cudaFree(memory); }
template <class T> cudaError_t cudaMallocHost(T **memory, size_t bytes, unsigned flags = 0) { return __px_malloc_host((void **)memory, bytes); }
template <class T> cudaError_t cudaHostAlloc(T **memory, size_t bytes, unsigned flags) { return __px_malloc_host((void **)memory, bytes); }
template <class T> cudaError_t cudaMallocManaged(T **memory, size_t bytes, unsigned flags = cudaMemAttachGlobal) { return __px_malloc_managed((void **)memory, bytes); }
template <class T> cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height) {
	*pitch = (width + 511) / 512 * 512;
	return __px_malloc((void **)memory, *pitch * height);
}
template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
	cudaPointerAttributes attributes;
	cudaError_t error = cudaPointerGetAttributes(&attributes, host);
	if (error == cudaSuccess && attributes.type != cudaMemoryTypeHost)
		error = cudaErrorInvalidValue;
	*device = error ? 0 : (T *)attributes.devicePointer;
	return error;
}
template <class T> cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) { return __px_symbol(address, 0, &symbol); }
template <class T> cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) { return __px_symbol(0, bytes, &symbol); }
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream = 0) {
	void *to;
	size_t size;
	cudaError_t error = __px_symbol(&to, &size, &symbol);
	return error ? error : offset > size || bytes > size - offset ? cudaErrorInvalidValue : cudaMemcpyAsync((char *)to + offset, from, bytes, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream = 0) {
	void *from;
	size_t size;
	cudaError_t error = __px_symbol(&from, &size, &symbol);
	return error ? error : offset > size || bytes > size - offset ? cudaErrorInvalidValue : cudaMemcpyAsync(to, (char *)from + offset, bytes, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
	cudaError_t error = cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind);
	return error ? error : cudaStreamSynchronize(0);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
	cudaError_t error = cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind);
	return error ? error : cudaStreamSynchronize(0);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = 0) { return cudaEventCreateWithFlags(event, flags); }
static inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaSetDeviceFlags(unsigned flags) { return cudaSuccess; }
static inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) { return cudaSuccess; }
static inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) { return cudaSuccess; }
static inline cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) { return *can = 0, cudaSuccess; }
static inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
static inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

template <class F>
cudaError_t cudaLaunchKernel(F *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0, cudaStream_t stream = 0) {
	return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class F>
cudaError_t cudaLaunchCooperativeKernel(F *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0, cudaStream_t stream = 0) {
	return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class F> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *kernel) { return __px_function_attributes(attributes, (const void *)kernel); }
template <class F> cudaError_t cudaFuncSetAttribute(F *kernel, cudaFuncAttribute attribute, int value) { return __px_function_set((const void *)kernel, attribute, value); }
template <class F> cudaError_t cudaFuncSetCacheConfig(F *kernel, cudaFuncCache config) { return cudaSuccess; }
template <class F> cudaError_t cudaFuncSetSharedMemConfig(F *kernel, cudaSharedMemConfig config) { return cudaSuccess; }
template <class F> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F kernel, int threads, size_t shared) {
	return __px_occupancy(blocks, (const void *)kernel, threads, shared);
}
/* The block with the most resident threads; of several, the largest. */
template <class F, class S> cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F kernel, S shared, int limit = 0) {
	int best = 0, processors = 0;
	cudaFuncAttributes attributes;
	cudaError_t error = __px_function_attributes(&attributes, (const void *)kernel);
	if (!error)
		error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
	if (error)
		return error;
	*grid = *block = 0;
	int most = attributes.maxThreadsPerBlock;
	for (int threads = limit && limit < most ? limit : most; threads > 0; threads = (threads - 1) / 32 * 32) {
		int blocks = 0;
		__px_occupancy(&blocks, (const void *)kernel, threads, shared(threads));
		if (blocks * threads > best)
			best = blocks * threads, *block = threads, *grid = blocks * processors;
	}
	return cudaSuccess;
}
template <class F> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F kernel, size_t shared = 0, int limit = 0) {
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, [=](int) { return shared; }, limit);
}
