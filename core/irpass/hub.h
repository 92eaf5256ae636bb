/* hub.h: many edges to many targets, by way of one block.
 *
 *      a   b                  a   b
 *      │ ╳ │         →         ↘ ↙
 *      x   y                  guard       which = phi [ 0, a ] …: 0 → x, else y
 *                              ↙ ↘
 *                             x   y
 *
 * The guard's phis carry what the phis of the targets take along the turned edges; one serves a phi of each
 * target. A branch both of whose ways are turned selects what it says, and needs no block for either. */
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
	VecU32     target; /* IrRef.i of the blocks behind the guard: each is tested for in turn, but for the last */
	GraphEdges edge;   /* block IrRef.i → successor index, of every edge that is turned to the guard */
	VecU32     to;     /* by edge: which target it went to */
	Vec(Fork) fork;    /* by edge */
	Vec(Moved) moved;
} Hub;

void hub_init(Hub *h, PassCx *cx);
void hub_add_edge(Hub *h, IrRef from, u32 succ, u32 target);
/* Turns the edges; the guard stands behind `after` (none: at the front), and takes its line from the first target. */
void hub_build(Hub *h, IrRef after);

/* structurizecfg's mode strict: see structurize_strict.c. Reducible functions only. Changed? */
bool structurize_strict(PassCx *cx);

#endif
