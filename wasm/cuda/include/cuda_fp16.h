/* __half and __half2: binary16 with the hardware's arithmetic. */
#pragma once

#include <ptxscope/define.h>
#include <ptxscope/vectors.h>
#include <math.h>

struct __half {
	_Float16 v;
	__half() = default;
	__host__ __device__ constexpr __half(_Float16 x) : v(x) {}
	__host__ __device__ constexpr __half(float x) : v((_Float16)x) {}
	__host__ __device__ constexpr __half(double x) : v((_Float16)x) {}
	__host__ __device__ constexpr __half(int x) : v((_Float16)x) {}
	__host__ __device__ constexpr operator float() const { return (float)v; }
};
struct __align__(4) __half2 {
	typedef _Float16 Pair __attribute__((ext_vector_type(2)));
	__half x, y;
	__half2() = default;
	__host__ __device__ constexpr __half2(__half x, __half y) : x(x), y(y) {}
	__host__ __device__ __half2(Pair p) : x(p[0]), y(p[1]) {}
	__host__ __device__ operator Pair() const { return Pair{x.v, y.v}; }
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

__px_both __half __float2half(float x) { return (_Float16)x; }
__px_both __half __float2half_rn(float x) { return (_Float16)x; }
__px_both __half __double2half(double x) { return (_Float16)x; }
__px_both __half __int2half_rn(int x) { return (_Float16)x; }
__px_both __half __uint2half_rn(unsigned x) { return (_Float16)x; }
__px_both float __half2float(__half x) { return (float)x.v; }
__px_both int __half2int_rz(__half x) { return (int)x.v; }
__px_both int __half2int_rn(__half x) { return (int)__builtin_rintf((float)x.v); }
__px_both unsigned short __half_as_ushort(__half x) { return __builtin_bit_cast(unsigned short, x.v); }
__px_both short __half_as_short(__half x) { return __builtin_bit_cast(short, x.v); }
__px_both __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(_Float16, x); }
__px_both __half __short_as_half(short x) { return __builtin_bit_cast(_Float16, x); }
__px_both __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__px_both __half2 make_half2(__half x, __half y) { return {x, y}; }
__px_both __half2 __half2half2(__half x) { return {x, x}; }
__px_both __half2 __float2half2_rn(float x) { return {(_Float16)x, (_Float16)x}; }
__px_both __half2 __floats2half2_rn(float x, float y) { return {(_Float16)x, (_Float16)y}; }
__px_both __half2 __float22half2_rn(float2 v) { return {(_Float16)v.x, (_Float16)v.y}; }
__px_both float2 __half22float2(__half2 v) { return {(float)v.x.v, (float)v.y.v}; }
__px_both __half __low2half(__half2 v) { return v.x; }
__px_both __half __high2half(__half2 v) { return v.y; }
__px_both float __low2float(__half2 v) { return (float)v.x.v; }
__px_both float __high2float(__half2 v) { return (float)v.y.v; }
__px_both __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
__px_both __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
__px_both __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
__px_both __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
__px_both __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

/* Each operation as an operator, a function (which may be contracted) and a function that is rounded by itself. */
#define __px_half_operation(op, name)                                                                                                  \
	__px_both __half operator op(__half a, __half b) { return (_Float16)(a.v op b.v); }                                            \
	__px_both __half2 operator op(__half2 a, __half2 b) { return (__half2::Pair)a op (__half2::Pair)b; }                           \
	__px_both __half &operator op##=(__half &a, __half b) { return a = a op b; }                                                   \
	__px_both __half2 &operator op##=(__half2 &a, __half2 b) { return a = a op b; }                                                \
	__px_both __half __h##name(__half a, __half b) { return a op b; }                                                              \
	__px_both __half2 __h##name##2(__half2 a, __half2 b) { return a op b; }
__px_half_operation(+, add)
__px_half_operation(-, sub)
__px_half_operation(*, mul)
__px_half_operation(/, div)
#undef __px_half_operation
__px_both __half __hadd_rn(__half a, __half b) {
#pragma clang fp contract(off)
	return (_Float16)(a.v + b.v);
}
__px_both __half __hsub_rn(__half a, __half b) {
#pragma clang fp contract(off)
	return (_Float16)(a.v - b.v);
}
__px_both __half __hmul_rn(__half a, __half b) {
#pragma clang fp contract(off)
	return (_Float16)(a.v * b.v);
}
__px_both __half operator-(__half a) { return (_Float16)-a.v; }
__px_both __half2 operator-(__half2 a) { return -(__half2::Pair)a; }
__px_both __half __hneg(__half a) { return (_Float16)-a.v; }
__px_both __half2 __hneg2(__half2 a) { return -(__half2::Pair)a; }
__px_both __half __habs(__half a) { return __ushort_as_half(__half_as_ushort(a) & 0x7fff); }
__px_both __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
__px_both __half __hfma(__half a, __half b, __half c) { return __builtin_elementwise_fma(a.v, b.v, c.v); }
__px_both __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
	return __builtin_elementwise_fma((__half2::Pair)a, (__half2::Pair)b, (__half2::Pair)c);
}
__px_both __half __hmin(__half a, __half b) { return (_Float16)__builtin_fminf((float)a.v, (float)b.v); }
__px_both __half __hmax(__half a, __half b) { return (_Float16)__builtin_fmaxf((float)a.v, (float)b.v); }
__px_both __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
__px_both __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }

#define __px_half_comparison(op, name)                                                                                                 \
	__px_both bool operator op(__half a, __half b) { return a.v op b.v; }                                                          \
	__px_both bool __h##name(__half a, __half b) { return a.v op b.v; }
__px_half_comparison(<, lt)
__px_half_comparison(<=, le)
__px_half_comparison(>, gt)
__px_half_comparison(>=, ge)
__px_half_comparison(==, eq)
__px_half_comparison(!=, ne)
#undef __px_half_comparison
__px_both bool __hisnan(__half a) { return a.v != a.v; }
__px_both bool __hisinf(__half a) { return (__half_as_ushort(a) & 0x7fff) == 0x7c00; }

/* Computed in float, which is exact enough for one rounding to half. */
#define __px_half_function(name, f)                                                                                                    \
	__px_both __half h##name(__half x) { return (_Float16)f((float)x.v); }                                                         \
	__px_both __half2 h2##name(__half2 v) { return {h##name(v.x), h##name(v.y)}; }
__px_half_function(exp, expf)
__px_half_function(exp2, exp2f)
__px_half_function(exp10, exp10f)
__px_half_function(log, logf)
__px_half_function(log2, log2f)
__px_half_function(log10, log10f)
__px_half_function(sqrt, sqrtf)
__px_half_function(rsqrt, rsqrtf)
__px_half_function(sin, sinf)
__px_half_function(cos, cosf)
__px_half_function(tanh, tanhf)
__px_half_function(floor, floorf)
__px_half_function(ceil, ceilf)
__px_half_function(rint, rintf)
__px_half_function(trunc, truncf)
__px_half_function(rcp, 1.0f /)
#undef __px_half_function

__px_inline __half __ldg(const __half *at) { return __ushort_as_half(__nvvm_ldg_us((const unsigned short *)at)); }
__px_inline __half2 __ldg(const __half2 *at) { return __builtin_bit_cast(__half2, __nvvm_ldg_ui((const unsigned *)at)); }
#define __px_half_shuffle(name, Lane)                                                                                                  \
	__px_inline __half name(unsigned mask, __half v, Lane lane, int width = 32) {                                                  \
		return __ushort_as_half((unsigned short)name(mask, (unsigned)__half_as_ushort(v), lane, width));                       \
	}                                                                                                                              \
	__px_inline __half2 name(unsigned mask, __half2 v, Lane lane, int width = 32) {                                                \
		return __builtin_bit_cast(__half2, name(mask, __builtin_bit_cast(unsigned, v), lane, width));                          \
	}
__px_half_shuffle(__shfl_sync, int)
__px_half_shuffle(__shfl_up_sync, unsigned)
__px_half_shuffle(__shfl_down_sync, unsigned)
__px_half_shuffle(__shfl_xor_sync, int)
#undef __px_half_shuffle
__px_inline __half atomicAdd(__half *at, __half v) { return __scoped_atomic_fetch_add(&at->v, v.v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
