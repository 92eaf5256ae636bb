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

/* ---- a bound without live ranges ---- */

typedef struct Bound {
	const MirFunc *f;
	IsaFile        file;
	u32           *block; /* by register: the block of all its operands so far, or CROSSES */
	u32           *left;  /* by register of one block: operands that are still to come */
} Bound;

enum { CROSSES = 0xFFFFFFFF };

static u32 units_in(const MirFunc *f, u32 r, IsaFile file)
{
	const IsaClassInfo *c = &isa_class_info[mir_class(f, (MirReg){r})];
	return c->file == file ? c->units : 0;
}

/* Notes the blocks of all registers; returns the units of those that are in several. */
static u32 crossing(Bound *b)
{
	u32 units = 0;
	mir_each_block(b->f, k)
		mir_each_inst(b->f, k, i) {
			const MirOp *o = mir_ops(b->f, i);
			for (u32 n = 0; n < mir_inst(b->f, i)->n_ops; n++) {
				u32 r = mir_op_reg(&o[n]).i;
				if (!mir_is_virt((MirReg){r}))
					continue;
				if (b->block[r] && b->block[r] != k.i && b->block[r] != CROSSES) {
					units += units_in(b->f, r, b->file);
					b->block[r] = CROSSES;
				}
				b->block[r] = b->block[r] ? b->block[r] : k.i;
				b->left[r]++;
			}
		}
	return units;
}

/* The most that registers of one block alone take inside `k`; stops where that is above `units`. */
static u32 inside(Bound *b, MirBlockId k, u32 units)
{
	u32 now = 0, most = 0;
	mir_each_inst(b->f, k, i) {
		const MirOp *o = mir_ops(b->f, i);
		u32          gone = 0;
		for (u32 n = 0; n < mir_inst(b->f, i)->n_ops; n++) {
			u32 r = mir_op_reg(&o[n]).i;
			if (!mir_is_virt((MirReg){r}) || b->block[r] == CROSSES)
				continue;
			u32 own = units_in(b->f, r, b->file);
			now += b->block[r] ? own : 0; /* the first time */
			b->block[r] = 0;
			gone += --b->left[r] ? 0 : own;
		}
		most = PS_MAX(most, now);
		now -= gone;
		if (most > units)
			break;
	}
	return most;
}

bool mir_may_exceed(const MirFunc *f, IsaFile file, u32 units)
{
	u64 all = 0;
	for (u32 r = 1; r < f->vreg.n && all <= units; r++)
		all += mir_vreg(f, (MirReg){r})->n_defs ? units_in(f, r, file) : 0;
	if (all <= units)
		return false;
	Arena a;
	arena_init(&a, f->arena->budget);
	Bound b = {.f = f, .file = file, .block = arena_array(&a, u32, f->vreg.n), .left = arena_array(&a, u32, f->vreg.n)};
	u32   across = crossing(&b);
	bool  exceeds = across > units;
	for (MirBlockId k = {f->first_block}; k.i && !exceeds; k.i = mir_block(f, k)->next)
		exceeds = across + inside(&b, k, units - across) > units;
	arena_free(&a);
	return exceeds;
}
