#include "base/arena.h"

#include "base/fmt.h"

#include <stdlib.h>

struct ArenaChunk {
	ArenaChunk *next;
	size_t      size; /* bytes of the whole chunk, header included */
};

enum { CHUNK_MIN = 32 * 1024, CHUNK_MAX = 1024 * 1024 };

/* Sanitizers see use-after-free of single chunks; the pattern makes it visible elsewhere too. */
enum { POISON = 0xA5 };

void arena_init(Arena *a, MemBudget *budget)
{
	*a = (Arena){.budget = budget};
}

static void chunk_add(Arena *a, size_t want)
{
	size_t size = a->chunk ? PS_MIN(a->chunk->size * 2, (size_t)CHUNK_MAX) : (size_t)CHUNK_MIN;
	if (size < want + 128)
		size = want + 128;
	MemBudget *b = a->budget;
	bool over = b->cap && b->used + size > b->cap;
	ArenaChunk *c = over ? NULL : calloc(1, size);
	if (!c) {
		b->exhausted(b->user, size);
		abort(); /* `exhausted` broke its promise not to return */
	}
	b->used += size;
	if (b->used > b->peak)
		b->peak = b->used;
	c->next = a->chunk;
	c->size = size;
	a->chunk = c;
	a->at = (u8 *)(c + 1);
	a->end = (u8 *)c + size;
}

void *arena_alloc(Arena *a, size_t size, size_t align)
{
	size_t pad = (size_t)(-(uintptr_t)a->at) & (align - 1);
	if (!a->chunk || (size_t)(a->end - a->at) < pad || (size_t)(a->end - a->at) - pad < size) {
		chunk_add(a, size + align);
		pad = (size_t)(-(uintptr_t)a->at) & (align - 1);
	}
	u8 *p = a->at + pad;
	a->at = p + size;
	a->used += size;
	return p;
}

void *arena_grow(Arena *a, void *old, size_t old_size, size_t new_size, size_t align)
{
	u8 *o = old;
	if (o && o + old_size == a->at && (size_t)(a->end - o) >= new_size) {
		a->at = o + new_size;
		a->used += new_size - old_size;
		return o;
	}
	u8 *p = arena_alloc(a, new_size, align);
	if (old_size)
		memcpy(p, o, old_size);
	return p;
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
	u32   n = fmt_len(fmt, again);
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

void arena_free(Arena *a)
{
	for (ArenaChunk *c = a->chunk, *next; c; c = next) {
		next = c->next;
		a->budget->used -= c->size;
#ifndef NDEBUG
		memset(c, POISON, c->size);
#endif
		free(c);
	}
	arena_init(a, a->budget);
}
