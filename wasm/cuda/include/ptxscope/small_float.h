/* What half and bfloat16 have in common: included once for each, with the type, its pair, the names' stem and the type of its value.
 * Arithmetic of pairs is that of their elements. */

#ifdef __px_small

/* A number in another rounding: the nearest one, moved by one where it lies on the wrong side. */
template <int direction> __px_both __px_small __px_small_toward(__px_small nearest, double exact) {
	typedef __px_small H;
	unsigned short bits = __builtin_bit_cast(unsigned short, nearest.v);
	double v = (double)(float)nearest.v;
	bool negative = exact < 0;
	int way = direction == 0 ? (negative ? 1 : -1) : direction;
	if (v != v || exact != exact || (way < 0 ? v <= exact : v >= exact))
		return nearest;
	if ((bits & 0x7fff) == 0)
		bits = way < 0 ? 0x8001 : 1;
	else
		bits += (way > 0) == !(bits & 0x8000) ? 1 : -1;
	return H{__builtin_bit_cast(__px_small_value, bits)};
}
/* A double to the nearest, by way of a float that is odd where it is not exact, so that nothing is rounded twice. */
__px_both __px_small __px_paste(__px_nearest_, __px_stem)(double x) {
	float f = (float)x;
	if ((double)f != x && x == x) {
		unsigned bits = __float_as_uint(f);
		if (((double)f > x) != (x < 0) && f != 0)
			bits--;
		f = __uint_as_float(bits | 1);
	}
	return __px_small((__px_small_value)f);
}
/* 64 bits are more than a double has: the last bit says whether something is lost. */
__px_both double __px_paste(__px_odd_, __px_stem)(long long x) {
	long long low = x & 0x7ff;
	return x > -(1ll << 52) && x < 1ll << 52 ? (double)x : (double)(low ? (x & ~0x7ffll) | 0x400 : x);
}
__px_both double __px_paste(__px_odd_, __px_stem)(unsigned long long x) {
	return x < 1ull << 52 ? (double)x : (double)(x & 0xfff ? (x & ~0xfffull) | 0x800 : x);
}

#define __px_from(name, T, exact)                                                                                                      \
	__px_both __px_small __px_paste4(__, name, 2, __px_stem, _rn)(T x) { return __px_paste(__px_nearest_, __px_stem)(exact); }     \
	__px_both __px_small __px_paste4(__, name, 2, __px_stem, _rz)(T x) { return __px_small_toward<0>(__px_paste(__px_nearest_, __px_stem)(exact), exact); } \
	__px_both __px_small __px_paste4(__, name, 2, __px_stem, _rd)(T x) { return __px_small_toward<-1>(__px_paste(__px_nearest_, __px_stem)(exact), exact); } \
	__px_both __px_small __px_paste4(__, name, 2, __px_stem, _ru)(T x) { return __px_small_toward<1>(__px_paste(__px_nearest_, __px_stem)(exact), exact); }
__px_from(float, float, x)
__px_from(int, int, x)
__px_from(uint, unsigned, x)
__px_from(short, short, x)
__px_from(ushort, unsigned short, x)
__px_from(ll, long long, __px_paste(__px_odd_, __px_stem)(x))
__px_from(ull, unsigned long long, __px_paste(__px_odd_, __px_stem)(x))
#undef __px_from
__px_both __px_small __px_paste4(__, float, 2, __px_stem, )(float x) { return __px_small((__px_small_value)x); }
__px_both __px_small __px_paste4(__, double, 2, __px_stem, )(double x) { return __px_paste(__px_nearest_, __px_stem)(x); }
__px_both float __px_paste4(__, __px_stem, 2, float, )(__px_small x) { return (float)x.v; }

#define __px_to(name, T, rounding, f)                                                                                                  \
	__px_both T __px_paste4(__, __px_stem, 2, name, rounding)(__px_small x) { return (T)__px_clamped<T>(f((float)x.v)); }
#define __px_to_all(name, T) __px_to(name, T, _rn, __builtin_rintf) __px_to(name, T, _rz, __builtin_truncf) __px_to(name, T, _rd, __builtin_floorf) __px_to(name, T, _ru, __builtin_ceilf)
__px_to_all(int, int) __px_to_all(uint, unsigned) __px_to_all(short, short) __px_to_all(ushort, unsigned short) __px_to_all(ll, long long) __px_to_all(ull, unsigned long long)
__px_to(char, signed char, _rz, __builtin_truncf) __px_to(uchar, unsigned char, _rz, __builtin_truncf)
#undef __px_to
#undef __px_to_all

__px_both unsigned short __px_paste4(__, __px_stem, _as_, ushort, )(__px_small x) { return __builtin_bit_cast(unsigned short, x.v); }
__px_both short __px_paste4(__, __px_stem, _as_, short, )(__px_small x) { return __builtin_bit_cast(short, x.v); }
__px_both __px_small __px_paste4(__, ushort_as_, __px_stem, , )(unsigned short x) { return __px_small(__builtin_bit_cast(__px_small_value, x)); }
__px_both __px_small __px_paste4(__, short_as_, __px_stem, , )(short x) { return __px_small(__builtin_bit_cast(__px_small_value, x)); }

/* Pairs: made and taken apart. */
__px_both __px_small2 __px_paste4(__halves2, __px_stem, 2, , )(__px_small x, __px_small y) { return {x, y}; }
__px_both __px_small2 __px_paste4(make_, __px_stem, 2, , )(__px_small x, __px_small y) { return {x, y}; }
__px_both __px_small2 __px_paste4(__, __px_stem, 2, __px_stem, 2)(__px_small x) { return {x, x}; }
__px_both __px_small2 __px_paste4(__float2, __px_stem, 2_rn, , )(float x) { return {__px_small(x), __px_small(x)}; }
__px_both __px_small2 __px_paste4(__floats2, __px_stem, 2_rn, , )(float x, float y) { return {__px_small(x), __px_small(y)}; }
__px_both __px_small2 __px_paste4(__float22, __px_stem, 2_rn, , )(float2 v) { return {__px_small(v.x), __px_small(v.y)}; }
__px_both float2 __px_paste4(__, __px_stem, 22float2, , )(__px_small2 v) { return {(float)v.x.v, (float)v.y.v}; }
__px_both __px_small __px_paste4(__low2, __px_stem, , , )(__px_small2 v) { return v.x; }
__px_both __px_small __px_paste4(__high2, __px_stem, , , )(__px_small2 v) { return v.y; }
__px_both float __low2float(__px_small2 v) { return (float)v.x.v; }
__px_both float __high2float(__px_small2 v) { return (float)v.y.v; }
__px_both __px_small2 __px_paste4(__low2, __px_stem, 2, , )(__px_small2 v) { return {v.x, v.x}; }
__px_both __px_small2 __px_paste4(__high2, __px_stem, 2, , )(__px_small2 v) { return {v.y, v.y}; }
__px_both __px_small2 __lowhigh2highlow(__px_small2 v) { return {v.y, v.x}; }
__px_both __px_small2 __px_paste4(__lows2, __px_stem, 2, , )(__px_small2 a, __px_small2 b) { return {a.x, b.x}; }
__px_both __px_small2 __px_paste4(__highs2, __px_stem, 2, , )(__px_small2 a, __px_small2 b) { return {a.y, b.y}; }

/* A function of one, two or three numbers for pairs. */
#define __px_pair_1(name, f) __px_both __px_small2 name(__px_small2 a) { return {f(a.x), f(a.y)}; }
#define __px_pair_2(name, f) __px_both __px_small2 name(__px_small2 a, __px_small2 b) { return {f(a.x, b.x), f(a.y, b.y)}; }
#define __px_pair_3(name, f) __px_both __px_small2 name(__px_small2 a, __px_small2 b, __px_small2 c) { return {f(a.x, b.x, c.x), f(a.y, b.y, c.y)}; }

__px_both __px_small __px_saturated(__px_small x) { return __px_small((__px_small_value)__builtin_fminf(__builtin_fmaxf((float)x.v, 0.0f), 1.0f)); }
__px_both __px_small __px_rectified(__px_small x) { return (float)x.v != (float)x.v ? x : (float)x.v > 0 ? x : __px_small((__px_small_value)0.0f); }
#define __px_own_rounding(name, op)                                                                                                    \
	__px_both __px_small __h##name##_rn(__px_small a, __px_small b) {                                                              \
		_Pragma("clang fp contract(off)") return __px_small((__px_small_value)((float)a.v op(float) b.v));                                   \
	}                                                                                                                              \
	__px_both __px_small __h##name##_sat(__px_small a, __px_small b) { return __px_saturated(__h##name(a, b)); }                   \
	__px_pair_2(__h##name##2_rn, __h##name##_rn) __px_pair_2(__h##name##2_sat, __h##name##_sat)
__px_own_rounding(add, +) __px_own_rounding(sub, -) __px_own_rounding(mul, *)
#undef __px_own_rounding
__px_pair_2(__h2div, __hdiv)
__px_both __px_small __habs(__px_small a) { return __px_paste4(__, ushort_as_, __px_stem, , )(__px_paste4(__, __px_stem, _as_, ushort, )(a) & 0x7fff); }
__px_both __px_small __hneg(__px_small a) { return -a; }
__px_pair_1(__habs2, __habs) __px_pair_1(__hneg2, __hneg)
__px_both __px_small __hfma_sat(__px_small a, __px_small b, __px_small c) { return __px_saturated(__hfma(a, b, c)); }
__px_both __px_small __hfma_relu(__px_small a, __px_small b, __px_small c) { return __px_rectified(__hfma(a, b, c)); }
__px_pair_3(__hfma2_sat, __hfma_sat) __px_pair_3(__hfma2_relu, __hfma_relu)
/* Of complex numbers. */
__px_both __px_small2 __hcmadd(__px_small2 a, __px_small2 b, __px_small2 c) {
	return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
__px_both __px_small &operator++(__px_small &a) { return a = a + __px_small(1.0f); }
__px_both __px_small &operator--(__px_small &a) { return a = a - __px_small(1.0f); }
__px_both __px_small operator++(__px_small &a, int) {
	__px_small old = a;
	a = a + __px_small(1.0f);
	return old;
}
__px_both __px_small operator--(__px_small &a, int) {
	__px_small old = a;
	a = a - __px_small(1.0f);
	return old;
}

/* Comparisons; with u, true where one is NaN. */
#define __px_comparison(op, name, not_op)                                                                                              \
	__px_both bool operator op(__px_small a, __px_small b) { return (float)a.v op(float) b.v; }                                    \
	__px_both bool __h##name(__px_small a, __px_small b) { return (float)a.v op(float) b.v; }                                      \
	__px_both bool __h##name##u(__px_small a, __px_small b) { return !((float)a.v not_op(float) b.v); }                            \
	__px_comparison_2(name) __px_comparison_2(name##u)
#define __px_comparison_2(name)                                                                                                        \
	__px_both __px_small2 __h##name##2(__px_small2 a, __px_small2 b) {                                                             \
		return {__px_small(__h##name(a.x, b.x) ? 1.0f : 0.0f), __px_small(__h##name(a.y, b.y) ? 1.0f : 0.0f)};                 \
	}                                                                                                                              \
	__px_both unsigned __h##name##2_mask(__px_small2 a, __px_small2 b) { return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); } \
	__px_both bool __hb##name##2(__px_small2 a, __px_small2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
__px_comparison(<, lt, >=) __px_comparison(<=, le, >) __px_comparison(>, gt, <=) __px_comparison(>=, ge, <) __px_comparison(==, eq, !=)
__px_both bool operator!=(__px_small a, __px_small b) { return (float)a.v != (float)b.v; }
__px_both bool __hisnan(__px_small a) { return (float)a.v != (float)a.v; }
__px_both int __hisinf(__px_small a) { return __builtin_fabsf((float)a.v) == __builtin_inff() ? ((float)a.v < 0 ? -1 : 1) : 0; }
/* Not equal, and neither NaN; with u: not equal, or one NaN. */
__px_both bool __hne(__px_small a, __px_small b) { return (float)a.v < (float)b.v || (float)a.v > (float)b.v; }
__px_both bool __hneu(__px_small a, __px_small b) { return (float)a.v != (float)b.v; }
__px_comparison_2(ne) __px_comparison_2(neu)
__px_both __px_small2 __hisnan2(__px_small2 a) { return {__px_small(__hisnan(a.x) ? 1.0f : 0.0f), __px_small(__hisnan(a.y) ? 1.0f : 0.0f)}; }
__px_both bool operator==(__px_small2 a, __px_small2 b) { return __hbeq2(a, b); }
__px_both bool operator!=(__px_small2 a, __px_small2 b) { return __hbneu2(a, b); }
#undef __px_comparison
#undef __px_comparison_2
#define __px_extreme(name, f)                                                                                                          \
	__px_both __px_small __h##name(__px_small a, __px_small b) { return __px_small((__px_small_value)f((float)a.v, (float)b.v)); } \
	__px_both __px_small __h##name##_nan(__px_small a, __px_small b) { return (float)a.v != (float)a.v ? a : (float)b.v != (float)b.v ? b : __h##name(a, b); } \
	__px_pair_2(__h##name##2, __h##name) __px_pair_2(__h##name##2_nan, __h##name##_nan)
__px_extreme(min, __builtin_fminf) __px_extreme(max, __builtin_fmaxf)
#undef __px_extreme

/* Computed in float, which is exact enough for one rounding. */
#define __px_small_function(name, f)                                                                                                   \
	__px_both __px_small h##name(__px_small x) { return __px_small((__px_small_value)f((float)x.v)); }                             \
	__px_pair_1(h2##name, h##name)
__px_small_function(exp, expf) __px_small_function(exp2, exp2f) __px_small_function(exp10, exp10f) __px_small_function(log, logf) __px_small_function(log2, log2f)
__px_small_function(log10, log10f) __px_small_function(sqrt, sqrtf) __px_small_function(rsqrt, rsqrtf) __px_small_function(sin, sinf) __px_small_function(cos, cosf)
__px_small_function(tanh, tanhf) __px_small_function(tanh_approx, tanhf) __px_small_function(floor, floorf) __px_small_function(ceil, ceilf)
__px_small_function(rint, rintf) __px_small_function(trunc, truncf) __px_small_function(rcp, 1.0f /)
#undef __px_small_function
#undef __px_pair_1
#undef __px_pair_2
#undef __px_pair_3

/* Through the warp and through memory, as words. */
#define __px_small_shuffle(name, Lane)                                                                                                 \
	__px_inline __px_small name(unsigned mask, __px_small v, Lane lane, int width = 32) {                                          \
		return __builtin_bit_cast(__px_small, (unsigned short)name(mask, (unsigned)__builtin_bit_cast(unsigned short, v), lane, width)); \
	}                                                                                                                              \
	__px_inline __px_small2 name(unsigned mask, __px_small2 v, Lane lane, int width = 32) {                                        \
		return __builtin_bit_cast(__px_small2, name(mask, __builtin_bit_cast(unsigned, v), lane, width));                      \
	}
__px_small_shuffle(__shfl_sync, int) __px_small_shuffle(__shfl_up_sync, unsigned) __px_small_shuffle(__shfl_down_sync, unsigned) __px_small_shuffle(__shfl_xor_sync, int)
#undef __px_small_shuffle
__px_inline __px_small __ldg(const __px_small *at) { return __builtin_bit_cast(__px_small, __nvvm_ldg_us((const unsigned short *)at)); }
__px_inline __px_small2 __ldg(const __px_small2 *at) { return __builtin_bit_cast(__px_small2, __nvvm_ldg_ui((const unsigned *)at)); }
__px_inline __px_small2 atomicAdd(__px_small2 *at, __px_small2 v) {
	unsigned *word = (unsigned *)at;
	for (unsigned seen = *word;;) {
		unsigned old = atomicCAS(word, seen, __builtin_bit_cast(unsigned, __builtin_bit_cast(__px_small2, seen) + v));
		if (old == seen)
			return __builtin_bit_cast(__px_small2, seen);
		seen = old;
	}
}

#undef __px_small
#undef __px_small2
#undef __px_stem
#undef __px_small_value
#endif
