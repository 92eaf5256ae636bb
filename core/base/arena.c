/* arena.c: chunks of a budget, handed from arena to arena.
 *
 * An arena bumps a pointer through its newest chunk; a full chunk is followed by one at least as large. Freeing an arena returns
 * its chunks to the budget, which keeps chunks of power-of-two sizes for the next arena and clears only what was written. All memory
 * is zeroed when it is handed out. Cost: constant per allocation, linear in the bytes cleared.
 *
 * Under AddressSanitizer everything of a chunk that is not handed out is poisoned, RED_ZONE bytes behind each allocation at least. */
#include "base/arena.h"

#include "base/checked.h"
#include "base/fmt.h"
#include "base/redzone.h"

#include <stdlib.h>

struct ArenaChunk {
	ArenaChunk *next;          /* of the same arena */
	ArenaChunk *newer, *older; /* of the same budget */
	size_t      size;          /* bytes of the whole chunk, header included */
	size_t      dirty;         /* bytes from its start that may not be zero; of a spare one */
};

/* At the start of memory that chunks are cut from. */
struct ArenaRegion {
	ArenaRegion *next;
};

enum {
	CHUNK_MIN = 2 * 1024,
	CHUNK_SMALL = 16 * 1024, /* the least that is taken where a larger one would need another large page */
	CHUNK_MAX = 1024 * 1024,
	CHUNK_PAGES_MAX = 8 * ARENA_PAGE, /* the most that grows by doubling where the host has large pages */
	ALIGN_MAX = 64,
	SPARE_MAX = 64 * CHUNK_MAX
};
_Static_assert(CHUNK_MIN << (ARENA_SPARE_SIZES - 1) == CHUNK_MAX, "a list for each size");

/* Sanitizers see use-after-free of single chunks; the pattern makes it visible elsewhere too. */
enum { POISON = 0xA5 };

void arena_init(Arena *a, MemBudget *budget) { *a = (Arena){.budget = budget}; }

/* ---- spare chunks: most arenas live for one pass, and memory fresh from the host is slow ---- */

static ArenaChunk **spare_list(MemBudget *b, size_t size)
{
	for (u32 k = 0; k < ARENA_SPARE_SIZES; k++)
		if (size == (size_t)CHUNK_MIN << k)
			return &b->spare[k];
	return &b->spare[ARENA_SPARE_SIZES];
}

static ArenaChunk *spare_take(MemBudget *b, size_t size)
{
	ArenaChunk *c;
	for (ArenaChunk **list = spare_list(b, size); (c = *list) != NULL; list = &c->next)
		if (c->size >= size && c->size / 2 <= size && (!b->cap || b->used + c->size <= b->cap)) {
			*list = c->next;
			b->spare_bytes -= c->size;
			red_zone_clear(c, c->size);
			return c;
		}
	return NULL;
}

static void spare_add(MemBudget *b, ArenaChunk *c, size_t dirty)
{
	ArenaChunk **list = spare_list(b, c->size);
	c->next = *list;
	c->dirty = dirty;
	*list = c;
	b->spare_bytes += c->size;
	red_zone(c + 1, c->size - sizeof *c);
}

static bool spare_keep(MemBudget *b, ArenaChunk *c, size_t dirty)
{
	bool is_other = spare_list(b, c->size) == &b->spare[ARENA_SPARE_SIZES];
	if (b->pages ? is_other : b->spare_bytes + c->size > SPARE_MAX)
		return false;
	spare_add(b, c, dirty);
	return true;
}

static void spare_free(MemBudget *b)
{
	for (u32 k = 0; k <= ARENA_SPARE_SIZES; k++)
		for (ArenaChunk *c; (c = b->spare[k]) != NULL;) {
			b->spare[k] = c->next;
			red_zone_clear(c, c->size);
			if (!b->pages)
				free(c);
		}
	b->spare_bytes = 0;
}

/* ---- large pages: one of them takes the host as long as some sixty small ones. Chunks up to CHUNK_MAX are cut from
 * regions and stay the budget's; larger ones are whole pages and go back. ---- */

static size_t whole_pages(u64 size) { return (size_t)(size + ARENA_PAGE - 1) & ~(size_t)(ARENA_PAGE - 1); }

static size_t room_of(const MemBudget *b) { return (size_t)(b->room_end - b->room); }

/* A new region; what is left of the one before becomes spare chunks. */
static bool region_add(MemBudget *b)
{
	ArenaRegion *r = b->pages(b->pages_user, NULL, 0, ARENA_PAGE);
	if (!r)
		return false;
	for (size_t size = CHUNK_MAX; size >= CHUNK_MIN; size /= 2)
		if (room_of(b) >= size) {
			ArenaChunk *c = (ArenaChunk *)(void *)b->room;
			b->room += size;
			c->size = size;
			spare_add(b, c, sizeof *c);
		}
	r->next = b->regions;
	b->regions = r;
	b->room = (u8 *)r + ALIGN_MAX;
	b->room_end = (u8 *)r + ARENA_PAGE;
	return true;
}

static ArenaChunk *chunk_from_pages(MemBudget *b, size_t size)
{
	if (size > CHUNK_MAX)
		return b->pages(b->pages_user, NULL, 0, whole_pages(size));
	if (room_of(b) < size && !region_add(b))
		return NULL;
	ArenaChunk *c = (ArenaChunk *)(void *)b->room;
	b->room += size;
	return c;
}

static void regions_free(MemBudget *b)
{
	for (ArenaRegion *r; (r = b->regions) != NULL;) {
		b->regions = r->next;
		b->pages(b->pages_user, r, ARENA_PAGE, 0);
	}
	b->room = b->room_end = NULL;
}

/* ---- chunks ---- */

/* The budget that the arena's chunks come from, for this thread alone. */
static MemBudget *enter(const Arena *a, bool *entered)
{
	MemBudget *b = a->budget;
	*entered = b->of && b->enter(b->user);
	return b->of ? b->of : b;
}

static void leave(const Arena *a, bool entered)
{
	if (entered)
		a->budget->leave(a->budget->user);
}

static ArenaChunk *chunk_from_host(MemBudget *b, u64 size)
{
	if (b->pages)
		return chunk_from_pages(b, (size_t)size);
	ArenaChunk *c = calloc(1, (size_t)size);
	if (c || !b->spare_bytes)
		return c;
	spare_free(b);
	return calloc(1, (size_t)size);
}

static void chunk_to_host(MemBudget *b, ArenaChunk *c)
{
	if (b->pages)
		b->pages(b->pages_user, c, whole_pages(c->size), 0);
	else
		free(c);
}

/* Can a chunk be had without another large page? */
static bool at_hand(MemBudget *b, u64 size)
{
	return !b->pages || size > (u64)CHUNK_MAX || size <= room_of(b) || *spare_list(b, (size_t)size);
}

/* What a chunk has where at least `least` bytes of it are wanted. */
static u64 chunk_size(MemBudget *b, const ArenaChunk *last, u64 least)
{
	u64 most = b->pages ? CHUNK_PAGES_MAX : CHUNK_MAX;
	u64 size = last ? PS_MIN((u64)last->size * 2, most) : (u64)CHUNK_MIN;
	while (size < least && size < (u64)CHUNK_MAX)
		size *= 2;
	if (b->cap && size > (b->cap - PS_MIN(b->used, b->cap)) / 8) /* near the cap no more than is wanted */
		size = PS_MIN(size, (u64)CHUNK_MAX);
	size = PS_MAX(size, least);
	while (!at_hand(b, size) && size / 2 >= least && size > (u64)CHUNK_SMALL)
		size /= 2;
	return size;
}

/* A new chunk with room for `want` bytes at any alignment. */
static void chunk_add(Arena *a, u64 want)
{
	bool        entered;
	MemBudget  *b = enter(a, &entered);
	u64         size = chunk_size(b, a->chunk, want + sizeof(ArenaChunk) + ALIGN_MAX);
	bool        over = want > SIZE_MAX / 2 || (b->cap && b->used + size > b->cap);
	ArenaChunk *c = over ? NULL : spare_take(b, (size_t)size);
	if (!c && !over)
		c = chunk_from_host(b, size);
	if (!c) {
		b->exhausted(b->user, size);
		abort(); /* `exhausted` broke its promise not to return */
	}
	c->size = PS_MAX(c->size, (size_t)size); /* one that is fresh is zero */
	b->used += c->size;
	if (b->used > b->peak)
		b->peak = b->used;
	c->next = a->chunk;
	c->newer = NULL;
	c->older = b->chunks;
	if (c->older)
		c->older->newer = c;
	b->chunks = c;
	leave(a, entered);
	if (c->dirty > sizeof *c) /* the slow part, while other threads go on */
		memset(c + 1, 0, c->dirty - sizeof *c);
	a->chunk = c;
	a->at = (u8 *)(c + 1);
	a->end = (u8 *)c + c->size;
	red_zone(a->at, (size_t)(a->end - a->at));
}

void *arena_alloc(Arena *a, u64 size, size_t align)
{
	size_t pad = (size_t)(-(uintptr_t)a->at) & (align - 1);
	if (!a->chunk || (size_t)(a->end - a->at) < pad + RED_ZONE || (size_t)(a->end - a->at) - pad - RED_ZONE < size) {
		chunk_add(a, size_add(size, RED_ZONE));
		pad = (size_t)(-(uintptr_t)a->at) & (align - 1);
	}
	u8 *p = a->at + pad;
	a->at = p + size + RED_ZONE;
	a->used += size;
	red_zone_clear(p, (size_t)size);
	return p;
}

void *arena_grow(Arena *a, void *old, u64 old_size, u64 new_size, size_t align)
{
	u8 *o = old;
	if (o && o + old_size + RED_ZONE == a->at && (u64)(a->end - o) >= size_add(new_size, RED_ZONE)) {
		a->at = o + new_size + RED_ZONE;
		red_zone_clear(o, (size_t)new_size);
		a->used += new_size - old_size;
		return o;
	}
	u8 *p = arena_alloc(a, new_size, align);
	if (old_size)
		memcpy(p, o, (size_t)old_size);
	return p;
}

static ArenaChunk *chunk_enlarged(MemBudget *b, ArenaChunk *c, u64 size)
{
	if (!b->pages)
		return realloc(c, (size_t)size);
	if (whole_pages(c->size) == whole_pages(size) && c->size > CHUNK_MAX)
		return c;
	if (c->size > CHUNK_MAX)
		return b->pages(b->pages_user, c, whole_pages(c->size), whole_pages(size));
	ArenaChunk *to = chunk_from_pages(b, (size_t)size);
	if (to) {
		memcpy(to, c, c->size);
		spare_keep(b, c, c->size);
	}
	return to;
}

static void chunk_resize(Arena *a, u64 size)
{
	bool        entered;
	MemBudget  *b = enter(a, &entered);
	ArenaChunk *c = a->chunk;
	u64         more = size - c->size, used = (u64)(a->at - (u8 *)c);
	bool        over = size > SIZE_MAX / 2 || (b->cap && b->used + more > b->cap);
	red_zone_clear(c, c->size);
	c = over ? NULL : chunk_enlarged(b, c, size);
	if (!c) {
		b->exhausted(b->user, size);
		abort(); /* `exhausted` broke its promise not to return */
	}
	b->used += more;
	if (b->used > b->peak)
		b->peak = b->used;
	c->size = (size_t)size;
	if (c->newer)
		c->newer->older = c;
	else
		b->chunks = c;
	if (c->older)
		c->older->newer = c;
	leave(a, entered);
	a->chunk = c;
	a->at = (u8 *)c + used;
	a->end = (u8 *)c + size;
	red_zone(a->at, (size_t)(a->end - a->at));
}

void *arena_grow_bytes(Arena *a, void *old, u64 old_size, u64 new_size)
{
	u8  *o = old;
	bool alone = o && a->chunk && o == (u8 *)(a->chunk + 1) && o + old_size + RED_ZONE == a->at;
	if (!alone || new_size < (u64)CHUNK_MAX)
		return arena_grow(a, old, old_size, new_size, 1);
	if ((u64)(a->end - o) < new_size + RED_ZONE)
		chunk_resize(a, new_size + RED_ZONE + sizeof(ArenaChunk));
	o = (u8 *)(a->chunk + 1);
	a->at = o + new_size + RED_ZONE;
	red_zone_clear(o, (size_t)new_size);
	a->used += new_size - old_size;
	return o;
}

Str arena_str(Arena *a, Str s)
{
	char *p = arena_alloc(a, (size_t)s.n + 1, 1);
	if (s.n)
		memcpy(p, s.p, s.n);
	return (Str){p, s.n};
}

Str arena_vfmt(Arena *a, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	u32 n = fmt_len(fmt, again);
	va_end(again);
	char *p = arena_alloc(a, (size_t)n + 1, 1);
	fmt_into(p, n + 1, fmt, ap);
	return (Str){p, n};
}

Str arena_fmt(Arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Str s = arena_vfmt(a, fmt, ap);
	va_end(ap);
	return s;
}

/* `dirty`: how far it was used. */
static void chunk_free(MemBudget *b, ArenaChunk *c, size_t dirty)
{
	if (c->newer)
		c->newer->older = c->older;
	else
		b->chunks = c->older;
	if (c->older)
		c->older->newer = c->newer;
	b->used -= c->size;
	red_zone_clear(c, c->size);
	bool keep = true;
#ifndef NDEBUG
	size_t size = dirty = c->size;
	memset(c, POISON, size);
	c->size = size;
	keep = b->pages != NULL; /* else malloc's, for sanitizers to see */
#endif
	if (!keep || !spare_keep(b, c, dirty))
		chunk_to_host(b, c);
}

void arena_free(Arena *a)
{
	size_t     dirty = a->chunk ? (size_t)(a->at - (u8 *)a->chunk) : 0;
	bool       entered;
	MemBudget *b = enter(a, &entered);
	for (ArenaChunk *c = a->chunk, *next; c; c = next) {
		next = c->next;
		chunk_free(b, c, dirty);
		dirty = next ? next->size : 0;
	}
	leave(a, entered);
	arena_init(a, a->budget);
}

void budget_free(MemBudget *b)
{
	while (b->chunks)
		chunk_free(b, b->chunks, b->chunks->size);
	spare_free(b);
	regions_free(b);
}
