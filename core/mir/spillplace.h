/* spillplace.h: spill code placement: at which block borders is a value best kept in a register, if it cannot be everywhere?
 *
 *	bb.0: defines it                The value does not fit into bb.1. A reload at its reader in bb.3 runs 100 times, one at the
 *	bb.1: no room                   end of bb.2 once: the bundle of bb.2's exit and bb.3's borders is chosen, and the
 *	bb.2: …                         one between bb.1 and bb.2 is not.
 *	bb.3: reads it, 100 times
 *
 * The client says for each block that the value lives in what a register at its borders saves or costs; costs are executions of
 * reloads. The memory slot always holds the current value, so leaving a register costs nothing:
 *
 *	enter(node, x)   a register at the entry saves x: the block reads the value before anything throws it out
 *	leave(node, x)   a register at the exit costs x: the block reloads it at its end
 *	pass(node, x)    the value passes through in a register; one at the exit and none at the entry costs x
 *	never(node)      at the exit there is no room
 *
 * Solved by relaxation from the state in which every bundle that was named has a register: a bundle for which its neighbours'
 * states make memory cheaper changes over. Changes only go one way, so each bundle changes once: linear in what was
 * said. Then connected bundles whose total gain is not above their total cost change over together, which repairs the cases in
 * which each one of a chain waits for the other. The result is a local optimum of a problem that a minimum cut solves
 * exactly, at a higher price. */
#ifndef PS_SPILLPLACE_H
#define PS_SPILLPLACE_H

#include "mir/bundles.h"

typedef struct SpillLink {
	u32 entry, exit; /* bundles */
	f64 cost;
	u32 next_of_entry, next_of_exit; /* numbers + 1 in lists by bundle */
} SpillLink;

typedef struct SpillBundle {
	f64  gain, cost;
	u32  links_in, links_out; /* those whose entry, whose exit it is; numbers + 1 */
	u32  stamp, group;
	u32  run; /* for the client: what it has found at the border, GRAPH_NONE at first */
	bool chosen, never;
} SpillBundle;

typedef struct SpillPlace {
	const MirBundles *bundles;
	Arena            *arena;
	SpillBundle      *of; /* by bundle */
	VecU32            named, work;
	u32               stamp;
	Vec(SpillLink) link;
} SpillPlace;

SpillPlace *spill_place_new(const MirBundles *b, Arena *a);
/* Forgets what was said about the value before. */
void spill_place_begin(SpillPlace *p);
void spill_place_enter(SpillPlace *p, u32 node, f64 saves);
void spill_place_leave(SpillPlace *p, u32 node, f64 costs);
void spill_place_pass(SpillPlace *p, u32 node, f64 costs);
void spill_place_never(SpillPlace *p, u32 node);
/* A border whose state matters and costs nothing by itself. */
void spill_place_name(SpillPlace *p, u32 bundle);
void spill_place_solve(SpillPlace *p);
/* Is the value in a register there? */
bool spill_place_chosen(const SpillPlace *p, u32 bundle);

#endif
