/* layout.h: an order of a control flow graph's nodes in which likely ways go on to the next node.
 *
 * Quality is the ext-TSP score of Newell and Pupyrev ("Improved Basic Block Reordering", 2020): an edge is worth its weight where
 * its target follows its source at once, and a tenth of that, falling to nothing with the distance, where the jump is short
 * (forward up to 1024 bytes, backward up to 640).
 *
 * layout_order works loop by loop, from the innermost outwards; a loop that is done is one item of the loop around it, so the
 * nodes of a loop stand together, its header first.
 *   1. Chains (Pettis and Hansen, "Profile guided code positioning", 1990): from the header on, each item is followed by its
 *      likeliest successor that no other item would rather be followed by; where there is none, by the most frequent item whose
 *      predecessors all have their places.
 *   2. Refinement, where asked for: the chains of a loop are merged two at a time, X and Y to X Y or X1 Y X2, the merge with the
 *      highest gain of the score first. Loops of more than LAYOUT_MOST_CHAINS chains or LAYOUT_MOST_ITEMS items
 *      keep what step 1 found.
 *
 * Cost: edges times the logarithm of the nodes, and a bounded amount for each chain. Nodes that are not reached stand at the end.
 * Independent of the host: sums are formed in the order of nodes and edges. */
#ifndef PS_LAYOUT_H
#define PS_LAYOUT_H

#include "graph/loops.h"

enum { LAYOUT_FORWARD = 1024, LAYOUT_BACKWARD = 640, LAYOUT_MOST_CHAINS = 24, LAYOUT_MOST_ITEMS = 512, LAYOUT_MOST_SPLIT = 32 };

typedef struct LayoutGraph {
	const Graph *g; /* node 0 is the entry */
	const Order *order;
	const Loops *loops;
	const f64   *freq;   /* by node */
	const f64   *weight; /* by place in g->succ.item */
	const u32   *bytes;  /* by node */
} LayoutGraph;

/* Of an order of all nodes. */
f64 layout_score(const LayoutGraph *l, const u32 *order, Arena *scratch);
/* All nodes, node 0 first. */
u32 *layout_order(const LayoutGraph *l, bool refine, Arena *a);

#endif
