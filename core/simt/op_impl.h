/* op_impl.h: what op.c and op_memory.c share. */
#ifndef PS_SIMT_OP_IMPL_H
#define PS_SIMT_OP_IMPL_H

#include "sem/float.h"
#include "simt/op.h"

typedef struct Ty {
	u32    bits, lanes;
	u8     kind; /* IsaKind */
	bool   is_signed, is_float, is_pair;
	SemFmt fmt;
} Ty;

Ty        op_type(u32 token);
SemFpMode op_mode(const OpCx *c);

static inline u32 slot(const OpCx *c, IsaSlot s) { return c->d->opc.slot[s]; }
static inline Ty  ty(const OpCx *c) { return op_type(slot(c, SLOT_type)); }
static inline Ty  sty(const OpCx *c) { return op_type(slot(c, SLOT_stype)); }
static inline bool wanted(const OpCx *c, u32 k) { return k < c->n && c->arg[k].kind == ARG_REG; }
/* Where the k-th result goes; a sink gets a register nobody reads. */
static inline i32 out(OpCx *c, u32 k, u32 bits) { return wanted(c, k) ? c->arg[k].row : emit_reg(c->e, bits); }

bool op_load(OpCx *c);
bool op_store(OpCx *c);
bool op_atom(OpCx *c);
u32  op_atom_kind(const OpCx *c); /* SimtInsn.x of S_ATOM */
bool op_stack(OpCx *c);
bool op_cluster(OpCx *c); /* clusters of one block, cache policies */
bool op_video(OpCx *c);
bool op_shfl(OpCx *c);
bool op_vote(OpCx *c);
bool op_match(OpCx *c);
bool op_redux(OpCx *c);
bool op_bar(OpCx *c);
bool op_elect(OpCx *c);

#endif
