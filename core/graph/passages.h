/* passages.h: runs of neighbouring nodes that are entered at the first one and left only to the node behind the last one.
 *
 *	   ┌─▶ 2 ─┐
 *	1 ─┤      ├─▶ 4 ─▶ 5        in front of 4: 1 … 3; in front of 5: 1 … 4, as 4 … 4 joins what is in front of it
 *	   └─▶ 3 ─┘
 *
 * A value that is read at the start of the node behind it, and written nowhere in it, is alive in all of it: one step for a walk
 * that follows values backward. So along code that is structured, a value costs what its definitions and uses cost, and not the
 * blocks in between (single-entry single-exit regions: Johnson, Pearson, Pingali, "The program structure tree", here of nodes that
 * stand together in an order).
 *
 * Every node of a passage reaches the node behind it: none is in a part of the graph that nothing leaves. Loops lie in a passage with
 * all of their nodes or with none, but the node behind it may be the header of one. */
#ifndef PS_PASSAGES_H
#define PS_PASSAGES_H

#include "graph/graph.h"

/* By the node behind it. The longest one in front of a node is a chain of shorter ones, which are linked like a path in a tree. */
typedef struct Passage {
	u32 first; /* of the shortest that holds all predecessors but those that follow the node; GRAPH_NONE: there is none */
	u32 jump;  /* of one further on in the chain, so that the way along it takes logarithmically many steps (Myers) */
	u32 steps; /* passages in the chain */
	u32 wide;  /* how many of them `jump` takes */
} Passage;

typedef struct Passages {
	Passage *at;
	u32      n;
} Passages;

/* The nodes in the order of their numbers. Linear. */
Passages passages_new(const Graph *g, Arena *a);

/* The first node of the longest passage in front of `node` in which none of `holes` lies, which ascend; GRAPH_NONE: there is none.
 * O(log nodes · log holes). */
u32 passage_before(const Passages *p, u32 node, Nodes holes);

#endif
