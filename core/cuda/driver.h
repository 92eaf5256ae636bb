/* driver.h: types and numbers of CUDA's driver API, as far as this stand-in has them.
 *
 * Names, numbers and layouts are those that NVIDIA documents for the driver API on 64-bit hosts, so that a program compiled against NVIDIA's
 * header can call this library. Handles are pointers to objects of this library; programs do not look into them. */
#ifndef PS_CUDA_DRIVER_H
#define PS_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef enum CUresult {
#define RESULT(id, number, text) id = number,
#include "cuda/results.def"
} CUresult;

typedef int                         CUdevice;
typedef uint64_t                    CUdeviceptr;
typedef struct CUctx_st            *CUcontext;
typedef struct CUmod_st            *CUmodule;
typedef struct CUfunc_st           *CUfunction;
typedef struct CUlib_st            *CUlibrary;
typedef struct CUkern_st           *CUkernel;
typedef struct CUstream_st         *CUstream;
typedef struct CUevent_st          *CUevent;
typedef struct CUgraph_st          *CUgraph;
typedef struct CUgraphNode_st      *CUgraphNode;
typedef struct CUgraphExec_st      *CUgraphExec;
typedef struct CUuserObject_st     *CUuserObject;
typedef struct CUarray_st          *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUlinkState_st      *CUlinkState;
typedef struct CUmemPoolHandle_st  *CUmemoryPool;
typedef uint64_t                    CUtexObject, CUsurfObject;
typedef void (*CUhostFn)(void *user);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *user);
typedef size_t (*CUoccupancyB2DSize)(int block_size);

typedef struct CUuuid {
	char bytes[16];
} CUuuid;

/* What a copy of a tensor needs to know; its layout is the driver's own. */
typedef struct CUtensorMap {
	_Alignas(64) uint64_t opaque[16];
} CUtensorMap;
typedef struct CUctxCreateParams {
	void *execAffinityParams;
	int   numExecAffinityParams;
	void *cigParams;
} CUctxCreateParams;
typedef struct CUmemLocation {
	int type, id;
} CUmemLocation;

typedef uint64_t CUmemGenericAllocationHandle;
typedef struct CUmemAllocationProp {
	int           type, handle_types;
	CUmemLocation location;
	void         *reserved;
	uint8_t       flags[8];
} CUmemAllocationProp;
typedef struct CUmemAccessDesc {
	CUmemLocation location;
	int           flags;
} CUmemAccessDesc;

#define CU_STREAM_LEGACY     ((CUstream)1)
#define CU_STREAM_PER_THREAD ((CUstream)2)

enum { CU_CTX_FLAGS = 0xff, CU_CTX_SCHED = 7 };
enum { CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2, CU_EVENT_INTERPROCESS = 4 };
enum { CU_LAUNCH_PARAM_END = 0, CU_LAUNCH_PARAM_BUFFER_POINTER = 1, CU_LAUNCH_PARAM_BUFFER_SIZE = 2 };
enum { CU_MEMHOSTALLOC_PORTABLE = 1, CU_MEMHOSTALLOC_DEVICEMAP = 2, CU_MEMHOSTALLOC_WRITECOMBINED = 4 };
enum { CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1 };
enum { CU_MEM_ATTACH_GLOBAL = 1, CU_MEM_ATTACH_HOST = 2, CU_MEM_ATTACH_SINGLE = 4 };
enum { CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_ARRAY, CU_MEMORYTYPE_UNIFIED };

typedef enum CUfunction_attribute {
	CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
	CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
	CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
	CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
	CU_FUNC_ATTRIBUTE_NUM_REGS,
	CU_FUNC_ATTRIBUTE_PTX_VERSION,
	CU_FUNC_ATTRIBUTE_BINARY_VERSION,
	CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
	CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
	CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
	CU_FUNC_ATTRIBUTE_MAX = 16,
} CUfunction_attribute;

typedef enum CUpointer_attribute {
	CU_POINTER_ATTRIBUTE_CONTEXT = 1,
	CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
	CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
	CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
	CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
	CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
	CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
	CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
	CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
	CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
	CU_POINTER_ATTRIBUTE_MAPPED = 13,
	CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17,
} CUpointer_attribute;

typedef enum CUjit_option {
	CU_JIT_WALL_TIME = 2,
	CU_JIT_INFO_LOG_BUFFER = 3,
	CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
	CU_JIT_ERROR_LOG_BUFFER = 5,
	CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
} CUjit_option;
typedef enum CUjitInputType {
	CU_JIT_INPUT_CUBIN,
	CU_JIT_INPUT_PTX,
	CU_JIT_INPUT_FATBINARY,
	CU_JIT_INPUT_OBJECT,
	CU_JIT_INPUT_LIBRARY
} CUjitInputType;

typedef struct CUlaunchAttribute {
	int      id;
	char     pad[4];
	uint32_t value[16];
} CUlaunchAttribute;
enum {
	CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
	CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
	CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
	CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE = 13
};

typedef struct CUlaunchConfig {
	unsigned           grid[3], block[3], shared_bytes;
	CUstream           stream;
	CUlaunchAttribute *attrs;
	unsigned           n_attrs;
} CUlaunchConfig;

/* One side of a copy of a box of bytes. */
typedef struct CUDA_MEMCPY2D {
	size_t      src_x, src_y;
	unsigned    src_type;
	const void *src_host;
	CUdeviceptr src_device;
	CUarray     src_array;
	size_t      src_pitch;
	size_t      dst_x, dst_y;
	unsigned    dst_type;
	void       *dst_host;
	CUdeviceptr dst_device;
	CUarray     dst_array;
	size_t      dst_pitch;
	size_t      width, height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D {
	size_t      src_x, src_y, src_z, src_lod;
	unsigned    src_type;
	const void *src_host;
	CUdeviceptr src_device;
	CUarray     src_array;
	void       *src_reserved;
	size_t      src_pitch, src_height;
	size_t      dst_x, dst_y, dst_z, dst_lod;
	unsigned    dst_type;
	void       *dst_host;
	CUdeviceptr dst_device;
	CUarray     dst_array;
	void       *dst_reserved;
	size_t      dst_pitch, dst_height;
	size_t      width, height, depth;
} CUDA_MEMCPY3D;

/* Of many copies: in which order their sources are read; the places are hints. */
typedef struct CUmemcpyAttributes {
	int           order;
	CUmemLocation src_hint, dst_hint;
	unsigned      flags;
} CUmemcpyAttributes;

typedef struct CUmemcpy3DOperand {
	int type;
	union {
		struct {
			CUdeviceptr   p;
			size_t        row, layer; /* elements from row to row, rows from layer to layer; 0: no space between */
			CUmemLocation hint;
		} pointer;
		struct {
			CUarray array;
			size_t  x, y, z;
		} array;
	};
} CUmemcpy3DOperand;
typedef struct CUDA_MEMCPY3D_BATCH_OP {
	CUmemcpy3DOperand src, dst;
	size_t            width, height, depth; /* elements */
	int               order;
	unsigned          flags;
} CUDA_MEMCPY3D_BATCH_OP;

/* An operation of a stream on a word of memory. */
typedef union CUstreamBatchMemOpParams {
	struct {
		int         operation;
		CUdeviceptr address;
		uint64_t    value;
		unsigned    flags;
		CUdeviceptr alias;
	};
	uint64_t pad[6];
} CUstreamBatchMemOpParams;

/* ---- arrays, and objects that kernels fetch from */

typedef struct CUDA_ARRAY_DESCRIPTOR {
	size_t   width, height;
	int      format;
	unsigned channels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct CUDA_ARRAY3D_DESCRIPTOR {
	size_t   width, height, depth;
	int      format;
	unsigned channels, flags;
} CUDA_ARRAY3D_DESCRIPTOR;
enum {
	CUDA_ARRAY3D_LAYERED = 1,
	CUDA_ARRAY3D_SURFACE_LDST = 2,
	CUDA_ARRAY3D_CUBEMAP = 4,
	CUDA_ARRAY3D_TEXTURE_GATHER = 8,
	CUDA_ARRAY3D_DEPTH_TEXTURE = 16
};
enum {
	CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
	CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
	CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
	CU_AD_FORMAT_SIGNED_INT8 = 0x08,
	CU_AD_FORMAT_SIGNED_INT16 = 0x09,
	CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
	CU_AD_FORMAT_HALF = 0x10,
	CU_AD_FORMAT_FLOAT = 0x20
};
enum { CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CU_RESOURCE_TYPE_LINEAR, CU_RESOURCE_TYPE_PITCH2D };
enum { CU_TRSF_READ_AS_INTEGER = 1, CU_TRSF_NORMALIZED_COORDINATES = 2, CU_TRSF_SRGB = 16 };
enum { CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_BORDER };

/* Memory as texels. */
typedef struct CUtexels {
	CUdeviceptr device;
	int         format;
	unsigned    channels;
	size_t      width; /* CU_RESOURCE_TYPE_LINEAR: bytes */
	size_t      height, pitch;
} CUtexels;
typedef struct CUDA_RESOURCE_DESC {
	int type;
	union {
		CUarray          array;
		CUmipmappedArray mipmap;
		CUtexels         texels;
		int              reserved[32];
	};
	unsigned flags;
} CUDA_RESOURCE_DESC;

typedef struct CUDA_TEXTURE_DESC {
	int      address[3], filter;
	unsigned flags, max_anisotropy;
	int      mipmap_filter;
	float    mipmap_bias, min_mipmap, max_mipmap, border[4];
	int      reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct CUDA_RESOURCE_VIEW_DESC {
	int      format;
	size_t   width, height, depth;
	unsigned first_mipmap, last_mipmap, first_layer, last_layer, reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

typedef struct CUDA_KERNEL_NODE_PARAMS {
	CUfunction func;
	unsigned   grid[3], block[3], shared_bytes;
	void     **params, **extra;
	CUkernel   kernel; /* from here on in version 2 only */
	CUcontext  context;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct CUDA_MEMSET_NODE_PARAMS {
	CUdeviceptr dst;
	size_t      pitch;
	unsigned    value, element_size;
	size_t      width, height;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS {
	uint64_t    flags;
	CUstream    upload;
	CUgraphNode error_node;
	int         result;
} CUDA_GRAPH_INSTANTIATE_PARAMS;

typedef struct CUgraphExecUpdateResultInfo {
	int         result;
	CUgraphNode error_node, error_from;
} CUgraphExecUpdateResultInfo;

/* What names memory or an event, and what names memory of a pool, to other processes. */
typedef struct CUipcHandle {
	char reserved[64];
} CUipcHandle;

typedef struct CUDA_HOST_NODE_PARAMS {
	CUhostFn fn;
	void    *user;
} CUDA_HOST_NODE_PARAMS;

typedef struct CUmemPoolProps {
	int            type, handle_types;
	CUmemLocation  location;
	void          *security;
	size_t         most;
	unsigned short usage;
	uint8_t        reserved[54];
} CUmemPoolProps;
typedef struct CUDA_MEM_ALLOC_NODE_PARAMS {
	CUmemPoolProps         pool;
	const CUmemAccessDesc *access;
	size_t                 n_access, size;
	CUdeviceptr            address; /* given back */
} CUDA_MEM_ALLOC_NODE_PARAMS;

typedef uint64_t CUgraphConditionalHandle;
typedef struct CUDA_CONDITIONAL_NODE_PARAMS {
	CUgraphConditionalHandle handle;
	int                      type;
	unsigned                 size;
	CUgraph                 *bodies; /* given back */
	CUcontext                context;
} CUDA_CONDITIONAL_NODE_PARAMS;

typedef struct CUgraphNodeParams {
	int type, reserved[3];
	union {
		CUDA_KERNEL_NODE_PARAMS kernel;
		struct {
			int           flags, reserved;
			CUcontext     context;
			CUDA_MEMCPY3D params;
		} copy;
		CUDA_MEMSET_NODE_PARAMS fill; /* and a context */
		CUDA_HOST_NODE_PARAMS   host;
		struct {
			CUgraph graph;
			int     ownership;
		} child;
		CUevent                      event;
		CUDA_MEM_ALLOC_NODE_PARAMS   alloc;
		CUdeviceptr                  free;
		CUDA_CONDITIONAL_NODE_PARAMS conditional;
		long long                    room[29];
	};
	long long reserved_too;
} CUgraphNodeParams;

typedef enum CUstreamCaptureStatus {
	CU_STREAM_CAPTURE_STATUS_NONE,
	CU_STREAM_CAPTURE_STATUS_ACTIVE,
	CU_STREAM_CAPTURE_STATUS_INVALIDATED
} CUstreamCaptureStatus;

/* ---- the functions, with their versions: functions.def has their names for cuGetProcAddress */

CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuGetErrorName(CUresult error, const char **text);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuGetExportTable(const void **out, const CUuuid *id);
CUresult cuGetProcAddress(const char *name, void **out, int version, uint64_t flags);
CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status);

CUresult cuDeviceGet(CUdevice *out, int ordinal);
CUresult cuDeviceGetCount(int *out);
CUresult cuDeviceGetName(char *name, int size, CUdevice d);
CUresult cuDeviceGetUuid(CUuuid *out, CUdevice d);
CUresult cuDeviceGetUuid_v2(CUuuid *out, CUdevice d);
CUresult cuDeviceTotalMem_v2(size_t *out, CUdevice d);
CUresult cuDeviceGetAttribute(int *out, int attribute, CUdevice d);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice d);
CUresult cuDeviceGetPCIBusId(char *out, int size, CUdevice d);
CUresult cuDeviceGetByPCIBusId(CUdevice *out, const char *id);
CUresult cuDeviceCanAccessPeer(int *out, CUdevice d, CUdevice peer);
CUresult cuDeviceGetP2PAttribute(int *out, int attribute, CUdevice from, CUdevice to);
CUresult cuDeviceSetMemPool(CUdevice d, CUmemoryPool pool);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *out, CUdevice d);
CUresult cuDeviceGetMemPool(CUmemoryPool *out, CUdevice d);
CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice d);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d);
CUresult cuDevicePrimaryCtxReset_v2(CUdevice d);
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice d, unsigned flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned *flags, int *active);

CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice d);
CUresult cuCtxCreate_v3(CUcontext *out, void *affinity, int n, unsigned flags, CUdevice d);
CUresult cuCtxCreate_v4(CUcontext *out, const CUctxCreateParams *params, unsigned flags, CUdevice d);
CUresult cuCtxDestroy_v2(CUcontext c);
CUresult cuCtxPushCurrent_v2(CUcontext c);
CUresult cuCtxPopCurrent_v2(CUcontext *out);
CUresult cuCtxSetCurrent(CUcontext c);
CUresult cuCtxGetCurrent(CUcontext *out);
CUresult cuCtxGetDevice(CUdevice *out);
CUresult cuCtxGetDevice_v2(CUdevice *out, CUcontext c);
CUresult cuCtxGetFlags(unsigned *out);
CUresult cuCtxSetFlags(unsigned flags);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuCtxGetId(CUcontext c, unsigned long long *out);
CUresult cuCtxGetApiVersion(CUcontext c, unsigned *out);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSynchronize_v2(CUcontext c);
CUresult cuCtxSetLimit(int limit, size_t value);
CUresult cuCtxGetLimit(size_t *out, int limit);
CUresult cuCtxGetCacheConfig(int *out);
CUresult cuCtxSetCacheConfig(int config);
CUresult cuCtxGetSharedMemConfig(int *out);
CUresult cuCtxSetSharedMemConfig(int config);
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags);
CUresult cuCtxDisablePeerAccess(CUcontext peer);

CUresult cuModuleLoad(CUmodule *out, const char *path);
CUresult cuModuleLoadData(CUmodule *out, const void *image);
CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned n, CUjit_option *options, void **values);
CUresult cuModuleLoadFatBinary(CUmodule *out, const void *image);
CUresult cuModuleUnload(CUmodule m);
CUresult cuModuleGetFunction(CUfunction *out, CUmodule m, const char *name);
CUresult cuModuleGetFunctionCount(unsigned *out, CUmodule m);
CUresult cuModuleEnumerateFunctions(CUfunction *out, unsigned n, CUmodule m);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *out, size_t *size, CUmodule m, const char *name);
CUresult cuModuleGetLoadingMode(int *out);
CUresult cuLinkCreate_v2(unsigned n, CUjit_option *options, void **values, CUlinkState *out);
CUresult cuLinkAddData_v2(CUlinkState l, CUjitInputType type, void *data, size_t size, const char *name, unsigned n,
                          CUjit_option *options, void **values);
CUresult cuLinkAddFile_v2(CUlinkState l, CUjitInputType type, const char *path, unsigned n, CUjit_option *options, void **values);
CUresult cuLinkComplete(CUlinkState l, void **out, size_t *size);
CUresult cuLinkDestroy(CUlinkState l);
CUresult cuLibraryLoadData(CUlibrary *out, const void *image, CUjit_option *options, void **values, unsigned n, void *, void **,
                           unsigned);
CUresult cuLibraryLoadFromFile(CUlibrary *out, const char *path, CUjit_option *options, void **values, unsigned n, void *,
                               void **, unsigned);
CUresult cuLibraryUnload(CUlibrary l);
CUresult cuLibraryGetManaged(CUdeviceptr *out, size_t *size, CUlibrary l, const char *name);
CUresult cuLibraryGetKernelCount(unsigned *out, CUlibrary l);
CUresult cuLibraryEnumerateKernels(CUkernel *out, unsigned n, CUlibrary l);
CUresult cuKernelGetAttribute(int *out, CUfunction_attribute a, CUkernel k, CUdevice d);
CUresult cuKernelSetAttribute(CUfunction_attribute a, int value, CUkernel k, CUdevice d);
CUresult cuKernelSetCacheConfig(CUkernel k, int config, CUdevice d);
CUresult cuKernelGetName(const char **out, CUkernel k);
CUresult cuKernelGetLibrary(CUlibrary *out, CUkernel k);
CUresult cuKernelGetParamInfo(CUkernel k, size_t i, size_t *offset, size_t *size);
CUresult cuLibraryGetKernel(CUkernel *out, CUlibrary l, const char *name);
CUresult cuLibraryGetModule(CUmodule *out, CUlibrary l);
CUresult cuLibraryGetGlobal(CUdeviceptr *out, size_t *size, CUlibrary l, const char *name);
CUresult cuKernelGetFunction(CUfunction *out, CUkernel k);

CUresult cuFuncGetAttribute(int *out, CUfunction_attribute a, CUfunction f);
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute a, int value);
CUresult cuFuncSetCacheConfig(CUfunction f, int config);
CUresult cuFuncSetSharedMemConfig(CUfunction f, int config);
CUresult cuFuncGetModule(CUmodule *out, CUfunction f);
CUresult cuFuncGetName(const char **out, CUfunction f);
CUresult cuFuncGetParamInfo(CUfunction f, size_t i, size_t *offset, size_t *size);
CUresult cuFuncIsLoaded(int *out, CUfunction f);
CUresult cuFuncLoad(CUfunction f);
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream s, void **params, void **extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **params, void **extra);
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                   unsigned shared, CUstream s, void **params);
CUresult cuLaunchHostFunc(CUstream s, CUhostFn fn, void *user);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, CUfunction f, int block, size_t shared);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *out, CUfunction f, int block, size_t shared, unsigned flags);
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of, size_t shared,
                                          int limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of,
                                                   size_t shared, int limit, unsigned flags);
CUresult cuOccupancyMaxActiveClusters(int *out, CUfunction f, const CUlaunchConfig *p);
CUresult cuOccupancyMaxPotentialClusterSize(int *out, CUfunction f, const CUlaunchConfig *p);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *out, CUfunction f, int blocks, int block);

CUresult cuMemGetInfo_v2(size_t *free, size_t *total);
CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t size);
CUresult cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned element);
CUresult cuMemAllocManaged(CUdeviceptr *out, size_t size, unsigned flags);
CUresult cuMemFree_v2(CUdeviceptr p);
CUresult cuMemAllocHost_v2(void **out, size_t size);
CUresult cuMemHostAlloc(void **out, size_t size, unsigned flags);
CUresult cuMemFreeHost(void *p);
CUresult cuMemHostRegister_v2(void *p, size_t size, unsigned flags);
CUresult cuMemHostUnregister(void *p);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *p, unsigned flags);
CUresult cuMemHostGetFlags(unsigned *out, void *p);
CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr p);
CUresult cuMemAllocAsync(CUdeviceptr *out, size_t size, CUstream s);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t size, CUmemoryPool pool, CUstream s);
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s);
CUresult cuMemPoolCreate(CUmemoryPool *out, const void *props);
CUresult cuMemPoolDestroy(CUmemoryPool pool);
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep);
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const void *access, size_t n);
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value);
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value);
CUresult cuPointerGetAttribute(void *out, CUpointer_attribute a, CUdeviceptr p);
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute a, CUdeviceptr p);
CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *a, void **out, CUdeviceptr p);
CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t size, CUdevice d, CUstream s);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t size, CUmemLocation where, unsigned flags, CUstream s);
CUresult cuMemAdvise(CUdeviceptr p, size_t size, int advice, CUdevice d);
CUresult cuMemAdvise_v2(CUdeviceptr p, size_t size, int advice, CUmemLocation where);

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream s);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size, CUstream s);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size, CUstream s);
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream s);
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_c, CUdeviceptr from, CUcontext from_c, size_t size);
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_c, CUdeviceptr from, CUcontext from_c, size_t size, CUstream s);
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *c);
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *c);
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream s);
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *c);
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D *p);
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D *p, CUstream s);
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *c, CUstream s);
CUresult cuMemsetD8_v2(CUdeviceptr p, unsigned char v, size_t n);
CUresult cuMemsetD16_v2(CUdeviceptr p, unsigned short v, size_t n);
CUresult cuMemsetD32_v2(CUdeviceptr p, unsigned v, size_t n);
CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char v, size_t n, CUstream s);
CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short v, size_t n, CUstream s);
CUresult cuMemsetD32Async(CUdeviceptr p, unsigned v, size_t n, CUstream s);
CUresult cuMemsetD2D8_v2(CUdeviceptr p, size_t pitch, unsigned char v, size_t width, size_t height);
CUresult cuMemsetD2D16_v2(CUdeviceptr p, size_t pitch, unsigned short v, size_t width, size_t height);
CUresult cuMemsetD2D32_v2(CUdeviceptr p, size_t pitch, unsigned v, size_t width, size_t height);
CUresult cuMemsetD2D8Async(CUdeviceptr p, size_t pitch, unsigned char v, size_t width, size_t height, CUstream s);
CUresult cuMemsetD2D16Async(CUdeviceptr p, size_t pitch, unsigned short v, size_t width, size_t height, CUstream s);
CUresult cuMemsetD2D32Async(CUdeviceptr p, size_t pitch, unsigned v, size_t width, size_t height, CUstream s);

CUresult cuArrayCreate_v2(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d);
CUresult cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d);
CUresult cuArrayDestroy(CUarray a);
CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *out, CUarray a);
CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray a);
CUresult cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray m);
CUresult cuMipmappedArrayGetLevel(CUarray *out, CUmipmappedArray m, unsigned level);
CUresult cuArrayGetSparseProperties(void *out, CUarray a);
CUresult cuMipmappedArrayGetSparseProperties(void *out, CUmipmappedArray m);
CUresult cuArrayGetMemoryRequirements(void *out, CUarray a, CUdevice d);
CUresult cuMipmappedArrayGetMemoryRequirements(void *out, CUmipmappedArray m, CUdevice d);
CUresult cuArrayGetPlane(CUarray *out, CUarray a, unsigned plane);
CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t size);
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t size);
CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t size);
CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t size, CUstream s);
CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t size);
CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t size);
CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t size, CUstream s);
CUresult cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *from, const CUDA_TEXTURE_DESC *how,
                           const CUDA_RESOURCE_VIEW_DESC *view);
CUresult cuTexObjectDestroy(CUtexObject t);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUtexObject t);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, CUtexObject t);
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *out, CUtexObject t);
CUresult cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *from);
CUresult cuSurfObjectDestroy(CUsurfObject s);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUsurfObject s);

CUresult cuStreamCreate(CUstream *out, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority);
CUresult cuStreamDestroy_v2(CUstream s);
CUresult cuStreamSynchronize(CUstream s);
CUresult cuStreamQuery(CUstream s);
CUresult cuStreamGetFlags(CUstream s, unsigned *out);
CUresult cuStreamGetPriority(CUstream s, int *out);
CUresult cuStreamGetCtx(CUstream s, CUcontext *out);
CUresult cuStreamGetCtx_v2(CUstream s, CUcontext *out, void **green);
CUresult cuStreamGetId(CUstream s, unsigned long long *out);
CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags);
CUresult cuStreamAddCallback(CUstream s, CUstreamCallback fn, void *user, unsigned flags);
CUresult cuStreamAttachMemAsync(CUstream s, CUdeviceptr p, size_t size, unsigned flags);
CUresult cuStreamWriteValue32_v2(CUstream s, CUdeviceptr p, uint32_t value, unsigned flags);
CUresult cuStreamWriteValue64_v2(CUstream s, CUdeviceptr p, uint64_t value, unsigned flags);
CUresult cuStreamBeginCapture_v2(CUstream s, int mode);
CUresult cuStreamEndCapture(CUstream s, CUgraph *out);
CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus *out);
CUresult cuStreamGetCaptureInfo_v2(CUstream s, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **after, size_t *n);
CUresult cuStreamGetCaptureInfo_v3(CUstream s, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **after, const uint64_t **data, size_t *n);
CUresult cuStreamUpdateCaptureDependencies(CUstream s, CUgraphNode *node, size_t n, unsigned how);
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream s, CUgraphNode *node, const uint64_t *data, size_t n, unsigned how);
CUresult cuStreamGetAttribute(CUstream s, int id, void *out);
CUresult cuStreamSetAttribute(CUstream s, int id, const void *value);
CUresult cuStreamCopyAttributes(CUstream to, CUstream from);
CUresult cuStreamGetDevice(CUstream s, CUdevice *out);
CUresult cuThreadExchangeStreamCaptureMode(int *mode);
CUresult cuEventCreate(CUevent *out, unsigned flags);
CUresult cuEventDestroy_v2(CUevent e);
CUresult cuEventRecord(CUevent e, CUstream s);
CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags);
CUresult cuEventQuery(CUevent e);
CUresult cuEventSynchronize(CUevent e);
CUresult cuEventElapsedTime(float *out, CUevent from, CUevent to);
CUresult cuEventElapsedTime_v2(float *out, CUevent from, CUevent to);

CUresult cuGraphCreate(CUgraph *out, unsigned flags);
CUresult cuGraphDestroy(CUgraph g);
CUresult cuGraphClone(CUgraph *out, CUgraph g);
CUresult cuUserObjectCreate(CUuserObject *out, void *value, CUhostFn destroy, unsigned count, unsigned flags);
CUresult cuUserObjectRetain(CUuserObject u, unsigned count);
CUresult cuUserObjectRelease(CUuserObject u, unsigned count);
CUresult cuGraphRetainUserObject(CUgraph g, CUuserObject u, unsigned count, unsigned flags);
CUresult cuGraphReleaseUserObject(CUgraph g, CUuserObject u, unsigned count);
CUresult cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode n, CUgraph g);
CUresult cuGraphDestroyNode(CUgraphNode n);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph g, unsigned long long flags);
CUresult cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *p);
CUresult cuGraphExecUpdate_v2(CUgraphExec x, CUgraph g, CUgraphExecUpdateResultInfo *info);
CUresult cuGraphExecUpdate(CUgraphExec x, CUgraph g, CUgraphNode *error, int *result);
CUresult cuGraphLaunch(CUgraphExec x, CUstream s);
CUresult cuGraphUpload(CUgraphExec x, CUstream s);
CUresult cuGraphExecDestroy(CUgraphExec x);
CUresult cuGraphExecGetFlags(CUgraphExec x, unsigned long long *out);
CUresult cuGraphNodeSetEnabled(CUgraphExec x, CUgraphNode n, unsigned on);
CUresult cuGraphNodeGetEnabled(CUgraphExec x, CUgraphNode n, unsigned *out);
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *out, size_t *n);
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *out, size_t *n);
CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n);
CUresult cuGraphGetEdges_v2(CUgraph g, CUgraphNode *from, CUgraphNode *to, uint64_t *data, size_t *n);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *out, size_t *n);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *out, uint64_t *data, size_t *n);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *out, size_t *n);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *out, uint64_t *data, size_t *n);
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n);
CUresult cuGraphAddDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const uint64_t *data, size_t n);
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n);
CUresult cuGraphRemoveDependencies_v2(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const uint64_t *data, size_t n);
CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n,
                                 const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphKernelNodeGetParams(CUgraphNode n, CUDA_KERNEL_NODE_PARAMS *out);
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode n, CUDA_KERNEL_NODE_PARAMS *out);
CUresult cuGraphKernelNodeSetParams(CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec x, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec x, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode n, int id, void *out);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode n, int id, const void *value);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec x, CUgraphNode n, CUgraph child);
CUresult cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned flags);
CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_MEMCPY3D *p,
                              CUcontext context);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode n, CUDA_MEMCPY3D *out);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode n, const CUDA_MEMCPY3D *p);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec x, CUgraphNode n, const CUDA_MEMCPY3D *p, CUcontext context);
CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_MEMSET_NODE_PARAMS *p,
                              CUcontext context);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode n, CUDA_MEMSET_NODE_PARAMS *out);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec x, CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context);
CUresult cuGraphAddHostNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, const CUDA_HOST_NODE_PARAMS *p);
CUresult cuGraphHostNodeGetParams(CUgraphNode n, CUDA_HOST_NODE_PARAMS *out);
CUresult cuGraphHostNodeSetParams(CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec x, CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p);
CUresult cuGraphAddNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, CUgraphNodeParams *p);
CUresult cuGraphAddNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *after, const uint64_t *data, size_t n,
                           CUgraphNodeParams *p);
CUresult cuGraphNodeSetParams(CUgraphNode n, CUgraphNodeParams *p);
CUresult cuGraphExecNodeSetParams(CUgraphExec x, CUgraphNode n, CUgraphNodeParams *p);
CUresult cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, CUDA_MEM_ALLOC_NODE_PARAMS *p);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode n, CUDA_MEM_ALLOC_NODE_PARAMS *out);
CUresult cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, CUdeviceptr p);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode n, CUdeviceptr *out);
CUresult cuDeviceGraphMemTrim(CUdevice d);
CUresult cuDeviceGetGraphMemAttribute(CUdevice d, int attribute, void *value);
CUresult cuDeviceSetGraphMemAttribute(CUdevice d, int attribute, void *value);
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph g, CUcontext c, unsigned value, unsigned flags);
CUresult cuStreamBeginCaptureToGraph(CUstream s, CUgraph g, const CUgraphNode *after, const uint64_t *data, size_t n, int mode);
CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n);
CUresult cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, CUevent e);
CUresult cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, CUevent e);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode n, CUevent *out);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode n, CUevent *out);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode n, CUevent e);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode n, CUevent e);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec x, CUgraphNode n, CUevent e);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec x, CUgraphNode n, CUevent e);
CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph g, const CUgraphNode *after, size_t n, CUgraph child);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode n, CUgraph *out);
CUresult cuGraphNodeGetType(CUgraphNode n, int *out);

CUresult cuMemAddressReserve(CUdeviceptr *out, size_t size, size_t alignment, CUdeviceptr wanted, unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr base, size_t size);
CUresult cuMemGetAllocationGranularity(size_t *out, const CUmemAllocationProp *p, int which);
CUresult cuMemCreate(CUmemGenericAllocationHandle *out, size_t size, const CUmemAllocationProp *p, unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle h);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *out, CUmemGenericAllocationHandle h);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out, void *p);
CUresult cuMemMap(CUdeviceptr base, size_t size, size_t offset, CUmemGenericAllocationHandle h, unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr base, size_t size);
CUresult cuMemSetAccess(CUdeviceptr base, size_t size, const CUmemAccessDesc *d, size_t count);
CUresult cuMemGetAccess(unsigned long long *out, const CUmemLocation *where, CUdeviceptr address);

CUresult cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle h, int type, unsigned long long flags);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out, void *handle, int type);

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z);
CUresult cuFuncSetSharedSize(CUfunction f, unsigned bytes);
CUresult cuParamSetSize(CUfunction f, unsigned bytes);
CUresult cuParamSeti(CUfunction f, int at, unsigned value);
CUresult cuParamSetf(CUfunction f, int at, float value);
CUresult cuParamSetv(CUfunction f, int at, void *p, unsigned bytes);
CUresult cuLaunch(CUfunction f);
CUresult cuLaunchGrid(CUfunction f, int w, int h);
CUresult cuLaunchGridAsync(CUfunction f, int w, int h, CUstream s);
CUresult cuCtxAttach(CUcontext *out, unsigned flags);
CUresult cuCtxDetach(CUcontext context);

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *size, size_t n, CUmemcpyAttributes *how, size_t *first,
                            size_t n_how, size_t *fail, CUstream s);
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *size, size_t n, CUmemcpyAttributes *how, size_t *first,
                               size_t n_how, CUstream s);
CUresult cuMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *p, size_t *fail, unsigned long long flags, CUstream s);
CUresult cuMemcpy3DBatchAsync_v2(size_t n, CUDA_MEMCPY3D_BATCH_OP *p, unsigned long long flags, CUstream s);
CUresult cuStreamWaitValue32_v2(CUstream s, CUdeviceptr p, uint32_t value, unsigned flags);
CUresult cuStreamWaitValue64_v2(CUstream s, CUdeviceptr p, uint64_t value, unsigned flags);
CUresult cuStreamBatchMemOp_v2(CUstream s, unsigned n, CUstreamBatchMemOpParams *p, unsigned flags);
CUresult cuMemRangeGetAttribute(void *out, size_t out_size, int which, CUdeviceptr p, size_t size);
CUresult cuMemRangeGetAttributes(void **out, size_t *sizes, int *which, size_t n, CUdeviceptr p, size_t size);
CUresult cuMemPrefetchBatchAsync(CUdeviceptr *p, size_t *size, size_t n, CUmemLocation *where, size_t *first, size_t n_where,
                                 unsigned long long flags, CUstream s);
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *p, size_t *size, size_t n, CUmemLocation *where, size_t *first,
                                           size_t n_where, unsigned long long flags, CUstream s);
CUresult cuMemDiscardBatchAsync(CUdeviceptr *p, size_t *size, size_t n, unsigned long long flags, CUstream s);
CUresult cuMemPoolGetAccess(int *out, CUmemoryPool p, CUmemLocation *where);
CUresult cuMemGetDefaultMemPool(CUmemoryPool *out, CUmemLocation *where, int type);
CUresult cuMemGetMemPool(CUmemoryPool *out, CUmemLocation *where, int type);
CUresult cuMemSetMemPool(CUmemLocation *where, int type, CUmemoryPool pool);

CUresult cuIpcGetMemHandle(CUipcHandle *out, CUdeviceptr p);
CUresult cuIpcOpenMemHandle(CUdeviceptr *out, CUipcHandle h, unsigned flags);
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *out, CUipcHandle h, unsigned flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr p);
CUresult cuIpcGetEventHandle(CUipcHandle *out, CUevent e);
CUresult cuIpcOpenEventHandle(CUevent *out, CUipcHandle h);
CUresult cuMemPoolExportToShareableHandle(void *out, CUmemoryPool p, int type, unsigned long long flags);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *out, void *handle, int type, unsigned long long flags);
CUresult cuMemPoolExportPointer(CUipcHandle *out, CUdeviceptr p);
CUresult cuMemPoolImportPointer(CUdeviceptr *out, CUmemoryPool pool, CUipcHandle *from);

CUresult cuTensorMapEncodeTiled(CUtensorMap *out, int type, uint32_t rank, void *address, const uint64_t *dims,
                                const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave, int swizzle,
                                int promotion, int fill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap *out, int type, uint32_t rank, void *address, const uint64_t *dims,
                                 const uint64_t *strides, const int *lower, const int *upper, uint32_t channels, uint32_t pixels,
                                 const uint32_t *steps, int interleave, int swizzle, int promotion, int fill);
CUresult cuTensorMapEncodeIm2colWide(CUtensorMap *out, int type, uint32_t rank, void *address, const uint64_t *dims,
                                     const uint64_t *strides, int lower, int upper, uint32_t channels, uint32_t pixels,
                                     const uint32_t *steps, int interleave, int mode, int swizzle, int promotion, int fill);
CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address);

/* For the runtime: cuModuleLoadFatBinary of an image whose managed variables are the same in all contexts that it is loaded into. *set is
 * NULL for the first one; what it is then must be given for all others, and freed when none of the modules is used any more. */
typedef struct CUmanagedSet_st *CUmanagedSet;
CUresult                        ptxscope_module_load(CUmodule *out, const void *image, CUmanagedSet *set);
void                            ptxscope_managed_free(CUmanagedSet set);

/* gpuocelot's entry: runs the first kernel of the PTX on the memory of the process (ptx_run.c). */
void ptx_run(const char *ptx, int n_args, void *args[], int bx, int by, int bz, int gx, int gy, int gz, int shared_bytes);

#endif
