/* region.h: stretches of a block whose instructions may change places, and the register pressure of an order.
 *
 *	bb.0:
 *	  %1 = LD_param …      ┐
 *	  %2 = ADD %1, 4       │ a region: any order that the dependences of mir/deps.h allow
 *	  …                    ┘
 *	  BAR_sync 0           a boundary: terminators, barriers and fences, calls with their parameters, labels and markers
 *	  …                    the next region
 *
 * A block's regions are as long as possible, but at most MIR_REGION_MOST instructions, so that what is done with one costs the
 * same wherever it is. Convergent operations that are no barriers stay inside and keep their order among themselves
 * through dependences.
 *
 * Pressure counts values. A value is what one instruction of the region writes to a register, or what the register holds when
 * the region starts; dependences keep all readers of a value in front of the next writer of its register, so values stay what
 * they are in each order. Pressure is that of mir/pressure.h at the same points: for the order that the block has, the two are
 * equal.
 *
 * Cost: mir_regions, the block; mir_region_live, operands; mir_region_peak, operands. */
#ifndef PS_REGION_H
#define PS_REGION_H

#include "mir/deps.h"
#include "mir/pressure.h"

enum { MIR_REGION_MOST = 1024 };

typedef struct MirRegion {
	MirFunc   *f;
	MirBlockId block;
	MirInstId  first, last;
	u32        n;
	u32        end[FILE_COUNT]; /* units that are live behind it */
} MirRegion;
typedef Vec(MirRegion) MirRegions;

/* The regions of two instructions or more, in their order. */
void mir_regions(MirRpa *p, MirBlockId b, Arena *a, MirRegions *out);

typedef struct MirRegionValue {
	u32  def;     /* unit of mir/deps.h; GRAPH_NONE: it lives into the region */
	u32  readers; /* units that read it */
	u32  reg;
	u8   file, units;
	bool live_out, early; /* early: written before the operands are read */
} MirRegionValue;

typedef struct MirRegionLive {
	const MirDeps  *deps;
	MirRegionValue *value;
	u32             n_values;
	NodeLists       reads, writes;      /* by unit: values, each once */
	NodeLists       readers;            /* by value: units */
	u32             across[FILE_COUNT]; /* units of what is live all through and not named */
} MirRegionLive;

/* `current`: zeros, one for each register of the function, and so again afterwards. */
MirRegionLive *mir_region_live(const MirRegion *r, const MirDeps *deps, const MirRanges *ranges, u32 *current, Arena *a);

typedef struct MirRegionPeak {
	u32 unit[FILE_COUNT];
} MirRegionPeak;

/* The most units that are live at once in this order of all units; NULL: the order that there is. */
MirRegionPeak mir_region_peak(const MirRegionLive *l, const u32 *order, Arena *scratch);
/* Cycles from the first instruction to the last result, where one is issued per cycle, in order, when its operands are there. */
u32 mir_region_cycles(const MirDeps *d, const u32 *latency, const u32 *order, Arena *scratch);
/* Is it an order of all units that follows every dependence? */
bool mir_region_is_order(const MirDeps *d, const u32 *order, Arena *scratch);
/* Puts its instructions, and others of the block that are to be among them, in this order. Slots and what stands on them mean nothing
 * afterwards. */
void mir_region_apply(const MirRegion *r, const u32 *inst, u32 n);

#endif
