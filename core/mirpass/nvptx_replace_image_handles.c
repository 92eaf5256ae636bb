/* nvptx-replace-image-handles: a texture, sampler or surface that is known becomes the operand itself.
 *
 *	%0 = LD_param_u64 &foo_param_0, 0
 *	%2 = SULD_1D_I32_TRAP_R %0, %1       →     %2 = SULD_1D_I32_TRAP_I &foo_param_0, %1
 *
 *	%3 = MOVu64r @tex
 *	… = TEX_2D_F32_F32_RR %3, %4, …      →     … = TEX_2D_F32_F32_IR @tex, %4, …
 *
 * The opcode stays: whether a handle is a register or a slot is the operand's kind, and the name says it (R, I). A
 * register is a slot where each of its definitions along copies is one. The loads and moves go when nothing else
 * reads them.
 *
 * OpenCL's driver binds names; CUDA's has handles in registers since sm_30, and its kernel parameters hold nothing
 * else: there is nothing to do. Cost: one look at each image operand and at the definition it comes from. */
#include "mirpass/mirpass.h"

enum { MAX_COPIES = 16 }; /* along one chain */

static bool is_copy(const IsaDesc *d) { return d->flags & IF_COPY || (d->opc.op == ISA_mov && !d->opc.slot[SLOT_guard]); }

static bool is_param_load(const IsaDesc *d)
{
	return d->opc.op == ISA_ld && d->opc.slot[SLOT_space] == TOK_space_param && !d->opc.slot[SLOT_guard];
}

/* What the handle in `r` stands for; false where it is not known here. */
static bool find_slot(const Session *s, const MirFunc *f, MirReg r, MirOp *slot)
{
	for (u32 step = 0; step < MAX_COPIES && mir_is_virt(r) && mir_vreg(f, r)->n_defs == 1; step++) {
		MirInstId      i = mir_def_inst(f, r);
		const IsaDesc *d = mir_desc(f, i);
		if (!is_copy(d) && !is_param_load(d))
			return false;
		const MirOp *o = mir_op(f, i, 1);
		bool         named = (o->kind == MO_SYMBOL || o->kind == MO_GLOBAL) && !o->imm;
		if (is_param_load(d)) {
			/* the kernel's own image parameters, of OpenCL alone */
			*slot = *o;
			return named && s->target.nvcl && mir_op(f, i, 2)->kind == MO_IMM && !mir_op(f, i, 2)->imm;
		}
		if (o->kind != MO_REG) {
			*slot = *o;
			return named;
		}
		r = mir_op_reg(o);
	}
	return false;
}

/* Removes what only computed the handle in `r`. */
static void drop(MirFunc *f, MirReg r)
{
	for (u32 step = 0; step < MAX_COPIES && r.i && mir_is_virt(r) && !mir_vreg(f, r)->n_uses; step++) {
		MirInstId i = mir_def_inst(f, r);
		r = mir_op_reg(mir_op(f, i, 1));
		mir_erase(f, i);
	}
}

static bool replace(const Session *s, MirFunc *f, MirInstId i)
{
	const IsaDesc *d = mir_desc(f, i);
	bool           changed = false;
	for (u32 k = 0; k < d->n_operands; k++) {
		MirReg r = d->operand[k].kind == IO_IMAGE ? mir_op_reg(mir_op(f, i, k)) : (MirReg){0};
		MirOp  slot;
		if (!r.i || !find_slot(s, f, r, &slot))
			continue;
		mir_op_set(f, i, k, slot);
		drop(f, r);
		changed = true;
	}
	return changed;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	if (!cx->s->target.nvcl && isa_target_has(&cx->s->target, ISA_FEATURE_HANDLES))
		return false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			if (mir_desc(f, i)->flags & (IF_TEXTURE | IF_SURFACE))
				changed |= replace(cx->s, f, i);
	return changed;
}

const Pass mirpass_nvptx_replace_image_handles = {
	.id = "nvptx-replace-image-handles",
	.title = "NVPTX Replace Image Handles",
	.summary = "Replaces known texture, sampler and surface handles by the names of the variables.",
	.group = "emission",
	.level = PASS_MIR,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
