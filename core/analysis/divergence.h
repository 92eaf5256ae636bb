/* divergence.h: which values may differ between the threads of a warp?
 *
 * Sources are the intrinsics that ask who a thread is, atomics, what local memory and stack slots hold,
 * loads from generic addresses, arguments and results of functions that are no kernels. From there
 * divergence spreads
 *   - along operands;
 *   - by sync dependence: where a divergent branch's paths meet again, a phi takes what each thread
 *     brought along. The joins of a branch are found by spreading the successors as labels in reverse post
 *     order up to its post-dominator: a block that two labels reach is a join;
 *   - over time: threads leave a loop by a divergent branch in different iterations, so what was computed
 *     in the loop is divergent outside.
 * A fixed point over both. Uniform means: proven to be the same for all threads of a warp that are there. */
#ifndef PS_ANALYSIS_DIVERGENCE_H
#define PS_ANALYSIS_DIVERGENCE_H

#include "analysis/cfg.h"
#include "base/bitset.h"

typedef struct Divergence {
	Map    value;  /* divergent arguments and instructions: IrRef.i → 1 */
	Bitset branch; /* by block: its terminator is divergent */
	Bitset join;   /* by block: paths of a divergent branch meet here */
} Divergence;

Divergence *divergence_build(const IrModule *m, const IrFunc *f, const IrCfg *cfg, const DomTree *postdom, const Loops *loops,
                             Arena *a);
/* Does the instruction itself make values differ, whatever its operands are? */
bool                      is_divergence_source(const IrModule *m, IrRef inst);
static inline bool        is_divergent(const Divergence *d, IrRef v) { return map_get(&d->value, v.i) != NULL; }
static inline Divergence *ir_divergence(PassCx *cx) { return pass_analysis(cx, AN_DIVERGENCE_ID); }

#endif
