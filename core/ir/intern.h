/* intern.h: the open-addressing table behind interned types, constants, attribute sets and strings
 * of metadata. It holds (hash, id) pairs; equality is the caller's.
 *
 *   for (u32 at = intern_start(t, hash), id; (id = intern_id(t, at)) != 0; at = intern_next(t, at))
 *           if (intern_hash(t, at) == hash && same(id)) return id;
 *   ir_intern_add(arena, t, hash, new_id); */
#ifndef PS_IR_INTERN_H
#define PS_IR_INTERN_H

#include "ir/ir.h"

static inline u32 intern_start(const IrIntern *t, u32 hash) { return hash & t->mask; }
static inline u32 intern_hash(const IrIntern *t, u32 at) { return t->slot[2 * at]; }
static inline u32 intern_id(const IrIntern *t, u32 at) { return t->slot[2 * at + 1]; }
static inline u32 intern_next(const IrIntern *t, u32 at) { return (at + 1) & t->mask; }

void ir_intern_init(Arena *arena, IrIntern *t, u32 slots);
void ir_intern_add(Arena *arena, IrIntern *t, u32 hash, u32 id);

/* Adds a word to an incremental hash. */
static inline u32 hash_word(u32 h, u32 w)
{
	h ^= w;
	h *= 0x9E3779B1u;
	return h ^ (h >> 15);
}

#endif
