#include "sem/u128.h"

SemU128 u128_mul(SemU128 a, SemU128 b)
{
	SemU128 p = u128_mul_u64(a.lo, b.lo);
	p.hi += a.lo * b.hi + a.hi * b.lo;
	return p;
}

SemU128 u128_divrem(SemU128 a, SemU128 b, SemU128 *rem)
{
	if (u128_is_zero(b)) {
		*rem = a;
		return u128(~(u64)0, ~(u64)0);
	}
	if (a.hi == 0 && b.hi == 0) {
		*rem = u128(0, a.lo % b.lo);
		return u128(0, a.lo / b.lo);
	}
	SemU128 q = u128(0, 0);
	if (u128_lt(a, b)) {
		*rem = a;
		return q;
	}
	u32     n = u128_clz(b) - u128_clz(a);
	SemU128 d = u128_shl(b, n);
	for (u32 i = 0; i <= n; i++) {
		q = u128_shl(q, 1);
		if (!u128_lt(a, d)) {
			a = u128_sub(a, d);
			q.lo |= 1;
		}
		d = u128_shr(d, 1);
	}
	*rem = a;
	return q;
}

SemU128 u128_sdivrem(SemU128 a, SemU128 b, SemU128 *rem)
{
	if (u128_is_zero(b))
		return u128_divrem(a, b, rem);
	bool    na = (i64)a.hi < 0, nb = (i64)b.hi < 0;
	SemU128 q = u128_divrem(na ? u128_neg(a) : a, nb ? u128_neg(b) : b, rem);
	if (na)
		*rem = u128_neg(*rem);
	return na != nb ? u128_neg(q) : q;
}

/* Digit by digit, two bits of a for one of the root. */
u64 u128_sqrt(SemU128 a, bool *exact)
{
	u64     root = 0;
	SemU128 rem = u128(0, 0);
	for (u32 i = 0; i < 64; i++) {
		rem = u128_or(u128_shl(rem, 2), u128(0, a.hi >> 62));
		a = u128_shl(a, 2);
		SemU128 trial = u128_or(u128_shl(u128(0, root), 2), u128(0, 1));
		root <<= 1;
		if (!u128_lt(rem, trial)) {
			rem = u128_sub(rem, trial);
			root |= 1;
		}
	}
	*exact = u128_is_zero(rem);
	return root;
}
