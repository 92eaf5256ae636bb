/* lower_named.h: intrinsics whose names spell the instruction, slot by slot. Each function is given the name behind
 * `llvm.nvvm.` and returns false where it is not one of its family. */
#ifndef PS_DAG_LOWER_NAMED_H
#define PS_DAG_LOWER_NAMED_H

#include "dag/func.h"
#include "isa/isa.h"

bool dag_lower_matrix(DagFunc *f, IrRef inst, Str name); /* wmma, mma, ldmatrix */
bool dag_lower_image(DagFunc *f, IrRef inst, Str name);  /* tex, tld4, suld, sust, txq, suq */

/* A name's words, one after the other. */
typedef struct DagWords {
	Str rest, word;
} DagWords;

static inline bool dag_next_word(DagWords *w)
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
static inline bool dag_take_word(DagWords *w, const char *text)
{
	DagWords ahead = *w;
	if (!dag_next_word(&ahead) || !str_is(ahead.word, text))
		return false;
	*w = ahead;
	return true;
}

/* The next word as a token of the slot; false (and nothing taken) where it is none. */
static inline bool dag_take_token(DagWords *w, PtxOpc *o, IsaSlot slot)
{
	DagWords ahead = *w;
	u32      t = dag_next_word(&ahead) ? isa_token_find(slot, ahead.word) : 0;
	if (!t)
		return false;
	o->slot[slot] = (u8)t;
	*w = ahead;
	return true;
}

typedef enum DagEffect { DAG_PURE, DAG_MEMORY, DAG_TOGETHER /* convergent, no memory */ } DagEffect;

/* Makes the machine node and the call's values; operands are in the order of the opcode's. */
void dag_named_instruction(DagFunc *f, IrRef inst, PtxOpc o, const DagVal *ops, u32 n, DagEffect effect);

#endif
