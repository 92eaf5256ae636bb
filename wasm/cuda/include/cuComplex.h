/* Complex numbers of two floats (cuFloatComplex, cuComplex) and of two doubles (cuDoubleComplex). */
#pragma once

#include <cuda_runtime.h>

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

/* Quotients and absolute values are scaled, so that no square overflows where the result does not. */
#define __px_complex(C, T, Name, f)                                                                                                    \
	__px_both T cuCreal##f(C a) { return a.x; }                                                                                    \
	__px_both T cuCimag##f(C a) { return a.y; }                                                                                    \
	__px_both C make_##Name(T re, T im) { return {re, im}; }                                                                       \
	__px_both C cuConj##f(C a) { return {a.x, -a.y}; }                                                                             \
	__px_both C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                                                             \
	__px_both C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                                                             \
	__px_both C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                                     \
	__px_both C cuCfma##f(C a, C b, C c) {                                                                                         \
		return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                                                     \
	}                                                                                                                              \
	__px_both C cuCdiv##f(C a, C b) {                                                                                              \
		T scale = 1 / (fabs##f(b.x) + fabs##f(b.y)), ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;   \
		T inverse = 1 / (bx * bx + by * by);                                                                                   \
		return {(ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse};                                                 \
	}                                                                                                                              \
	__px_both T cuCabs##f(C a) {                                                                                                   \
		T x = fabs##f(a.x), y = fabs##f(a.y), most = x > y ? x : y, ratio = (x > y ? y : x) / most, sum = x + y;               \
		return sum == 0 || __builtin_isinf(most) || sum != sum ? sum : most * sqrt##f(1 + ratio * ratio);                      \
	}
__px_complex(cuFloatComplex, float, cuFloatComplex, f)
__px_complex(cuDoubleComplex, double, cuDoubleComplex, )
#undef __px_complex
__px_both cuComplex make_cuComplex(float re, float im) { return {re, im}; }
__px_both cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
__px_both cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
