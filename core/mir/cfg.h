/* cfg.h: a machine function's blocks as a graph, and what graph/ says about it: orders, dominators,
 * post-dominators, loops.
 *
 * Nodes are the blocks in layout order; the entry is node 0. Four analyses of the pass manager: AN_MIR_CFG,
 * AN_MIR_DOM, AN_MIR_POSTDOM, AN_MIR_LOOPS. A pass asks for them through mir_cfg(cx) and its siblings; code
 * without a PassCx (verifier, reader) builds its own. They are good until a block or an edge is added, removed
 * or moved; changes of instructions within blocks do not matter. */
#ifndef PS_MIR_CFG_H
#define PS_MIR_CFG_H

#include "graph/loops.h"
#include "mir/mir.h"

typedef struct MirCfg {
	Graph g;
	Order order; /* depth-first, from the entry */
	u32  *node;  /* by block id; GRAPH_NONE where the block is not linked */
	u32  *block; /* by node */
} MirCfg;

/* The function that a machine pass is run on. */
static inline MirFunc *mir_pass_func(const PassCx *cx) { return cx->mir->func.p[cx->func - 1]; }

MirCfg *mir_cfg_build(const MirFunc *f, Arena *a);

static inline MirCfg  *mir_cfg(PassCx *cx) { return pass_analysis(cx, AN_MIR_CFG_ID); }
static inline DomTree *mir_dom(PassCx *cx) { return pass_analysis(cx, AN_MIR_DOM_ID); }
static inline DomTree *mir_postdom(PassCx *cx) { return pass_analysis(cx, AN_MIR_POSTDOM_ID); }
static inline Loops   *mir_loops(PassCx *cx) { return pass_analysis(cx, AN_MIR_LOOPS_ID); }

/* Does instruction `a` come before `b` on every path? */
bool mir_inst_dominates(const MirFunc *f, const MirCfg *cfg, const DomTree *dom, MirInstId a, MirInstId b);

/* Is ptxas not to unroll the loop? The program says so of a branch back; or it says nothing, and the loop has several exits and
 * no loop inside: the copies would share no loads and no conditions. nvcc leaves such loops, too, and ptxas unrolls them where
 * it sees a trip count: 270 machine instructions for 75 in a merge of two arrays. */
bool mir_must_not_unroll(const MirFunc *f, const struct IrModule *ir, const MirCfg *cfg, const Loops *loops, u32 loop);

/* Sets MP_REDUCIBLE where every cycle has one header. */
void mir_note_reducible(MirFunc *f, Arena *scratch);

#endif
