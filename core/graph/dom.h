/* dom.h: dominators, post-dominators, dominance frontiers.
 *
 * Semi-NCA (Georgiadis, Tarjan: "Finding dominators in directed graphs"), O(1) queries by the interval
 * numbering of the tree.
 *
 * Nodes that the root does not reach are not in the tree (idom GRAPH_NONE). No path leads to them, so every node dominates
 * them; they dominate no node that is reached. Built in O(m log n). */
#ifndef PS_DOM_H
#define PS_DOM_H

#include "graph/graph.h"

typedef struct DomTree {
	u32       n;     /* nodes, the virtual exit included */
	u32       root;  /* post-dominators: the virtual exit */
	u32      *idom;  /* GRAPH_NONE: the root, or not reached */
	u32      *depth; /* root 0; not reached GRAPH_NONE */
	u32      *jump;  /* a node above, so that the way up takes logarithmically many steps (Myers); the root's is the root */
	u32      *in, *out; /* preorder interval: a dominates b iff in[a] <= in[b] && out[b] <= out[a] */
	u32      *pre;      /* nodes in preorder of the tree, `reached` of them */
	u32       reached;
	NodeLists child; /* in preorder of the depth-first walk of the graph */
} DomTree;

DomTree  dom_build(const Graph *g, Arena *a, u32 root);
DomTree *dom_new(const Graph *g, Arena *a); /* the same in the arena, from node 0 */

/* Post-dominators, over a virtual exit numbered g->n to which these lead:
 *   - every node without successors;
 *   - of every strongly connected component that cannot be left (an infinite loop), its last member
 *     in reverse post order from `root` (members that `root` does not reach: the one of highest
 *     number). So a loop without exit has post-dominators as though it could leave at its latch.
 * Every node is therefore in the tree, and idom == virtual exit says "post-dominated by no block". */
DomTree           postdom_build(const Graph *g, Arena *a, u32 root);
DomTree          *postdom_new(const Graph *g, Arena *a);
static inline u32 postdom_exit(const DomTree *t) { return t->root; }

static inline bool dom_reached(const DomTree *t, u32 a) { return t->depth[a] != GRAPH_NONE; }

static inline bool dom_dominates(const DomTree *t, u32 a, u32 b)
{
	if (!dom_reached(t, b))
		return true;
	return dom_reached(t, a) && t->in[a] <= t->in[b] && t->out[b] <= t->out[a];
}

static inline bool dom_strictly(const DomTree *t, u32 a, u32 b) { return a != b && dom_dominates(t, a, b); }

/* Are two DomTrees the same? (For analyses.def.) */
bool dom_equal(const void *a, const void *b);

/* The deepest node that dominates both; GRAPH_NONE where one is not reached. O(log depth). */
u32 dom_common(const DomTree *t, u32 a, u32 b);

/* Dominance frontier of every node, each list ascending (Cooper, Harvey, Kennedy). May be quadratic in
 * nested loops: to place phis use dom_iterated_frontier. For post-dominators pass the graph reversed:
 * edges to the virtual exit do not matter, as it is in no frontier. */
NodeLists dom_frontiers(const DomTree *t, const Graph *g, Arena *a);

/* What dom_iterated_frontier needs, once for all variables of a function. */
typedef struct DomFrontier {
	const DomTree *t;
	const Graph   *g;
	Arena         *a;
	u32           *up;             /* by node: the least depth that a join edge from its subtree goes to */
	NodeLists      child;          /* those of the tree, that edge's depth ascending */
	u32           *found, *walked; /* by node: stamps */
	u32            stamp;
	VecU32         waits, walk, out; /* waits: a heap, the deepest node first */
} DomFrontier;

DomFrontier dom_frontier_new(const DomTree *t, const Graph *g, Arena *a);

/* Nodes in which a variable is live in: those of a set, and of spans, which ascend and do not touch. */
typedef struct DomAlive {
	const bool     *node;
	const NodeSpan *span;
	u32             n_spans;
} DomAlive;

/* Iterated frontier of a set of nodes (Sreedhar, Gao: DJ-graphs), in ascending order of nodes, good until the next call.
 * `alive` (or NULL): may a phi be needed here? Subtrees that no join edge leaves upward are not entered, nor where nothing is alive:
 * takes time for the nodes from which such edges leave, for the nodes above these, and for the definitions. */
Nodes dom_iterated_frontier(DomFrontier *f, Nodes def, const DomAlive *alive);

#endif
