/* The scaled error function, the normal distribution, and their inverses, which Newton's rule finds. For float, too, all is computed
 * in double. Everything here is a template, which costs a program that does not use it nothing. */
#pragma once

#include <ptxscope/special.h>

#pragma clang fp contract(off)

/* e^(x^2) erfc(x) */
template <class T> __px_function T __px_erfcx_of(T x) {
	if (x > 28) {
		/* The asymptotic series. */
		T z = 1 / (2 * x * x);
		return 0x1.20dd750429b6dp-1 / x * __px_polynomial(z, 1., -1., 3., -15., 105., -945., 10395., -135135.);
	}
	if (x >= 1)
		return __px_scaled_erfc(x);
	if (x > 0.5)
		return __px_scaled_erfc_near(x);
	T a = __px_abs(x), square = a * a, low = __px_fma(a, a, -square), e = __px_exp(square, low);
	if (a < 1)
		return e * __px_erfc(x);
	return 2 * e - __px_erfcx_of(a);
}
template <class T> __px_function T __px_erfcx(T x) { return (T)(__px_is_nan(x) ? (double)x : x < -27 ? __px_infinity<double> : __px_erfcx_of((double)x)); }

/* (1 + erf(x / sqrt(2))) / 2 */
template <class T> __px_function T __px_normcdf_of(T x) {
	T a = __px_abs(x) * 0x1.6a09e667f3bcdp-1;
	if (__px_is_nan(x))
		return x;
	if (a < 0.5)
		return 0.5 + 0.5 * __px_erf_near_0<T>(x * 0x1.6a09e667f3bcdp-1);
	/* The tail: e^(-x^2/2) is computed of x itself, as a is rounded. */
	T square = 0.5 * x * x, low = 0.5 * __px_fma(x, x, -(x * x)), tail;
	tail = a < 28 ? 0.5 * __px_exp(-square, -low) * (a < 1 ? __px_scaled_erfc_near(a) : __px_scaled_erfc(a)) : 0;
	return x < 0 ? tail : 1 - tail;
}
template <class T> __px_function T __px_normcdf(T x) { return (T)__px_normcdf_of((double)x); }

/* Where erf is y, |y| up to 1/2: Halley's rule on erf(x) - y. */
template <class T> __px_function T __px_erfinv_near_0(T y) {
	T z = y * y, x = y * __px_polynomial(z, 0.8862269254527580, 0.2320136665346544, 0.1275561753055979, 0.0865521292415475, 0.0649596177453854);
	for (int i = 0; i < 2; i++) {
		T u = (__px_erf_near_0(x) - y) * 0x1.c5bf891b4ef6bp-1 * __px_exp(x * x);
		x -= u / (1 + x * u);
	}
	return x;
}
/* Where erfc is z, z above 0 and up to 1/2: Newton's rule on ln(erfc(x)) - ln(z), which is nearly straight. */
template <class T> __px_function T __px_erfcinv_tail(T z) {
	T target = __px_log(z), t = __px_root(-2 * (target - 0x1.62e42fefa39efp-1));
	/* C. Hastings, Approximations for Digital Computers, 1955. */
	T x = (t - __px_polynomial(t, 2.515517, 0.802853, 0.010328) / __px_polynomial(t, 1., 1.432788, 0.189269, 0.001308)) * 0x1.6a09e667f3bcdp-1;
	for (int i = 0; i < 3; i++) {
		T scaled = __px_erfcx_of(x), error = (__px_log(scaled) - target) - x * x;
		x += error * 0x1.c5bf891b4ef6bp-1 * scaled;
	}
	return x;
}
template <class T> __px_function T __px_erfinv_of(T y) {
	T a = __px_abs(y);
	if (!(a < 1))
		return a == 1 ? __px_copysign(__px_infinity<T>, y) : __px_nan<T>;
	return a <= 0.5 ? __px_erfinv_near_0(y) : __px_copysign(__px_erfcinv_tail(1 - a), y);
}
template <class T> __px_function T __px_erfcinv_of(T z) {
	if (!(z > 0 && z < 2))
		return z == 0 ? __px_infinity<T> : z == 2 ? -__px_infinity<T> : __px_nan<T>;
	return z < 0.5 ? __px_erfcinv_tail(z) : z > 1.5 ? -__px_erfcinv_tail(2 - z) : __px_erfinv_near_0(1 - z);
}
template <class T> __px_function T __px_erfinv(T y) { return (T)__px_erfinv_of((double)y); }
template <class T> __px_function T __px_erfcinv(T z) { return (T)__px_erfcinv_of((double)z); }
template <class T> __px_function T __px_normcdfinv(T p) { return (T)(-0x1.6a09e667f3bcdp+0 * __px_erfcinv_of(2 * (double)p)); }

#pragma clang fp contract(fast)
