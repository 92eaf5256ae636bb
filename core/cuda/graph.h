/* graph.h: what graphs are made of; for graph.c (graphs, their order, launches), graph_nodes.c (what nodes do) and graph_edges.c. */
#ifndef PS_CUDA_GRAPH_H
#define PS_CUDA_GRAPH_H

#include "cuda/state.h"

struct CUgraphNode_st {
	Object        o;
	CUgraph       graph;
	Work          work; /* its parameters, and the graph of a child, are its own */
	CUDA_MEMCPY3D copy; /* of a copy: as the program described it */
	void        **args; /* of a kernel: where its parameters lie, for a program that asks; NULL: it has not asked */
	CUgraphNode  *after;
	size_t        n_after;
	u64           origin; /* id of the node that it was cloned from; 0 */
	u32           mark;   /* scratch */
};

struct CUgraph_st {
	Object       o;
	CUgraphNode *node; /* as they were added */
	size_t       n;
	u64          origin; /* id of the graph that it was cloned from; 0 */
	u32          depth;  /* graphs within each other below it */
	CUgraphNode  owner;  /* the node that it is the child of; NULL */
};

/* An executable graph: everything comes behind what it depends on; children stand in place of their nodes. */
typedef struct Step {
	u64     node; /* id of the node it was made of */
	bool    off;
	Work    work;
	size_t *after; /* places of the steps that it comes behind, of its own graph */
	size_t  n_after;
} Step;

struct CUgraphExec_st {
	Object             o;
	Step              *step;
	size_t             n;
	unsigned long long flags;
};

static inline bool is_graph(CUgraph g) { return object_is(g, OBJECT_GRAPH); }
static inline bool is_node(CUgraphNode n, WorkKind kind) { return object_is(n, OBJECT_NODE) && n->work.kind == kind; }

/* A copy that owns what it points to; false: there is no memory. */
bool work_copy(const Work *from, Work *to);
void work_free(Work *w);
/* Puts a copy of the work in place of what there is. */
CUresult work_replace(Work *old, const Work *w);
/* NULL: there is no memory. */
CUgraph graph_clone(CUgraph g);
/* The step that was made of the node; NULL: none. */
Step *exec_step(CUgraphExec x, CUgraphNode n);

#endif
