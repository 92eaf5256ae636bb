/* budget.h: how many registers a function may use: the budget of each register file (isa/classes.def), and who set it.
 *
 *	limit    above it values have to be spilled: ptxas has no more registers for the function
 *	target   what the passes that weigh register pressure aim at
 *
 * The limit of file R is -maxreg=N where that is given. Otherwise it is the least of: what `.maxnreg` states; the registers
 * with which the threads that `.maxntid` or `.reqntid` allow, times the blocks of `.minnctapersm`, fit an SM of the target
 * generation (isa/machine.def); and what a thread can name (255). Directives count for kernels, where they are stated as
 * annotations or attributes (ir/kernel.h); a device function has the limit of -maxreg or the hardware's.
 * The target of file R is -maxreg or, without it, nv-remat-default-max-reg, moved by reg-target-adjust, and
 * never above the limit. File P has the predicates of the hardware as limit and, moved by pred-target-adjust, as target, which
 * may be above: ptxas keeps further predicates in registers of file R. Where -maxreg counts these, the limit of file P is hard
 * too. Registers are 32 bits wide.
 *
 * Cost: the look-up of a few annotations. */
#ifndef PS_IR_BUDGET_H
#define PS_IR_BUDGET_H

#include "ir/ir.h"
#include "isa/isa.h"

typedef enum RegBudgetBy {
	BUDGET_BY_HARDWARE,
	BUDGET_BY_MAXREG,  /* -maxreg */
	BUDGET_BY_MAXNREG, /* .maxnreg */
	BUDGET_BY_LAUNCH,  /* .maxntid or .reqntid, with .minnctapersm */
	BUDGET_BY_TARGET,  /* nv-remat-default-max-reg, pred-target-adjust */
} RegBudgetBy;

typedef struct RegBudget {
	u32         limit, target; /* registers of 32 bits, or predicates: 1 at least */
	RegBudgetBy limit_by, target_by;
	bool        hard; /* the allocator keeps the function within the limit */
} RegBudget;

/* `m` and `f` may be NULL: a function without IR has no directives. */
RegBudget ir_budget(const Session *s, const IrModule *m, const IrFunc *f, IsaFile file);
/* Who has set a number: "-maxreg=32", ".maxntid 1024, 1, 1 on Hopper". */
Str ir_budget_source(const Session *s, const IrModule *m, const IrFunc *f, RegBudgetBy by, Arena *a);

#endif
