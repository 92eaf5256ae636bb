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
	u32 parent; /* in the tree, as the others by its place in the list; its own for the entry block; ORDER_UNKNOWN: not known yet */
	u32 edges;   /* to it */
	u32 from[2]; /* blocks, by place in the list: of the first two of them */
	u32 reached; /* the last block, by number, of which is known that this one dominates it; UINT32_MAX: it does all of them */
} OrderBlock;

enum {
	ORDER_STEPS = 1000,         /* that a body may take for walks in the tree … */
	ORDER_STEPS_PER_BLOCK = 32, /* … and more for each block */
};
#define ORDER_UNKNOWN UINT32_MAX

/* An entry of a phi that names a value or a block behind it. */
typedef struct OrderEntry {
	IrRef value, from;
} OrderEntry;

typedef struct BodyOrder {
	IrModule *m;
	IrRef     block, entry; /* the block that is read; the first one */
	IrBlock  *in;           /* the record of the former, */
	IrInst   *last;         /* and of the last instruction in it */
	u32       at;           /* of the block that is read, in `blocks` */
	u32       base;         /* index of the record of blocks.p[0] */
	u32       begun;
	u32       steps; /* that walks may still take */
	bool      unsure;
	VecU32    upgraded; /* by index of a global: are calls of it upgraded? */
	Vec(OrderBlock) blocks;
	Vec(OrderEntry) entries;
	VecU32 phi_blocks; /* IrRef.i of blocks that begin with phis */
	VecU32 phi_seen;   /* by place in the list: the phi that had an entry for it last, by its number in `phis` */
	u32    phis;       /* of all bodies, as far as they have been looked at */
} BodyOrder;

/* Before all bodies; at the start of one. */
void order_init(BodyOrder *o, IrModule *m);
void order_begin(BodyOrder *o);
/* Makes room for n blocks, whose records follow one another. */
void order_blocks(BodyOrder *o, u32 n);
/* The same for a body of which nobody asks what dominates what: all blocks do. */
void order_blocks_unasked(BodyOrder *o, u32 n);
void order_block(BodyOrder *o, IrRef block);
/* The same behind a terminator, or of the first one; by its place among those of order_blocks. */
static inline void order_block_at(BodyOrder *o, u32 at, IrRef block)
{
	OrderBlock *b = &o->blocks.p[at];
	if (!o->begun) {
		o->entry = block;
		b->parent = at;
		b->reached = UINT32_MAX;
	} else {
		b->reached = o->begun + 1;
	}
	o->unsure |= b->parent == ORDER_UNKNOWN || b->number;
	b->number = ++o->begun;
	o->block = block;
	o->in = ir_block(o->m, block);
	o->last = NULL;
	o->at = at;
	o->steps += ORDER_STEPS_PER_BLOCK;
}
/* Of the instruction that comes next: each of its operands, the callee of a call as such; or all of a phi. */
void order_operand(BodyOrder *o, IrRef v, bool called);
void order_edge(BodyOrder *o, IrRef to); /* a block */
void order_other_edge(BodyOrder *o, u32 to);
/* … by its place among those of order_blocks. Most edges are the first one to a block further down. */
static inline void order_edge_at(BodyOrder *o, u32 to)
{
	OrderBlock *b = &o->blocks.p[to];
	if (b->edges < PS_COUNT(b->from))
		b->from[b->edges] = o->at;
	b->edges++;
	if (!b->number && b->parent == ORDER_UNKNOWN)
		b->parent = o->at;
	else
		order_other_edge(o, to);
}
/* Is a block, by its place among those of order_blocks, known to dominate the one that is read? */
static inline bool order_reaches(const BodyOrder *o, u32 from)
{
	return from < o->blocks.n && o->blocks.p[from].reached >= o->begun;
}
void order_ask(BodyOrder *o, u32 from); /* of an operand that stands in another block, by the place of that */
/* A global that is called: is it what it seems to be? */
static inline bool order_is_callee(const BodyOrder *o, IrRef g)
{
	return ir_index(g) >= o->upgraded.n || !o->upgraded.p[ir_index(g)];
}
void order_phi_begins(BodyOrder *o);
void order_phi_entry(BodyOrder *o, IrRef value, IrRef from);
/* Both of these, and order_link. */
void order_inst(BodyOrder *o, IrRef inst, IrOp op, IrType t, const u32 *ops, u32 n);
void order_uses_apart(IrModule *m, u32 first, const u32 *ops, u32 n);
/* At the end of the body: does it keep the rules for sure? */
bool order_holds(BodyOrder *o, const IrFunc *f);
/* Of the body that ir_read_body has read last: defer.c. */
BodyOrder *ir_body_order(const IrModule *m);
/* … which is forgotten and read once more, with lists of uses. */
bool ir_read_body_again(IrModule *m, IrFunc *f);

/* The operands of an instruction: nothing but their values is asked of them before the body is read once more. */
static PS_INLINE u32 order_uses(IrModule *m, const u32 *ops, u32 n)
{
	u32 first = pages_new_n(&m->uses[0], n);
	if (n > PAGE_RECORDS - (first & (PAGE_RECORDS - 1))) {
		order_uses_apart(m, first, ops, n);
		return first;
	}
	IrUse *u = ir_inst_use(m, first);
	for (const u32 *end = ops + n; ops < end; ops++, u++)
		u->value = (IrRef){*ops};
	return first;
}

/* Fills in a new instruction, whose n operands begin at `uses` and are in no lists, and links it behind those of the block. */
static PS_INLINE IrInst *order_link_uses(BodyOrder *o, IrRef inst, IrOp op, IrType t, u32 uses, u32 n)
{
	IrBlock *b = o->in;
	IrInst  *i = ir_inst(o->m, inst);
	*i = (IrInst){.op = (u8)op, .type = t, .block = o->block, .prev = b->last, .ops = uses, .n_ops = n};
	o->unsure |= op >= IR_LANDINGPAD && op <= IR_CLEANUPRET; /* whose rules ask who unwinds to them */
	if (o->last)
		o->last->next = inst;
	else
		b->first = inst;
	o->last = i;
	b->last = inst;
	b->n_insts++;
	b->had |= ir_ops_of(op);
	if (b->records) {
		ir_info(o->m, inst)->records = b->records;
		b->records = 0;
	}
	return i;
}

static PS_INLINE IrInst *order_link(BodyOrder *o, IrRef inst, IrOp op, IrType t, const u32 *ops, u32 n)
{
	return order_link_uses(o, inst, op, t, n ? order_uses(o->m, ops, n) : 0, n);
}

#endif
