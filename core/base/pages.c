/* pages.c: the page table of pages.h. Pages of one kind are allocated in growing runs, so that a walk over many records touches
 * consecutive memory. */
#include "base/pages.h"

void pages_init(Pages *p, Arena *arena, u32 record_size)
{
	*p = (Pages){.arena = arena, .size = record_size};
	pages_new(p);
}

/* The more there are, the more come at once: those of one kind in one piece, which walks over many are quicker on. */
static void add_pages(Pages *p, u32 slot)
{
	u32    n = PS_MIN(PS_MAX(slot / 8, 1u), PS_MIN(p->cap - slot, 64u));
	size_t bytes = (size_t)p->size * PAGE_RECORDS;
	u8    *first = arena_alloc(p->arena, (u64)bytes * n, _Alignof(max_align_t));
	for (u32 i = 0; i < n; i++)
		p->page[slot + i] = first + bytes * i;
}

u32 pages_new_page(Pages *p)
{
	u32 id = p->n++;
	u32 slot = id >> PAGE_SHIFT;
	if (slot == p->cap) {
		u32 cap = PS_MAX(p->cap * 2, 4u);
		p->page = arena_grow(p->arena, p->page, p->cap * sizeof *p->page, cap * sizeof *p->page, _Alignof(u8 *));
		p->cap = cap;
	}
	if (!p->page[slot])
		add_pages(p, slot);
	return id;
}

u32 pages_new_pages(Pages *p, u32 count)
{
	u32 first = p->n;
	for (u32 i = 0; i < count; i++)
		pages_new(p);
	return first;
}

/* In short pieces: long ones are cleared by an instruction of the processor that takes long to begin. */
static void clear(u8 *p, size_t n)
{
	enum { PIECE = 1024 };
	for (; n > PIECE; n -= PIECE, p += PIECE)
		memset(p, 0, PIECE);
	memset(p, 0, n);
}

void pages_truncate(Pages *p, u32 n)
{
	while (p->n > n) {
		u32 page = (p->n - 1) >> PAGE_SHIFT, first = page << PAGE_SHIFT, from = PS_MAX(first, n);
		clear(p->page[page] + (size_t)(from - first) * p->size, (size_t)(p->n - from) * p->size);
		p->n = from;
	}
}
