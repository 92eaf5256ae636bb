/* greedy.h: what the parts of greedy share: live ranges in queue, the matrix they are admitted to, and where each register ends up.
 *
 * One Greedy allocates one register file of one function. An item is a live range, or a part of one, as segments of
 * points (mir/points.h). Parts of a register keep its name until the code is rewritten: a part that begins at an instruction
 * which does not define the register begins with a reload. */
#ifndef PS_GREEDY_H
#define PS_GREEDY_H

#include "mir/bundles.h"
#include "mir/freq.h"
#include "mir/matrix.h"
#include "mir/points.h"
#include "mir/spillplace.h"
#include "mirpass/spill.h"

typedef enum ItemState { ITEM_QUEUED, ITEM_ADMITTED, ITEM_SPLIT } ItemState;

typedef struct Item {
	u32  reg;
	u32  first, n;  /* segments in the matrix */
	u32  next;      /* another item of the register; number + 1, 0 = none */
	u32  splits;    /* how often what it is a part of has been split */
	u32  evictions; /* how often it has been */
	f64  weight;    /* executions that its reloads would cost, for each unit and point that it takes */
	u8   state;     /* ItemState */
	bool local;     /* in one block */
	bool tiny;      /* one instruction: nothing smaller takes its place */
} Item;

typedef Vec(Item) Items;

/* The documented order (regalloc-priority): ranges of several blocks first, the largest in front; then those of one block, in
 * program order; then what has been evicted, in program order. */
typedef struct Queued {
	u32 rank, key, item;
} Queued;

typedef struct Greedy {
	PassCx       *cx;
	MirFunc      *f;
	Arena        *arena;
	IsaFile       file;
	u32           limit; /* units */
	const MirCfg *cfg;
	MirFreq      *freq;
	MirBundles   *bundles;
	MirRanges    *ranges;
	MirPoints    *points;
	MirMatrix    *matrix;
	SpillPlace   *place;
	Spiller      *spiller;
	Items         item;
	u32          *of;                       /* by register: its last item + 1; 0 = it is whole */
	Bitset        pinned;                   /* registers that are never split */
	Vec(Queued) queue;                      /* a heap, the first at 0 */
	VecU32           access;                /* greedy_accesses, register by register */
	u32             *accesses, *n_accesses; /* by register: its first one + 1, 0 = not asked for; how many */
	struct Splitter *splitter;
	u32             *named; /* by register: the point for which it was found to be an operand last, + 1 */
	VecU32           there; /* items at a point */
	u64              work, most_work;
	bool             stuck; /* a point cannot be relieved: a pinned register */
} Greedy;

static inline u32 item_units(const Greedy *g, const Item *i) { return isa_class_info[mir_class(g->f, (MirReg){i->reg})].units; }
static inline f64 freq_at(const Greedy *g, u32 node) { return g->freq->block[g->cfg->block[node]]; }

/* greedy_advice.c */
void greedy_push(Greedy *g, u32 item);
u32  greedy_pop(Greedy *g); /* the queue is not empty */
/* Makes room for the item by withdrawing lighter ones, which are queued again; false where these do not suffice. */
bool greedy_evict(Greedy *g, u32 item);
/* Withdraws the lightest items at the point that its instruction does not name until the limit holds there. */
void greedy_relieve(Greedy *g, u32 point);
void greedy_admit(Greedy *g, u32 item);

/* greedy_split.c */
/* The item is replaced by parts for which there is room: regions of the function that spill placement chooses, stretches of blocks, and,
 * for the operands that are left, single instructions. They are admitted, what is in the way of the latter is
 * evicted. */
void greedy_split(Greedy *g, u32 item);
/* Where the register is read and written, ascending: 4 * point, + 1 for a definition. Good until the next register is asked for; kept, so
 * that it costs nothing to ask again. */
typedef struct Accesses {
	const u32 *p;
	u32        n;
} Accesses;
Accesses greedy_accesses(Greedy *g, MirReg r);

/* greedy_rewrite.c */
/* Inserts what the items that have been admitted ask for: reloads, stores, and new registers for parts. */
void greedy_rewrite(Greedy *g);

#endif
