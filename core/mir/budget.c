/* budget.c: limits and targets of register files from knobs, directives and the hardware, see budget.h. */
#include "mir/budget.h"

#include "ir/kernel.h"
#include "isa/machine.h"
#include "mir/pressure.h"

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

static Directives directives(const MirFunc *f)
{
	const IrModule *m = f->module->ir;
	Directives      d = {0};
	u64             n[3];
	if (!m || !f->ir || !f->is_kernel)
		return d;
	const IrFunc *of = ir_func(m, ir_ref(IR_GLOBAL, f->ir));
	d.exactly = ir_kernel_prop(m, of, IRK_REQNTID, d.dim);
	if (d.exactly || ir_kernel_prop(m, of, IRK_MAXNTID, d.dim))
		d.threads = product(d.dim);
	if (ir_kernel_prop(m, of, IRK_MINCTASM, n))
		d.blocks = n[0];
	if (ir_kernel_prop(m, of, IRK_MAXNREG, n))
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

static void lower(u32 *limit, MirBudgetBy *by, u64 to, MirBudgetBy why)
{
	if (to < *limit) {
		*limit = (u32)PS_MAX(to, 1);
		*by = why;
	}
}

static void aim(MirBudget *b, i64 target, MirBudgetBy by)
{
	b->target = target > 0 ? (u32)target : 1;
	b->target_by = by;
}

static MirBudget within_limit(MirBudget b)
{
	b.target_by = b.target > b.limit ? b.limit_by : b.target_by;
	b.target = PS_MIN(b.target, b.limit);
	return b;
}

MirBudget mir_budget(const MirFunc *f, IsaFile file)
{
	const Session    *s = f->module->session;
	const IsaMachine *machine = isa_machine(s->target.sm);
	i64               maxreg = knob_int(s, KNOB_maxreg), adjust = knob_int(s, KNOB_reg_target_adjust);
	if (file == FILE_P) {
		MirBudget b = {.limit = machine->predicates};
		adjust = knob_int(s, KNOB_pred_target_adjust);
		aim(&b, (i64)b.limit + adjust, adjust ? BUDGET_BY_TARGET : BUDGET_BY_HARDWARE);
		return b;
	}
	MirBudget b = {.limit = machine->registers_per_thread};
	if (maxreg) {
		lower(&b.limit, &b.limit_by, (u64)maxreg, BUDGET_BY_MAXREG);
		aim(&b, maxreg + adjust, BUDGET_BY_MAXREG);
		return within_limit(b);
	}
	Directives d = directives(f);
	if (d.maxnreg)
		lower(&b.limit, &b.limit_by, d.maxnreg, BUDGET_BY_MAXNREG);
	if (d.threads)
		lower(&b.limit, &b.limit_by, registers_for(machine, &d), BUDGET_BY_LAUNCH);
	aim(&b, knob_int(s, KNOB_nv_remat_default_max_reg) + adjust, BUDGET_BY_TARGET);
	return within_limit(b);
}

Str mir_budget_source(const MirFunc *f, MirBudgetBy by, Arena *a)
{
	const Session    *s = f->module->session;
	const IsaMachine *machine = isa_machine(s->target.sm);
	Directives        d = directives(f);
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
