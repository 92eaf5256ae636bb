/* two-address-instruction: an operand tied to a result takes the result's register.
 *
 *	%3 = INLINEASM "…", %2(tied-def 0)     →     %3 = COPY %2
 *	                                             %3 = INLINEASM "…", %3(tied-def 0)
 *
 * Only inline asm has tied operands here: every instruction of PTX has three addresses. */
#include "mirpass/mirpass.h"

static bool untie(MirFunc *f, MirInstId i)
{
	bool changed = false;
	for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++) {
		const MirOp *o = mir_op(f, i, n);
		if (!o->tie || !mir_op_is_use(o))
			continue;
		MirReg use = mir_op_reg(o), def = mir_op_reg(mir_op(f, i, o->tie - 1u));
		if (use.i == def.i)
			continue;
		MirInstId copy = mir_build(f, (MirBlockId){mir_inst(f, i)->block}, i, ISA_COPY);
		mir_inst(f, copy)->origin = mir_inst(f, i)->origin;
		mir_add_def(f, copy, def);
		mir_add_use(f, copy, use);
		mir_op_set_reg(f, i, n, def);
		changed = true;
	}
	return changed;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	if (!f->has_ties)
		return false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			changed |= untie(f, i);
	if (changed)
		f->props &= ~(u32)(MP_SSA | MP_LIVENESS);
	return changed;
}

const Pass mirpass_two_address_instruction = {
	.id = "two-address-instruction",
	.title = "Two-Address instruction pass",
	.summary = "Gives a tied operand the register of the result, with a copy where needed.",
	.group = "ra",
	.level = PASS_MIR,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
