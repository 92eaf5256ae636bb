/* memory.c: allocation in all its forms, pools, and what a pointer is. */
#include "cuda/state.h"

#include <string.h>

static CUresult device_alloc(CUcontext c, CUdeviceptr *out, size_t size)
{
	return out && size ? alloc_new(ALLOC_DEVICE, c, size, 0, out) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t size) { DRIVER_CALL(IN_CONTEXT, device_alloc(c.context, out, size)); }

static CUresult get_info(size_t *left, size_t *total)
{
	if (!left || !total)
		return CUDA_ERROR_INVALID_VALUE;
	*left = (size_t)(driver.memory - driver.memory_used);
	*total = (size_t)driver.memory;
	return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *left, size_t *total) { DRIVER_CALL(IN_CONTEXT, get_info(left, total)); }

static CUresult pitched(CUcontext c, CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned element)
{
	if (!out || !pitch || !width || !height || (element != 4 && element != 8 && element != 16) || width > SIZE_MAX / 2)
		return CUDA_ERROR_INVALID_VALUE;
	size_t row = (width + 511) & ~(size_t)511;
	if (row > SIZE_MAX / height)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUresult r = device_alloc(c, out, row * height);
	if (r == CUDA_SUCCESS)
		*pitch = row;
	return r;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned element)
{
	DRIVER_CALL(IN_CONTEXT, pitched(c.context, out, pitch, width, height, element));
}

static CUresult managed(CUcontext c, CUdeviceptr *out, size_t size, unsigned flags)
{
	if (!out || !size || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
		return CUDA_ERROR_INVALID_VALUE;
	return alloc_new(ALLOC_MANAGED, c, size, flags, out);
}

CUresult cuMemAllocManaged(CUdeviceptr *out, size_t size, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, managed(c.context, out, size, flags));
}

/* A block of one of two kinds that begins there. */
static CUresult release(u64 p, AllocKind kind, AllocKind other)
{
	Alloc *a = alloc_at(p);
	if (!p)
		return kind == ALLOC_DEVICE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	bool imported = a && a->kind == ALLOC_IMPORTED && a->pool && kind == ALLOC_DEVICE;
	if (!a || a->base != p || (a->kind != kind && a->kind != other && !imported) || a->set)
		return CUDA_ERROR_INVALID_VALUE;
	alloc_release(a);
	return CUDA_SUCCESS;
}

CUresult memory_free(u64 p) { return p ? release(p, ALLOC_DEVICE, ALLOC_MANAGED) : CUDA_ERROR_INVALID_VALUE; }

CUresult cuMemFree_v2(CUdeviceptr p) { DRIVER_CALL(IN_CONTEXT, release(p, ALLOC_DEVICE, ALLOC_MANAGED)); }

/* ---- memory of the host */

static CUresult host_alloc(CUcontext c, void **out, size_t size, unsigned flags)
{
	u64 p = 0;
	if (!out || !size || flags > 7)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = alloc_new(ALLOC_HOST, c, size, flags, &p);
	if (r == CUDA_SUCCESS)
		*out = (void *)(uintptr_t)p;
	return r;
}

CUresult cuMemAllocHost_v2(void **out, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, host_alloc(c.context, out, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
}
CUresult cuMemHostAlloc(void **out, size_t size, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, host_alloc(c.context, out, size, flags));
}
CUresult cuMemFreeHost(void *p) { DRIVER_CALL(IN_CONTEXT, release((u64)(uintptr_t)p, ALLOC_HOST, ALLOC_HOST)); }

static CUresult host_register(CUcontext c, void *p, size_t size, unsigned flags)
{
	u64 base = (u64)(uintptr_t)p;
	if (!p || !size || flags > 15 || size > UINT64_MAX - base)
		return CUDA_ERROR_INVALID_VALUE;
	return alloc_add(&(Alloc){.base = base, .size = size, .kind = ALLOC_REGISTERED, .flags = flags, .context = c});
}

CUresult cuMemHostRegister_v2(void *p, size_t size, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, host_register(c.context, p, size, flags));
}

static CUresult host_unregister(void *p)
{
	Alloc *a = alloc_at((u64)(uintptr_t)p);
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	if (!a || a->base != (u64)(uintptr_t)p || a->kind != ALLOC_REGISTERED)
		return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	alloc_remove(a);
	return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *p) { DRIVER_CALL(IN_CONTEXT, host_unregister(p)); }

static const Alloc *host_memory(const void *p)
{
	const Alloc *a = alloc_at((u64)(uintptr_t)p);
	return a && (a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED) ? a : NULL;
}

static CUresult device_pointer(CUdeviceptr *out, void *p, unsigned flags)
{
	if (!out || flags || !host_memory(p))
		return CUDA_ERROR_INVALID_VALUE;
	*out = (u64)(uintptr_t)p;
	return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *p, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, device_pointer(out, p, flags));
}

static CUresult host_flags(unsigned *out, void *p)
{
	const Alloc *a = host_memory(p);
	if (!out || !a || a->kind != ALLOC_HOST)
		return CUDA_ERROR_INVALID_VALUE;
	*out = a->flags;
	return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned *out, void *p) { DRIVER_CALL(IN_CONTEXT, host_flags(out, p)); }

/* ---- in streams, and from pools: at once, and from the same memory */

struct CUmemPoolHandle_st {
	Object   o;
	CUdevice device;
	bool     is_default, shared, imported; /* with other processes, from another one */
	u64      threshold;                    /* CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, kept and without effect */
	int      reuse[3];
	u8       access[MOST_DEVICES]; /* of other devices, as it was set */
};

static bool is_pool(CUmemoryPool p) { return object_is(p, OBJECT_POOL); }

static CUmemoryPool pool_new(CUdevice d)
{
	CUmemoryPool p = object_new(OBJECT_POOL, NULL, sizeof *p);
	if (p)
		*p = (struct CUmemPoolHandle_st){.o = p->o, .device = d, .reuse = {1, 1, 1}};
	return p;
}

static CUresult default_pool(CUmemoryPool *out, CUdevice d)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!driver.pool[d] && !(driver.pool[d] = pool_new(d)))
		return CUDA_ERROR_OUT_OF_MEMORY;
	driver.pool[d]->is_default = true;
	*out = driver.pool[d];
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *out, CUdevice d) { DRIVER_CALL(ON_DEVICE, default_pool(out, d)); }

/* The pool of cuMemAllocAsync. */
static CUresult current_pool(CUmemoryPool *out, CUdevice d)
{
	CUresult r = default_pool(out, d);
	if (r == CUDA_SUCCESS && is_pool(driver.current_pool[d]))
		*out = driver.current_pool[d];
	return r;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *out, CUdevice d) { DRIVER_CALL(ON_DEVICE, current_pool(out, d)); }

static CUresult set_pool(CUdevice d, CUmemoryPool p)
{
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!is_pool(p) || p->device != d || p->imported)
		return CUDA_ERROR_INVALID_VALUE;
	driver.current_pool[d] = p;
	return CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice d, CUmemoryPool pool) { DRIVER_CALL(ON_DEVICE, set_pool(d, pool)); }

/* Each is a location and what it may do (0, 1 read, 3 read and write). Kernels of other devices reach a pool as they reach all memory of
 * its device: where peer access is enabled. */
static CUresult set_access(CUmemoryPool p, const void *access, size_t n)
{
	if (!is_pool(p) || (n && !access))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < n; i++) {
		int a[3]; /* location.type, location.id, flags */
		memcpy(a, (const char *)access + i * sizeof a, sizeof a);
		if (a[0] != 1 || a[1] < 0 || a[1] >= driver.n_devices || (a[2] != 0 && a[2] != 1 && a[2] != 3))
			return CUDA_ERROR_INVALID_VALUE;
	}
	for (size_t i = 0; i < n; i++) {
		int a[3];
		memcpy(a, (const char *)access + i * sizeof a, sizeof a);
		p->access[a[1]] = (u8)a[2];
	}
	return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAccess(CUmemoryPool p, const void *access, size_t n) { DRIVER_CALL(ON_DEVICE, set_access(p, access, n)); }

static CUresult get_access(int *out, CUmemoryPool p, const CUmemLocation *where)
{
	if (!out || !is_pool(p) || !where || where->type != 1 || where->id < 0 || where->id >= driver.n_devices)
		return CUDA_ERROR_INVALID_VALUE;
	*out = where->id == p->device ? 3 : p->access[where->id];
	return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(int *out, CUmemoryPool p, CUmemLocation *where) { DRIVER_CALL(ON_DEVICE, get_access(out, p, where)); }

/* Of pinned memory of a device, as pools of other memory are not there. */
static CUresult is_pool_place(const CUmemLocation *where, int type)
{
	bool known = where && where->type >= (type == 2 ? 0 : 1) && where->type <= 3 && (type == 1 || type == 2);
	if (!known)
		return CUDA_ERROR_INVALID_VALUE;
	return type == 1 && where->type == 1 ? CUDA_SUCCESS : unsupported("a memory pool that is not of a device");
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *out, CUmemLocation *where, int type)
{
	DRIVER_CALL(ON_DEVICE, is_pool_place(where, type) ? is_pool_place(where, type) : default_pool(out, where->id));
}
CUresult cuMemGetMemPool(CUmemoryPool *out, CUmemLocation *where, int type)
{
	DRIVER_CALL(ON_DEVICE, is_pool_place(where, type) ? is_pool_place(where, type) : current_pool(out, where->id));
}
CUresult cuMemSetMemPool(CUmemLocation *where, int type, CUmemoryPool pool)
{
	DRIVER_CALL(ON_DEVICE, is_pool_place(where, type) ? is_pool_place(where, type) : set_pool(where->id, pool));
}

static CUresult pool_create(CUmemoryPool *out, const void *props)
{
	/* allocType, handleTypes, location.type, location.id */
	int head[4];
	if (!out || !props)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(head, props, sizeof head);
	if (head[0] != 1 || head[2] != 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (head[1] & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
		return unsupported("a memory pool that other processes share by this kind of handle");
	if (head[3] < 0 || head[3] >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	*out = pool_new(head[3]);
	if (*out)
		(*out)->shared = head[1] != 0;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

bool pool_is_shared(CUmemoryPool p, int *device)
{
	if (!is_pool(p) || !p->shared)
		return false;
	*device = p->device;
	return true;
}

bool pool_is_imported(CUmemoryPool p) { return is_pool(p) && p->imported; }

CUresult pool_imported(CUmemoryPool *out, int device)
{
	*out = pool_new(device);
	if (*out)
		(*out)->imported = true;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemPoolCreate(CUmemoryPool *out, const void *props) { DRIVER_CALL(ON_DEVICE, pool_create(out, props)); }

static CUresult pool_destroy(CUmemoryPool p)
{
	if (!is_pool(p) || p->is_default)
		return CUDA_ERROR_INVALID_VALUE;
	for (u32 i = 0; i < driver.n_alloc; i++)
		if (driver.alloc[i].pool == p)
			driver.alloc[i].pool = NULL;
	object_free(p);
	return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool p) { DRIVER_CALL(ON_DEVICE, pool_destroy(p)); }
CUresult cuMemPoolTrimTo(CUmemoryPool p, size_t keep)
{
	DRIVER_CALL(ON_DEVICE, ((void)keep, is_pool(p) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE));
}

/* 1 to 3: may memory be given again? 4: the threshold. 5 to 8: memory reserved and used, now and at most. */
static CUresult pool_attribute(CUmemoryPool p, int a, void *value, bool set)
{
	if (!is_pool(p) || !value || a < 1 || a > 8)
		return CUDA_ERROR_INVALID_VALUE;
	if (a <= 3)
		memcpy(set ? (void *)&p->reuse[a - 1] : value, set ? value : (void *)&p->reuse[a - 1], sizeof(int));
	else if (a == 4)
		memcpy(set ? (void *)&p->threshold : value, set ? value : (void *)&p->threshold, sizeof(u64));
	else if (!set) {
		u64 used = 0;
		for (u32 i = 0; i < driver.n_alloc; i++)
			used += driver.alloc[i].pool == p ? driver.alloc[i].size : 0;
		memcpy(value, &used, sizeof used);
	}
	return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool p, int a, void *value) { DRIVER_CALL(ON_DEVICE, pool_attribute(p, a, value, true)); }
CUresult cuMemPoolGetAttribute(CUmemoryPool p, int a, void *value) { DRIVER_CALL(ON_DEVICE, pool_attribute(p, a, value, false)); }

/* As the stream is captured, memory becomes a node of the graph. */
static CUresult alloc_in_graph(CUcontext c, CUdeviceptr *out, size_t size, CUstream s)
{
	GraphMemory *m = out && size ? graph_memory_new(c, size) : NULL;
	if (!m)
		return out && size ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
	CUresult r = stream_submit(c, s, &(Work){.kind = WORK_ALLOC, .memory = m});
	if (r == CUDA_SUCCESS)
		*out = graph_memory_base(m);
	graph_memory_drop(m);
	return r;
}

static CUresult alloc_from(CUcontext c, CUdeviceptr *out, size_t size, CUmemoryPool pool, CUstream s)
{
	CUstream stream;
	CUresult r = stream_of(c, s, &stream);
	if (r != CUDA_SUCCESS)
		return r;
	if (!pool && (r = current_pool(&pool, c->device)) != CUDA_SUCCESS)
		return r;
	if (!is_pool(pool) || pool->imported)
		return CUDA_ERROR_INVALID_VALUE;
	if (stream_captures(stream))
		return alloc_in_graph(c, out, size, s);
	r = device_alloc(c, out, size);
	if (r == CUDA_SUCCESS)
		alloc_at(*out)->pool = pool;
	return r;
}

CUresult cuMemAllocAsync(CUdeviceptr *out, size_t size, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, alloc_from(c.context, out, size, NULL, s));
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t size, CUmemoryPool pool, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, pool ? alloc_from(c.context, out, size, pool, s) : CUDA_ERROR_INVALID_VALUE);
}

static CUresult free_async(CUcontext c, CUdeviceptr p, CUstream s)
{
	CUstream stream;
	CUresult r = stream_of(c, s, &stream);
	if (r != CUDA_SUCCESS)
		return r;
	return p ? stream_submit(c, s, &(Work){.kind = WORK_FREE, .freed = p}) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s) { DRIVER_CALL(IN_CONTEXT, free_async(c.context, p, s)); }

/* ---- what a pointer is */

static CUresult address_range(CUdeviceptr *base, size_t *size, CUdeviceptr p)
{
	const Alloc *a = alloc_holding(p, 0);
	if (!a)
		return CUDA_ERROR_NOT_FOUND;
	if (base)
		*base = a->base;
	if (size)
		*size = (size_t)a->size;
	return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr p)
{
	DRIVER_CALL(IN_CONTEXT, address_range(base, size, p));
}

static bool is_shared_with_host(const Alloc *a) { return a->kind == ALLOC_MANAGED || a->managed; }

static CUresult pointer_attribute(void *out, CUpointer_attribute which, CUdeviceptr p)
{
	const Alloc *a = alloc_holding(p, 0);
	bool         host = a && (a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED);
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (which == CU_POINTER_ATTRIBUTE_MAPPED)
		return *(int *)out = a != NULL, CUDA_SUCCESS;
	if (!a)
		return CUDA_ERROR_INVALID_VALUE;
	switch (which) {
	case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)out = a->context; break;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(unsigned *)out = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE; break;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)out = p; break;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (!host && !is_shared_with_host(a))
			return CUDA_ERROR_INVALID_VALUE;
		*(void **)out = (void *)(uintptr_t)p;
		break;
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(unsigned *)out = 1; break;
	case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(u64 *)out = a->id; break;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)out = is_shared_with_host(a); break;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)out = a->context ? a->context->device : a->device; break;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)out = a->base; break;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)out = (size_t)a->size; break;
	case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: *(CUmemoryPool *)out = a->pool; break;
	default: return unsupported("this pointer attribute");
	}
	return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *out, CUpointer_attribute a, CUdeviceptr p)
{
	DRIVER_CALL(IN_CONTEXT, pointer_attribute(out, a, p));
}

/* Of what may be set, copies wait for memory anyway. */
static CUresult set_pointer_attribute(const void *value, CUpointer_attribute which, CUdeviceptr p)
{
	return value && which == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && alloc_holding(p, 0) ? CUDA_SUCCESS
	                                                                                 : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute a, CUdeviceptr p)
{
	DRIVER_CALL(IN_CONTEXT, set_pointer_attribute(value, a, p));
}

/* Of a pointer that is not known: 0 for each. */
static CUresult pointer_attributes(unsigned n, const CUpointer_attribute *a, void **out, CUdeviceptr p)
{
	if (!n || !a || !out)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < n; i++) {
		bool narrow = a[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE || a[i] == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ||
		              a[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED || a[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ||
		              a[i] == CU_POINTER_ATTRIBUTE_MAPPED;
		if (!out[i])
			return CUDA_ERROR_INVALID_VALUE;
		CUresult r = pointer_attribute(out[i], a[i], p);
		if (r == CUDA_ERROR_INVALID_VALUE)
			memset(out[i], a[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ? 0xff : 0, narrow ? 4 : 8);
		else if (r != CUDA_SUCCESS)
			return r;
	}
	return CUDA_SUCCESS;
}

CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *a, void **out, CUdeviceptr p)
{
	DRIVER_CALL(IN_CONTEXT, pointer_attributes(n, a, out, p));
}
