/* post-ra-pseudos: instructions that PTX does not have become those that it has.
 *
 *	%3:int32regs = COPY %7                       →      %3 = MOVu32r %7
 *	%4:float32regs = COPY %7                     →      %4 = MOVb32r %7
 *
 * The type of a move is llc's: unsigned for integers, the float's for floats, untyped bits across classes. A copy to itself goes;
 * an undefined source leaves IMPLICIT_DEF, which the printer shows as a comment. Proxies of call results are
 * nvptx-proxy-reg-erasure's; fused branches (CBR_SETP) are split where phi-node-elimination has left some. */
#include "mirpass/mirpass.h"

static bool expand(PassCx *cx, MirFunc *f, MirInstId i)
{
	u32 desc = mir_inst(f, i)->desc;
	if (desc == ISA_KILL)
		mir_erase(f, i);
	else if (desc == ISA_COPY || desc == ISA_CSSA_COPY)
		mirpass_expand_copy(cx->s, f, i);
	else
		return false;
	return true;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	if (!mir_may_have(f, ISA_COPY) && !mir_may_have(f, ISA_CSSA_COPY) && !mir_may_have(f, ISA_KILL) &&
	    !mir_may_have(f, ISA_bra_setp) && !mir_may_have(f, ISA_ld_slice) && !mir_may_have(f, ISA_st_slice))
		return false;
	changed |= mirpass_split_accesses(cx, f);
	changed |= mirpass_split_branches(cx->s, f);
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			changed |= expand(cx, f, i);
	return changed;
}

const Pass mirpass_post_ra_pseudos = {
	.id = "post-ra-pseudos",
	.title = "Post-RA pseudo instruction expansion pass",
	.summary = "Replaces COPY by mov instructions, and fused comparisons by setp and bra.",
	.group = "post-ra",
	.level = PASS_MIR,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_REQUIRED | PF_IDEMPOTENT,
	.run = run,
};
