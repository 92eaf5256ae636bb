/* budget.h: the budget of register files (ir/budget.h) of a machine function, and the least one that it can be kept within. */
#ifndef PS_MIR_BUDGET_H
#define PS_MIR_BUDGET_H

#include "ir/budget.h"
#include "mir/mir.h"

RegBudget mir_budget(const MirFunc *f, IsaFile file);
Str       mir_budget_source(const MirFunc *f, RegBudgetBy by, Arena *a);

/* Units of the file that may be in use at once: the limit, or MIR_NO_LIMIT where it is not hard. */
#define MIR_NO_LIMIT 0xFFFFFFFFu
u32 mir_budget_units(const MirFunc *f, IsaFile file);

/* The least budget that the function can be kept within, whatever is spilled: the most registers that one instruction
 * reads, or writes, at once; what the terminators of a block read counts together, as nothing can stand between them. `*at`:
 * the first instruction that needs so many; 0 where nothing needs any. */
u32 mir_budget_least(const MirFunc *f, IsaFile file, MirInstId *at);

#endif
