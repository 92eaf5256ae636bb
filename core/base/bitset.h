/* bitset.h: a set of small integers; iterates upward. */
#ifndef PS_BITSET_H
#define PS_BITSET_H

#include "base/arena.h"

typedef struct Bitset {
	u64 *w;
	u32  bits;
} Bitset;

static inline u32 bitset_words(u32 bits) { return (bits + 63) / 64; }

static inline Bitset bitset_new(Arena *a, u32 bits) { return (Bitset){arena_array(a, u64, bitset_words(bits) + 1), bits}; }
static inline bool   bitset_has(Bitset s, u32 i) { return s.w[i / 64] >> (i % 64) & 1; }
static inline void   bitset_add(Bitset s, u32 i) { s.w[i / 64] |= (u64)1 << (i % 64); }
static inline void   bitset_del(Bitset s, u32 i) { s.w[i / 64] &= ~((u64)1 << (i % 64)); }
static inline void   bitset_clear(Bitset s) { memset(s.w, 0, bitset_words(s.bits) * sizeof(u64)); }

/* dst |= src; did dst change? */
bool bitset_union(Bitset dst, Bitset src);
void bitset_copy(Bitset dst, Bitset src);
u32  bitset_count(Bitset s);
/* The least member >= from, or s.bits. */
u32 bitset_next(Bitset s, u32 from);

/* A set of few numbers, or of numbers that stand together, out of many: what it takes does not grow with their range,
 * but for a pointer per 4096. */
typedef struct SparseBits {
	Arena *arena;
	u64  **page; /* NULL: none of its numbers is in */
} SparseBits;
enum { SPARSE_SHIFT = 12, SPARSE_MASK = (1 << SPARSE_SHIFT) - 1 };

static inline SparseBits sparse_new(Arena *a, u32 bits)
{
	return (SparseBits){a, arena_array(a, u64 *, (bits >> SPARSE_SHIFT) + 1)};
}
static inline bool sparse_has(const SparseBits *s, u32 i)
{
	const u64 *p = s->page[i >> SPARSE_SHIFT];
	return p && p[(i & SPARSE_MASK) / 64] >> (i % 64) & 1;
}
static inline bool sparse_add(SparseBits *s, u32 i) /* was it new? */
{
	u64 **p = &s->page[i >> SPARSE_SHIFT], bit = (u64)1 << (i % 64);
	if (!*p)
		*p = arena_array(s->arena, u64, (SPARSE_MASK + 1) / 64);
	u64 *w = &(*p)[(i & SPARSE_MASK) / 64];
	bool fresh = !(*w & bit);
	*w |= bit;
	return fresh;
}

#define bitset_each(s, i) for (u32 i = bitset_next((s), 0); i < (s).bits; i = bitset_next((s), i + 1))

#endif
