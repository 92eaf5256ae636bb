/* heap.c: malloc and free of kernels, each in constant time.
 *
 * Addresses are never given out again, so what reads or frees a block too late is found; the bytes behind them are. The
 * addresses of the heap are pages, a page has slots of one size, a power of two (what is larger than a page takes several):
 *
 *   HEAP_START          + 1 MiB             + 2 MiB
 *   | 256 | 256 | …     | 512 | 512 | …     | 4 MiB …
 *
 * An address says its page, the page says its slot. A slot is at least HEAP_GAP bytes larger than its block, so that running
 * over the end is found. When a page's slots have all been given and taken back, what describes them serves another page. */
#include "base/redzone.h"
#include "simt/jobs.h"
#include "simt/sanitize.h"

enum { HEAP_LIMIT = 8 << 20 /* cudaLimitMallocHeapSize, unless it is set */, HEAP_GAP = 16, PAGE_LOG2 = 20, SLOT_LOG2 = 8 };
#define HEAP_START 0x7f8000000000u
#define HEAP_PAGES (1u << 27) /* 2^47 bytes of addresses */

typedef struct HeapSlot {
	u8 *host; /* NULL: not given, or taken back */
	u64 size;
} HeapSlot;

struct HeapBytes {
	struct HeapBytes *next;
};

SimtHeap *simt_heap_new(Arena *a, Arena *bytes)
{
	SimtHeap *h = arena_new(a, SimtHeap);
	h->arena = bytes;
	h->limit = HEAP_LIMIT;
	return h;
}

void simt_heap_clear(SimtHeap *h)
{
	MemBudget *budget = h->arena->budget;
	arena_free(h->arena);
	arena_init(h->arena, budget);
	*h = (SimtHeap){.arena = h->arena, .limit = h->limit, .used = h->used};
}

bool simt_heap_limit(SimtHeap *h, u64 limit)
{
	if (!h->used)
		h->limit = limit;
	return !h->used;
}

bool simt_keeps_heap(const SimtMachine *m) { return !m->faulted && m->blocks_done == m->blocks && m->heap->live; }

static u64 heap_start(const SimtMachine *m) { return m->p->is64 ? m->p->windows + HEAP_START : HOST_HEAP_32; }

/* Other jobs may be at it. */
static bool heap_lock(const SimtMachine *m) { return m->job && jobs_take(m->job); }
static void heap_unlock(const SimtMachine *m, bool taken)
{
	if (taken)
		jobs_give(m->job);
}

static u32 page_slots(u32 class) { return class < PAGE_LOG2 ? 1u << (PAGE_LOG2 - class) : 1; }

static u32 most_pages(const SimtMachine *m) { return m->p->is64 ? HEAP_PAGES : (u32)-HOST_HEAP_32 >> PAGE_LOG2; }

/* The page that has a free slot of the class; NULL: there are no addresses left. */
static HeapPage *page_for(SimtMachine *m, u32 class)
{
	SimtHeap *h = m->heap;
	HeapPage *p = h->open[class] ? &h->page.p[h->open[class] - 1] : NULL;
	if (p && p->given < page_slots(class))
		return p;
	u64 base = heap_start(m) + ((u64)h->page.n << PAGE_LOG2);
	u32 n = class > PAGE_LOG2 ? 1u << (class - PAGE_LOG2) : 1;
	if (n > most_pages(m) - h->page.n)
		return NULL;
	HeapSlot *slots = h->spare_slots[class];
	if (slots) {
		h->spare_slots[class] = (HeapSlot *)(void *)slots[0].host;
		memset(slots, 0, sizeof *slots * page_slots(class));
	} else {
		slots = arena_array(m->heap->arena, HeapSlot, page_slots(class));
	}
	u32 first = h->page.n;
	vec_extend(m->heap->arena, &h->page, n); /* the heap outlives a launch that ends here, as there is no more memory */
	for (u32 i = first; i < h->page.n; i++)
		h->page.p[i] = (HeapPage){.base = base, .first = first, .slot = slots, .class = (u8) class};
	h->open[class] = first + 1;
	return &h->page.p[first];
}

static u64 heap_take(SimtMachine *m, u64 size)
{
	u64 whole = size_align(size, 16);
	if ((!m->p->is64 && !m->p->windows) || !size || whole < size || m->heap->live + whole > m->heap->limit ||
	    whole > m->heap->limit)
		return 0;
	u32 class = PS_MAX(u64_log2(whole + HEAP_GAP - 1) + 1, (u32)SLOT_LOG2);
	HeapPage *p = class < HEAP_CLASSES ? page_for(m, class) : NULL;
	if (!p)
		return 0;
	u8 *host = (u8 *)m->heap->spare[class];
	if (host) {
		red_zone_clear(host, sizeof(struct HeapBytes));
		m->heap->spare[class] = m->heap->spare[class]->next;
	} else {
		host = arena_alloc(m->heap->arena, (u64)1 << class, 16);
		red_zone(host, (size_t)1 << class);
	}
	red_zone_clear(host, (size_t)size);
	memset(host, 0xa5, (size_t)size);
	m->heap->live += whole;
	m->heap->used = true;
	p->slot[p->given] = (HeapSlot){.host = host, .size = size};
	return p->base + ((u64)p->given++ << class);
}

/* The page and the slot of an address; NULL: no block has been there, or none of its page is left. */
static HeapSlot *slot_of(const SimtMachine *m, u64 address, HeapPage **page, u64 *base)
{
	u64 start = heap_start(m), at = address - start;
	if (address < start || at >> PAGE_LOG2 >= m->heap->page.n)
		return NULL;
	HeapPage *p = &m->heap->page.p[m->heap->page.p[at >> PAGE_LOG2].first];
	u64       i = (address - p->base) >> p->class;
	*page = p;
	*base = p->base + (i << p->class);
	return p->slot && i < p->given ? &p->slot[i] : NULL;
}

bool heap_at(const SimtMachine *m, u64 address, Region *out)
{
	HeapPage *page;
	u64       base;
	if (address < heap_start(m))
		return false;
	bool      taken = heap_lock(m);
	HeapSlot *s = slot_of(m, address, &page, &base);
	bool      found = s && s->host;
	if (found)
		*out = (Region){base, s->size, s->host, STR("memory of malloc"), false};
	heap_unlock(m, taken);
	return found;
}

static bool heap_give(SimtMachine *m, u64 at, u32 lane)
{
	HeapPage *p;
	u64       base;
	HeapSlot *s = at ? slot_of(m, at, &p, &base) : NULL;
	if (!at)
		return true;
	if (m->san && sanitize_freed_twice(m, at, lane))
		return false;
	if (!s || !s->host || at != base)
		return simt_fail(m, FAULT_FREE, lane, "free of 0x%llx, which malloc has not given or free has taken",
		                 (unsigned long long)at);
	struct HeapBytes *bytes = (struct HeapBytes *)(void *)s->host;
	red_zone_clear(bytes, sizeof *bytes); /* the block may be smaller */
	bytes->next = m->heap->spare[p->class];
	m->heap->spare[p->class] = bytes;
	red_zone(bytes, (size_t)1 << p->class);
	m->heap->live -= size_align(s->size, 16);
	if (m->san)
		sanitize_free(m, base, lane);
	*s = (HeapSlot){0};
	if (++p->taken == page_slots(p->class)) {
		p->slot[0].host = (u8 *)m->heap->spare_slots[p->class];
		m->heap->spare_slots[p->class] = p->slot;
		p->slot = NULL;
	}
	return true;
}

void heap_leave(SimtMachine *m, u64 base, u32 size, const SimtAccess *by, Str kernel)
{
	enum { MOST_LEFT = 4096 };
	HeapLeft x = {.base = base,
	              .page = (u32)((base - heap_start(m)) >> PAGE_LOG2),
	              .size = size,
	              .line = by->line,
	              .kernel = kernel};
	memcpy(x.block, by->block, sizeof x.block);
	memcpy(x.thread, by->thread, sizeof x.thread);
	if (m->heap->left.n < MOST_LEFT)
		vec_push(m->heap->arena, &m->heap->left, x);
}

static bool is_left(const SimtHeap *h, const HeapLeft *x)
{
	const HeapPage *p = &h->page.p[h->page.p[x->page].first];
	return p->slot && p->slot[(x->base - p->base) >> p->class].host;
}

static bool same_place(const HeapLeft *a, const HeapLeft *b) { return a->line == b->line && str_eq(a->kernel, b->kernel); }

void simt_heap_leaks(const SimtHeap *h, void (*tell)(void *user, const SimtLeak *leak), void *user)
{
	for (u32 i = 0; i < h->left.n; i++) {
		const HeapLeft *x = &h->left.p[i];
		SimtLeak        leak = {.kernel = x->kernel, .line = x->line, .address = x->base};
		bool            told = !is_left(h, x);
		for (u32 k = 0; k < h->left.n && !told; k++) {
			const HeapLeft *y = &h->left.p[k];
			if (!is_left(h, y) || !same_place(x, y))
				continue;
			told = k < i;
			leak.bytes += y->size, leak.blocks++;
		}
		memcpy(leak.block, x->block, sizeof leak.block);
		memcpy(leak.thread, x->thread, sizeof leak.thread);
		if (!told)
			tell(user, &leak);
	}
}

bool heap_malloc(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const u32 *size = reg_rows(m, f, i->a);
	u32       *d = reg_rows(m, f, i->d);
	each_lane(mask, l) {
		bool taken = heap_lock(m);
		u64  bytes = lane64(size, l), base = heap_take(m, bytes);
		heap_unlock(m, taken);
		if (m->san && base)
			sanitize_malloc(m, base, bytes, l);
		set_lane64(d, l, base);
	}
	return true;
}

bool heap_free(SimtMachine *m, const Frame *f, const SimtInsn *i, u32 mask)
{
	const u32 *at = reg_rows(m, f, i->a);
	each_lane(mask, l) {
		bool taken = heap_lock(m), ok = heap_give(m, lane64(at, l), l);
		heap_unlock(m, taken);
		if (!ok)
			return false;
	}
	return true;
}
