/* loops.h: natural loops and their nesting; reducibility.
 *
 * A loop is found for every header that dominates the source of an edge to it; loops of one header are
 * one loop. A cycle entered at several places (irreducible) is no loop here: graph_irreducible_edges
 * lists the edges that show it. */
#ifndef PS_LOOPS_H
#define PS_LOOPS_H

#include "graph/dom.h"

typedef struct Loop {
	u32 header;
	u32 parent; /* GRAPH_NONE: outermost */
	u32 depth;  /* outermost 1 */
} Loop;

/* Loops are numbered in reverse post order of their headers, so a loop comes before those inside it. */
typedef struct Loops {
	u32       n;
	Loop     *loop;
	u32      *of;    /* by node: innermost loop, or GRAPH_NONE */
	NodeLists nodes; /* by loop: its nodes, those of inner loops included, in reverse post order */
	NodeLists latch; /* by loop: sources of its back edges, in the order of the header's predecessors */
} Loops;

Loops loops_build(const Graph *g, const Order *order, const DomTree *dom, Arena *a);

static inline u32 loop_depth(const Loops *l, u32 node) { return l->of[node] == GRAPH_NONE ? 0 : l->loop[l->of[node]].depth; }
bool              loop_contains(const Loops *l, u32 loop, u32 node);
/* Does loop `outer` contain (or equal) `inner`? GRAPH_NONE contains all, and is inside only itself. */
bool loop_encloses(const Loops *l, u32 outer, u32 inner);
/* Are two Loops the same? (For analyses.def.) */
bool loops_equal(const void *a, const void *b);
/* Edges from inside to outside, in the order of `nodes` and of their successors. */
GraphEdges loop_exits(const Graph *g, const Loops *l, Arena *a, u32 loop);
/* The one predecessor of the header outside the loop, or GRAPH_NONE where there are several. */
u32 loop_entering(const Graph *g, const Loops *l, u32 loop);

/* The edges that go back in `order` to a node that does not dominate their source: none, if and only if
 * the part of the graph that is reached is reducible. */
GraphEdges graph_irreducible_edges(const Graph *g, const Order *order, const DomTree *dom, Arena *a);
bool       graph_is_reducible(const Graph *g, const Order *order, const DomTree *dom);

#endif
