/* managed.c: what programs advise of managed memory, prefetching, and batches of both.
 *
 * Managed memory is where it is: advice changes nothing that a program computes, but it can be asked for. It is kept by runs of pages, by
 * address and without overlaps, and tells an allocation from a later one at its address by the allocation's id. */
#include "cuda/state.h"

#include <string.h>

enum { ON_DEVICE_MEMORY = 1, ON_HOST, ON_HOST_NUMA, ON_HOST_NUMA_CURRENT }; /* CUmemLocationType */
enum { READ_MOSTLY = 1, UNSET_READ_MOSTLY, PREFERRED, UNSET_PREFERRED, ACCESSED_BY, UNSET_ACCESSED_BY };
enum { OF_HOST = 1u << 31 }; /* among the bits of devices */

typedef struct Advice {
	bool          read_mostly;
	u32           accessed;              /* devices, a bit each, and the host */
	CUmemLocation preferred, prefetched; /* type 0: none */
} Advice;

typedef struct Run {
	u64    base, end, id;
	Advice advice;
} Run;
static Run *runs;
static u32  n_runs, room_runs;

static bool is_shared_with_host(const Alloc *a) { return a->kind == ALLOC_MANAGED || a->managed; }

/* The allocation that has the range, which becomes whole pages of it. */
static const Alloc *range_of(u64 *base, u64 *end, u64 size)
{
	const Alloc *a = alloc_holding(*base, size);
	if (!a || !size || !is_shared_with_host(a))
		return NULL;
	*end = PS_MIN((*base + size + 4095) & ~(u64)4095, a->base + a->size);
	*base = PS_MAX(*base & ~(u64)4095, a->base);
	return a;
}

static bool is_gone(const Run *r)
{
	const Alloc *a = alloc_at(r->base);
	return !a || a->id != r->id;
}

static bool run_insert(u32 at, Run r)
{
	Run *more = array_grow(runs, n_runs, &room_runs, sizeof *more);
	if (!more)
		return false;
	runs = more;
	memmove(runs + at + 1, runs + at, (n_runs - at) * sizeof *runs);
	runs[at] = r;
	n_runs++;
	return true;
}

/* No run goes over the address, from then on. */
static bool split(u64 address)
{
	for (u32 i = 0; i < n_runs; i++)
		if (runs[i].base < address && address < runs[i].end) {
			Run rest = runs[i];
			rest.base = address;
			if (!run_insert(i + 1, rest))
				return false;
			runs[i].end = address;
		}
	return true;
}

static void forget_gone(void)
{
	u32 left = 0;
	for (u32 i = 0; i < n_runs; i++)
		if (!is_gone(&runs[i]))
			runs[left++] = runs[i];
	n_runs = left;
}

/* Runs make up the whole range. */
static bool cover(u64 base, u64 end, u64 id)
{
	forget_gone();
	if (!split(base) || !split(end))
		return false;
	u32 i = 0;
	while (i < n_runs && runs[i].end <= base)
		i++;
	for (; base < end; i++) {
		bool there = i < n_runs && runs[i].base == base;
		u64  next = i < n_runs ? PS_MIN(runs[i].base, end) : end;
		if (!there && !run_insert(i, (Run){.base = base, .end = next, .id = id}))
			return false;
		base = runs[i].end;
	}
	return true;
}

/* ---- places */

static CUresult place_of(CUmemLocation *l)
{
	if (l->type < ON_DEVICE_MEMORY || l->type > ON_HOST_NUMA_CURRENT)
		return CUDA_ERROR_INVALID_VALUE;
	if (l->type == ON_DEVICE_MEMORY ? l->id < 0 || l->id >= driver.n_devices : l->type == ON_HOST_NUMA && l->id != 0)
		return CUDA_ERROR_INVALID_DEVICE;
	if (l->type == ON_HOST_NUMA_CURRENT)
		*l = (CUmemLocation){ON_HOST_NUMA, 0};
	return CUDA_SUCCESS;
}

/* As devices were named before: -1 is the host. */
static CUmemLocation old_place(CUdevice d)
{
	return d == -1 ? (CUmemLocation){ON_HOST, 0} : (CUmemLocation){ON_DEVICE_MEMORY, d};
}

static u32 bit_of(CUmemLocation l) { return l.type == ON_DEVICE_MEMORY ? 1u << l.id : OF_HOST; }

/* ---- prefetching and advice */

static CUresult prefetch(CUcontext c, u64 p, size_t size, CUmemLocation where, CUstream handle)
{
	CUstream     s;
	u64          base = p, end;
	CUresult     r = place_of(&where);
	const Alloc *a = range_of(&base, &end, size);
	if (r != CUDA_SUCCESS || (r = stream_of(c, handle, &s)) != CUDA_SUCCESS)
		return r;
	if (!a)
		return CUDA_ERROR_INVALID_VALUE;
	if (!cover(base, end, a->id))
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (u32 i = 0; i < n_runs; i++)
		if (runs[i].base >= base && runs[i].end <= end)
			runs[i].advice.prefetched = where;
	return CUDA_SUCCESS;
}

CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t size, CUdevice d, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, prefetch(c.context, p, size, old_place(d), s));
}
CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t size, CUmemLocation where, unsigned flags, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, flags ? CUDA_ERROR_INVALID_VALUE : prefetch(c.context, p, size, where, s));
}

static CUresult advise(u64 p, size_t size, int what, CUmemLocation where)
{
	u64          base = p, end;
	const Alloc *a = range_of(&base, &end, size);
	bool         placed = what == PREFERRED || what == ACCESSED_BY || what == UNSET_ACCESSED_BY;
	CUresult     r = what < READ_MOSTLY || what > UNSET_ACCESSED_BY ? CUDA_ERROR_INVALID_VALUE
	                 : placed                                       ? place_of(&where)
	                                                                : CUDA_SUCCESS;
	if (r != CUDA_SUCCESS || !a)
		return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
	if (!cover(base, end, a->id))
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (u32 i = 0; i < n_runs; i++) {
		Advice *v = &runs[i].advice;
		if (runs[i].base < base || runs[i].end > end)
			continue;
		switch (what) {
		case READ_MOSTLY: v->read_mostly = true; break;
		case UNSET_READ_MOSTLY: v->read_mostly = false; break;
		case PREFERRED: v->preferred = where; break;
		case UNSET_PREFERRED: v->preferred = (CUmemLocation){0, 0}; break;
		case ACCESSED_BY: v->accessed |= bit_of(where); break;
		default: v->accessed &= ~bit_of(where);
		}
	}
	return CUDA_SUCCESS;
}

CUresult cuMemAdvise(CUdeviceptr p, size_t size, int advice, CUdevice d)
{
	DRIVER_CALL(IN_CONTEXT, advise(p, size, advice, old_place(d)));
}
CUresult cuMemAdvise_v2(CUdeviceptr p, size_t size, int advice, CUmemLocation where)
{
	DRIVER_CALL(IN_CONTEXT, advise(p, size, advice, where));
}

/* ---- what has been advised */

static CUmemLocation same(CUmemLocation a, CUmemLocation b)
{
	return a.type == b.type && a.id == b.id ? a : (CUmemLocation){0, 0};
}

/* What holds for every page of the range. */
static Advice common(u64 base, u64 end)
{
	Advice all = {0};
	u64    at = base;
	forget_gone();
	for (u32 i = 0; i < n_runs; i++) {
		const Advice *v = &runs[i].advice;
		if (runs[i].end <= base || runs[i].base >= end)
			continue;
		if (runs[i].base > at)
			return (Advice){0};
		all = at == base ? *v
		                 : (Advice){all.read_mostly && v->read_mostly, all.accessed & v->accessed,
		                            same(all.preferred, v->preferred), same(all.prefetched, v->prefetched)};
		at = runs[i].end;
	}
	return at < end ? (Advice){0} : all;
}

/* As a number: a device, -1 the host, -2 none. */
static int old_number(CUmemLocation l) { return l.type == 0 ? -2 : l.type == ON_DEVICE_MEMORY ? l.id : -1; }

static void list_devices(u32 accessed, int *out, size_t n)
{
	size_t at = 0;
	if (accessed & OF_HOST && at < n)
		out[at++] = -1;
	for (int d = 0; d < MOST_DEVICES && at < n; d++)
		if (accessed >> d & 1)
			out[at++] = d;
	while (at < n)
		out[at++] = -2;
}

static CUresult range_attribute(void *out, size_t out_size, int which, u64 p, size_t size)
{
	u64          base = p, end;
	const Alloc *a = range_of(&base, &end, size);
	if (!a || !out || which < 1 || which > 8 || (which == 3 ? !out_size || out_size % 4 : out_size != 4))
		return CUDA_ERROR_INVALID_VALUE;
	const Advice v = common(base, end);
	int          value[] = {0,
	                        v.read_mostly,
	                        old_number(v.preferred),
	                        0,
	                        old_number(v.prefetched),
	                        v.preferred.type,
	                        v.preferred.id,
	                        v.prefetched.type,
	                        v.prefetched.id};
	if (which == 3)
		list_devices(v.accessed, out, out_size / 4);
	else
		memcpy(out, &value[which], 4);
	return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttribute(void *out, size_t out_size, int which, CUdeviceptr p, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, range_attribute(out, out_size, which, p, size));
}

static CUresult range_attributes(void **out, const size_t *sizes, const int *which, size_t n, u64 p, size_t size)
{
	if (!out || !sizes || !which || !n)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = CUDA_SUCCESS;
	for (size_t i = 0; r == CUDA_SUCCESS && i < n; i++)
		r = range_attribute(out[i], sizes[i], which[i], p, size);
	return r;
}

CUresult cuMemRangeGetAttributes(void **out, size_t *sizes, int *which, size_t n, CUdeviceptr p, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, range_attributes(out, sizes, which, n, p, size));
}

/* ---- batches */

typedef struct Batch {
	const CUdeviceptr   *p;
	const size_t        *size;
	size_t               n;
	const CUmemLocation *where; /* of entry k and those behind it, up to the next one's, as first[k] says; NULL: none */
	const size_t        *first;
	size_t               n_where;
} Batch;

static CUresult batch_is_possible(CUcontext c, const Batch *b, bool placed, u64 flags, CUstream handle)
{
	CUstream s;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS)
		return r;
	if (flags || !b->p || !b->size || !b->n || !handle || handle == CU_STREAM_LEGACY)
		return CUDA_ERROR_INVALID_VALUE;
	if (placed && (!b->where || !b->first || !b->n_where || b->n_where > b->n || b->first[0]))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t k = 0; placed && k < b->n_where; k++) {
		CUmemLocation l = b->where[k];
		if (b->first[k] >= b->n || (k && b->first[k] <= b->first[k - 1]))
			return CUDA_ERROR_INVALID_VALUE;
		if ((r = place_of(&l)) != CUDA_SUCCESS)
			return r;
	}
	for (size_t i = 0; i < b->n; i++) {
		u64 base = b->p[i], end;
		if (!range_of(&base, &end, b->size[i]))
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

/* Discarded memory has any contents: it keeps those that it has. */
static CUresult batch(CUcontext c, Batch b, bool placed, u64 flags, CUstream s)
{
	CUresult r = batch_is_possible(c, &b, placed, flags, s);
	for (size_t i = 0, k = 0; placed && r == CUDA_SUCCESS && i < b.n; i++) {
		k += k + 1 < b.n_where && b.first[k + 1] == i;
		r = prefetch(c, b.p[i], b.size[i], b.where[k], s);
	}
	return r;
}

/* More than seven parameters: the signature is CUDA's. */
CUresult cuMemPrefetchBatchAsync(CUdeviceptr *p, size_t *size, size_t n, CUmemLocation *where, size_t *first, size_t n_where,
                                 unsigned long long flags, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, batch(c.context, (Batch){p, size, n, where, first, n_where}, true, flags, s));
}
/* More than seven parameters: the signature is CUDA's. */
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *p, size_t *size, size_t n, CUmemLocation *where, size_t *first,
                                           size_t n_where, unsigned long long flags, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, batch(c.context, (Batch){p, size, n, where, first, n_where}, true, flags, s));
}
CUresult cuMemDiscardBatchAsync(CUdeviceptr *p, size_t *size, size_t n, unsigned long long flags, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, batch(c.context, (Batch){p, size, n, NULL, NULL, 0}, false, flags, s));
}
