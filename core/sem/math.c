/* math.c: the functions of the CUDA maths library, in double-double arithmetic (about 100 bits), rounded
 * once: below 0.51 ulp where the function is a plain composition. Series and Newton steps alone, so the
 * bits are the same on every host. Dekker 1971, Knuth; the reduction of large angles is Payne and Hanek's. */
#include "sem/math.h"

#include "sem/float.h"

typedef struct Dd {
	f64 hi, lo;
} Dd;

static Dd two_sum(f64 a, f64 b)
{
	f64 s = a + b, t = s - a;
	return (Dd){s, (a - (s - t)) + (b - t)};
}
static Dd quick(f64 a, f64 b) /* |a| >= |b| */
{
	f64 s = a + b;
	return (Dd){s, b - (s - a)};
}
static Dd two_prod(f64 a, f64 b)
{
	f64 p = a * b;
	return (Dd){p, __builtin_fma(a, b, -p)};
}
static Dd dd(f64 a) { return (Dd){a, 0}; }
static Dd dd_neg(Dd a) { return (Dd){-a.hi, -a.lo}; }
static Dd dd_add(Dd a, Dd b)
{
	Dd s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
	s = quick(s.hi, s.lo + t.hi);
	return quick(s.hi, s.lo + t.lo);
}
static Dd dd_sub(Dd a, Dd b) { return dd_add(a, dd_neg(b)); }
static Dd dd_mul(Dd a, Dd b)
{
	Dd p = two_prod(a.hi, b.hi);
	return quick(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
static Dd dd_scale(Dd a, f64 power_of_two) { return (Dd){a.hi * power_of_two, a.lo * power_of_two}; }
static Dd dd_div(Dd a, Dd b)
{
	f64 q = a.hi / b.hi;
	Dd  r = dd_sub(a, dd_mul(dd(q), b));
	f64 q2 = r.hi / b.hi;
	r = dd_sub(r, dd_mul(dd(q2), b));
	return dd_add(quick(q, q2), dd(r.hi / b.hi));
}
static Dd dd_sqrt(Dd a)
{
	if (a.hi <= 0)
		return dd(0);
	f64 x = __builtin_sqrt(a.hi);
	Dd  r = dd_sub(a, two_prod(x, x));
	return quick(x, r.hi / (2 * x));
}
static f64 dd_round(Dd a) { return a.hi + a.lo; }

static const Dd LN2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}, LOG2E = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56},
		LOG10E = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}, LN10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53},
		HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}, PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
#define QUIET_NAN sem_f64_of(0x7ff8000000000000u)
#define INFINITE  sem_f64_of(0x7ff0000000000000u)
/* 2/pi, 64 bits each, the first below the point. */
static const u64 two_over_pi[] = {
	0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u,
	0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u,
	0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
	0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu, 0xf0cfbc209af4361du,
};

static bool finite(f64 x) { return x - x == 0; }
static f64  magnitude(f64 x) { return x < 0 ? -x : x; }
static f64  nearest(f64 x) { return (x + 0x1.8p52) - 0x1.8p52; } /* |x| < 2^51 */
static f64  ldexp64(f64 x, i32 n) { return sem_f64_of(sem_fscalbn(SEM_F64, sem_f64_raw(x), n)); }
static f64  integral(f64 x, SemFpMode m) { return sem_f64_of(sem_frint(SEM_F64, sem_f64_raw(x), m)); }
static f64  with_sign(f64 x, f64 s) { return sem_f64_of(sem_copysign(SEM_F64, sem_f64_raw(x), sem_f64_raw(s))); }

/* e^x * 2^-*k: |x| below 1100. */
static Dd exp_parts(Dd x, i32 *k)
{
	f64 n = nearest(x.hi * LOG2E.hi);
	Dd  r = dd_scale(dd_sub(x, dd_mul(dd(n), LN2)), 0x1p-8), sum = dd(1), term = dd(1);
	for (u32 i = 1; i <= 10; i++) {
		term = dd_div(dd_mul(term, r), dd((f64)i));
		sum = dd_add(sum, term);
	}
	for (u32 i = 0; i < 8; i++)
		sum = dd_mul(sum, sum);
	*k = (i32)n;
	return sum;
}

static f64 scaled(Dd v, i32 k) { return ldexp64(dd_round(v), k); }

static f64 exp_dd(Dd x)
{
	i32 k;
	if (x.hi != x.hi)
		return x.hi;
	if (x.hi > 710)
		return INFINITE;
	if (x.hi < -760)
		return 0;
	Dd v = exp_parts(x, &k);
	return scaled(v, k);
}

/* ln x for finite x > 0: a series in binary64, and one step of Newton in double-double. */
static Dd log_dd(Dd x)
{
	i32 e = sem_filogb(SEM_F64, sem_f64_raw(x.hi)), k;
	Dd  m = {ldexp64(x.hi, -e), ldexp64(x.lo, -e)};
	if (m.hi > 0x1.6a09e667f3bcdp+0)
		m = dd_scale(m, 0.5), e++;
	f64 s = (m.hi - 1) / (m.hi + 1), s2 = s * s, y = 0;
	for (i32 i = 21; i >= 1; i -= 2)
		y = y * s2 + 2.0 / (f64)i;
	y *= s;
	Dd ex = exp_parts(dd(-y), &k);
	Dd step = dd_sub(dd_scale(dd_mul(m, ex), ldexp64(1, k)), dd(1));
	/* ln(1 + step), step about 1e-16 */
	Dd ln = dd_add(dd(y), dd_sub(step, dd_scale(dd_mul(step, step), 0.5)));
	return dd_add(dd_mul(dd((f64)e), LN2), ln);
}

static Dd sin_dd(Dd r)
{
	Dd z = dd_neg(dd_mul(r, r)), term = r, sum = r;
	for (u32 k = 2; k < 30; k += 2) {
		term = dd_div(dd_mul(term, z), dd((f64)(k * (k + 1))));
		sum = dd_add(sum, term);
	}
	return sum;
}
static Dd cos_dd(Dd r)
{
	Dd z = dd_neg(dd_mul(r, r)), term = dd(1), sum = dd(1);
	for (u32 k = 1; k < 30; k += 2) {
		term = dd_div(dd_mul(term, z), dd((f64)(k * (k + 1))));
		sum = dd_add(sum, term);
	}
	return sum;
}

/* |x| >= 2^20: the fraction of x * 2/pi from the bits of 2/pi that matter. */
static Dd reduce_large(f64 x, u32 *quadrant)
{
	u64 bits = sem_f64_raw(x), man = (bits & sem_mask(52)) | (u64)1 << 52;
	i32 e = (i32)(bits >> 52 & 0x7ff) - 1075; /* x = man * 2^e */
	u32 skip = e > 62 ? (u32)e - 62 : 0;      /* leading bits that only make multiples of 4 */
	u64 w[4];
	for (u32 i = 0; i < 4; i++) {
		u32 at = skip + 64 * i, q = at / 64, s = at % 64;
		w[i] = two_over_pi[q] << s | (s ? two_over_pi[q + 1] >> (64 - s) : 0);
	}
	/* man * 0.w0w1w2w3 * 2^(e - skip), e - skip in 0..62: as a fixed-point number of 192 bits behind the point */
	SemU128 p3 = u128_mul_u64(man, w[3]), p2 = u128_mul_u64(man, w[2]), p1 = u128_mul_u64(man, w[1]),
		p0 = u128_mul_u64(man, w[0]);
	u64     f[4]; /* fraction words below the point; carries above it are multiples of 1 kept in f4 */
	SemU128 t = u128_add(p2, u128(0, p3.hi));
	f[3] = p3.lo, f[2] = t.lo;
	t = u128_add(p1, u128(0, t.hi));
	f[1] = t.lo;
	t = u128_add(p0, u128(0, t.hi));
	f[0] = t.lo;
	u64 whole = t.hi;
	u32 up = (u32)(e - (i32)skip);
	if (up) {
		whole = whole << up | f[0] >> (64 - up);
		f[0] = f[0] << up | f[1] >> (64 - up);
		f[1] = f[1] << up | f[2] >> (64 - up);
		f[2] = f[2] << up | f[3] >> (64 - up);
	}
	bool round_up = f[0] >> 63;
	*quadrant = (u32)(whole + round_up) & 3;
	if (round_up)
		f[0] = ~f[0], f[1] = ~f[1], f[2] = ~f[2];
	f64 a = (f64)(f[0] >> 11) * 0x1p-53, b = (f64)((f[0] & 0x7ff) << 42 | f[1] >> 22) * 0x1p-106,
	    c = (f64)(f[1] & 0x3fffff) * 0x1p-128;
	Dd frac = dd_add(two_sum(a, b), dd(c));
	Dd r = dd_mul(frac, HALF_PI);
	return round_up ? dd_neg(r) : r;
}

/* x = n * pi/2 + r, |r| <= pi/4. */
static Dd reduce(f64 x, u32 *quadrant)
{
	f64 a = magnitude(x);
	Dd  r;
	if (a < 0x1p20) {
		f64 n = nearest(a * 0x1.45f306dc9c883p-1);
		/* pi/2 to 159 bits */
		r = dd_sub(dd(a), two_prod(n, HALF_PI.hi));
		r = dd_sub(r, two_prod(n, HALF_PI.lo));
		r = dd_sub(r, dd(n * -0x1.f1976b7ed8fbcp-110));
		*quadrant = (u32)n & 3;
	} else {
		r = reduce_large(a, quadrant);
	}
	if (x < 0) {
		*quadrant = (4 - *quadrant) & 3;
		return dd_neg(r);
	}
	return r;
}

static Dd sin_cos(f64 x, u32 quarter, Dd *other)
{
	u32 q;
	Dd  r = reduce(x, &q), s = sin_dd(r), c = cos_dd(r);
	q = (q + quarter) & 3;
	Dd v = q & 1 ? c : s, o = q & 1 ? dd_neg(s) : c;
	if (q & 2)
		v = dd_neg(v), o = dd_neg(o);
	if (other)
		*other = o;
	return v;
}

/* Angle of (x, y), both finite, not both 0: a rough one, then one exact correction. */
static Dd atan2_dd(Dd y, Dd x)
{
	Dd   ay = y.hi < 0 ? dd_neg(y) : y, ax = x.hi < 0 ? dd_neg(x) : x;
	bool swap = ay.hi > ax.hi;
	Dd   t = swap ? dd_div(ax, ay) : dd_div(ay, ax);
	/* atan t, t in 0..1: halve the angle twice, then the series */
	f64 u = t.hi;
	u = u / (1 + __builtin_sqrt(1 + u * u));
	u = u / (1 + __builtin_sqrt(1 + u * u));
	f64 u2 = u * u, sum = 0;
	for (i32 i = 25; i >= 1; i -= 2)
		sum = 1.0 / (f64)i - sum * u2;
	f64 y0 = 4 * u * sum;
	Dd  s = sin_dd(dd(y0)), c = cos_dd(dd(y0));
	Dd  fix = dd_div(dd_sub(dd_mul(t, c), s), dd_add(c, dd_mul(t, s))); /* tan of what is missing: tiny */
	Dd  a = dd_add(dd(y0), fix);
	if (swap)
		a = dd_sub(HALF_PI, a);
	if (x.hi < 0)
		a = dd_sub(PI, a);
	return y.hi < 0 ? dd_neg(a) : a;
}

/* ---- functions of one argument */

static f64 m_exp(f64 x) { return exp_dd(dd(x)); }
static f64 m_exp2(f64 x) { return x > 1100 ? INFINITE : x < -1200 ? 0 : exp_dd(dd_mul(dd(x), LN2)); }
static f64 m_exp10(f64 x) { return x > 400 ? INFINITE : x < -400 ? 0 : exp_dd(dd_mul(dd(x), LN10)); }
static f64 m_expm1(f64 x)
{
	i32 k;
	if (x != x || magnitude(x) < 0x1p-60)
		return x;
	if (x > 710)
		return INFINITE;
	if (x < -80)
		return -1;
	Dd v = exp_parts(dd(x), &k);
	return k > 500 ? scaled(v, k) : dd_round(dd_sub(dd_scale(v, ldexp64(1, k)), dd(1)));
}
/* ln x times a factor; 0, negative and infinite arguments as IEEE has them. */
static f64 log_times(f64 x, Dd factor)
{
	if (x == 0)
		return -INFINITE;
	if (!(x > 0))
		return QUIET_NAN;
	return finite(x) ? dd_round(dd_mul(log_dd(dd(x)), factor)) : x;
}
static f64 m_log(f64 x) { return log_times(x, dd(1)); }
static f64 m_log2(f64 x) { return log_times(x, LOG2E); }
static f64 m_log10(f64 x) { return log_times(x, LOG10E); }
static f64 m_log1p(f64 x)
{
	if (x != x || magnitude(x) < 0x1p-60)
		return x;
	if (x <= -1)
		return x == -1 ? -INFINITE : QUIET_NAN;
	return finite(x) ? dd_round(log_dd(two_sum(1, x))) : x;
}
static f64 m_sin(f64 x)
{
	return !finite(x) ? QUIET_NAN : magnitude(x) < 0x1p-30 ? x - x * x * x / 6 : dd_round(sin_cos(x, 0, NULL));
}
static f64 m_cos(f64 x) { return !finite(x) ? QUIET_NAN : dd_round(sin_cos(x, 1, NULL)); }
static f64 m_tan(f64 x)
{
	Dd c;
	if (!finite(x) || magnitude(x) < 0x1p-30)
		return finite(x) ? x + x * x * x / 3 : QUIET_NAN;
	Dd s = sin_cos(x, 0, &c);
	return dd_round(dd_div(s, c));
}
/* sin(pi x), cos(pi x): the remainder by 2 is exact. */
static f64 pi_times(f64 x, u32 quarter)
{
	if (!finite(x))
		return QUIET_NAN;
	f64 r = sem_f64_of(sem_frem(SEM_F64, sem_f64_raw(x), sem_f64_raw(2.0))), n = nearest(2 * r);
	Dd  a = dd_mul(dd(r - n / 2), PI);
	u32 q = ((u32)((i32)n & 3) + quarter) & 3;
	if (a.hi == 0)
		return q == 0 ? with_sign(0, x) : q == 1 ? 1 : q == 2 ? with_sign(0, x) : -1;
	f64 v = dd_round(q & 1 ? cos_dd(a) : sin_dd(a));
	return q & 2 ? -v : v;
}
static f64 m_sinpi(f64 x) { return x == 0 ? x : pi_times(x, 0); }
static f64 m_cospi(f64 x) { return pi_times(x, 1); }
static f64 m_atan(f64 x)
{
	if (x != x || magnitude(x) < 0x1p-30)
		return x != x ? x : x - x * x * x / 3;
	return finite(x) ? dd_round(atan2_dd(dd(x), dd(1))) : with_sign(HALF_PI.hi, x);
}
static Dd  one_minus_square(f64 x) { return dd_mul(two_sum(1, -x), two_sum(1, x)); }
static f64 m_asin(f64 x)
{
	if (!(magnitude(x) <= 1))
		return QUIET_NAN;
	return magnitude(x) < 0x1p-30 ? x + x * x * x / 6 : dd_round(atan2_dd(dd(x), dd_sqrt(one_minus_square(x))));
}
static f64 m_acos(f64 x)
{
	if (!(magnitude(x) <= 1))
		return QUIET_NAN;
	return x == 1 ? 0 : dd_round(atan2_dd(dd_sqrt(one_minus_square(x)), dd(x)));
}
/* (e^x + sign e^-x) / 2 */
static f64 hyperbolic(f64 x, f64 sign)
{
	i32 k;
	f64 a = magnitude(x);
	if (a > 711)
		return INFINITE;
	Dd v = exp_parts(dd(a), &k);
	if (k > 60)
		return scaled(v, k - 1);
	v = dd_scale(v, ldexp64(1, k));
	return dd_round(dd_scale(dd_add(v, dd_mul(dd(sign), dd_div(dd(1), v))), 0.5));
}
static f64 m_cosh(f64 x) { return x != x ? x : hyperbolic(x, 1); }
static f64 m_sinh(f64 x)
{
	if (x != x || magnitude(x) < 0x1p-30)
		return x != x ? x : x + x * x * x / 6;
	return with_sign(hyperbolic(x, -1), x);
}
static f64 m_tanh(f64 x)
{
	i32 k;
	f64 a = magnitude(x);
	if (x != x || a < 0x1p-30)
		return x != x ? x : x - x * x * x / 3;
	if (a > 25)
		return with_sign(1, x);
	Dd v = exp_parts(dd(2 * a), &k);
	v = dd_scale(v, ldexp64(1, k));
	return with_sign(dd_round(dd_div(dd_sub(v, dd(1)), dd_add(v, dd(1)))), x);
}
static f64 m_asinh(f64 x)
{
	f64 a = magnitude(x);
	if (!finite(x) || a < 0x1p-30)
		return finite(x) ? x - x * x * x / 6 : x;
	if (a > 0x1p500)
		return with_sign(dd_round(dd_add(log_dd(dd(a)), LN2)), x);
	return with_sign(dd_round(log_dd(dd_add(dd(a), dd_sqrt(dd_add(two_prod(a, a), dd(1)))))), x);
}
static f64 m_acosh(f64 x)
{
	if (!(x >= 1))
		return QUIET_NAN;
	if (!finite(x))
		return x;
	if (x > 0x1p500)
		return dd_round(dd_add(log_dd(dd(x)), LN2));
	return dd_round(log_dd(dd_add(dd(x), dd_sqrt(dd_neg(one_minus_square(x))))));
}
static f64 m_atanh(f64 x)
{
	if (!(magnitude(x) <= 1))
		return QUIET_NAN;
	if (magnitude(x) == 1)
		return with_sign(INFINITE, x);
	if (magnitude(x) < 0x1p-30)
		return x + x * x * x / 3;
	return dd_round(dd_scale(log_dd(dd_div(two_sum(1, x), two_sum(1, -x))), 0.5));
}
static f64 m_cbrt(f64 x)
{
	i32 k;
	if (!finite(x) || x == 0)
		return x;
	Dd v = exp_parts(dd_div(log_dd(dd(magnitude(x))), dd(3)), &k);
	return with_sign(scaled(v, k), x);
}
static f64 m_rcbrt(f64 x) { return x == 0 ? with_sign(INFINITE, x) : 1 / m_cbrt(x); }
static f64 m_sqrt(f64 x) { return __builtin_sqrt(x); }
static f64 m_rsqrt(f64 x) { return x > 0 && finite(x) ? dd_round(dd_div(dd(1), dd_sqrt(dd(x)))) : 1 / __builtin_sqrt(x); }

/* erf by its series for |x| < 3; erfc beyond by the continued fraction. */
static Dd erf_series(f64 x)
{
	Dd z = dd_neg(two_prod(x, x)), term = dd(x), sum = dd(x);
	for (u32 n = 1; n < 80; n++) {
		term = dd_div(dd_mul(term, z), dd((f64)n));
		sum = dd_add(sum, dd_div(term, dd((f64)(2 * n + 1))));
	}
	return dd_mul(sum, dd_div(dd(2), dd_sqrt(PI)));
}
static f64 erfc_tail(f64 x) /* x >= 3 */
{
	Dd f = dd(x);
	for (u32 n = 120; n >= 1; n--)
		f = dd_add(dd(x), dd_div(dd((f64)n / 2), f));
	i32 k;
	Dd  square = two_prod(x, x);
	if (square.hi > 745)
		return 0;
	Dd e = exp_parts(dd_neg(square), &k);
	return scaled(dd_div(e, dd_mul(f, dd_sqrt(PI))), k);
}
static f64 m_erf(f64 x)
{
	f64 a = magnitude(x);
	if (x != x)
		return x;
	return a < 3 ? dd_round(erf_series(x)) : with_sign(a > 7 ? 1 : dd_round(dd_sub(dd(1), dd(erfc_tail(a)))), x);
}
static f64 m_erfc(f64 x)
{
	if (x != x)
		return x;
	if (x >= 3)
		return erfc_tail(x);
	return x < -7 ? 2 : dd_round(dd_sub(dd(1), magnitude(x) < 3 ? erf_series(x) : dd(m_erf(x))));
}
static f64 m_normcdf(f64 x) { return m_erfc(-x * 0x1.6a09e667f3bcdp-1) / 2; }

/* ln Gamma(x), x > 0: Stirling's series above 24, the recurrence below. */
static Dd lgamma_dd(f64 x)
{
	static const f64 bernoulli[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
	                                1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
	Dd               product = dd(1), y = dd(x);
	while (y.hi < 24) {
		product = dd_mul(product, y);
		y = dd_add(y, dd(1));
	}
	Dd inverse = dd_div(dd(1), y), square = dd_mul(inverse, inverse), sum = dd(0), power = inverse;
	for (u32 i = 0; i < PS_COUNT(bernoulli); i++) {
		sum = dd_add(sum, dd_mul(power, dd(bernoulli[i])));
		power = dd_mul(power, square);
	}
	Dd r = dd_sub(dd_mul(dd_sub(y, dd(0.5)), log_dd(y)), y);
	r = dd_add(r, dd_scale(log_dd(dd_scale(PI, 2)), 0.5));
	return dd_sub(dd_add(r, sum), log_dd(product));
}
static f64 m_lgamma(f64 x)
{
	if (!finite(x))
		return x != x ? x : INFINITE;
	if (x <= 0) {
		if (integral(x, SEM_RM) == x)
			return INFINITE;
		f64 s = magnitude(m_sinpi(x));
		return dd_round(dd_sub(log_dd(dd_div(PI, dd(s))), lgamma_dd(1 - x)));
	}
	return x == 1 || x == 2 ? 0 : dd_round(lgamma_dd(x));
}
static f64 m_tgamma(f64 x)
{
	if (x != x || x == INFINITE)
		return x;
	if (x == 0)
		return with_sign(INFINITE, x);
	if (x < 0) {
		if (!finite(x) || integral(x, SEM_RM) == x)
			return QUIET_NAN;
		return x < -190 ? 0 : dd_round(dd_div(PI, dd_mul(dd(m_sinpi(x)), dd(m_tgamma(1 - x)))));
	}
	if (integral(x, SEM_RM) == x && x < 24) {
		f64 p = 1;
		for (f64 i = 2; i < x; i++)
			p *= i;
		return p;
	}
	return x > 180 ? INFINITE : exp_dd(lgamma_dd(x));
}

/* ---- two and three */

static bool is_odd(f64 y)
{
	f64 h = y / 2;
	return magnitude(y) < 0x1p53 && integral(y, SEM_RZ) == y && integral(h, SEM_RZ) != h;
}
static f64 m_pow(f64 x, f64 y)
{
	if (y == 0 || x == 1)
		return 1;
	if (x != x || y != y)
		return QUIET_NAN;
	bool odd = is_odd(y), neg = (sem_f64_raw(x) >> 63) && odd;
	f64  a = magnitude(x), r;
	if (!finite(y))
		return a == 1 ? 1 : (a > 1) == (y > 0) ? INFINITE : 0;
	if (a == 0 || !finite(a))
		r = (a == 0) == (y < 0) ? INFINITE : 0;
	else if (x < 0 && integral(y, SEM_RZ) != y)
		return QUIET_NAN;
	else
		r = magnitude(y) > 0x1p70 ? (a == 1               ? 1
		                             : (a > 1) == (y > 0) ? INFINITE
		                                                  : 0)
		                          : exp_dd(dd_mul(log_dd(dd(a)), dd(y)));
	return neg ? -r : r;
}
static f64 m_atan2(f64 y, f64 x)
{
	if (x != x || y != y)
		return QUIET_NAN;
	bool xneg = sem_f64_raw(x) >> 63;
	if (y == 0)
		return with_sign(xneg ? PI.hi : 0, y);
	if (!finite(x))
		return with_sign(finite(y) ? (xneg ? PI.hi : 0) : (xneg ? 3 : 1) * HALF_PI.hi / 2, y);
	if (x == 0 || !finite(y))
		return with_sign(HALF_PI.hi, y);
	i32 ex = sem_filogb(SEM_F64, sem_f64_raw(x)), ey = sem_filogb(SEM_F64, sem_f64_raw(y));
	if (ey - ex < -60 && !xneg)
		return y / x;
	if (ey - ex > 1000 || ey - ex < -1000)
		return with_sign(ey > ex ? HALF_PI.hi : xneg ? PI.hi : 0, y);
	i32 shift = -PS_MAX(ex, ey);
	return dd_round(atan2_dd(dd(ldexp64(y, shift)), dd(ldexp64(x, shift))));
}
static f64 m_hypot(f64 x, f64 y)
{
	f64 a = magnitude(x), b = magnitude(y), big = a > b ? a : b;
	if (a == INFINITE || b == INFINITE)
		return INFINITE;
	if (a != a || b != b || big == 0)
		return a + b;
	i32 e = sem_filogb(SEM_F64, sem_f64_raw(big));
	a = ldexp64(a, -e), b = ldexp64(b, -e);
	return ldexp64(dd_round(dd_sqrt(dd_add(two_prod(a, a), two_prod(b, b)))), e);
}
static f64 m_rhypot(f64 x, f64 y) { return 1 / m_hypot(x, y); }
static f64 m_fmod(f64 x, f64 y) { return sem_f64_of(sem_frem(SEM_F64, sem_f64_raw(x), sem_f64_raw(y))); }
static f64 m_remainder(f64 x, f64 y) { return sem_f64_of(sem_fremainder(SEM_F64, sem_f64_raw(x), sem_f64_raw(y), NULL)); }
static f64 m_fdim(f64 x, f64 y) { return x != x || y != y ? QUIET_NAN : x > y ? x - y : 0; }

typedef f64 (*One)(f64);
typedef f64 (*Two)(f64, f64);

static const One one[SEM_MATH_COUNT] = {
#define MATH1(id) [SEM_MATH_##id] = m_##id,
#define MATH2(id)
#include "sem/math.def"
};
static const Two two[SEM_MATH_COUNT] = {
#define MATH1(id)
#define MATH2(id) [SEM_MATH_##id] = m_##id,
#include "sem/math.def"
};

u64 sem_math_f64(SemMath f, u64 a, u64 b)
{
	f64 x = sem_f64_of(a), y = sem_f64_of(b);
	return sem_f64_bits(one[f] ? one[f](x) : two[f](x, y));
}

/* In double first: far more than f32 needs, so the second rounding decides nothing but ties. */
u32 sem_math_f32(SemMath f, u32 a, u32 b)
{
	f64 x = (f64)sem_f32_of(a), y = (f64)sem_f32_of(b);
	return sem_f32_bits((f32)(one[f] ? one[f](x) : two[f](x, y)));
}
