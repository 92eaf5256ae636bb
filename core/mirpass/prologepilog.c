/* prologepilog: places the objects of the frame and turns frame indices into addresses.
 *
 *	%3 = FRAME_ADDR %stack.1             →    %3 = add.u64 $vrframe, 8
 *	%4 = FRAME_ADDR_LOCAL %stack.1       →    %4 = add.u64 $vrframelocal, 8
 *	st.local.u32 %stack.1, 4, %5         →    st.local.u32 $vrframelocal, 12, %5
 *
 * Objects lie upward from 0: fixed ones, spill slots, those of variable size, then locals, each group in the
 * order of its numbers; dead ones take no room. The frame's alignment is the greatest of its objects', its
 * size a multiple of that. nvptx-prolog-epilog declares the depot and sets the two registers. */
#include "mirpass/mirpass.h"

static void place(MirFunc *f, MirFrameCategory category, u64 *top)
{
	for (u32 n = 0; n < f->frame.n; n++) {
		MirFrameObj *o = &f->frame.p[n];
		if (o->category != category || o->is_dead)
			continue;
		*top = align_up(*top, (u64)1 << o->align_log2);
		o->offset = (i64)*top;
		*top += o->size;
		f->frame_align_log2 = PS_MAX(f->frame_align_log2, o->align_log2);
	}
}

static void layout(MirFunc *f)
{
	static const MirFrameCategory order[] = {MIR_FRAME_FIXED, MIR_FRAME_SPILL, MIR_FRAME_VARIABLE, MIR_FRAME_LOCAL};
	u64                           top = 0;
	f->frame_align_log2 = 0;
	for (u32 k = 0; k < PS_COUNT(order); k++)
		place(f, order[k], &top);
	f->frame_size = align_up(top, (u64)1 << f->frame_align_log2);
	f->props |= MP_ALLOCATED;
}

static bool is_local(const MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	const MirMem  *m = mir_mem(f, i);
	return d->opc.op == ISA_FRAME_ADDR_LOCAL || d->opc.slot[SLOT_space] == TOK_space_local || (m && m->space == AS_LOCAL);
}

/* The frame operand names its object's register; its offset goes to the offset operand behind it. */
static void rewrite(Session *s, MirFunc *f, MirInstId i, u32 n)
{
	const IsaDesc *d = mir_desc(f, i);
	MirOp          o = *mir_op(f, i, n);
	i64            offset = f->frame.p[o.ref].offset + o.imm;
	MirReg         base = mir_phys(is_local(f, i) ? MIR_PHYS_SPL : MIR_PHYS_SP);
	bool           address = n < d->n_operands && d->operand[n].kind == IO_BASE;
	mir_op_set(f, i, n, (MirOp){.kind = MO_REG, .ref = base.i});
	if (address) {
		mir_op_set_imm(f, i, n + 1, mir_op(f, i, n + 1)->imm + offset);
		return;
	}
	PtxOpc add = {.op = ISA_add};
	add.slot[SLOT_type] = s->target.is64 ? TOK_type_u64 : TOK_type_u32;
	mir_set_desc(f, i, isa_intern(s, add));
	mir_add_imm(f, i, offset);
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	if (!f->frame.n || (f->props & MP_ALLOCATED))
		return false;
	layout(f);
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
				if (mir_op(f, i, n)->kind == MO_FRAME)
					rewrite(cx->s, f, i, n);
	return true;
}

const Pass mirpass_prologepilog = {
	.id = "prologepilog",
	.title = "Prologue/Epilogue Insertion & Frame Finalization",
	.summary = "Assigns offsets in the local depot to the stack objects of a function.",
	.group = "post-ra",
	.level = PASS_MIR,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
