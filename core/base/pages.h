/* pages.h: records with stable addresses and 32-bit ids.
 *
 * Id 0 is never handed out, so it can mean "none". Records are zeroed. A page is
 * never moved: a pointer stays good as long as its arena. */
#ifndef PS_PAGES_H
#define PS_PAGES_H

#include "base/arena.h"

enum { PAGE_SHIFT = 6, PAGE_RECORDS = 1 << PAGE_SHIFT };

typedef struct Pages {
	Arena *arena;
	u8   **page;
	u32    n;    /* ids in use: 0 .. n-1, id 0 being the empty record */
	u32    cap;  /* page table entries */
	u32    size; /* bytes of a record */
} Pages;

void              pages_init(Pages *p, Arena *arena, u32 record_size);
u32               pages_new_page(Pages *p); /* pages_new where a page begins */
static inline u32 pages_new(Pages *p) { return p->n & (PAGE_RECORDS - 1) ? p->n++ : pages_new_page(p); }
u32               pages_new_pages(Pages *p, u32 count); /* pages_new_n where they go on in another page */
/* `count` new records with consecutive ids; returns the first. They need not be consecutive in memory. */
static inline u32 pages_new_n(Pages *p, u32 count)
{
	u32 first = p->n, used = first & (PAGE_RECORDS - 1);
	if (!used || count > PAGE_RECORDS - used)
		return pages_new_pages(p, count);
	p->n += count;
	return first;
}
/* Ids from n on are new again. Their memory stays with the pages. */
void pages_truncate(Pages *p, u32 n);
/* The same where whoever takes a record clears it or fills it in. */
static inline void pages_rewind(Pages *p, u32 n) { p->n = n; }

/* The record of an id; where its type is at hand, pages_of spares a multiplication by a size that is not known. */
static inline void *pages_at(const Pages *p, u32 id)
{
	return p->page[id >> PAGE_SHIFT] + (size_t)(id & (PAGE_RECORDS - 1)) * p->size;
}
#define pages_of(pages, T, id) ((T *)(void *)(pages)->page[(id) >> PAGE_SHIFT] + ((id) & (PAGE_RECORDS - 1)))

#endif
