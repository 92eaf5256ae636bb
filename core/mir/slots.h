/* slots.h: one numbering of a function's instructions, with gaps.
 *
 * mir_slots(f) gives each block and each instruction a position; four slots belong to a position:
 *
 *	start of a block       phis write here, all at once; values that live into the block begin here
 *	instruction + 0        reads; results marked early-clobber are written
 *	instruction + SLOT_DEF writes
 *
 * A value that is read last by an instruction ends at + 1, so it does not overlap the instruction's results. A result
 * that nobody reads ends at + SLOT_DEF + 1. The end of a block is the start of the next one in the layout.
 *
 * A slot stays what it is whatever is inserted, moved or erased: mir.c gives each new or moved instruction a position
 * between its neighbours. Slots are therefore ids, and their order is asked for (mir_slot_before, mir_slot_number): until
 * the first insertion the ids themselves grow along the layout, afterwards each position has a key. Where the gap between
 * two keys is used up, keys around it are spread anew, the smallest neighbourhood that is not too full (Bender, Cole,
 * Demaine, Farach-Colton, Zito: "Two simplified algorithms for maintaining order in a list"): O(log n) per insertion,
 * amortised. The position of an erased instruction stays where it was.
 *
 * Creating, moving or removing a block ends the numbering: mir_slots makes another, and slots of the old one mean
 * nothing any more. */
#ifndef PS_SLOTS_H
#define PS_SLOTS_H

#include "mir/mir.h"

enum { SLOT_STEP = 4, SLOT_DEF = 2 };

typedef struct MirSlots {
	Arena  arena;
	VecU32 inst;       /* by instruction id: its slot, 0 = none */
	u32   *block;      /* by block id: the slot of its start */
	u32    end;        /* the slot behind the last block */
	u32    n;          /* positions */
	bool   edited;     /* key, prev and next are there */
	VecU32 key;        /* by position: a multiple of SLOT_STEP that grows along the layout */
	VecU32 prev, next; /* by position: the order, erased ones included; 0 = none */
} MirSlots;

/* The numbering of `f`, made now unless there is one. Good until a block is created, moved or removed. */
MirSlots *mir_slots(MirFunc *f);

/* Grows along the layout; numbers of two slots may be compared until the next insertion. */
static inline u32 mir_slot_number(const MirSlots *s, u32 slot)
{
	return s->edited ? s->key.p[slot / SLOT_STEP] + slot % SLOT_STEP : slot;
}
static inline bool mir_slot_before(const MirSlots *s, u32 a, u32 b) { return mir_slot_number(s, a) < mir_slot_number(s, b); }
static inline u32  mir_slot_of(const MirSlots *s, MirInstId i) { return s->inst.p[i.i]; }
static inline u32  mir_slot_start(const MirSlots *s, MirBlockId b) { return s->block[b.i]; }
static inline u32  mir_slot_end(const MirFunc *f, const MirSlots *s, MirBlockId b)
{
	u32 next = mir_block(f, b)->next;
	return next ? s->block[next] : s->end;
}

/* The last slot in front of the end. */
static inline u32 mir_slot_last(const MirFunc *f, const MirSlots *s, MirBlockId b)
{
	u32 end = mir_slot_end(f, s, b);
	return s->edited ? s->prev.p[end / SLOT_STEP] * SLOT_STEP + SLOT_STEP - 1 : end - 1;
}

/* For mir.c: instruction `i` has been linked into a block; the blocks have changed; the function goes. */
void mir_slots_insert(MirFunc *f, MirInstId i);
void mir_slots_forget(MirFunc *f);
void mir_slots_free(MirFunc *f);
/* Do the numbers grow along the layout? For the verifier. */
bool mir_slots_are_ordered(const MirFunc *f);

#endif
