/* __nv_bfloat16 and __nv_bfloat162: the upper half of a float. Arithmetic is rounded once, from float. */
#pragma once

#include <ptxscope/define.h>
#include <ptxscope/host_bf16.h>
#include <ptxscope/vectors.h>
#include <math.h>

struct __nv_bfloat16 {
	__bf16 v;
	__nv_bfloat16() = default;
	__host__ __device__ constexpr __nv_bfloat16(__bf16 x) : v(x) {}
	__host__ __device__ constexpr __nv_bfloat16(float x) : v((__bf16)x) {}
	__host__ __device__ constexpr __nv_bfloat16(double x) : v((__bf16)(float)x) {}
	__host__ __device__ constexpr __nv_bfloat16(int x) : v((__bf16)(float)x) {}
	__host__ __device__ constexpr operator float() const { return (float)v; }
};
struct __align__(4) __nv_bfloat162 {
	__nv_bfloat16 x, y;
	__nv_bfloat162() = default;
	__host__ __device__ constexpr __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__px_both __nv_bfloat16 __float2bfloat16(float x) { return (__bf16)x; }
__px_both __nv_bfloat16 __float2bfloat16_rn(float x) { return (__bf16)x; }
__px_both __nv_bfloat16 __double2bfloat16(double x) { return (__bf16)(float)x; }
__px_both __nv_bfloat16 __int2bfloat16_rn(int x) { return (__bf16)(float)x; }
__px_both float __bfloat162float(__nv_bfloat16 x) { return (float)x.v; }
__px_both unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return __builtin_bit_cast(unsigned short, x.v); }
__px_both __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __builtin_bit_cast(__bf16, x); }
__px_both __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
__px_both __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
__px_both __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
__px_both __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
__px_both float2 __bfloat1622float2(__nv_bfloat162 v) { return {(float)v.x.v, (float)v.y.v}; }
__px_both __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
__px_both __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
__px_both float __low2float(__nv_bfloat162 v) { return (float)v.x.v; }
__px_both float __high2float(__nv_bfloat162 v) { return (float)v.y.v; }

#define __px_bf16_operation(op, name)                                                                                                  \
	__px_both __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return (__bf16)((float)a.v op(float) b.v); }           \
	__px_both __nv_bfloat162 operator op(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x op b.x, a.y op b.y}; }                  \
	__px_both __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = a op b; }                              \
	__px_both __nv_bfloat162 &operator op##=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a op b; }                           \
	__px_both __nv_bfloat16 __h##name(__nv_bfloat16 a, __nv_bfloat16 b) { return a op b; }                                         \
	__px_both __nv_bfloat162 __h##name##2(__nv_bfloat162 a, __nv_bfloat162 b) { return a op b; }
__px_bf16_operation(+, add)
__px_bf16_operation(-, sub)
__px_bf16_operation(*, mul)
__px_bf16_operation(/, div)
#undef __px_bf16_operation
__px_both __nv_bfloat16 operator-(__nv_bfloat16 a) { return __ushort_as_bfloat16(__bfloat16_as_ushort(a) ^ 0x8000); }
__px_both __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
__px_both __nv_bfloat16 __habs(__nv_bfloat16 a) { return __ushort_as_bfloat16(__bfloat16_as_ushort(a) & 0x7fff); }
__px_both __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return (__bf16)__builtin_fminf((float)a.v, (float)b.v); }
__px_both __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return (__bf16)__builtin_fmaxf((float)a.v, (float)b.v); }
#if __CUDA_ARCH__ >= 800
__px_inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __nvvm_fma_rn_bf16(a.v, b.v, c.v); }
__px_inline __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
#elif !defined(__CUDA_ARCH__)
__px_both __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return (__bf16)((float)a.v * (float)b.v + (float)c.v); }
__px_both __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
#endif

#define __px_bf16_comparison(op, name)                                                                                                 \
	__px_both bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a.v op(float) b.v; }                              \
	__px_both bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) { return a op b; }
__px_bf16_comparison(<, lt)
__px_bf16_comparison(<=, le)
__px_bf16_comparison(>, gt)
__px_bf16_comparison(>=, ge)
__px_bf16_comparison(==, eq)
__px_bf16_comparison(!=, ne)
#undef __px_bf16_comparison
