/* words.h: takes intrinsic names apart that spell an instruction, slot by slot: `wmma.m16n16k16.load.a.row.stride.f16`. */
#ifndef PS_ISA_WORDS_H
#define PS_ISA_WORDS_H

#include "isa/isa.h"

/* A name's words, one after the other. */
typedef struct IsaWords {
	Str rest, word;
} IsaWords;

static inline bool isa_next_word(IsaWords *w)
{
	if (!w->rest.n)
		return false;
	w->word = w->rest;
	for (w->word.n = 0; w->word.n < w->rest.n && w->rest.p[w->word.n] != '.'; w->word.n++)
		;
	u32 used = PS_MIN(w->word.n + 1, w->rest.n);
	w->rest.p += used;
	w->rest.n -= used;
	return true;
}

/* The word, if it is the next one. */
static inline bool isa_take_word(IsaWords *w, const char *text)
{
	IsaWords ahead = *w;
	if (!isa_next_word(&ahead) || !str_is(ahead.word, text))
		return false;
	*w = ahead;
	return true;
}

/* The next word as a token of the slot; false (and nothing taken) where it is none. */
static inline bool isa_take_token(IsaWords *w, PtxOpc *o, IsaSlot slot)
{
	IsaWords ahead = *w;
	u32      t = isa_next_word(&ahead) ? isa_token_find(slot, ahead.word) : 0;
	if (!t)
		return false;
	o->slot[slot] = (u8)t;
	*w = ahead;
	return true;
}

/* The instruction of a matrix intrinsic, given the name behind `llvm.nvvm.`, for a generic address; *address: its first
 * argument is one. Else the arguments are the fragments A, B, C, register by register. matrixname.c */
bool isa_matrix_intrinsic(Str name, PtxOpc *o, bool *address);

#endif
