/* device.c: devices: chosen, described, synchronised, reset. */
#include "cudart/state.h"

#include <string.h>

static CUresult is_device(int d)
{
	int      n;
	CUresult r = cuInit(0);
	if (r == CUDA_SUCCESS)
		r = cuDeviceGetCount(&n);
	return r == CUDA_SUCCESS && (d < 0 || d >= n) ? CUDA_ERROR_INVALID_DEVICE : r;
}

static CUresult count(int *out)
{
	CUresult r = cuInit(0);
	return r == CUDA_SUCCESS ? cuDeviceGetCount(out) : r;
}

cudaError_t cudaGetDeviceCount(int *out) { PLAIN_CALL(count(out)); }

static CUresult get(int *out)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = runtime_device();
	return CUDA_SUCCESS;
}

cudaError_t cudaGetDevice(int *out) { PLAIN_CALL(get(out)); }

/* Its primary context is there from then on. */
static CUresult set(int d)
{
	CUresult r = is_device(d);
	if (r != CUDA_SUCCESS)
		return r;
	runtime_choose(d);
	return runtime_begin();
}

cudaError_t cudaSetDevice(int d) { PLAIN_CALL(set(d)); }

static CUresult init(int d, unsigned device_flags, unsigned flags)
{
	CUcontext c;
	CUresult  r = is_device(d);
	if (r == CUDA_SUCCESS && flags & 1)
		r = cuDevicePrimaryCtxSetFlags_v2(d, device_flags);
	return r == CUDA_SUCCESS ? cuDevicePrimaryCtxRetain(&c, d) : r;
}

cudaError_t cudaInitDevice(int d, unsigned device_flags, unsigned flags) { PLAIN_CALL(init(d, device_flags, flags)); }

/* The first of them is the one that a thread uses until it chooses another one. */
static CUresult set_valid(const int *devices, int n)
{
	for (int i = 0; i < n; i++)
		if (!devices || is_device(devices[i]) != CUDA_SUCCESS)
			return devices ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
	if (n > 0)
		runtime_choose(devices[0]);
	return CUDA_SUCCESS;
}

cudaError_t cudaSetValidDevices(int *devices, int n) { PLAIN_CALL(set_valid(devices, n)); }

static CUresult set_flags(unsigned flags)
{
	CUresult r = cuInit(0);
	return r == CUDA_SUCCESS ? cuDevicePrimaryCtxSetFlags_v2(runtime_device(), flags) : r;
}

cudaError_t cudaSetDeviceFlags(unsigned flags) { PLAIN_CALL(set_flags(flags)); }
cudaError_t cudaGetDeviceFlags(unsigned *out) { RUNTIME_CALL(cuCtxGetFlags(out)); }

/* ---- properties */

typedef struct Field {
	u16 offset;
	u8  bytes; /* of an element */
	u8  n;     /* elements that have an attribute, at most 3 */
	u8  attribute[3];
} Field;

static const Field fields[] = {
#define FIELD(type, name, a)           {offsetof(cudaDeviceProp, name), sizeof(type), 1, {a}},
#define FIELDS(type, name, n, a, b, c) {offsetof(cudaDeviceProp, name), sizeof(type), (n) < 3 ? (n) : 3, {a, b, c}},
#include DEVICE_PROPERTIES
};

static CUresult properties(cudaDeviceProp *out, int d)
{
	CUuuid   uuid;
	CUresult r = out ? is_device(d) : CUDA_ERROR_INVALID_VALUE;
	if (r != CUDA_SUCCESS)
		return r;
	memset(out, 0, sizeof *out);
	cuDeviceGetName(out->name, sizeof out->name, d);
	cuDeviceGetUuid_v2(&uuid, d);
	memcpy(out->uuid, uuid.bytes, sizeof out->uuid);
	cuDeviceTotalMem_v2(&out->totalGlobalMem, d);
	for (u32 i = 0; r == CUDA_SUCCESS && i < PS_COUNT(fields); i++)
		for (u32 k = 0; k < fields[i].n && r == CUDA_SUCCESS; k++) {
			int   v;
			char *to = (char *)out + fields[i].offset + k * fields[i].bytes;
			if (!fields[i].attribute[k])
				continue;
			r = cuDeviceGetAttribute(&v, fields[i].attribute[k], d);
			u64 wide = (u64)(i64)v;
			memcpy(to, &wide, fields[i].bytes); /* the low bytes come first */
		}
	return r;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *out, int d) { PLAIN_CALL(properties(out, d)); }

static CUresult attribute(int *out, int a, int d)
{
	CUresult r = is_device(d);
	return r == CUDA_SUCCESS ? cuDeviceGetAttribute(out, a, d) : r;
}

/* Attributes have the driver's numbers. */
cudaError_t cudaDeviceGetAttribute(int *out, int a, int d) { PLAIN_CALL(attribute(out, a, d)); }

/* All devices are alike. */
static CUresult choose(int *out, const cudaDeviceProp *wanted)
{
	if (!out || !wanted)
		return CUDA_ERROR_INVALID_VALUE;
	*out = 0;
	return is_device(0);
}

cudaError_t cudaChooseDevice(int *out, const cudaDeviceProp *wanted) { PLAIN_CALL(choose(out, wanted)); }

cudaError_t cudaDeviceGetPCIBusId(char *out, int size, int d)
{
	PLAIN_CALL(is_device(d) ? CUDA_ERROR_INVALID_DEVICE : cuDeviceGetPCIBusId(out, size, d));
}
cudaError_t cudaDeviceGetByPCIBusId(int *out, const char *id)
{
	PLAIN_CALL(cuInit(0) ? cuInit(0) : cuDeviceGetByPCIBusId(out, id));
}

/* ---- peers */

cudaError_t cudaDeviceCanAccessPeer(int *out, int d, int peer)
{
	PLAIN_CALL(cuInit(0) ? cuInit(0) : cuDeviceCanAccessPeer(out, d, peer));
}

cudaError_t cudaDeviceGetP2PAttribute(int *out, int a, int from, int to)
{
	PLAIN_CALL(cuInit(0) ? cuInit(0) : cuDeviceGetP2PAttribute(out, a, from, to));
}

/* The peer's primary context; it is kept, as the thread's own is. */
static CUresult primary_of(int d, CUcontext *out)
{
	CUresult r = is_device(d);
	return r == CUDA_SUCCESS ? cuDevicePrimaryCtxRetain(out, d) : r;
}

static CUresult enable_peer(int peer, unsigned flags)
{
	CUcontext c;
	CUresult  r = peer == runtime_device() ? CUDA_ERROR_INVALID_DEVICE : primary_of(peer, &c);
	return r == CUDA_SUCCESS ? cuCtxEnablePeerAccess(c, flags) : r;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) { RUNTIME_CALL(enable_peer(peer, flags)); }

static CUresult disable_peer(int peer)
{
	CUcontext c;
	CUresult  r = primary_of(peer, &c);
	return r == CUDA_SUCCESS ? cuCtxDisablePeerAccess(c) : r;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) { RUNTIME_CALL(disable_peer(peer)); }

/* ---- the current device */

cudaError_t cudaDeviceSynchronize(void) { RUNTIME_CALL(cuCtxSynchronize()); }

/* Also where a kernel's fault has ended the context: the next call gets a new one. */
static CUresult reset(void)
{
	CUresult r = cuInit(0);
	int      d = runtime_device();
	if (r == CUDA_SUCCESS)
		r = cuDevicePrimaryCtxReset_v2(d);
	runtime_choose(d);
	return r;
}

cudaError_t cudaDeviceReset(void) { PLAIN_CALL(reset()); }
cudaError_t cudaDeviceSetLimit(int limit, size_t value) { RUNTIME_CALL(cuCtxSetLimit(limit, value)); }
cudaError_t cudaDeviceGetLimit(size_t *out, int limit) { RUNTIME_CALL(cuCtxGetLimit(out, limit)); }
cudaError_t cudaDeviceGetCacheConfig(int *out) { RUNTIME_CALL(cuCtxGetCacheConfig(out)); }
cudaError_t cudaDeviceSetCacheConfig(int config) { RUNTIME_CALL(cuCtxSetCacheConfig(config)); }
cudaError_t cudaDeviceGetSharedMemConfig(int *out) { RUNTIME_CALL(cuCtxGetSharedMemConfig(out)); }
cudaError_t cudaDeviceSetSharedMemConfig(int config) { RUNTIME_CALL(cuCtxSetSharedMemConfig(config)); }
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	RUNTIME_CALL(cuCtxGetStreamPriorityRange(least, greatest));
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int d) { RUNTIME_CALL(cuDeviceGetDefaultMemPool(out, d)); }
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int d) { RUNTIME_CALL(cuDeviceGetMemPool(out, d)); }
cudaError_t cudaDeviceSetMemPool(int d, cudaMemPool_t pool) { RUNTIME_CALL(cuDeviceSetMemPool(d, pool)); }
/* The emulator has no such cache. */
cudaError_t cudaCtxResetPersistingL2Cache(void) { RUNTIME_CALL(CUDA_SUCCESS); }
