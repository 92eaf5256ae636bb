/* Exponentials, logarithms, powers and hyperbolic functions. Series of the exponential function (Taylor) and of the logarithm (of
 * atanh), behind a reduction that is exact or carries its error along. */
#pragma once

#include <ptxscope/fp.h>

/* Errors are computed from exactly these operations. */
#pragma clang fp contract(off)

/* e^r - 1 - r for |r| up to ln(2)/2. */
template <class T> __px_both T __px_exp_rest(T r) {
	T p;
	if constexpr (__px_is_float<T>)
		p = __px_polynomial(r, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040);
	else
		p = __px_polynomial(r, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800,
			1. / 479001600, 1. / 6227020800);
	return r * r * p;
}
/* e^(r + low), low much smaller than r, rounded once: what 1 + r loses goes into the rest. */
template <class T> __px_both T __px_exp_near_0(T r, T low) {
	T s = 1 + r, rest = __px_exp_rest(r);
	return s + (((1 - s) + r) + __px_fma(low, s + rest, rest));
}

/* ln(2) in two parts; the first has few enough bits for exact multiples. */
template <class T> inline constexpr T __px_ln2_high = __px_is_float<T> ? (T)0x1.62e4p-1 : (T)0x1.62e42fefa38p-1;
template <class T> inline constexpr T __px_ln2_low = __px_is_float<T> ? (T)0x1.7f7d1cp-20 : (T)0x1.ef35793c7673p-45;
/* log10(2) likewise. */
template <class T> inline constexpr T __px_log10_2_high = __px_is_float<T> ? (T)0x1.344p-2 : (T)0x1.34413509f78p-2;
template <class T> inline constexpr T __px_log10_2_low = __px_is_float<T> ? (T)0x1.3509f8p-18 : (T)0x1.fef311f12b358p-46;

/* x = k ln(2) + r + low. */
template <class T> __px_both T __px_reduce_exp(T x, T *low, int *k) {
	T n = __px_rint(x * (T)0x1.71547652b82fep+0), t = __px_fma(-n, __px_ln2_high<T>, x), r = __px_fma(-n, __px_ln2_low<T>, t);
	*k = (int)n;
	*low = __px_fma(-n, __px_ln2_low<T>, t - r);
	return r;
}

/* e^(x + more), more much smaller than x. */
template <class T> __px_both T __px_exp(T x, T more = 0) {
	int k;
	T inside = __px_max(__px_min(x, __px_is_float<T> ? (T)89 : (T)710), __px_is_float<T> ? (T)-104 : (T)-746);
	T low, r = __px_reduce_exp(inside, &low, &k);
	return __px_is_nan(x) ? x : __px_scale(__px_exp_near_0(r, low + more), k);
}

template <class T> __px_both T __px_exp2(T x) {
	if constexpr (__px_is_float<T>)
		return __nvvm_ex2_approx_f(x);
	T inside = __px_max(__px_min(x, (T)1025), (T)-1076), n = __px_rint(inside), f = inside - n, r = f * (T)0x1.62e42fefa39efp-1;
	T low = __px_fma(f, (T)0x1.62e42fefa39efp-1, -r) + f * (T)0x1.abc9e3b39803fp-56;
	return __px_is_nan(x) ? x : __px_scale(__px_exp_near_0(r, low), (int)n);
}

template <class T> __px_both T __px_exp10(T x) {
	T inside = __px_max(__px_min(x, __px_is_float<T> ? (T)39 : (T)309), __px_is_float<T> ? (T)-46 : (T)-325);
	T n = __px_rint(inside * (T)0x1.a934f0979a371p+1), t = __px_fma(-n, __px_log10_2_high<T>, inside), f = __px_fma(-n, __px_log10_2_low<T>, t);
	T f_low = __px_fma(-n, __px_log10_2_low<T>, t - f), r = f * (T)0x1.26bb1bbb55516p+1;
	T low = __px_fma(f, (T)0x1.26bb1bbb55516p+1, -r) + f_low * (T)0x1.26bb1bbb55516p+1
		+ f * (T)(__px_is_float<T> ? 0x1.26bb1bbb55516p+1 - (double)0x1.26bb1cp+1f : -0x1.f48ad494ea3e9p-53);
	return __px_is_nan(x) ? x : __px_scale(__px_exp_near_0(r, low), (int)n);
}

/* e^x - 1 and what its rounding has lost. */
template <class T> __px_both T __px_expm1_parts(T x, T *lost) {
	int k;
	T inside = __px_max(__px_min(x, __px_is_float<T> ? (T)89 : (T)710), __px_is_float<T> ? (T)-20 : (T)-40);
	T low, r = __px_reduce_exp(inside, &low, &k), rest = low + __px_exp_rest(r);
	/* 2^k (1 + r + rest) - 1, in halves, as 2^k itself may be too large. */
	T half = __px_power_of_2<T>(k - 1), part = half * r, s = half + part, t = s - (T)0.5;
	T s_low = (half - s) + part, t_low = k > 0 ? (s - t) - (T)0.5 : s - (t + (T)0.5);
	T more = half * rest + (s_low + t_low), result = t + more;
	if (k == 0)
		t = r / 2, more = rest / 2, result = t + more;
	*lost = 2 * ((t - result) + more);
	return 2 * result;
}
template <class T> __px_both T __px_expm1(T x) {
	T lost, result = __px_expm1_parts(x, &lost);
	return __px_is_nan(x) || x == 0 ? x : result;
}

/* A positive number as m 2^e, m from sqrt(1/2) to sqrt(2). */
template <class T> __px_both T __px_split(T x, int *e) {
	typedef __px_format<T> F;
	typedef typename F::Bits Bits;
	const Bits first = __px_word((T)0x1.6a09e667f3bcdp-1);
	bool tiny = x < __px_power_of_2<T>(1 - F::bias);
	Bits bits = __px_word(tiny ? x * __px_power_of_2<T>(F::fraction + 1) : x) - first;
	*e = (int)(bits >> F::fraction) - (tiny ? F::fraction + 1 : 0);
	return __px_real((bits & (((Bits)1 << F::fraction) - 1)) + first);
}

/* ln(1 + f) = f - f^2/2 + what is returned, for 1 + f from sqrt(1/2) to sqrt(2). */
template <class T> __px_both T __px_log_rest(T f, T half_square) {
	T s = f / (2 + f), z = s * s, p;
	if constexpr (__px_is_float<T>)
		p = __px_polynomial(z, 2. / 3, 2. / 5, 2. / 7, 2. / 9);
	else
		p = __px_polynomial(z, 2. / 3, 2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21);
	return s * __px_fma(z, p, half_square);
}

/* What a logarithm is of 0, of negative numbers, infinity and NaN; else `result`. */
template <class T> __px_both T __px_log_special(T x, T result) {
	return x > 0 && x < __px_infinity<T> ? result : x == 0 ? -__px_infinity<T> : x < 0 ? __px_nan<T> : x;
}

template <class T> __px_both T __px_log_of(T f, int e, T more = 0) {
	T half_square = (T)0.5 * f * f, rest = __px_log_rest(f, half_square) + more;
	return __px_fma((T)e, __px_ln2_high<T>, f - (half_square - __px_fma((T)e, __px_ln2_low<T>, rest)));
}

template <class T> __px_both T __px_log(T x) {
	int e;
	T m = __px_split(x, &e);
	return __px_log_special(x, __px_log_of(m - 1, e));
}

/* The logarithm to another base: 1/ln(base) in two parts, and the logarithm of 2 to that base in two parts. */
template <class T> __px_both T __px_log_to(T x, T factor, T factor_low, T two, T two_low) {
	int e;
	T f = __px_split(x, &e) - 1, half_square = (T)0.5 * f * f;
	T high = f - half_square, low = ((f - high) - half_square) - __px_fma((T)0.5 * f, f, -half_square) + __px_log_rest(f, half_square);
	T product = high * factor;
	T rest = __px_fma(high, factor, -product) + __px_fma(low, factor, high * factor_low) + e * two_low;
	T whole = e * two, sum = whole + product;
	return __px_log_special(x, sum + ((e == 0 ? (T)0 : (whole - sum) + product) + rest));
}
template <class T> __px_both T __px_log2(T x) {
	return __px_log_to(x, (T)0x1.71547652b82fep+0, __px_is_float<T> ? (T)0x1.4ae0cp-26 : (T)0x1.777d0ffda0d24p-56, (T)1, (T)0);
}
template <class T> __px_both T __px_log10(T x) {
	return __px_is_float<T> ? __px_log_to(x, (T)0x1.bcb7b2p-2, (T)-0x1.5b235ep-27, __px_log10_2_high<T>, __px_log10_2_low<T>)
		: __px_log_to(x, (T)0x1.bcb7b1526e50ep-2, (T)0x1.95355baaafad3p-57, __px_log10_2_high<T>, __px_log10_2_low<T>);
}

template <class T> __px_both T __px_log1p(T x) {
	int e;
	T u = 1 + x, m = __px_split(u, &e);
	/* What u has lost of x, as a part of u. */
	T lost = __px_abs(x) < 1 ? x - (u - 1) : 1 - (u - x);
	T result = __px_log_of(m - 1, e, lost / u);
	return x > (T)-0.29 && x < (T)0.41 ? (x == 0 ? x : __px_log_of(x, 0)) : __px_log_special(u, result);
}

/* Sum and product with their errors. */
struct __px_pair { double high, low; };
__px_both __px_pair __px_sum(double a, double b) {
	double s = a + b, t = s - a;
	return {s, (a - (s - t)) + (b - t)};
}
__px_both __px_pair __px_product(double a, double b) { return {a * b, __px_fma(a, b, -(a * b))}; }

/* ln(x) of a positive number to about 2^-68 of itself: the series of atanh with its first terms in pairs. */
__px_function __px_pair __px_log_pair(double x) {
	int e;
	double m = __px_split(x, &e), top = m - 1, below = m + 1, below_low = (1 - below) + m;
	double s = top / below, s_low = (__px_fma(-s, below, top) - s * below_low) / below;
	__px_pair z = __px_product(s, s);
	z.low += 2 * s * s_low;
	double p = __px_polynomial(z.high, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23);
	/* 1/3 + z p */
	__px_pair zp = __px_product(z.high, p), q = __px_sum(0x1.5555555555555p-2, zp.high);
	q.low += zp.low + 0x1.5555555555555p-56 + z.low * p;
	/* s + s z q */
	__px_pair zq = __px_product(z.high, q.high);
	zq.low += z.high * q.low + z.low * q.high;
	__px_pair szq = __px_product(s, zq.high);
	szq.low += s * zq.low + s_low * zq.high;
	__px_pair log_m = __px_sum(2 * s, 2 * szq.high);
	log_m.low += 2 * (szq.low + s_low);
	__px_pair log_2 = __px_sum(e * 0x1.62e42fefa3800p-1, log_m.high);
	log_2.low += log_m.low + e * 0x1.ef35793c76730p-45;
	return __px_sum(log_2.high, log_2.low);
}

/* |x|^y for finite arguments that are not 0. */
__px_function double __px_power(double x, double y) {
	__px_pair l = __px_log_pair(x), p = __px_product(l.high, y);
	/* Out of range the error term would be infinite times 0. */
	if (!(__px_abs(p.high) < 1000))
		return p.high > 0 ? __px_infinity<double> : 0;
	return __px_exp(p.high, __px_fma(l.low, y, p.low));
}
__px_function float __px_power(float x, float y) { return (float)__px_exp((double)y * __px_log((double)x)); }

template <class T> __px_function T __px_pow(T x, T y) {
	if (y == 0 || x == 1)
		return 1;
	if (__px_is_nan(x) || __px_is_nan(y))
		return x + y;
	T a = __px_abs(x), whole = __px_trunc(y);
	bool integer = whole == y, odd = integer && __px_abs(y) < __px_power_of_2<T>(__px_format<T>::fraction + 1) && __px_trunc(y / 2) * 2 != y;
	T magnitude;
	if (!__px_is_finite(y))
		magnitude = a == 1 ? (T)1 : (a > 1) == (y > 0) ? __px_infinity<T> : (T)0;
	else if (a == 0 || !__px_is_finite(a))
		magnitude = (a == 0) == (y < 0) ? __px_infinity<T> : (T)0;
	else if (x < 0 && !integer)
		return __px_nan<T>;
	else
		magnitude = __px_power(a, y);
	return odd ? __px_copysign(magnitude, x) : magnitude;
}

/* Half of e^|x|, which itself may be too large, and what its rounding has lost. */
template <class T> __px_both T __px_half_exp(T a, T *lost) {
	int k;
	T low, r = __px_reduce_exp(__px_min(a, __px_is_float<T> ? (T)90 : (T)711), &low, &k), s = 1 + r, rest = __px_exp_rest(r);
	T more = ((1 - s) + r) + __px_fma(low, s + rest, rest), v = s + more;
	*lost = __px_scale((s - v) + more, k - 1);
	return __px_scale(v, k - 1);
}
template <class T> __px_function T __px_cosh(T x) {
	T lost, h = __px_half_exp(__px_abs(x), &lost), rest = (T)0.25 / h + lost;
	return __px_is_nan(x) ? x : h < __px_infinity<T> ? h + rest : h;
}
template <class T> __px_function T __px_sinh(T x) {
	T a = __px_abs(x), lost, e = __px_expm1(__px_min(a, (T)2)), h = __px_half_exp(a, &lost);
	T result = a < 1 ? (T)0.5 * (e + e / (e + 1)) : h - (T)0.25 / h;
	return __px_is_nan(x) ? x : __px_copysign(result, x);
}
template <class T> __px_function T __px_tanh(T x) {
	T a = __px_abs(x), lost, e = __px_expm1_parts(2 * __px_min(a, (T)22), &lost), below = e + 2, below_lost = (e > 2 ? (e - below) + 2 : (2 - below) + e) + lost;
	/* (e + lost) / (below + below_lost) */
	T q = e / below, result = q + (__px_fma(-q, below, e) - q * below_lost + lost) / below;
	return __px_is_nan(x) || x == 0 ? x : __px_copysign(result, x);
}
template <class T> __px_function T __px_asinh(T x) {
	T a = __px_abs(x), square = a * a;
	T result = a > (T)1e7 ? __px_log(a) + (T)0x1.62e42fefa39efp-1 : __px_log1p(a + square / (1 + __px_root(1 + square)));
	return __px_copysign(result, x);
}
template <class T> __px_function T __px_acosh(T x) {
	T t = x - 1;
	return x > (T)1e7 ? __px_log(x) + (T)0x1.62e42fefa39efp-1 : x < 1 ? __px_nan<T> : __px_log1p(t + __px_root(__px_fma(t, t, 2 * t)));
}
template <class T> __px_function T __px_atanh(T x) {
	T a = __px_abs(x);
	return __px_copysign((T)0.5 * __px_log1p(2 * a / (1 - a)), x);
}

#pragma clang fp contract(fast)
