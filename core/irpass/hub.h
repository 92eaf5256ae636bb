/* hub.h: redirects a set of edges with several targets through one guard block, which dispatches to the targets.
 *
 *      a   b                  a   b
 *      │ ╳ │         →         ↘ ↙
 *      x   y                  guard       which = phi [ 0, a ] …: 0 → x, else y
 *                              ↙ ↘
 *                             x   y
 *
 * The guard's phis carry the values that the phis of the targets take along the redirected edges; one phi of the guard
 * can feed one phi of each target. A branch both of whose edges are redirected gets selects instead of new blocks. */
#ifndef PS_IRPASS_HUB_H
#define PS_IRPASS_HUB_H

#include "graph/graph.h"
#include "irpass/util.h"

typedef struct Moved {
	IrRef phi;    /* of the guard */
	u32   target; /* the last one that reads it */
} Moved;

/* Two edges of one branch. */
typedef struct Fork {
	u32 cond;  /* IrRef.i; 0: a single edge */
	u32 other; /* target where the condition is false */
} Fork;

typedef struct Hub {
	PassCx    *cx;
	IrModule  *m;
	IrFunc    *f;
	IrRef      guard;
	VecU32     target; /* IrRef.i of the target blocks; the guard tests for each in turn except the last */
	GraphEdges edge;   /* block IrRef.i → successor index, of every edge that is redirected to the guard */
	VecU32     to;     /* by edge: index of its original target */
	Vec(Fork) fork;    /* by edge */
	Vec(Moved) moved;
} Hub;

void hub_init(Hub *h, PassCx *cx);
void hub_add_edge(Hub *h, IrRef from, u32 succ, u32 target);
/* Redirects the edges. The guard is placed after block `after` (none: first) and takes its source line from the first
 * target. */
void hub_build(Hub *h, IrRef after);

/* structurizecfg's mode strict: see structurize_strict.c. Reducible functions only. Changed? */
bool structurize_strict(PassCx *cx);

#endif
