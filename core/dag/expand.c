/* expand.c: operations that PTX does not have, or not on the type, by simpler operations of the same type.
 *
 *	uaddsat(a, b) ─▶ s = a + b; s < a ? ~0 : s          rotl(a, n) ─▶ a << n | a >> (w - n)
 *	smulo(a, b)   ─▶ hi:lo = a * b; hi != lo >> (w - 1)  cttz(a)    ─▶ ctpop(~a & (a - 1))
 *
 * Serves both legalizers: before types are legal the new nodes are legalized in turn, afterwards they are legal. New nodes have
 * no flags of the old one. Constant time; byte swaps are linear in bytes. */
#include "dag/expand.h"
#include "dag/lower_target.h"
#include "sem/float.h"

typedef struct Ex {
	DagFunc *f;
	Dag     *d;
	DagVt    vt;
	u32      w;
	DagVal   a, b, c;
	u16      flags;
} Ex;

static DagVal k(Ex *x, u64 v) { return v == ~(u64)0 ? dag_all_ones(x->d, x->vt) : dag_const(x->d, x->vt, v); }
static DagVal op2(Ex *x, DagOp op, DagVal a, DagVal b) { return dag_2(x->d, op, x->vt, a, b); }
static DagVal amount(Ex *x, u32 n) { return dag_const(x->d, vt_with(x->vt, VT_I32), n); }
static DagVal shift(Ex *x, DagOp op, DagVal a, u32 n) { return dag_2(x->d, op, x->vt, a, amount(x, n)); }
static DagVal cmp(Ex *x, DagVal a, DagVal b, DagCond c) { return dag_setcc(x->d, a, b, c); }
static DagVal pick(Ex *x, DagVal c, DagVal a, DagVal b)
{
	return dag_3(x->d, vt_is_vec(dag_vt(x->d, c)) ? DAG_VSELECT : DAG_SELECT, dag_vt(x->d, a), c, a, b);
}
static DagVal smin_of(Ex *x) { return dag_one_bit(x->d, x->vt, x->w - 1); }
static DagVal smax_of(Ex *x) { return dag_not(x->d, smin_of(x)); }

/* ---- overflow and saturation ---- */

static void add_overflow(Ex *x, bool sub, bool is_signed, DagVal out[2])
{
	DagVal r = op2(x, sub ? DAG_SUB : DAG_ADD, x->a, x->b);
	out[0] = r;
	if (!is_signed) {
		out[1] = sub ? cmp(x, x->a, x->b, IRP_I_ULT) : cmp(x, r, x->a, IRP_I_ULT);
		return;
	}
	if (x->w > 64) {
		/* A sum overflows where its sign differs from both operands': test the top bit. */
		DagVal s = op2(x, DAG_XOR, x->a, sub ? x->b : r), t = op2(x, DAG_XOR, sub ? x->a : x->b, r);
		out[1] = cmp(x, op2(x, DAG_AND, s, t), k(x, 0), IRP_I_SLT);
		return;
	}
	/* Without overflow, r < a exactly where b < 0 (of a difference: where b > 0). */
	DagVal zero = k(x, 0), b_neg = cmp(x, x->b, zero, sub ? IRP_I_SGT : IRP_I_SLT), less = cmp(x, r, x->a, IRP_I_SLT);
	out[1] = dag_2(x->d, DAG_XOR, dag_vt(x->d, less), b_neg, less);
}

static void mul_overflow(Ex *x, bool is_signed, DagVal out[2])
{
	Dag *d = x->d;
	out[0] = op2(x, DAG_MUL, x->a, x->b);
	if ((x->w == 16 || x->w == 32) && !vt_is_vec(x->vt)) {
		DagVt  wide = x->w == 16 ? VT_I32 : VT_I64;
		DagVal p = dag_2(d, is_signed ? DAG_MULWIDE_S : DAG_MULWIDE_U, wide, x->a, x->b);
		out[0] = dag_2(d, DAG_EXTRACT_ELEMENT, x->vt, p, dag_const(d, VT_I32, 0));
		DagVal top = dag_2(d, DAG_EXTRACT_ELEMENT, x->vt, p, dag_const(d, VT_I32, 1));
		out[1] = cmp(x, top, is_signed ? shift(x, DAG_SRA, out[0], x->w - 1) : k(x, 0), IRP_I_NE);
		return;
	}
	if (x->w < 64 && !vt_is_vec(x->vt)) {
		DagVt  wide = x->w <= 16 ? VT_I32 : VT_I64;
		DagOp  ext = is_signed ? DAG_SIGN_EXTEND : DAG_ZERO_EXTEND;
		DagVal a = dag_1(d, ext, wide, x->a), b = dag_1(d, ext, wide, x->b), p = dag_2(d, DAG_MUL, wide, a, b);
		out[0] = dag_1(d, DAG_TRUNCATE, x->vt, p);
		DagVal back = dag_1(d, ext, wide, out[0]);
		out[1] = dag_setcc(d, p, back, IRP_I_NE);
		if (x->w <= 32)
			return;
		/* The product has more than 64 bits: those above must be copies of the sign, too. */
		DagVal hi = dag_2(d, is_signed ? DAG_MULHS : DAG_MULHU, wide, a, b);
		DagVal want = is_signed ? dag_2(d, DAG_SRA, wide, back, dag_const(d, VT_I32, 63)) : dag_const(d, wide, 0);
		DagVal above = dag_setcc(d, hi, want, IRP_I_NE);
		out[1] = dag_2(d, DAG_OR, VT_I1, out[1], above);
		return;
	}
	DagVal hi = op2(x, is_signed ? DAG_MULHS : DAG_MULHU, x->a, x->b);
	DagVal want = is_signed ? shift(x, DAG_SRA, out[0], x->w - 1) : k(x, 0);
	out[1] = cmp(x, hi, want, IRP_I_NE);
}

static DagVal add_saturating(Ex *x, bool sub, bool is_signed)
{
	DagVal r[2];
	/* a -sat b = max(a, b) - b; a +sat b = min(a, ~b) + b */
	if (!is_signed && x->w <= 64 && dag_is_legal_op(x->f, sub ? DAG_UMAX : DAG_UMIN, x->vt)) {
		if (sub)
			return op2(x, DAG_SUB, op2(x, DAG_UMAX, x->a, x->b), x->b);
		DagVal room = dag_not(x->d, x->b);
		return op2(x, DAG_ADD, op2(x, DAG_UMIN, x->a, room), x->b);
	}
	add_overflow(x, sub, is_signed, r);
	if (!is_signed)
		return pick(x, r[1], sub ? k(x, 0) : k(x, ~(u64)0), r[0]);
	/* After overflow the sign is inverted: a negative result means the largest number. */
	DagVal limit = op2(x, DAG_XOR, shift(x, DAG_SRA, r[0], x->w - 1), smin_of(x));
	return pick(x, r[1], limit, r[0]);
}

static DagVal shl_saturating(Ex *x, bool is_signed)
{
	DagVal r = dag_2(x->d, DAG_SHL, x->vt, x->a, x->b);
	DagVal back = dag_2(x->d, is_signed ? DAG_SRA : DAG_SRL, x->vt, r, x->b);
	DagVal limit = is_signed ? pick(x, cmp(x, x->a, k(x, 0), IRP_I_SLT), smin_of(x), smax_of(x)) : k(x, ~(u64)0);
	return pick(x, cmp(x, x->a, back, IRP_I_NE), limit, r);
}

/* ---- rotation ---- */

static bool is_narrow(const Ex *x) { return x->w <= 16 && vt_is_sint(x->vt); }

/* Both operands in one word of 32 bits, `lo` in its low bits; what is above `hi` is unspecified. */
static DagVal joined(Ex *x, DagVal hi, DagVal lo)
{
	Dag *d = x->d;
	if (x->vt == VT_I16)
		return dag_2(d, DAG_BUILD_PAIR, VT_I32, lo, hi);
	DagVal h = dag_any_or_trunc(d, hi, VT_I32), l = dag_any_or_trunc(d, lo, VT_I32);
	if (x->w == 8)
		return dag_3(d, DAG_PRMT, VT_I32, l, h, dag_const(d, VT_I32, 0x4440));
	l = dag_2(d, DAG_AND, VT_I32, l, dag_const(d, VT_I32, vt_mask(x->vt)));
	return dag_2(d, DAG_OR, VT_I32, l, dag_2(d, DAG_SHL, VT_I32, h, dag_const(d, VT_I32, x->w)));
}

/* Of at most 16 bits: one shift of the word that holds both operands, by n < w. */
static DagVal funnel_narrow(Ex *x, bool left, DagVal hi, DagVal lo, DagVal n)
{
	Dag   *d = x->d;
	DagVal word = joined(x, hi, lo), w = dag_const(d, VT_I32, x->w);
	u64    k;
	n = dag_zext_or_trunc(d, n, VT_I32);
	if (!left)
		word = dag_2(d, DAG_SRL, VT_I32, word, n);
	else if (dag_as_const(d, n, &k))
		word = dag_2(d, DAG_SRL, VT_I32, word, dag_const(d, VT_I32, x->w - k));
	else
		word = dag_2(d, DAG_SRL, VT_I32, dag_2(d, DAG_SHL, VT_I32, word, n), w);
	return dag_1(d, DAG_TRUNCATE, x->vt, word);
}

static DagVal funnel(Ex *x, bool left, DagVal hi, DagVal lo, DagVal n)
{
	Dag   *d = x->d;
	DagVt  at = dag_vt(d, n);
	DagVal w1 = dag_const(d, at, x->w - 1);
	bool   pow2 = (x->w & (x->w - 1)) == 0;
	n = pow2 ? dag_2(d, DAG_AND, at, n, w1) : dag_2(d, DAG_UREM, at, n, dag_const(d, at, x->w));
	if (is_narrow(x))
		return funnel_narrow(x, left, hi, lo, n);
	/* Shift the other half by w - n, which may be w, in two steps: by 1, then by w - 1 - n. */
	DagVal rest = dag_2(d, DAG_SUB, at, w1, n), one = dag_const(d, at, 1), r, s;
	if (left) {
		r = dag_2(d, DAG_SHL, x->vt, hi, n);
		s = dag_2(d, DAG_SRL, x->vt, dag_2(d, DAG_SRL, x->vt, lo, one), rest);
	} else {
		r = dag_2(d, DAG_SRL, x->vt, lo, n);
		s = dag_2(d, DAG_SHL, x->vt, dag_2(d, DAG_SHL, x->vt, hi, one), rest);
	}
	return op2(x, DAG_OR, r, s);
}

/* 64 bits as two words: exchange them where the amount has bit 5, then funnel-shift each with the other. */
static DagVal rotate_words(Ex *x, bool left)
{
	Dag   *d = x->d;
	DagVal lo = dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, x->a, dag_const(d, VT_I32, 0)),
	       hi = dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, x->a, dag_const(d, VT_I32, 1));
	u64  n;
	bool known = dag_as_const(d, x->b, &n);
	if (known && (n & 32)) {
		DagVal t = lo;
		lo = hi, hi = t;
	} else if (!known) {
		DagVal bit = dag_2(d, DAG_AND, VT_I32, x->b, dag_const(d, VT_I32, 32));
		DagVal far = dag_setcc(d, bit, dag_const(d, VT_I32, 0), IRP_I_NE);
		DagVal l = dag_3(d, DAG_SELECT, VT_I32, far, hi, lo), h = dag_3(d, DAG_SELECT, VT_I32, far, lo, hi);
		lo = l, hi = h;
	}
	if (known && n % 32 == 0)
		return dag_2(d, DAG_BUILD_PAIR, VT_I64, lo, hi);
	DagVal amount = known ? dag_const(d, VT_I32, n % 32) : x->b;
	DagVal l = dag_3(d, left ? DAG_FSHL : DAG_FSHR, VT_I32, left ? lo : hi, left ? hi : lo, amount);
	DagVal h = dag_3(d, left ? DAG_FSHL : DAG_FSHR, VT_I32, left ? hi : lo, left ? lo : hi, amount);
	return dag_2(d, DAG_BUILD_PAIR, VT_I64, l, h);
}

/* 8 or 16 bits: a word of copies of them, rotated; its length is a multiple of theirs, so the amount need not be reduced. */
static DagVal rotate_copies(Ex *x, bool left)
{
	Dag   *d = x->d;
	DagVal a = dag_any_or_trunc(d, x->a, VT_I32), n = dag_zext_or_trunc(d, x->b, VT_I32);
	DagVal word = dag_3(d, DAG_PRMT, VT_I32, a, a, dag_const(d, VT_I32, x->w == 8 ? 0 : 0x1010));
	return dag_1(d, DAG_TRUNCATE, x->vt, dag_2(d, left ? DAG_ROTL : DAG_ROTR, VT_I32, word, n));
}

static DagVal rotate(Ex *x, bool left)
{
	Dag  *d = x->d;
	DagVt at = dag_vt(d, x->b);
	u64   n;
	if (is_narrow(x) && (x->w == 8 || x->w == 16) && x->f->optimize && dag_is_legal_op(x->f, DAG_ROTL, VT_I32))
		return rotate_copies(x, left);
	if (x->vt == VT_I64 && x->f->optimize && dag_is_legal_op(x->f, DAG_FSHL, VT_I32))
		return rotate_words(x, left);
	if (dag_as_const(d, x->b, &n)) {
		n %= x->w;
		DagVal r = dag_2(d, left ? DAG_SHL : DAG_SRL, x->vt, x->a, dag_const(d, at, n));
		DagVal s = n ? dag_2(d, left ? DAG_SRL : DAG_SHL, x->vt, x->a, dag_const(d, at, x->w - n)) : k(x, 0);
		return op2(x, DAG_OR, r, s);
	}
	if ((x->w & (x->w - 1)) != 0)
		return funnel(x, left, x->a, x->a, x->b);
	DagVal mask = dag_const(d, at, x->w - 1), m = dag_2(d, DAG_AND, at, x->b, mask);
	if (x->w == 64) {
		/* A shift by the whole width, where the amount is 0, gives 0 on the machine. */
		DagVal rest = dag_2(d, DAG_SUB, at, dag_const(d, at, x->w), m);
		return op2(x, DAG_OR, dag_2(d, left ? DAG_SHL : DAG_SRL, x->vt, x->a, m),
		           dag_2(d, left ? DAG_SRL : DAG_SHL, x->vt, x->a, rest));
	}
	DagVal neg = dag_2(d, DAG_AND, at, dag_2(d, DAG_SUB, at, dag_const(d, at, 0), x->b), mask);
	DagVal r = dag_2(d, left ? DAG_SHL : DAG_SRL, x->vt, x->a, m), s = dag_2(d, left ? DAG_SRL : DAG_SHL, x->vt, x->a, neg);
	return op2(x, DAG_OR, r, s);
}

/* 64 bits by a constant: the words of both, of which the result has two that lie side by side. */
static DagVal funnel_words_by(Ex *x, u32 left)
{
	Dag   *d = x->d;
	DagVal word[4]; /* low first */
	for (u32 i = 0; i < 4; i++)
		word[i] = dag_2(d, DAG_EXTRACT_ELEMENT, VT_I32, i < 2 ? x->b : x->a, dag_const(d, VT_I32, i & 1));
	DagVal part[2], by = dag_const(d, VT_I32, left % 32);
	u32    from = left < 32 ? 1 : 0; /* the word below that of the result's lowest bit, or that word itself */
	for (u32 i = 0; i < 2; i++)
		part[i] = left == 32 ? word[1 + i] : dag_3(d, DAG_FSHL, VT_I32, word[from + i + 1], word[from + i], by);
	return dag_2(d, DAG_BUILD_PAIR, VT_I64, part[0], part[1]);
}

static DagVal funnel_by(Ex *x, bool left)
{
	u64 n;
	if ((x->vt == VT_I64 || x->vt == VT_I32 || is_narrow(x)) && dag_same(x->a, x->b)) {
		Ex y = *x;
		y.b = dag_zext_or_trunc(x->d, x->c, VT_I32);
		return rotate(&y, left);
	}
	if (!dag_as_const(x->d, x->c, &n))
		return funnel(x, left, x->a, x->b, x->c);
	n %= x->w;
	if (!n)
		return left ? x->a : x->b;
	if (is_narrow(x))
		return funnel_narrow(x, left, x->a, x->b, dag_const(x->d, VT_I32, n));
	u32 l = left ? (u32)n : x->w - (u32)n;
	if (x->vt == VT_I64 && x->f->optimize && dag_is_legal_op(x->f, DAG_FSHL, VT_I32))
		return funnel_words_by(x, l);
	return op2(x, DAG_OR, shift(x, DAG_SHL, x->a, l), shift(x, DAG_SRL, x->b, x->w - l));
}

/* ---- bits ---- */

static DagVal byte_swap(Ex *x)
{
	DagVal r = k(x, 0);
	for (u32 i = 0; i < x->w; i += 8) {
		u32    to = x->w - 8 - i;
		DagVal m = x->w > 64 ? dag_const2(x->d, x->vt, i < 64 ? (u64)0xFF << i : 0, i >= 64 ? (u64)0xFF << (i - 64) : 0)
		                     : k(x, (u64)0xFF << i);
		DagVal b = i == 0 || i + 8 == x->w ? x->a : op2(x, DAG_AND, x->a, m);
		b = to > i ? shift(x, DAG_SHL, b, to - i) : shift(x, DAG_SRL, b, i - to);
		r = op2(x, DAG_OR, r, b);
	}
	return r;
}

static DagVal bit_reverse(Ex *x)
{
	DagVal           v = x->w > 8 ? byte_swap(x) : x->a;
	static const u64 mask[] = {0x0F0F0F0F0F0F0F0Fu, 0x3333333333333333u, 0x5555555555555555u};
	for (u32 i = 0; i < 3; i++) {
		u32    n = 4u >> i;
		DagVal m = x->w > 64 ? dag_const2(x->d, x->vt, mask[i], mask[i]) : k(x, mask[i]);
		v = op2(x, DAG_OR, op2(x, DAG_AND, shift(x, DAG_SRL, v, n), m), shift(x, DAG_SHL, op2(x, DAG_AND, v, m), n));
	}
	return v;
}

static DagVal trailing_zeros(Ex *x)
{
	DagVal below = op2(x, DAG_AND, dag_not(x->d, x->a), op2(x, DAG_ADD, x->a, k(x, ~(u64)0)));
	return dag_1(x->d, DAG_CTPOP, x->vt, below);
}

static DagVal absolute(Ex *x)
{
	DagVal s = shift(x, DAG_SRA, x->a, x->w - 1);
	return op2(x, DAG_SUB, op2(x, DAG_XOR, x->a, s), s);
}

static DagVal least(Ex *x, DagCond c) { return pick(x, cmp(x, x->a, x->b, c), x->a, x->b); }

/* a - a / b * b */
static DagVal remainder_of(Ex *x, DagOp div) { return op2(x, DAG_SUB, x->a, op2(x, DAG_MUL, op2(x, div, x->a, x->b), x->b)); }

/* ---- floats ---- */

static DagVal fp_bits(Ex *x, DagVal v) { return dag_1(x->d, DAG_BITCAST, vt_as_int(vt_elem(x->vt)), v); }

/* fneg and fabs of halves as integer operations on the sign bit. */
static DagVal sign_bit(Ex *x, DagOp op, u64 mask)
{
	DagVt it = VT_INT(vt_size(x->vt));
	u64   all = mask;
	for (u32 i = 1; i < vt_lanes(x->vt); i++)
		all |= mask << i * x->w;
	DagVal v = dag_1(x->d, DAG_BITCAST, it, x->a);
	return dag_1(x->d, DAG_BITCAST, x->vt, dag_2(x->d, op, it, v, dag_const(x->d, it, all)));
}

static DagVal copy_sign(Ex *x)
{
	Dag   *d = x->d;
	DagVt  it = vt_as_int(x->vt), bt = dag_vt(d, x->b), bi = vt_as_int(bt);
	u64    sign = sem_smin(x->w);
	DagVal s = dag_1(d, DAG_BITCAST, bi, x->b);
	if (vt_bits(bi) > x->w)
		s = dag_1(d, DAG_TRUNCATE, it, dag_2(d, DAG_SRL, bi, s, dag_const(d, VT_I32, vt_bits(bi) - x->w)));
	else if (vt_bits(bi) < x->w)
		s = dag_2(d, DAG_SHL, it, dag_1(d, DAG_ZERO_EXTEND, it, s), dag_const(d, VT_I32, x->w - vt_bits(bi)));
	s = dag_2(d, DAG_AND, it, s, dag_const(d, it, sign));
	DagVal m = dag_2(d, DAG_AND, it, fp_bits(x, x->a), dag_const(d, it, sign - 1));
	return dag_1(d, DAG_BITCAST, x->vt, dag_2(d, DAG_OR, it, m, s));
}

/* Rounds half away from zero: trunc(|a| + 0.5) with the sign of a. From 2^mantissa on there is no fraction. */
static DagVal round_away(Ex *x)
{
	Dag   *d = x->d;
	DagVt  vt = x->vt;
	SemFmt fmt = dag_sem_fmt(vt);
	u64    big = sem_fpow2(fmt, sem_fmt[fmt].mantissa), half_bits = sem_fpow2(fmt, -1);
	DagVal mag = dag_1(d, DAG_FABS, vt, x->a);
	if (vt == VT_F32) {
		DagVal it = dag_2(d, DAG_AND, VT_I32, fp_bits(x, x->a), dag_const(d, VT_I32, 0x80000000u));
		DagVal half = dag_1(d, DAG_BITCAST, vt, dag_2(d, DAG_OR, VT_I32, it, dag_const(d, VT_I32, half_bits)));
		DagVal r = dag_1(d, DAG_FTRUNC, vt, dag_2(d, DAG_FADD, vt, x->a, half));
		r = dag_3(d, DAG_SELECT, vt, dag_setcc(d, mag, dag_fp(d, vt, big), IRP_OGT), x->a, r);
		DagVal cut = dag_1(d, DAG_FTRUNC, vt, x->a);
		return dag_3(d, DAG_SELECT, vt, dag_setcc(d, mag, dag_fp(d, vt, half_bits), IRP_OLT), cut, r);
	}
	DagVal r = dag_1(d, DAG_FTRUNC, vt, dag_2(d, DAG_FADD, vt, mag, dag_fp(d, vt, half_bits)));
	r = dag_3(d, DAG_SELECT, vt, dag_setcc(d, mag, dag_fp(d, vt, half_bits), IRP_OLT), dag_fp(d, vt, 0), r);
	r = dag_2(d, DAG_FCOPYSIGN, vt, r, x->a);
	return dag_3(d, DAG_SELECT, vt, dag_setcc(d, mag, dag_fp(d, vt, big), IRP_OGT), x->a, r);
}

static bool is_nonzero_number(const Dag *d, DagVal v)
{
	SemFmt f = dag_sem_fmt(dag_vt(d, v));
	u64    k;
	return dag_as_fp(d, v, &k) && !sem_is_nan(f, k) && (k & ~sem_fsign_bit(f));
}

/* The result is NaN where an operand is, and -0 is less than +0. */
static DagVal min_ieee(Ex *x, bool max)
{
	Dag   *d = x->d;
	DagVt  vt = x->vt;
	SemFmt fmt = dag_sem_fmt(vt);
	u64    nan = sem_inf(fmt, false) | sem_fquiet_bit(fmt);
	DagOp  num = max ? DAG_FMAXNUM : DAG_FMINNUM;
	bool   has = dag_is_legal_op(x->f, num, vt);
	DagVal r = has ? op2(x, num, x->a, x->b)
	               : dag_3(d, DAG_SELECT, vt, dag_setcc(d, x->a, x->b, max ? IRP_OGT : IRP_OLT), x->a, x->b);
	if (!(x->flags & IRF_NNAN) && !x->f->fp.no_nans)
		r = dag_3(d, DAG_SELECT, vt, dag_setcc(d, x->a, x->b, IRP_UNO), dag_fp(d, vt, nan), r);
	/* The instruction orders the zeros, and a number that is none is not equal to one. */
	if (has || (x->flags & IRF_NSZ) || is_nonzero_number(d, x->a) || is_nonzero_number(d, x->b))
		return r;
	/* Where the result is a zero: the operand that is the zero of the wanted sign. */
	u64    want = max ? 0 : sem_fsign_bit(fmt);
	DagVt  it = vt_as_int(vt);
	DagVal zero = dag_setcc(d, r, dag_fp(d, vt, 0), IRP_OEQ), kz = dag_const(d, it, want);
	DagVal z = dag_3(d, DAG_SELECT, vt, dag_setcc(d, fp_bits(x, x->a), kz, IRP_I_EQ), x->a, r);
	z = dag_3(d, DAG_SELECT, vt, dag_setcc(d, fp_bits(x, x->b), kz, IRP_I_EQ), x->b, z);
	return dag_3(d, DAG_SELECT, vt, zero, z, r);
}

/* Converts to a legal width, where cvt clamps to the range; NaN gives 0. A narrower range is clamped to before, where the float
 * holds its bounds: max(NaN, 0) is 0, so that no comparison is needed. */
static DagVal to_int_saturating(Ex *x, const DagNode *n)
{
	Dag   *d = x->d;
	bool   s = n->opcode == DAG_FP_TO_SINT_SAT;
	DagVt  vt = n->vt[0], to = (DagVt)dag_of(d, x->b)->k[0];
	DagVal a = dag_vt(d, x->a) == VT_BF16 ? dag_1(d, DAG_FP_EXTEND, VT_F32, x->a) : x->a, r = a;
	DagVt  of = dag_vt(d, a);
	SemFmt fmt = dag_sem_fmt(of);
	u32    w = vt_bits(to);
	DagVt  wide = w <= 16 ? VT_I16 : w <= 32 ? VT_I32 : VT_I64;
	bool   before = w < vt_bits(wide) + !s && w <= 16 && w <= sem_fmt[fmt].mantissa && dag_is_legal_op(x->f, DAG_FMAXNUM, of);
	u64    top = s ? sem_smax(w) : sem_mask(w), bottom = s ? sem_mask(64) << (w - 1) : 0;
	if (before) {
		r = dag_2(d, DAG_FMAXNUM, of, r, dag_fp(d, of, sem_i2f(fmt, 64, true, bottom, 0)));
		r = dag_2(d, DAG_FMINNUM, of, r, dag_fp(d, of, sem_i2f(fmt, 64, true, top, 0)));
	}
	r = dag_1(d, s ? DAG_FP_TO_SINT : DAG_FP_TO_UINT, wide, r);
	if (w < vt_bits(wide) && !before) {
		r = dag_2(d, s ? DAG_SMIN : DAG_UMIN, wide, r, dag_const(d, wide, top));
		if (s)
			r = dag_2(d, DAG_SMAX, wide, r, dag_const(d, wide, bottom));
	}
	if (s || !before)
		r = dag_3(d, DAG_SELECT, wide, dag_setcc(d, a, a, IRP_UNO), dag_const(d, wide, 0), r);
	return vt == wide ? r : dag_1(d, vt_bits(vt) < vt_bits(wide) ? DAG_TRUNCATE : DAG_SIGN_EXTEND, vt, r);
}

/* a * 2^n: three factors, each a power of two in the range of normal numbers. */
static DagVal load_exponent(Ex *x)
{
	Dag   *d = x->d;
	DagVt  vt = x->vt, it = vt_as_int(vt);
	SemFmt fmt = dag_sem_fmt(vt);
	i32    bias = (i32)sem_fbias(fmt), frac = sem_fmt[fmt].mantissa;
	DagVal e = vt_bits(dag_vt(d, x->b)) < 32 ? dag_sext_or_trunc(d, x->b, VT_I32) : x->b, r = x->a;
	DagVt  et = dag_vt(d, e);
	e = dag_2(d, DAG_SMIN, et, dag_2(d, DAG_SMAX, et, e, dag_const(d, et, (u64)(-3 * bias + 3))),
	          dag_const(d, et, (u64)(3 * bias)));
	e = dag_sext_or_trunc(d, e, VT_I32);
	for (u32 i = 0; i < 3; i++) {
		DagVal part = dag_2(d, DAG_SMIN, VT_I32, dag_2(d, DAG_SMAX, VT_I32, e, dag_const(d, VT_I32, (u64)(1 - bias))),
		                    dag_const(d, VT_I32, (u64)bias));
		DagVal biased = dag_sext_or_trunc(d, dag_2(d, DAG_ADD, VT_I32, part, dag_const(d, VT_I32, (u64)bias)), it);
		DagVal p = dag_1(d, DAG_BITCAST, vt, dag_2(d, DAG_SHL, it, biased, dag_const(d, VT_I32, (u64)frac)));
		r = dag_2(d, DAG_FMUL, vt, r, p);
		e = dag_2(d, DAG_SUB, VT_I32, e, part);
	}
	return r;
}

/* Rounds to nearest (lrint: ties to even; lround: away from zero), and converts. */
static DagVal to_int_rounded(Ex *x, const DagNode *n)
{
	DagVt  of = dag_vt(x->d, x->a);
	DagVal r = dag_1(x->d, n->opcode == DAG_LROUND ? DAG_FROUND : DAG_FRINT, of, x->a);
	return dag_1(x->d, DAG_FP_TO_SINT, n->vt[0], r);
}

static bool expand_fp(Ex *x, const DagNode *n, DagVal *out)
{
	Dag *d = x->d;
	switch ((DagOp)n->opcode) {
	case DAG_FNEG: out[0] = sign_bit(x, DAG_XOR, sem_smin(x->w)); return x->w == 16;
	case DAG_FABS: out[0] = sign_bit(x, DAG_AND, sem_smax(x->w)); return x->w == 16;
	case DAG_FCOPYSIGN: out[0] = copy_sign(x); return !vt_is_vec(x->vt);
	case DAG_FROUND:
		if (x->w == 16 || vt_is_vec(x->vt))
			return false;
		out[0] = round_away(x);
		return true;
	case DAG_FMINIMUM:
	case DAG_FMAXIMUM:
		if (vt_is_vec(x->vt))
			return false;
		out[0] = min_ieee(x, n->opcode == DAG_FMAXIMUM);
		return true;
	case DAG_FLDEXP:
		if (x->w == 16 && !vt_is_vec(x->vt) && !dag_is_legal_vt(dag_vt(d, x->b))) {
			DagVt narrow = vt_bits(dag_vt(d, x->b)) < 32 ? VT_I32 : VT_I64;
			out[0] = dag_2(d, DAG_FLDEXP, x->vt, x->a, dag_sext_or_trunc(d, x->b, narrow));
			return true;
		}
		if (x->w == 16 || vt_is_vec(x->vt))
			return false;
		out[0] = load_exponent(x);
		return true;
	case DAG_FCANONICALIZE:
		out[0] = dag_2(d, DAG_FMUL, x->vt, x->a, dag_fp(d, x->vt, sem_fpow2(dag_sem_fmt(x->vt), 0)));
		return true;
	case DAG_FP_TO_SINT_SAT:
	case DAG_FP_TO_UINT_SAT:
		if (vt_is_vec(n->vt[0]) || vt_bits(n->vt[0]) > 64)
			return false;
		out[0] = to_int_saturating(x, n);
		return true;
	case DAG_LRINT:
	case DAG_LROUND: out[0] = to_int_rounded(x, n); return true;
	default: return false;
	}
}

bool dag_expand(DagFunc *f, u32 node, DagVal *out)
{
	Dag    *d = &f->dag;
	DagNode n = *dag_at(d, node);
	u32     n_ops = dag_n_ops(&n);
	if (!n_ops || dag_n_results(&n) > 2)
		return false;
	Ex x = {.f = f, .d = d, .vt = n.vt[0], .w = vt_bits(n.vt[0]), .flags = n.flags, .a = dag_operand(d, dag_at(d, node), 0)};
	if (n_ops > 1)
		x.b = dag_operand(d, dag_at(d, node), 1);
	if (n_ops > 2)
		x.c = dag_operand(d, dag_at(d, node), 2);
	if (vt_is_fp(x.vt) || vt_is_fp(dag_vt(d, x.a)))
		return expand_fp(&x, &n, out);
	switch ((DagOp)n.opcode) {
	case DAG_SADDO:
	case DAG_UADDO: add_overflow(&x, false, n.opcode == DAG_SADDO, out); return true;
	case DAG_SSUBO:
	case DAG_USUBO: add_overflow(&x, true, n.opcode == DAG_SSUBO, out); return true;
	case DAG_SMULO:
	case DAG_UMULO: mul_overflow(&x, n.opcode == DAG_SMULO, out); return true;
	case DAG_SADDSAT:
	case DAG_UADDSAT: out[0] = add_saturating(&x, false, n.opcode == DAG_SADDSAT); return true;
	case DAG_SSUBSAT:
	case DAG_USUBSAT: out[0] = add_saturating(&x, true, n.opcode == DAG_SSUBSAT); return true;
	case DAG_SSHLSAT:
	case DAG_USHLSAT: out[0] = shl_saturating(&x, n.opcode == DAG_SSHLSAT); return true;
	case DAG_ROTL:
	case DAG_ROTR: out[0] = rotate(&x, n.opcode == DAG_ROTL); return true;
	case DAG_FSHL:
	case DAG_FSHR: out[0] = funnel_by(&x, n.opcode == DAG_FSHL); return true;
	case DAG_BSWAP: out[0] = byte_swap(&x); return x.w % 16 == 0;
	case DAG_BITREVERSE: out[0] = bit_reverse(&x); return x.w % 8 == 0;
	case DAG_CTTZ: out[0] = trailing_zeros(&x); return true;
	case DAG_ABS: out[0] = absolute(&x); return true;
	case DAG_SMIN: out[0] = least(&x, IRP_I_SLT); return true;
	case DAG_SMAX: out[0] = least(&x, IRP_I_SGT); return true;
	case DAG_UMIN: out[0] = least(&x, IRP_I_ULT); return true;
	case DAG_UMAX: out[0] = least(&x, IRP_I_UGT); return true;
	case DAG_SREM: out[0] = remainder_of(&x, DAG_SDIV); return true;
	case DAG_UREM: out[0] = remainder_of(&x, DAG_UDIV); return true;
	default: return false;
	}
}
