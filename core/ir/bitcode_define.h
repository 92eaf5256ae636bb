/* bitcode_define.h: the instruction of a record, linked behind those of its block; inline, as it is made tens of thousands of times. */
#ifndef PS_IR_BITCODE_DEFINE_H
#define PS_IR_BITCODE_DEFINE_H

#include "ir/bitcode.h"

/* What is known of an operation where it is read: whether it ends its block. No phi is made here: its rule asks for its operands. */
typedef enum BcPlace { BC_INSIDE, BC_AT_END, BC_ANYWHERE } BcPlace;

/* The record of the next value where other values precede it that were used before their definition, or where there is no room. */
IrRef bc_awaited_record(Bc *b, IrType t);
/* Where values have lists of uses. */
IrInst *bc_define_listed(Bc *b, IrOp op, IrType t, const u32 *ops, u32 n);
void    bc_begin_block(Bc *b, u32 at);
/* The instruction follows the last block. */
IrInst *bc_define_outside(Bc *b) PS_COLD;

/* Attachments count the instructions of records. */
static inline void bc_note_inst(Bc *b, IrRef r) { vec_push(b->arena, &b->insts, r.i); }

static inline IrRef bc_value_record(Bc *b, IrType t)
{
	u32 n = b->next_value;
	if (n != b->values.n || n == b->values.cap)
		return bc_awaited_record(b, t);
	IrRef    r = ir_inst_take(b->m);
	BcValue *v = &b->values.p[n];
	v->ref = r;
	v->type = t;
	v->block = b->at_block;
	v->constant = 0;
	b->values.n = b->next_value = n + 1;
	return r;
}

/* NULL after an error. */
static PS_INLINE IrInst *bc_define_here(Bc *b, BcPlace place, IrOp op, IrType t, const u32 *ops, u32 n)
{
	if (!bc_ok(b) || !b->block.i)
		return bc_define_outside(b);
	if (b->m->use_lists)
		return bc_define_listed(b, op, t, ops, n);
	IrRef   r = t.i != IR_TY_VOID ? bc_value_record(b, t) : ir_inst_take(b->m);
	IrInst *i = order_link(&b->order, r, op, t, ops, n);
	bc_note_inst(b, r);
	if (place == BC_AT_END || (place == BC_ANYWHERE && ir_op_is_terminator(op)))
		bc_begin_block(b, b->at_block + 1);
	return i;
}

#endif
