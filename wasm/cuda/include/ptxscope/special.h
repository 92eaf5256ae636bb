/* Roots, norms, remainders, the error function, and taking floating-point numbers apart. */
#pragma once

#include <ptxscope/exponential.h>

/* Errors are computed from exactly these operations. */
#pragma clang fp contract(off)

/* The hardware's guess of |x|^(1/3), made better by Halley's rule, which triples the number of good bits. */
template <class T> __px_function T __px_cbrt(T x) {
	int e;
	T a = __px_abs(x);
	if (!(a > 0 && a < __px_infinity<T>))
		return x;
	T m = __px_split(a, &e);
	int third = (e + 3072) / 3 - 1024, rest = e - 3 * third;
	m = __px_scale(m, rest);
	T t = (T)__nvvm_ex2_approx_f(__nvvm_lg2_approx_f((float)m) * (1.0f / 3));
	for (int i = 0; i < 2; i++) {
		T cube = t * t * t, error = __px_fma(-t * t, t, m);
		t = __px_fma(t, error / (2 * cube + m), t);
	}
	return __px_copysign(__px_scale(t, third), x);
}
/* One step of Newton's rule in double makes the reciprocal right. */
template <class T> __px_function T __px_rcbrt(T x) {
	double a = x, scale = 1;
	if (!__px_is_float<T> && (__px_abs(a) < 0x1p-600 || __px_abs(a) > 0x1p600))
		scale = __px_abs(a) < 1 ? 0x1p200 : 0x1p-200, a *= scale * scale * scale;
	double y = 1 / (double)__px_cbrt((T)a);
	if (!(__px_abs(a) > 0 && __px_abs(a) < __px_infinity<double>))
		return (T)y;
	__px_pair square = __px_product(y, y), cube = __px_product(square.high, y);
	double error = __px_fma(-cube.high, a, 1) - (cube.low + square.low * y) * a;
	return (T)(__px_fma(y, error / 3, y) * scale);
}

__px_inline float __px_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
__px_inline double __px_rsqrt(double x) {
	double scale = x < 0x1p-900 ? 0x1p100 : x > 0x1p900 ? 0x1p-100 : 1, a = x * scale * scale, y = 1 / __builtin_elementwise_sqrt(a);
	if (!(a > 0 && a < __px_infinity<double>))
		return y;
	__px_pair square = __px_product(y, y);
	return __px_fma(0.5 * y, __px_fma(-square.high, a, 1) - square.low * a, y) * scale;
}

/* Long division of the significands: exact. */
template <class T> __px_function T __px_fmod(T x, T y) {
	typedef __px_format<T> F;
	typedef typename F::Unsigned U;
	T a = __px_abs(x), b = __px_abs(y);
	if (!(a < __px_infinity<T>) || !(b > 0))
		return __px_nan<T>;
	if (a < b)
		return x;
	if (a == b)
		return __px_copysign((T)0, x);
	const U one = (U)1 << F::fraction, mask = one - 1;
	U p = (U)__px_word(a), q = (U)__px_word(b);
	int e = (int)(p >> F::fraction), f = (int)(q >> F::fraction);
	p = e ? (p & mask) | one : p;
	q = f ? (q & mask) | one : q;
	e = e ? e : 1;
	f = f ? f : 1;
	/* A subnormal divisor has its leading bit further down. */
	for (; q < one; f--)
		q <<= 1;
	for (; p < one; e--)
		p <<= 1;
	for (; e > f; e--)
		p = (p >= q ? p - q : p) << 1;
	p = p >= q ? p - q : p;
	if (p == 0)
		return __px_copysign((T)0, x);
	for (; p < one; f--)
		p <<= 1;
	typedef typename F::Bits Bits;
	T r = f > 0 ? __px_real((Bits)((p & mask) | (U)f << F::fraction)) : __px_real((Bits)(p >> (1 - f)));
	return __px_copysign(r, x);
}
template <class T> __px_function T __px_remainder(T x, T y) {
	T b = __px_abs(y);
	if (!__px_is_finite(x) || !(b > 0))
		return __px_nan<T>;
	if (!(b < __px_infinity<T>))
		return x;
	T r = b * 2 < __px_infinity<T> ? __px_abs(__px_fmod(x, 2 * b)) : __px_abs(x);
	if (b < __px_power_of_2<T>(3 - __px_format<T>::bias)) {
		if (r + r > b) {
			r -= b;
			if (r + r >= b)
				r -= b;
		}
	} else if (r > b / 2) {
		r -= b;
		if (r >= b / 2)
			r -= b;
	}
	return __px_is_negative(x) ? -r : r;
}

/* e^(x^2) erfc(x) (1 + 2x) as a polynomial in (x - 4)/(x + 4), for x from 1 to where erfc is 0. */
template <class T> __px_both T __px_scaled_erfc(T x) {
	T t = (x - 4) / (x + 4), p;
	if constexpr (__px_is_float<T>)
		p = __px_polynomial(t, 1.2329951186892616, -0.13962109497736158, 0.015379660765674857, 0.068095649921556811, -0.10104046335402794,
			0.093757335494442803, -0.066296079970152258, 0.037011329257533421, -0.016478560013392443, 0.0053269145416206132);
	else
		p = __px_polynomial(t, 1.2329951186255526, -0.13962111684056253, 0.015379652102620532, 0.06809705425469509, -0.1010390660363677,
			0.09373283499824743, -0.06633036581019751, 0.03716751553926608, -0.016197734091180183, 0.0050319699648634225, -0.0007577729666600797,
			-0.00019925668860818117, 0.00015061976505927635, -0.000024398662291282454, -0.000011214973554857905, 0.000005705810372672139,
			2.7811000474284774e-7, -8.12782382395498e-7, 9.351147938840606e-8, 8.956784937834088e-8, -2.6297586800114944e-8);
	return p / (1 + 2 * x);
}
/* e^(x^2) erfc(x) for x from 1/2 to 1. */
template <class T> __px_both T __px_scaled_erfc_near(T x) {
	return __px_polynomial(x - (T)0.75, 0.5069376502931449, -0.3679726916557954, 0.23095813155129497, -0.12983606199488007, 0.06679054252841538, -0.031897262039946896,
		0.01428919858470859, -0.006051532271776434, 0.002437641069942269, -0.000938513222881505, 0.00034666379283020214, -0.00012332717214560827,
		4.337915907561481e-05, -1.440376961255891e-05);
}
/* erfc(x) for x from 1. */
template <class T> __px_both T __px_erfc_far(T x) {
	T square = x * x;
	return __px_exp(-square, -__px_fma(x, x, -square)) * __px_scaled_erfc(x);
}
/* erf(x) for |x| up to 1: the series, as a result and its rest. */
template <class T> __px_both T __px_erf_near_0(T x, T *low) {
	T z = x * x, p;
	if constexpr (__px_is_float<T>)
		p = __px_polynomial(z, -1. / 3, 1. / 10, -1. / 42, 1. / 216, -1. / 1320, 1. / 9360, -1. / 75600, 1. / 685440, -1. / 6894720, 1. / 76204800);
	else
		p = __px_polynomial(z, -1. / 3, 1. / 10, -1. / 42, 1. / 216, -1. / 1320, 1. / 9360, -1. / 75600, 1. / 685440, -1. / 6894720, 1. / 76204800,
			-1. / 918086400, 1. / 11975040000, -1. / 168129561600, 1. / 2528170444800, -1. / 40537905408000, 1. / 690452066304000,
			-1. / 12449059983360000, 1. / 236887827111936000.);
	/* 2/sqrt(pi) x (1 + z p), its factor in two parts. */
	constexpr T factor = (T)0x1.20dd750429b6dp+0, factor_low = (T)(__px_is_float<T> ? 0x1.20dd750429b6dp+0 - (double)0x1.20dd76p+0f : 0x1.1ae3a914fed80p-56);
	T more = x * z * p, s = x + more, s_lost = (x - s) + more, result = s * factor;
	T rest = __px_fma(s, factor, -result) + __px_fma(s, factor_low, s_lost * factor);
	*low = rest;
	return result;
}
template <class T> __px_both T __px_erf_near_0(T x) {
	T low, v = __px_erf_near_0(x, &low);
	return x == 0 ? x : v + low;
}
template <class T> __px_function T __px_erf(T x) {
	T a = __px_abs(x);
	return __px_is_nan(x) ? x : a < 1 ? __px_erf_near_0(x) : __px_copysign(a < 7 ? 1 - __px_erfc_far(a) : (T)1, x);
}
template <class T> __px_function T __px_erfc(T x) {
	T a = __px_abs(x);
	if (__px_is_nan(x))
		return x;
	if (x > (T)0.5 && x < 1) {
		T square = x * x;
		return __px_exp(-square, -__px_fma(x, x, -square)) * __px_scaled_erfc_near(x);
	}
	if (a < 1) {
		T low, high = __px_erf_near_0(x, &low);
		return (((T)0.5 - high) - low) + (T)0.5;
	}
	T far = a < 28 ? __px_erfc_far(a) : (T)0;
	return x < 0 ? 2 - far : far;
}

/* The remainder, and the lower bits of the quotient with its sign: x - r is y times the quotient, which has three bits more than the
 * remainder of 8 y has. */
template <class T> __px_function T __px_remquo(T x, T y, int *quotient) {
	T r = __px_remainder(x, y), b = __px_abs(y), a = __px_abs(x);
	int q = 0;
	if (__px_is_finite(x) && b > 0 && b < __px_infinity<T>) {
		/* |x| modulo 8 |y| is taken apart by halves; multiples that are too large are not contained in x. */
		T rest = b < __px_infinity<T> / 8 ? __px_fmod(a, 8 * b) : a;
		for (int k = 4; k > 0; k /= 2)
			if (b < __px_infinity<T> / k && rest >= k * b)
				rest -= k * b, q += k;
		/* Rounded to the nearest, ties to even, as the remainder is. */
		T half = rest - (b - rest);
		q += half > 0 || (half == 0 && (q & 1)) ? 1 : 0;
		q &= 7;
	}
	*quotient = __px_is_negative(x) != __px_is_negative(y) ? -q : q;
	return r;
}

template <class T> __px_function T __px_ldexp(T x, int n) {
	typedef __px_format<T> F;
	const int most = 4 * F::bias;
	n = n > most ? most : n < -most ? -most : n;
	int e;
	T a = __px_abs(x);
	if (!(a > 0 && a < __px_infinity<T>))
		return x;
	T m = __px_split(a, &e);
	int to = e + n;
	to = to > 2 * F::bias - 2 ? 2 * F::bias - 2 : to < 2 - 2 * F::bias ? 2 - 2 * F::bias : to;
	return __px_copysign(__px_scale(m, to), x);
}
template <class T> __px_function T __px_frexp(T x, int *exponent) {
	int e;
	T a = __px_abs(x);
	if (!(a > 0 && a < __px_infinity<T>)) {
		*exponent = 0;
		return x;
	}
	T m = __px_split(a, &e);
	bool low = m < 1;
	*exponent = low ? e : e + 1;
	return __px_copysign(low ? m : m / 2, x);
}
template <class T> __px_function int __px_ilogb(T x) {
	int e;
	if (x == 0)
		return -2147483647 - 1;
	if (!__px_is_finite(x))
		return __px_is_nan(x) ? -2147483647 - 1 : 2147483647;
	__px_frexp(x, &e);
	return e - 1;
}
template <class T> __px_function T __px_logb(T x) {
	return x == 0 ? -__px_infinity<T> : !__px_is_finite(x) ? x * x : (T)__px_ilogb(x);
}
template <class T> __px_function T __px_modf(T x, T *whole) {
	T w = __px_trunc(x);
	*whole = w;
	return __px_copysign(__px_is_finite(x) ? x - w : __px_is_nan(x) ? x : (T)0, x);
}
template <class T> __px_function T __px_nextafter(T x, T y) {
	typedef typename __px_format<T>::Bits Bits;
	if (__px_is_nan(x) || __px_is_nan(y))
		return x + y;
	if (x == y)
		return y;
	if (x == 0)
		return __px_copysign(__px_real((Bits)1), y);
	return __px_real((Bits)(__px_word(x) + ((x < y) == (x > 0) ? 1 : -1)));
}

#pragma clang fp contract(fast)
