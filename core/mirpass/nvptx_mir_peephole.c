/* nvptx-mir-peephole: the rows of mir_rows.def that simplify arithmetic behind selection.
 *
 *	%2 = ADDs32ri %1, 8; %3 = ADDs32ri %2, 4           →     %3 = ADDs32ri %1, 12
 *	%2 = ADDs64ri %1, 8; LD_global_u32 %2, 4           →     LD_global_u32 %1, 12
 *	%3, %4 = UNPACK_b64_v2 %2; %2 = PACK_b64_v2 %0, %1 →     readers of %3 and %4 read %0 and %1
 *
 * Two operations with constants become one where nobody else reads the first: else the first source would live longer for nothing.
 * An offset goes to its accesses where all readers of the address are accesses in its block that may take it, volatile and
 * whitelisted ones not among them. Parts that are joined and split again, or the reverse, are read directly; so chains of
 * tensor-memory addresses shrink. Constants are computed modulo the width; shifts by more than the width stay apart.
 *
 * The driver is mirpass/mir_rows.h. Needs SSA; keeps the control flow. Cost: each instruction once and after each change near it, n log n
 * for the order. */
#include "mirpass/mir_rows.h"

#include "sem/int.h"

/* Operand 1 a register, operand 2 a number. */
static bool has_constant(const MirFunc *f, MirInstId i)
{
	return mir_inst(f, i)->n_ops == 3 && mir_is_virt(mir_op_reg(mir_op(f, i, 1))) && mir_op(f, i, 2)->kind == MO_IMM;
}

/* x op a op b as x op *c; false where that is another value. */
static bool joined(RowClass c, u32 bits, u64 a, u64 b, u64 *result)
{
	switch (c) {
	case ROW_ADD:
	case ROW_SUB: *result = a + b; break;
	case ROW_MUL: *result = a * b; break;
	case ROW_AND: *result = a & b; break;
	case ROW_OR: *result = a | b; break;
	default: *result = a + b; return a < bits && b < bits && a + b < bits;
	}
	*result &= sem_mask(bits);
	return true;
}

bool rows_constants(Rows *w, const Row *row, MirInstId i)
{
	MirFunc  *f = w->f;
	MirInstId d = row_def(w, row, i, 1);
	u64       c;
	if (!d.i || row_class(f, d) != row->chain[1] || mir_inst(f, d)->desc != mir_inst(f, i)->desc || !has_constant(f, i) ||
	    !has_constant(f, d) || mir_vreg(f, mir_op_reg(mir_op(f, d, 0)))->n_uses != 1)
		return false;
	const IsaDesc *desc = mir_desc(f, i);
	u32            bits = isa_type(desc->opc.slot[SLOT_type])->bits;
	if (desc->opc.slot[SLOT_op] == TOK_op_wide ||
	    !joined(row->class, bits, (u64)mir_op(f, d, 2)->imm, (u64)mir_op(f, i, 2)->imm, &c))
		return false;
	mir_op_set_reg(f, i, 1, mir_op_reg(mir_op(f, d, 1)));
	mir_op_set_imm(f, i, 2, row->class == ROW_SHL || row->class == ROW_SHR ? (i64)c : sem_sext(c, bits));
	mir_inst(f, i)->flags &= (u16) ~(MIF_NUW | MIF_NSW | MIF_DISJOINT | MIF_EXACT);
	row_drop(w, d);
	return true;
}

/* May the access take `offset` more at its address operand `n`? */
static bool takes_offset(const Rows *w, const Row *row, const MirOp *use, i64 offset, MirBlockId b)
{
	MirInstId      i = {use->inst};
	const IsaDesc *d = mir_desc(w->f, i);
	u32            n = mir_op_number(w->f, use);
	RowClass       c = row_class(w->f, i);
	if ((c != ROW_LOAD && c != ROW_STORE) || mir_inst(w->f, i)->block != b.i || row_leaves_alone(w, i) ||
	    n >= d->n_operands || d->operand[n].kind != IO_BASE || mir_op(w->f, i, n + 1)->kind != MO_IMM)
		return false;
	i64 sum = mir_op(w->f, i, n + 1)->imm + offset;
	(void)row;
	return sum >= INT32_MIN && sum <= INT32_MAX;
}

bool rows_offset(Rows *w, const Row *row, MirInstId i)
{
	MirFunc   *f = w->f;
	MirReg     r = mir_op_reg(mir_op(f, i, 0)), base = mir_op_reg(mir_op(f, i, 1));
	i64        offset = mir_op(f, i, 2)->imm;
	MirBlockId b = {mir_inst(f, i)->block};
	bool       wanted = false;
	if (offset < INT32_MIN || offset > INT32_MAX || !mir_is_virt(base) || !mir_alike(f, base, r))
		return false;
	mir_each_use(f, r, o) {
		if (!takes_offset(w, row, o, offset, b))
			return false;
		wanted |= row_class(f, (MirInstId){o->inst}) == row->chain[1];
	}
	if (!wanted)
		return false;
	mir_each_use(f, r, o) {
		MirInstId k = {o->inst};
		u32       n = mir_op_number(f, o);
		mir_op_set_imm(f, k, n + 1, mir_op(f, k, n + 1)->imm + offset);
	}
	row_replace(w, i, 0, base);
	return true;
}

bool rows_bitcast(Rows *w, const Row *row, MirInstId i)
{
	MirFunc  *f = w->f;
	MirInstId d = row_def(w, row, i, 1);
	MirReg    r = mir_op_reg(mir_op(f, i, 0));
	if (!d.i || row_class(f, d) != ROW_BITCAST || !mir_vreg(f, r)->n_uses)
		return false;
	MirReg from = mir_op_reg(mir_op(f, d, 1));
	if (!mir_alike(f, from, r))
		return false;
	row_replace(w, i, 0, from);
	if (!map_get(&w->erased, d.i))
		row_drop(w, d);
	return true;
}

/* Are both halves of the pair made of the same parts: as many, as wide? */
static bool same_parts(const MirFunc *f, MirInstId a, MirInstId b)
{
	PtxOpc x = mir_desc(f, a)->opc, y = mir_desc(f, b)->opc;
	return x.slot[SLOT_type] == y.slot[SLOT_type] && x.slot[SLOT_vec] == y.slot[SLOT_vec];
}

bool rows_extract(Rows *w, const Row *row, MirInstId i)
{
	MirFunc  *f = w->f;
	u32       n = mir_inst(f, i)->n_defs, used = 0;
	MirInstId d = row_def(w, row, i, n);
	if (!d.i || row_class(f, d) != ROW_INSERT || !same_parts(f, i, d) || mir_inst(f, d)->n_ops != n + 1)
		return false;
	for (u32 k = 0; k < n; k++) {
		MirReg from = mir_op_reg(mir_op(f, d, k + 1)), to = mir_op_reg(mir_op(f, i, k));
		used += mir_vreg(f, to)->n_uses;
		if (!mir_is_virt(from) || !mir_alike(f, from, to))
			return false;
	}
	if (!used)
		return false;
	for (u32 k = 0; k < n; k++)
		mir_replace_uses(f, mir_op_reg(mir_op(f, i, k)), mir_op_reg(mir_op(f, d, k + 1)));
	row_drop(w, i);
	row_drop(w, d);
	return true;
}

bool rows_insert(Rows *w, const Row *row, MirInstId i)
{
	MirFunc  *f = w->f;
	MirInstId d = row_def(w, row, i, 1);
	u32       n = mir_inst(f, i)->n_ops - 1u;
	if (!d.i || row_class(f, d) != ROW_EXTRACT || !same_parts(f, i, d) || mir_inst(f, d)->n_defs != n ||
	    !mir_vreg(f, mir_op_reg(mir_op(f, i, 0)))->n_uses)
		return false;
	MirReg whole = mir_op_reg(mir_op(f, d, n));
	for (u32 k = 0; k < n; k++)
		if (mir_op_reg(mir_op(f, i, k + 1)).i != mir_op_reg(mir_op(f, d, k)).i)
			return false;
	if (!mir_is_virt(whole) || !mir_alike(f, whole, mir_op_reg(mir_op(f, i, 0))))
		return false;
	row_replace(w, i, 0, whole);
	row_drop(w, d);
	return true;
}

static bool run(PassCx *cx) { return rows_run(cx, ROW_PASS_PEEPHOLE); }

const Pass mirpass_nvptx_mir_peephole = {
	.id = "nvptx-mir-peephole",
	.title = "Peephole MIR",
	.summary = "Simplifies chains of constants, offsets, and parts that are joined and split, by a table of rows",
	.group = "pre-ra",
	.level = PASS_MIR,
	.gate = KNOB_enable_nvptx_mir_peephole,
	.needs = PN_SSA,
	.keeps = AN_MIR_CONTROL,
	.flags = PF_NVIDIA,
	.begin = rows_begin,
	.run = run,
};
