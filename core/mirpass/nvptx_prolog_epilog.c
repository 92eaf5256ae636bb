/* nvptx-prolog-epilog: the registers of the frame.
 *
 *	mov.b64         %SPL, __local_depot0;     the depot's .local address
 *	cvta.local.u64  %SP, %SPL;                its generic address, where somebody uses it
 *
 * stand at the head of the entry block of a function with a frame. The depot itself is declared by the asm printer from the
 * frame's size and alignment. Where the frame grows downward, the registers hold the address behind the depot. A function
 * that sets %SPL already, in MIR text, is left as it is. Cost: one look at each instruction. */
#include "mir/frame.h"
#include "mirpass/mirpass.h"

static bool uses_phys(const MirFunc *f, MirPhys p)
{
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
				if (mir_op_is_use(mir_op(f, i, n)) && mir_op_reg(mir_op(f, i, n)).i == mir_phys(p).i)
					return true;
	return false;
}

static bool defines_phys(const MirFunc *f, MirPhys p)
{
	mir_each_inst(f, ((MirBlockId){f->first_block}), i)
		if (mir_inst(f, i)->n_defs && mir_op_reg(mir_op(f, i, 0)).i == mir_phys(p).i)
			return true;
	return false;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	if (!f->frame_size || !f->first_block || defines_phys(f, MIR_PHYS_SPL))
		return false;
	MirBlockId entry = {f->first_block};
	MirInstId  first = {mir_block(f, entry)->first};
	PtxOpc     mov = {.op = ISA_mov}, cvta = {.op = ISA_cvta};
	mov.slot[SLOT_type] = cx->s->target.is64 ? TOK_type_b64 : TOK_type_b32;
	cvta.slot[SLOT_type] = cx->s->target.is64 ? TOK_type_u64 : TOK_type_u32;
	cvta.slot[SLOT_space] = TOK_space_local;
	bool      generic = uses_phys(f, MIR_PHYS_SP);
	Str       name = arena_fmt(cx->scratch, "__local_depot%u", f->number);
	MirInstId i = mir_build(f, entry, first, isa_intern(cx->s, mov));
	mir_add_def(f, i, mir_phys(MIR_PHYS_SPL));
	mir_add_symbol(f, i, strtab_add(&cx->s->strs, name), mir_frame_grows_down(f) ? (i64)f->frame_size : 0);
	if (generic) {
		i = mir_build(f, entry, first, isa_intern(cx->s, cvta));
		mir_add_def(f, i, mir_phys(MIR_PHYS_SP));
		mir_add_use(f, i, mir_phys(MIR_PHYS_SPL));
	}
	return true;
}

const Pass mirpass_nvptx_prolog_epilog = {
	.id = "nvptx-prolog-epilog",
	.title = "NVPTX Prolog Epilog Pass",
	.summary = "Initialises the frame registers %SPL and %SP at the entry of a function.",
	.group = "post-ra",
	.level = PASS_MIR,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
