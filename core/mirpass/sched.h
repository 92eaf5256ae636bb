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
	u32              *current; /* by register, for mir_region_live */
	Arena             arena;   /* of the region at hand */
	Vec(MirRegion) changed;
	Vec(MirInstId *) order; /* of each changed region */
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
/* The order of post-RA-sched, and that of postmisched, NULL where an instruction finds no cycle. */
u32 *sched_for_latency(const SchedRegion *x);
u32 *sched_in_cycles(const SchedRegion *x);

/* machine-scheduler, in front of register allocation or behind it; the knobs it reads. */
bool              sched_run(PassCx *cx);
extern const Knob sched_knobs[];

#endif
