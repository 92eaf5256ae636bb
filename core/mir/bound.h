/* bound.h: how many registers may be live at once? A bound from above for register pressure, without slots and without live ranges,
 * for whoever has nothing to do where all registers fit.
 *
 *	b1:  %1 = …                        lives into b2: %0, %1 (read in b3)
 *	b2:  %2 = …; %3 = %0 + %2    →     named in b2 alone: %2, %3, at most one of them at once
 *	b3:  … = %1                        bound of b2: 2 + 1
 *
 * A register of one block is live between its definition and its last reader there. Any other is taken to be live in all of each
 * block that it lives into or is defined in. Which these are is found by a walk from its readers to its definitions over the
 * predecessors. The walks end when one block is above what is of interest, so no block is entered more often than that.
 *
 * Costs one look at each operand, the blocks that registers live into, and a second look at the operands of blocks whose registers
 * would be too many if all of them were live at once; less where all registers of the function fit together. */
#ifndef PS_MIR_BOUND_H
#define PS_MIR_BOUND_H

#include "mir/cfg.h"

/* Analysis AN_MIR_BOUND, of each file when it is first asked for: may more than `units` of it be live at once? False: certainly not,
 * whether the function is in SSA form or not. Where mir/pressure.h finds more, it is true. */
bool mir_may_exceed(PassCx *cx, IsaFile file, u32 units);
/* The same without a pass. */
bool mir_func_may_exceed(const MirFunc *f, IsaFile file, u32 units);

#endif
