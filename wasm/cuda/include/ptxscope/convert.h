/* Conversions and arithmetic with a stated rounding (never contracted), reinterpretation, and fast approximations. */
#pragma once

#include <ptxscope/define.h>
#include <ptxscope/vectors.h>

__px_both int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__px_both unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__px_both float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__px_both float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__px_both long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__px_both double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__px_both int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__px_both int __double2loint(double x) { return (int)__double_as_longlong(x); }
__px_both double __hiloint2double(int high, int low) {
	return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

/* CUDA's name of a rounding and PTX's: to nearest even, to zero, down, up. What C has as an operator or a builtin is written so where the
 * result is that of the nearest: the compiler then knows what it computes. Sums and products are not: they would be contracted. */
#define __px_directed(what, ...) what(rz, rz, __VA_ARGS__) what(rd, rm, __VA_ARGS__) what(ru, rp, __VA_ARGS__)
#define __px_roundings(what, ...) what(rn, rn, __VA_ARGS__) __px_directed(what, __VA_ARGS__)

#define __px_convert(cuda, ptx, To, From, name, builtin)                                                                               \
	__px_inline To name##_##cuda(From x) { return (To)__nvvm_##builtin##_##ptx(x); }
__px_roundings(__px_convert, int, float, __float2int, f2i)
__px_roundings(__px_convert, unsigned, float, __float2uint, f2ui)
__px_roundings(__px_convert, long long, float, __float2ll, f2ll)
__px_roundings(__px_convert, unsigned long long, float, __float2ull, f2ull)
__px_roundings(__px_convert, int, double, __double2int, d2i)
__px_roundings(__px_convert, unsigned, double, __double2uint, d2ui)
__px_roundings(__px_convert, long long, double, __double2ll, d2ll)
__px_roundings(__px_convert, unsigned long long, double, __double2ull, d2ull)
__px_directed(__px_convert, float, int, __int2float, i2f)
__px_directed(__px_convert, float, unsigned, __uint2float, ui2f)
__px_directed(__px_convert, float, long long, __ll2float, ll2f)
__px_directed(__px_convert, float, unsigned long long, __ull2float, ull2f)
__px_directed(__px_convert, double, long long, __ll2double, ll2d)
__px_directed(__px_convert, double, unsigned long long, __ull2double, ull2d)
__px_roundings(__px_convert, float, double, __double2float, d2f)
#undef __px_convert
__px_both float __int2float_rn(int x) { return (float)x; }
__px_both float __uint2float_rn(unsigned x) { return (float)x; }
__px_both float __ll2float_rn(long long x) { return (float)x; }
__px_both float __ull2float_rn(unsigned long long x) { return (float)x; }
__px_both double __ll2double_rn(long long x) { return (double)x; }
__px_both double __ull2double_rn(unsigned long long x) { return (double)x; }
__px_both double __int2double_rn(int x) { return x; }
__px_both double __uint2double_rn(unsigned x) { return x; }

#define __px_sum_and_product(cuda, ptx, T, letter, t)                                                                                  \
	__px_inline T __##letter##add_##cuda(T a, T b) { return __nvvm_add_##ptx##_##t(a, b); }                                        \
	__px_inline T __##letter##sub_##cuda(T a, T b) { return __nvvm_add_##ptx##_##t(a, -b); }                                       \
	__px_inline T __##letter##mul_##cuda(T a, T b) { return __nvvm_mul_##ptx##_##t(a, b); }
#define __px_quotient_and_root(cuda, ptx, T, letter, t)                                                                                \
	__px_inline T __##letter##div_##cuda(T a, T b) { return __nvvm_div_##ptx##_##t(a, b); }                                        \
	__px_inline T __##letter##rcp_##cuda(T a) { return __nvvm_rcp_##ptx##_##t(a); }                                                \
	__px_inline T __##letter##sqrt_##cuda(T a) { return __nvvm_sqrt_##ptx##_##t(a); }
__px_roundings(__px_sum_and_product, float, f, f)
__px_roundings(__px_sum_and_product, double, d, d)
__px_roundings(__px_quotient_and_root, float, f, f)
__px_directed(__px_quotient_and_root, double, d, d)
__px_inline double __ddiv_rn(double a, double b) { return a / b; }
__px_inline double __drcp_rn(double a) { return 1 / a; }
__px_inline double __dsqrt_rn(double a) { return __builtin_elementwise_sqrt(a); }
#undef __px_sum_and_product
#undef __px_quotient_and_root
#define __px_fma(cuda, ptx, unused)                                                                                                    \
	__px_inline float __fmaf_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); }                           \
	__px_inline double __fma_##cuda(double a, double b, double c) { return __nvvm_fma_##ptx##_d(a, b, c); }
__px_directed(__px_fma, )
__px_inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__px_inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
#define __px_fma_ieee(cuda, ptx, unused) __px_inline float __fmaf_ieee_##cuda(float a, float b, float c) { return __fmaf_##cuda(a, b, c); }
__px_roundings(__px_fma_ieee, )
#if __CUDA_ARCH__ >= 1000
#define __px_pairs(cuda, ptx, unused)                                                                                                  \
	__px_inline float2 __fadd2_##cuda(float2 a, float2 b) { return {__fadd_##cuda(a.x, b.x), __fadd_##cuda(a.y, b.y)}; }           \
	__px_inline float2 __fmul2_##cuda(float2 a, float2 b) { return {__fmul_##cuda(a.x, b.x), __fmul_##cuda(a.y, b.y)}; }           \
	__px_inline float2 __ffma2_##cuda(float2 a, float2 b, float2 c) { return {__fmaf_##cuda(a.x, b.x, c.x), __fmaf_##cuda(a.y, b.y, c.y)}; }
__px_roundings(__px_pairs, )
#undef __px_pairs
#endif
#undef __px_fma
#undef __px_fma_ieee
#undef __px_directed
#undef __px_roundings

/* What the hardware computes in one or two instructions. */
__px_inline float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
__px_inline float __frsqrt_rn(float x) { return (float)(1 / __builtin_elementwise_sqrt((double)x)); }
__px_inline float __sinf(float x) { return __nvvm_sin_approx_f(x); }
__px_inline float __cosf(float x) { return __nvvm_cos_approx_f(x); }
__px_inline float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__px_inline void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
__px_inline float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
__px_inline float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e43p-1f; }
__px_inline float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
__px_inline float __expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
__px_inline float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934fp+1f); }
__px_inline float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
__px_inline float __saturatef(float x) { return __nvvm_saturate_f(x); }
#if __CUDA_ARCH__ >= 750
__px_inline float __tanhf(float x) {
	float r;
	asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
#endif
