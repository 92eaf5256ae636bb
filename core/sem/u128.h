/* u128.h: 128-bit integers as two u64, the same on every host. */
#ifndef PS_SEM_U128_H
#define PS_SEM_U128_H

#include "base/base.h"

typedef struct SemU128 {
	u64 lo, hi;
} SemU128;

static inline SemU128 u128(u64 hi, u64 lo) { return (SemU128){lo, hi}; }
static inline SemU128 u128_of_i64(i64 x) { return (SemU128){(u64)x, x < 0 ? ~(u64)0 : 0}; }
static inline bool    u128_is_zero(SemU128 a) { return (a.lo | a.hi) == 0; }
static inline bool    u128_eq(SemU128 a, SemU128 b) { return a.lo == b.lo && a.hi == b.hi; }
static inline bool    u128_lt(SemU128 a, SemU128 b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }
static inline bool    u128_slt(SemU128 a, SemU128 b) { return a.hi != b.hi ? (i64)a.hi < (i64)b.hi : a.lo < b.lo; }
static inline SemU128 u128_and(SemU128 a, SemU128 b) { return u128(a.hi & b.hi, a.lo & b.lo); }
static inline SemU128 u128_or(SemU128 a, SemU128 b) { return u128(a.hi | b.hi, a.lo | b.lo); }
static inline SemU128 u128_xor(SemU128 a, SemU128 b) { return u128(a.hi ^ b.hi, a.lo ^ b.lo); }
static inline SemU128 u128_not(SemU128 a) { return u128(~a.hi, ~a.lo); }
static inline SemU128 u128_add(SemU128 a, SemU128 b)
{
	u64 lo = a.lo + b.lo;
	return u128(a.hi + b.hi + (lo < a.lo), lo);
}
static inline SemU128 u128_sub(SemU128 a, SemU128 b) { return u128(a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo); }
static inline SemU128 u128_neg(SemU128 a) { return u128_sub(u128(0, 0), a); }

/* Amounts of 128 and more give 0 (or the sign). */
static inline SemU128 u128_shl(SemU128 a, u32 n)
{
	if (n == 0)
		return a;
	if (n >= 64)
		return u128(n >= 128 ? 0 : a.lo << (n - 64), 0);
	return u128(a.hi << n | a.lo >> (64 - n), a.lo << n);
}
static inline SemU128 u128_shr(SemU128 a, u32 n)
{
	if (n == 0)
		return a;
	if (n >= 64)
		return u128(0, n >= 128 ? 0 : a.hi >> (n - 64));
	return u128(a.hi >> n, a.lo >> n | a.hi << (64 - n));
}
static inline SemU128 u128_sar(SemU128 a, u32 n)
{
	u64 sign = (u64)((i64)a.hi >> 63);
	if (n == 0)
		return a;
	if (n >= 64)
		return u128(sign, (u64)((i64)a.hi >> (n >= 127 ? 63 : n - 64)));
	return u128((u64)((i64)a.hi >> n), a.lo >> n | a.hi << (64 - n));
}
/* The low w bits (1 to 128), extended by zeros or by the sign. */
static inline SemU128 u128_zext(SemU128 a, u32 w) { return u128_shr(u128_shl(a, 128 - w), 128 - w); }
static inline SemU128 u128_sext(SemU128 a, u32 w) { return u128_sar(u128_shl(a, 128 - w), 128 - w); }
/* Shift right; bits that are lost show in the lowest bit ("sticky"). */
static inline SemU128 u128_shr_jam(SemU128 a, u32 n)
{
	SemU128 q = u128_shr(a, n);
	if (!u128_eq(u128_shl(q, n), a) || (n >= 128 && !u128_is_zero(a)))
		q.lo |= 1;
	return q;
}
static inline u32 u128_clz(SemU128 a) { return a.hi ? 63 - u64_log2(a.hi) : a.lo ? 127 - u64_log2(a.lo) : 128; }

static inline SemU128 u128_mul_u64(u64 a, u64 b)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 p = (unsigned __int128)a * b;
	return u128((u64)(p >> 64), (u64)p);
#else
	u64 al = (u32)a, ah = a >> 32, bl = (u32)b, bh = b >> 32;
	u64 ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
	u64 mid = (ll >> 32) + (u32)lh + (u32)hl;
	return u128(hh + (lh >> 32) + (hl >> 32) + (mid >> 32), mid << 32 | (u32)ll);
#endif
}
static inline SemU128 u128_mul_i64(i64 a, i64 b)
{
	SemU128 p = u128_mul_u64((u64)a, (u64)b);
	p.hi -= (a < 0 ? (u64)b : 0) + (b < 0 ? (u64)a : 0);
	return p;
}

/* Modulo 2^128. */
SemU128 u128_mul(SemU128 a, SemU128 b);
/* Division by zero: all ones, and the dividend as the remainder. */
SemU128 u128_divrem(SemU128 a, SemU128 b, SemU128 *rem);
SemU128 u128_sdivrem(SemU128 a, SemU128 b, SemU128 *rem);
/* floor(sqrt(a)); *exact tells whether nothing remains. */
u64 u128_sqrt(SemU128 a, bool *exact);

#endif
