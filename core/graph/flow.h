/* flow.h: iterative dataflow over a graph, to a fixed point.
 *
 * flow_solve calls `transfer` for every node that is reached, in reverse post order (backward problems:
 * of the reversed graph), then again for those whose inputs changed, until nothing changes. `transfer`
 * reads the facts of the node's predecessors in g, writes its own, and says whether its output changed. It must be
 * monotone on a lattice of finite height. */
#ifndef PS_FLOW_H
#define PS_FLOW_H

#include "base/bitset.h"
#include "graph/graph.h"

typedef bool (*FlowTransfer)(void *user, u32 node);

/* `g`, and an order of g's nodes; facts travel along g's edges (pass graph_reversed for backward).
 * Nodes outside the order are never visited. Returns the number of calls of `transfer`. */
u32 flow_solve(const Graph *g, const Order *order, Arena *a, FlowTransfer transfer, void *user);

/* An order of all nodes for a backward problem: exits first, nodes that reach no exit last. */
Order flow_backward_order(const Graph *g, Arena *a, u32 root);

/* Gen/kill problems on sets. */
typedef struct SetFlow {
	u32     bits;
	bool    all_paths;  /* meet is intersection (facts true on all paths), else union */
	Bitset *gen, *kill; /* by node */
	Bitset  at_start;   /* of nodes without inputs; w == NULL: empty */
	Bitset *in, *out;   /* results, by node; out = gen | (in & ~kill) */
} SetFlow;

void set_flow_solve(SetFlow *f, const Graph *g, const Order *order, Arena *a);

#endif
