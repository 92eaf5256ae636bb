/* cfg.h: a function's control flow as graphs on block numbers (layout order; the entry is 0).
 *
 * Four analyses of the pass manager: AN_CFG, AN_DOM, AN_POSTDOM, AN_LOOPS. A pass asks for them through
 * ir_cfg(cx) and its siblings; code without a PassCx of the function (module passes) builds its own. They are good until a
 * block or an edge is added or removed. */
#ifndef PS_ANALYSIS_CFG_H
#define PS_ANALYSIS_CFG_H

#include "graph/loops.h"
#include "ir/ir.h"
#include "pass/pass.h"

typedef struct IrCfg {
	u32    n;
	IrRef *block;  /* by number */
	Map    number; /* IrRef.i of a block → its number */
	Graph  graph;  /* an edge for every successor slot, in the order of the terminator */
	Order  order;
} IrCfg;

IrCfg *ir_cfg_build(const IrModule *m, const IrFunc *f, Arena *a);
/* GRAPH_NONE for a block that was made after the analysis. */
u32 ir_cfg_number(const IrCfg *cfg, const IrModule *m, IrRef block);
/* The block of an instruction. */
static inline u32 ir_cfg_of(const IrCfg *cfg, const IrModule *m, IrRef inst)
{
	return ir_cfg_number(cfg, m, ir_inst(m, inst)->block);
}
/* The block in which an instruction's use reads: of a phi, the predecessor. */
u32                ir_cfg_use(const IrCfg *cfg, const IrModule *m, u32 use);
static inline bool ir_cfg_reached(const IrCfg *cfg, u32 block) { return cfg->order.pos[block] != GRAPH_NONE; }

static inline IrCfg   *ir_cfg(PassCx *cx) { return pass_analysis(cx, AN_CFG_ID); }
static inline DomTree *ir_dom(PassCx *cx) { return pass_analysis(cx, AN_DOM_ID); }
static inline DomTree *ir_postdom(PassCx *cx) { return pass_analysis(cx, AN_POSTDOM_ID); }
static inline Loops   *ir_loops(PassCx *cx) { return pass_analysis(cx, AN_LOOPS_ID); }

/* Does `def` (an instruction) come before `use` on every path? Within a block this walks. */
bool ir_inst_dominates(const IrModule *m, const IrCfg *cfg, const DomTree *dom, IrRef def, IrRef use);

#endif
