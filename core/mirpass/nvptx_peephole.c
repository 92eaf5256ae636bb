/* nvptx-peephole: address conversions that cancel, and comparisons that only a branch reads.
 *
 *	%2 = CVTA_global_u64 %1; %3 = CVTA_to_global_u64 %2            readers of %3 read %1
 *	%2 = CVTA_shared_u64 %1; %4 = LD_shared_u32 %2, 0        →     %4 = LD_shared_u32 %1, 0
 *	%5 = SETP_lt_s32ri %1, 10; CBranch %5, %bb.2             →     dead %5 = CBR_SETP_lt_s32ri %1, 10, %bb.2
 *
 * A conversion goes only where the provenance is seen: a generic pointer of unknown origin keeps its cvta.to, since the windows
 * of .shared and .local have offsets. The second form asks that all readers are accesses of that space; one generic reader keeps
 * the conversion.
 *
 * A comparison becomes part of the branch where the branch is the only reader of the predicate, in the same block, and taken
 * where it is true, and the operands are written nowhere else. Between the two there may be copies alone: the fused instruction
 * reads the operands at the branch, which must not lengthen their lives. The machine has no such instruction: phi-node-elimination
 * makes setp and bra of it again, and the predicate's register is kept for them.
 *
 * Replaced instructions are erased once the block is done, a conversion when nobody reads it any more. Stack objects' addresses
 * are machineir-peepholes'. Cost: one look at each instruction and at the readers of a conversion. */
#include "mirpass/mirpass.h"

typedef struct Peephole {
	PassCx  *cx;
	MirFunc *f;
	VecU32   dead;   /* instructions that may have lost their last reader */
	VecU32   folded; /* comparisons that are part of a branch now */
	bool     changed;
} Peephole;

static u32 cvta_space(const MirFunc *f, MirInstId i, bool to)
{
	const IsaDesc *d = mir_desc(f, i);
	if (d->opc.op != ISA_cvta || d->opc.slot[SLOT_guard] || isa_has_flag(&d->opc, TOK_flag_to) != to)
		return 0;
	return mir_op(f, i, 1)->kind == MO_REG ? d->opc.slot[SLOT_space] : 0;
}

static bool single(const MirFunc *f, MirReg r) { return mir_is_virt(r) && mir_vreg(f, r)->n_defs == 1; }

static void forget(Peephole *p, MirInstId i) { vec_push(p->cx->scratch, &p->dead, i.i); }

/* cvta.to.X of cvta.X. */
static void to_space(Peephole *p, MirInstId i, u32 space)
{
	MirFunc  *f = p->f;
	MirReg    result = mir_op_reg(mir_op(f, i, 0)), source = mir_op_reg(mir_op(f, i, 1));
	MirInstId d = single(f, source) ? mir_def_inst(f, source) : (MirInstId){0};
	if (!d.i)
		return;
	MirReg inner = cvta_space(f, d, false) == space ? mir_op_reg(mir_op(f, d, 1)) : (MirReg){0};
	if (!single(f, inner) || !single(f, result) || !mir_alike(f, inner, result)) {
		pass_remark(p->cx, REMARK_MISSED, mir_inst(f, i)->origin,
		            "the conversion stays: it is not known where the generic address comes from");
		return;
	}
	pass_remark(p->cx, REMARK_PASSED, mir_inst(f, i)->origin, "the address goes back to the space that it came from");
	mir_replace_uses(f, result, inner);
	forget(p, d); /* looked at after its reader */
	forget(p, i);
	p->changed = true;
}

static bool reads_as_base(const MirFunc *f, const MirOp *o, u32 space)
{
	const IsaDesc *d = mir_desc(f, (MirInstId){o->inst});
	u32            n = mir_op_number(f, o);
	return n < d->n_operands && d->operand[n].kind == IO_BASE && d->opc.slot[SLOT_space] == space;
}

static void to_generic(Peephole *p, MirInstId i, u32 space)
{
	MirFunc *f = p->f;
	MirReg   result = mir_op_reg(mir_op(f, i, 0)), source = mir_op_reg(mir_op(f, i, 1));
	if (!single(f, result) || !single(f, source) || !mir_vreg(f, result)->n_uses || !mir_alike(f, result, source))
		return;
	mir_each_use(f, result, o)
		if (!reads_as_base(f, o, space)) {
			pass_remark(p->cx, REMARK_MISSED, mir_inst(f, i)->origin,
			            "the conversion stays: a reader wants a generic address");
			return;
		}
	pass_remark(p->cx, REMARK_PASSED, mir_inst(f, i)->origin, "the conversion goes: all readers access the space itself");
	mir_replace_uses(f, result, source);
	forget(p, i);
	p->changed = true;
}

/* ---- compare and branch ---- */

/* The branch that is the only reader of the predicate, in the block of `i`; else 0 and the reason. */
static MirInstId only_branch(const MirFunc *f, MirInstId i, const char **why)
{
	MirReg    p = mir_op_reg(mir_op(f, i, 0));
	MirInstId branch = {0};
	*why = "the predicate has several readers";
	if (!single(f, p) || mir_vreg(f, p)->n_uses != 1)
		return branch;
	mir_each_use(f, p, o)
		branch.i = o->inst;
	const IsaDesc *d = mir_desc(f, branch);
	*why = d->opc.op != ISA_bra                                  ? "its reader is no branch"
	       : mir_inst(f, branch)->block != mir_inst(f, i)->block ? "the branch is in another block"
	       : d->opc.slot[SLOT_guard] != 1                        ? "the branch is taken where the predicate is false"
	                                                             : NULL;
	return *why ? (MirInstId){0} : branch;
}

/* Do the operands of `i` hold the same at `branch`, and do they live until there anyway? */
static const char *operands_differ(const MirFunc *f, MirInstId i, MirInstId branch)
{
	for (u32 n = 1; n <= 2; n++) {
		MirReg r = mir_op_reg(mir_op(f, i, n));
		if (mir_is_virt(r) && mir_vreg(f, r)->n_defs != 1)
			return "an operand is written more than once";
	}
	for (MirInstId k = mir_next(f, i); k.i != branch.i; k = mir_next(f, k))
		if (!mir_is(f, k, IF_COPY | IF_META | IF_TERMINATOR))
			return "other instructions stand in between";
	return NULL;
}

static bool is_compare(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	return d->opc.op == ISA_setp && !d->opc.slot[SLOT_guard] && !d->opc.slot[SLOT_bop] && !d->opc.slot[SLOT_form] &&
	       mir_inst(f, i)->n_ops == 3;
}

static void fold_branch(Peephole *p, MirInstId i)
{
	MirFunc    *f = p->f;
	const char *why;
	MirInstId   branch = only_branch(f, i, &why);
	if (!why)
		why = operands_differ(f, i, branch);
	if (why) {
		pass_remark(p->cx, REMARK_MISSED, mir_inst(f, i)->origin, "the comparison stays apart from its branch: %s", why);
		return;
	}
	pass_remark(p->cx, REMARK_PASSED, mir_inst(f, branch)->origin,
	            "the branch compares by itself: it alone read the predicate");
	PtxOpc fused = mir_desc(f, i)->opc;
	fused.op = ISA_bra_setp;
	f->origin = mir_inst(f, branch)->origin, f->dbg = mir_inst(f, branch)->dbg;
	MirInstId k = mir_build(f, (MirBlockId){mir_inst(f, branch)->block}, branch, isa_intern(p->cx->s, fused));
	u32       flags = mir_inst(f, i)->flags | mir_inst(f, branch)->flags;
	mir_add_reg(f, k, mir_op_reg(mir_op(f, i, 0)), MOF_DEF | MOF_DEAD);
	mir_add_op(f, k, *mir_op(f, i, 1));
	mir_add_op(f, k, *mir_op(f, i, 2));
	mir_add_block(f, k, (MirBlockId){mir_op(f, branch, 1)->ref});
	mir_inst(f, k)->flags = (u16)flags;
	mir_set_compare_dbg(f, k, mir_inst(f, i)->dbg);
	mir_erase(f, branch);
	vec_push(p->cx->scratch, &p->folded, i.i);
	p->changed = true;
}

static void sweep(Peephole *p)
{
	while (p->folded.n)
		mir_erase(p->f, (MirInstId){vec_pop(&p->folded)});
	while (p->dead.n) {
		MirInstId i = {vec_pop(&p->dead)};
		if (!mir_inst(p->f, i)->block)
			continue;
		if (!mir_vreg(p->f, mir_op_reg(mir_op(p->f, i, 0)))->n_uses)
			mir_erase(p->f, i);
		else if (cvta_space(p->f, i, false))
			to_generic(p, i, cvta_space(p->f, i, false)); /* its other readers may do without it too */
	}
}

static bool run(PassCx *cx)
{
	Peephole p = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(p.f, ISA_cvta) && !mir_may_have(p.f, ISA_setp))
		return false;
	mir_each_block(p.f, b) {
		for (MirInstId i = {mir_block(p.f, b)->first}; i.i; i = mir_next(p.f, i)) {
			u32 to = cvta_space(p.f, i, true), from = cvta_space(p.f, i, false);
			if (to)
				to_space(&p, i, to);
			else if (from)
				to_generic(&p, i, from);
			else if (is_compare(p.f, i))
				fold_branch(&p, i);
		}
		sweep(&p);
	}
	return p.changed;
}

const Pass mirpass_nvptx_peephole = {
	.id = "nvptx-peephole",
	.title = "nvptx-peephole",
	.summary = "Deletes address conversions (cvta) that cancel out, and fuses a comparison with its only use, a branch.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.gate = KNOB_enable_nvvm_peephole,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
