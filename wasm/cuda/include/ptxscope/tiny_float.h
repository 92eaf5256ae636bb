/* Numbers of 4, 6 and 8 bits: from double, rounded once, and to half, which holds all of them. A code is exponent and fraction in one
 * integer, so that numbers and their codes have the same order and a carry out of the fraction is right by itself. */
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

/* `most`: the code of the largest number; `over`: that of what is larger where nothing limits it; `nan`: that of what is no number. */
template <int Bits, int Fraction, int Bias, unsigned Most, unsigned Over, unsigned Nan> struct __px_tiny {
	static constexpr int bits = Bits, fraction = Fraction, bias = Bias;
	static constexpr unsigned most = Most, over = Over, nan = Nan, sign = 1u << (Bits - 1);
	static constexpr bool has_infinity = Over != Most && Over != Nan, has_nan = Nan != Most;
};
typedef __px_tiny<8, 3, 7, 0x7e, 0x7f, 0x7f> __px_e4m3;
typedef __px_tiny<8, 2, 15, 0x7b, 0x7c, 0x7f> __px_e5m2;
typedef __px_tiny<6, 3, 1, 0x1f, 0x1f, 0x1f> __px_e2m3;
typedef __px_tiny<6, 2, 3, 0x1f, 0x1f, 0x1f> __px_e3m2;
typedef __px_tiny<4, 1, 1, 0x7, 0x7, 0x7> __px_e2m1;

/* The multiple of 2^shift at or next to n, divided by it; more than n's width: less than a half of it. */
__px_both unsigned __px_tiny_shift(unsigned long long n, int shift, cudaRoundMode rounding, bool negative) {
	if (shift > 60)
		n = n != 0, shift = 2;
	unsigned long long whole = n >> shift, rest = n & ((1ull << shift) - 1), half = 1ull << (shift - 1);
	bool away = rounding == cudaRoundNearest ? rest > half || (rest == half && (whole & 1))
		: rounding == cudaRoundPosInf ? rest && !negative : rounding == cudaRoundMinInf && rest && negative;
	return (unsigned)(whole + away);
}

template <class F> __px_both unsigned char __px_tiny_from(double x, bool limited, cudaRoundMode rounding) {
	unsigned long long word = __builtin_bit_cast(unsigned long long, x), fraction = word & 0xfffffffffffffull;
	bool negative = word >> 63;
	int exponent = (int)(word >> 52 & 0x7ff);
	unsigned sign = negative ? F::sign : 0;
	if (x != x)
		return F::nan;
	if (exponent == 0x7ff)
		return sign | (limited ? F::most : F::over);
	int e = exponent - 1023 > 1 - F::bias ? exponent - 1023 : 1 - F::bias;
	if (e + F::bias > 1 << (F::bits - 1 - F::fraction))
		return sign | (limited ? F::most : F::over);
	unsigned long long n = exponent ? fraction | 1ull << 52 : fraction;
	unsigned code = __px_tiny_shift(n, 52 - F::fraction + e - (exponent ? exponent : 1) + 1023, rounding, negative);
	code += (unsigned)(e + F::bias - 1) << F::fraction;
	return sign | (code <= F::most ? code : limited ? F::most : F::over);
}
template <class F> __px_both __half __px_tiny_value(unsigned code) {
	unsigned magnitude = code & (F::sign - 1), exponent = magnitude >> F::fraction, fraction = magnitude & ((1u << F::fraction) - 1);
	unsigned sign = code & F::sign ? 0x8000u : 0;
	if (F::has_nan && magnitude > F::most && !(F::has_infinity && magnitude == F::over))
		return __half(__half_raw{0x7fff});
	if (F::has_infinity && magnitude == F::over)
		return __half(__half_raw{(unsigned short)(sign | 0x7c00)});
	/* Powers of two that half has as normal numbers, or e5m2's, whose exponents are half's own. */
	if (F::bias == 15)
		return __half(__half_raw{(unsigned short)(sign | magnitude << (10 - F::fraction))});
	unsigned short scale = (unsigned short)((15 + (exponent ? (int)exponent : 1) - F::bias - F::fraction) << 10);
	_Float16 v = (_Float16)(int)(exponent ? fraction | 1u << F::fraction : fraction) * __builtin_bit_cast(_Float16, scale);
	return __half(__half_raw{(unsigned short)(sign | __builtin_bit_cast(unsigned short, v))});
}

/* Conversions of one width; `with` is what says how: (limit, format) for 8 bits, (format, rounding) for the others. A storage type of
 * several numbers has the first one in its lowest bits, `step` bits for each. */
#define __px_tiny_conversions(fp, step, with, give)                                                                                    \
	__px_both __nv_##fp##_storage_t __nv_cvt_double_to_##fp(double x, with) { return __px_##fp##_from(x, give); }                  \
	__px_both __nv_##fp##_storage_t __nv_cvt_float_to_##fp(float x, with) { return __px_##fp##_from(x, give); }                    \
	__px_both __nv_##fp##_storage_t __nv_cvt_halfraw_to_##fp(__half_raw x, with) { return __px_##fp##_from((float)__half(x), give); } \
	__px_both __nv_##fp##_storage_t __nv_cvt_bfloat16raw_to_##fp(__nv_bfloat16_raw x, with) { return __px_##fp##_from((float)__nv_bfloat16(x), give); } \
	__px_both __nv_##fp##x2_storage_t __nv_cvt_double2_to_##fp##x2(double2 v, with) { return __px_##fp##_pair(v.x, v.y, give); }   \
	__px_both __nv_##fp##x2_storage_t __nv_cvt_float2_to_##fp##x2(float2 v, with) { return __px_##fp##_pair(v.x, v.y, give); }     \
	__px_both __nv_##fp##x2_storage_t __nv_cvt_halfraw2_to_##fp##x2(__half2_raw v, with) {                                         \
		return __px_##fp##_pair((float)__half(__half_raw{v.x}), (float)__half(__half_raw{v.y}), give);                         \
	}                                                                                                                              \
	__px_both __nv_##fp##x2_storage_t __nv_cvt_bfloat16raw2_to_##fp##x2(__nv_bfloat162_raw v, with) {                              \
		return __px_##fp##_pair((float)__nv_bfloat16(__nv_bfloat16_raw{v.x}), (float)__nv_bfloat16(__nv_bfloat16_raw{v.y}), give); \
	}                                                                                                                              \
	__px_both __half_raw __nv_cvt_##fp##_to_halfraw(__nv_##fp##_storage_t x, __nv_##fp##_interpretation_t format) { return __px_##fp##_value(x, format); } \
	__px_both __half2_raw __nv_cvt_##fp##x2_to_halfraw2(__nv_##fp##x2_storage_t x, __nv_##fp##_interpretation_t format) {          \
		return {((__half_raw)__px_##fp##_value(x & ((1u << step) - 1), format)).x, ((__half_raw)__px_##fp##_value(x >> step, format)).x}; \
	}

/* The classes of one format: one number, two and four of them. `from` and `to` convert one number. */
#define __px_tiny_classes(fp, format, step, from, to)                                                                                  \
	struct __nv_##fp##_##format {                                                                                                  \
		__nv_##fp##_storage_t __x;                                                                                             \
		__nv_##fp##_##format() = default;                                                                                      \
		template <class T> __host__ __device__ explicit __nv_##fp##_##format(T x) : __x(from(__px_tiny_number(x))) {}          \
		__host__ __device__ explicit operator __half() const { return __px_tiny_half(to(__x)); }                                             \
		__host__ __device__ explicit operator float() const { return (float)to(__x); }                                         \
		__host__ __device__ explicit operator double() const { return (float)to(__x); }                                        \
		__host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16((float)to(__x)); }                  \
		__host__ __device__ explicit operator bool() const { return (float)to(__x) != 0; }                                     \
		__px_tiny_integer(signed char) __px_tiny_integer(unsigned char) __px_tiny_integer(char) __px_tiny_integer(short)       \
		__px_tiny_integer(unsigned short) __px_tiny_integer(int) __px_tiny_integer(unsigned) __px_tiny_integer(long)           \
		__px_tiny_integer(unsigned long) __px_tiny_integer(long long) __px_tiny_integer(unsigned long long)                    \
	};                                                                                                                             \
	struct __nv_##fp##x2_##format {                                                                                                \
		__nv_##fp##x2_storage_t __x;                                                                                           \
		__nv_##fp##x2_##format() = default;                                                                                    \
		template <class T> __host__ __device__ explicit __nv_##fp##x2_##format(T v)                                            \
			: __x((__nv_##fp##x2_storage_t)(from(__px_tiny_number(v.x)) | from(__px_tiny_number(v.y)) << step)) {}         \
		__host__ __device__ explicit operator __half2() const { return {__px_tiny_half(to(__x & ((1u << step) - 1))), __px_tiny_half(to(__x >> step))}; }      \
		__host__ __device__ explicit operator float2() const { return {(float)to(__x & ((1u << step) - 1)), (float)to(__x >> step)}; } \
	};                                                                                                                             \
	struct __nv_##fp##x4_##format {                                                                                                \
		__nv_##fp##x4_storage_t __x;                                                                                           \
		__nv_##fp##x4_##format() = default;                                                                                    \
		template <class T> __host__ __device__ explicit __nv_##fp##x4_##format(T low, T high)                                  \
			: __x(four(low.x, low.y, high.x, high.y)) {}                                                                   \
		template <class T> __host__ __device__ explicit __nv_##fp##x4_##format(T v) : __x(four(v.x, v.y, v.z, v.w)) {}         \
		__host__ __device__ explicit operator float4() const { return {part(0), part(1), part(2), part(3)}; }                  \
	private:                                                                                                                       \
		__host__ __device__ float part(int i) const { return (float)to(__x >> step * i & ((1u << step) - 1)); }                \
		template <class T> static __host__ __device__ __nv_##fp##x4_storage_t four(T a, T b, T c, T d) {                       \
			return (__nv_##fp##x4_storage_t)(from(__px_tiny_number(a)) | (unsigned)from(__px_tiny_number(b)) << step       \
				| (unsigned)from(__px_tiny_number(c)) << 2 * step | (unsigned)from(__px_tiny_number(d)) << 3 * step);  \
		}                                                                                                                      \
	};
#define __px_tiny_integer(T) __host__ __device__ explicit operator T() const { return (T)__px_clamped<T>(__builtin_truncf((float)*this)); }

/* What a class is made of: a double, or a float, which integers become as CUDA has it. */
__px_both double __px_tiny_number(double x) { return x; }
template <class T> __px_both float __px_tiny_number(T x) { return (float)x; }
__px_both __half __px_tiny_half(__half x) { return x; }
__px_both __half __px_tiny_half(__nv_bfloat16 x) { return __half((float)x); }
