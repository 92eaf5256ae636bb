/* graph.h: what graphs are made of; for graph.c (graphs, their order, launches), graph_nodes.c (what nodes do) and graph_edges.c. */
#ifndef PS_CUDA_GRAPH_H
#define PS_CUDA_GRAPH_H

#include "cuda/state.h"

/* What nodes come after, as every function that adds one is given it. */
#define AFTER const CUgraphNode *after, size_t n

/* Attributes of a kernel's node that change nothing that a program computes; those that do are part of its work. */
enum { NODE_ATTRIBUTES = 7 };
typedef struct NodeAttributes {
	u8 value[NODE_ATTRIBUTES][64];
} NodeAttributes;

struct CUgraphNode_st {
	Object  o;
	CUgraph graph;
	Work    work; /* its parameters, and the graph of a child, are its own */
	union {
		CUDA_MEMCPY3D              copy;  /* of a copy: as the program described it */
		CUDA_MEM_ALLOC_NODE_PARAMS alloc; /* of memory */
		NodeAttributes             kept;  /* of a kernel */
	};
	void       **args; /* of a kernel: where its parameters lie, for a program that asks; NULL: it has not asked */
	CUgraphNode *after;
	size_t       n_after;
	u64          origin; /* id of the node that it was cloned from; 0 */
	u32          mark;   /* scratch */
};

/* A word of device memory, which kernels set: its address is the handle. Graphs and executable graphs have it. */
typedef struct Condition {
	u32      users;
	u64      handle;
	unsigned value; /* at the beginning of each run, if it is assigned then */
	bool     assigned;
} Condition;

/* What a graph or an executable graph keeps of user objects. */
typedef struct UserReference {
	CUuserObject object;
	unsigned     count;
} UserReference;
typedef struct UserReferences {
	UserReference *p;
	u32            n, room;
} UserReferences;

struct CUgraph_st {
	Object         o;
	CUgraphNode   *node; /* as they were added */
	size_t         n;
	u64            origin; /* id of the graph that it was cloned from; 0 */
	u32            depth;  /* graphs within each other below it */
	CUgraphNode    owner;  /* the node that it is the child or a body of; NULL */
	Condition    **condition;
	u32            n_conditions, room_conditions;
	UserReferences users;
};

/* An executable graph: everything comes behind what it depends on; children stand in place of their nodes. */
typedef struct Sequence {
	struct Step   *step;
	u32            n, room;
	Condition    **condition;
	u32            n_conditions, room_conditions;
	UserReferences users;
} Sequence;

typedef struct Step {
	u64       node; /* id of the node it was made of */
	bool      off;
	Work      work;
	size_t   *after; /* places of the steps that it comes behind, of its own graph */
	size_t    n_after;
	Sequence *body; /* of a condition: as many as its work says */
} Step;

struct CUgraphExec_st {
	Object             o;
	Sequence           sequence;
	unsigned long long flags;
};

static inline bool is_graph(CUgraph g) { return object_is(g, OBJECT_GRAPH); }
static inline bool is_node(CUgraphNode n, WorkKind kind) { return object_is(n, OBJECT_NODE) && n->work.kind == kind; }

/* A copy that owns what it points to; false: there is no memory. */
bool work_copy(const Work *from, Work *to);
void work_free(Work *w);
/* A node's work, and what is kept beside it, becomes that of another node. */
void node_keeps(CUgraphNode to, CUgraphNode from);
/* Puts a copy of the work in place of what there is. */
CUresult work_replace(Work *old, const Work *w);
/* NULL: there is no memory. */
CUgraph graph_clone(CUgraph g);
/* CUDA_ERROR_NOT_SUPPORTED: it has nodes of which there is one alone, those of memory and conditions. */
CUresult graph_may_be_cloned(CUgraph g);
/* What differs between the steps of two sequences, with the numbers of CUgraphExecUpdateResult: of `b` all, of `a` as many from step
 * `at` on. */
enum { UPDATED, UPDATE_FAILED, TOPOLOGY_CHANGED, TYPE_CHANGED };
int differences(const Sequence *a, u32 at, const Sequence *b);
/* Of sequences without a difference: each has the other's work from then on; the names of the steps stay. */
void     exchange_work(Sequence *a, u32 at, Sequence *b);
CUresult sequence_of(Sequence *s, CUgraph g);
void     sequence_free(Sequence *q);
/* Gives back what the last run has left in the table of memory. */
void graph_memory_reclaim(GraphMemory *m);
/* Adds a user of the condition to an array of them. */
bool condition_keep(Condition ***array, u32 *n, u32 *room, Condition *c);
void conditions_drop(Condition **array, u32 n);
/* At the beginning of a run. */
void conditions_assign(Condition **array, u32 n);
/* Adds references to the same objects; false: there is no memory. */
bool user_references_copy(UserReferences *to, const UserReferences *from);
void user_references_drop(UserReferences *r);
/* Which of the bodies comes next; ~0: none. `again`: one has run. */
u32 condition_chooses(const ConditionalWork *w, bool again);
/* The step that was made of the node; NULL: none. */
Step *exec_step(CUgraphExec x, CUgraphNode n);

CUresult graph_add_alloc(CUcontext c, CUgraphNode *out, CUgraph g, AFTER, CUDA_MEM_ALLOC_NODE_PARAMS *p);
CUresult graph_add_free(CUgraphNode *out, CUgraph g, AFTER, CUdeviceptr p);
CUresult graph_add_conditional(CUgraphNode *out, CUgraph g, AFTER, CUDA_CONDITIONAL_NODE_PARAMS *p);

#endif
