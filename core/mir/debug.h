/* debug.h: where the variables and labels of the source are in machine code: what #dbg_value and #dbg_label say, from selection
 * to the printer.
 *
 * An entry says that from in front of an instruction on a variable is in a register, is a constant, or is nowhere. Entries
 * are no instructions, so that no pass decides differently because of them. mir_erase, mir_move and mir_replace_reg keep
 * them: an entry of an instruction that goes stands in front of the next one, and a register that takes the place of
 * another takes its entries. A pass that copies or joins blocks says so with mir_debug_copied and mir_debug_joined.
 * The printer (ptx/dwarf_value.c) decides whether a register still holds the value there.
 *
 * Entries of one instruction or one register are a list, so that an edit costs what there is to change. */
#ifndef PS_MIR_DEBUG_H
#define PS_MIR_DEBUG_H

#include "base/map.h"
#include "mir/mir.h"

typedef enum MirDebugKind {
	MIR_DEBUG_NOWHERE,
	MIR_DEBUG_REG,
	MIR_DEBUG_INT,
	MIR_DEBUG_FP,
	MIR_DEBUG_WIDE, /* an integer of 128 bits: IrRef */
	MIR_DEBUG_FRAME,
	MIR_DEBUG_LABEL, /* the label `variable` is here */
} MirDebugKind;

typedef struct MirDebugEntry {
	u32 variable, expression, loc; /* IrMd */
	u32 kind;                      /* MirDebugKind */
	u32 reg;                       /* virtual register; frame object */
	u32 def;                       /* MirInstId that gave the register the value; 0: phis at the head of block `home` */
	u64 bits; /* constants; 1: the variable is in memory, at the register's address or, plus twice the offset, in the frame object */
	u32 block, home; /* MirBlockId */
	u32 before;      /* MirInstId; 0: behind the last of the block */
	u32 next;        /* of the same place, in order */
	u32 next_reg;    /* of the same register */
} MirDebugEntry;
_Static_assert(sizeof(MirDebugEntry) == 56, "fixed on every host");

typedef struct MirDebug {
	Vec(MirDebugEntry) entry; /* [0]: none */
	Map at;                   /* place → first entry */
	Map of_reg;               /* virtual register → first entry */
} MirDebug;

/* A new entry behind those of its place. */
void mir_debug_add(MirFunc *f, MirDebugEntry e);
/* The first entry in front of `before`, or behind all of block `b`. 0: none. */
u32                                mir_debug_first(const MirFunc *f, MirBlockId b, MirInstId before);
static inline const MirDebugEntry *mir_debug_entry(const MirFunc *f, u32 e) { return &f->debug->entry.p[e]; }

/* Block `from`, whose instructions are moved behind those of `to` next, is part of it from now on. */
void mir_debug_joined(MirFunc *f, MirBlockId from, MirBlockId to);
/* Instructions of `from` have been copied behind those of `to`: nobody knows where its variables are there. */
void mir_debug_copied(MirFunc *f, MirBlockId from, MirBlockId to);
/* What is said in front of `i` is said in front of `earlier`, which has been put into the same block before it. */
void mir_debug_earlier(MirFunc *f, MirInstId i, MirInstId earlier);
void mir_debug_forget(MirFunc *f); /* all */

/* For mir.c: before the edit. */
void mir_debug_leaves(MirFunc *f, MirInstId i);
void mir_debug_block_leaves(MirFunc *f, MirBlockId b);
void mir_debug_renamed(MirFunc *f, MirReg from, MirReg to);

#endif
