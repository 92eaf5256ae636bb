/* slice_access.c: an access that takes base, slice and stride becomes a mad and a plain access.
 *
 *	%3 = LD_BASE_SLICE_OFFSET_global_u32_s32 %1, %2, 4, 8     →     %9 = MAD_wide_s32rir %2, 4, %1
 *	                                                                %3 = LD_global_u32 %9, 8
 *
 * Accesses of one block with the same base, slice and stride share the mad, in SSA form. Run by phi-node-elimination, and by
 * post-ra-pseudos for what is left in machine code that was never in SSA form. Cost: one look at each instruction where there are
 * such accesses. */
#include "mirpass/mirpass.h"

#include "base/map.h"

typedef struct Splitter {
	Session *s;
	MirFunc *f;
	Map      base, address; /* of this block: base and slice → number; number, stride, sign → register */
} Splitter;

/* base + slice × stride: the operands of `i` from `n` on. */
static MirReg address(Splitter *p, MirInstId i, u32 n, u32 type)
{
	MirFunc *f = p->f;
	MirReg   base = mir_op_reg(mir_op(f, i, n)), slice = mir_op_reg(mir_op(f, i, n + 1));
	i64      stride = mir_op(f, i, n + 2)->imm;
	u64      next = p->base.n_entries + 1, *number = map_put(&p->base, (u64)base.i << 32 | slice.i, NULL);
	if (!*number)
		*number = next;
	u64 *had = map_put(&p->address, (2 * *number + (type == TOK_type_u32)) << 32 | (u32)stride, NULL);
	if (*had && f->props & MP_SSA)
		return (MirReg){(u32)*had};
	PtxOpc mad = {.op = ISA_mad_lo};
	mad.slot[SLOT_op] = type == TOK_type_s64 ? TOK_op_lo : TOK_op_wide;
	mad.slot[SLOT_type] = (u8)type;
	MirReg r = mir_reg_new(f, MIR_B64);
	*had = r.i;
	f->origin = mir_inst(f, i)->origin, f->dbg = mir_inst(f, i)->dbg;
	MirInstId k = mir_build(f, (MirBlockId){mir_inst(f, i)->block}, i, isa_intern(p->s, mad));
	mir_add_def(f, k, r);
	mir_add_use(f, k, slice);
	mir_add_imm(f, k, stride);
	mir_add_use(f, k, base);
	return r;
}

static void split(Splitter *p, MirInstId i)
{
	MirFunc *f = p->f;
	PtxOpc   o = mir_desc(f, i)->opc;
	u32      n = mir_inst(f, i)->n_defs;
	MirReg   r = address(p, i, n, o.slot[SLOT_stype]);
	o.op = o.op == ISA_ld_slice ? ISA_ld : ISA_st;
	o.slot[SLOT_stype] = 0;
	mir_op_set_reg(f, i, n, r);
	mir_op_remove(f, i, n + 2);
	mir_op_remove(f, i, n + 1);
	mir_set_desc(f, i, isa_intern(p->s, o));
}

bool mirpass_split_accesses(PassCx *cx, MirFunc *f)
{
	Splitter p = {.s = cx->s, .f = f};
	bool     changed = false;
	if (!mir_may_have(f, ISA_ld_slice) && !mir_may_have(f, ISA_st_slice))
		return false;
	map_init(&p.base, cx->scratch);
	map_init(&p.address, cx->scratch);
	mir_each_block(f, b) {
		map_clear(&p.base);
		map_clear(&p.address);
		mir_each_inst(f, b, i) {
			u32 op = mir_desc(f, i)->opc.op;
			if (op != ISA_ld_slice && op != ISA_st_slice)
				continue;
			split(&p, i);
			changed = true;
		}
	}
	return changed;
}
