/* loops.h: natural loops and their nesting; reducibility.
 *
 * An edge to a node that dominates its source is a back edge, and its target a header; all back edges to one header make
 * one loop. A cycle with several entries (irreducible) has no header and is not a loop here; graph_irreducible_edges lists
 * the edges that close such cycles.
 *
 * Loops are found from the innermost outwards, as in Tarjan, "Testing flow graph reducibility" (1974): a walk back from a
 * loop's latches passes loops found before at their headers, and finds the outermost of them by union-find. Almost linear in
 * the edges, whatever the depth; queries take constant time. */
#ifndef PS_LOOPS_H
#define PS_LOOPS_H

#include "graph/dom.h"

typedef struct Loop {
	u32 header;
	u32 parent;   /* GRAPH_NONE: outermost */
	u32 depth;    /* outermost 1 */
	u32 first, n; /* its nodes, those of inner loops included: Loops.node[first] .. [first + n - 1], the header first */
} Loop;

/* Loops are numbered in reverse post order of their headers, so a loop comes before those inside it. */
typedef struct Loops {
	u32       n;
	Loop     *loop;
	u32      *of;    /* by node: innermost loop, or GRAPH_NONE */
	u32      *node;  /* the nodes that are in loops: a reverse post order in which those of each loop are contiguous */
	u32      *place; /* by node: where it stands in `node`; GRAPH_NONE outside of all loops */
	NodeLists latch; /* by loop: sources of its back edges, in the order of the header's predecessors */
} Loops;

Loops  loops_build(const Graph *g, const Order *order, const DomTree *dom, Arena *a);
Loops *loops_new(const Graph *g, const Order *order, const DomTree *dom, Arena *a); /* the same in the arena */

static inline Nodes loop_nodes(const Loops *l, u32 loop) { return (Nodes){l->node + l->loop[loop].first, l->loop[loop].n}; }
static inline u32   loop_depth(const Loops *l, u32 node) { return l->of[node] == GRAPH_NONE ? 0 : l->loop[l->of[node]].depth; }
static inline bool  loop_contains(const Loops *l, u32 loop, u32 node)
{
	return loop == GRAPH_NONE || l->place[node] - l->loop[loop].first < l->loop[loop].n;
}
/* Does loop `outer` contain (or equal) `inner`? GRAPH_NONE contains all, and is inside only itself. */
static inline bool loop_encloses(const Loops *l, u32 outer, u32 inner)
{
	return outer == GRAPH_NONE || (inner != GRAPH_NONE && loop_contains(l, outer, l->loop[inner].header));
}
/* Are two Loops the same? (For analyses.def.) */
bool loops_equal(const void *a, const void *b);
/* Edges from inside to outside, in the order of loop_nodes and of their successors. */
GraphEdges loop_exits(const Graph *g, const Loops *l, Arena *a, u32 loop);
/* The one predecessor of the header outside the loop, or GRAPH_NONE where there are several. */
u32 loop_entering(const Graph *g, const Loops *l, u32 loop);

/* The edges that go back in `order` to a node that does not dominate their source: none, if and only if
 * the part of the graph that is reached is reducible. */
GraphEdges graph_irreducible_edges(const Graph *g, const Order *order, const DomTree *dom, Arena *a);
bool       graph_is_reducible(const Graph *g, const Order *order, const DomTree *dom);

#endif
