/* budget.c: budgets of machine functions, see budget.h. */
#include "mir/budget.h"

#include "mir/pressure.h"

static const IrFunc *ir_of(const MirFunc *f)
{
	return f->module->ir && f->ir ? ir_func(f->module->ir, ir_ref(IR_GLOBAL, f->ir)) : NULL;
}

RegBudget mir_budget(const MirFunc *f, IsaFile file) { return ir_budget(f->module->session, f->module->ir, ir_of(f), file); }

Str mir_budget_source(const MirFunc *f, RegBudgetBy by, Arena *a)
{
	return ir_budget_source(f->module->session, f->module->ir, ir_of(f), by, a);
}

/* ---- what cannot be avoided ---- */

/* Units that the operands of `i` from `first` on take, each register once: those that it reads, or writes. */
static u32 units_of(const MirFunc *f, MirInstId i, IsaFile file, bool defs)
{
	const MirOp *o = mir_ops(f, i);
	u32          units = 0, n_ops = mir_inst(f, i)->n_ops;
	for (u32 n = 0; n < n_ops; n++) {
		MirReg r = mir_op_reg(&o[n]);
		bool   seen = !mir_is_virt(r) || mir_op_is_def(&o[n]) != defs || o[n].flags & MOF_UNDEF;
		for (u32 k = 0; k < n && !seen; k++)
			seen = o[k].kind == MO_REG && o[k].ref == r.i && mir_op_is_def(&o[k]) == defs;
		const IsaClassInfo *c = seen ? NULL : &isa_class_info[mir_class(f, r)];
		units += c && c->file == file ? c->units : 0;
	}
	return units;
}

u32 mir_budget_least(const MirFunc *f, IsaFile file, MirInstId *at)
{
	u32 most = 0;
	*at = (MirInstId){0};
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			bool generic = mir_is(f, i, IF_PHI | IF_META); /* copies stand for a phi, one at a time */
			u32  units = generic ? 0 : PS_MAX(units_of(f, i, file, false), units_of(f, i, file, true));
			if (units > most) {
				most = units;
				*at = i;
			}
		}
	MirPressure p = {{0}, {0}};
	p.unit[file] = most;
	return mir_pressure_regs(&p, file);
}
