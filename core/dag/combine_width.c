/* combine_width.c: the rules that are code for extensions, truncations, loads, stores and elements of vectors.
 *
 *	zext(load i8) ─▶ ld.u8 into the wide register       trunc(load i64) ─▶ load i32
 *	zext(trunc x) ─▶ x & mask                           sext_inreg(load i8) ─▶ ld.s8
 *
 * combine.def says of each which operations its first two operands may be, and the types: a function here tests neither
 * again. A rule that changes a load makes a new one and moves the users of the old chain to the new chain. Each takes
 * constant time, and dag_known's or dag_sign_bits' where it asks for known bits. */
#include "dag/combine.h"
#include "sem/int.h"

static bool is_memory_width(u32 w) { return w == 8 || w == 16 || w == 32 || w == 64; }

/* A load of an integer, whose extension may be changed: that touches only the register, so volatile and atomic loads count. */
static bool is_extendable_load(const Combiner *c, DagVal v)
{
	const DagNode *n = dag_of(c->d, v);
	return n->opcode == DAG_LOAD && v.r == 0 && !vt_is_vec(n->vt[0]) && vt_is_sint(n->vt[0]) &&
	       dag_mem(c->d, n)->nc != DAG_LDU;
}

/* A load of an integer that is neither volatile nor atomic: the bytes that it reads may be changed. */
static bool is_simple_load(const Combiner *c, DagVal v)
{
	const DagNode *n = dag_of(c->d, v);
	if (n->opcode != DAG_LOAD || v.r != 0)
		return false;
	const DagMem *m = dag_mem(c->d, n);
	return !(m->mem.flags & MMF_VOLATILE) && !m->mem.ordering && m->nc != DAG_LDU && !vt_is_vec(n->vt[0]) &&
	       vt_is_sint(n->vt[0]);
}

/* Makes the load again: of type `vt`, of `mem_vt` in memory at `offset` from the address, extended by `ext`. What was
 * ordered behind the old load is ordered behind the new one. */
static DagVal reload(Combiner *c, DagVal load, DagVt vt, DagVt mem_vt, u32 ext, u64 offset)
{
	Dag    *d = c->d;
	DagNode n = *dag_of(d, load);
	DagMem  m = *dag_mem(d, &n);
	DagVal  chain = dag_arg(d, load, 0), p = dag_arg(d, load, 1);
	m.vt = mem_vt;
	m.ext = (u8)ext;
	m.mem.size = vt_bits(mem_vt) / 8;
	m.mem.offset += (i64)offset;
	m.mem.align_log2 = (u8)dag_align_at(m.mem.align_log2, offset);
	if (offset) {
		const DagNode *s = dag_of(d, p);
		if (s->opcode == DAG_TargetExternalSymbol)
			p = dag_symbol(d, DAG_TargetExternalSymbol, s->vt[0], (StrId){(u32)s->k[0]}, (i64)s->k[1] + (i64)offset);
		else
			p = dag_ptr_add(d, p, (i64)offset);
	}
	u32 order = d->order, origin = d->origin;
	d->order = n.order;
	d->origin = n.origin;
	DagVal l = dag_load(d, vt, chain, p, m);
	d->order = order;
	d->origin = origin;
	dag_replace(d, dag_res(load.n, 1), dag_res(l.n, 1));
	return l;
}

/* One side of a selection, extended by `ext` to `vt`: a constant, or the operand of its truncation where the extension of the
 * truncation is that operand; none where it would take an instruction. */
static DagVal uncut(Combiner *c, DagVal v, DagOp ext, DagVt vt)
{
	Dag *d = c->d;
	u64  k;
	if (dag_as_const(d, v, &k))
		return dag_const(d, vt, ext == DAG_SIGN_EXTEND ? (u64)sem_sext(k, vt_bits(dag_vt(d, v))) : k);
	if (op_of(c, v) != DAG_TRUNCATE || dag_vt(d, dag_arg(d, v, 0)) != vt)
		return DAG_NONE;
	DagVal x = dag_arg(d, v, 0);
	u32    lost = vt_bits(vt) - vt_bits(dag_vt(d, v));
	bool same = ext == DAG_ANY_EXTEND || (ext == DAG_ZERO_EXTEND ? dag_masked_zero(d, x, vt_mask(vt) & ~vt_mask(dag_vt(d, v)))
	                                                             : dag_sign_bits(d, x, 0) > lost);
	return same ? x : DAG_NONE;
}

/* ext(p ? trunc x : trunc y) ─▶ p ? x : y, where each side needs no instruction for it. */
DagVal combine_extend_select(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagOp  op = (DagOp)n->opcode;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), x = dag_arg(d, a, 1), y = dag_arg(d, a, 2);
	if (!once(c, a) || !dag_is_legal_vt(vt) || dag_vt(d, a) == VT_I1 ||
	    (c->legal && dag_is_const(d, x) && dag_is_const(d, y)))
		return DAG_NONE;
	x = uncut(c, x, op, vt);
	if (dag_is(x))
		y = uncut(c, y, op, vt);
	return dag_is(x) && dag_is(y) ? dag_3(d, DAG_SELECT, vt, dag_arg(d, a, 0), x, y) : DAG_NONE;
}

/* ---- extensions ---- */

/* A predicate in memory is a byte of 0 or 1: the byte is loaded, and negated for a sign extension. */
DagVal combine_extend_predicate_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	if (dag_vt(d, a) != VT_I1 || a.r != 0 || !once(c, a) || !dag_is_legal_vt(vt))
		return DAG_NONE;
	const DagMem *m = dag_mem(d, dag_of(d, a));
	if (m->vt != VT_I1 || (m->mem.flags & MMF_VOLATILE) || m->mem.ordering)
		return DAG_NONE;
	DagVal l = reload(c, a, vt, VT_I8, DEXT_ZERO, 0);
	return n->opcode == DAG_SIGN_EXTEND ? dag_2(d, DAG_SUB, vt, dag_const(d, vt, 0), l) : l;
}

/* sext(trunc x to i1) ─▶ 0 - (x & 1) */
DagVal combine_sext_odd(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), x = dag_arg(d, a, 0);
	if (dag_vt(d, a) != VT_I1 || !once(c, a) || !dag_is_legal_vt(vt) || vt_bits(dag_vt(d, x)) > 64)
		return DAG_NONE;
	DagVal one = dag_2(d, DAG_AND, vt, dag_any_or_trunc(d, x, vt), dag_const(d, vt, 1));
	return dag_2(d, DAG_SUB, vt, dag_const(d, vt, 0), one);
}

static DagExt ext_of(const DagNode *n)
{
	return n->opcode == DAG_ZERO_EXTEND ? DEXT_ZERO : n->opcode == DAG_SIGN_EXTEND ? DEXT_SIGN : DEXT_ANY;
}

/* The load extends, where what it does to fill its register agrees with what is asked for. */
DagVal combine_extend_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	DagVt  from = dag_vt(d, a);
	DagExt ext = ext_of(n);
	if (!is_extendable_load(c, a) || !once(c, a) || !dag_is_legal_vt(vt) || from == VT_I1 ||
	    (vt_bits(from) != 8 && !dag_is_legal_vt(from)))
		return DAG_NONE;
	const DagMem *m = dag_mem(d, dag_of(d, a));
	if (m->ext == DEXT_NONE)
		return reload(c, a, vt, m->vt, ext == DEXT_ANY ? DEXT_ZERO : ext, 0);
	if (ext == DEXT_ANY || m->ext == ext || (m->ext == DEXT_ZERO && ext == DEXT_SIGN))
		return reload(c, a, vt, m->vt, m->ext, 0);
	return DAG_NONE;
}

/* The 32 bits that a load extends to 64, loaded without that; none: the wide value is needed elsewhere, or wider in memory. On the
 * machine an extension to 64 bits is an instruction, whether or not the load is said to do it. */
DagVal combine_load_half(Combiner *c, DagVal load)
{
	if (!is_extendable_load(c, load) || !once(c, load) || dag_vt(c->d, load) != VT_I64)
		return DAG_NONE;
	const DagMem *m = dag_mem(c->d, dag_of(c->d, load));
	if ((m->ext != DEXT_SIGN && m->ext != DEXT_ZERO) || vt_bits(m->vt) > 32 || !vt_is_sint(m->vt))
		return DAG_NONE;
	return reload(c, load, VT_I32, m->vt, vt_bits(m->vt) == 32 ? DEXT_NONE : m->ext, 0);
}

/* ext(AssertZext x) ─▶ AssertZext(zext x): what is known of the narrow register holds for the wide one. */
DagVal combine_extend_assert(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	if (!once(c, a) || !dag_is_legal_vt(vt) || !dag_is_legal_vt(dag_vt(d, a)))
		return DAG_NONE;
	return dag_2(d, DAG_ASSERT_ZEXT, vt, dag_1(d, DAG_ZERO_EXTEND, vt, dag_arg(d, a, 0)), dag_arg(d, a, 1));
}

/* A truncation that cuts bytes out of a load, which loads these alone once nothing else is done about it. */
static bool is_cut_load(const Combiner *c, DagVal cut)
{
	const Dag *d = c->d;
	DagVal     x = dag_arg(d, cut, 0), l = x;
	u64        by = 0;
	u32        w = vt_bits(dag_vt(d, cut));
	if (!c->f->optimize || !once(c, cut) || !once(c, x))
		return false;
	if (op_of(c, x) == DAG_SRL) {
		if (!dag_as_const(d, dag_arg(d, x, 1), &by))
			return false;
		l = dag_arg(d, x, 0);
	}
	return is_simple_load(c, l) && once(c, l) && is_memory_width(w) && by % w == 0 &&
	       dag_mem(d, dag_of(d, l))->ext == DEXT_NONE && by + w <= vt_bits(dag_mem(d, dag_of(d, l))->vt) &&
	       w < vt_bits(dag_mem(d, dag_of(d, l))->vt);
}

/* The operand of the truncation that `n` extends: of at most 64 bits, and of a legal type where only those may be used. Where
 * nobody reads the bits above, the lowest bytes of a load need no load of their own. */
static bool is_of_truncated(const Combiner *c, const DagNode *n, DagVal *x)
{
	*x = dag_arg(c->d, operand_of(c, n, 0), 0);
	DagVt of = dag_vt(c->d, *x);
	if (vt_bits(of) > 64 || (!dag_is_legal_vt(of) && c->legal))
		return false;
	return (n->opcode == DAG_ANY_EXTEND && op_of(c, *x) == DAG_LOAD) || !is_cut_load(c, operand_of(c, n, 0));
}

/* aext(trunc x) ─▶ x in the width that is asked for */
DagVal combine_aext_truncate(Combiner *c, const DagNode *n)
{
	DagVal x;
	return is_of_truncated(c, n, &x) ? dag_any_or_trunc(c->d, x, n->vt[0]) : DAG_NONE;
}

/* zext(trunc x) ─▶ x & mask, or x where the mask clears nothing */
DagVal combine_zext_truncate(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0], from = dag_vt(d, operand_of(c, n, 0));
	DagVal x;
	if (!is_of_truncated(c, n, &x))
		return DAG_NONE;
	if (dag_masked_zero(d, x, vt_mask(dag_vt(d, x)) & ~vt_mask(from)))
		return dag_zext_or_trunc(d, x, vt);
	return dag_2(d, DAG_AND, vt, dag_any_or_trunc(d, x, vt), dag_const(d, vt, vt_mask(from)));
}

/* sext(trunc x) ─▶ x where the truncation loses only copies of the sign, or sext_inreg x */
DagVal combine_sext_truncate(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), x;
	DagVt  from = dag_vt(d, a);
	if (from == VT_I1 || !is_of_truncated(c, n, &x))
		return DAG_NONE;
	DagVt of = dag_vt(d, x);
	u32   w = vt_bits(from);
	if (dag_is_legal_vt(vt) && dag_sign_bits(d, x, 0) > vt_bits(of) - w)
		return dag_sext_or_trunc(d, x, vt);
	if ((w != 8 && w != 16 && w != 32) || (vt_bits(of) != vt_bits(vt) && !once(c, a)))
		return DAG_NONE;
	return dag_2(d, DAG_SIGN_EXTEND_INREG, vt, dag_any_or_trunc(d, x, vt), dag_vtype(d, from));
}

/* The bit that a comparison is: bit *k of what is returned. (x & 8) != 0: bit 3; x < 0: the topmost. */
static DagVal tested_bit(Combiner *c, DagVal cmp, u64 *k)
{
	Dag *d = c->d;
	u64  bit;
	if (dag_vt(d, cmp) != VT_I1 || !once(c, cmp))
		return DAG_NONE;
	DagVal  l = dag_arg(d, cmp, 0), r = dag_arg(d, cmp, 1);
	DagVt   of = dag_vt(d, l);
	DagCond cc = (DagCond)dag_of(d, dag_arg(d, cmp, 2))->k[0];
	if (!vt_is_sint(of) || vt_bits(of) > 64 || !dag_is_zero(d, r))
		return DAG_NONE;
	if (cc == IRP_I_SLT && vt_bits(of) >= 16) {
		*k = vt_bits(of) - 1;
		return l;
	}
	if (cc != IRP_I_NE || op_of(c, l) != DAG_AND || !dag_as_const(d, dag_arg(d, l, 1), &bit) || !bit ||
	    (bit & (bit - 1)) != 0)
		return DAG_NONE;
	*k = u64_log2(bit);
	return l;
}

/* A single bit as a number: zext((x & 8) != 0) ─▶ (x & 8) >> 3, zext(x < 0) ─▶ x >> 31 */
DagVal combine_zext_bit_test(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	u64    bit;
	DagVal l = tested_bit(c, operand_of(c, n, 0), &bit);
	if (!dag_is(l))
		return DAG_NONE;
	DagVt of = dag_vt(d, l);
	if (of == VT_I64 && vt_bits(n->vt[0]) <= 32 && bit == 63) {
		l = dag_1(d, DAG_TRUNCATE, VT_I32, dag_2(d, DAG_SRL, of, l, amount_of(c, 32)));
		of = VT_I32, bit = 31;
	}
	return dag_zext_or_trunc(d, dag_2(d, DAG_SRL, of, l, amount_of(c, bit)), n->vt[0]);
}

/* Where the bits above are free, the mask is not needed either. */
DagVal combine_aext_bit_test(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	u64    bit;
	DagVal l = tested_bit(c, operand_of(c, n, 0), &bit);
	if (!dag_is(l))
		return DAG_NONE;
	if (bit == vt_bits(dag_vt(d, l)) - 1)
		return combine_zext_bit_test(c, n);
	if (op_of(c, l) == DAG_AND)
		l = dag_arg(d, l, 0);
	return dag_any_or_trunc(d, dag_2(d, DAG_SRL, dag_vt(d, l), l, amount_of(c, bit)), n->vt[0]);
}

/* sext x ─▶ zext x, where the sign of x is known to be 0 */
DagVal combine_sext_positive(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	DagVt  from = dag_vt(c->d, a);
	if (vt_bits(from) > 64 || from == VT_I1 || !(dag_known(c->d, a, 0).zero >> (vt_bits(from) - 1) & 1))
		return DAG_NONE;
	return dag_1(c->d, DAG_ZERO_EXTEND, n->vt[0], a);
}

/* zext(load & k) ─▶ zext(load) & k: the load extends without an instruction. Likewise of | and ^. */
DagVal combine_extend_logic_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), l = dag_arg(d, a, 0);
	DagVt  from = dag_vt(d, a);
	u64    k;
	if (!once(c, a) || vt_bits(from) > 32 || !dag_is_legal_vt(from) || !dag_is_legal_vt(vt) || from == VT_I1 ||
	    !dag_as_const(d, dag_arg(d, a, 1), &k) || !is_extendable_load(c, l) || !once(c, l))
		return DAG_NONE;
	u8 ext = dag_mem(d, dag_of(d, l))->ext;
	if (ext != DEXT_NONE && ext != DEXT_ZERO)
		return DAG_NONE;
	return dag_2(d, op_of(c, a), vt, dag_1(d, DAG_ZERO_EXTEND, vt, l), dag_const(d, vt, k));
}

/* zext(trunc x & k) ─▶ x & k. With aext, of which nobody reads the bits above, likewise of | and ^. */
DagVal combine_masked_truncate(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), t = dag_arg(d, a, 0);
	u64    k;
	if (!dag_as_const(d, dag_arg(d, a, 1), &k) || op_of(c, t) != DAG_TRUNCATE || !once(c, a) ||
	    vt_bits(dag_vt(d, dag_arg(d, t, 0))) > 64)
		return DAG_NONE;
	return dag_2(d, op_of(c, a), vt, dag_any_or_trunc(d, dag_arg(d, t, 0), vt), dag_const(d, vt, k));
}

/* ---- truncations ---- */

/* trunc(load) ─▶ a load of that width */
DagVal combine_truncate_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	u32    w = vt_bits(vt);
	if (!is_memory_width(w) || !is_simple_load(c, a) || !once(c, a))
		return DAG_NONE;
	const DagMem *m = dag_mem(d, dag_of(d, a));
	if (vt_bits(m->vt) > w)
		return reload(c, a, vt, vt, DEXT_NONE, 0);
	if (m->ext && dag_is_legal_vt(vt))
		return reload(c, a, vt, m->vt, vt_bits(m->vt) == w ? DEXT_NONE : m->ext, 0);
	return DAG_NONE;
}

/* trunc(load >> 8 * i) ─▶ a load of that width from i bytes on */
DagVal combine_truncate_load_part(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), l = dag_arg(d, a, 0);
	u32    w = vt_bits(vt), from = vt_bits(dag_vt(d, a));
	u64    k;
	if (from > 64 || !is_memory_width(w) || !once(c, a) || !dag_as_const(d, dag_arg(d, a, 1), &k) || k % w != 0 ||
	    k + w > from)
		return DAG_NONE;
	if (!is_simple_load(c, l) || !once(c, l) || dag_mem(d, dag_of(d, l))->ext != DEXT_NONE ||
	    vt_bits(dag_mem(d, dag_of(d, l))->vt) != from)
		return DAG_NONE;
	return reload(c, l, vt, vt, DEXT_NONE, k / 8);
}

/* Bytes of a load: `w` bits from bit `at` on, as a load of that part, extended by `ext` to `vt`; none: it reads no such part. */
static DagVal part_of_load(Combiner *c, DagVal load, DagVt vt, u64 at, u32 w, DagExt ext)
{
	if (!is_simple_load(c, load) || !once(c, load) || !is_memory_width(w) || at % w)
		return DAG_NONE;
	const DagMem *m = dag_mem(c->d, dag_of(c->d, load));
	if (!vt_is_sint(m->vt) || at + w > vt_bits(m->vt) || w >= vt_bits(m->vt))
		return DAG_NONE;
	return reload(c, load, vt, VT_INT(w), ext, at / 8);
}

/* load >> 8 * i, where whole bytes are left ─▶ a load of these, which extends */
DagVal combine_shifted_load(Combiner *c, const DagNode *n)
{
	u64 by;
	u32 w = vt_bits(n->vt[0]);
	if (!dag_as_const(c->d, operand_of(c, n, 1), &by) || !by || by >= w || !dag_is_legal_vt(n->vt[0]))
		return DAG_NONE;
	return part_of_load(c, operand_of(c, n, 0), n->vt[0], by, w - (u32)by, n->opcode == DAG_SRA ? DEXT_SIGN : DEXT_ZERO);
}

/* load << 8 * i >> 8 * k ─▶ a load of the bytes in the middle */
DagVal combine_middle_of_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	u64    left, right;
	u32    w = vt_bits(n->vt[0]);
	if (!once(c, a) || !dag_as_const(d, dag_arg(d, a, 1), &left) || !dag_as_const(d, operand_of(c, n, 1), &right) ||
	    left > right || right >= w || !dag_is_legal_vt(n->vt[0]))
		return DAG_NONE;
	return part_of_load(c, dag_arg(d, a, 0), n->vt[0], right - left, w - (u32)right,
	                    n->opcode == DAG_SRA ? DEXT_SIGN : DEXT_ZERO);
}

/* (load & 0xFF00) >> 8 ─▶ a load of that byte; of 2 and 4 bytes, too */
DagVal combine_masked_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	u64    mask, by;
	if (!once(c, a) || !dag_as_const(d, dag_arg(d, a, 1), &mask) || !dag_as_const(d, operand_of(c, n, 1), &by) ||
	    by >= vt_bits(n->vt[0]) || !(mask >> by) || ((mask >> by) & ((mask >> by) + 1)) || !dag_is_legal_vt(n->vt[0]))
		return DAG_NONE;
	return part_of_load(c, dag_arg(d, a, 0), n->vt[0], by, u64_log2(mask >> by) + 1, DEXT_ZERO);
}

/* (load & 0xFF00) != 0 ─▶ the byte, loaded, != 0 */
DagVal combine_setcc_masked_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0), zero = operand_of(c, n, 1);
	DagVt  vt = dag_vt(d, a);
	u64    mask, m;
	u32    cc = (u32)dag_of(d, operand_of(c, n, 2))->k[0];
	if (!vt_is_sint(vt) || !dag_is_legal_vt(vt) || (cc != IRP_I_EQ && cc != IRP_I_NE) || !dag_is_zero(d, zero) ||
	    !once(c, a) || !dag_as_const(d, dag_arg(d, a, 1), &mask) || !mask)
		return DAG_NONE;
	u32 at = (u32)sem_ctz(64, mask);
	m = mask >> at;
	if (m & (m + 1))
		return DAG_NONE;
	DagVal l = part_of_load(c, dag_arg(d, a, 0), vt, at, u64_log2(m) + 1, DEXT_ZERO);
	return dag_is(l) ? dag_setcc(d, l, zero, (DagCond)cc) : DAG_NONE;
}

/* load >> 8 * i & 255 ─▶ a load of that byte; of 2 and 4 bytes, too */
DagVal combine_and_shifted_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	u64    mask, by;
	if (!dag_as_const(d, operand_of(c, n, 1), &mask) || !mask || (mask & (mask + 1)) || !once(c, a) ||
	    !dag_is_legal_vt(n->vt[0]) || !dag_as_const(d, dag_arg(d, a, 1), &by))
		return DAG_NONE;
	return part_of_load(c, dag_arg(d, a, 0), n->vt[0], by, u64_log2(mask) + 1, DEXT_ZERO);
}

/* trunc(x + k) ─▶ trunc x + k, and likewise of -, &, | and ^: 32 bits are one instruction, 64 are two. */
DagVal combine_truncate_sum(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), l = dag_arg(d, a, 0), r = dag_arg(d, a, 1);
	u64    k;
	if (dag_vt(d, a) != VT_I64 || vt != VT_I32 || !once(c, a) || !(dag_as_const(d, l, &k) || dag_as_const(d, r, &k)))
		return DAG_NONE;
	return dag_2(d, op_of(c, a), vt, dag_zext_or_trunc(d, l, vt), dag_zext_or_trunc(d, r, vt));
}

/* trunc(mul.wide(a, b) >> half the width) ─▶ mul.hi(a, b) */
DagVal combine_truncate_upper_product(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), m = dag_arg(d, a, 0);
	if ((vt != VT_I32 && vt != VT_I16) || (op_of(c, m) != DAG_MULWIDE_S && op_of(c, m) != DAG_MULWIDE_U) || !once(c, m) ||
	    dag_vt(d, dag_arg(d, m, 0)) != vt || !dag_is_const_of(d, dag_arg(d, a, 1), vt_bits(vt)))
		return DAG_NONE;
	return dag_2(d, op_of(c, m) == DAG_MULWIDE_S ? DAG_MULHS : DAG_MULHU, vt, dag_arg(d, m, 0), dag_arg(d, m, 1));
}

/* trunc(x >> half the width) ─▶ the upper half of the register */
DagVal combine_truncate_upper_half(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	u32    w = vt_bits(vt), from = vt_bits(dag_vt(d, a));
	if (from > 64 || from != 2 * w || w < 16 || !dag_is_const_of(d, dag_arg(d, a, 1), w))
		return DAG_NONE;
	return dag_2(d, DAG_EXTRACT_ELEMENT, vt, dag_arg(d, a, 0), dag_const(d, VT_I32, 1));
}

/* An operation that changes only bits above the width is left out. */
DagVal combine_truncate_demanded(Combiner *c, const DagNode *n)
{
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	/* A value of a narrower type stays in this register, and the assertion remains useful. */
	if (vt_bits(dag_vt(c->d, a)) > 64 || (op_of(c, a) == DAG_ASSERT_ZEXT && vt_bits(vt) != 8 && !dag_is_legal_vt(vt)))
		return DAG_NONE;
	DagVal less = combine_demanded(c, a, vt_mask(vt));
	return dag_is(less) ? dag_1(c->d, DAG_TRUNCATE, vt, less) : DAG_NONE;
}

/* The type that a SIGN_EXTEND_INREG extends from. */
static u32 inreg_bits(const Combiner *c, const DagNode *n) { return vt_bits((DagVt)dag_of(c->d, operand_of(c, n, 1))->k[0]); }

/* trunc(sext_inreg x) ─▶ trunc x, where only bits below the sign are left */
DagVal combine_truncate_in_register(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	if (vt_bits(dag_vt(c->d, a)) > 64 || inreg_bits(c, dag_of(c->d, a)) < vt_bits(n->vt[0]))
		return DAG_NONE;
	return dag_1(c->d, DAG_TRUNCATE, n->vt[0], dag_arg(c->d, a, 0));
}

/* trunc(build_pair lo, hi) ─▶ lo */
DagVal combine_truncate_pair(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0), lo = dag_arg(c->d, a, 0);
	if (vt_bits(dag_vt(c->d, a)) > 64 || vt_bits(dag_vt(c->d, lo)) < vt_bits(n->vt[0]))
		return DAG_NONE;
	return dag_any_or_trunc(c->d, lo, n->vt[0]);
}

/* trunc(x >> k) to i1 ─▶ (x & 1 << k) != 0 */
DagVal combine_truncate_bit(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	DagVt  from = dag_vt(d, a);
	u64    k;
	if (vt_bits(from) > 64 || !once(c, a) || !dag_as_const(d, dag_arg(d, a, 1), &k) || k >= vt_bits(from))
		return DAG_NONE;
	return dag_setcc(d, dag_2(d, DAG_AND, from, dag_arg(d, a, 0), dag_const(d, from, (u64)1 << k)), dag_const(d, from, 0),
	                 IRP_I_NE);
}

/* ---- sign extensions within a register ---- */

/* sext_inreg x ─▶ x, where x has enough sign bits. */
DagVal combine_inreg_signs(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	return dag_sign_bits(c->d, a, 0) > vt_bits(n->vt[0]) - inreg_bits(c, n) ? a : DAG_NONE;
}

/* The same node of another operand. */
static DagVal inreg_of(Combiner *c, const DagNode *n, DagVal x)
{
	return dag_2(c->d, DAG_SIGN_EXTEND_INREG, n->vt[0], x, operand_of(c, n, 1));
}

/* sext_inreg(x & m) ─▶ sext_inreg x, where the mask keeps all bits that are extended. */
DagVal combine_inreg_masked(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	u64    k, low = sem_mask(inreg_bits(c, n));
	return dag_as_const(c->d, dag_arg(c->d, a, 1), &k) && (k & low) == low ? inreg_of(c, n, dag_arg(c->d, a, 0)) : DAG_NONE;
}

/* sext_inreg(sext_inreg x) ─▶ sext_inreg x, where the inner one extends from as many bits or more. */
DagVal combine_inreg_inreg(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	return inreg_bits(c, dag_of(c->d, a)) >= inreg_bits(c, n) ? inreg_of(c, n, dag_arg(c->d, a, 0)) : DAG_NONE;
}

/* The load extends. */
DagVal combine_inreg_load(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	DagVt  of = (DagVt)dag_of(c->d, operand_of(c, n, 1))->k[0];
	if (!is_simple_load(c, a) || !once(c, a))
		return DAG_NONE;
	if (dag_mem(c->d, dag_of(c->d, a))->vt != of)
		return c->f->optimize ? part_of_load(c, a, n->vt[0], 0, vt_bits(of), DEXT_SIGN) : DAG_NONE;
	return reload(c, a, n->vt[0], of, DEXT_SIGN, 0);
}

/* sext_inreg(load >> 8 * i) ─▶ a load of these bytes */
DagVal combine_inreg_shifted_load(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	u64    by;
	if (!once(c, a) || !dag_as_const(d, dag_arg(d, a, 1), &by) || !dag_is_legal_vt(n->vt[0]))
		return DAG_NONE;
	return part_of_load(c, dag_arg(d, a, 0), n->vt[0], by, inreg_bits(c, n), DEXT_SIGN);
}

/* sext_inreg(x >> k) of the topmost bits ─▶ the arithmetic shift */
DagVal combine_inreg_top(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	if (!dag_is_const_of(c->d, dag_arg(c->d, a, 1), vt_bits(n->vt[0]) - inreg_bits(c, n)))
		return DAG_NONE;
	return dag_2(c->d, DAG_SRA, n->vt[0], dag_arg(c->d, a, 0), dag_arg(c->d, a, 1));
}

/* sext_inreg of an unsigned field of those bits ─▶ the signed field */
DagVal combine_inreg_field(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0), in = op_of(c, a) == DAG_TRUNCATE ? dag_arg(d, a, 0) : a;
	DagVt  vt = dag_vt(d, in);
	if (op_of(c, in) != DAG_BFE_U || !dag_is_const_of(d, dag_arg(d, in, 2), inreg_bits(c, n)) || !dag_is_legal_vt(vt))
		return DAG_NONE;
	DagVal s = dag_3(d, DAG_BFE_S, vt, dag_arg(d, in, 0), dag_arg(d, in, 1), dag_arg(d, in, 2));
	return dag_same(in, a) ? s : dag_1(d, DAG_TRUNCATE, n->vt[0], s);
}

/* sext_inreg(zext x) from the type of x ─▶ sext x */
DagVal combine_inreg_extended(Combiner *c, const DagNode *n)
{
	DagVal x = dag_arg(c->d, operand_of(c, n, 0), 0);
	DagVt  of = (DagVt)dag_of(c->d, operand_of(c, n, 1))->k[0];
	return dag_vt(c->d, x) == of && dag_is_legal_vt(of) ? dag_1(c->d, DAG_SIGN_EXTEND, n->vt[0], x) : DAG_NONE;
}

/* {lo, hi} = load.v<i8> … bitcast <2 x i8> of both ─▶ load i16: bytes that lie side by side are a number in memory. Nothing may be
 * ordered behind the load, as nothing is behind that of a parameter. */
static DagVal load_of_bytes(Combiner *c, DagVal pair)
{
	Dag   *d = c->d;
	DagVal half[2];
	for (u32 i = 0; i < 2; i++) {
		DagVal byte = dag_arg(d, pair, i);
		if (op_of(c, byte) != DAG_TRUNCATE || !once(c, byte))
			return DAG_NONE;
		half[i] = dag_arg(d, byte, 0);
		if (op_of(c, half[i]) != DAG_LOADV || half[i].n != half[0].n || half[i].r != i || !once(c, half[i]))
			return DAG_NONE;
	}
	const DagNode *load = dag_of(d, half[0]);
	DagMem         m = *dag_mem(d, load);
	if (load->n_results != 3 || m.vt != VT_I8 || dag_has_uses(d, dag_res(half[0].n, 2)) || (m.mem.flags & MMF_VOLATILE) ||
	    m.mem.ordering || !m.mem.align_log2)
		return DAG_NONE;
	m.vt = VT_I16;
	m.ext = DEXT_NONE;
	m.mem.size = 2;
	return dag_load(d, VT_I16, dag_operand(d, load, 0), dag_operand(d, load, 1), m);
}

DagVal combine_bitcast(Combiner *c, const DagNode *n)
{
	Dag           *d = c->d;
	DagVt          vt = n->vt[0];
	DagVal         a = operand_of(c, n, 0);
	const DagNode *x = dag_of(d, a);
	if (x->opcode == DAG_BITCAST && dag_vt(d, dag_operand(d, x, 0)) == vt)
		return dag_operand(d, x, 0);
	if (x->opcode == DAG_BUILD_VECTOR && vt == VT_I16 && x->vt[0] == vt_vec(VT_I8, 2) && once(c, a))
		return load_of_bytes(c, a);
	/* A load that nothing else uses loads the other type. */
	if (x->opcode == DAG_LOAD && a.r == 0 && once(c, a) && !vt_is_vec(vt) && !vt_is_vec(x->vt[0]) && vt_bits(vt) >= 16) {
		const DagMem *m = dag_mem(d, x);
		if (m->ext == DEXT_NONE && !(m->mem.flags & MMF_VOLATILE) && !m->mem.ordering)
			return reload(c, a, vt, vt, DEXT_NONE, 0);
	}
	return DAG_NONE;
}

/* A load whose value is not used: the users of its chain get the chain that it takes, and the load is dropped. */
DagVal combine_load(Combiner *c, const DagNode *n)
{
	Dag          *d = c->d;
	const DagMem *m = dag_mem(d, n);
	if (dag_has_uses(d, dag_res(n->id, 0)) || (m->mem.flags & MMF_VOLATILE) || m->mem.ordering)
		return DAG_NONE;
	if (!dag_has_uses(d, dag_res(n->id, 1)))
		return DAG_NONE;
	c->in_place = true;
	dag_replace(d, dag_res(n->id, 1), operand_of(c, n, 0));
	return DAG_NONE;
}

/* An element of a vector of two 16-bit elements whose load has no other use: the load reads that element alone. */
DagVal combine_element(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal v = operand_of(c, n, 0), l = op_of(c, v) == DAG_BITCAST && once(c, v) ? dag_arg(d, v, 0) : v;
	DagVt  vt = dag_vt(d, v), e = n->vt[0];
	u64    i;
	if (op_of(c, l) != DAG_LOAD || l.r != 0 || !once(c, l) || vt_size(vt) != 32 || vt_bits(vt) != 16 || e != vt_elem(vt) ||
	    !c->f->optimize)
		return DAG_NONE;
	const DagMem *m = dag_mem(d, dag_of(d, l));
	if (m->ext != DEXT_NONE || vt_size(m->vt) != 32 || (m->mem.flags & MMF_VOLATILE) || m->mem.ordering || m->nc == DAG_LDU ||
	    !dag_as_const(d, operand_of(c, n, 1), &i) || i > 1)
		return DAG_NONE;
	return reload(c, l, e, e, DEXT_NONE, 2 * i);
}

/* BUILD_VECTOR of all elements of one vector in their order: that vector. */
DagVal combine_build_vector(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal v = DAG_NONE;
	for (u32 k = 0; k < dag_n_ops(n); k++) {
		DagVal e = dag_operand(d, n, k);
		u64    i;
		if (op_of(c, e) != DAG_EXTRACT_VECTOR_ELT || !dag_as_const(d, dag_arg(d, e, 1), &i) || i != k ||
		    (k && !dag_same(v, dag_arg(d, e, 0))))
			return DAG_NONE;
		v = dag_arg(d, e, 0);
	}
	return dag_is(v) && dag_vt(d, v) == n->vt[0] ? v : DAG_NONE;
}

/* ---- stores ---- */

/* A store of what was just loaded from there, with nothing written in between, is left out. */
DagVal combine_store_back(Combiner *c, const DagNode *n)
{
	const Dag     *d = c->d;
	DagVal         v = operand_of(c, n, 1);
	const DagNode *l = dag_of(d, v);
	if (v.r != 0 || !dag_same(operand_of(c, n, 0), dag_res(v.n, 1)))
		return DAG_NONE;
	const DagMem *from = dag_mem(d, l), *to = dag_mem(d, n);
	bool same = dag_same(dag_operand(d, l, 1), operand_of(c, n, 2)) && from->vt == to->vt && from->ext == DEXT_NONE &&
	            from->nc == to->nc && from->mem.space == to->mem.space;
	bool plain = !((from->mem.flags | to->mem.flags) & MMF_VOLATILE) && !from->mem.ordering && !to->mem.ordering;
	return same && plain ? operand_of(c, n, 0) : DAG_NONE;
}

/* A float constant is stored as the integer of its bits, the result of a bitcast as its operand. */
DagVal combine_store_bits(Combiner *c, const DagNode *n)
{
	Dag          *d = c->d;
	const DagMem *m = dag_mem(d, n);
	DagVal        v = operand_of(c, n, 1), bits;
	DagVt         vt = dag_vt(d, v);
	if (m->vt != vt || m->mem.ordering)
		return DAG_NONE;
	if (op_of(c, v) == DAG_ConstantFP && (vt == VT_F32 || vt == VT_F64)) {
		bits = dag_const(d, vt_as_int(vt), dag_of(d, v)->k[0]);
	} else {
		if (op_of(c, v) != DAG_BITCAST || !once(c, v) || (m->mem.flags & MMF_VOLATILE))
			return DAG_NONE;
		bits = dag_arg(d, v, 0);
		DagVt of = dag_vt(d, bits);
		if (vt_is_vec(of) || vt_is_vec(vt) || !dag_is_legal_vt(of) || of == VT_I1)
			return DAG_NONE;
	}
	DagMem as = *m;
	as.vt = dag_vt(d, bits);
	return dag_store(d, operand_of(c, n, 0), bits, operand_of(c, n, 2), as);
}

/* Does it store an integer of whole bytes out of a register? */
static bool is_integer_store(const Combiner *c, const DagNode *n)
{
	DagVt vt = dag_vt(c->d, operand_of(c, n, 1)), of = dag_mem(c->d, n)->vt;
	return vt_is_sint(vt) && vt_is_sint(of) && vt_bits(of) >= 8 && dag_is_legal_vt(vt) && vt != VT_I1;
}

static void store_instead(Combiner *c, const DagNode *n, DagVal v)
{
	if (!dag_is(v) || vt_bits(dag_vt(c->d, v)) > 64)
		return;
	c->in_place = true;
	dag_set_operand(c->d, n->id, 1, v);
}

/* The upper half of a product, which mul.hi makes? */
static bool is_upper_product(Combiner *c, DagVal x, u32 bits)
{
	u32 op = op_of(c, x) == DAG_SRL && dag_is_const_of(c->d, dag_arg(c->d, x, 1), bits) ? op_of(c, dag_arg(c->d, x, 0)) : 0;
	return op == DAG_MUL || op == DAG_MULWIDE_S || op == DAG_MULWIDE_U;
}

/* A store takes the low bits of a wider register without a truncation. */
DagVal combine_store_truncated(Combiner *c, const DagNode *n)
{
	const DagMem *m = dag_mem(c->d, n);
	DagVal        x = dag_arg(c->d, operand_of(c, n, 1), 0);
	if (is_cut_load(c, operand_of(c, n, 1)) || is_upper_product(c, x, vt_bits(m->vt)))
		return DAG_NONE;
	if (is_integer_store(c, n) && dag_is_legal_vt(dag_vt(c->d, x)) && ((u32)1 << m->mem.align_log2) * 8 >= vt_bits(m->vt))
		store_instead(c, n, x);
	return DAG_NONE;
}

/* Bits that an extension adds above what is stored are not added. */
DagVal combine_store_extended(Combiner *c, const DagNode *n)
{
	DagVal x = dag_arg(c->d, operand_of(c, n, 1), 0);
	DagVt  vt = dag_vt(c->d, x);
	if (is_integer_store(c, n) && dag_is_legal_vt(vt) && vt != VT_I1 && vt_bits(dag_mem(c->d, n)->vt) <= vt_bits(vt))
		store_instead(c, n, x);
	return DAG_NONE;
}

/* An operation that changes only bits above what is stored is left out. */
DagVal combine_store_demanded(Combiner *c, const DagNode *n)
{
	DagVal v = operand_of(c, n, 1);
	u32    w = vt_bits(dag_mem(c->d, n)->vt);
	if (is_integer_store(c, n) && w < vt_bits(dag_vt(c->d, v)))
		store_instead(c, n, combine_demanded(c, v, sem_mask(w)));
	return DAG_NONE;
}

/* A byte, extended, of a word that PRMT has put together: that byte of the word that PRMT took it from. */
DagVal combine_field(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal w = operand_of(c, n, 0);
	u64    at, order;
	if (!dag_is_const_of(d, operand_of(c, n, 2), 8) || !dag_as_const(d, operand_of(c, n, 1), &at) || at % 8 || at > 24)
		return DAG_NONE;
	bool found = false;
	for (;;) {
		if (dag_op(d, w) == DAG_BITCAST) {
			w = dag_arg(d, w, 0);
			continue;
		}
		if (dag_op(d, w) != DAG_PRMT || !dag_as_const(d, dag_arg(d, w, 2), &order) || (order >> at / 2 & 8))
			break;
		u32 from = order >> at / 2 & 7;
		w = dag_arg(d, w, from / 4);
		at = from % 4 * 8;
		found = true;
	}
	if (!found)
		return DAG_NONE;
	if (dag_as_const(d, w, &order)) {
		u64 byte = order >> at & 0xFF;
		return dag_const(d, VT_I32, n->opcode == DAG_BFE_S ? (u64)sem_sext(byte, 8) : byte);
	}
	if (dag_vt(d, w) != VT_I32)
		w = dag_1(d, DAG_BITCAST, VT_I32, w);
	return dag_3(d, (DagOp)n->opcode, VT_I32, w, dag_const(d, VT_I32, at), dag_const(d, VT_I32, 8));
}
