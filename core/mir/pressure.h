/* pressure.h: how many registers are live at once: machine register pressure analysis (machine-rpa).
 *
 * Pressure is counted in units of a register file (isa/classes.def): in file R halves of a 32-bit register, in file P
 * predicates; a 64-bit value takes two registers. It is that of the live ranges (mir/liverange.h): at each slot, what has
 * a segment there. Phis write at once; a result that nobody reads counts where it is written; what is undefined takes
 * nothing. One record serves all clients: the peak of each block, and what is live where the block starts.
 *
 * Edits go through this header: the ranges of the registers that an instruction names are compared before and after, what
 * differs is added to or taken from the blocks that it covers, found by walking from the first of them along the layout,
 * and each of those blocks is scanned once. Nothing else is touched, and the function's text is only changed as the
 * caller asked. Costs: as a whole, operands + segments + blocks; an edit, the registers' ranges and the blocks that it
 * touches. */
#ifndef PS_PRESSURE_H
#define PS_PRESSURE_H

#include "mir/liverange.h"

typedef struct MirPressure {
	u32 unit[FILE_COUNT];   /* by IsaFile */
	u32 by_class[RC_COUNT]; /* live values */
} MirPressure;

typedef struct MirBlockPressure {
	MirPressure start; /* where the block starts: what lives into it, and what its phis write */
	MirPressure peak;  /* the most anywhere in it, each number for itself */
} MirBlockPressure;

typedef struct MirRpa {
	MirRanges        *ranges; /* of every register */
	MirBlockPressure *block;  /* by block id */
	u32               full;   /* how often everything has been computed */
	u32               edits;
	VecU32            touched; /* the blocks that the last edit has scanned, none twice */
	struct RpaState  *state;
} MirRpa;

/* `ranges` are those of every register; edits go through this header from here on. */
MirRpa *mir_rpa_new(MirRanges *ranges, Arena *a);
/* Analysis AN_MIR_RPA, which stands on AN_MIR_RANGES. A pass that keeps both has told this header of its changes. */
static inline MirRpa *mir_rpa(PassCx *cx) { return pass_analysis(cx, AN_MIR_RPA_ID); }
void                  mir_rpa_recompute(MirRpa *p);
/* The most of all blocks, each number for itself. */
MirPressure mir_rpa_most(const MirRpa *p);
/* Registers of 32 bits, or predicates. */
static inline u32 mir_pressure_regs(const MirPressure *p, IsaFile file)
{
	u32 units = p->unit[file];
	return file == FILE_R ? (units + ISA_UNITS_PER_REG - 1) / ISA_UNITS_PER_REG : units;
}
bool mir_rpa_equal(const MirRpa *a, const MirRpa *b);
/* Is everything as if computed now? Each file of each block that is not gives a line of `detail`, which may be NULL. */
bool mir_rpa_verify(MirRpa *p, Text *detail);
/* verify-update-mcse, print-verify: the same, where it is wanted, reported as an error. */
void mir_rpa_check(PassCx *cx, MirRpa *p);

/* ---- edits: as those of mir/liverange.h ---- */

void mir_rpa_insert(MirRpa *p, MirInstId i);
void mir_rpa_erase(MirRpa *p, MirInstId i);
void mir_rpa_move(MirRpa *p, MirInstId i, MirBlockId b, MirInstId before);
/* Operands that name these registers, each listed once, have been changed since the last edit. */
void mir_rpa_update(MirRpa *p, const u32 *regs, u32 n);

/* Edits between the two change only the ranges; `block` is right again behind the second one, which scans each block that any
 * of them touches once. */
void mir_rpa_begin(MirRpa *p);
void mir_rpa_end(MirRpa *p);

/* ---- a walk along a block ---- */

typedef struct MirTracker {
	MirRpa     *rpa;
	MirBlockId  block;
	MirInstId   next; /* the instruction behind the place; 0: the end */
	MirPressure now;  /* between two instructions */
	MirPressure peak; /* of what has been passed, either way */
} MirTracker;

MirTracker mir_track_start(MirRpa *p, MirBlockId b); /* behind the phis */
MirTracker mir_track_end(MirRpa *p, MirBlockId b);
bool       mir_track_advance(MirTracker *t); /* over one instruction; false at the end */
bool       mir_track_recede(MirTracker *t);  /* false at the first that is no phi */
/* The most that instruction `i` would make if it stood here: its reads end where they end now. */
MirPressure mir_track_peek(const MirTracker *t, MirInstId i);

/* The columns of the record, for LevelOps.pressure: of cx->func. */
void mir_max_pressure(PassCx *cx, Pressure *out);

#endif
