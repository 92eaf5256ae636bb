/* runtime.h: types and functions of CUDA's runtime API, as far as this stand-in has them.
 *
 * Names, numbers and layouts are those that NVIDIA documents for CUDA 13 on 64-bit hosts, so that a program that nvcc links with
 * -cudart=shared can call this library. Handles of streams, events, graphs, arrays, pools and objects are the driver's. */
#ifndef PS_CUDART_RUNTIME_H
#define PS_CUDART_RUNTIME_H

#include "cuda/driver.h"

/* Built twice: for programs of CUDA 13, and with PS_CUDART 12 for those of CUDA 12 (twelve.h). */
#ifndef PS_CUDART
#define PS_CUDART 13
#endif
#if PS_CUDART == 12
#include "cudart/twelve.h"
#define DEVICE_PROPERTIES "cudart/props12.def"
#else
#define DEVICE_PROPERTIES "cudart/props.def"
#endif

typedef enum cudaError {
#define ERROR(id, number, text) id = number,
#include "cudart/errors.def"
} cudaError_t;

typedef CUstream         cudaStream_t;
typedef CUevent          cudaEvent_t;
typedef CUgraph          cudaGraph_t;
typedef CUgraphNode      cudaGraphNode_t;
typedef CUgraphExec      cudaGraphExec_t;
typedef CUmemoryPool     cudaMemPool_t;
typedef CUarray          cudaArray_t;
typedef CUmipmappedArray cudaMipmappedArray_t;
typedef CUlibrary        cudaLibrary_t;
typedef CUfunction       cudaFunction_t;
/* A kernel for any device: what was registered (state.h), or the driver's. */
typedef void *cudaKernel_t;

typedef struct dim3 {
	unsigned x, y, z;
} dim3;
typedef struct cudaPos {
	size_t x, y, z;
} cudaPos;
typedef struct cudaExtent {
	size_t width, height, depth;
} cudaExtent;
typedef struct cudaPitchedPtr {
	void  *ptr;
	size_t pitch, xsize, ysize;
} cudaPitchedPtr;

typedef enum cudaMemcpyKind {
	cudaMemcpyHostToHost,
	cudaMemcpyHostToDevice,
	cudaMemcpyDeviceToHost,
	cudaMemcpyDeviceToDevice,
	cudaMemcpyDefault
} cudaMemcpyKind;

typedef struct cudaMemcpy3DParms {
	cudaArray_t    srcArray;
	cudaPos        srcPos;
	cudaPitchedPtr srcPtr;
	cudaArray_t    dstArray;
	cudaPos        dstPos;
	cudaPitchedPtr dstPtr;
	cudaExtent     extent;
	cudaMemcpyKind kind;
} cudaMemcpy3DParms;

typedef struct cudaMemcpy3DPeerParms {
	cudaArray_t    srcArray;
	cudaPos        srcPos;
	cudaPitchedPtr srcPtr;
	int            srcDevice;
	cudaArray_t    dstArray;
	cudaPos        dstPos;
	cudaPitchedPtr dstPtr;
	int            dstDevice;
	cudaExtent     extent;
} cudaMemcpy3DPeerParms;

typedef struct cudaDeviceProp {
#define FIELD(type, name, a)           type name;
#define FIELDS(type, name, n, a, b, c) type name[n];
#include DEVICE_PROPERTIES
} cudaDeviceProp;
_Static_assert(PS_CUDART != 12 || sizeof(cudaDeviceProp) == 1032, "CUDA 12's cudaDeviceProp");

typedef struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int    maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
	int    preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
	int    clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
} cudaFuncAttributes;

enum { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
typedef struct cudaPointerAttributes {
	int     type, device;
	void   *devicePointer, *hostPointer;
	int64_t reserved[8];
} cudaPointerAttributes;

typedef struct cudaLaunchConfig_t {
	dim3               gridDim, blockDim;
	size_t             dynamicSmemBytes;
	cudaStream_t       stream;
	CUlaunchAttribute *attrs;
	unsigned           numAttrs;
} cudaLaunchConfig_t;

typedef struct cudaKernelNodeParams {
	void    *func;
	dim3     gridDim, blockDim;
	unsigned sharedMemBytes;
	void   **kernelParams, **extra;
} cudaKernelNodeParams;

typedef struct cudaMemsetParams {
	void    *dst;
	size_t   pitch;
	unsigned value, elementSize;
	size_t   width, height;
} cudaMemsetParams;

enum { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
typedef struct cudaChannelFormatDesc {
	int x, y, z, w, f; /* bits of each channel; the kind */
} cudaChannelFormatDesc;

typedef struct cudaResourceDesc {
	int resType; /* CU_RESOURCE_TYPE_… */
	union {
		cudaArray_t array;
		struct {
			void                 *devPtr;
			cudaChannelFormatDesc desc;
			size_t                size; /* of linear memory: bytes; of rows: the width in texels */
			size_t                height, pitch;
		} memory;
#if PS_CUDART >= 13
		int reserved[32];
#endif
	} res;
#if PS_CUDART >= 13
	unsigned flags;
#endif
} cudaResourceDesc;

#if PS_CUDART >= 13
typedef CUDA_RESOURCE_VIEW_DESC cudaResourceViewDesc;
#else
typedef struct cudaResourceViewDesc {
	int      format;
	size_t   width, height, depth;
	unsigned first_mipmap, last_mipmap, first_layer, last_layer;
} cudaResourceViewDesc;
#endif

typedef struct cudaTextureDesc {
	int      addressMode[3], filterMode, readMode, sRGB;
	float    borderColor[4];
	int      normalizedCoords;
	unsigned maxAnisotropy;
	int      mipmapFilterMode;
	float    mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int      disableTrilinearOptimization, seamlessCubemap;
} cudaTextureDesc;

typedef struct cudaGraphNodeParams {
	int type, reserved[3];
	union {
		cudaKernelNodeParams kernel;
		struct {
			int               flags, reserved[3];
			cudaMemcpy3DParms params;
		} copy;
		cudaMemsetParams             fill;
		CUDA_HOST_NODE_PARAMS        host;
		CUDA_MEM_ALLOC_NODE_PARAMS   alloc;
		CUDA_CONDITIONAL_NODE_PARAMS conditional;
		long long                    room[29]; /* whatever is the same in the driver's structure */
	};
	long long reserved_too;
} cudaGraphNodeParams;

typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *user);

/* ---- what nvcc puts into programs */

void **__cudaRegisterFatBinary(void *image);
void   __cudaRegisterFatBinaryEnd(void **binary);
void   __cudaUnregisterFatBinary(void **binary);
void   __cudaRegisterFunction(void **binary, const char *host, char *device, const char *name, int threads, void *tid, void *bid,
                              dim3 *block, dim3 *grid, int *warp);
void   __cudaRegisterVar(void **binary, char *host, char *device, const char *name, int external, size_t size, int constant,
                         int global);
void __cudaRegisterManagedVar(void **binary, void **host, char *device, const char *name, int external, size_t size, int constant,
                              int global);
void __cudaRegisterHostVar(void **binary, const char *name, char *host, size_t size);
char __cudaInitModule(void **binary);
unsigned    __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *host);
cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s);

/* ---- the functions; functions.def has their names, and those of the functions that are missing */

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaDriverGetVersion(int *out);
cudaError_t cudaRuntimeGetVersion(int *out);
cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags, int *status);
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version, unsigned long long flags,
                                             int *status);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

cudaError_t cudaGetDeviceCount(int *out);
cudaError_t cudaGetDevice(int *out);
cudaError_t cudaSetDevice(int d);
cudaError_t cudaInitDevice(int d, unsigned device_flags, unsigned flags);
cudaError_t cudaSetValidDevices(int *devices, int n);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned *out);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *out, int d);
cudaError_t cudaDeviceGetAttribute(int *out, int attribute, int d);
cudaError_t cudaChooseDevice(int *out, const cudaDeviceProp *wanted);
cudaError_t cudaDeviceGetPCIBusId(char *out, int size, int d);
cudaError_t cudaDeviceGetByPCIBusId(int *out, const char *id);
cudaError_t cudaDeviceCanAccessPeer(int *out, int d, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *out, int attribute, int from, int to);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(int limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *out, int limit);
cudaError_t cudaDeviceGetCacheConfig(int *out);
cudaError_t cudaDeviceSetCacheConfig(int config);
cudaError_t cudaDeviceGetSharedMemConfig(int *out);
cudaError_t cudaDeviceSetSharedMemConfig(int config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int d);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int d);
cudaError_t cudaDeviceSetMemPool(int d, cudaMemPool_t pool);
cudaError_t cudaCtxResetPersistingL2Cache(void);

cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *f, void **args);
cudaError_t cudaLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s);
cudaError_t cudaLaunchHostFunc(cudaStream_t s, CUhostFn fn, void *user);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, const void *f);
cudaError_t cudaFuncSetAttribute(const void *f, int attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *f, int config);
cudaError_t cudaFuncSetSharedMemConfig(const void *f, int config);
cudaError_t cudaFuncGetName(const char **out, const void *f);
cudaError_t cudaFuncGetParamInfo(const void *f, size_t i, size_t *offset, size_t *size);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *f);
cudaError_t cudaGetKernel(cudaKernel_t *out, const void *f);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t k, int attribute, int value, int d);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *out, const void *f, int block, size_t shared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *out, const void *f, int block, size_t shared,
                                                                   unsigned flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *out, const void *f, int blocks, int block);
cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *image, int *jit, void **jit_values, unsigned n_jit, int *options,
                                void **values, unsigned n);
cudaError_t cudaOccupancyMaxActiveClusters(int *out, const void *f, const cudaLaunchConfig_t *p);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *out, const void *f, const cudaLaunchConfig_t *p);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *out, const char *path, int *jit, void **jit_values, unsigned n_jit,
                                    int *options, void **values, unsigned n);
cudaError_t cudaLibraryGetKernelCount(unsigned *out, cudaLibrary_t l);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *out, unsigned n, cudaLibrary_t l);
cudaError_t cudaLibraryGetManaged(void **out, size_t *size, cudaLibrary_t l, const char *name);
cudaError_t cudaLibraryUnload(cudaLibrary_t l);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t l, const char *name);
cudaError_t cudaLibraryGetGlobal(void **out, size_t *size, cudaLibrary_t l, const char *name);

cudaError_t cudaMalloc(void **out, size_t size);
cudaError_t cudaMallocHost(void **out, size_t size);
cudaError_t cudaHostAlloc(void **out, size_t size, unsigned flags);
cudaError_t cudaMallocManaged(void **out, size_t size, unsigned flags);
cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr *out, cudaExtent size);
cudaError_t cudaMallocAsync(void **out, size_t size, cudaStream_t s);
cudaError_t cudaMallocFromPoolAsync(void **out, size_t size, cudaMemPool_t pool, cudaStream_t s);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaFreeAsync(void *p, cudaStream_t s);
cudaError_t cudaHostRegister(void *p, size_t size, unsigned flags);
cudaError_t cudaHostUnregister(void *p);
cudaError_t cudaHostGetDevicePointer(void **out, void *p, unsigned flags);
cudaError_t cudaHostGetFlags(unsigned *out, void *p);
cudaError_t cudaMemGetInfo(size_t *left, size_t *total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *out, const void *p);
cudaError_t cudaMemPrefetchAsync(const void *p, size_t size, CUmemLocation where, unsigned flags, cudaStream_t s);
cudaError_t cudaMemAdvise(const void *p, size_t size, int advice, CUmemLocation where);
cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *size, size_t n, CUmemcpyAttributes *how,
                                 size_t *first, size_t n_how, cudaStream_t s);
cudaError_t cudaMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *p, unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemRangeGetAttribute(void *out, size_t out_size, int which, const void *p, size_t size);
cudaError_t cudaMemRangeGetAttributes(void **out, size_t *sizes, int *which, size_t n, const void *p, size_t size);
cudaError_t cudaMemPrefetchBatchAsync(void **p, size_t *size, size_t n, CUmemLocation *where, size_t *first, size_t n_where,
                                      unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **p, size_t *size, size_t n, CUmemLocation *where, size_t *first,
                                                size_t n_where, unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemDiscardBatchAsync(void **p, size_t *size, size_t n, unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemPoolGetAccess(int *out, cudaMemPool_t pool, CUmemLocation *where);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, CUmemLocation *where, int type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, CUmemLocation *where, int type);
cudaError_t cudaMemSetMemPool(CUmemLocation *where, int type, cudaMemPool_t pool);
cudaError_t cudaIpcGetMemHandle(CUipcHandle *out, void *p);
cudaError_t cudaIpcOpenMemHandle(void **out, CUipcHandle h, unsigned flags);
cudaError_t cudaIpcCloseMemHandle(void *p);
cudaError_t cudaIpcGetEventHandle(CUipcHandle *out, cudaEvent_t e);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *out, CUipcHandle h);
cudaError_t cudaMemPoolExportToShareableHandle(void *out, cudaMemPool_t pool, int type, unsigned flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *out, void *handle, int type, unsigned flags);
cudaError_t cudaMemPoolExportPointer(CUipcHandle *out, void *p);
cudaError_t cudaMemPoolImportPointer(void **out, cudaMemPool_t pool, CUipcHandle *from);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const void *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const void *access, size_t n);
cudaError_t cudaGetSymbolAddress(void **out, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *out, const void *symbol);

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size, cudaStream_t s);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t s);
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t s);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t s);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p, cudaStream_t s);
cudaError_t cudaMemset(void *p, int value, size_t size);
cudaError_t cudaMemsetAsync(void *p, int value, size_t size, cudaStream_t s);
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t s);
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent size);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent size, cudaStream_t s);

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
cudaError_t cudaMallocArray(cudaArray_t *out, const cudaChannelFormatDesc *d, size_t width, size_t height, unsigned flags);
cudaError_t cudaMalloc3DArray(cudaArray_t *out, const cudaChannelFormatDesc *d, cudaExtent size, unsigned flags);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out, const cudaChannelFormatDesc *d, cudaExtent size, unsigned levels,
                                     unsigned flags);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_t m, unsigned level);
cudaError_t cudaArrayGetSparseProperties(void *out, cudaArray_t a);
cudaError_t cudaMipmappedArrayGetSparseProperties(void *out, cudaMipmappedArray_t m);
cudaError_t cudaArrayGetMemoryRequirements(void *out, cudaArray_t a, int d);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(void *out, cudaMipmappedArray_t m, int d);
cudaError_t cudaArrayGetPlane(cudaArray_t *out, cudaArray_t a, unsigned plane);
cudaError_t cudaFreeArray(cudaArray_t a);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *d, cudaExtent *size, unsigned *flags, cudaArray_t a);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *out, cudaArray_t a);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind,
                                   cudaStream_t s);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind,
                                     cudaStream_t s);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width, size_t height,
                                  cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind);
cudaError_t cudaCreateTextureObject(CUtexObject *out, const cudaResourceDesc *from, const cudaTextureDesc *how,
                                    const cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(CUtexObject t);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *out, CUtexObject t);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *out, CUtexObject t);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *out, CUtexObject t);
cudaError_t cudaCreateSurfaceObject(CUsurfObject *out, const cudaResourceDesc *from);
cudaError_t cudaDestroySurfaceObject(CUsurfObject s);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *out, CUsurfObject s);

cudaError_t cudaStreamCreate(cudaStream_t *out);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *out);
cudaError_t cudaStreamGetPriority(cudaStream_t s, int *out);
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *out);
cudaError_t cudaStreamGetDevice(cudaStream_t s, int *out);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags);
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t fn, void *user, unsigned flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t size, unsigned flags);
cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *out);
cudaError_t cudaStreamIsCapturing(cudaStream_t s, int *out);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, int *status, unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **after, const uint64_t **data, size_t *n);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *node, const uint64_t *data, size_t n,
                                                unsigned how);
cudaError_t cudaStreamGetAttribute(cudaStream_t s, int id, void *out);
cudaError_t cudaStreamSetAttribute(cudaStream_t s, int id, const void *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode);
cudaError_t cudaEventCreate(cudaEvent_t *out);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags);
cudaError_t cudaEventQuery(cudaEvent_t e);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *out, cudaEvent_t from, cudaEvent_t to);

cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t g);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                   const cudaKernelNodeParams *p);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                   const cudaMemcpy3DParms *p);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n, void *to,
                                     const void *from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                   const cudaMemsetParams *p);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                 const CUDA_HOST_NODE_PARAMS *p);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, const uint64_t *data, size_t n,
                             cudaGraphNodeParams *p);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *p);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, cudaGraphNodeParams *p);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                     CUDA_MEM_ALLOC_NODE_PARAMS *p);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, CUDA_MEM_ALLOC_NODE_PARAMS *out);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n, void *p);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *out);
cudaError_t cudaDeviceGraphMemTrim(int d);
cudaError_t cudaDeviceGetGraphMemAttribute(int d, int attribute, void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int d, int attribute, void *value);
cudaError_t cudaGraphConditionalHandleCreate(CUgraphConditionalHandle *out, cudaGraph_t g, unsigned value, unsigned flags);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                           const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                             void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *after, const uint64_t *data,
                                          size_t n, int mode);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n);
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *out, size_t *n);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, int *out);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *out);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *p);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, const cudaKernelNodeParams *p);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, int id, void *out);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, int id, const void *value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t g, const char *path, unsigned flags);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, cudaGraph_t child);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *out);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *from, size_t size,
                                                 size_t offset, cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const void *symbol, size_t size, size_t offset,
                                                   cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t x, cudaGraphNode_t node, const void *symbol,
                                                     const void *from, size_t size, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t x, cudaGraphNode_t node, void *to, const void *symbol,
                                                       size_t size, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *p);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, const cudaMemcpy3DParms *p);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t x, cudaGraphNode_t node, void *to, const void *from, size_t size,
                                               cudaMemcpyKind kind);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *p);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, const cudaMemsetParams *p);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *out);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, CUDA_HOST_NODE_PARAMS *out);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS *p);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS *p);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                        cudaEvent_t e);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n, cudaEvent_t e);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t e);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t e);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t x, cudaGraphNode_t node, cudaEvent_t e);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t x, cudaGraphNode_t node, cudaEvent_t e);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
                                       cudaGraph_t child);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *out);
cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t g);
cudaError_t cudaUserObjectCreate(CUuserObject *out, void *value, CUhostFn destroy, unsigned count, unsigned flags);
cudaError_t cudaUserObjectRetain(CUuserObject u, unsigned count);
cudaError_t cudaUserObjectRelease(CUuserObject u, unsigned count);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t g, CUuserObject u, unsigned count, unsigned flags);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t g, CUuserObject u, unsigned count);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t node, cudaGraph_t g);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *out, size_t *n);
cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, uint64_t *data, size_t *n);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *out, uint64_t *data, size_t *n);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *out, uint64_t *data, size_t *n);
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const uint64_t *data,
                                     size_t n);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const uint64_t *data, size_t n);
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t g, CUDA_GRAPH_INSTANTIATE_PARAMS *p);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t x, cudaGraph_t g, CUgraphExecUpdateResultInfo *info);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t x, unsigned long long *out);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t x, cudaGraphNode_t node, unsigned on);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t x, cudaGraphNode_t node, unsigned *out);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t s);
cudaError_t cudaGraphUpload(cudaGraphExec_t x, cudaStream_t s);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t x);

#endif
