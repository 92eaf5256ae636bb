/* __nv_bfloat16 and __nv_bfloat162: the upper half of a float. Arithmetic is rounded once, from float. */
#pragma once

#include <ptxscope/define.h>
#include <ptxscope/host_bf16.h>
#include <ptxscope/vectors.h>
#include <math.h>
#include <ptxscope/atomics.h>
#include <ptxscope/memory.h>
#include <ptxscope/small_float_names.h>
#include <ptxscope/warp.h>

struct __nv_bfloat16_raw {
	unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
	unsigned short x, y;
};
struct __nv_bfloat16 {
	__bf16 v;
	__nv_bfloat16() = default;
	__host__ __device__ constexpr __nv_bfloat16(__nv_bfloat16_raw r) : v(__builtin_bit_cast(__bf16, r.x)) {}
	__host__ __device__ constexpr operator __nv_bfloat16_raw() const { return {__builtin_bit_cast(unsigned short, v)}; }
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
	__host__ __device__ constexpr __nv_bfloat162(__nv_bfloat162_raw r) : x(__nv_bfloat16_raw{r.x}), y(__nv_bfloat16_raw{r.y}) {}
	__host__ __device__ constexpr operator __nv_bfloat162_raw() const { return {__nv_bfloat16_raw(x).x, __nv_bfloat16_raw(y).x}; }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

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
__px_both __nv_bfloat16 operator-(__nv_bfloat16 a) { return __builtin_bit_cast(__bf16, (unsigned short)(__builtin_bit_cast(unsigned short, a.v) ^ 0x8000)); }
__px_both __nv_bfloat162 operator-(__nv_bfloat162 a) { return {-a.x, -a.y}; }
#if __CUDA_ARCH__ >= 800
__px_inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __nvvm_fma_rn_bf16(a.v, b.v, c.v); }
#else
/* A product of two is exact in float; the sum in double, too, except where the addends are far apart. */
__px_both __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return (__bf16)__builtin_fmaf((float)a.v, (float)b.v, (float)c.v); }
#endif
__px_both __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
__px_inline __nv_bfloat16 atomicAdd(__nv_bfloat16 *at, __nv_bfloat16 v) {
	unsigned short *word = (unsigned short *)at;
	for (unsigned short seen = *word;;) {
		unsigned short old = atomicCAS(word, seen, __builtin_bit_cast(unsigned short, __builtin_bit_cast(__nv_bfloat16, seen) + v));
		if (old == seen)
			return __builtin_bit_cast(__nv_bfloat16, seen);
		seen = old;
	}
}

#define __px_small __nv_bfloat16
#define __px_small2 __nv_bfloat162
#define __px_stem bfloat16
#define __px_small_value __bf16
#include <ptxscope/small_float.h>
