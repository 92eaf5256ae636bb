/* combine_int.c: rules on integers that do not fit a row of combine.def: they ask which bits are known or needed, how a load
 * extends, or which values fit half the width.
 *
 *	sext(a) * sext(b) ─▶ mul.wide      (x | y) & m ─▶ x & m where y has no bit of m      (x >> 5) & 31 ─▶ bfe
 *
 * combine.def's row has tested the operations of the first two operands and the type. Each function takes constant time, and
 * dag_known's or dag_sign_bits' where it asks for known bits; combine_demanded looks through one shift. */
#include "dag/combine.h"
#include "sem/int.h"

static DagVal k(Combiner *c, DagVt vt, u64 v) { return dag_const(c->d, vt, v); }
static DagVal op2(Combiner *c, DagOp op, DagVt vt, DagVal a, DagVal b) { return dag_2(c->d, op, vt, a, b); }

/* ---- products ---- */

/* The half-width value that `v` extends, or a constant that fits the half: signed or unsigned. */
static bool half_operand(Combiner *c, DagVal v, DagVt half, bool is_signed, DagVal *out)
{
	Dag *d = c->d;
	u64  x;
	u32  w = vt_bits(half);
	if (dag_is_const(d, v) && dag_as_const(d, v, &x)) {
		i64 s = sem_sext(x, 2 * w);
		if (is_signed ? s != sem_sext((u64)s, w) : x >> w != 0)
			return false;
		*out = k(c, half, x);
		return true;
	}
	if (op_of(c, v) != (is_signed ? DAG_SIGN_EXTEND : DAG_ZERO_EXTEND))
		return false;
	DagVal a = dag_arg(d, v, 0);
	if (vt_bits(dag_vt(d, a)) > w || dag_vt(d, a) == VT_I1)
		return false;
	*out = dag_vt(d, a) == half ? a : dag_1(d, is_signed ? DAG_SIGN_EXTEND : DAG_ZERO_EXTEND, half, a);
	return true;
}

/* Reads x + i, where the sum does not wrap, so that ext(x + i) = ext(x) + ext(i). */
static bool exact_sum(Combiner *c, DagVal v, bool is_signed, DagVal *x, u64 *i)
{
	Dag           *d = c->d;
	const DagNode *n = dag_of(d, v);
	if (n->opcode == DAG_OR && dag_as_const(d, dag_operand(d, n, 1), i) &&
	    ((n->flags & IRF_DISJOINT) || dag_masked_zero(d, dag_operand(d, n, 0), *i))) {
		*x = dag_operand(d, n, 0);
		return !is_signed || !(*i >> (vt_bits(n->vt[0]) - 1) & 1);
	}
	if (n->opcode != DAG_ADD || !dag_as_const(d, dag_operand(d, n, 1), i) || !(n->flags & (is_signed ? IRF_NSW : IRF_NUW)))
		return false;
	*x = dag_operand(d, n, 0);
	return true;
}

static DagVal wide_product(Combiner *c, DagVt vt, DagVal a, DagVal b)
{
	Dag   *d = c->d;
	DagVal x, y;
	if (!c->f->optimize || (vt != VT_I32 && vt != VT_I64))
		return DAG_NONE;
	DagVt half = VT_INT(vt_bits(vt) / 2);
	for (u32 s = 0; s < 2; s++)
		if (!dag_is_const(d, a) && half_operand(c, a, half, s == 0, &x) && half_operand(c, b, half, s == 0, &y)) {
			DagVal base;
			u64    i, by;
			/* Move the constant outward, where an address can have it as its offset. */
			if (dag_as_const(d, y, &by) && exact_sum(c, x, s == 0, &base, &i)) {
				u32 w = vt_bits(half);
				u64 off = s == 0 ? (u64)sem_sext(i, w) * (u64)sem_sext(by, w) : i * by;
				return op2(c, DAG_ADD, vt, op2(c, s == 0 ? DAG_MULWIDE_S : DAG_MULWIDE_U, vt, base, y),
				           k(c, vt, off));
			}
			return op2(c, s == 0 ? DAG_MULWIDE_S : DAG_MULWIDE_U, vt, x, y);
		}
	return DAG_NONE;
}

DagVal combine_mul_wide(Combiner *c, const DagNode *n)
{
	return wide_product(c, n->vt[0], operand_of(c, n, 0), operand_of(c, n, 1));
}

/* ext(x * y) ─▶ mul.wide(x, y), where the product does not wrap; x << n is a product. */
DagVal combine_extend_product(Combiner *c, const DagNode *n)
{
	Dag           *d = c->d;
	DagVt          vt = n->vt[0], half = VT_INT(vt_bits(vt) / 2);
	DagVal         a = operand_of(c, n, 0);
	const DagNode *m = dag_of(d, a);
	bool           is_signed = n->opcode == DAG_SIGN_EXTEND;
	u64            by;
	if (!c->f->optimize || dag_vt(d, a) != half || !once(c, a) || !(m->flags & (is_signed ? IRF_NSW : IRF_NUW)))
		return DAG_NONE;
	DagVal y = dag_arg(d, a, 1);
	if (m->opcode == DAG_SHL) {
		if (!dag_as_const(d, y, &by) || by >= vt_bits(half) - is_signed)
			return DAG_NONE;
		y = k(c, half, (u64)1 << by);
	}
	return op2(c, is_signed ? DAG_MULWIDE_S : DAG_MULWIDE_U, vt, dag_arg(d, a, 0), y);
}

/* a | b, where one is x & m and the other y & ~m ─▶ ((x ^ y) & m) ^ y */
DagVal combine_masked_merge(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), b = operand_of(c, n, 1);
	if (!once(c, a) || !once(c, b))
		return DAG_NONE;
	for (u32 k = 0; k < 8; k++) { /* which of the two has ~m, and where the masks stand in them */
		DagVal with = k & 1 ? b : a, without = k & 1 ? a : b, inverse = dag_arg(d, without, k >> 1 & 1);
		DagVal y = dag_arg(d, without, 1 - (k >> 1 & 1)), m = dag_arg(d, with, k >> 2),
		       x = dag_arg(d, with, 1 - (k >> 2));
		if (op_of(c, inverse) == DAG_XOR && once(c, inverse) && dag_is_all_ones(d, dag_arg(d, inverse, 1)) &&
		    dag_same(dag_arg(d, inverse, 0), m))
			return op2(c, DAG_XOR, vt, op2(c, DAG_AND, vt, op2(c, DAG_XOR, vt, x, y), m), y);
	}
	return DAG_NONE;
}

/* A word that PRMT has put together: a byte of it is one of its operands' (combine_field). */
static bool is_of_bytes(Combiner *c, DagVal v)
{
	while (op_of(c, v) == DAG_BITCAST)
		v = dag_arg(c->d, v, 0);
	return op_of(c, v) == DAG_PRMT;
}

static DagVal without_unneeded(Combiner *c, DagVal v, u64 mask)
{
	Dag  *d = c->d;
	DagOp op = op_of(c, v);
	u64   k_;
	if (op == DAG_OR || op == DAG_XOR) {
		DagVal a = dag_arg(d, v, 0), b = dag_arg(d, v, 1);
		if (dag_masked_zero(d, b, mask))
			return a;
		if (dag_masked_zero(d, a, mask))
			return b;
	}
	if (op == DAG_AND && dag_as_const(d, dag_arg(d, v, 1), &k_) && (k_ & mask) == mask)
		return dag_arg(d, v, 0);
	if (op == DAG_BFE_U && !is_of_bytes(c, dag_arg(d, v, 0)) && dag_is_zero(d, dag_arg(d, v, 1)) &&
	    dag_as_const(d, dag_arg(d, v, 2), &k_) && k_ < 64 && !(mask & ~sem_mask((u32)k_)))
		return dag_arg(d, v, 0);
	if (op == DAG_ASSERT_ZEXT)
		return (mask & ~vt_mask((DagVt)dag_of(d, dag_arg(d, v, 1))->k[0])) == 0 ? dag_arg(d, v, 0) : DAG_NONE;
	return DAG_NONE;
}

static DagVal without_unneeded_shifted(Combiner *c, DagVal v, u64 mask)
{
	Dag  *d = c->d;
	DagOp op = op_of(c, v);
	DagVt vt = dag_vt(d, v);
	u64   n;
	if ((op != DAG_SRL && op != DAG_SHL) || vt_is_vec(vt) || !once(c, v) || !dag_as_const(d, dag_arg(d, v, 1), &n) ||
	    n >= vt_bits(vt))
		return without_unneeded(c, v, mask);
	DagVal less = without_unneeded(c, dag_arg(d, v, 0), op == DAG_SRL ? mask << n & vt_mask(vt) : mask >> n);
	return dag_is(less) ? op2(c, op, vt, less, dag_arg(d, v, 1)) : DAG_NONE;
}

DagVal combine_demanded(Combiner *c, DagVal v, u64 mask)
{
	if (op_of(c, v) != DAG_TRUNCATE || vt_bits(dag_vt(c->d, dag_arg(c->d, v, 0))) > 64)
		return without_unneeded_shifted(c, v, mask);
	DagVal less = without_unneeded_shifted(c, dag_arg(c->d, v, 0), mask);
	return dag_is(less) ? dag_1(c->d, DAG_TRUNCATE, dag_vt(c->d, v), less) : DAG_NONE;
}

/* x - zext(p) ─▶ x + sext(p), of at most 16 bits, which ptxas subtracts in two steps. */
DagVal combine_sub_predicate(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal z = operand_of(c, n, 1);
	if (vt_bits(n->vt[0]) > 16 || dag_vt(d, dag_arg(d, z, 0)) != VT_I1 || !once(c, z))
		return DAG_NONE;
	return op2(c, DAG_ADD, n->vt[0], operand_of(c, n, 0), dag_1(d, DAG_SIGN_EXTEND, n->vt[0], dag_arg(d, z, 0)));
}

/* Of single bits, a sum and a difference are the exclusive or, and a product is the conjunction. */
DagVal combine_sum_of_bits(Combiner *c, const DagNode *n)
{
	if (vt_elem(n->vt[0]) != VT_I1)
		return DAG_NONE;
	return op2(c, n->opcode == DAG_MUL ? DAG_AND : DAG_XOR, n->vt[0], operand_of(c, n, 0), operand_of(c, n, 1));
}

/* ---- logic ---- */

static bool is_mask_of(const Combiner *c, const DagNode *n, u64 *mask) { return dag_as_const(c->d, operand_of(c, n, 1), mask); }

/* x & m ─▶ x, where all bits that the mask clears are known to be 0. Tried before the rules that drop the AssertZext which
 * says so. */
DagVal combine_and_nothing_cleared(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	u64    mask;
	if (!is_mask_of(c, n, &mask))
		return DAG_NONE;
	return (~mask & vt_mask(n->vt[0]) & ~dag_known(c->d, a, 0).zero) == 0 ? a : DAG_NONE;
}

DagVal combine_and_demanded(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0), less;
	u64    mask;
	if (!is_mask_of(c, n, &mask) || op_of(c, a) == DAG_AND)
		return DAG_NONE;
	less = combine_demanded(c, a, mask);
	return dag_is(less) ? op2(c, DAG_AND, n->vt[0], less, k(c, n->vt[0], mask)) : DAG_NONE;
}

/* sext(x) & m ─▶ aext(x) & m, and aext(x) & m ─▶ zext(x) where m clears only bits that are 0; m has no bit above those of x. */
DagVal combine_and_extension(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	u64    mask;
	if ((op_of(c, a) != DAG_SIGN_EXTEND && op_of(c, a) != DAG_ANY_EXTEND) || !is_mask_of(c, n, &mask))
		return DAG_NONE;
	DagVal in = dag_arg(d, a, 0);
	DagVt  from = dag_vt(d, in);
	if (mask > vt_mask(from) || from == VT_I1)
		return DAG_NONE;
	if (op_of(c, a) == DAG_SIGN_EXTEND)
		return once(c, a) ? op2(c, DAG_AND, vt, dag_1(d, DAG_ANY_EXTEND, vt, in), k(c, vt, mask)) : DAG_NONE;
	return dag_masked_zero(d, in, vt_mask(from) & ~mask) ? dag_1(d, DAG_ZERO_EXTEND, vt, in) : DAG_NONE;
}

DagVal combine_and_in_register(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	u64    mask;
	if (op_of(c, a) != DAG_SIGN_EXTEND_INREG || !is_mask_of(c, n, &mask) ||
	    mask > vt_mask((DagVt)dag_of(c->d, dag_arg(c->d, a, 1))->k[0]))
		return DAG_NONE;
	return op2(c, DAG_AND, n->vt[0], dag_arg(c->d, a, 0), k(c, n->vt[0], mask));
}

/* load & m ─▶ a zero-extending load, where the mask keeps just the bits that are loaded. */
DagVal combine_and_load_zero(Combiner *c, const DagNode *n)
{
	Dag           *d = c->d;
	DagVt          vt = n->vt[0];
	DagVal         a = operand_of(c, n, 0);
	const DagNode *load = dag_of(d, a);
	u64            mask;
	if (load->opcode != DAG_LOAD || a.r != 0 || !is_mask_of(c, n, &mask) || vt_mask(dag_mem(d, load)->vt) != mask)
		return DAG_NONE;
	DagMem m = *dag_mem(d, load);
	if (m.ext != DEXT_ANY && (m.ext != DEXT_SIGN || !once(c, a)))
		return DAG_NONE;
	m.ext = DEXT_ZERO;
	DagVal l = dag_load(d, vt, dag_operand(d, load, 0), dag_operand(d, load, 1), m);
	dag_replace(d, dag_res(a.n, 1), dag_res(l.n, 1));
	if (!once(c, a))
		dag_replace(d, dag_res(a.n, 0), l);
	return l;
}

/* load & m ─▶ a zero-extending load of the lowest bytes, where m is a mask of 8, 16 or 32 bits. */
DagVal combine_and_load_part(Combiner *c, const DagNode *n)
{
	Dag           *d = c->d;
	DagVal         a = operand_of(c, n, 0);
	const DagNode *load = dag_of(d, a);
	u64            mask;
	if (load->opcode != DAG_LOAD || a.r != 0 || !is_mask_of(c, n, &mask) || !once(c, a) ||
	    (mask != 0xFF && mask != 0xFFFF && mask != 0xFFFFFFFF))
		return DAG_NONE;
	DagMem m = *dag_mem(d, load);
	u32    w = u64_log2(mask) + 1;
	if (vt_bits(m.vt) <= w || !vt_is_sint(m.vt) || (m.mem.flags & MMF_VOLATILE) || m.mem.ordering || m.nc == DAG_LDU)
		return DAG_NONE;
	m.vt = VT_INT(w);
	m.ext = DEXT_ZERO;
	m.mem.size = w / 8;
	u32 order = d->order;
	d->order = load->order;
	DagVal l = dag_load(d, n->vt[0], dag_operand(d, load, 0), dag_operand(d, load, 1), m);
	d->order = order;
	dag_replace(d, dag_res(a.n, 1), dag_res(l.n, 1));
	return l;
}

/* (x >> s) & (2^len - 1) */
DagVal combine_and_field(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	u64    s, mask;
	if ((op_of(c, a) != DAG_SRL && op_of(c, a) != DAG_SRA) || !is_mask_of(c, n, &mask) || !mask || (mask & (mask + 1)) != 0 ||
	    !dag_as_const(d, dag_arg(d, a, 1), &s))
		return DAG_NONE;
	u32 len = u64_log2(mask) + 1;
	if (s + len > vt_bits(n->vt[0]))
		return DAG_NONE;
	return dag_3(d, DAG_BFE_U, n->vt[0], dag_arg(d, a, 0), amount_of(c, s), amount_of(c, len));
}

/* Has the comparison other users, and do branches alone read its negation? Then it stays: `@!p bra` costs nothing. */
static bool branches_alone_negate(Combiner *c, const DagNode *n, DagVal a)
{
	if (once(c, a))
		return false;
	dag_each_use(c->d, n->id, u)
		if (dag_at(c->d, dag_use(c->d, u)->user)->opcode != DAG_BRCOND)
			return false;
	return true;
}

/* !(a < b) ─▶ a >= b, where a < b stands: not where it is negated, which may be at a branch */
DagVal combine_not_comparison(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	if (op_of(c, a) != DAG_SETCC || !dag_is_all_ones(d, operand_of(c, n, 1)) || branches_alone_negate(c, n, a) ||
	    !(once(c, a) || c->f->optimize))
		return DAG_NONE;
	DagVal  l = dag_arg(d, a, 0), r = dag_arg(d, a, 1);
	DagCond cc = (DagCond)dag_of(d, dag_arg(d, a, 2))->k[0];
	u32     order = d->order, origin = d->origin;
	d->order = dag_of(d, a)->order;
	d->origin = dag_of(d, a)->origin;
	DagVal inverse = dag_setcc(d, l, r, dag_cond_not(cc, vt_is_int(dag_vt(d, l))));
	d->order = order;
	d->origin = origin;
	return inverse;
}

static bool is_free_to_negate(Combiner *c, DagVal p)
{
	return once(c, p) && (op_of(c, p) == DAG_SETCC || (op_of(c, p) == DAG_XOR && dag_is_all_ones(c->d, dag_arg(c->d, p, 1))));
}

/* !(a & b) ─▶ !a | !b, where each of a and b is a comparison without other uses, which is inverted, or a negation, which goes. */
DagVal combine_not_logic(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0);
	DagOp  in = op_of(c, a);
	if ((in != DAG_AND && in != DAG_OR) || n->vt[0] != VT_I1 || !dag_is_all_ones(d, operand_of(c, n, 1)) || !once(c, a))
		return DAG_NONE;
	DagVal l = dag_arg(d, a, 0), r = dag_arg(d, a, 1);
	if (!is_free_to_negate(c, l) || !is_free_to_negate(c, r))
		return DAG_NONE;
	return op2(c, in == DAG_AND ? DAG_OR : DAG_AND, VT_I1, dag_not(d, l), dag_not(d, r));
}

/* cast(a) op cast(b) ─▶ cast(a op b), for &, | and ^. */
DagVal combine_logic_casts(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal a = operand_of(c, n, 0), b = operand_of(c, n, 1);
	DagVt  vt = n->vt[0];
	DagOp  hand = op_of(c, a);
	if ((hand != DAG_TRUNCATE && hand != DAG_ZERO_EXTEND && hand != DAG_SIGN_EXTEND && hand != DAG_ANY_EXTEND) ||
	    hand != op_of(c, b) || !once(c, a) || !once(c, b))
		return DAG_NONE;
	DagVal p = dag_arg(d, a, 0), q = dag_arg(d, b, 0);
	DagVt  in = dag_vt(d, p);
	if ((hand == DAG_TRUNCATE && vt != VT_I1) || in != dag_vt(d, q) || vt_bits(in) > 64 || (!dag_is_legal_vt(in) && c->legal))
		return DAG_NONE;
	/* Extensions that are disjoint have disjoint operands; truncations say nothing of the upper bits. */
	u16 flags = hand == DAG_TRUNCATE ? 0 : n->flags & IRF_DISJOINT;
	return dag_1(d, hand, vt, dag_flagged(d, (DagOp)n->opcode, in, (DagVal[]){p, q}, 2, flags));
}

/* The bits of a vector of predicates as an integer of that type: what was cast to it, or a constant; else none. */
static DagVal bits_of(Combiner *c, DagVal v, DagVt in)
{
	Dag *d = c->d;
	u64  bits = 0, bit;
	if (op_of(c, v) == DAG_BITCAST)
		return dag_vt(d, dag_arg(d, v, 0)) == in ? dag_arg(d, v, 0) : DAG_NONE;
	if (op_of(c, v) != DAG_BUILD_VECTOR || vt_bits(in) > 64)
		return DAG_NONE;
	for (u32 i = 0; i < vt_bits(in); i++) {
		DagVal e = dag_arg(d, v, i);
		if (!dag_as_const(d, e, &bit) && !dag_is_undef(d, e))
			return DAG_NONE;
		bits |= dag_is_undef(d, e) ? 0 : (bit & 1) << i;
	}
	return dag_const(d, in, bits);
}

/* x | zext(p) << n ─▶ p ? x | 1 << n : x, for each further bit of a number that predicates make up. */
DagVal combine_or_predicate(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal x = operand_of(c, n, 0), s = operand_of(c, n, 1), z = dag_arg(d, s, 0);
	u64    by;
	if (!dag_as_const(d, dag_arg(d, s, 1), &by) || by >= vt_bits(vt) || op_of(c, z) != DAG_ZERO_EXTEND ||
	    dag_vt(d, dag_arg(d, z, 0)) != VT_I1 || !once(c, s) || !once(c, z))
		return DAG_NONE;
	DagVal with = op2(c, DAG_OR, vt, x, k(c, vt, (u64)1 << by));
	return dag_3(d, DAG_SELECT, vt, dag_arg(d, z, 0), with, x);
}

/* Predicates that are bits of an integer are combined by one operation on it: <8 x i1> in memory is a byte. */
DagVal combine_logic_bits(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0], in = vt_as_int(vt);
	DagVal a = operand_of(c, n, 0), b = operand_of(c, n, 1);
	if (!vt_is_vec(vt) || vt_elem(vt) != VT_I1)
		return DAG_NONE;
	a = bits_of(c, a, in);
	if (dag_is(a))
		b = bits_of(c, b, in);
	return dag_is(a) && dag_is(b) ? dag_1(d, DAG_BITCAST, vt, dag_2(d, (DagOp)n->opcode, in, a, b)) : DAG_NONE;
}

/* ---- shifts by constants ---- */

static bool amount_in_width(const Combiner *c, const DagNode *n, u64 *by)
{
	return dag_as_const(c->d, operand_of(c, n, 1), by) && *by < vt_bits(n->vt[0]);
}

/* Is the value a piece of a number that is put together by `or`? ptxas knows shifts there, and joins them to prmt. */
static bool is_or_piece(const Combiner *c, const DagNode *n)
{
	dag_each_use(c->d, n->id, u)
		if (dag_at(c->d, dag_use(c->d, u)->user)->opcode != DAG_OR)
			return false;
	return true;
}

/* An operation that changes only bits that are shifted out is left out. */
DagVal combine_shl_demanded(Combiner *c, const DagNode *n)
{
	u64 by;
	u32 w = vt_bits(n->vt[0]);
	if (!dag_as_const(c->d, operand_of(c, n, 1), &by) || by >= w)
		return DAG_NONE;
	DagVal less = combine_demanded(c, operand_of(c, n, 0), sem_mask(w - (u32)by));
	return dag_is(less) ? dag_2(c->d, DAG_SHL, n->vt[0], less, operand_of(c, n, 1)) : DAG_NONE;
}

/* ext(x) << n ─▶ mul.wide(x, 1 << n), which extends and multiplies in one instruction. */
DagVal combine_shl_wide(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	u64    by;
	if ((vt != VT_I32 && vt != VT_I64) || !amount_in_width(c, n, &by) || by >= vt_bits(vt) / 2 || is_or_piece(c, n))
		return DAG_NONE;
	if (op_of(c, a) == DAG_LOAD) { /* a load that extends to 64 bits: mul.wide extends, and multiplies */
		DagVal half = combine_load_half(c, a);
		if (!dag_is(half))
			return DAG_NONE;
		a = dag_1(d, dag_mem(d, dag_of(d, a))->ext == DEXT_SIGN ? DAG_SIGN_EXTEND : DAG_ZERO_EXTEND, vt, half);
		return wide_product(c, vt, a, k(c, vt, (u64)1 << by));
	}
	/* Not in 32 bits, where a load can do the extension at no cost. */
	DagVal in = dag_op_info[op_of(c, a)].flags & DOF_LEAF || !dag_n_ops(dag_of(d, a)) ? a : dag_arg(d, a, 0);
	if (vt == VT_I32 && op_of(c, in) == DAG_LOAD && once(c, in) && dag_mem(d, dag_of(d, in))->mem.space != AS_PARAM)
		return DAG_NONE;
	return wide_product(c, vt, a, k(c, vt, (u64)1 << by));
}

DagVal combine_srl_demanded(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0), less;
	u64    by;
	if (op_of(c, a) == DAG_AND || !amount_in_width(c, n, &by) || !by)
		return DAG_NONE;
	less = combine_demanded(c, a, vt_mask(n->vt[0]) & ~sem_mask((u32)by));
	return dag_is(less) ? op2(c, DAG_SRL, n->vt[0], less, amount_of(c, by)) : DAG_NONE;
}

/* (x << a) >> b ─▶ x shifted by the difference, where the bits shifted out are known to be 0; of the low bits of x << a, too */
DagVal combine_srl_shl_back(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), up_by = op_of(c, a) == DAG_TRUNCATE ? dag_arg(d, a, 0) : a, x = DAG_NONE;
	u64    up, down;
	if (op_of(c, up_by) != DAG_SHL || vt_bits(dag_vt(d, up_by)) > 64 || !amount_in_width(c, n, &down) ||
	    !dag_as_const(d, dag_arg(d, up_by, 1), &up) || !up || up >= vt_bits(vt))
		return DAG_NONE;
	x = dag_arg(d, up_by, 0);
	if (!dag_masked_zero(d, x, vt_mask(dag_vt(d, x)) & ~sem_mask(vt_bits(vt) - (u32)up)))
		return DAG_NONE;
	if (dag_vt(d, x) != vt)
		x = dag_1(d, DAG_TRUNCATE, vt, x);
	if (up == down)
		return x;
	return up > down ? op2(c, DAG_SHL, vt, x, amount_of(c, up - down)) : op2(c, DAG_SRL, vt, x, amount_of(c, down - up));
}

/* (x | y << n) >> n ─▶ x >> n | y, of &, | and ^, where the bits shifted out of y are known to be 0 */
DagVal combine_srl_logic_shl(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	u64    by, ones = vt_mask(vt);
	if (!once(c, a) || !amount_in_width(c, n, &by) || !by)
		return DAG_NONE;
	for (u32 i = 0; i < 2; i++) {
		DagVal y = dag_arg(d, a, i);
		if (op_of(c, y) != DAG_SHL || !once(c, y) || !dag_is_const_of(d, dag_arg(d, y, 1), by) ||
		    !dag_masked_zero(d, dag_arg(d, y, 0), ones & ~(ones >> by)))
			continue;
		return op2(c, op_of(c, a), vt, op2(c, DAG_SRL, vt, dag_arg(d, a, 1 - i), amount_of(c, by)), dag_arg(d, y, 0));
	}
	return DAG_NONE;
}

/* (x & m) >> n of an `and` that nothing else uses: x, m and n. */
static bool shifted_mask(const Combiner *c, const DagNode *n, u64 *mask, u64 *by)
{
	DagVal a = operand_of(c, n, 0);
	return op_of(c, a) == DAG_AND && amount_in_width(c, n, by) && dag_as_const(c->d, dag_arg(c->d, a, 1), mask) && once(c, a);
}

/* (x & m) >> n ─▶ x >> n of either kind, where the mask clears only bits that are 0 or are shifted out. */
DagVal combine_and_useless(Combiner *c, const DagNode *n)
{
	Dag *d = c->d;
	u64  mask, by;
	if (!shifted_mask(c, n, &mask, &by))
		return DAG_NONE;
	DagVal x = dag_arg(d, operand_of(c, n, 0), 0);
	if (!dag_masked_zero(d, x, vt_mask(n->vt[0]) & ~mask & ~sem_mask((u32)by)))
		return DAG_NONE;
	return op2(c, (DagOp)n->opcode, n->vt[0], x, amount_of(c, by));
}

DagVal combine_srl_and_field(Combiner *c, const DagNode *n)
{
	u64 mask, by;
	if (!shifted_mask(c, n, &mask, &by))
		return DAG_NONE;
	u64 m = mask >> by;
	if (!m || (m & (m + 1)) != 0)
		return DAG_NONE;
	return dag_3(c->d, DAG_BFE_U, n->vt[0], dag_arg(c->d, operand_of(c, n, 0), 0), amount_of(c, by),
	             amount_of(c, u64_log2(m) + 1));
}

/* zext(x) >> n ─▶ 0, where n is at least the width of x. */
DagVal combine_srl_zext(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	u64    by;
	if (op_of(c, a) != DAG_ZERO_EXTEND || !amount_in_width(c, n, &by) || !once(c, a) ||
	    by < vt_bits(dag_vt(c->d, dag_arg(c->d, a, 0))))
		return DAG_NONE;
	return k(c, n->vt[0], 0);
}

DagVal combine_sra_positive(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	u64    by;
	if (!amount_in_width(c, n, &by) || !(dag_known(c->d, a, 0).zero >> (vt_bits(n->vt[0]) - 1) & 1))
		return DAG_NONE;
	return op2(c, DAG_SRL, n->vt[0], a, amount_of(c, by));
}

/* x >> n (arithmetic) ─▶ x, where all bits of x equal the sign. */
DagVal combine_sra_signs(Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	u64    by;
	return amount_in_width(c, n, &by) && dag_sign_bits(c->d, a, 0) == vt_bits(n->vt[0]) ? a : DAG_NONE;
}

/* (x << n) >> n (arithmetic) ─▶ sign_extend_inreg, of 8, 16 or 32 bits. */
DagVal combine_sra_shl_sign(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0);
	u64    by;
	if (op_of(c, a) != DAG_SHL || !amount_in_width(c, n, &by) || !by || !dag_is_const_of(d, dag_arg(d, a, 1), by))
		return DAG_NONE;
	u32 left = vt_bits(vt) - (u32)by;
	if (left != 8 && left != 16 && left != 32)
		return DAG_NONE;
	return op2(c, DAG_SIGN_EXTEND_INREG, vt, dag_arg(d, a, 0), dag_vtype(d, VT_INT(left)));
}

/* rot(x, n & (w - 1)) ─▶ rot(x, n): the amount counts modulo the width. */
DagVal combine_funnel(Combiner *c, const DagNode *n)
{
	u32 at = dag_n_ops(n) - 1, w = vt_bits(n->vt[0]);
	if (w & (w - 1))
		return DAG_NONE;
	DagVal less = combine_demanded(c, dag_operand(c->d, n, at), w - 1);
	if (dag_is(less)) {
		c->in_place = true;
		dag_set_operand(c->d, n->id, at, less);
	}
	return DAG_NONE;
}
