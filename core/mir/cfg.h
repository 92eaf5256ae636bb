/* cfg.h: a function's blocks as a graph, and what graph/ says about it: orders, dominators, loops.
 *
 * Nodes are the blocks in layout order; the entry is node 0. */
#ifndef PS_MIR_CFG_H
#define PS_MIR_CFG_H

#include "graph/loops.h"
#include "mir/mir.h"

typedef struct MirCfg {
	Graph   g;
	Order   order;
	DomTree dom;
	Loops   loops;
	u32    *node;  /* by block id; GRAPH_NONE where the block is not linked */
	u32    *block; /* by node */
} MirCfg;

MirCfg *mir_cfg_new(const MirFunc *f, Arena *a);

static inline bool mir_cfg_dominates(const MirCfg *c, MirBlockId a, MirBlockId b)
{
	return dom_dominates(&c->dom, c->node[a.i], c->node[b.i]);
}
static inline u32 mir_cfg_loop_depth(const MirCfg *c, MirBlockId b) { return loop_depth(&c->loops, c->node[b.i]); }
/* The innermost loop, GRAPH_NONE where there is none. */
static inline u32  mir_cfg_loop(const MirCfg *c, MirBlockId b) { return c->loops.of[c->node[b.i]]; }
static inline bool mir_cfg_reached(const MirCfg *c, MirBlockId b) { return dom_reached(&c->dom, c->node[b.i]); }
static inline bool mir_cfg_reducible(const MirCfg *c) { return graph_is_reducible(&c->g, &c->order, &c->dom); }

/* Sets MP_REDUCIBLE where it is so. */
void mir_note_reducible(MirFunc *f, Arena *scratch);

#endif
