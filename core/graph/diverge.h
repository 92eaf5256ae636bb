/* diverge.h: where the threads that a divergent branch separates meet again, and which cycles they leave in different
 * iterations. Divergence of IR and of machine code spread along operands; this is what they share: spreading by control.
 *
 * Let a branch at node b send threads of a warp to different successors.
 *   - A node j is a join of b where two paths from b to j share no node but their ends: a phi there takes what each thread
 *     brought along (sync dependence; Karrenberg, Hack: "Improving performance of OpenCL on CPUs", 2012). By Menger's theorem
 *     these are the nodes that b dominates immediately in the graph rooted at b, and successors that b reaches in another way
 *     too. So one dominator tree of the region behind b finds them all.
 *   - The region ends at the first post-dominator to which no path leads around a loop that contains both: there, all threads
 *     meet in one iteration.
 *   - A loop around b is left in different iterations where the nodes that b immediately dominates on the way to an exit and
 *     on the way back to the header are different ones (temporal divergence): what is computed in the loop differs outside.
 *     A component with several headers has no iterations to speak of: with a divergent branch in it, every value that is
 *     used in another block than its own may differ.
 *   - The nodes of the region, its end left out, are run by some of the threads and not by others.
 *
 * Cost of diverge_branch: the region's edges, times a logarithm. The clients call it for each divergent branch once and
 * take what is new from the three lists. */
#ifndef PS_DIVERGE_H
#define PS_DIVERGE_H

#include "base/bitset.h"
#include "graph/loops.h"

typedef struct Diverge {
	const Graph   *g;
	const Order   *order;
	const DomTree *postdom;
	const Loops   *loops;
	Arena         *arena;
	Bitset         branch; /* by node: its branch is divergent */
	Bitset         join;   /* by node: joins of divergent branches */
	Bitset         region; /* by node: of some divergent branch; where it ends is left out */
	Bitset         left;   /* by cycle: left in different iterations. A cycle is a loop or, from loops->n on, a component */
	Sccs           scc;    /* components, where some cycle has several headers */
	Bitset         tangle; /* by component: a cycle in it has several headers */
	VecU32         joins, regions, lefts; /* members of the sets above that the client has not taken yet */
	u32           *number;                /* by node, of the region at hand: 1 + its number in it, 0: outside */
} Diverge;

void diverge_init(Diverge *d, const Graph *g, const Order *order, const DomTree *postdom, const Loops *loops, Arena *a);
/* Threads that come to the end of `node` together go to different successors. */
void diverge_branch(Diverge *d, u32 node);

Nodes diverge_cycle(const Diverge *d, u32 cycle);
/* The cycle is left in different iterations: does a value of node `def`, which is in it, differ where node `use` reads it?
 * `by_phi`: as the operand of a phi. */
bool diverge_differs(const Diverge *d, u32 cycle, u32 def, u32 use, bool by_phi);
/* Does a value of `def` that is the same for all threads there differ at `use`, because of any of the cycles left? */
bool diverge_escapes(const Diverge *d, u32 def, u32 use, bool by_phi);

#endif
