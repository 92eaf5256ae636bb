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

static bool has_sync_alone(const Target *t) { return t->sm >= 70 && t->ptx >= 64; }
/* Assemblers that accept the older forms do not support sm_75 and later. */
static bool stores_words_alone(const Target *t) { return t->sm >= 75; }

typedef struct Inserter {
	u16 op;          /* IsaOp of the pseudo */
	u8  slot, token; /* the modifier that tells it from others of that operation */
	u8  type;        /* and its type token; 0: any */
	bool (*wanted)(const Target *t);
	void (*expand)(Emitter *e, MirInstId i);
} Inserter;

#define WARP(op, token)         {ISA_##op, SLOT_op, TOK_op_##token, 0, has_sync_alone, synchronized},
#define SURFACE(geometry, type) {ISA_sust_p, SLOT_shape, TOK_shape_##geometry, TOK_type_##type, stores_words_alone, in_words},
static const Inserter inserters[] = {
	WARP(shfl, up) WARP(shfl, down) WARP(shfl, bfly) WARP(shfl, idx) WARP(vote, all) WARP(vote, any) WARP(vote, uni)
		WARP(vote_ballot, ballot) SURFACE(1d, b8) SURFACE(2d, b8) SURFACE(3d, b8) SURFACE(a1d, b8) SURFACE(a2d, b8)
			SURFACE(1d, b16) SURFACE(2d, b16) SURFACE(3d, b16) SURFACE(a1d, b16) SURFACE(a2d, b16)};
#undef WARP
#undef SURFACE

void emit_list_inserters(Bitset ops)
{
	for (u32 k = 0; k < PS_COUNT(inserters); k++)
		bitset_add(ops, inserters[k].op);
}

bool emit_custom(Emitter *e, MirInstId i)
{
	const IsaDesc *d = mir_desc(e->f->mir, i);
	if ((d->flags & IF_GENERIC) || !bitset_has(e->inserted, d->opc.op))
		return false;
	for (u32 k = 0; k < PS_COUNT(inserters); k++) {
		const Inserter *x = &inserters[k];
		if (d->opc.op != x->op || d->opc.slot[x->slot] != x->token || (x->type && d->opc.slot[SLOT_type] != x->type))
			continue;
		if (!x->wanted(&e->f->s->target))
			return false;
		x->expand(e, i);
		return true;
	}
	return false;
}
