/* op_impl.h: what the makers of PTX operations share. Each is an `op_…`, false where the machine cannot do it. */
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

static inline u32  slot(const OpCx *c, IsaSlot s) { return c->d->opc.slot[s]; }
static inline Ty   ty(const OpCx *c) { return op_type(slot(c, SLOT_type)); }
static inline Ty   sty(const OpCx *c) { return op_type(slot(c, SLOT_stype)); }
static inline bool wanted(const OpCx *c, u32 k) { return k < c->n && c->arg[k].kind == ARG_REG; }
/* The register that takes the k-th result; NO_REG: a sink, or a register with fewer rows than the result. */
static inline i32 taken(const OpCx *c, u32 k, u32 bits)
{
	return wanted(c, k) && rows_of(c->arg[k].bits) >= rows_of(bits) ? c->arg[k].row : NO_REG;
}
/* The same, where a result that nobody takes needs a register too. */
static inline i32 out(OpCx *c, u32 k, u32 bits)
{
	i32 d = taken(c, k, bits);
	return d == NO_REG ? emit_reg(c->e, bits) : d;
}

i32  op_in_signed(OpCx *c, u32 k, u32 bits);             /* the operand sign-extended to a whole row */
void op_narrow(OpCx *c, i32 d, u32 bits);                /* after an operation in 32 bits: what is above `bits` goes */
void op_widen(OpCx *c, u32 k, u32 bits, bool is_signed); /* to the whole register that takes the k-th result */

/* op_int.c */
bool op_add(OpCx *c);
bool op_addc(OpCx *c);
bool op_mul(OpCx *c);
bool op_mul24(OpCx *c);
bool op_mad(OpCx *c);
bool op_div(OpCx *c);
bool op_rem(OpCx *c);
bool op_sad(OpCx *c);
bool op_neg(OpCx *c);
bool op_abs(OpCx *c);
bool op_minmax(OpCx *c);
bool op_logic(OpCx *c);
bool op_not(OpCx *c);
bool op_cnot(OpCx *c);
bool op_lop3(OpCx *c);
bool op_shift(OpCx *c);
bool op_bits(OpCx *c);
bool op_dot(OpCx *c);

/* op_float.c */
bool op_float(OpCx *c);  /* arithmetic */
bool op_float3(OpCx *c); /* min, max of three */
bool op_copysign(OpCx *c);
bool op_testp(OpCx *c);

/* op_compare.c */
bool op_setp(OpCx *c);
bool op_set(OpCx *c);
bool op_select(OpCx *c);

/* op_convert.c */
bool op_mov(OpCx *c);
bool op_pack(OpCx *c);
bool op_unpack(OpCx *c);
bool op_sreg(OpCx *c);
bool op_cvt(OpCx *c);
bool op_cvta(OpCx *c);
bool op_isspacep(OpCx *c);

/* op_memory.c, op_video.c, warpops.c, … */
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
bool op_fence(OpCx *c);
bool op_elect(OpCx *c);

#endif
