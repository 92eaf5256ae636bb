/* order.h: whether a body's values dominate their uses and its phis have an entry for each edge, found while the body is read.
 *
 * The dominator tree grows with the text. A block's parent is the nearest common ancestor of the predecessors in front of it, provided that
 * every edge back goes to a block that dominates where it comes from: then those edges change no dominator (Cooper, Harvey and Kennedy,
 * "A Simple, Fast Dominance Algorithm", of which this is the first pass, in the order of the text). Where an edge back does not, where
 * a block has no predecessor in front of it, where a value that is no phi's operand stands behind its use, or where paths in the tree get
 * long, nothing is said (`unsure`), nor where a rule needs lists of uses: then the body is read once more, with these. Bodies as
 * compilers write them are hardly ever unsure. Linear in the body. */
#ifndef PS_IR_ORDER_H
#define PS_IR_ORDER_H

#include "ir/internal.h"

typedef struct OrderBlock {
	u32 number; /* in the order of the text, from 1; 0: it has not begun */
	u32 parent; /* in the tree, as the others by its place in the list; its own for the entry block; UINT32_MAX: not known yet */
	u32 edges; /* to it */
} OrderBlock;

/* An entry of a phi that names a value or a block behind it. */
typedef struct OrderEntry {
	IrRef value, from;
} OrderEntry;

typedef struct BodyOrder {
	IrModule *m;
	IrRef     block, entry; /* the block that is read; the first one */
	u32       at;           /* of the block that is read, in `blocks` */
	u32       base;         /* index of the record of blocks.p[0] */
	u32       begun;
	u32       steps; /* that walks may still take */
	bool      unsure;
	VecU32    upgraded; /* by index of a global: are calls of it upgraded? */
	Vec(OrderBlock) blocks;
	Vec(OrderEntry) entries;
	VecU32 phi_blocks; /* IrRef.i of blocks that begin with phis */
	VecU32 phi_seen;   /* by place in the list: the phi that had an entry for it last, IrRef.i */
} BodyOrder;

/* Before all bodies; at the start of one. */
void order_init(BodyOrder *o, IrModule *m);
void order_begin(BodyOrder *o);
void order_block(BodyOrder *o, IrRef block);
/* Of an instruction that is about to be linked behind those of the block. */
void order_inst(BodyOrder *o, IrOp op, const u32 *ops, u32 n);
/* At the end of the body: does it keep the rules for sure? */
bool order_holds(BodyOrder *o, const IrFunc *f);
/* Of the body that ir_read_body has read last: defer.c. */
BodyOrder *ir_body_order(const IrModule *m);
/* … which is forgotten and read once more, with lists of uses. */
bool ir_read_body_again(IrModule *m, IrFunc *f);

#endif
