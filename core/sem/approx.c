/* approx.c: the approximate instructions of PTX, in binary64 arithmetic with + - * / alone, rounded
 * once to binary32. All stay below one ulp of binary32, so within every bound that PTX documents, and
 * are the same bits wherever IEEE holds. */
#include "sem/float.h"

static f64 pow2(i32 n) /* normal results only */ { return sem_f64_of((u64)(n + 1023) << 52); }

/* To the nearest integer, |x| < 2^51. */
static f64 nearest(f64 x) { return (x + 0x1.8p52) - 0x1.8p52; }

/* 2^x for |x| < 1000: 2^n times the series of e^y, |y| <= ln(2)/2. */
static f64 exp2_series(f64 x)
{
	static const f64 inverse_factorial[] = {
		1.0,        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
		1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600,
	};
	f64 n = nearest(x), y = (x - n) * 0x1.62e42fefa39efp-1, r = 0;
	for (u32 i = PS_COUNT(inverse_factorial); i-- > 0;)
		r = r * y + inverse_factorial[i];
	return r * pow2((i32)n);
}

/* log2 of a positive finite x: log2(m) = 2/ln(2) * atanh((m-1)/(m+1)), m in [sqrt(1/2), sqrt(2)). */
static f64 log2_series(f64 x)
{
	u64 bits = sem_f64_raw(x);
	i32 e = (i32)(bits >> 52) - 1023;
	f64 m = sem_f64_of((bits & sem_mask(52)) | (u64)1023 << 52);
	if (m > 0x1.6a09e667f3bcdp+0)
		m *= 0.5, e++;
	f64 s = (m - 1) / (m + 1), s2 = s * s, r = 0;
	for (i32 k = 19; k >= 1; k -= 2)
		r = r * s2 + 1.0 / (f64)k;
	return (f64)e + r * s * 0x1.71547652b82fep+1;
}

static f32 round_to_f32(f64 v) { return (f32)v; }

static u32 finish(f32 v, SemFpMode m)
{
	u32 bits = sem_f32_bits(v);
	if (m & SEM_FTZ)
		bits = sem_f32_ftz(bits);
	return m & SEM_SAT ? (u32)sem_f2f(SEM_F32, SEM_F32, bits, m & ~(u32)SEM_RND) : bits;
}

static f32 operand(u32 a, SemFpMode m) { return sem_f32_of(m & SEM_FTZ ? sem_f32_ftz(a) : a); }

u32 sem_ex2_approx_f32(u32 a, SemFpMode m)
{
	f32 x = operand(a, m);
	if (x != x)
		return 0x7fffffffu;
	if (x >= 129)
		return 0x7f800000u;
	return x <= -160 ? 0 : finish(round_to_f32(exp2_series((f64)x)), m);
}

u32 sem_lg2_approx_f32(u32 a, SemFpMode m)
{
	f32 x = operand(a, m);
	if (x == 0)
		return 0xff800000u;
	if (!(x > 0))
		return 0x7fffffffu;
	return a == 0x7f800000u ? a : finish(round_to_f32(log2_series((f64)x)), m);
}

/* x = n * pi/2 + r, |r| <= pi/4 (a little more for very large x, where PTX promises nothing). */
static f64 reduce(f32 x, u32 *quadrant)
{
	f64 v = (f64)x;
	if (v > 0x1p40 || v < -0x1p40) /* the remainder by the double nearest to 2 pi */
		v = sem_f64_of(sem_frem(SEM_F64, sem_f64_raw(v), sem_f64_raw(0x1.921fb54442d18p+2)));
	f64 n = nearest(v * 0x1.45f306dc9c883p-1);
	*quadrant = (u32)((i64)n & 3);
	/* pi/2 in three parts; the products of the first two with n < 2^20 are exact. */
	f64 r = v - n * 0x1.921fb54400000p+0;
	r -= n * 0x1.0b4611a600000p-34;
	return r - n * 0x1.3198a2e037073p-69;
}

static f64 sin_series(f64 r)
{
	f64 z = r * r, s = 0;
	for (i32 k = 17; k >= 3; k -= 2)
		s = (s + 1) * -z / (f64)(k * (k - 1));
	return r + r * s;
}

static f64 cos_series(f64 r)
{
	f64 z = r * r, s = 0;
	for (i32 k = 18; k >= 2; k -= 2)
		s = (s + 1) * -z / (f64)(k * (k - 1));
	return 1 + s;
}

static u32 sin_cos(u32 a, u32 quarter_turns, SemFpMode m)
{
	f32 x = operand(a, m);
	u32 q;
	if (!(x - x == 0))
		return 0x7fffffffu;
	if (x == 0)
		return quarter_turns ? 0x3f800000u : sem_f32_bits(x);
	f64 r = reduce(x, &q);
	q += quarter_turns;
	f64 v = q & 1 ? cos_series(r) : sin_series(r);
	return finish(round_to_f32(q & 2 ? -v : v), m);
}

u32 sem_sin_approx_f32(u32 a, SemFpMode m) { return sin_cos(a, 0, m); }
u32 sem_cos_approx_f32(u32 a, SemFpMode m) { return sin_cos(a, 1, m); }

u32 sem_tanh_approx_f32(u32 a)
{
	f64 x = (f64)sem_f32_of(a);
	if (x != x)
		return 0x7fffffffu;
	if (x > 12 || x < -12)
		return (a & 0x80000000u) | 0x3f800000u;
	if (x < 0x1p-14 && x > -0x1p-14)
		return a;
	f64 e = exp2_series(x * 0x1.71547652b82fep+1); /* e^2x */
	return sem_f32_bits(round_to_f32((e - 1) / (e + 1)));
}

u32 sem_rsqrt_approx_f32(u32 a, SemFpMode m)
{
	f32 x = operand(a, m);
	return finish(round_to_f32(1.0 / __builtin_sqrt((f64)x)), m);
}

u32 sem_rcp_approx_f32(u32 a, SemFpMode m) { return finish(1.0f / operand(a, m), m); }
u32 sem_sqrt_approx_f32(u32 a, SemFpMode m) { return finish(__builtin_sqrtf(operand(a, m)), m); }

/* A divisor above 2^126 gives 0 (NaN for an infinite dividend), as PTX documents. */
u32 sem_div_approx_f32(u32 a, u32 b, SemFpMode m)
{
	f32 x = operand(a, m), y = operand(b, m);
	u32 mag = b & 0x7fffffffu;
	if (mag > 0x7e800000u && mag < 0x7f800000u)
		return x - x == 0 ? (a ^ b) & 0x80000000u : 0x7fffffffu;
	return finish(x / y, m);
}

u64 sem_rcp_approx_f64(u64 a)
{
	return sem_fflush(SEM_F64, sem_f64_bits(1.0 / sem_f64_of(sem_fflush(SEM_F64, a)))) & 0xffffffff00000000u;
}

u64 sem_rsqrt_approx_f64(u64 a) { return sem_f64_bits(1.0 / __builtin_sqrt(sem_f64_of(a))); }
