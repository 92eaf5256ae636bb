/* isa_impl.h: declarations that the files of isa/ share and nobody else includes. */
#ifndef PS_ISA_IMPL_H
#define PS_ISA_IMPL_H

#include "base/pages.h"
#include "base/vec.h"
#include "isa/isa.h"

/* ---- words (tokens.c) */

typedef enum IsaTokenClass {
	CLASS_,
#define CLASS(id, summary) CLASS_##id,
#define TOKEN(class, id, text)
#define TYPE(id, text, bits, kind, rc, lanes, summary)
#define SLOT(id, class, summary)
#include "isa/slots.def"
	CLASS_COUNT
} IsaTokenClass;

u32 isa_slot_class(u32 slot);
u32 isa_class_tokens(u32 class);          /* tokens are 1 .. this */
Str isa_class_text(u32 class, u32 token); /* "shared::cta" */
Str isa_class_id(u32 class, u32 token);   /* "shared_cta" */
u32 isa_slot_by_name(Str name);           /* SLOT_none where it is none */
/* Is `token` of `class` in the list "rn|rz|half"? An empty list allows everything. */
bool isa_token_allowed(u32 class, u32 token, Str list);

/* ---- templates (mnemonic.c) */

typedef struct IsaElem {
	u32  slot; /* SLOT_none: a word that is always there */
	bool optional;
	Str  word;
	Str  allow;
	Str  condition; /* stands here only if isa_holds() */
} IsaElem;

/* The next modifier of a template; `*p` stands behind the first word at the beginning. */
bool isa_elem_next(const char **p, IsaElem *e);
/* The first word of a template or mnemonic. */
Str isa_first_word(const char *p, u32 n);
/* What of the row's template stands behind the first word. */
const char *isa_row_modifiers(const IsaRow *r);

/* ---- operands (operands.c) */

enum { ISA_MAX_OPERANDS = 160 };

/* Does "slot", "!slot" or "slot=token|token" hold? An empty condition does. */
bool isa_holds(const PtxOpc *o, Str condition);
/* The first word of the row's operands that names no slot, type or count, or a condition on nothing; empty: all do. */
Str isa_unknown_operand(u32 op);
/* The first word of a list "rn|rz|half" that is no token of the class; empty: all are. */
Str isa_unknown_token(u32 class, Str list);
/* The word of a condition that is no slot, or none of its tokens; empty: it can hold. */
Str isa_unknown_condition(Str condition);
/* The flat operands of an opcode into `out` (ISA_MAX_OPERANDS of them); returns how many. */
u32 isa_expand(const PtxOpc *opc, IsaOperand *out, u32 *n_items);

/* How many elements a counted operand has (shape.c). `letter` is a digit, or
 *   V W   .vec, .num                       A B C D   fragments of a matrix operation
 *   E     a sparse A                       F         the accumulator of wgmma
 *   K L   A and B as wmma loads them       M         ldmatrix
 *   G     coordinates of an image          R O       gradients, texel offsets
 *   Z I   coordinates of a tensor, im2col offsets
 *   T X   tcgen05.ld and .st, lanes of tcgen05.mma that are not written */
u32 isa_count(const PtxOpc *o, char letter);

/* ---- names of image opcodes (imagename.c) */

bool isa_is_image(u32 op);
void isa_image_name(const IsaDesc *d, u32 slot_mask, Text *out);
bool isa_image_by_name(Str name, PtxOpc *opc);

/* ---- what a session keeps (intern.c) */

enum { ISA_WORD_BUCKETS = 256 };

typedef struct IsaTable {
	u32   *slot; /* open addressing over numbers of Session.isa_descs */
	u32    mask, used;
	u16    word_first[ISA_WORD_BUCKETS]; /* ops by hash of the first word, in table order */
	u16    word_next[ISA_OP_COUNT];
	u16   *need_first; /* rows of needs.def by op, in table order: 1 + the row; 0 ends the chain */
	u16   *need_next;
	Strtab mnemonics; /* texts already read … */
	VecU32 by_text;   /* … and their desc, by StrId */
} IsaTable;

IsaTable *isa_table(Session *s);

/* ---- targets (need.c) */

void    isa_index_needs(Session *s, IsaTable *t);
IsaNeed isa_need_of(const IsaTable *t, const PtxOpc *o);

#endif
