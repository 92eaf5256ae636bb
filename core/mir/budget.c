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

u32 mir_budget_units(const MirFunc *f, IsaFile file)
{
	RegBudget b = mir_budget(f, file);
	return !b.hard ? MIR_NO_LIMIT : file == FILE_R ? b.limit * ISA_UNITS_PER_REG : b.limit;
}

/* ---- what cannot be avoided ---- */

static bool is_read(const MirOp *o) { return mir_op_is_use(o) ? !(o->flags & MOF_UNDEF) : (o->flags & MOF_EARLY_CLOBBER) != 0; }

/* Does an operand of `i` in front of number `n`, or of a terminator in front of `i`, count the register already? */
static bool counted(const MirFunc *f, MirInstId i, u32 n, u32 reg, bool defs)
{
	for (; i.i; i = mir_prev(f, i)) {
		const MirOp *o = mir_ops(f, i);
		for (u32 k = 0; k < n; k++)
			if (o[k].kind == MO_REG && o[k].ref == reg && (defs ? mir_op_is_def(&o[k]) : is_read(&o[k])))
				return true;
		MirInstId before = mir_prev(f, i);
		if (defs || !mir_is(f, i, IF_TERMINATOR) || !before.i || !mir_is(f, before, IF_TERMINATOR))
			return false;
		n = mir_inst(f, before)->n_ops;
	}
	return false;
}

/* Units that the operands of `i` take, each register once: those that it reads, or writes. Results that are written early count
 * as read. */
static u32 units_of(const MirFunc *f, MirInstId i, IsaFile file, bool defs)
{
	const MirOp *o = mir_ops(f, i);
	u32          units = 0, n_ops = mir_inst(f, i)->n_ops;
	for (u32 n = 0; n < n_ops; n++) {
		MirReg r = mir_op_reg(&o[n]);
		if (!mir_is_virt(r) || !(defs ? mir_op_is_def(&o[n]) : is_read(&o[n])) || counted(f, i, n, r.i, defs))
			continue;
		const IsaClassInfo *c = &isa_class_info[mir_class(f, r)];
		units += c->file == file ? c->units : 0;
	}
	return units;
}

u32 mir_budget_least(const MirFunc *f, IsaFile file, MirInstId *at)
{
	u32 most = 0;
	*at = (MirInstId){0};
	mir_each_block(f, b) {
		u32 ends = 0; /* what terminators read */
		mir_each_inst(f, b, i) {
			if (mir_is(f, i, IF_PHI | IF_META)) /* copies stand for a phi, one at a time */
				continue;
			u32 reads = units_of(f, i, file, false);
			if (mir_is(f, i, IF_TERMINATOR))
				reads = ends += reads;
			u32 units = PS_MAX(reads, units_of(f, i, file, true));
			if (units > most) {
				most = units;
				*at = i;
			}
		}
	}
	MirPressure p = {{0}, {0}};
	p.unit[file] = most;
	return mir_pressure_regs(&p, file);
}
