/* budget.c: limits and targets of register files from knobs, directives and the hardware, see budget.h. */
#include "ir/budget.h"

#include "ir/kernel.h"
#include "isa/machine.h"

enum { WARP = 32 };

/* ---- what directives state ---- */

typedef struct Directives {
	u64  dim[3];  /* of a block, where `threads` is not 0 */
	u64  threads; /* their product; 0: not stated */
	u64  blocks;  /* of an SM; 0: not stated */
	u64  maxnreg; /* 0: not stated */
	bool exactly; /* .reqntid */
} Directives;

static u64 product(const u64 n[3]) { return n[0] < 4096 && n[1] < 4096 && n[2] < 4096 ? n[0] * n[1] * n[2] : ~(u64)0; }

static Directives directives(const IrModule *m, const IrFunc *f)
{
	Directives d = {0};
	u64        n[3];
	if (!m || !f || !ir_is_kernel(f))
		return d;
	d.exactly = ir_kernel_prop(m, f, IRK_REQNTID, d.dim);
	if (d.exactly || ir_kernel_prop(m, f, IRK_MAXNTID, d.dim))
		d.threads = product(d.dim);
	if (ir_kernel_prop(m, f, IRK_MINCTASM, n))
		d.blocks = n[0];
	if (ir_kernel_prop(m, f, IRK_MAXNREG, n))
		d.maxnreg = n[0];
	return d;
}

/* More warps than an SM holds cannot be asked for. */
static u32 registers_for(const IsaMachine *machine, const Directives *d)
{
	u64 warps = d->threads / WARP + (d->threads % WARP != 0);
	warps = PS_MIN(warps, machine->warps) * PS_MIN(PS_MAX(d->blocks, 1), machine->warps);
	return isa_registers_for_warps(machine, (u32)PS_MIN(warps, machine->warps));
}

/* ---- budgets ---- */

static void lower(u32 *limit, RegBudgetBy *by, u64 to, RegBudgetBy why)
{
	if (to < *limit) {
		*limit = (u32)PS_MAX(to, 1);
		*by = why;
	}
}

static void aim(RegBudget *b, i64 target, RegBudgetBy by)
{
	b->target = target > 0 ? (u32)target : 1;
	b->target_by = by;
}

static RegBudget within_limit(RegBudget b)
{
	b.target_by = b.target > b.limit ? b.limit_by : b.target_by;
	b.target = PS_MIN(b.target, b.limit);
	return b;
}

RegBudget ir_budget(const Session *s, const IrModule *m, const IrFunc *f, IsaFile file)
{
	const IsaMachine *machine = isa_machine(s->target.sm);
	i64               maxreg = knob_int(s, KNOB_maxreg), adjust = knob_int(s, KNOB_reg_target_adjust);
	if (file == FILE_P) {
		RegBudget b = {.limit = machine->predicates, .hard = maxreg != 0};
		adjust = knob_int(s, KNOB_pred_target_adjust);
		aim(&b, (i64)b.limit + adjust, adjust ? BUDGET_BY_TARGET : BUDGET_BY_HARDWARE);
		return b;
	}
	RegBudget b = {.limit = machine->registers_per_thread, .hard = true};
	if (maxreg) {
		lower(&b.limit, &b.limit_by, (u64)maxreg, BUDGET_BY_MAXREG);
		aim(&b, maxreg + adjust, BUDGET_BY_MAXREG);
		return within_limit(b);
	}
	Directives d = directives(m, f);
	if (d.maxnreg)
		lower(&b.limit, &b.limit_by, d.maxnreg, BUDGET_BY_MAXNREG);
	if (d.threads)
		lower(&b.limit, &b.limit_by, registers_for(machine, &d), BUDGET_BY_LAUNCH);
	aim(&b, knob_int(s, KNOB_nv_remat_default_max_reg) + adjust, BUDGET_BY_TARGET);
	return within_limit(b);
}

Str ir_budget_source(const Session *s, const IrModule *m, const IrFunc *f, RegBudgetBy by, Arena *a)
{
	const IsaMachine *machine = isa_machine(s->target.sm);
	Directives        d = directives(m, f);
	Text              t;
	text_init(&t, a);
	switch (by) {
	case BUDGET_BY_HARDWARE: text_f(&t, "%s", machine->name); break;
	case BUDGET_BY_MAXREG: text_f(&t, "-maxreg=%lld", (long long)knob_int(s, KNOB_maxreg)); break;
	case BUDGET_BY_MAXNREG: text_f(&t, ".maxnreg %llu", (unsigned long long)d.maxnreg); break;
	case BUDGET_BY_LAUNCH:
		text_f(&t, ".%s %llu, %llu, %llu", d.exactly ? "reqntid" : "maxntid", (unsigned long long)d.dim[0],
		       (unsigned long long)d.dim[1], (unsigned long long)d.dim[2]);
		if (d.blocks)
			text_f(&t, " and .minnctapersm %llu", (unsigned long long)d.blocks);
		text_f(&t, " on %s", machine->name);
		break;
	case BUDGET_BY_TARGET: text_s(&t, "nv-remat-default-max-reg and its adjustment"); break;
	}
	return text_str(&t);
}
