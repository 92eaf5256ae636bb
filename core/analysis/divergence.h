/* divergence.h: which values may differ between the threads of a warp?
 *
 * Sources are the intrinsics that ask who a thread is, atomics, what local memory and stack slots hold,
 * loads from generic addresses, arguments and results of functions that are no kernels. From there divergence spreads along
 * operands, and by control (graph/diverge.h): to phis where the paths of a divergent branch meet, and to uses outside of a
 * cycle that threads leave in different iterations. The result is the least fixed point; uniform means: proven to be
 * the same for all threads of a warp that are there. Cost: the uses, and for each divergent branch its region. */
#ifndef PS_ANALYSIS_DIVERGENCE_H
#define PS_ANALYSIS_DIVERGENCE_H

#include "analysis/cfg.h"
#include "graph/diverge.h"

typedef struct Divergence {
	Map     value;   /* divergent arguments and instructions: IrRef.i → 1 */
	Diverge control; /* by block: divergent branches, joins of their paths, cycles left */
} Divergence;

Divergence *divergence_build(const IrModule *m, const IrFunc *f, const IrCfg *cfg, const DomTree *postdom, const Loops *loops,
                             Arena *a);
/* Does the instruction itself make values differ, whatever its operands are? */
bool                      is_divergence_source(const IrModule *m, IrRef inst);
static inline bool        is_divergent(const Divergence *d, IrRef v) { return map_get(&d->value, v.i) != NULL; }
static inline Divergence *ir_divergence(PassCx *cx) { return pass_analysis(cx, AN_DIVERGENCE_ID); }

#endif
