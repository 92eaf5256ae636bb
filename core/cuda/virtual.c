/* virtual.c: memory whose addresses a program reserves first and backs later: cuMemAddressReserve, cuMemCreate, cuMemMap, cuMemSetAccess.
 *
 * A reservation is address space of the process without rights. What cuMemCreate makes is a file in memory, so that it may be mapped at
 * several places at once. The table of memory (alloc.c) has all of a reservation as runs of equal rights: neighbours that were mapped one
 * by one are one run, so a copy or a kernel's access may cross from one to the next, and a run without rights is there as well, so that
 * nothing is mistaken for memory of the program itself. */
#define _GNU_SOURCE
#include "cuda/state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GRANULARITY ((u64)2 << 20)

typedef struct Physical {
	Object              o;
	u64                 size;
	int                 file;
	u32                 handles, mappings; /* it is gone when there is neither */
	bool                imported;          /* another process's */
	CUmemAllocationProp prop;
} Physical;

typedef struct Mapping {
	u64       base, size;
	Physical *memory;
	u32       readers, writers; /* devices, a bit each */
} Mapping;

typedef struct Reservation {
	struct Reservation *next;
	u64                 base, size;
	Mapping            *map; /* by address */
	u32                 n, room;
} Reservation;
static Reservation *reservations;
static const char   file_name[] = "ptxscope-memory-"; /* and the device */

/* The one that holds all of a range. */
static Reservation *reservation_of(u64 base, u64 size)
{
	for (Reservation *r = reservations; r; r = r->next)
		if (base >= r->base && base - r->base < r->size && size <= r->size - (base - r->base))
			return r;
	return NULL;
}

/* Mapping number *at begins at the range, and *n of them make it up; false: they do not. */
static bool mappings_of(const Reservation *r, u64 base, u64 size, u32 *at, u32 *n)
{
	u64 end = base;
	for (*at = 0; *at < r->n && r->map[*at].base < base;)
		++*at;
	for (*n = 0; *at + *n < r->n && r->map[*at + *n].base == end && end - base < size; ++*n)
		end += r->map[*at + *n].size;
	return *n && end - base == size;
}

/* ---- the table of memory */

/* The runs that a reservation has now; the caller frees them. NULL: there is no memory. */
static Alloc *runs_of(const Reservation *r, u32 *n)
{
	Alloc *run = calloc(2 * (size_t)r->n + 1, sizeof *run);
	u64    at = r->base;
	*n = 0;
	for (u32 i = 0; run && at < r->base + r->size;) {
		bool  mapped = i < r->n && r->map[i].base == at;
		Alloc next = {.base = at, .kind = ALLOC_MAPPED};
		next.size = mapped ? r->map[i].size : (i < r->n ? r->map[i].base : r->base + r->size) - at;
		if (mapped) {
			next.device = r->map[i].memory->prop.location.id;
			next.readers = r->map[i].readers;
			next.writers = r->map[i].writers;
			i++;
		}
		at += next.size;
		Alloc *last = *n ? &run[*n - 1] : NULL;
		if (last && last->readers == next.readers && last->writers == next.writers)
			last->size += next.size;
		else
			run[(*n)++] = next;
	}
	return run;
}

/* Makes the table's part of the reservation its runs. One that only grew at its end is still the same allocation. */
static CUresult runs_changed(const Reservation *r)
{
	u32      n;
	Alloc   *run = runs_of(r, &n);
	CUresult result = run ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	u64      at = r->base;
	for (u32 i = 0; run && at < r->base + r->size;) {
		Alloc *old = alloc_at(at);
		if (!old)
			break;
		at = old->base + old->size;
		while (i < n && run[i].base < old->base)
			i++;
		bool same = i < n && run[i].base == old->base && run[i].readers == old->readers && run[i].writers == old->writers;
		if (same && run[i].size >= old->size)
			run[i].id = old->id;
		if (!same || run[i].size != old->size)
			alloc_remove(old);
	}
	for (u32 i = 0; i < n && result == CUDA_SUCCESS; i++)
		if (!alloc_at(run[i].base))
			result = alloc_add(&run[i]);
	free(run);
	return result;
}

/* ---- addresses */

static void *address_space(void *wanted, size_t size, int more)
{
	return mmap(wanted, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | more, -1, 0);
}

/* Address space of which a multiple of `alignment` is the beginning; at `wanted`, if that is free. */
static u64 reserve_space(u64 size, u64 alignment, u64 wanted)
{
	if (wanted && wanted % alignment == 0) {
		void *p = address_space((void *)(uintptr_t)wanted, (size_t)size, MAP_FIXED_NOREPLACE);
		if (p != MAP_FAILED)
			return (u64)(uintptr_t)p;
	}
	void *p = size > SIZE_MAX - alignment ? MAP_FAILED : address_space(NULL, (size_t)(size + alignment), 0);
	if (p == MAP_FAILED)
		return 0;
	u64 from = (u64)(uintptr_t)p, base = (from + alignment - 1) / alignment * alignment;
	if (base > from)
		munmap(p, (size_t)(base - from));
	if (from + alignment > base)
		munmap((void *)(uintptr_t)(base + size), (size_t)(from + alignment - base));
	return base;
}

static CUresult reserve(CUdeviceptr *out, u64 size, u64 alignment, u64 wanted, u64 flags)
{
	if (!out || !size || size % GRANULARITY || alignment & (alignment - 1) || flags)
		return CUDA_ERROR_INVALID_VALUE;
	u64          base = reserve_space(size, PS_MAX(alignment, GRANULARITY), wanted);
	Reservation *r = base ? calloc(1, sizeof *r) : NULL;
	if (r) {
		*r = (Reservation){.next = reservations, .base = base, .size = size};
		if (runs_changed(r) == CUDA_SUCCESS) {
			reservations = r;
			*out = base;
			return CUDA_SUCCESS;
		}
		free(r);
	}
	if (base)
		munmap((void *)(uintptr_t)base, (size_t)size);
	return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemAddressReserve(CUdeviceptr *out, size_t size, size_t alignment, CUdeviceptr wanted, unsigned long long flags)
{
	DRIVER_CALL(ON_DEVICE, reserve(out, size, alignment, wanted, flags));
}

static CUresult address_free(u64 base, u64 size)
{
	for (Reservation **at = &reservations; *at; at = &(*at)->next) {
		Reservation *r = *at;
		if (r->base != base)
			continue;
		if (r->size != size || r->n)
			return CUDA_ERROR_INVALID_VALUE;
		alloc_remove(alloc_at(base));
		munmap((void *)(uintptr_t)base, (size_t)size);
		*at = r->next;
		free(r->map);
		free(r);
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAddressFree(CUdeviceptr base, size_t size) { DRIVER_CALL(ON_DEVICE, address_free(base, size)); }

/* ---- memory */

static bool is_device(CUmemLocation l) { return l.type == 1 && l.id >= 0 && l.id < driver.n_devices; }

static CUresult is_possible(const CUmemAllocationProp *p)
{
	if (!p || p->type != 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (p->location.type >= 2 && p->location.type <= 4)
		return unsupported("memory of the host from cuMemCreate");
	if (p->handle_types & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
		return unsupported("memory from cuMemCreate that other processes share by this kind of handle");
	return is_device(p->location) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult granularity(size_t *out, const CUmemAllocationProp *p, int which)
{
	CUresult r = out && (which == 0 || which == 1) ? is_possible(p) : CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		*out = GRANULARITY;
	return r;
}

CUresult cuMemGetAllocationGranularity(size_t *out, const CUmemAllocationProp *p, int which)
{
	DRIVER_CALL(ON_DEVICE, granularity(out, p, which));
}

static CUresult create(CUmemGenericAllocationHandle *out, u64 size, const CUmemAllocationProp *p, u64 flags)
{
	CUresult r = out && size && size % GRANULARITY == 0 && !flags ? is_possible(p) : CUDA_ERROR_INVALID_VALUE;
	if (r != CUDA_SUCCESS)
		return r;
	if (size > driver.memory - driver.memory_used)
		return CUDA_ERROR_OUT_OF_MEMORY;
	Physical *m = object_new(OBJECT_PHYSICAL, NULL, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->file = shared_file(file_name, p->location.id, size);
	if (m->file < 0) {
		object_free(m);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	m->size = size;
	m->handles = 1;
	m->prop = *p;
	driver.memory_used += size;
	*out = (u64)(uintptr_t)m;
	return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *out, size_t size, const CUmemAllocationProp *p, unsigned long long flags)
{
	DRIVER_CALL(ON_DEVICE, create(out, size, p, flags));
}

/* NULL: the handle is none, or has been given back. */
static Physical *physical_of(CUmemGenericAllocationHandle h)
{
	Physical *m = (Physical *)(uintptr_t)h;
	return object_is(m, OBJECT_PHYSICAL) && m->handles ? m : NULL;
}

static void let_go(Physical *m)
{
	if (m->handles || m->mappings)
		return;
	driver.memory_used -= m->imported ? 0 : m->size;
	close(m->file);
	object_free(m);
}

static CUresult release(CUmemGenericAllocationHandle h)
{
	Physical *m = physical_of(h);
	if (!m)
		return CUDA_ERROR_INVALID_VALUE;
	m->handles--;
	let_go(m);
	return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle h) { DRIVER_CALL(ON_DEVICE, release(h)); }

/* ---- in other processes: the file, by a descriptor */

static CUresult export_file(int *out, CUmemGenericAllocationHandle h, int type, u64 flags)
{
	const Physical *m = physical_of(h);
	if (!out || !m || flags || !(type & m->prop.handle_types))
		return CUDA_ERROR_INVALID_VALUE;
	*out = fcntl(m->file, F_DUPFD_CLOEXEC, 0);
	return *out < 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle h, int type, unsigned long long flags)
{
	DRIVER_CALL(ON_DEVICE, export_file(out, h, type, flags));
}

static CUresult import_file(CUmemGenericAllocationHandle *out, int file, int type)
{
	u64 size = 0;
	if (!out || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
		return CUDA_ERROR_INVALID_VALUE;
	int device = shared_file_device(file, file_name, &size);
	if (device < 0 || !size || size % GRANULARITY)
		return CUDA_ERROR_INVALID_VALUE;
	if (device >= driver.n_devices)
		return CUDA_ERROR_NOT_SUPPORTED;
	Physical *m = object_new(OBJECT_PHYSICAL, NULL, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
	if (m->file < 0) {
		object_free(m);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	m->size = size;
	m->handles = 1;
	m->imported = true;
	m->prop = (CUmemAllocationProp){.type = 1, .handle_types = type, .location = {1, device}};
	*out = (u64)(uintptr_t)m;
	return CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out, void *handle, int type)
{
	DRIVER_CALL(ON_DEVICE, import_file(out, (int)(intptr_t)handle, type));
}

static CUresult properties(CUmemAllocationProp *out, CUmemGenericAllocationHandle h)
{
	const Physical *m = physical_of(h);
	if (!out || !m)
		return CUDA_ERROR_INVALID_VALUE;
	*out = m->prop;
	return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *out, CUmemGenericAllocationHandle h)
{
	DRIVER_CALL(ON_DEVICE, properties(out, h));
}

/* The mapping that the address is in. */
static Mapping *mapping_at(u64 address)
{
	const Reservation *r = reservation_of(address, 1);
	for (u32 i = 0; r && i < r->n; i++)
		if (address - r->map[i].base < r->map[i].size)
			return &r->map[i];
	return NULL;
}

static CUresult retain(CUmemGenericAllocationHandle *out, u64 address)
{
	Mapping *m = mapping_at(address);
	if (!out || !m)
		return CUDA_ERROR_INVALID_VALUE;
	m->memory->handles++;
	*out = (u64)(uintptr_t)m->memory;
	return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out, void *p)
{
	DRIVER_CALL(ON_DEVICE, retain(out, (u64)(uintptr_t)p));
}

/* ---- memory at addresses */

static CUresult map(u64 base, u64 size, u64 offset, CUmemGenericAllocationHandle h, u64 flags)
{
	Physical    *m = physical_of(h);
	Reservation *r = reservation_of(base, size);
	if (!m || !r || !size || base % GRANULARITY || size % GRANULARITY || offset || size > m->size || flags)
		return CUDA_ERROR_INVALID_VALUE;
	u32 at = 0;
	while (at < r->n && r->map[at].base + r->map[at].size <= base)
		at++;
	if (at < r->n && r->map[at].base - base < size) /* the next one begins inside */
		return CUDA_ERROR_INVALID_VALUE;
	if (at < r->n && r->map[at].base < base)
		return CUDA_ERROR_INVALID_VALUE;
	Mapping *more = array_grow(r->map, r->n, &r->room, sizeof *more);
	if (!more)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r->map = more;
	if (mmap((void *)(uintptr_t)base, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, m->file, 0) == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memmove(r->map + at + 1, r->map + at, (r->n - at) * sizeof *r->map);
	r->map[at] = (Mapping){.base = base, .size = size, .memory = m};
	r->n++;
	m->mappings++;
	return runs_changed(r);
}

CUresult cuMemMap(CUdeviceptr base, size_t size, size_t offset, CUmemGenericAllocationHandle h, unsigned long long flags)
{
	DRIVER_CALL(ON_DEVICE, map(base, size, offset, h, flags));
}

static CUresult unmap(u64 base, u64 size)
{
	u32          at, n;
	Reservation *r = reservation_of(base, size);
	if (!r || !mappings_of(r, base, size, &at, &n))
		return CUDA_ERROR_INVALID_VALUE;
	if (address_space((void *)(uintptr_t)base, (size_t)size, MAP_FIXED) == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (u32 i = at; i < at + n; i++) {
		r->map[i].memory->mappings--;
		let_go(r->map[i].memory);
	}
	memmove(r->map + at, r->map + at + n, (r->n - at - n) * sizeof *r->map);
	r->n -= n;
	return runs_changed(r);
}

CUresult cuMemUnmap(CUdeviceptr base, size_t size) { DRIVER_CALL(ON_DEVICE, unmap(base, size)); }

/* 0: no access, 1: reading, 3: reading and writing. */
static CUresult set_access(u64 base, u64 size, const CUmemAccessDesc *d, size_t count)
{
	u32          at, n;
	Reservation *r = reservation_of(base, size);
	if (!r || !d || !count || !mappings_of(r, base, size, &at, &n))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count; i++)
		if (!is_device(d[i].location) || (d[i].flags != 0 && d[i].flags != 1 && d[i].flags != 3))
			return d[i].location.type == 1 && !is_device(d[i].location) ? CUDA_ERROR_INVALID_DEVICE
			                                                            : CUDA_ERROR_INVALID_VALUE;
	for (u32 k = at; k < at + n; k++)
		for (size_t i = 0; i < count; i++) {
			Mapping *m = &r->map[k];
			u32      bit = 1u << d[i].location.id;
			m->readers = d[i].flags & 1 ? m->readers | bit : m->readers & ~bit;
			m->writers = d[i].flags & 2 ? m->writers | bit : m->writers & ~bit;
		}
	return runs_changed(r);
}

CUresult cuMemSetAccess(CUdeviceptr base, size_t size, const CUmemAccessDesc *d, size_t count)
{
	DRIVER_CALL(ON_DEVICE, set_access(base, size, d, count));
}

static CUresult get_access(unsigned long long *out, const CUmemLocation *where, u64 address)
{
	const Mapping *m = mapping_at(address);
	if (!out || !where || !m || !is_device(*where))
		return CUDA_ERROR_INVALID_VALUE;
	*out = (m->readers >> where->id & 1) | (m->writers >> where->id & 1) << 1;
	return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long *out, const CUmemLocation *where, CUdeviceptr address)
{
	DRIVER_CALL(ON_DEVICE, get_access(out, where, address));
}
