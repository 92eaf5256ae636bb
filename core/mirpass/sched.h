/* sched.h: what the machine schedulers share: the regions of a function, each with its dependences and values, and the orders
 * that have been found for them.
 *
 * A scheduler opens a function, asks for the regions of the blocks that it wants, and gives each of them an order or none. Orders
 * are kept until all regions have been looked at and applied together, because live ranges are asked for on the way. */
#ifndef PS_SCHED_H
#define PS_SCHED_H

#include "mir/budget.h"
#include "mir/region.h"
#include "mirpass/mirpass.h"

typedef struct Sched {
	PassCx           *cx;
	MirFunc          *f;
	MirRpa           *rpa;
	const IsaMachine *machine;
	u32  *current; /* by register, for mir_region_live; when orders are applied: the register of the last copy, 0: none */
	u32   n_regs;
	Arena arena; /* of the region at hand */
	Vec(MirRegion) changed;
	Vec(VecU32) order; /* of each changed region: instructions, of which some may occur several times */
} Sched;

/* One region while a scheduler looks at it. */
typedef struct SchedRegion {
	Sched         *s;
	MirRegion      r;
	MirDeps       *deps;
	MirRegionLive *live;
	MirRegionPeak  peak; /* of the order that it has */
} SchedRegion;

typedef void SchedFn(SchedRegion *x, void *user);

void sched_open(Sched *s, PassCx *cx);
/* Calls fn for each region of the block. */
void sched_block(Sched *s, MirBlockId b, SchedFn *fn, void *user);
/* The region gets this order of its units. */
void sched_keep(SchedRegion *x, const u32 *order);
/* The same, where units may occur several times: these are loads, which are repeated at each place but the first; what follows reads the
 * last one. Loads that are repeated become volatile. */
void sched_keep_sequence(SchedRegion *x, const u32 *unit, u32 n);
/* Applies what was kept; did anything change? */
bool sched_close(Sched *s);

/* Keeps the order where the region takes fewer cycles and no more registers; a remark says so. */
void sched_keep_faster(SchedRegion *x, const u32 *order);
/* The line of the input that remarks about the region name: its first; 0: none. */
u32 sched_line(const SchedRegion *x);
/* By unit: cycles until its result is there. */
u32 *sched_latencies(const SchedRegion *x);

/* Which unit is placed where pressure is above the limit, from the region's end upward. */
typedef enum SchedPolicy {
	SCHED_NEAR, /* the one that adds least to the pressure; of these the last in the source */
	SCHED_DEPTH, /* one that lowers the pressure; else what became ready last, so that an expression is finished before the next */
} SchedPolicy;

/* An order by this policy wherever more than `limit` units of file R would be live, and as in the source elsewhere. */
u32 *sched_for_pressure(const SchedRegion *x, SchedPolicy policy, u32 limit);

/* Units of the file that the value takes. */
static inline u32 sched_weight(const MirRegionValue *v, IsaFile file) { return v->file == file ? v->units : 0; }

/* An order in which loads of shared memory may occur several times. */
typedef struct SchedSequence {
	u32 *p; /* units; NULL: none was found that costs clearly less than the source order and the one that was given */
	u32  n;
	u32  groups;
	u32  before, after; /* what is loaded and stored, in units of file R */
} SchedSequence;
/* `order`: the best one without groups, NULL: the source order. `limit`: units of file R. */
SchedSequence sched_in_groups(const SchedRegion *x, const u32 *order, u32 limit);
/* Units that are loaded and stored where `limit` of them fit into registers. A unit that occurs again is loaded again. */
u32 sched_traffic(const SchedRegion *x, const u32 *unit, u32 n, u32 limit);

/* The order of post-RA-sched, and that of postmisched, NULL where an instruction finds no cycle. */
u32 *sched_for_latency(const SchedRegion *x);
u32 *sched_in_cycles(const SchedRegion *x);

/* machine-scheduler, in front of register allocation or behind it; the knobs it reads. */
bool              sched_run(PassCx *cx);
extern const Knob sched_knobs[];

#endif
