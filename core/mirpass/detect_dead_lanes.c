/* detect-dead-lanes: of instructions with several results, which ones does anybody read?
 *
 *	%1, %2, %3, %4 = LD_global_v4_f32 %0, 0     →     %1, %2 = LD_global_v2_f32 %0, 0
 *	(nobody reads %3 and %4)
 *
 *	%5, %6 = UNPACKb64_v2 %7                    →     %5, dead %6 = UNPACKb64_v2 %7
 *
 * LLVM's pass of this name looks at the lanes of registers that have sub-registers. Registers of PTX have none; what has lanes
 * here is the tuple of results of a vector load, a fetch, or an instruction that takes a register apart. Each result without
 * readers is marked dead, and each with readers not. A vector load is narrowed to the smallest vector, or scalar, of its size's
 * alignment that holds all lanes that are read: fewer bytes come from memory, and fewer registers are written. Loads that are
 * volatile, atomic or guarded, or that carry a cache policy, are only marked, and so is what is no load: a fetch has the
 * number of its results in its encoding.
 *
 * Needs and keeps SSA form, in which a register without readers is read nowhere; touches no block. Not transitive: what reads a
 * lane and is itself dead has been removed by dead-mi-elimination. Linear. */
#include "mirpass/mirpass.h"

enum { MAX_LANES = 8 };

typedef struct Lanes {
	u32 n;    /* of the tuple */
	u32 read; /* a bit for each that somebody reads */
} Lanes;

static bool find_lanes(const MirFunc *f, MirInstId i, Lanes *l)
{
	*l = (Lanes){.n = mir_inst(f, i)->n_defs};
	if (l->n < 2 || l->n > MAX_LANES)
		return false;
	for (u32 n = 0; n < l->n; n++) {
		MirReg r = mir_op_reg(mir_op(f, i, n));
		if (!mir_is_virt(r) || mir_op(f, i, n)->tie)
			return false;
		l->read |= (u32)(mir_vreg(f, r)->n_uses != 0) << n;
	}
	return true;
}

static bool mark(MirFunc *f, MirInstId i, const Lanes *l)
{
	bool changed = false;
	for (u32 n = 0; n < l->n; n++) {
		MirOp *o = mir_op(f, i, n);
		u16    flags = (u16)((o->flags & ~(u32)MOF_DEAD) | (l->read >> n & 1 ? 0u : (u32)MOF_DEAD));
		changed |= flags != o->flags;
		o->flags = flags;
	}
	return changed;
}

static bool may_narrow(const MirFunc *f, MirInstId i)
{
	const PtxOpc *o = &mir_desc(f, i)->opc;
	const MirMem *m = mir_mem(f, i);
	u32           offset = mir_inst(f, i)->n_defs + 1u;
	if (o->op != ISA_ld || !o->slot[SLOT_vec] || o->slot[SLOT_guard] || o->slot[SLOT_sem] || o->slot[SLOT_evict] ||
	    o->slot[SLOT_level] || o->slot[SLOT_hint])
		return false;
	if (m && (m->flags & MMF_VOLATILE || m->ordering > MIR_UNORDERED))
		return false;
	return offset < mir_inst(f, i)->n_ops && mir_op(f, i, offset)->kind == MO_IMM;
}

/* The smallest aligned group that holds all lanes that are read: `width` lanes from `first` on. */
static u32 group(const Lanes *l, u32 *first)
{
	for (u32 width = 1; width < l->n; width *= 2)
		for (u32 at = 0; at < l->n; at += width)
			if (!(l->read & ~(((1u << width) - 1) << at))) {
				*first = at;
				return width;
			}
	return l->n;
}

static void narrow(Session *s, MirFunc *f, MirInstId i, u32 first, u32 width)
{
	PtxOpc  o = mir_desc(f, i)->opc;
	u32     n_defs = mir_inst(f, i)->n_defs, bytes = isa_type(o.slot[SLOT_type])->bits / 8;
	i64     offset = mir_op(f, i, n_defs + 1)->imm + (i64)first * bytes;
	MirMem *m = mir_mem(f, i);
	o.slot[SLOT_vec] = width == 1 ? 0 : width == 2 ? TOK_vec_v2 : TOK_vec_v4;
	mir_op_set_imm(f, i, n_defs + 1, offset);
	for (u32 n = n_defs; n-- > 0;)
		if (n < first || n >= first + width)
			mir_op_remove(f, i, n);
	mir_set_desc(f, i, isa_intern(s, o));
	if (!m)
		return;
	m->offset += (i64)first * bytes;
	m->size = width * bytes;
	while (m->align_log2 && ((i64)first * bytes) & (((i64)1 << m->align_log2) - 1))
		m->align_log2--;
}

static bool visit(PassCx *cx, MirFunc *f, MirInstId i)
{
	Lanes l;
	u32   first = 0, width;
	if (!find_lanes(f, i, &l))
		return false;
	if (!l.read || l.read == (1u << l.n) - 1)
		return mark(f, i, &l);
	width = group(&l, &first);
	if (!may_narrow(f, i) || width == l.n) {
		pass_remark(cx, REMARK_MISSED, mir_inst(f, i)->origin, "of %u results some are not read: %s", l.n,
		            width == l.n ? "no smaller vector holds the others" : "the instruction has to have them");
		return mark(f, i, &l);
	}
	pass_remark(cx, REMARK_PASSED, mir_inst(f, i)->origin, "a load of %u elements loads %u: nobody reads the others", l.n,
	            width);
	narrow(cx->s, f, i, first, width);
	if (find_lanes(f, i, &l))
		mark(f, i, &l);
	else
		mir_op(f, i, 0)->flags &= (u16)~MOF_DEAD;
	return true;
}

static bool run(PassCx *cx)
{
	MirFunc *f = mirpass_func(cx);
	bool     changed = false;
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			changed |= visit(cx, f, i);
	return changed;
}

const Pass mirpass_detect_dead_lanes = {
	.id = "detect-dead-lanes",
	.title = "Detect Dead Lanes",
	.summary = "Narrows vector loads to the elements that are read, and marks results that nobody reads.",
	.group = "pre-ra",
	.level = PASS_MIR,
	.needs = PN_SSA,
	.disable = KNOB_disable_detect_dead_lanes,
	.keeps = AN_MIR_CONTROL,
	.run = run,
};
