/* heap.c: malloc and free of kernels.
 *
 * An allocation is a region of global memory with bounds of its own. Addresses are never given out again,
 * so what reads or frees a block too late is found; the bytes behind them are. */
#include "simt/machine.h"

enum { HEAP_LIMIT = 8 << 20 }; /* cudaLimitMallocHeapSize, unless it is set */
#define HEAP_START 0x7f8000000000u

struct HeapBytes {
	struct HeapBytes *next;
};

/* Regions are sorted by base: the heap's come last. */
static u64 heap_take(SimtMachine *m, u64 size)
{
	u64 whole = align_up(size, 16);
	u32 class = (u32)u64_log2(PS_MAX(whole, 16u) * 2 - 1);
	if (!m->p->is64 || !size || size > HEAP_LIMIT || m->heap.live + whole > HEAP_LIMIT)
		return 0;
	u8 *host = (u8 *)m->heap.spare[class];
	if (host)
		m->heap.spare[class] = m->heap.spare[class]->next;
	else
		host = arena_alloc(&m->arena, (u64)1 << class, 16);
	memset(host, 0xa5, (size_t)whole);
	u64 at = HEAP_START + m->heap.used;
	m->heap.used += align_up(whole + 16, 256);
	m->heap.live += whole;
	vec_push(&m->arena, &m->region, ((Region){at, size, host, STR("memory of malloc"), false}));
	return at;
}

static bool heap_give(SimtMachine *m, u64 at, u32 lane)
{
	if (!at)
		return true;
	for (u32 i = m->region.n; i-- && m->region.p[i].base >= HEAP_START;) {
		Region *r = &m->region.p[i];
		if (r->base != at)
			continue;
		u64 whole = align_up(r->size, 16);
		u32 class = (u32)u64_log2(PS_MAX(whole, 16u) * 2 - 1);
		struct HeapBytes *bytes = (struct HeapBytes *)(void *)r->host;
		bytes->next = m->heap.spare[class];
		m->heap.spare[class] = bytes;
		m->heap.live -= whole;
		memmove(r, r + 1, (m->region.n - i - 1) * sizeof *r);
		m->region.n--;
		m->hit = 0;
		return true;
	}
	return simt_fail(m, FAULT_FREE, lane, "free of 0x%llx, which malloc has not given or free has taken",
	                 (unsigned long long)at);
}

bool heap_malloc(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const u32 *size = reg_rows(m, f, i->a);
	u32       *d = reg_rows(m, f, i->d);
	each_lane(mask, l)
		set_lane64(d, l, heap_take(m, lane64(size, l)));
	return true;
}

bool heap_free(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const u32 *at = reg_rows(m, f, i->a);
	each_lane(mask, l)
		if (!heap_give(m, lane64(at, l), l))
			return false;
	return true;
}
