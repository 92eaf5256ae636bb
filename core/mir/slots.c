/* slots.c: gives instructions positions with gaps and keeps them through insertions, see slots.h. */
#include "mir/slots.h"

enum { KEY_BITS = 32, KEY_STRIDE = 256 };

static u32 position(u32 slot) { return slot / SLOT_STEP; }

/* Positions 1 … n along the layout: until something is inserted their order is that of their numbers. */
static void number(const MirFunc *f, MirSlots *s)
{
	u32 at = 1;
	vec_extend(&s->arena, &s->inst, f->inst.n);
	s->block = arena_array(&s->arena, u32, f->block.n);
	mir_each_block(f, b) {
		s->block[b.i] = at++ * SLOT_STEP;
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i))
			s->inst.p[i.i] = at++ * SLOT_STEP;
	}
	s->end = at++ * SLOT_STEP;
	s->n = at;
}

MirSlots *mir_slots(MirFunc *f)
{
	if (f->slots)
		return f->slots;
	if (!f->slots_memory)
		f->slots_memory = arena_new(f->arena, MirSlots);
	else
		arena_free(&f->slots_memory->arena);
	*f->slots_memory = (MirSlots){0};
	arena_init(&f->slots_memory->arena, f->arena->budget);
	number(f, f->slots_memory);
	f->slots = f->slots_memory;
	return f->slots;
}

void mir_slots_forget(MirFunc *f) { f->slots = NULL; }

void mir_slots_free(MirFunc *f)
{
	if (f->slots_memory)
		arena_free(&f->slots_memory->arena);
	f->slots = f->slots_memory = NULL;
}

/* ---- keys ---- */

/* The first insertion: positions get keys with gaps, and links. */
static void keys_new(MirSlots *s)
{
	u32 stride = PS_MIN(KEY_STRIDE, (u32)(((u64)1 << (KEY_BITS - 1)) / s->n) & ~(SLOT_STEP - 1u));
	vec_extend(&s->arena, &s->key, s->n);
	vec_extend(&s->arena, &s->prev, s->n);
	vec_extend(&s->arena, &s->next, s->n);
	for (u32 p = 1; p < s->n; p++) {
		s->key.p[p] = p * stride;
		s->prev.p[p] = p - 1;
		s->next.p[p] = p + 1 < s->n ? p + 1 : 0;
	}
	s->edited = true;
}

/* Positions first … last get keys that are evenly spread over [low, low + 2^bits). */
static void spread(MirSlots *s, u32 first, u32 count, u64 low, u32 bits)
{
	u64 stride = ((u64)1 << bits) / count & ~(u64)(SLOT_STEP - 1), key = low + SLOT_STEP;
	for (u32 p = first, k = 0; k < count; k++, p = s->next.p[p], key += stride)
		s->key.p[p] = (u32)key;
}

/* Makes a gap behind position `at`: of the aligned ranges of keys around it, the smallest with few enough positions.
 * The larger the range, the fewer part of it may be taken: 1.75^i of 2^i. */
static void relabel(const MirFunc *f, MirSlots *s, u32 at)
{
	u32 first = at, last = at, count = 1;
	u64 few = 16; /* sixteenths: what a range of 2^bits may hold */
	for (u32 bits = 4; bits <= KEY_BITS; bits++) {
		u64 low = (u64)s->key.p[at] >> bits << bits, high = low + ((u64)1 << bits) - 1;
		for (u32 p; (p = s->prev.p[first]) != 0 && s->key.p[p] >= low; count++)
			first = p;
		for (u32 p; (p = s->next.p[last]) != 0 && s->key.p[p] <= high; count++)
			last = p;
		if ((u64)count * 16 <= few && (u64)count * 4 * SLOT_STEP <= (u64)1 << bits) {
			spread(s, first, count, low, bits);
			return;
		}
		few = few * 7 / 4;
	}
	ICE(f->module->session, "a function with too many instructions to number");
}

/* Room for a key behind position `at`. */
static u32 key_behind(const MirFunc *f, MirSlots *s, u32 at)
{
	for (;; relabel(f, s, at)) {
		u32 low = s->key.p[at], gap = (s->key.p[s->next.p[at]] - low) / 2 & ~(SLOT_STEP - 1u);
		if (gap)
			return low + PS_MIN(gap, KEY_STRIDE);
	}
}

void mir_slots_insert(MirFunc *f, MirInstId i)
{
	MirSlots      *s = f->slots;
	const MirInst *mi = mir_inst(f, i);
	if (!s->edited)
		keys_new(s);
	u32 behind = position(mi->next ? s->inst.p[mi->next] : mir_slot_end(f, s, (MirBlockId){mi->block}));
	u32 before = s->prev.p[behind], at = s->n++;
	vec_push(&s->arena, &s->key, key_behind(f, s, before));
	vec_push(&s->arena, &s->prev, before);
	vec_push(&s->arena, &s->next, behind);
	s->next.p[before] = s->prev.p[behind] = at;
	if (i.i >= s->inst.n)
		vec_extend(&s->arena, &s->inst, i.i + 1 - s->inst.n);
	s->inst.p[i.i] = at * SLOT_STEP;
}

bool mir_slots_are_ordered(const MirFunc *f)
{
	const MirSlots *s = f->slots;
	u32             last = 0;
	mir_each_block(f, b) {
		if (mir_slot_number(s, s->block[b.i]) <= last)
			return false;
		last = mir_slot_number(s, s->block[b.i]);
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i)) {
			if (i.i >= s->inst.n || mir_slot_number(s, s->inst.p[i.i]) <= last)
				return false;
			last = mir_slot_number(s, s->inst.p[i.i]);
		}
	}
	return mir_slot_number(s, s->end) > last;
}
