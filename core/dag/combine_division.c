/* combine_division.c: division by constants: shifts for powers of two, else a multiplication by the reciprocal.
 *
 *	x / 10 ─▶ mulhi(x, 0xCCCCCCCD) >> 3          T. Granlund, P. L. Montgomery, "Division by Invariant Integers
 *	x % 10 ─▶ x - x / 10 * 10                    using Multiplication", 1994; H. S. Warren, "Hacker's Delight"
 *
 * Scalars of legal types; a multiplier needs MULHU on the type. It is found by divisions of 128-bit numbers, at most one for
 * each bit of the type. A remainder by a variable shares the quotient of a division that is there. */
#include "dag/combine.h"
#include "sem/u128.h"
#include "sem/int.h"

static DagVal k(Combiner *c, DagVt vt, u64 v) { return dag_const(c->d, vt, v); }
static DagVal op2(Combiner *c, DagOp op, DagVt vt, DagVal a, DagVal b) { return dag_2(c->d, op, vt, a, b); }
static DagVal shift(Combiner *c, DagOp op, DagVt vt, DagVal a, u32 n) { return n ? op2(c, op, vt, a, amount_of(c, n)) : a; }

static DagVal high(Combiner *c, bool is_signed, DagVt vt, DagVal a, u64 m)
{
	return op2(c, is_signed ? DAG_MULHS : DAG_MULHU, vt, a, k(c, vt, m));
}

/* Smallest p >= w and m = ceil(2^p / v) with which (x * m) >> p is x / v for all x below 2^bits. */
static void unsigned_magic(u32 w, u32 bits, u64 v, u64 *m, u32 *p, bool *overflow)
{
	for (*p = w;; (*p)++) {
		/* 2^128 does not fit; 2^128 - 1 has the same quotient, and a remainder one less, as v is no power of two. */
		bool    full = *p == 128;
		SemU128 two = full ? u128(~(u64)0, ~(u64)0) : u128_shl(u128(0, 1), *p), rem,
			q = u128_divrem(two, u128(0, v), &rem);
		if (full)
			rem = u128_add(rem, u128(0, 1));
		SemU128 e = u128_is_zero(rem) ? u128(0, 0) : u128_sub(u128(0, v), rem); /* m * v - 2^p */
		if (!u128_is_zero(rem))
			q = u128_add(q, u128(0, 1));
		/* e * 2^bits <= 2^p */
		if (!u128_lt(u128_shl(u128(0, 1), *p - bits), e) || *p == 2 * w) {
			*overflow = u128_shr(q, w).lo != 0;
			*m = w == 64 ? q.lo : q.lo & sem_mask(w);
			return;
		}
	}
}

static DagVal udiv_const(Combiner *c, DagVt vt, DagVal a, u64 v)
{
	u32  w = vt_bits(vt), p, pre = 0;
	u64  m;
	bool over;
	/* Known leading zeros of the dividend allow a smaller multiplier. */
	u64 top = ~dag_known(c->d, a, 0).zero & vt_mask(vt);
	u32 bits = top ? u64_log2(top) + 1 : 1;
	if (v > top)
		return k(c, vt, 0);
	unsigned_magic(w, bits, v, &m, &p, &over);
	if (over && !(v & 1)) {
		while (!(v >> pre & 1))
			pre++;
		a = shift(c, DAG_SRL, vt, a, pre);
		unsigned_magic(w, PS_MAX(bits - pre, 1u), v >> pre, &m, &p, &over);
	}
	if (!over)
		return shift(c, DAG_SRL, vt, high(c, false, vt, a, m), p - w);
	/* The multiplier needs w + 1 bits: with t = mulhi(a, m), the quotient is ((a - t) / 2 + t) >> rest. */
	DagVal t = high(c, false, vt, a, m);
	DagVal q = op2(c, DAG_ADD, vt, shift(c, DAG_SRL, vt, op2(c, DAG_SUB, vt, a, t), 1), t);
	return shift(c, DAG_SRL, vt, q, p - w - 1);
}

/* divisor - 1 where a is negative, else 0: the divisor is 2^n. */
static DagVal raise_of(Combiner *c, DagVt vt, DagVal a, u32 n)
{
	u32 w = vt_bits(vt);
	return shift(c, DAG_SRL, vt, n == 1 ? a : shift(c, DAG_SRA, vt, a, w - 1), w - n);
}

static DagVal sdiv_pow2(Combiner *c, DagVt vt, DagVal a, u32 n, bool negative, bool exact)
{
	/* Toward zero: a negative dividend is raised by divisor - 1. */
	DagVal q = exact ? a : op2(c, DAG_ADD, vt, a, raise_of(c, vt, a, n));
	q = shift(c, DAG_SRA, vt, q, n);
	return negative ? op2(c, DAG_SUB, vt, k(c, vt, 0), q) : q;
}

/* The multiplier m for signed division by v, |v| >= 2, and the shift of the upper half of the product. */
static void signed_magic(u32 w, i64 v, u64 *m, u32 *s)
{
	u64     d = v < 0 ? 0 - (u64)v : (u64)v, sign = v < 0;
	u64     t = sem_smin(w) + sign, nc = t - 1 - t % d;
	u32     p = w - 1;
	SemU128 two;
	for (;;) {
		p++;
		two = u128_shl(u128(0, 1), p);
		SemU128 rem;
		u128_divrem(two, u128(0, d), &rem);
		u64     need = d - rem.lo;
		SemU128 left = two, right = u128_mul_u64(nc, need);
		if (u128_lt(right, left))
			break;
	}
	SemU128 rem,
		q = u128_divrem(u128_add(two, u128_sub(u128(0, d), (u128_divrem(two, u128(0, d), &rem), rem))), u128(0, d), &rem);
	*m = v < 0 ? 0 - q.lo : q.lo;
	*m &= sem_mask(w);
	*s = p - w;
}

static DagVal sdiv_const(Combiner *c, DagVt vt, DagVal a, u64 raw)
{
	u32 w = vt_bits(vt), s;
	i64 v = sem_sext(raw, w);
	u64 m;
	signed_magic(w, v, &m, &s);
	DagVal q = high(c, true, vt, a, m);
	bool   m_neg = sem_negative(m, w);
	if (v > 0 && m_neg)
		q = op2(c, DAG_ADD, vt, q, a);
	else if (v < 0 && !m_neg)
		q = op2(c, DAG_SUB, vt, q, a);
	return op2(c, DAG_ADD, vt, shift(c, DAG_SRA, vt, q, s), shift(c, DAG_SRL, vt, q, w - 1));
}

/* The inverse of an odd number modulo 2^64: each of Newton's steps doubles the bits that are right, of which 3 are at first. */
static u64 inverse(u64 v)
{
	u64 r = v;
	for (u32 i = 0; i < 5; i++)
		r *= 2 - v * r;
	return r;
}

/* Where nothing is left over: the odd part is divided by multiplying with its inverse. */
static DagVal exact_quotient(Combiner *c, bool is_signed, DagVt vt, DagVal a, u64 v)
{
	u32 n = (u32)sem_ctz(64, v);
	u64 odd = is_signed ? (u64)(sem_sext(v, vt_bits(vt)) >> n) : v >> n;
	return op2(c, DAG_MUL, vt, shift(c, is_signed ? DAG_SRA : DAG_SRL, vt, a, n), k(c, vt, inverse(odd)));
}

/* x % v == 0: with v = odd * 2^n, multiples of v, and they alone, are at most max / v after x * inverse(odd) is rotated right
 * by n. Signed numbers are moved up by the largest multiple first. */
DagVal combine_setcc_remainder(Combiner *c, const DagNode *n)
{
	Dag    *d = c->d;
	DagVal  r = operand_of(c, n, 0);
	DagVt   vt = dag_vt(d, r);
	DagCond cc = (DagCond)dag_of(d, operand_of(c, n, 2))->k[0];
	bool    is_signed = dag_op(d, r) == DAG_SREM;
	u64     v;
	if ((!is_signed && dag_op(d, r) != DAG_UREM) || !dag_is_zero(d, operand_of(c, n, 1)) || !once(c, r) ||
	    (cc != IRP_I_EQ && cc != IRP_I_NE) || !vt_is_sint(vt) || !dag_is_legal_vt(vt) ||
	    !dag_as_const(d, dag_arg(d, r, 1), &v))
		return DAG_NONE;
	u32 w = vt_bits(vt), by = (u32)sem_ctz(64, v);
	if (is_signed && sem_negative(v, w))
		v = sem_neg(w, v);
	u64 odd = v >> by, most = is_signed ? sem_smax(w) : sem_mask(w);
	if (odd < 2 || w < 16 || (by && !(c->rotates && (w == 32 || (w == 64 && !c->legal)))))
		return DAG_NONE;
	most = is_signed ? most / odd >> by << by : most / v;
	DagVal q = op2(c, DAG_MUL, vt, dag_arg(d, r, 0), k(c, vt, inverse(odd)));
	if (is_signed) {
		q = op2(c, DAG_ADD, vt, q, k(c, vt, most));
		most = (most << 1) >> by;
	}
	q = by ? op2(c, DAG_ROTR, vt, q, amount_of(c, by)) : q;
	return dag_setcc(d, q, k(c, vt, most), cc == IRP_I_EQ ? IRP_I_ULE : IRP_I_UGT);
}

static DagVal quotient(Combiner *c, bool is_signed, bool exact, DagVt vt, DagVal a, u64 v)
{
	u32 w = vt_bits(vt);
	i64 s = sem_sext(v, w);
	u64 mag = is_signed && s < 0 ? (0 - (u64)s) & sem_mask(w) : v;
	if (mag && (mag & (mag - 1)) == 0) {
		u32 n = u64_log2(mag);
		if (!is_signed)
			return shift(c, DAG_SRL, vt, a, n);
		if (n == 0)
			return s < 0 ? op2(c, DAG_SUB, vt, k(c, vt, 0), a) : a;
		return sdiv_pow2(c, vt, a, n, s < 0, exact);
	}
	if (exact)
		return exact_quotient(c, is_signed, vt, a, v);
	if (!dag_is_legal_op(c->f, DAG_MULHU, vt))
		return DAG_NONE;
	return is_signed ? sdiv_const(c, vt, a, v) : udiv_const(c, vt, a, v);
}

/* a % b where the graph has a / b, too: a - a / b * b. */
static DagVal shared_division(Combiner *c, DagVt vt, DagVal a, DagVal b, DagOp div)
{
	Dag *d = c->d;
	dag_each_use(d, a.n, u) {
		const DagNode *user = dag_at(d, dag_use(d, u)->user);
		if (user->opcode == div && user->use_count && dag_same(dag_operand(d, user, 0), a) &&
		    dag_same(dag_operand(d, user, 1), b))
			return op2(c, DAG_SUB, vt, a, op2(c, DAG_MUL, vt, dag_res(user->id, 0), b));
	}
	return DAG_NONE;
}

DagVal combine_division(Combiner *c, const DagNode *n)
{
	Dag   *d = c->d;
	DagOp  op = (DagOp)n->opcode;
	DagVt  vt = n->vt[0];
	DagVal a = operand_of(c, n, 0), b = operand_of(c, n, 1);
	bool   is_signed = op == DAG_SDIV || op == DAG_SREM, rem = op == DAG_SREM || op == DAG_UREM,
	     exact = (n->flags & IRF_EXACT) != 0;
	u64 v;
	if (!vt_is_sint(vt) || !dag_is_legal_vt(vt) || vt == VT_I1)
		return DAG_NONE;
	if (!dag_as_const(d, b, &v) || !dag_is_const(d, b))
		return rem && c->f->optimize ? shared_division(c, vt, a, b, is_signed ? DAG_SDIV : DAG_UDIV) : DAG_NONE;
	if (!v || (is_signed && (dag_known(d, a, 0).zero >> (vt_bits(vt) - 1) & 1) && !sem_negative(v, vt_bits(vt)))) {
		if (!v)
			return DAG_NONE;
		return dag_2(d, rem ? DAG_UREM : DAG_UDIV, vt, a, b);
	}
	if (rem && !is_signed && (v & (v - 1)) == 0)
		return op2(c, DAG_AND, vt, a, k(c, vt, v - 1));
	DagVal q = quotient(c, is_signed, exact && !rem, vt, a, v);
	if (!dag_is(q) || !rem)
		return q;
	i64 s = sem_sext(v, vt_bits(vt));
	u64 mag = is_signed && s < 0 ? (0 - (u64)s) & vt_mask(vt) : v;
	if ((mag & (mag - 1)) == 0) {
		/* a minus the multiple of v that is nearest to it towards zero */
		DagVal up = op2(c, DAG_ADD, vt, a, raise_of(c, vt, a, u64_log2(mag)));
		return op2(c, DAG_SUB, vt, a, op2(c, DAG_AND, vt, up, k(c, vt, 0 - mag)));
	}
	return op2(c, DAG_SUB, vt, a, op2(c, DAG_MUL, vt, q, b));
}
