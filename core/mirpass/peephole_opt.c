/* peephole-opt: copies, and branches on what another predicate says already.
 *
 *	%2 = COPY %1                                                      readers of %2 read %1's definition
 *	%3 = NOTpred %1; CBranch %3, %bb.2                          →     CBranchOther %1, %bb.2
 *	%4 = SELP_b32iir 1, 0, %1; %5 = SETP_ne_s32ri %4, 0          →     readers of %5 read %1
 *	%5 = SETP_eq_s32ri %4, 0; CBranch %5, %bb.2                 →     CBranchOther %1, %bb.2
 *
 * The stock peephole: generic copies, and the compare that a branch reads. What is left without readers is dead-mi-elimination's.
 * Which numbers the selection gives and with what they are compared is evaluated: any two constants with a comparison that tells
 * them apart will do.
 *
 * Needs SSA; keeps the control flow. Cost: one look at each instruction, at most MAX_STEPS predicates behind each branch. */
#include "mirpass/mirpass.h"

#include "sem/int.h"

enum { MAX_STEPS = 8 };

typedef struct Predicate {
	MirReg reg;     /* 0: there is nothing simpler */
	bool   negated; /* its complement is meant */
} Predicate;

static bool is_copy(const MirFunc *f, MirInstId i) { return mir_inst(f, i)->desc == ISA_COPY && mirpass_is_move(f, i); }

static bool holds(u32 cmp, const IsaType *t, i64 a, i64 b)
{
	return sem_icmp(isa_cmp(cmp), t->bits, t->kind == ISA_KIND_SINT, (u64)a & sem_mask(t->bits), (u64)b & sem_mask(t->bits));
}

static bool is_plain(const IsaDesc *d) { return !d->opc.slot[SLOT_guard] && !d->opc.slot[SLOT_bop] && !d->opc.slot[SLOT_form]; }

/* setp of (p ? number : number) and a number. */
static Predicate behind_compare(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirOp   *a = mir_op(f, i, 1), *b = mir_op(f, i, 2);
	const IsaType *t = isa_type(d->opc.slot[SLOT_type]);
	MirInstId      s = mir_is_virt(mir_op_reg(a)) ? mir_def_inst(f, mir_op_reg(a)) : (MirInstId){0};
	if (!is_plain(d) || t->kind == ISA_KIND_FLOAT || t->lanes != 1 || b->kind != MO_IMM || !s.i ||
	    mir_desc(f, s)->opc.op != ISA_selp || mir_desc(f, s)->opc.slot[SLOT_guard])
		return (Predicate){{0}, false};
	const MirOp *yes = mir_op(f, s, 1), *no = mir_op(f, s, 2), *p = mir_op(f, s, 3);
	if (yes->kind != MO_IMM || no->kind != MO_IMM || !mir_is_virt(mir_op_reg(p)))
		return (Predicate){{0}, false};
	bool x = holds(d->opc.slot[SLOT_cmp], t, yes->imm, b->imm), y = holds(d->opc.slot[SLOT_cmp], t, no->imm, b->imm);
	if (x == y)
		return (Predicate){{0}, false};
	return (Predicate){mir_op_reg(p), x != !(p->flags & MOF_NOT)};
}

/* The predicate that the one `i` defines is, or is the complement of. */
static Predicate behind(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	if (d->opc.op == ISA_setp && mir_inst(f, i)->n_defs == 1)
		return behind_compare(f, i);
	bool pred = d->opc.slot[SLOT_type] == TOK_type_pred && !d->opc.slot[SLOT_guard];
	if (pred && d->opc.op == ISA_not && mir_is_virt(mir_op_reg(mir_op(f, i, 1))))
		return (Predicate){mir_op_reg(mir_op(f, i, 1)), !(mir_op(f, i, 1)->flags & MOF_NOT)};
	const MirOp *b = pred && d->opc.op == ISA_xor ? mir_op(f, i, 2) : NULL;
	if (b && b->kind == MO_IMM && b->imm & 1 && mir_is_virt(mir_op_reg(mir_op(f, i, 1))))
		return (Predicate){mir_op_reg(mir_op(f, i, 1)), true};
	return (Predicate){{0}, false};
}

static bool simplify_branch(PassCx *cx, MirFunc *f, MirInstId i)
{
	PtxOpc    o = mir_desc(f, i)->opc;
	Predicate now = {mir_op_reg(mir_op(f, i, 0)), o.slot[SLOT_guard] == 2};
	u32       steps = 0;
	for (; steps < MAX_STEPS && mir_is_virt(now.reg); steps++) {
		MirInstId d = mir_def_inst(f, now.reg);
		Predicate p = d.i ? behind(f, d) : (Predicate){{0}, false};
		if (!p.reg.i)
			break;
		now = (Predicate){p.reg, p.negated != now.negated};
	}
	if (!steps)
		return false;
	pass_remark(cx, REMARK_PASSED, mir_inst(f, i)->origin, "the branch reads the predicate that its own one was made of");
	o.slot[SLOT_guard] = now.negated ? 2 : 1;
	mir_op_set_reg(f, i, 0, now.reg);
	mir_set_desc(f, i, isa_intern(cx->s, o));
	return true;
}

/* A comparison that only gives a predicate back. */
static bool simplify_compare(PassCx *cx, MirFunc *f, MirInstId i)
{
	Predicate p = behind(f, i);
	MirReg    r = mir_op_reg(mir_op(f, i, 0));
	if (!p.reg.i || p.negated || !mir_vreg(f, r)->n_uses)
		return false;
	pass_remark(cx, REMARK_PASSED, mir_inst(f, i)->origin, "the comparison gives back the predicate that was selected by");
	mir_replace_uses(f, r, p.reg);
	return true;
}

static bool fold_copy(PassCx *cx, MirFunc *f, MirInstId i)
{
	pass_remark(cx, REMARK_PASSED, mir_inst(f, i)->origin, "the copy goes: its readers read the source");
	mirpass_forward_move(f, i);
	return true;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i) {
			const IsaDesc *d = mir_desc(f, i);
			if (d->opc.op == ISA_setp && mir_inst(f, i)->n_defs == 1)
				changed |= simplify_compare(cx, f, i);
			else if (d->opc.op == ISA_bra && d->opc.slot[SLOT_guard])
				changed |= simplify_branch(cx, f, i);
			else if (is_copy(f, i))
				changed |= fold_copy(cx, f, i);
		}
	return changed;
}

const Pass mirpass_peephole_opt = {
	.id = "peephole-opt",
	.title = "Peephole Optimizations",
	.summary = "Folds copies, and lets branches read the predicate from which their own was computed.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_peephole,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
