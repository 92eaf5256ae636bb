/* combine_cond.c: rules on comparisons and selections that do not fit a row of combine.def.
 *
 *	5 > x ─▶ x < 5          x >= 6 ─▶ x > 5         c ? 1 : 0 ─▶ zext c
 *	a < b ? a : b ─▶ min    (a ^ b) == 0 ─▶ a == b
 *
 * combine.def's row has tested the operations of the first two operands and the type. Each function takes constant time, and
 * dag_known's or dag_sign_bits' where it asks for known bits. */
#include "dag/combine.h"
#include "sem/float.h"
#include "sem/int.h"

/* ---- comparisons ---- */

typedef struct Compare {
	DagVal  a, b;
	DagCond cc;
	DagVt   vt; /* of a and b */
	u64     k;  /* b, where it is read as a constant */
} Compare;

static Compare comparison(const Combiner *c, const DagNode *n)
{
	DagVal a = operand_of(c, n, 0);
	return (Compare){a, operand_of(c, n, 1), (DagCond)dag_of(c->d, operand_of(c, n, 2))->k[0], dag_vt(c->d, a), 0};
}

/* Reads the comparison of an integer of at most 64 bits with a constant. */
static bool with_const(const Combiner *c, const DagNode *n, Compare *x)
{
	*x = comparison(c, n);
	return vt_is_sint(x->vt) && vt_bits(x->vt) <= 64 && dag_as_const(c->d, x->b, &x->k);
}

/* The same, of == and != alone, and where the operands are no predicates. */
static bool equality(const Combiner *c, const DagNode *n, Compare *x)
{
	return with_const(c, n, x) && x->vt != VT_I1 && (x->cc == IRP_I_EQ || x->cc == IRP_I_NE);
}

static DagVal predicate(Combiner *c, bool value) { return dag_const(c->d, VT_I1, value); }
static DagVal as_it_is_or_not(Combiner *c, DagVal p, bool as_it_is) { return as_it_is ? p : dag_not(c->d, p); }

DagVal combine_setcc_const_last(Combiner *c, const DagNode *n)
{
	Compare x = comparison(c, n);
	bool    ka = dag_is_const(c->d, x.a) || op_of(c, x.a) == DAG_ConstantFP,
	     kb = dag_is_const(c->d, x.b) || op_of(c, x.b) == DAG_ConstantFP;
	return ka && !kb && !vt_is_vec(x.vt) ? dag_setcc(c->d, x.b, x.a, dag_cond_swap(x.cc)) : DAG_NONE;
}

/* x < 0 of unsigned x, x > 254 of i8 and the like: comparisons with the limits of the type, or next to them, are constants
 * or equalities. Other >= and <= become > and <, so that later rules have fewer forms to match. */
DagVal combine_setcc_order(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Compare x;
	if (!with_const(c, n, &x) || x.vt == VT_I1)
		return DAG_NONE;
	DagVal a = x.a, b = x.b;
	DagVt  vt = x.vt;
	u64    v = x.k;
	u32    w = vt_bits(vt);
	u64    mask = sem_mask(w), smin = sem_smin(w), smax = sem_smax(w);
	switch (x.cc) {
	case IRP_I_UGE: return v == 0 ? predicate(c, true) : dag_setcc(d, a, dag_const(d, vt, v - 1), IRP_I_UGT);
	case IRP_I_ULE: return v == mask ? predicate(c, true) : dag_setcc(d, a, dag_const(d, vt, v + 1), IRP_I_ULT);
	case IRP_I_SGE: return v == smin ? predicate(c, true) : dag_setcc(d, a, dag_const(d, vt, v - 1), IRP_I_SGT);
	case IRP_I_SLE: return v == smax ? predicate(c, true) : dag_setcc(d, a, dag_const(d, vt, v + 1), IRP_I_SLT);
	case IRP_I_ULT:
		if (v == 0)
			return predicate(c, false);
		if (v == 1)
			return dag_setcc(d, a, dag_const(d, vt, 0), IRP_I_EQ);
		break;
	case IRP_I_UGT:
		if (v == mask)
			return predicate(c, false);
		if (v == 0)
			return dag_setcc(d, a, b, IRP_I_NE);
		break;
	case IRP_I_SLT:
		if (v == smin)
			return predicate(c, false);
		break;
	case IRP_I_SGT:
		if (v == smax)
			return predicate(c, false);
		break;
	default: break;
	}
	return DAG_NONE;
}

/* p == true, p != false, ... */
DagVal combine_setcc_predicate(Combiner *c, const DagNode *n)
{
	Compare x;
	if (!with_const(c, n, &x) || x.vt != VT_I1 || (x.cc != IRP_I_EQ && x.cc != IRP_I_NE))
		return DAG_NONE;
	return as_it_is_or_not(c, x.a, (x.k == 1) == (x.cc == IRP_I_EQ));
}

/* (a ^ b) == 0, (a - b) == 0 */
DagVal combine_setcc_difference(Combiner *c, const DagNode *n)
{
	Compare x;
	if (!equality(c, n, &x) || x.k || (op_of(c, x.a) != DAG_XOR && op_of(c, x.a) != DAG_SUB) || !once(c, x.a))
		return DAG_NONE;
	return dag_setcc(c->d, dag_arg(c->d, x.a, 0), dag_arg(c->d, x.a, 1), x.cc);
}

/* x + 1 == 100 ─▶ x == 99, and the same of ^ */
DagVal combine_setcc_sum(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Compare x;
	u64     k;
	if (!equality(c, n, &x) || !once(c, x.a) || !dag_as_const(d, dag_arg(d, x.a, 1), &k))
		return DAG_NONE;
	k = op_of(c, x.a) == DAG_ADD ? sem_sub(vt_bits(x.vt), x.k, k) : x.k ^ k;
	return dag_setcc(d, dag_arg(d, x.a, 0), dag_const(d, x.vt, k), x.cc);
}

/* x & mask, in 32 bits, of trunc(x) & mask, where x has them; of a constant, itself. */
static DagVal untruncated(Combiner *c, DagVal v)
{
	Dag *d = c->d;
	u64  k;
	if (dag_as_const(d, v, &k))
		return dag_const(d, VT_I32, k);
	if (op_of(c, v) != DAG_AND || !once(c, v) || !dag_as_const(d, dag_arg(d, v, 1), &k))
		return DAG_NONE;
	DagVal t = dag_arg(d, v, 0);
	if (op_of(c, t) != DAG_TRUNCATE || !once(c, t) || dag_vt(d, dag_arg(d, t, 0)) != VT_I32)
		return DAG_NONE;
	return dag_2(d, DAG_AND, VT_I32, dag_arg(d, t, 0), dag_const(d, VT_I32, k));
}

/* trunc(x) & 255 < k ─▶ x & 255 < k, where x is in a register of 32 bits, and the same of two of them */
DagVal combine_setcc_masked_truncate(Combiner *c, const DagNode *n)
{
	Compare x = comparison(c, n);
	if (!vt_is_sint(x.vt) || vt_bits(x.vt) > 16 || x.cc >= IRP_I_SGT)
		return DAG_NONE;
	DagVal a = untruncated(c, x.a), b = dag_is(a) ? untruncated(c, x.b) : DAG_NONE;
	return dag_is(b) ? dag_setcc(c->d, a, b, x.cc) : DAG_NONE;
}

/* Comparison of an extended predicate, whose value is 0 or `yes`, with a constant: the predicate, its negation or a constant. */
static DagVal extended_predicate(Combiner *c, const Compare *x, DagOp op, u64 yes)
{
	if (op_of(c, x->a) != op || dag_vt(c->d, dag_arg(c->d, x->a, 0)) != VT_I1)
		return DAG_NONE;
	if (x->k && x->k != yes)
		return predicate(c, x->cc == IRP_I_NE);
	return as_it_is_or_not(c, dag_arg(c->d, x->a, 0), (x->k != 0) == (x->cc == IRP_I_EQ));
}

DagVal combine_setcc_zext_predicate(Combiner *c, const DagNode *n)
{
	Compare x;
	return equality(c, n, &x) ? extended_predicate(c, &x, DAG_ZERO_EXTEND, 1) : DAG_NONE;
}

DagVal combine_setcc_sext_predicate(Combiner *c, const DagNode *n)
{
	Compare x;
	return equality(c, n, &x) ? extended_predicate(c, &x, DAG_SIGN_EXTEND, vt_mask(x.vt)) : DAG_NONE;
}

/* Comparison with a constant that no value, or every value, of the known bits satisfies. */
DagVal combine_setcc_known(Combiner *c, const DagNode *n)
{
	Compare x;
	if (!with_const(c, n, &x) || x.vt == VT_I1)
		return DAG_NONE;
	DagKnown of = dag_known(c->d, x.a, 0);
	u64      least = of.one, most = ~of.zero & vt_mask(x.vt);
	if (!of.zero && !of.one)
		return DAG_NONE;
	switch (x.cc) {
	case IRP_I_EQ:
	case IRP_I_NE: return (x.k & of.zero) || (~x.k & of.one) ? predicate(c, x.cc == IRP_I_NE) : DAG_NONE;
	case IRP_I_ULT: return most < x.k ? predicate(c, true) : least >= x.k ? predicate(c, false) : DAG_NONE;
	case IRP_I_UGT: return least > x.k ? predicate(c, true) : most <= x.k ? predicate(c, false) : DAG_NONE;
	default: return DAG_NONE;
	}
}

/* ext(x) < k ─▶ x < k, where k is the extension of a narrow constant. Zero-extended values are compared as unsigned ones. */
DagVal combine_setcc_extended(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Compare x;
	u64     back;
	if (!with_const(c, n, &x) || x.vt == VT_I1 || !once(c, x.a))
		return DAG_NONE;
	DagVal  in = dag_arg(d, x.a, 0);
	DagVt   from = dag_vt(d, in);
	bool    is_signed = x.cc >= IRP_I_SGT, zext = op_of(c, x.a) == DAG_ZERO_EXTEND;
	DagCond cc = zext ? dag_cond_unsigned(x.cc) : x.cc;
	if (from == VT_I1 && x.cc != IRP_I_EQ && x.cc != IRP_I_NE)
		return DAG_NONE;
	if (!dag_is_legal_vt(from) || !sem_eval_cast((SemOp)dag_op_info[op_of(c, x.a)].eval, dag_sem_type(from),
	                                             dag_sem_type(x.vt), x.k & vt_mask(from), &back))
		return DAG_NONE;
	if (back != x.k || (x.cc != IRP_I_EQ && x.cc != IRP_I_NE && !zext && !is_signed))
		return DAG_NONE;
	return dag_setcc(d, in, dag_const(d, from, x.k), cc);
}

/* ext(x) < ext(y) ─▶ x < y */
DagVal combine_setcc_two_extended(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Compare x = comparison(c, n);
	if (op_of(c, x.a) != op_of(c, x.b) || vt_is_vec(x.vt) || !once(c, x.a) || !once(c, x.b))
		return DAG_NONE;
	DagVal a = dag_arg(d, x.a, 0), b = dag_arg(d, x.b, 0);
	DagVt  from = dag_vt(d, a);
	bool   zext = op_of(c, x.a) == DAG_ZERO_EXTEND, is_eq = x.cc == IRP_I_EQ || x.cc == IRP_I_NE;
	if (from != dag_vt(d, b) || from == VT_I1 || !dag_is_legal_vt(from) || (!zext && !is_eq && x.cc < IRP_I_SGT))
		return DAG_NONE;
	return dag_setcc(d, a, b, zext ? dag_cond_unsigned(x.cc) : x.cc);
}

/* A load that extends to 64 bits, compared with a constant: 32 bits say it. */
DagVal combine_setcc_load_half(Combiner *c, const DagNode *n)
{
	Compare x;
	if (!with_const(c, n, &x) || x.vt != VT_I64 || op_of(c, x.a) != DAG_LOAD || x.a.r)
		return DAG_NONE;
	bool zext = dag_mem(c->d, dag_of(c->d, x.a))->ext == DEXT_ZERO, is_eq = x.cc == IRP_I_EQ || x.cc == IRP_I_NE;
	if (x.k != (zext ? (u64)(u32)x.k : (u64)(i64)(i32)(u32)x.k) || (!zext && !is_eq && x.cc < IRP_I_SGT))
		return DAG_NONE;
	DagVal half = combine_load_half(c, x.a);
	return dag_is(half) ? dag_setcc(c->d, half, dag_const(c->d, VT_I32, x.k), zext ? dag_cond_unsigned(x.cc) : x.cc)
	                    : DAG_NONE;
}

/* (x & 4) == 4 is (x & 4) != 0 */
DagVal combine_setcc_one_bit(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Compare x;
	if (c->legal || !equality(c, n, &x) || op_of(c, x.a) != DAG_AND || x.k < 2 || (x.k & (x.k - 1)) != 0 ||
	    !dag_is_const_of(d, dag_arg(d, x.a, 1), x.k))
		return DAG_NONE;
	return dag_setcc(d, x.a, dag_const(d, x.vt, 0), x.cc == IRP_I_EQ ? IRP_I_NE : IRP_I_EQ);
}

/* x > 0x4FFFFFFFF ─▶ upper word of x > 4; x < 0x500000000 ─▶ upper word of x < 5 */
DagVal combine_setcc_upper_word(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Compare x;
	if (!with_const(c, n, &x) || x.vt != VT_I64)
		return DAG_NONE;
	bool above = x.cc == IRP_I_UGT || x.cc == IRP_I_SGT, below = x.cc == IRP_I_ULT || x.cc == IRP_I_SLT;
	if (!(above && (u32)x.k == UINT32_MAX) && !(below && !(u32)x.k))
		return DAG_NONE;
	DagVal upper = dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, x.a, dag_const(d, VT_I32, 1));
	return dag_setcc(d, upper, dag_const(d, VT_I32, x.k >> 32), x.cc);
}

/* Does the comparison say of `a` alone whether it is a NaN? */
static bool tests_one(const Combiner *c, const Compare *x)
{
	u64    k;
	SemFmt f = dag_sem_fmt(x->vt);
	return dag_same(x->a, x->b) || (dag_as_fp(c->d, x->b, &k) && !sem_is_nan(f, k));
}

/* Two tests of NaNs as one: x == x & y == y ─▶ x, y ordered. Two tests of the sign, of 0, or of -1, as one: x < 0 | y < 0
 * ─▶ (x | y) < 0, x == 0 & y == 0 ─▶ (x | y) == 0, x == -1 & y == -1 ─▶ (x & y) == -1 */
DagVal combine_two_tests(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagVal p = operand_of(c, n, 0), q = operand_of(c, n, 1);
	if (!once(c, p) || !once(c, q))
		return DAG_NONE;
	Compare x = comparison(c, dag_of(d, p)), y = comparison(c, dag_of(d, q));
	if (x.cc == y.cc && x.vt == y.vt && x.cc == (n->opcode == DAG_AND ? IRP_ORD : IRP_UNO) && tests_one(c, &x) &&
	    tests_one(c, &y))
		return dag_setcc(d, x.a, y.a, x.cc);
	if (x.cc != y.cc || x.vt != y.vt || !vt_is_sint(x.vt) || x.vt == VT_I1 || !dag_same(x.b, y.b))
		return DAG_NONE;
	bool  all = n->opcode == DAG_AND, zero = dag_is_zero(d, x.b), ones = dag_is_all_ones(d, x.b);
	DagOp op;
	if (zero && x.cc == IRP_I_SLT)
		op = (DagOp)n->opcode;
	else if (ones && x.cc == IRP_I_SGT)
		op = all ? DAG_OR : DAG_AND;
	else if (zero && x.cc == (all ? IRP_I_EQ : IRP_I_NE))
		op = DAG_OR;
	else if (ones && x.cc == (all ? IRP_I_EQ : IRP_I_NE))
		op = DAG_AND;
	else
		return DAG_NONE;
	if (c->legal && !dag_is_legal_op(c->f, op, x.vt))
		return DAG_NONE;
	return dag_setcc(d, dag_2(d, op, x.vt, x.a, y.a), x.b, x.cc);
}

/* A truncation that loses only zeros or copies of the sign: compare the wide values. */
DagVal combine_setcc_truncated(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Compare q = comparison(c, n);
	DagVal  a = q.a, b = q.b;
	DagCond cc = q.cc;
	DagVt   vt = q.vt;
	u64     v;
	bool    is_const = dag_as_const(d, b, &v);
	if (!vt_is_sint(vt) || vt == VT_I1 || op_of(c, a) != DAG_TRUNCATE || !(is_const || op_of(c, b) == DAG_TRUNCATE))
		return DAG_NONE;
	DagVal x = dag_arg(d, a, 0);
	DagVt  of = dag_vt(d, x);
	if (!dag_is_legal_vt(of) || vt_bits(of) > 32 || (!is_const && dag_vt(d, dag_arg(d, b, 0)) != of))
		return DAG_NONE;
	DagVal y = is_const ? DAG_NONE : dag_arg(d, b, 0);
	u32    lost = vt_bits(of) - vt_bits(vt);
	u64    above = vt_mask(of) & ~vt_mask(vt);
	bool   is_signed = cc >= IRP_I_SGT;
	if (!is_signed && dag_masked_zero(d, x, above) && (is_const || dag_masked_zero(d, y, above)))
		return dag_setcc(d, x, is_const ? dag_const(d, of, v & vt_mask(vt)) : y, cc);
	bool eq = cc == IRP_I_EQ || cc == IRP_I_NE;
	if ((is_signed || eq) && dag_sign_bits(d, x, 0) > lost && (is_const || dag_sign_bits(d, y, 0) > lost))
		return dag_setcc(d, x, is_const ? dag_const(d, of, (u64)sem_sext(v, vt_bits(vt))) : y, cc);
	return DAG_NONE;
}

/* ---- selections ---- */

typedef struct Select {
	DagVal p, a, b;
	DagVt  vt;
} Select;

static Select selection(const Combiner *c, const DagNode *n)
{
	return (Select){operand_of(c, n, 0), operand_of(c, n, 1), operand_of(c, n, 2), n->vt[0]};
}

/* Reads a selection and the comparison that decides it. */
static bool by_comparison(const Combiner *c, const DagNode *n, Select *s, Compare *x)
{
	*s = selection(c, n);
	if (op_of(c, s->p) != DAG_SETCC || vt_is_vec(dag_vt(c->d, s->p)) || s->vt == VT_I1)
		return false;
	*x = comparison(c, dag_of(c->d, s->p));
	return true;
}

static bool same_operands(const Select *s, const Compare *x) { return dag_same(x->a, s->a) && dag_same(x->b, s->b); }
static bool crossed_operands(const Select *s, const Compare *x) { return dag_same(x->a, s->b) && dag_same(x->b, s->a); }

/* a == b ? a : b is b */
DagVal combine_select_equal(Combiner *c, const DagNode *n)
{
	Select  s;
	Compare x;
	if (!by_comparison(c, n, &s, &x) || !vt_is_sint(s.vt) || (x.cc != IRP_I_EQ && x.cc != IRP_I_NE) ||
	    (!same_operands(&s, &x) && !crossed_operands(&s, &x)))
		return DAG_NONE;
	return x.cc == IRP_I_EQ ? s.b : s.a;
}

static bool is_binary(DagOp op)
{
	switch (op) {
	case DAG_ADD:
	case DAG_SUB:
	case DAG_MUL:
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR:
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA:
	case DAG_SDIV:
	case DAG_UDIV:
	case DAG_SREM:
	case DAG_UREM:
	case DAG_FADD:
	case DAG_FSUB:
	case DAG_FMUL:
	case DAG_FDIV:
	case DAG_FREM: return true;
	default: return false;
	}
}

/* p ? x / z : y / z ─▶ (p ? x : y) / z, and with the same first operand: one operation instead of two. */
DagVal combine_select_operands(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	Select s = selection(c, n);
	if (s.vt == VT_I1 || op_of(c, s.a) != op_of(c, s.b) || !is_binary(op_of(c, s.a)) || !once(c, s.a) || !once(c, s.b))
		return DAG_NONE;
	const DagNode *a = dag_of(d, s.a), *b = dag_of(d, s.b);
	u32            same = dag_same(operand_of(c, a, 0), operand_of(c, b, 0)) ? 0 : 1, other = 1 - same;
	DagVal         ops[2] = {operand_of(c, a, 0), operand_of(c, a, 1)}, x = operand_of(c, b, other);
	u16            flags = a->flags & b->flags;
	DagOp          op = op_of(c, s.a);
	if (!dag_same(ops[same], operand_of(c, b, same)) || dag_vt(d, x) != dag_vt(d, ops[other]))
		return DAG_NONE;
	ops[other] = dag_3(d, DAG_SELECT, dag_vt(d, x), s.p, ops[other], x);
	return dag_flagged(d, op, s.vt, ops, 2, flags);
}

/* The amount of 32 bits that is `by`, or too large for a shift where that is. */
static DagVal full_amount(Combiner *c, DagVal by)
{
	Dag  *d = c->d;
	DagVt vt = dag_vt(d, by);
	if (vt_bits(vt) <= 32)
		return dag_zext_or_trunc(d, by, VT_I32);
	return dag_1(d, DAG_TRUNCATE, VT_I32, dag_2(d, DAG_UMIN, vt, by, dag_const(d, vt, 0xFFFFFFFF)));
}

/* Is `amount`, of 32 bits, the value that was compared, but for bits above these? */
static bool is_amount_of(const Combiner *c, DagVal amount, DagVal by)
{
	Dag *d = c->d;
	while (!dag_same(amount, by)) {
		DagOp op = op_of(c, amount);
		if (op != DAG_ZERO_EXTEND && op != DAG_TRUNCATE)
			return false;
		amount = dag_arg(d, amount, 0);
	}
	return true;
}

/* Is w - n or n ^ (w - 1) there, too, where n is the amount, or is that the amount? Two shifts by these are taken for a rotation
 * (combine.def), whose amount is below the width, as a larger one had no result so far. */
static bool counts_from_both_ends(const Combiner *c, u32 amount)
{
	enum { LOOK_AT = 16 };
	if (dag_at(c->d, amount)->use_count > LOOK_AT)
		return true;
	dag_each_use(c->d, amount, u) {
		const DagNode *user = dag_at(c->d, dag_use(c->d, u)->user);
		if (user->opcode == DAG_SUB || user->opcode == DAG_XOR ||
		    ((user->opcode == DAG_ZERO_EXTEND || user->opcode == DAG_TRUNCATE) && counts_from_both_ends(c, user->id)))
			return true;
	}
	return false;
}

static bool may_rotate(const Combiner *c, DagVal amount)
{
	while (op_of(c, amount) == DAG_ZERO_EXTEND || op_of(c, amount) == DAG_TRUNCATE)
		amount = dag_arg(c->d, amount, 0);
	return op_of(c, amount) == DAG_SUB || op_of(c, amount) == DAG_XOR || counts_from_both_ends(c, amount.n);
}

/* n > 31 ? 0 : x << n ─▶ x << n, and >>: an amount that is too large shifts all bits out. Flags of the shift go, as they said
 * nothing of such amounts. */
DagVal combine_guarded_shift(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Select  s;
	Compare x;
	if (!by_comparison(c, n, &s, &x) || !vt_is_sint(x.vt) || vt_bits(x.vt) > 64 || !dag_as_const(d, x.b, &x.k))
		return DAG_NONE;
	u32 w = vt_bits(s.vt);
	/* Greater than the last amount, or below the width, and whatever lies beyond. */
	bool   above = x.cc == IRP_I_UGT && x.k >= w - 1u, below = x.cc == IRP_I_ULT && x.k >= w;
	DagVal shift = above ? s.b : s.a, zero = above ? s.a : s.b;
	DagOp  op = op_of(c, shift);
	if ((!above && !below) || !dag_is_zero(d, zero) || (op != DAG_SHL && op != DAG_SRL) || !once(c, shift) ||
	    dag_is_undef(d, dag_arg(d, shift, 0)) || !is_amount_of(c, dag_arg(d, shift, 1), x.a) ||
	    may_rotate(c, dag_arg(d, shift, 1)))
		return DAG_NONE;
	return dag_2(d, op, s.vt, dag_arg(d, shift, 0), full_amount(c, x.a));
}

/* p ? 1 : 0, p ? -1 : 0 and the other way round */
DagVal combine_select_numbers(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	Select s = selection(c, n);
	u64    x, y, ones = vt_mask(s.vt);
	if (!vt_is_sint(s.vt) || s.vt == VT_I1 || !dag_as_const(d, s.a, &x) || !dag_as_const(d, s.b, &y) || (x && y))
		return DAG_NONE;
	u64 number = x | y;
	if (number != 1 && number != ones)
		return DAG_NONE;
	return dag_1(d, number == 1 ? DAG_ZERO_EXTEND : DAG_SIGN_EXTEND, s.vt, as_it_is_or_not(c, s.p, x != 0));
}

/* What `a cc b ? a : b` is, or with its arms crossed; DELETED: neither of min and max. */
static DagOp min_max_of(DagCond cc, bool crossed)
{
	static const struct {
		u8  cc;
		u16 same, crossed;
	} of[] = {
		{IRP_I_SLT, DAG_SMIN, DAG_SMAX}, {IRP_I_SLE, DAG_SMIN, DAG_SMAX}, {IRP_I_SGT, DAG_SMAX, DAG_SMIN},
		{IRP_I_SGE, DAG_SMAX, DAG_SMIN}, {IRP_I_ULT, DAG_UMIN, DAG_UMAX}, {IRP_I_ULE, DAG_UMIN, DAG_UMAX},
		{IRP_I_UGT, DAG_UMAX, DAG_UMIN}, {IRP_I_UGE, DAG_UMAX, DAG_UMIN},
	};
	for (u32 i = 0; i < PS_COUNT(of); i++)
		if (of[i].cc == cc)
			return (DagOp)(crossed ? of[i].crossed : of[i].same);
	return DAG_DELETED;
}

/* The same of vectors, lane by lane: where the target has no packed instruction, there is one for each lane. */
DagVal combine_vector_min_max(Combiner *c, const DagNode *n)
{
	DagVal p = operand_of(c, n, 0), a = operand_of(c, n, 1), b = operand_of(c, n, 2);
	DagVt  vt = n->vt[0];
	if (!vt_is_int(vt) || vt_bits(vt) < 16 || vt_bits(vt) > 64 || vt_bits(vt) & (vt_bits(vt) - 1) || !once(c, p))
		return DAG_NONE;
	Compare x = comparison(c, dag_of(c->d, p));
	bool    same = dag_same(x.a, a) && dag_same(x.b, b), crossed = dag_same(x.a, b) && dag_same(x.b, a);
	DagOp   op = same || crossed ? min_max_of(x.cc, !same) : DAG_DELETED;
	return op == DAG_DELETED ? DAG_NONE : dag_2(c->d, op, vt, a, b);
}

DagVal combine_min_max(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Select  s;
	Compare x;
	u64     k, v;
	if (!by_comparison(c, n, &s, &x) || !vt_is_sint(s.vt) || x.vt != s.vt || !once(c, s.p))
		return DAG_NONE;
	bool same = same_operands(&s, &x), crossed = crossed_operands(&s, &x);
	/* x >= 6 ? x : 6 has become x > 5 ? x : 6 by the rule above. */
	if (!same && !crossed && dag_same(x.a, s.a) && dag_as_const(d, x.b, &k) && dag_as_const(d, s.b, &v)) {
		u64 one = x.cc == IRP_I_SGT || x.cc == IRP_I_UGT ? 1 : vt_mask(s.vt);
		same = (x.cc == IRP_I_SGT || x.cc == IRP_I_SLT || x.cc == IRP_I_UGT || x.cc == IRP_I_ULT) &&
		       v == sem_add(vt_bits(s.vt), k, one) && ir_icmp(x.cc, vt_bits(s.vt), v, k);
	}
	DagOp op = same || crossed ? min_max_of(x.cc, !same) : DAG_DELETED;
	/* Of 8 bits it will be one of 16. */
	bool okay = dag_is_legal_op(c->f, op, s.vt) || (!c->legal && s.vt == VT_I8);
	return op != DAG_DELETED && okay ? dag_2(d, op, s.vt, s.a, s.b) : DAG_NONE;
}

/* a == 0 ? w : ctlz(a), which is w for 0. The counts may have been cut or extended. */
DagVal combine_select_counted(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Select  s;
	Compare x;
	if (!by_comparison(c, n, &s, &x) || !vt_is_sint(x.vt) || !dag_is_zero(d, x.b) || (x.cc != IRP_I_EQ && x.cc != IRP_I_NE))
		return DAG_NONE;
	DagVal of_zero = x.cc == IRP_I_EQ ? s.a : s.b, other = x.cc == IRP_I_EQ ? s.b : s.a, v = other;
	if (!dag_is_const_of(d, of_zero, vt_bits(x.vt)) || vt_bits(s.vt) < 8)
		return DAG_NONE;
	if (op_of(c, v) == DAG_TRUNCATE || op_of(c, v) == DAG_ZERO_EXTEND)
		v = dag_arg(d, v, 0);
	return (op_of(c, v) == DAG_CTLZ || op_of(c, v) == DAG_CTTZ) && dag_same(dag_arg(d, v, 0), x.a) ? other : DAG_NONE;
}

/* a > b ? a - b : b - a ─▶ max(a, b) - min(a, b), of at most 32 bits */
DagVal combine_distance(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Select  s;
	Compare x;
	if (!by_comparison(c, n, &s, &x) || x.vt != s.vt || vt_bits(s.vt) > 32 || op_of(c, s.b) != DAG_SUB || !once(c, s.p) ||
	    !once(c, s.a) || !once(c, s.b) || !dag_same(dag_arg(d, s.a, 0), dag_arg(d, s.b, 1)) ||
	    !dag_same(dag_arg(d, s.a, 1), dag_arg(d, s.b, 0)))
		return DAG_NONE;
	DagVal a = dag_arg(d, s.a, 0), b = dag_arg(d, s.a, 1); /* a - b, where the condition holds */
	bool   same = dag_same(x.a, a) && dag_same(x.b, b), crossed = dag_same(x.a, b) && dag_same(x.b, a);
	DagOp  op = same || crossed ? min_max_of(x.cc, crossed) : DAG_DELETED;
	if (op != DAG_SMAX && op != DAG_UMAX)
		return DAG_NONE;
	if (!dag_is_legal_op(c->f, op, s.vt) && (c->legal || s.vt != VT_I8))
		return DAG_NONE;
	return dag_2(d, DAG_SUB, s.vt, dag_2(d, op, s.vt, a, b), dag_2(d, op == DAG_SMAX ? DAG_SMIN : DAG_UMIN, s.vt, a, b));
}

/* a cc b ? a : b of floats is min (`*max`: max), where neither is a NaN and the sign of a zero does not matter. */
static bool selects_extreme(DagCond cc, bool same, bool *max)
{
	switch (cc) {
	case IRP_OLT:
	case IRP_OLE:
	case IRP_ULT:
	case IRP_ULE: *max = !same; return true;
	case IRP_OGT:
	case IRP_OGE:
	case IRP_UGT:
	case IRP_UGE: *max = same; return true;
	default: return false;
	}
}

/* x > k ? x : k, where k is a number, is max(x, k) also for NaNs, as both give k. For a zero, too, where max orders -0 and +0 as
 * the comparison does not: equal numbers give k, so k has to be +0 for max and -0 for min. */
static bool is_extreme_for_all(const Combiner *c, const Select *s, const Compare *x, bool max)
{
	SemFmt f = dag_sem_fmt(s->vt);
	u64    k;
	if (!dag_as_fp(c->d, x->b, &k) || sem_is_nan(f, k) || !once(c, s->p))
		return false;
	/* What a comparison with a NaN selects has to be k. */
	bool unordered = x->cc == IRP_ULT || x->cc == IRP_ULE || x->cc == IRP_UGT || x->cc == IRP_UGE;
	if (!dag_same(unordered ? s->a : s->b, x->b))
		return false;
	bool zero = !(k & ~sem_fsign_bit(f)),
	     strict = x->cc == IRP_OLT || x->cc == IRP_OGT || x->cc == IRP_ULE || x->cc == IRP_UGE;
	return !zero || (strict && (k != 0) != max);
}

DagVal combine_min_max_float(Combiner *c, const DagNode *n)
{
	Select  s;
	Compare x;
	bool    no_nans = (n->flags & IRF_NNAN) || c->f->fp.no_nans, no_signs = (n->flags & IRF_NSZ) || c->f->fp.no_signed_zeros;
	bool    max;
	s = selection(c, n);
	if (!vt_is_fp(s.vt) || op_of(c, s.p) != DAG_SETCC || !once(c, s.p))
		return DAG_NONE;
	x = comparison(c, dag_of(c->d, s.p));
	if (x.vt != s.vt)
		return DAG_NONE;
	bool same = same_operands(&s, &x);
	if ((!same && !crossed_operands(&s, &x)) || !selects_extreme(x.cc, same, &max) ||
	    !((no_nans && no_signs) || is_extreme_for_all(c, &s, &x, max)))
		return DAG_NONE;
	DagOp op = max ? DAG_FMAXNUM : DAG_FMINNUM;
	return dag_is_legal_op(c->f, op, s.vt)
	               ? dag_flagged(c->d, op, s.vt, (DagVal[]){x.a, x.b}, 2, n->flags & (IRF_NNAN | IRF_NSZ))
	               : DAG_NONE;
}

/* x < 0 ? k : ~k ─▶ (x >> 31) ^ ~k: the shift makes all bits the sign's. */
DagVal combine_select_by_sign(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Select  s;
	Compare x;
	u64     k, other;
	if (!by_comparison(c, n, &s, &x) || x.vt != s.vt || (s.vt != VT_I32 && s.vt != VT_I64) || !once(c, s.p) ||
	    !dag_as_const(d, s.a, &k) || !dag_as_const(d, s.b, &other) || (k ^ other) != vt_mask(s.vt))
		return DAG_NONE;
	bool below = x.cc == IRP_I_SLT && dag_is_zero(d, x.b);
	if (!below && !(x.cc == IRP_I_SGT && dag_is_all_ones(d, x.b)))
		return DAG_NONE;
	DagVal sign = dag_2(d, DAG_SRA, s.vt, x.a, amount_of(c, vt_bits(s.vt) - 1));
	return dag_2(d, DAG_XOR, s.vt, sign, below ? s.b : s.a);
}

/* x < 0 ? -x : x */
DagVal combine_absolute(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	Select  s;
	Compare x;
	if (!by_comparison(c, n, &s, &x) || !vt_is_sint(s.vt) || (x.cc != IRP_I_SLT && x.cc != IRP_I_SGT))
		return DAG_NONE;
	DagVal neg = x.cc == IRP_I_SLT ? s.a : s.b, pos = x.cc == IRP_I_SLT ? s.b : s.a;
	if (!dag_is_zero(d, x.b) && !(x.cc == IRP_I_SGT && dag_is_all_ones(d, x.b)))
		return DAG_NONE;
	if (!dag_same(pos, x.a) || op_of(c, neg) != DAG_SUB || !dag_is_zero(d, dag_arg(d, neg, 0)) ||
	    !dag_same(dag_arg(d, neg, 1), x.a))
		return DAG_NONE;
	return dag_is_legal_op(c->f, DAG_ABS, s.vt) ? dag_1(d, DAG_ABS, s.vt, x.a) : DAG_NONE;
}
