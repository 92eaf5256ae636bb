/* big.c: integers of any width; see big.h. Division goes bit by bit, as no program's time is spent here. */
#include "sem/big.h"

#include "sem/u128.h"

#include <string.h>

typedef struct Big {
	u64 w[SEM_BIG_WORDS];
} Big;

static Big big_of(u32 w, const u64 *a)
{
	Big r = {{0}};
	memcpy(r.w, a, sem_big_words(w) * sizeof *a);
	return r;
}

static void give(u32 w, u64 *r, const Big *a)
{
	u32 n = sem_big_words(w);
	memmove(r, a->w, n * sizeof *r);
	r[n - 1] &= sem_mask(w - 64 * (n - 1));
}

static bool bit(const u64 *a, u32 at) { return a[at / 64] >> at % 64 & 1; }
static bool is_negative(u32 w, const u64 *a) { return bit(a, w - 1); }

static bool is_zero(u32 w, const u64 *a)
{
	u64 any = 0;
	for (u32 i = 0; i < sem_big_words(w); i++)
		any |= a[i];
	return !any;
}

/* The number as a count, at most `most`. */
static u32 count_of(u32 w, const u64 *a, u32 most)
{
	for (u32 i = 1; i < sem_big_words(w); i++)
		if (a[i])
			return most;
	return (u32)PS_MIN(a[0], (u64)most);
}

/* ---- sums and products */

/* a + b + carry, or a - b - carry as a + ~b + 1. */
static Big sum(u32 w, const u64 *a, const u64 *b, bool minus)
{
	Big r = {{0}};
	u64 carry = minus;
	for (u32 i = 0; i < sem_big_words(w); i++) {
		u64 x = a[i], y = minus ? ~b[i] : b[i], s = x + y;
		r.w[i] = s + carry;
		carry = (s < x) | (r.w[i] < s);
	}
	give(w, r.w, &r);
	return r;
}

static Big negated(u32 w, const u64 *a)
{
	Big zero = {{0}};
	return sum(w, zero.w, a, true);
}

static Big magnitude(u32 w, const u64 *a) { return is_negative(w, a) ? negated(w, a) : big_of(w, a); }

/* Modulo 2^w; *lost: the exact product has more bits. */
static Big product(u32 w, const u64 *a, const u64 *b, bool *lost)
{
	Big r = {{0}};
	u32 n = sem_big_words(w);
	*lost = false;
	for (u32 i = 0; i < n; i++) {
		u64 carry = 0;
		for (u32 k = 0; k < n; k++) {
			SemU128 p = u128_add(u128_mul_u64(a[i], b[k]), u128(0, carry));
			if (i + k < n)
				p = u128_add(p, u128(0, r.w[i + k])), r.w[i + k] = p.lo;
			else
				*lost |= p.lo != 0;
			carry = p.hi;
		}
		*lost |= carry != 0;
	}
	u64 top = r.w[n - 1];
	give(w, r.w, &r);
	*lost |= top != r.w[n - 1];
	return r;
}

/* By zero: all ones, and the dividend as the remainder. */
static Big quotient(u32 w, const u64 *a, const u64 *b, Big *rest)
{
	Big q = {{0}};
	*rest = (Big){{0}};
	if (is_zero(w, b)) {
		*rest = big_of(w, a);
		memset(q.w, 255, sem_big_words(w) * sizeof *q.w);
		give(w, q.w, &q);
		return q;
	}
	for (u32 at = w; at-- > 0;) {
		bool over = is_negative(w, rest->w); /* of what doubling gives: then it is more than any divisor */
		for (u32 i = sem_big_words(w); i-- > 1;)
			rest->w[i] = rest->w[i] << 1 | rest->w[i - 1] >> 63;
		rest->w[0] = rest->w[0] << 1 | bit(a, at);
		give(w, rest->w, rest);
		if (over || sem_big_compare(false, w, rest->w, b) >= 0) {
			*rest = sum(w, rest->w, b, true);
			q.w[at / 64] |= (u64)1 << at % 64;
		}
	}
	return q;
}

static Big divided(SemOp op, u32 w, const u64 *a, const u64 *b)
{
	bool is_signed = op == SEM_OP_sdiv || op == SEM_OP_srem, division = op == SEM_OP_sdiv || op == SEM_OP_udiv;
	Big  x = is_signed ? magnitude(w, a) : big_of(w, a), y = is_signed ? magnitude(w, b) : big_of(w, b), rest;
	Big  q = quotient(w, x.w, y.w, &rest), r = division ? q : rest;
	bool minus = is_signed && (division ? is_negative(w, a) != is_negative(w, b) : is_negative(w, a));
	return minus ? negated(w, r.w) : r;
}

bool sem_big_overflows(SemOp op, bool is_signed, u32 w, const u64 *a, const u64 *b)
{
	Big  r;
	bool lost;
	if (op != SEM_OP_mul) {
		bool minus = op == SEM_OP_sub, na = is_negative(w, a), nb = is_negative(w, b) != (is_signed && minus);
		r = sum(w, a, b, minus);
		if (is_signed)
			return na == nb && is_negative(w, r.w) != na;
		return sem_big_compare(false, w, minus ? a : r.w, minus ? b : a) < 0;
	}
	if (!is_signed)
		return product(w, a, b, &lost), lost;
	Big x = magnitude(w, a), y = magnitude(w, b);
	r = product(w, x.w, y.w, &lost);
	if (is_negative(w, a) == is_negative(w, b))
		return lost || is_negative(w, r.w);
	Big minus = negated(w, r.w); /* at most 2^(w-1) */
	return lost || (!is_zero(w, r.w) && !is_negative(w, minus.w));
}

/* ---- bits */

static Big shifted_up(u32 w, const u64 *a, u32 by)
{
	Big r = {{0}};
	u32 n = sem_big_words(w), words = by / 64, bits = by % 64;
	for (u32 i = words; i < n; i++)
		r.w[i] = a[i - words] << bits | (bits && i > words ? a[i - words - 1] >> (64 - bits) : 0);
	give(w, r.w, &r);
	return r;
}

static Big shifted_down(u32 w, const u64 *a, u32 by)
{
	Big r = {{0}};
	u32 n = sem_big_words(w), words = by / 64, bits = by % 64;
	for (u32 i = 0; i + words < n; i++)
		r.w[i] = a[i + words] >> bits | (bits && i + words + 1 < n ? a[i + words + 1] << (64 - bits) : 0);
	return r;
}

static Big ones(u32 w)
{
	Big r = {{0}};
	memset(r.w, 255, sem_big_words(w) * sizeof *r.w);
	give(w, r.w, &r);
	return r;
}

static Big inverted(u32 w, const u64 *a)
{
	Big r = ones(w);
	for (u32 i = 0; i < sem_big_words(w); i++)
		r.w[i] ^= a[i];
	return r;
}

/* The sign comes in: what a logical shift makes of the inverse, inverted. */
static Big shifted_signed(u32 w, const u64 *a, u32 by)
{
	if (!is_negative(w, a))
		return shifted_down(w, a, by);
	Big i = inverted(w, a), r = shifted_down(w, i.w, by);
	return inverted(w, r.w);
}

static Big bitwise(SemOp op, u32 w, const u64 *a, const u64 *b)
{
	Big r = {{0}};
	for (u32 i = 0; i < sem_big_words(w); i++)
		r.w[i] = op == SEM_OP_and ? a[i] & b[i] : op == SEM_OP_or ? a[i] | b[i] : a[i] ^ b[i];
	return r;
}

/* a:b shifted by the count modulo w; the upper half (up), or the lower one. */
static Big funnel(u32 w, const u64 *a, const u64 *b, const u64 *by, bool up)
{
	Big width = {{w}}, rest;
	quotient(w, by, width.w, &rest);
	u32 n = (u32)rest.w[0];
	Big high = shifted_up(w, a, up ? n : w - n), low = shifted_down(w, b, up ? w - n : n);
	return bitwise(SEM_OP_or, w, high.w, low.w);
}

static Big reversed(u32 w, const u64 *a, u32 unit)
{
	Big r = {{0}};
	for (u32 i = 0; i < w; i++)
		if (bit(a, i)) {
			u32 to = w - unit - i / unit * unit + i % unit;
			r.w[to / 64] |= (u64)1 << to % 64;
		}
	return r;
}

static Big counted(SemOp op, u32 w, const u64 *a)
{
	Big r = {{0}};
	for (u32 i = 0; i < w; i++) {
		bool set = bit(a, op == SEM_OP_ctlz ? w - 1 - i : i);
		if (set && op != SEM_OP_ctpop)
			break;
		r.w[0] += op == SEM_OP_ctpop ? set : 1;
	}
	return r;
}

/* ---- results that stay at the edge */

static Big edge(u32 w, bool is_signed, bool least)
{
	Big r = {{0}};
	if (is_signed)
		r.w[(w - 1) / 64] = (u64)1 << (w - 1) % 64;
	return least ? r : is_signed ? inverted(w, r.w) : ones(w);
}

static Big saturated(SemOp op, u32 w, const u64 *a, const u64 *b)
{
	bool is_signed = op == SEM_OP_sadd_sat || op == SEM_OP_ssub_sat, minus = op == SEM_OP_usub_sat || op == SEM_OP_ssub_sat;
	if (!sem_big_overflows(minus ? SEM_OP_sub : SEM_OP_add, is_signed, w, a, b))
		return sum(w, a, b, minus);
	return edge(w, is_signed, is_signed ? is_negative(w, a) : minus);
}

static Big saturated_shift(bool is_signed, u32 w, const u64 *a, const u64 *b)
{
	u32 by = count_of(w, b, w);
	Big r = shifted_up(w, a, by), back = is_signed ? shifted_signed(w, r.w, by) : shifted_down(w, r.w, by);
	return sem_big_compare(false, w, back.w, a) == 0 ? r : edge(w, is_signed, is_signed && is_negative(w, a));
}

bool sem_big_eval(SemOp op, u32 w, u64 *r, const u64 *a, const u64 *b, const u64 *c)
{
	Big  v;
	bool lost;
	switch (op) {
	case SEM_OP_add:
	case SEM_OP_sub: v = sum(w, a, b, op == SEM_OP_sub); break;
	case SEM_OP_mul: v = product(w, a, b, &lost); break;
	case SEM_OP_udiv:
	case SEM_OP_sdiv:
	case SEM_OP_urem:
	case SEM_OP_srem: v = divided(op, w, a, b); break;
	case SEM_OP_and:
	case SEM_OP_or:
	case SEM_OP_xor: v = bitwise(op, w, a, b); break;
	case SEM_OP_shl: v = shifted_up(w, a, count_of(w, b, w)); break;
	case SEM_OP_lshr: v = shifted_down(w, a, count_of(w, b, w)); break;
	case SEM_OP_ashr: v = shifted_signed(w, a, count_of(w, b, w)); break;
	case SEM_OP_fshl:
	case SEM_OP_fshr: v = funnel(w, a, b, c, op == SEM_OP_fshl); break;
	case SEM_OP_smin:
	case SEM_OP_umin: v = big_of(w, sem_big_compare(op == SEM_OP_smin, w, a, b) <= 0 ? a : b); break;
	case SEM_OP_smax:
	case SEM_OP_umax: v = big_of(w, sem_big_compare(op == SEM_OP_smax, w, a, b) >= 0 ? a : b); break;
	case SEM_OP_abs: v = magnitude(w, a); break;
	case SEM_OP_uadd_sat:
	case SEM_OP_sadd_sat:
	case SEM_OP_usub_sat:
	case SEM_OP_ssub_sat: v = saturated(op, w, a, b); break;
	case SEM_OP_ushl_sat:
	case SEM_OP_sshl_sat: v = saturated_shift(op == SEM_OP_sshl_sat, w, a, b); break;
	case SEM_OP_ctpop:
	case SEM_OP_ctlz:
	case SEM_OP_cttz: v = counted(op, w, a); break;
	case SEM_OP_bswap: v = reversed(w, a, 8); break;
	case SEM_OP_brev: v = reversed(w, a, 1); break;
	default: return false;
	}
	give(w, r, &v);
	return true;
}

i32 sem_big_compare(bool is_signed, u32 w, const u64 *a, const u64 *b)
{
	if (is_signed && is_negative(w, a) != is_negative(w, b))
		return is_negative(w, a) ? -1 : 1;
	for (u32 i = sem_big_words(w); i-- > 0;)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

void sem_big_extend(u32 to, u64 *r, u32 from, const u64 *a, bool is_signed)
{
	Big v = big_of(PS_MIN(from, to), a);
	if (is_signed && to > from && is_negative(from, a)) {
		Big high = ones(from);
		high = inverted(to, high.w);
		v = bitwise(SEM_OP_or, to, v.w, high.w);
	}
	give(to, r, &v);
}

/* ---- floats */

u64 sem_big_to_float(SemFmt to, bool is_signed, u32 w, const u64 *a)
{
	bool minus = is_signed && is_negative(w, a);
	Big  v = minus ? negated(w, a) : big_of(w, a);
	u32  bits = w;
	while (bits && !bit(v.w, bits - 1))
		bits--;
	u32 by = bits > 128 ? bits - 128 : 0; /* what is below shows in the lowest bit of the rest */
	Big top = shifted_down(w, v.w, by), back = shifted_up(w, top.w, by);
	u64 sticky = sem_big_compare(false, w, back.w, v.w) != 0;
	u64 f = sem_fscalbn(to, sem_i1282f(to, false, u128(top.w[1], top.w[0] | sticky), SEM_RN), (i32)by);
	return minus ? sem_fneg(to, f) : f;
}

void sem_big_of_float(u32 w, u64 *r, bool is_signed, SemFmt from, u64 a)
{
	bool minus = (a & sem_fsign_bit(from)) != 0;
	u64  m = sem_fabs(from, a);
	Big  v = {{0}}, least = edge(w, is_signed, true), most = edge(w, is_signed, false);
	if (sem_is_nan(from, a) || (minus && !is_signed)) {
		give(w, r, &v);
		return;
	}
	i32  e = sem_is_zero(from, a) ? -1 : sem_is_inf(from, a) ? (i32)w : sem_filogb(from, m);
	bool out = e >= (i32)w - is_signed; /* 2^e is past the largest; it may be the least one, which `least` is, too */
	if (!out && e >= 0) {
		i32 down = PS_MAX(e - 126, 0);
		v.w[0] = 0;
		SemU128 whole = sem_f2i128(false, from, sem_fscalbn(from, m, -down), SEM_RZ);
		u64     words[SEM_BIG_WORDS] = {whole.lo, whole.hi};
		v = shifted_up(SEM_BIG_BITS, words, (u32)down);
	}
	v = out ? (minus ? least : most) : minus ? negated(w, v.w) : v;
	give(w, r, &v);
}
