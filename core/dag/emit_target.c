/* emit_target.c: custom inserters: replaces an instruction that the target lacks, right after it was inserted.
 *
 *	%r4 = shfl.down.b32 %r1, %r2, %r3          ─▶  %r9 = activemask.b32
 *	                                               %r4 = shfl.sync.down.b32 %r1, %r2, %r3, %r9
 *	sust.p.1d.b8.trap [%rd1, {%r1}], {%rs1}    ─▶  %r9 = cvt.u32.u16 %rs1
 *	                                               sust.p.1d.b32.trap [%rd1, {%r1}], {%r9}
 *
 * shfl and vote without .sync exchanged values between the active lanes, which activemask gives; sm_70 dropped them with PTX
 * 6.4. Formatted surface stores take 32-bit values alone; their intrinsics have 8 and 16 bits, too. Atomics that a target lacks
 * are loops already (irpass/atomic_expand.c). Constant time for each instruction. */
#include "dag/emit.h"

static u32 desc_of(Emitter *e, PtxOpc o) { return isa_intern(e->f->s, o); }

/* activemask, inserted in front of `i`. */
static MirReg lanes(Emitter *e, MirInstId i)
{
	MirFunc  *m = e->f->mir;
	MirReg    mask = mir_reg_new(m, MIR_B32);
	MirInstId a = mir_build(m, e->f->mir_block, i, desc_of(e, ptx_opc(activemask, TY(b32))));
	mir_add_def(m, a, mask);
	mir_inst(m, a)->origin = mir_inst(m, i)->origin;
	return mask;
}

static void synchronized(Emitter *e, MirInstId i)
{
	static const u16 with_sync[][2] = {
		{ISA_shfl, ISA_shfl_sync},
		{ISA_vote, ISA_vote_sync},
		{ISA_vote_ballot, ISA_vote_sync_ballot},
	};
	PtxOpc o = mir_desc(e->f->mir, i)->opc;
	for (u32 k = 0; k < PS_COUNT(with_sync); k++)
		if (o.op == with_sync[k][0]) {
			o.op = with_sync[k][1];
			break;
		}
	mir_add_use(e->f->mir, i, lanes(e, i));
	mir_set_desc(e->f->mir, i, desc_of(e, o));
}

static void in_words(Emitter *e, MirInstId i)
{
	MirFunc       *m = e->f->mir;
	const IsaDesc *d = mir_desc(m, i);
	PtxOpc         o = d->opc;
	for (u32 k = 0; k < mir_inst(m, i)->n_ops; k++) {
		MirReg r = mir_op_reg(mir_op(m, i, k));
		if (!mir_is_virt(r) || mir_class(m, r) != MIR_B16)
			continue;
		MirReg    word = mir_reg_new(m, MIR_B32);
		MirInstId c = mir_build(m, e->f->mir_block, i, desc_of(e, ptx_opc(cvt, TY(u32), STY(u16))));
		mir_add_def(m, c, word);
		mir_add_use(m, c, r);
		mir_inst(m, c)->origin = mir_inst(m, i)->origin;
		mir_op_set_reg(m, i, k, word);
	}
	o.slot[SLOT_type] = TOK_type_b32;
	mir_set_desc(m, i, desc_of(e, o));
}

/* By IsaOp, of forms that the target no longer has. */
static const struct {
	u16 op;
	void (*expand)(Emitter *e, MirInstId i);
} inserters[] = {
	{ISA_shfl, synchronized},
	{ISA_vote, synchronized},
	{ISA_vote_ballot, synchronized},
	{ISA_sust_p, in_words},
};

void emit_list_inserters(Bitset ops)
{
	for (u32 k = 0; k < PS_COUNT(inserters); k++)
		bitset_add(ops, inserters[k].op);
}

bool emit_replaces(const IsaDesc *d, const Target *t)
{
	bool found = false;
	for (u32 k = 0; k < PS_COUNT(inserters) && !found; k++)
		found = d->opc.op == inserters[k].op;
	return found && isa_lost(&d->need, t);
}

bool emit_custom(Emitter *e, MirInstId i)
{
	const IsaDesc *d = mir_desc(e->f->mir, i);
	if ((d->flags & IF_GENERIC) || !bitset_has(e->inserted, d->opc.op))
		return false;
	if (!isa_lost(&d->need, &e->f->s->target))
		return false;
	for (u32 k = 0; k < PS_COUNT(inserters); k++)
		if (d->opc.op == inserters[k].op) {
			inserters[k].expand(e, i);
			return true;
		}
	return false;
}
