/* graph.h: directed graphs on plain indices 0 .. n-1, as adjacency arrays; orders and components.
 *
 * The users (blocks of IR or MIR, functions of a call graph, units of a schedule) number their nodes,
 * list their edges, and read results by the same numbers. Edges keep the order in which they were
 * given, so results do not depend on the host. Parallel edges and self loops are allowed.
 * No function is recursive. Results are allocated in the arena that is passed. */
#ifndef PS_GRAPH_H
#define PS_GRAPH_H

#include "base/arena.h"
#include "base/vec.h"

#define GRAPH_NONE UINT32_MAX

typedef struct GraphEdge {
	u32 from, to;
} GraphEdge;

typedef Vec(GraphEdge) GraphEdges;

/* A read-only list of nodes. */
typedef struct Nodes {
	const u32 *p;
	u32        n;
} Nodes;

/* Nodes first to last, by their numbers. */
typedef struct NodeSpan {
	u32 first, last;
} NodeSpan;

/* Lists of nodes by node, stored end to end: list i is item[at[i]] .. item[at[i + 1] - 1]. */
typedef struct NodeLists {
	u32 *at; /* n + 1 */
	u32 *item;
} NodeLists;

static inline Nodes node_list(const NodeLists *l, u32 i) { return (Nodes){l->item + l->at[i], l->at[i + 1] - l->at[i]}; }

/* List pair.from gets pair.to, in the order of the pairs. */
NodeLists node_lists(Arena *a, u32 n, const GraphEdge *pair, u32 n_pairs);

typedef struct Graph {
	u32       n;
	NodeLists succ, pred;
} Graph;

static inline Nodes graph_succ(const Graph *g, u32 i) { return node_list(&g->succ, i); }
static inline Nodes graph_pred(const Graph *g, u32 i) { return node_list(&g->pred, i); }

void graph_build(Graph *g, Arena *a, u32 n, const GraphEdge *edge, u32 n_edges);
/* The same nodes, every edge reversed; shares g's arrays. */
static inline Graph graph_reversed(const Graph *g) { return (Graph){g->n, g->pred, g->succ}; }

/* Depth-first order from `root`, successors in their order. */
typedef struct Order {
	u32 *node; /* reverse post order: node[0] is the root */
	u32 *pos;  /* by node: its place in `node`; GRAPH_NONE where it is not reached */
	u32  n;    /* nodes reached */
} Order;

Order graph_rpo(const Graph *g, Arena *a, u32 root);

/* Strongly connected components (Tarjan). Components are numbered so that an edge between different
 * components goes to the lower number: in a call graph, 0, 1, 2, … visits callees before callers. */
typedef struct Sccs {
	u32       n;
	u32      *of;     /* by node: its component */
	NodeLists member; /* by component: its nodes, ascending */
} Sccs;

Sccs graph_sccs(const Graph *g, Arena *a);
/* Has component c a cycle (two nodes, or a self loop)? */
bool scc_is_cyclic(const Graph *g, const Sccs *s, u32 c);

#endif
