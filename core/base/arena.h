/* arena.h: memory is taken in bumps and given back all at once.
 *
 * Every arena draws on a MemBudget. When the cap is reached, or the host has no
 * more memory, the budget's `exhausted` is called and must not return (the
 * session turns it into a diagnostic and leaves through its one setjmp). */
#ifndef PS_ARENA_H
#define PS_ARENA_H

#include "base/base.h"

typedef struct ArenaChunk  ArenaChunk;
typedef struct ArenaRegion ArenaRegion;

enum { ARENA_SPARE_SIZES = 10, ARENA_PAGE = 2 * 1024 * 1024 };

typedef struct MemBudget {
	u64 used, peak, cap; /* bytes; cap 0 = no cap */
	void (*exhausted)(void *user, u64 wanted);
	void *user;
	/* A host that has large pages: zeroed memory of `size` bytes, a multiple of ARENA_PAGE and aligned to it; of
	 * `old`, enlarged and moved where it has to be; NULL where there is none. Size 0 takes `old` back. */
	void *(*pages)(void *user, void *old, size_t old_size, size_t size);
	void        *pages_user;
	ArenaRegion *regions;         /* of such memory, which chunks are cut from; the newest first */
	u8          *room, *room_end; /* what is left of the newest */
	ArenaChunk  *chunks;          /* of all arenas that draw on it, newest first */
	/* Given back and kept for the next arena: of 2 KiB, 4 KiB, …, and of other sizes where the host has no large pages. */
	ArenaChunk *spare[ARENA_SPARE_SIZES + 1];
	u64         spare_bytes;
	/* Of a thread that shares a budget with others: arenas draw on that one, in which one thread is at a time. `enter`
	 * is false where the thread is there already. */
	struct MemBudget *of;
	bool (*enter)(void *user);
	void (*leave)(void *user);
} MemBudget;

typedef struct Arena {
	MemBudget  *budget;
	ArenaChunk *chunk; /* newest first */
	u8         *at, *end;
	u64         used; /* bytes handed out */
} Arena;

void arena_init(Arena *a, MemBudget *budget);
/* Zeroed, aligned to `align` (a power of two, at most 64). Never NULL. Sizes are 64 bits wide so that a
 * size that a 32-bit host cannot have ends as "out of memory", not as a smaller one. */
void *arena_alloc(Arena *a, u64 size, size_t align);
/* The same memory enlarged: in place where `old` was the last allocation. New bytes are zero. */
void *arena_grow(Arena *a, void *old, u64 old_size, u64 new_size, size_t align);
/* The same for bytes of no alignment, without the zeros. What has the newest chunk to itself, as a long text in
 * an arena of its own, leaves no copy behind when it grows. */
void *arena_grow_bytes(Arena *a, void *old, u64 old_size, u64 new_size);
Str   arena_str(Arena *a, Str s); /* a copy, NUL-terminated */
Str   arena_fmt(Arena *a, const char *fmt, ...) PS_PRINTF(2, 3);
Str   arena_vfmt(Arena *a, const char *fmt, va_list ap);
/* Gives back everything; the bytes are poisoned first in debug builds. */
void arena_free(Arena *a);
/* Gives back what every arena of the budget still holds: after leaving in the middle (longjmp), when
 * arenas on the stack are gone. None of those arenas may be used again. */
void budget_free(MemBudget *b);

#define arena_new(a, T)      ((T *)arena_alloc((a), sizeof(T), _Alignof(T)))
#define arena_array(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (u64)(n), _Alignof(T)))

#endif
