/* verify.c: checks what must hold of a machine function between passes, or of one that has been read. Each violation becomes
 * a line of text that names the block and the instruction, or an error at the instruction's line. References are checked before
 * they are followed, so a broken function is described and does not crash the verifier. */
#include "ir/ir.h"
#include "mir/bound.h"
#include "mir/budget.h"
#include "mir/cfg.h"
#include "mir/pressure.h"

enum { MAX_LINES = 50 };

typedef struct Verifier {
	MirFunc *f;
	Session *s;
	Text    *out; /* NULL: violations are reported as errors */
	Arena    scratch;
	MirCfg  *cfg;
	DomTree  dom;
	u32      wrong;
} Verifier;

static void wrong(Verifier *v, MirInstId i, const char *fmt, ...) PS_PRINTF(3, 4);
static void wrong(Verifier *v, MirInstId i, const char *fmt, ...)
{
	if (v->wrong++ >= MAX_LINES)
		return;
	va_list ap;
	va_start(ap, fmt);
	Str text = arena_vfmt(&v->scratch, fmt, ap);
	va_end(ap);
	if (!v->out) {
		SrcRange at = {.line = i.i ? mir_inst(v->f, i)->origin : 0};
		diag_report(&v->s->diags, DIAG_BROKEN_MIR, at, STR_ARG(text), STR_ARG(strtab_get(&v->s->strs, v->f->name)));
		return;
	}
	text_add(v->out, text);
	if (i.i && mir_inst(v->f, i)->block) {
		text_f(v->out, " in bb.%u: ", mir_block(v->f, (MirBlockId){mir_inst(v->f, i)->block})->number);
		mir_print_inst(v->out, v->f, i);
	}
	text_c(v->out, '\n');
}

static bool is_block(const Verifier *v, u32 b) { return b && b < v->f->block.n && mir_block(v->f, (MirBlockId){b})->linked; }

/* ---- operands against the desc ---- */

static bool kind_fits(u32 kind, const MirOp *o)
{
	switch (kind) {
	case IO_REG: return o->kind == MO_REG;
	case IO_SRC:
		return o->kind == MO_REG || o->kind == MO_IMM || o->kind == MO_FPIMM || o->kind == MO_GLOBAL ||
		       o->kind == MO_SYMBOL || o->kind == MO_FRAME;
	case IO_IMM:
	case IO_OFFSET: return o->kind == MO_IMM;
	case IO_BASE:
		return o->kind == MO_REG || o->kind == MO_IMM || o->kind == MO_GLOBAL || o->kind == MO_SYMBOL ||
		       o->kind == MO_FRAME;
	case IO_LABEL: return o->kind == MO_BLOCK;
	case IO_FUNC:
	case IO_IMAGE: return o->kind == MO_REG || o->kind == MO_GLOBAL || o->kind == MO_SYMBOL;
	case IO_TABLE: return o->kind == MO_JUMP_TABLE || o->kind == MO_PROTO;
	default: return true;
	}
}

static bool class_fits(const IsaOperand *d, MirClass have)
{
	const IsaClassInfo *want_class = &isa_class_info[d->rc], *have_class = &isa_class_info[have];
	u32                 want = want_class->bits, bits = have_class->bits;
	if (d->rc == RC_NONE || d->rc == (u8)have)
		return true;
	if (want_class->file != have_class->file)
		return false;
	if (d->flags & IOF_WIDER)
		return bits >= want;
	return bits == want;
}

static void check_register(Verifier *v, MirInstId i, const MirOp *o)
{
	MirReg r = mir_op_reg(o);
	if (mir_is_phys(r)) {
		if ((r.i & ~MIR_PHYS_BIT) >= MIR_PHYS_COUNT)
			wrong(v, i, "unknown physical register");
	} else if (r.i >= v->f->vreg.n || (!r.i && o->kind == MO_REG)) {
		wrong(v, i, "register out of range");
	}
}

/* generic-to-nvvm leaves no variable in the generic space: textures, samplers and surfaces are handles. */
static bool is_generic_variable(const Verifier *v, StrId name)
{
	const IrModule *m = v->f->module->ir;
	IrRef           g = m && name.i ? ir_find_global(m, ir_str(m, name)) : IR_NO_REF;
	u64             yes;
	if (ir_is_none(g) || ir_global(m, g)->kind != IRG_VAR || ir_global(m, g)->addrspace != 0)
		return false;
	return !ir_annotation(m, g, "texture", 0, &yes) && !ir_annotation(m, g, "sampler", 0, &yes) &&
	       !ir_annotation(m, g, "surface", 0, &yes);
}

static void check_reference(Verifier *v, MirInstId i, const MirOp *o)
{
	if (o->kind == MO_REG)
		check_register(v, i, o);
	else if (o->kind == MO_BLOCK && !is_block(v, o->ref))
		wrong(v, i, "operand names a block that is not there");
	else if (o->kind == MO_FRAME && o->ref >= v->f->frame.n)
		wrong(v, i, "operand names a stack object that is not there");
	else if (o->kind == MO_FRAME && v->f->props & MP_ALLOCATED)
		wrong(v, i, "operand names a stack object behind prologepilog, which gives each an address");
	else if (o->kind == MO_JUMP_TABLE && o->ref >= v->f->jump_table.n)
		wrong(v, i, "operand names a jump table that is not there");
	else if (o->kind == MO_GLOBAL && is_generic_variable(v, (StrId){o->ref}))
		wrong(v, i, "operand names a variable of the generic address space");
	else if (o->kind == MO_PROTO && o->ref >= v->f->proto.n)
		wrong(v, i, "operand names a prototype that is not there");
}

static u32 explicit_operands(const MirInst *mi, const MirOp *o)
{
	u32 n = mi->n_ops;
	while (n && o[n - 1].kind == MO_REG && (o[n - 1].flags & MOF_IMPLICIT))
		n--;
	return n;
}

static void check_against_desc(Verifier *v, MirInstId i)
{
	const IsaDesc *d = mir_desc(v->f, i);
	const MirInst *mi = mir_inst(v->f, i);
	const MirOp   *o = mir_ops(v->f, i);
	u32            n = explicit_operands(mi, o);
	if (n < d->n_operands || (n > d->n_operands && !(d->flags & IF_VARIADIC))) {
		wrong(v, i, "%u operands instead of %u", n, d->n_operands);
		return;
	}
	if (!(d->flags & IF_VARIADIC) && mi->n_defs != d->n_defs)
		wrong(v, i, "%u results instead of %u", mi->n_defs, d->n_defs);
	for (u32 k = 0; k < d->n_operands; k++) {
		const IsaOperand *want = &d->operand[k];
		bool              sink = (want->flags & (IOF_SINK | IOF_GAP)) && o[k].kind == MO_NONE;
		if (sink || d->flags & IF_GENERIC)
			continue;
		bool constant = (d->opc.op == ISA_mov || d->flags & IF_WARP) && o[k].kind == MO_IMM; /* mov.pred %p, -1; a vote */
		if (!kind_fits(want->kind, &o[k]) && !constant)
			wrong(v, i, "operand %u is of the wrong kind", k);
		else if (mir_op_reg(&o[k]).i && mir_is_virt(mir_op_reg(&o[k])) && mir_op_reg(&o[k]).i < v->f->vreg.n &&
		         !class_fits(want, mir_class(v->f, mir_op_reg(&o[k]))))
			wrong(v, i, "operand %u is a register of class %s", k,
			      isa_class_info[mir_class(v->f, mir_op_reg(&o[k]))].name);
	}
}

static void check_copy(Verifier *v, MirInstId i)
{
	const MirOp *o = mir_ops(v->f, i);
	if (mir_inst(v->f, i)->n_ops != 2 || o[0].kind != MO_REG || o[1].kind != MO_REG) {
		wrong(v, i, "a copy is from a register to a register");
		return;
	}
	MirReg a = mir_op_reg(&o[0]), b = mir_op_reg(&o[1]);
	if (!mir_is_virt(a) || !mir_is_virt(b) || a.i >= v->f->vreg.n || b.i >= v->f->vreg.n)
		return;
	MirClass ca = mir_class(v->f, a), cb = mir_class(v->f, b);
	if (isa_class_info[ca].bits != isa_class_info[cb].bits)
		wrong(v, i, "a copy between registers of different width");
}

/* ---- phis ---- */

static void check_phi(Verifier *v, MirInstId i)
{
	const MirInst *mi = mir_inst(v->f, i);
	const MirOp   *o = mir_ops(v->f, i);
	MirBlockId     b = {mi->block};
	if (v->f->props & MP_NO_PHIS) /* two-address-instruction leaves SSA form before the phis go */
		wrong(v, i, "a phi in a function without");
	if (mi->prev && mir_inst(v->f, (MirInstId){mi->prev})->desc != ISA_PHI)
		wrong(v, i, "a phi behind another instruction");
	if (mi->n_ops % 2 == 0 || mi->n_ops < 3) {
		wrong(v, i, "a phi has pairs of register and block");
		return;
	}
	for (u32 n = 1; n < mi->n_ops; n += 2) {
		if (o[n].kind != MO_REG || o[n + 1].kind != MO_BLOCK)
			wrong(v, i, "a phi has pairs of register and block");
		else if (is_block(v, o[n + 1].ref) && !mir_has_edge(v->f, (MirBlockId){o[n + 1].ref}, b))
			wrong(v, i, "a phi names bb.%u, which is no predecessor",
			      mir_block(v->f, (MirBlockId){o[n + 1].ref})->number);
	}
	mir_each_pred(v->f, b, e) {
		bool found = false;
		for (u32 n = 1; n < mi->n_ops; n += 2)
			found |= o[n + 1].ref == e->from;
		if (!found)
			wrong(v, i, "a phi without a value from bb.%u", mir_block(v->f, (MirBlockId){e->from})->number);
	}
}

/* ---- use lists, SSA ---- */

static void check_lists(Verifier *v, MirReg r)
{
	const MirVReg *vr = mir_vreg(v->f, r);
	u32            defs = 0, uses = 0;
	if (vr->cls == MIR_NO_CLASS || vr->cls >= MIR_CLASSES)
		wrong(v, (MirInstId){0}, "%%%u has no class", r.i - 1);
	mir_each_def(v->f, r, o) {
		defs++;
		if (o->ref != r.i || !mir_op_is_def(o) || !mir_inst(v->f, (MirInstId){o->inst})->block)
			wrong(v, (MirInstId){o->inst}, "the definitions of %%%u are broken", r.i - 1);
	}
	mir_each_use(v->f, r, o) {
		uses++;
		if (o->ref != r.i || !mir_op_is_use(o) || !mir_inst(v->f, (MirInstId){o->inst})->block)
			wrong(v, (MirInstId){o->inst}, "the uses of %%%u are broken", r.i - 1);
	}
	if (defs != vr->n_defs || uses != vr->n_uses)
		wrong(v, (MirInstId){0}, "%%%u counts %u definitions and %u uses, and has %u and %u", r.i - 1, vr->n_defs,
		      vr->n_uses, defs, uses);
}

static void check_ssa(Verifier *v, MirReg r)
{
	const MirVReg *vr = mir_vreg(v->f, r);
	if (!(v->f->props & MP_SSA))
		return;
	if (vr->n_defs > 1) {
		wrong(v, (MirInstId){mir_op_at(v->f, vr->defs)->inst}, "%%%u is defined %u times", r.i - 1, vr->n_defs);
		return;
	}
	MirInstId d = mir_def_inst(v->f, r);
	mir_each_use(v->f, r, o) {
		MirInstId u = {o->inst};
		if (o->flags & MOF_UNDEF)
			continue;
		if (!d.i) {
			wrong(v, u, "%%%u is used and not defined", r.i - 1);
			continue;
		}
		MirBlockId from = {mir_inst(v->f, d)->block}, at = {mir_inst(v->f, u)->block};
		if (mir_inst(v->f, u)->desc == ISA_PHI)
			at.i = o[1].ref;
		else if (from.i == at.i) {
			if (!mir_before(v->f, d, u))
				wrong(v, u, "%%%u is used in front of its definition", r.i - 1);
			continue;
		}
		if (is_block(v, at.i) && !dom_dominates(&v->dom, v->cfg->node[from.i], v->cfg->node[at.i]))
			wrong(v, u, "the definition of %%%u does not dominate this use", r.i - 1);
	}
}

/* ---- blocks ---- */

/* Successors must be what the terminators name, and the next block where control can fall through. */
static void check_successors(Verifier *v, MirBlockId b)
{
	MirFunc *f = v->f;
	Bitset   named = bitset_new(&v->scratch, f->block.n);
	bool     falls = true, opaque = false;
	for (MirInstId i = mir_first_terminator(f, b); i.i; i = mir_next(f, i)) {
		const IsaDesc *d = mir_desc(f, i);
		const MirOp   *o = mir_ops(f, i);
		for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
			if (o[n].kind == MO_BLOCK && is_block(v, o[n].ref))
				bitset_add(named, o[n].ref);
			if (o[n].kind == MO_JUMP_TABLE && o[n].ref < f->jump_table.n)
				for (u32 k = 0; k < f->jump_table.p[o[n].ref].block.n; k++)
					bitset_add(named, f->jump_table.p[o[n].ref].block.p[k]);
		}
		opaque |= d->opc.op == ISA_INLINEASM_BR;
		falls &= !(d->flags & IF_BARRIER) || d->opc.slot[SLOT_guard];
	}
	if (falls && mir_block(f, b)->next && mir_block(f, b)->n_succs)
		bitset_add(named, mir_block(f, b)->next);
	mir_each_succ(f, b, e) {
		if (!bitset_has(named, e->to) && !opaque)
			wrong(v, (MirInstId){mir_block(f, b)->last}, "bb.%u does not branch to its successor bb.%u",
			      mir_block(f, b)->number, mir_block(f, (MirBlockId){e->to})->number);
		bitset_del(named, e->to);
	}
	bitset_each(named, to)
		if (to != mir_block(f, b)->next || mir_first_terminator(f, b).i)
			wrong(v, (MirInstId){mir_block(f, b)->last}, "bb.%u branches to bb.%u, which is not among its successors",
			      mir_block(f, b)->number, mir_block(f, (MirBlockId){to})->number);
}

static void check_block(Verifier *v, MirBlockId b)
{
	bool ended = false;
	u32  order = 0;
	for (MirInstId i = {mir_block(v->f, b)->first}; i.i; i = mir_next(v->f, i)) {
		const MirInst *mi = mir_inst(v->f, i);
		if (mi->block != b.i)
			wrong(v, i, "the instruction is not in bb.%u, where it stands", mir_block(v->f, b)->number);
		if (mi->order <= order && !mir_block(v->f, b)->unordered)
			wrong(v, i, "order numbers do not grow");
		order = mi->order;
		for (u32 n = 0; n < mi->n_ops; n++)
			check_reference(v, i, mir_op(v->f, i, n));
		if (mi->desc == ISA_PHI)
			check_phi(v, i);
		else if (mi->desc == ISA_COPY)
			check_copy(v, i);
		else
			check_against_desc(v, i);
		if (ended && !mir_is(v->f, i, IF_TERMINATOR))
			wrong(v, i, "an instruction behind a terminator");
		ended |= mir_is(v->f, i, IF_TERMINATOR);
	}
	check_successors(v, b);
}

static void check_budget(Verifier *v, const MirRpa *rpa, IsaFile file, u32 units)
{
	static const char *const name[FILE_COUNT] = {[FILE_R] = "R", [FILE_P] = "P"};
	mir_each_block(v->f, b) {
		const MirPressure *peak = &rpa->block[b.i].peak;
		if (peak->unit[file] > units)
			wrong(v, (MirInstId){0}, "%u registers of file %s are live at once in bb.%u, above the budget of %u",
			      mir_pressure_regs(peak, file), name[file], mir_block(v->f, b)->number,
			      mir_budget(v->f, file).limit);
	}
}

/* Behind allocation no more is live at any point than the budgets allow, whatever the pass at hand has done. */
static void check_budgets(Verifier *v)
{
	MirFunc *f = v->f;
	MirRpa  *rpa = NULL;
	for (u32 file = FILE_NONE + 1; file < FILE_COUNT; file++) {
		u32 units = mir_budget_units(f, (IsaFile)file);
		if (units == MIR_NO_LIMIT || !mir_func_may_exceed(f, (IsaFile)file, units))
			continue;
		if (!rpa) {
			Loops *loops = loops_new(&v->cfg->g, &v->cfg->order, &v->dom, &v->scratch);
			rpa = mir_rpa_new(mir_ranges_all((MirFlow){f, v->cfg, loops}, &v->scratch), &v->scratch);
		}
		check_budget(v, rpa, (IsaFile)file, units);
	}
}

bool mir_verify(MirFunc *f, Text *errors)
{
	Verifier v = {.f = f, .s = f->module->session, .out = errors};
	arena_init(&v.scratch, f->arena->budget);
	if (f->first_block)
		v.cfg = mir_cfg_build(f, &v.scratch), v.dom = dom_build(&v.cfg->g, &v.scratch, 0);
	mir_each_block(f, b)
		check_block(&v, b);
	if (v.cfg && f->props & MP_REDUCIBLE && !graph_is_reducible(&v.cfg->g, &v.cfg->order, &v.dom))
		wrong(&v, (MirInstId){0}, "a cycle has several headers: the control flow was reducible before");
	if (f->slots && !mir_slots_are_ordered(f))
		wrong(&v, (MirInstId){0}, "slots do not grow along the layout");
	for (u32 r = 1; r < f->vreg.n; r++) {
		check_lists(&v, (MirReg){r});
		if (!v.wrong)
			check_ssa(&v, (MirReg){r});
	}
	if (!v.wrong && v.cfg && f->within_budget)
		check_budgets(&v);
	if (v.wrong > MAX_LINES && errors)
		text_f(errors, "and %u more\n", v.wrong - MAX_LINES);
	arena_free(&v.scratch);
	return v.wrong == 0;
}
