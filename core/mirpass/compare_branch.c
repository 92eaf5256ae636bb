/* compare_branch.c: a fused comparison and branch becomes the two instructions that PTX has. Shared by phi-node-elimination, whose
 * copies go between the two, and post-ra-pseudos, for what is left in machine code that was never in SSA form.
 *
 *	dead %5 = CBR_SETP_lt_s32ri %3, 10, %bb.2         →      %5 = SETP_lt_s32ri %3, 10
 *	                                                         CBranch %5, %bb.2 */
#include "mir/debug.h"
#include "mirpass/mirpass.h"

static bool defines_source(const MirFunc *f, MirInstId copy, MirInstId compare)
{
	MirReg to = mir_op_reg(mir_op(f, copy, 0));
	return to.i == mir_op_reg(mir_op(f, compare, 1)).i || to.i == mir_op_reg(mir_op(f, compare, 2)).i;
}

/* The comparison goes in front of the copies that stand before the branch,
 * where they leave its operands alone: it stood there, and the operands need not outlive it. */
static void split_branch(Session *s, MirFunc *f, MirInstId i)
{
	const MirInst *mi = mir_inst(f, i);
	MirBlockId     b = {mi->block};
	PtxOpc         setp = mir_desc(f, i)->opc, bra = isa_guarded(ptx_opc_plain(bra), false);
	MirReg         p = mir_op_reg(mir_op(f, i, 0));
	setp.op = ISA_setp;
	f->origin = mi->origin, f->dbg = mir_compare_dbg(f, i);
	MirInstId before = i;
	for (MirInstId k = mir_prev(f, i); k.i && mir_is(f, k, IF_COPY) && !defines_source(f, k, i); k = mir_prev(f, k))
		before = k;
	MirInstId compare = mir_build(f, b, before, isa_intern(s, setp));
	f->dbg = mi->dbg;
	MirInstId branch = mir_build(f, b, i, isa_intern(s, bra));
	mir_add_def(f, compare, p);
	mir_add_op(f, compare, *mir_op(f, i, 1));
	mir_add_op(f, compare, *mir_op(f, i, 2));
	mir_add_use(f, branch, p);
	mir_add_block(f, branch, (MirBlockId){mir_op(f, i, 3)->ref});
	mir_debug_earlier(f, i, compare);
	mir_inst(f, compare)->flags = mi->flags & MIF_FAST;
	mir_inst(f, branch)->flags = mi->flags & (u16)~MIF_FAST;
	mir_erase(f, i);
}

bool mirpass_split_branches(Session *s, MirFunc *f)
{
	bool changed = false;
	if (!mir_may_have(f, ISA_bra_setp))
		return false;
	mir_each_block(f, b) {
		MirInstId end = mir_first_terminator(f, b);
		if (!end.i || mir_desc(f, end)->opc.op != ISA_bra_setp)
			continue;
		split_branch(s, f, end);
		changed = true;
	}
	return changed;
}
