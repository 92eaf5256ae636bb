/* Ground of the math functions, for float and double alike: formats, scaling, polynomials. */
#pragma once

#include <ptxscope/convert.h>

template <class T> struct __px_format;
template <> struct __px_format<float> {
	typedef int Bits;
	typedef unsigned Unsigned;
	static constexpr int fraction = 23, bias = 127, sign = 31;
};
template <> struct __px_format<double> {
	typedef long long Bits;
	typedef unsigned long long Unsigned;
	static constexpr int fraction = 52, bias = 1023, sign = 63;
};

__px_both int __px_word(float x) { return __float_as_int(x); }
__px_both long long __px_word(double x) { return __double_as_longlong(x); }
__px_both float __px_real(int x) { return __int_as_float(x); }
__px_both double __px_real(long long x) { return __longlong_as_double(x); }
__px_both float __px_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__px_both double __px_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__px_both float __px_abs(float x) { return __builtin_fabsf(x); }
__px_both double __px_abs(double x) { return __builtin_fabs(x); }
__px_both float __px_min(float a, float b) { return __builtin_fminf(a, b); }
__px_both double __px_min(double a, double b) { return __builtin_fmin(a, b); }
__px_both float __px_max(float a, float b) { return __builtin_fmaxf(a, b); }
__px_both double __px_max(double a, double b) { return __builtin_fmax(a, b); }
__px_both float __px_rint(float x) { return __builtin_rintf(x); }
__px_both double __px_rint(double x) { return __builtin_rint(x); }
__px_both float __px_trunc(float x) { return __builtin_truncf(x); }
__px_both double __px_trunc(double x) { return __builtin_trunc(x); }
__px_both float __px_copysign(float x, float s) { return __builtin_copysignf(x, s); }
__px_both double __px_copysign(double x, double s) { return __builtin_copysign(x, s); }
__px_inline float __px_root(float x) { return __nvvm_sqrt_rn_f(x); }
__px_inline double __px_root(double x) { return __builtin_elementwise_sqrt(x); }

template <class T> inline constexpr bool __px_is_float = sizeof(T) == 4;
template <class T> inline constexpr T __px_infinity = (T)__builtin_inf();
template <class T> inline constexpr T __px_nan = (T)__builtin_nan("");

template <class T> __px_both bool __px_is_negative(T x) { return __px_word(x) < 0; }
template <class T> __px_both bool __px_is_nan(T x) { return x != x; }
template <class T> __px_both bool __px_is_finite(T x) { return __px_abs(x) < __px_infinity<T>; }

/* 2^n, where that is a normal number. */
template <class T> __px_both T __px_power_of_2(int n) {
	typedef __px_format<T> F;
	return __px_real((typename F::Bits)(n + F::bias) << F::fraction);
}

/* x * 2^n for |n| up to twice the largest exponent, rounded once where x is about 1. */
template <class T> __px_both T __px_scale(T x, int n) {
	return x * __px_power_of_2<T>(n / 2) * __px_power_of_2<T>(n - n / 2);
}

/* c[0] + c[1] x + c[2] x^2 + ... by Horner's rule. */
template <class T> __px_both T __px_polynomial(T x, double c) { return (T)c; }
template <class T, class... Rest> __px_both T __px_polynomial(T x, double c, Rest... rest) {
	return __px_fma(__px_polynomial(x, rest...), x, (T)c);
}
