/* Sines, cosines, tangents and their inverses. Arguments are reduced by quarters of a turn: with pi/2 in three parts where that
 * is exact enough, else with as much of 2/pi as the exponent asks for (Payne and Hanek, 1983). Polynomials of the inverse
 * functions interpolate at Chebyshev's points. */
#pragma once

#include <ptxscope/fp.h>

/* Errors are computed from exactly these operations. */
#pragma clang fp contract(off)

/* The bits of 2/pi behind the point, with 64 zeros in front. */
static __device__ const unsigned long long __px_two_over_pi[] = {
	0, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull,
	0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
	0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull,
	0x56033046fc7b6babull,
};

/* For 2^20 and above: the product of the significand with 192 bits of 2/pi, of which the upper two count quarters. */
static __device__ __host__ __attribute__((noinline)) double __px_reduce_large(double x, double *low_part, int *quarter) {
	long long bits = __double_as_longlong(__px_abs(x));
	unsigned long long m = (bits & 0xfffffffffffffll) | 0x10000000000000ll, w[3];
	int from = (int)(bits >> 52) - 1075 + 62, shift = from & 63;
	for (int i = 0; i < 3; i++) {
		unsigned long long high = __px_two_over_pi[(from >> 6) + i], low = __px_two_over_pi[(from >> 6) + i + 1];
		w[i] = shift ? high << shift | low >> (64 - shift) : high;
	}
	unsigned __int128 low = (unsigned __int128)m * w[2], middle = (unsigned __int128)m * w[1] + (unsigned long long)(low >> 64);
	unsigned long long p2 = m * w[0] + (unsigned long long)(middle >> 64), p1 = (unsigned long long)middle;
	unsigned q = (unsigned)(p2 >> 62);
	unsigned __int128 fraction = ((unsigned __int128)(p2 << 2 | p1 >> 62) << 64) | (p1 << 2 | (unsigned long long)low >> 62);
	bool above = (long long)(fraction >> 64) < 0;
	if (above) {
		fraction = -fraction;
		q++;
	}
	unsigned long long f1 = (unsigned long long)(fraction >> 64), f0 = (unsigned long long)fraction;
	int zeros = f1 ? __builtin_clzll(f1) : 63;
	f1 = zeros ? f1 << zeros | f0 >> (64 - zeros) : f1;
	double scale = __px_power_of_2<double>(-64 - zeros), high = (double)(f1 & ~0x7ffull), rest = (double)(f1 & 0x7ff);
	rest = __px_fma(high, 0x1.1a62633145c07p-54, rest * 0x1.921fb54442d18p+0);
	double r = __px_fma(high, 0x1.921fb54442d18p+0, rest), sign = (above ? -scale : scale) * (x < 0 ? -1 : 1);
	*low_part = (__px_fma(high, 0x1.921fb54442d18p+0, -r) + rest) * sign;
	*quarter = x < 0 ? -(int)q : (int)q;
	return r * sign;
}

/* x - k pi/2 as r + low with |r| up to pi/4, and k modulo 4. */
__px_both double __px_reduce(double x, double *low, int *quarter) {
	*low = 0;
	if (__px_abs(x) < 0x1p20) {
		double n = __px_rint(x * 0x1.45f306dc9c883p-1), t = __px_fma(-n, 0x1.921fb54442d18p+0, x), r = __px_fma(-n, 0x1.1a62633145c07p-54, t);
		*quarter = (int)n;
		*low = __px_fma(-n, 0x1.1a62633145c07p-54, t - r) - n * -0x1.f1976b7ed8fbcp-110;
		return r;
	}
	if (!__px_is_finite(x)) {
		*quarter = 0;
		return __px_nan<double>;
	}
	return __px_reduce_large(x, low, quarter);
}
__px_both float __px_reduce(float x, float *low, int *quarter) {
	*low = 0;
	if (__px_abs(x) < 0x1p15f) {
		float n = __px_rint(x * 0x1.45f306p-1f), t = __px_fma(-n, -0x1.777a5cp-25f, __px_fma(-n, 0x1.921fb6p+0f, x));
		*quarter = (int)n;
		return __px_fma(-n, -0x1.ee59dap-50f, t);
	}
	double more;
	return (float)__px_reduce((double)x, &more, quarter);
}

/* sin(r + low) and cos(r + low) for |r| up to pi/4 and low much smaller, and what their rounding has lost. */
template <class T> __px_both T __px_sin_near_0(T r, T low, T *lost = nullptr) {
	T z = r * r, p;
	if constexpr (__px_is_float<T>)
		p = __px_polynomial(z, -1. / 6, 1. / 120, -1. / 5040, 1. / 362880);
	else
		p = __px_polynomial(z, -1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800, -1. / 1307674368000, 1. / 355687428096000);
	T more = __px_fma(r * z, p, __px_fma((T)-0.5 * z, low, low)), v = r + more;
	if (lost)
		*lost = (r - v) + more;
	return v;
}
template <class T> __px_both T __px_cos_near_0(T r, T low, T *lost = nullptr) {
	T z = r * r, p;
	if constexpr (__px_is_float<T>)
		p = __px_polynomial(z, 1. / 24, -1. / 720, 1. / 40320, -1. / 3628800);
	else
		p = __px_polynomial(z, 1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600, -1. / 87178291200, 1. / 20922789888000,
			-1. / 6402373705728000);
	/* 1 - z/2 with what it loses. */
	T half = (T)0.5 * z, rest = 1 - half;
	T more = ((1 - rest) - half) + __px_fma(z * z, p, -r * low), v = rest + more;
	if (lost)
		*lost = (rest - v) + more;
	return v;
}

template <class T> __px_both T __px_sine_of(T r, T low, int quarter) {
	T v = quarter & 1 ? __px_cos_near_0(r, low) : __px_sin_near_0(r, low);
	return quarter & 2 ? -v : v;
}
template <class T> __px_function T __px_sin(T x) {
	int quarter;
	T low, r = __px_reduce(x, &low, &quarter);
	return x == 0 ? x : __px_sine_of(r, low, quarter);
}
template <class T> __px_function T __px_cos(T x) {
	int quarter;
	T low, r = __px_reduce(x, &low, &quarter);
	return __px_sine_of(r, low, quarter + 1);
}
template <class T> __px_function void __px_sincos(T x, T *s, T *c) {
	int quarter;
	T low, r = __px_reduce(x, &low, &quarter);
	*s = x == 0 ? x : __px_sine_of(r, low, quarter);
	*c = __px_sine_of(r, low, quarter + 1);
}
template <class T> __px_function T __px_tan(T x) {
	int quarter;
	T low, s_lost, c_lost, r = __px_reduce(x, &low, &quarter), s = __px_sin_near_0(r, low, &s_lost), c = __px_cos_near_0(r, low, &c_lost);
	T top = quarter & 1 ? -c : s, below = quarter & 1 ? s : c, q = top / below;
	T error = __px_fma(-q, below, top) + (quarter & 1 ? -c_lost - q * s_lost : s_lost - q * c_lost);
	return x == 0 ? x : q + error / below;
}

/* Of pi x: x modulo 2 is exact. pi times the rest is r + low. */
template <class T> __px_both T __px_reduce_pi(T x, T *low, int *quarter) {
	T n = __px_rint(2 * x), small = x - 2 * __px_trunc(x / 2), k = __px_rint(2 * small), s = __px_fma((T)-0.5, k, small);
	*quarter = (int)(__px_is_finite(n) ? k : (T)0);
	T r = s * (T)0x1.921fb54442d18p+1;
	*low = __px_fma(s, (T)0x1.921fb54442d18p+1, -r) + s * (T)(__px_is_float<T> ? 0x1.921fb54442d18p+1 - (double)0x1.921fb6p+1f : 0x1.1a62633145c07p-53);
	return __px_is_finite(x) ? r : __px_nan<T>;
}
template <class T> __px_function T __px_sinpi(T x) {
	int quarter;
	T low, r = __px_reduce_pi(x, &low, &quarter), v = __px_sine_of(r, low, quarter);
	return v == 0 ? __px_copysign((T)0, x) : v;
}
template <class T> __px_function T __px_cospi(T x) {
	int quarter;
	T low, r = __px_reduce_pi(x, &low, &quarter), v = __px_sine_of(r, low, quarter + 1);
	return v == 0 ? (T)0 : v;
}

/* asin(x) for |x| up to 1/2, z = x^2. */
template <class T> __px_both T __px_asin_near_0(T x, T z) {
	T p;
	if constexpr (__px_is_float<T>)
		p = __px_polynomial(z, 0.16666666333743091, 0.075000945434958027, 0.044599401529013136, 0.031100662730111136, 0.017149238381837982,
			0.033690847164204264);
	else
		p = __px_polynomial(z, 0.16666666666666669, 0.07499999999998433, 0.04464285714635543, 0.030381944138531247, 0.02237217294214989,
			0.017352392720869973, 0.013971212973552933, 0.011479177415184906, 0.01032281435018578, 0.005457506718640357, 0.017400879442694025,
			-0.014851887071247207, 0.028757851367421566);
	return __px_fma(x * z, p, x);
}
template <class T> inline constexpr T __px_half_pi = (T)0x1.921fb54442d18p+0;
template <class T> inline constexpr T __px_half_pi_low = __px_is_float<T> ? (T)-0x1.777a5cp-25 : (T)0x1.1a62633145c07p-54;

template <class T> __px_function T __px_asin(T x) {
	T a = __px_abs(x), z = a <= (T)0.5 ? a * a : (1 - a) * (T)0.5, s = a <= (T)0.5 ? a : __px_root(z), v = __px_asin_near_0(s, z);
	/* Above 1/2: pi/2 - 2 v, where the part of v that is s is subtracted first, and what the root has lost is added to the rest. */
	T lost = s > 0 ? __px_fma(-s, s, z) / (2 * s) : (T)0, rest = (v - s) + lost - (T)0.5 * __px_half_pi_low<T>;
	T result = a <= (T)0.5 ? v : 2 * (((T)0.5 * __px_half_pi<T> - s) - rest);
	return a > 1 ? __px_nan<T> : __px_copysign(result, x);
}
template <class T> __px_function T __px_acos(T x) {
	T a = __px_abs(x), z = a <= (T)0.5 ? a * a : (1 - a) * (T)0.5, s = a <= (T)0.5 ? x : __px_root(z), v = __px_asin_near_0(s, z);
	T result = a <= (T)0.5 ? __px_half_pi<T> - (v - __px_half_pi_low<T>) : x > 0 ? 2 * v : 2 * (__px_half_pi<T> - (v - __px_half_pi_low<T>));
	return a > 1 ? __px_nan<T> : result;
}

/* atan(y/x) of a pair that is not negative. */
template <class T> __px_function T __px_angle(T y, T x) {
	bool steep = y > x;
	T top = steep ? x : y, below = steep ? y : x;
	T t = below == 0 ? (T)0 : top == below ? (T)1 : top / below;
	bool far = t > (T)0x1.a827999fcef32p-2;
	T u = far ? (t - 1) / (t + 1) : t, z = u * u, p;
	if constexpr (__px_is_float<T>)
		p = __px_polynomial(z, -0.33333333279242239, 0.19999977254348830, -0.14284150959559971, 0.11071360683851000, -0.086246437963802366,
			0.050480550418688624);
	else
		p = __px_polynomial(z, -0.3333333333333333, 0.19999999999999804, -0.14285714285659806, 0.11111111105153429, -0.09090908753400499,
			0.07692296372129964, -0.06666424833613552, 0.05878928398517232, -0.052304498567092406, 0.0455157308666419, -0.034570044186095536,
			0.016285183029865667);
	T v = __px_fma(u * z, p, u);
	v = far ? (T)0.5 * __px_half_pi<T> + (v + (T)0.5 * __px_half_pi_low<T>) : v;
	return steep ? __px_half_pi<T> - (v - __px_half_pi_low<T>) : v;
}
template <class T> __px_function T __px_atan(T x) { return __px_is_nan(x) ? x : __px_copysign(__px_angle(__px_abs(x), (T)1), x); }
template <class T> __px_function T __px_atan2(T y, T x) {
	T v = __px_angle(__px_abs(y), __px_abs(x));
	T result = __px_is_negative(x) ? 2 * __px_half_pi<T> - (v - 2 * __px_half_pi_low<T>) : v;
	return __px_is_nan(x) || __px_is_nan(y) ? x + y : __px_copysign(result, y);
}

#pragma clang fp contract(fast)
