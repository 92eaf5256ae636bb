/* nvptx-replace-image-handles: a texture, sampler or surface that is known becomes the operand itself.
 *
 *	%0 = LD_param_u64 &foo_param_0, 0
 *	%2 = SULD_1D_I32_TRAP_R %0, %1       →     %2 = SULD_1D_I32_TRAP_I &foo_param_0, %1
 *
 *	%3 = MOVu64r @tex
 *	… = TEX_2D_F32_F32_RR %3, %4, …      →     … = TEX_2D_F32_F32_IR @tex, %4, …
 *
 * The opcode stays: whether a handle is a register or a slot is the operand's kind, and the name says it (R, I). A
 * register is a slot where all its definitions, through copies and phis, are one argument or one variable. The loads and moves go
 * when nothing else reads them.
 *
 * OpenCL's driver binds names: there, a handle that is not one image argument or variable (a select of two, one read from memory)
 * is an error, unless -bindless-images leaves it in its register. CUDA's kernel parameters hold handles, which stay in
 * registers; the name of a variable saves the move of its handle to a register. On all targets a handle that is known to be of the wrong kind, or of no
 * image, is an error (mirpass/images.h), here where nvptx-image-optimizer has not run.
 *
 * Cost: one look at each image operand and at the definitions it comes from, at most 16. */
#include "mirpass/images.h"

enum { MAX_COPIES = 16 }; /* along one chain */

/* Removes what only computed the handle in `r`. */
static void drop(MirFunc *f, MirReg r)
{
	for (u32 step = 0; step < MAX_COPIES && mir_is_virt(r) && !mir_vreg(f, r)->n_uses && mir_vreg(f, r)->n_defs == 1;
	     step++) {
		MirInstId i = mir_def_inst(f, r);
		r = mir_op_reg(mir_op(f, i, 1));
		mir_erase(f, i);
	}
}

/* OpenCL's driver finds no image behind this register. */
static void report(PassCx *cx, const MirFunc *f, MirInstId i, ImageHandle how)
{
	Diags *diags = &cx->s->diags;
	Diag  *diag = diag_report(diags, DIAG_IMAGE_HANDLE, src_at(mir_inst(f, i)->origin, 1));
	diag_hint(diags, diag,
	          "%s; OpenCL's driver binds arguments and variables alone (-bindless-images leaves handles in registers)",
	          how == HANDLE_SEVERAL ? "it is one of several images, by the path taken"
	                                : "it is computed or read from memory, or an argument without an image annotation");
}

static bool replace(PassCx *cx, MirFunc *f, MirInstId i)
{
	const Target  *t = &cx->s->target;
	const IsaDesc *d = mir_desc(f, i);
	bool           changed = false;
	for (u32 k = 0; k < d->n_operands; k++) {
		if (d->operand[k].kind != IO_IMAGE || !mirpass_image_check(cx, f, i, k))
			continue;
		MirReg r = mir_op_reg(mir_op(f, i, k));
		if (!r.i)
			continue;
		MirOp       slot = {0};
		ImageHandle how = mirpass_image_handle(f, r, &slot);
		bool        known = how == HANDLE_FOUND && (slot.kind == MO_GLOBAL || t->nvcl);
		if (known && slot.kind == MO_SYMBOL && f->module->ir && mirpass_image_kind(f, &slot) == IMAGE_UNKNOWN)
			known = false;
		if (known) {
			mir_op_set(f, i, k, slot);
			drop(f, r);
			changed = true;
		} else if (t->nvcl && !knob_bool(cx->s, KNOB_bindless_images)) {
			report(cx, f, i, how);
		}
	}
	return changed;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	if (!mirpass_has_images(f))
		return false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			if (mir_desc(f, i)->flags & (IF_TEXTURE | IF_SURFACE))
				changed |= replace(cx, f, i);
	return changed;
}

static const Knob knobs[] = {KNOB_bindless_images, KNOB_NONE};

const Pass mirpass_nvptx_replace_image_handles = {
	.id = "nvptx-replace-image-handles",
	.title = "NVPTX Replace Image Handles",
	.summary = "Replaces known texture, sampler and surface handles by the names of the variables.",
	.group = "emission",
	.level = PASS_MIR,
	.knobs = knobs,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
