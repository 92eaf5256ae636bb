/* live.h: which registers are live where.
 *
 * MirLive has, for each block, the registers live into it and out of it, as sorted lists: their size is
 * what there is to say, so a function of a million registers and as many blocks costs what its long-lived
 * values cost. A phi reads its operands at the ends of the predecessors and writes at the block's start.
 * Found by walking from each use up to its definitions; works with and without SSA.
 *
 * MirIntervals has, for each register asked for, the slots it is live in as sorted, disjoint half-open segments, each
 * with the number of the value it holds. Slots grow along the layout: SLOT_STEP for each instruction, and
 * for each block one in front of its instructions; an instruction at slot s reads at s and writes at
 * s + SLOT_DEF, so a value dying where another is born does not overlap it. An undefined value
 * (IMPLICIT_DEF) has no segment. */
#ifndef PS_LIVE_H
#define PS_LIVE_H

#include "mir/mir.h"

typedef struct MirLiveList {
	u32 first, n; /* in MirLive.reg */
} MirLiveList;

typedef struct MirLive {
	MirLiveList *in, *out; /* by block id */
	u32         *reg;      /* register numbers, ascending within a list */
} MirLive;

MirLive mir_live_new(const MirFunc *f, Arena *a);
MirLive mir_live_of(const MirFunc *f, Bitset regs, Arena *a); /* of these registers alone */
bool    mir_live_has(const MirLive *l, MirLiveList list, MirReg r);
/* Sets MOF_KILL and MOF_DEAD as they are and MP_LIVENESS; true where a flag changed. */
bool mir_live_set_flags(MirFunc *f, const MirLive *l, Arena *scratch);

/* ---- pressure: how many values of each class are live at once ---- */

typedef struct MirPressure {
	u32 by_class[MIR_CLASSES];
} MirPressure;

/* The most that is live anywhere, class by class. A definition nobody reads still counts where it is. */
MirPressure mir_pressure(const MirFunc *f, const MirLive *l, Arena *scratch);
/* The same for each block, by block id. */
MirPressure *mir_pressure_blocks(const MirFunc *f, const MirLive *l, Arena *a);

/* ---- intervals ---- */

enum { SLOT_STEP = 4, SLOT_DEF = 2 };

typedef struct MirSegment {
	u32 start, end; /* [start, end) */
	u32 value;      /* index into MirInterval.value */
} MirSegment;

typedef struct MirValue {
	u32 def;  /* slot; a block's first slot where values meet there */
	u32 inst; /* MirInstId, 0 = values meet at a block's start */
} MirValue;

typedef struct MirInterval {
	Vec(MirSegment) seg;
	Vec(MirValue) value;
} MirInterval;

typedef struct MirIntervals {
	Arena       *arena;
	MirInterval *of; /* 1 … n: of the registers asked for, in order of their numbers */
	u32          n;
	u32         *index;       /* by register number: its place in `of`, 0 = not asked for */
	u32         *slot;        /* by instruction id */
	u32         *block_start; /* by block id */
	u32         *block_end;   /* one past its last slot */
} MirIntervals;

MirIntervals               mir_intervals_new(const MirFunc *f, Bitset regs, Arena *a);
static inline MirInterval *mir_interval(const MirIntervals *iv, MirReg r) { return &iv->of[iv->index[r.i]]; }
/* The segment that holds `slot`, or NULL. */
const MirSegment *mir_interval_at(const MirInterval *i, u32 slot);
bool              mir_intervals_overlap(const MirInterval *a, const MirInterval *b);

#endif
