/* The math functions of C and those that CUDA adds, for float (sinf) and double (sin), and C++'s names that serve both. */
#pragma once

#include <ptxscope/special.h>
#include <ptxscope/norm.h>
#include <ptxscope/gamma.h>
#include <ptxscope/error_functions.h>
#include <ptxscope/bessel.h>
#include <ptxscope/trigonometric.h>
#include <ptxscope/integer.h>

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

/* A function for float, for double, for C++ with either, and with integers as for double. */
template <bool, class T> struct __px_where {};
template <class T> struct __px_where<true, T> { typedef T type; };
template <class T> inline constexpr bool __px_is_integer = __is_integral(T);

#define __px_one_argument(name, single, precise)                                                                                                  \
	__px_libc float name##f(float x) { return single; }                                                                                 \
	__px_libc double name(double x) { return precise; }                                                                                  \
	__px_libc float name(float x) { return name##f(x); }                                                                           \
	template <class T> __px_libc typename __px_where<__px_is_integer<T>, double>::type name(T x) { return name((double)x); }
#define __px_own(name) __px_one_argument(name, __px_##name(x), __px_##name(x))
#define __px_builtin(name) __px_one_argument(name, __builtin_##name##f(x), __builtin_##name(x))

__px_own(exp) __px_own(exp2) __px_own(exp10) __px_own(expm1)
__px_own(log) __px_own(log2) __px_own(log10) __px_own(log1p) __px_own(logb)
__px_own(sin) __px_own(cos) __px_own(tan) __px_own(sinpi) __px_own(cospi)
__px_own(asin) __px_own(acos) __px_own(atan)
__px_own(sinh) __px_own(cosh) __px_own(tanh) __px_own(asinh) __px_own(acosh) __px_own(atanh)
__px_own(cbrt) __px_own(rcbrt) __px_own(rsqrt) __px_own(erf) __px_own(erfc)
__px_one_argument(sqrt, __px_root(x), __px_root(x))
__px_builtin(fabs) __px_builtin(floor) __px_builtin(ceil) __px_builtin(trunc) __px_builtin(round) __px_builtin(rint) __px_builtin(nearbyint)

#define __px_two_arguments(name, single, precise)                                                                                                 \
	__px_libc float name##f(float x, float y) { return single; }                                                                        \
	__px_libc double name(double x, double y) { return precise; }                                                                        \
	__px_libc float name(float x, float y) { return name##f(x, y); }                                                               \
	template <class A, class B>                                                                                                    \
	__px_libc typename __px_where<__is_arithmetic(A) && __is_arithmetic(B) && (!__is_same(A, B) || __px_is_integer<A>), double>::type name(A x, B y) { \
		return name((double)x, (double)y);                                                                                     \
	}
#define __px_own_two(name) __px_two_arguments(name, __px_##name(x, y), __px_##name(x, y))
__px_own_two(pow) __px_own_two(atan2) __px_own_two(hypot) __px_own_two(fmod) __px_own_two(remainder) __px_own_two(nextafter)
__px_two_arguments(copysign, __builtin_copysignf(x, y), __builtin_copysign(x, y))
__px_two_arguments(fmin, __builtin_fminf(x, y), __builtin_fmin(x, y))
__px_two_arguments(fmax, __builtin_fmaxf(x, y), __builtin_fmax(x, y))
__px_two_arguments(fdim, x <= y ? 0.0f : x - y, x <= y ? 0.0 : x - y)
__px_two_arguments(fdivide, x / y, x / y)

__px_libc float powf(float x, int y) { return __px_pow(x, (float)y); }
__px_libc float pow(float x, int y) { return __px_pow(x, (float)y); }

#define __px_for_both(what) what(float, f) what(double, )
#define __px_others(T, f)                                                                                                              \
	__px_libc T fma##f(T x, T y, T z) { return __px_fma(x, y, z); }                                                                \
	__px_libc void sincos##f(T x, T *s, T *c) { __px_sincos(x, s, c); }                                                            \
	__px_libc void sincospi##f(T x, T *s, T *c) { *s = __px_sinpi(x), *c = __px_cospi(x); }                                        \
	__px_libc T ldexp##f(T x, int n) { return __px_ldexp(x, n); }                                                                  \
	__px_libc T scalbn##f(T x, int n) { return __px_ldexp(x, n); }                                                                 \
	__px_libc T frexp##f(T x, int *e) { return __px_frexp(x, e); }                                                                 \
	__px_libc T modf##f(T x, T *whole) { return __px_modf(x, whole); }                                                             \
	__px_libc int ilogb##f(T x) { return __px_ilogb(x); }                                                                          \
	__px_libc long long llround##f(T x) {                                                                                          \
		T whole = __px_trunc(x);                                                                                               \
		return (long long)whole + (__px_abs(x - whole) < (T)0.5 ? 0 : x < 0 ? -1 : 1);                                         \
	}                                                                                                                              \
	__px_libc long lround##f(T x) { return (long)llround##f(x); }                                                                  \
	__px_libc long lrint##f(T x) { return (long)__px_rint(x); }                                                                    \
	__px_libc long long llrint##f(T x) { return (long long)__px_rint(x); }
__px_for_both(__px_others)
#undef __px_others

/* Functions that few programs use are templates, so that the others need not pay for their making. */
#define __px_rare(T, f, parameters, name, ...)                                                                                         \
	template <int = 0> __px_both T name##f parameters { return __VA_ARGS__; }
#define __px_rare_one(name)                                                                                                            \
	__px_rare(float, f, (float x), name, __px_##name(x))                                                                           \
	__px_rare(double, , (double x), name, __px_##name(x))                                                                          \
	template <int = 0> __px_both float name(float x) { return __px_##name(x); }
__px_rare_one(tgamma) __px_rare_one(lgamma) __px_rare_one(erfinv) __px_rare_one(erfcinv) __px_rare_one(erfcx) __px_rare_one(normcdf) __px_rare_one(normcdfinv)
__px_rare_one(j0) __px_rare_one(j1) __px_rare_one(y0) __px_rare_one(y1) __px_rare_one(cyl_bessel_i0) __px_rare_one(cyl_bessel_i1)
#define __px_rare_for(T, f)                                                                                                            \
	__px_rare(T, f, (int n, T x), jn, __px_jn(n, x))                                                                               \
	__px_rare(T, f, (int n, T x), yn, __px_yn(n, x))                                                                               \
	__px_rare(T, f, (T x, T y), rhypot, __px_rnorm_of(x, y))                                                                       \
	__px_rare(T, f, (T x, T y, T z), norm3d, __px_norm_of(x, y, z))                                                                \
	__px_rare(T, f, (T x, T y, T z), rnorm3d, __px_rnorm_of(x, y, z))                                                              \
	__px_rare(T, f, (T x, T y, T z, T w), norm4d, __px_norm_of(x, y, z, w))                                                        \
	__px_rare(T, f, (T x, T y, T z, T w), rnorm4d, __px_rnorm_of(x, y, z, w))                                                      \
	__px_rare(T, f, (int n, const T *v), norm, (T)__px_squares_of_array(n, v).length())                                            \
	__px_rare(T, f, (int n, const T *v), rnorm, (T)__px_squares_of_array(n, v).inverse())                                          \
	__px_rare(T, f, (T x, T y, int *quotient), remquo, __px_remquo(x, y, quotient))                                                \
	__px_rare(T, f, (T x, long n), scalbln, __px_ldexp(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n))                           \
	__px_rare(T, f, (const char *), nan, __px_nan<T>)
__px_rare_for(float, f)
__px_rare_for(double, )
#undef __px_rare
#undef __px_rare_one
#undef __px_rare_for
template <int = 0> __px_both float rhypot(float x, float y) { return __px_rnorm_of(x, y); }
template <int = 0> __px_both float remquo(float x, float y, int *quotient) { return __px_remquo(x, y, quotient); }

#define __px_classes(T, f)                                                                                                             \
	__px_libc bool isnan(T x) { return x != x; }                                                                                   \
	__px_libc bool isinf(T x) { return __px_abs(x) == __px_infinity<T>; }                                                          \
	__px_libc bool isfinite(T x) { return __px_is_finite(x); }                                                                     \
	__px_libc bool signbit(T x) { return __px_is_negative(x); }                                                                    \
	__px_libc T abs(T x) { return __px_abs(x); }                                                                                   \
	__px_both T min(T a, T b) { return __px_min(a, b); }                                                                           \
	__px_both T max(T a, T b) { return __px_max(a, b); }
__px_for_both(__px_classes)
#undef __px_classes
#undef __px_for_both
__px_both double min(float a, double b) { return __px_min((double)a, b); }
__px_both double min(double a, float b) { return __px_min(a, (double)b); }
__px_both double max(float a, double b) { return __px_max((double)a, b); }
__px_both double max(double a, float b) { return __px_max(a, (double)b); }
__px_libc float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__px_libc float ldexp(float x, int n) { return __px_ldexp(x, n); }
__px_libc float scalbn(float x, int n) { return __px_ldexp(x, n); }
__px_libc float frexp(float x, int *e) { return __px_frexp(x, e); }
__px_libc float modf(float x, float *whole) { return __px_modf(x, whole); }
__px_both float saturate(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }

namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::asinh;
using ::acosh; using ::atanh; using ::pow; using ::hypot; using ::fmod; using ::remainder; using ::floor; using ::ceil; using ::trunc; using ::round;
using ::rint; using ::nearbyint; using ::fmin; using ::fmax; using ::fdim; using ::fma; using ::copysign; using ::nextafter; using ::erf; using ::erfc;
using ::isnan; using ::isinf; using ::isfinite; using ::signbit; using ::ldexp; using ::frexp; using ::modf; using ::logb; using ::ilogb;
#ifndef __PTXSCOPE_PROGRAM__
template <class T> __px_both constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> __px_both constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
#endif
}

#undef __px_one_argument
#undef __px_two_arguments
#undef __px_own
#undef __px_own_two
#undef __px_builtin
