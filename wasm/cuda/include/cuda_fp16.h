/* __half and __half2: binary16 with the hardware's arithmetic. */
#pragma once

#include <ptxscope/define.h>
#include <ptxscope/vectors.h>
#include <math.h>
#include <ptxscope/atomics.h>
#include <ptxscope/memory.h>
#include <ptxscope/small_float_names.h>
#include <ptxscope/warp.h>

struct __half_raw {
	unsigned short x;
};
struct __align__(4) __half2_raw {
	unsigned short x, y;
};
struct __half {
	_Float16 v;
	__half() = default;
	__host__ __device__ constexpr __half(__half_raw r) : v(__builtin_bit_cast(_Float16, r.x)) {}
	__host__ __device__ constexpr operator __half_raw() const { return {__builtin_bit_cast(unsigned short, v)}; }
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
	__host__ __device__ constexpr __half2(__half2_raw r) : x(__half_raw{r.x}), y(__half_raw{r.y}) {}
	__host__ __device__ constexpr operator __half2_raw() const { return {__half_raw(x).x, __half_raw(y).x}; }
	__host__ __device__ operator Pair() const { return Pair{x.v, y.v}; }
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

/* Each operation as an operator and as a function, which may be contracted. */
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
__px_both __half operator-(__half a) { return (_Float16)-a.v; }
__px_both __half2 operator-(__half2 a) { return -(__half2::Pair)a; }
__px_both __half __hfma(__half a, __half b, __half c) { return __builtin_elementwise_fma(a.v, b.v, c.v); }
__px_both __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
	return __builtin_elementwise_fma((__half2::Pair)a, (__half2::Pair)b, (__half2::Pair)c);
}
__px_inline __half atomicAdd(__half *at, __half v) { return __scoped_atomic_fetch_add(&at->v, v.v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }

#define __px_small __half
#define __px_small2 __half2
#define __px_stem half
#define __px_small_value _Float16
#include <ptxscope/small_float.h>
