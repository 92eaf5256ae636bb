/* nvptx-proxy-reg-erasure: proxies of call results go.
 *
 *	%5 = LD_param_f32 &retval0, 0              %5 = LD_param_f32 &retval0, 0
 *	Callseq_End 0, 1                      →    Callseq_End 0, 1
 *	%6 = ProxyReg %5                           … %5 …
 *	… %6 …
 *
 * A proxy keeps the load of a result inside its call sequence while instructions are selected and combined.
 * Every reader reads the source instead. Also goes a conversion of an address to .local that is known to be
 * local already (NVIDIA's pass of this name): cvta.to.local of cvta.local, and of an address in the frame, which is %SPL and
 * a constant; %SP is not set where that was its last reader.
 *
 * After phi elimination a register may be written several times; such a proxy becomes a mov. register-coalescer
 * has taken for a copy what it could. */
#include "mir/frame.h"
#include "mirpass/mirpass.h"

static bool single(const MirFunc *f, MirReg r) { return mir_is_virt(r) && mir_vreg(f, r)->n_defs == 1; }

static void erase_proxy(Session *s, MirFunc *f, MirInstId i)
{
	MirReg to = mir_op_reg(mir_op(f, i, 0)), from = mir_op_reg(mir_op(f, i, 1));
	if (!single(f, to) || !single(f, from) || !mir_alike(f, to, from)) {
		mirpass_expand_copy(s, f, i);
		return;
	}
	mir_erase(f, i);
	mir_replace_uses(f, to, from);
}

static bool is_cvta(const MirFunc *f, MirInstId i, bool to_local)
{
	const IsaDesc *d = mir_desc(f, i);
	return d->opc.op == ISA_cvta && d->opc.slot[SLOT_space] == TOK_space_local && !d->opc.slot[SLOT_guard] &&
	       isa_has_flag(&d->opc, TOK_flag_to) == to_local;
}

/* %b = cvta.local %a; %c = cvta.to.local %b: %c is %a. */
static bool erase_round_trip(MirFunc *f, MirInstId i)
{
	if (!is_cvta(f, i, true))
		return false;
	MirReg c = mir_op_reg(mir_op(f, i, 0)), b = mir_op_reg(mir_op(f, i, 1));
	if (!single(f, b) || !single(f, c))
		return false;
	MirInstId d = mir_def_inst(f, b);
	if (!is_cvta(f, d, false))
		return false;
	MirReg a = mir_op_reg(mir_op(f, d, 1));
	if (!single(f, a) || !mir_alike(f, a, c))
		return false;
	mir_erase(f, i);
	mir_replace_uses(f, c, a);
	if (!mir_vreg(f, b)->n_uses)
		mir_erase(f, d);
	return true;
}

/* %b = add %SP, 8; %c = cvta.to.local %b: %c is %SPL + 8, behind prologepilog. */
static bool erase_of_frame(MirFunc *f, MirInstId i)
{
	MirReg    b = mir_is_cvta_to_local(f, i) ? mir_op_reg(mir_op(f, i, 1)) : (MirReg){0};
	MirInstId d = single(f, b) ? mir_def_inst(f, b) : (MirInstId){0};
	if (!d.i || mir_desc(f, d)->opc.op != ISA_add || mir_inst(f, d)->n_ops != 3 || mir_op(f, d, 2)->kind != MO_IMM ||
	    mir_op_reg(mir_op(f, d, 1)).i != mir_phys(MIR_PHYS_SP).i)
		return false;
	mir_set_desc(f, i, mir_inst(f, d)->desc);
	mir_op_set_reg(f, i, 1, mir_phys(MIR_PHYS_SPL));
	mir_add_imm(f, i, mir_op(f, d, 2)->imm);
	if (!mir_vreg(f, b)->n_uses)
		mir_erase(f, d);
	return true;
}

/* %SP, where nobody reads it any more. */
static void erase_generic_base(MirFunc *f)
{
	MirInstId set = {0};
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
				if (mir_op_reg(mir_op(f, i, n)).i != mir_phys(MIR_PHYS_SP).i)
					continue;
				if (mir_op_is_use(mir_op(f, i, n)) || set.i)
					return;
				set = i;
			}
	if (set.i)
		mir_erase(f, set);
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false, frame = false;
	if (!mir_may_have(f, ISA_ProxyReg) && !mir_may_have(f, ISA_cvta))
		return false;
	mir_each_block(f, b)
		for (MirInstId i = {mir_block(f, b)->first}, next; i.i; i = next) {
			next = mir_next(f, i);
			bool proxy = mir_inst(f, i)->desc == ISA_ProxyReg;
			if (proxy)
				erase_proxy(cx->s, f, i);
			frame |= !proxy && f->props & MP_ALLOCATED && erase_of_frame(f, i);
			changed |= proxy || erase_round_trip(f, i);
		}
	if (frame)
		erase_generic_base(f);
	return changed || frame;
}

const Pass mirpass_nvptx_proxy_reg_erasure = {
	.id = "nvptx-proxy-reg-erasure",
	.title = "NVPTX optimize redundant cvta.to.local instruction",
	.summary = "Replaces ProxyReg by the value it copies, and deletes conversions of known local addresses.",
	.group = "post-ra",
	.level = PASS_MIR,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
