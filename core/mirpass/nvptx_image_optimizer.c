/* nvptx-image-optimizer: kinds of image handles are checked, and fetches of one place are merged.
 *
 *	%4, … = TEX_2D_F32_F32_RR %1, %2, %x, %y
 *	%8, … = TEX_2D_F32_F32_RR %1, %2, %x, %y            →     readers of %8 read %4
 *
 *	%x = SHLb32ri %i, 3; %x4 = ADDs32ri %x, 4
 *	%5 = SULD_1D_I32_TRAP_R %1, %x                      →     %5, %6 = SULD_1D_V2I32_TRAP_R %1, %x
 *	%6 = SULD_1D_I32_TRAP_R %1, %x4
 *
 * A handle that is known to be of another kind than the instruction takes is an error: "Invalid image type in .tex", ".suld",
 * ".sust" or "suq.".
 *
 * Fetches are merged within a block where nothing in between writes memory, waits or calls. Equal ones become the first. Two loads
 * of neighbouring elements of a surface become a vector where the first is aligned to it; and only those that trap out of range:
 * with .clamp and .zero a vector at the end of a row gives other values than its elements.
 *
 * Needs SSA for the merging; keeps the control flow. Cost: each fetch is compared with at most MAX_FETCHES before it. */
#include "mirpass/images.h"

enum { MAX_FETCHES = 32, MAX_STEPS = 8 };

typedef struct Images {
	PassCx  *cx;
	MirFunc *f;
	u32      fetch[MAX_FETCHES], n; /* of this block, still good */
	bool     changed;
} Images;

static bool is_fetch(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	return (d->eval == EV_tex || d->opc.op == ISA_suld_b) && !d->opc.slot[SLOT_guard] && !d->opc.slot[SLOT_form] &&
	       !(mir_inst(f, i)->flags & MIF_SIDE_EFFECT);
}

static bool same_op(const MirOp *a, const MirOp *b)
{
	return a->kind == b->kind && a->ref == b->ref && (a->kind == MO_REG || a->imm == b->imm);
}

/* The sources of both from operand `from` on are equal. */
static bool same_sources(const MirFunc *f, MirInstId a, MirInstId b, u32 from)
{
	if (mir_inst(f, a)->desc != mir_inst(f, b)->desc || mir_inst(f, a)->n_ops != mir_inst(f, b)->n_ops)
		return false;
	for (u32 n = from; n < mir_inst(f, a)->n_ops; n++)
		if (!same_op(mir_op(f, a, n), mir_op(f, b, n)))
			return false;
	return true;
}

static void merge_equal(Images *m, MirInstId had, MirInstId i)
{
	MirFunc *f = m->f;
	pass_remark(m->cx, REMARK_PASSED, mir_inst(f, i)->origin, "the same place has been fetched already");
	for (u32 n = 0; n < mir_inst(f, i)->n_defs; n++)
		mir_replace_uses(f, mir_op_reg(mir_op(f, i, n)), mir_op_reg(mir_op(f, had, n)));
	mir_erase(f, i);
	m->changed = true;
}

/* ---- neighbouring elements of a surface ---- */

typedef struct Place {
	u32 reg; /* 0: a number alone */
	i64 offset;
} Place;

/* x as a register plus a number. */
static Place place_of(const MirFunc *f, const MirOp *x)
{
	Place p = {x->kind == MO_REG ? x->ref : 0, x->kind == MO_REG ? 0 : x->imm};
	for (u32 step = 0; step < MAX_STEPS && p.reg && mir_is_virt((MirReg){p.reg}); step++) {
		MirInstId      d = mir_def_inst(f, (MirReg){p.reg});
		const IsaDesc *desc = d.i ? mir_desc(f, d) : NULL;
		if (!d.i || desc->opc.slot[SLOT_guard] || (desc->opc.op != ISA_add && desc->opc.op != ISA_or) ||
		    mir_op(f, d, 1)->kind != MO_REG || mir_op(f, d, 2)->kind != MO_IMM || mir_op(f, d, 2)->imm < 0 ||
		    (desc->opc.op == ISA_or && !(mir_inst(f, d)->flags & MIF_DISJOINT)))
			break;
		p.offset += mir_op(f, d, 2)->imm;
		p.reg = mir_op(f, d, 1)->ref;
	}
	return p;
}

/* Zeros at the low end of a register, as far as its definition says. */
static u32 low_zeros(const MirFunc *f, u32 reg)
{
	MirInstId      d = mir_is_virt((MirReg){reg}) ? mir_def_inst(f, (MirReg){reg}) : (MirInstId){0};
	const IsaDesc *desc = d.i ? mir_desc(f, d) : NULL;
	if (!d.i || desc->opc.slot[SLOT_guard] || mir_inst(f, d)->n_ops < 3 || mir_op(f, d, 2)->kind != MO_IMM)
		return 0;
	u64 v = (u64)mir_op(f, d, 2)->imm;
	if (desc->opc.op == ISA_shl)
		return (u32)PS_MIN(v, 31);
	bool product = desc->opc.op == ISA_mul_lo && desc->opc.slot[SLOT_op] == TOK_op_lo;
	u32  zeros = 0;
	while (zeros < 31 && !(v >> zeros & 1))
		zeros++;
	return product || desc->opc.op == ISA_and ? zeros : 0;
}

/* Does `second` load the element behind that of `first`, and is the pair aligned to its size? */
static bool are_neighbours(const MirFunc *f, MirInstId first, MirInstId second)
{
	const IsaDesc *d = mir_desc(f, first);
	if (d->opc.op != ISA_suld_b || d->opc.slot[SLOT_vec] || d->opc.slot[SLOT_mode] != TOK_mode_trap ||
	    !same_op(mir_op(f, first, 1), mir_op(f, second, 1)) || !same_sources(f, first, second, 3))
		return false;
	Place a = place_of(f, mir_op(f, first, 2)), b = place_of(f, mir_op(f, second, 2));
	i64   size = isa_type(d->opc.slot[SLOT_type])->bits / 8;
	if (a.reg != b.reg || b.offset - a.offset != size || a.offset & (2 * size - 1))
		return false;
	return !a.reg || (i64)1 << low_zeros(f, a.reg) >= 2 * size;
}

static void make_vector(Images *m, u32 at, MirInstId i)
{
	MirFunc  *f = m->f;
	MirInstId first = {m->fetch[at]};
	PtxOpc    o = mir_desc(f, first)->opc;
	o.slot[SLOT_vec] = TOK_vec_v2;
	pass_remark(m->cx, REMARK_PASSED, mir_inst(f, i)->origin,
	            "two neighbouring elements of a surface are loaded as a vector");
	f->origin = mir_inst(f, first)->origin, f->dbg = mir_inst(f, first)->dbg;
	MirInstId k = mir_build(f, (MirBlockId){mir_inst(f, first)->block}, first, isa_intern(m->cx->s, o));
	MirReg    x = mir_op_reg(mir_op(f, first, 0)), y = mir_op_reg(mir_op(f, i, 0));
	MirOp     source[8];
	u32       n = 0;
	for (u32 s = 1; s < mir_inst(f, first)->n_ops && n < PS_COUNT(source); s++)
		source[n++] = *mir_op(f, first, s);
	mir_erase(f, first);
	mir_erase(f, i);
	mir_add_def(f, k, x);
	mir_add_def(f, k, y);
	for (u32 s = 0; s < n; s++)
		mir_add_op(f, k, source[s]);
	m->fetch[at] = k.i;
	m->changed = true;
}

/* ---- the pass ---- */

static void visit_fetch(Images *m, MirInstId i)
{
	for (u32 k = 0; k < m->n; k++) {
		MirInstId had = {m->fetch[k]};
		if (same_sources(m->f, had, i, mir_inst(m->f, i)->n_defs)) {
			merge_equal(m, had, i);
			return;
		}
		if (are_neighbours(m->f, had, i)) {
			make_vector(m, k, i);
			return;
		}
	}
	if (m->n == MAX_FETCHES)
		memmove(m->fetch, m->fetch + 1, (--m->n) * sizeof m->fetch[0]);
	m->fetch[m->n++] = i.i;
}

static bool ends_fetches(const MirFunc *f, MirInstId i)
{
	return mir_is(f, i, IF_STORE | IF_CALL | IF_SIDE_EFFECTS | IF_CONVERGENT | IF_FENCE) ||
	       mir_inst(f, i)->flags & (MIF_SIDE_EFFECT | MIF_NO_DUP);
}

static void check(PassCx *cx, const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	for (u32 k = 0; d->flags & (IF_TEXTURE | IF_SURFACE) && k < d->n_operands; k++)
		if (d->operand[k].kind == IO_IMAGE)
			mirpass_image_check(cx, f, i, k);
}

static bool run(PassCx *cx)
{
	Images m = {.cx = cx, .f = mirpass_func(cx)};
	if (!mirpass_has_images(m.f))
		return false;
	mir_each_block(m.f, b) {
		m.n = 0;
		mir_each_inst(m.f, b, i) {
			check(cx, m.f, i);
			if (ends_fetches(m.f, i))
				m.n = 0;
			else if (m.f->props & MP_SSA && is_fetch(m.f, i))
				visit_fetch(&m, i);
		}
	}
	return m.changed;
}

const Pass mirpass_nvptx_image_optimizer = {
	.id = "nvptx-image-optimizer",
	.title = "NVPTX Image Optimizer",
	.summary = "Checks kinds of image handles; merges fetches of one place and of neighbouring elements",
	.group = "pre-ra",
	.level = PASS_MIR,
	.disable = KNOB_disable_nvptx_image_optimizer,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
