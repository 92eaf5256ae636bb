/* nvptx-peephole: address conversions that cancel.
 *
 *	%2 = cvta.global %1; %3 = cvta.to.global %2            %3 is %1
 *	%2 = cvta.shared %1; ld.shared [%2]                    ld.shared [%1]
 *	%2 = FRAME_ADDR %stack.0; %3 = cvta.to.local %2        %3 = FRAME_ADDR_LOCAL %stack.0
 *
 * Only where the provenance is seen: a generic pointer of unknown origin keeps its cvta.to, since the windows
 * of .shared and .local have offsets. The second form asks that all readers are accesses of that space; one
 * generic reader keeps the conversion. Replaced instructions are erased once the block is done, the
 * conversion itself when nobody reads it any more. */
#include "mirpass/mirpass.h"

typedef struct Peephole {
	PassCx  *cx;
	MirFunc *f;
	VecU32   dead; /* instructions that may have lost their last reader */
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

/* cvta.to.X of cvta.X, or of a stack object's address. */
static void to_space(Peephole *p, MirInstId i, u32 space)
{
	MirFunc  *f = p->f;
	MirReg    result = mir_op_reg(mir_op(f, i, 0)), source = mir_op_reg(mir_op(f, i, 1));
	MirInstId d = single(f, source) ? mir_def_inst(f, source) : (MirInstId){0};
	if (!d.i)
		return;
	if (space == TOK_space_local && mir_inst(f, d)->desc == ISA_FRAME_ADDR) {
		MirOp frame = *mir_op(f, d, 1);
		mir_set_desc(f, i, ISA_FRAME_ADDR_LOCAL);
		mir_op_set(f, i, 1, frame);
		forget(p, d);
		p->changed = true;
		return;
	}
	MirReg inner = cvta_space(f, d, false) == space ? mir_op_reg(mir_op(f, d, 1)) : (MirReg){0};
	if (!single(f, inner) || !single(f, result) || mir_class(f, inner) != mir_class(f, result))
		return;
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
	if (!single(f, result) || !single(f, source) || !mir_vreg(f, result)->n_uses ||
	    mir_class(f, result) != mir_class(f, source))
		return;
	mir_each_use(f, result, o)
		if (!reads_as_base(f, o, space))
			return;
	mir_replace_uses(f, result, source);
	forget(p, i);
	p->changed = true;
}

static void sweep(Peephole *p)
{
	while (p->dead.n) {
		MirInstId i = {vec_pop(&p->dead)};
		if (mir_inst(p->f, i)->block && !mir_vreg(p->f, mir_op_reg(mir_op(p->f, i, 0)))->n_uses)
			mir_erase(p->f, i);
	}
}

static bool run(PassCx *cx)
{
	Peephole p = {.cx = cx, .f = mirpass_func(cx)};
	if (!mir_may_have(p.f, ISA_cvta))
		return false;
	mir_each_block(p.f, b) {
		for (MirInstId i = {mir_block(p.f, b)->first}; i.i; i = mir_next(p.f, i)) {
			u32 to = cvta_space(p.f, i, true), from = cvta_space(p.f, i, false);
			if (to)
				to_space(&p, i, to);
			else if (from)
				to_generic(&p, i, from);
		}
		sweep(&p);
	}
	return p.changed;
}

const Pass mirpass_nvptx_peephole = {
	.id = "nvptx-peephole",
	.title = "nvptx-peephole",
	.summary = "Cancels address conversions: cvta pairs, conversions all of whose readers know the space",
	.group = "pre-ra",
	.level = PASS_MIR,
	.gate = KNOB_enable_nvvm_peephole,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
