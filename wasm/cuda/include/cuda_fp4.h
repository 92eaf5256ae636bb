/* Numbers of 4 bits, two in a byte: e2m1. What is larger than the largest becomes that; so does what is no number. */
#pragma once

#include <ptxscope/tiny_float.h>

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

__px_both unsigned char __px_fp4_from(double x, __nv_fp4_interpretation_t format, cudaRoundMode rounding) {
	return __px_tiny_from<__px_e2m1>(x, true, rounding);
}
__px_both unsigned char __px_fp4_pair(double x, double y, __nv_fp4_interpretation_t format, cudaRoundMode rounding) {
	return (unsigned char)(__px_fp4_from(x, format, rounding) | __px_fp4_from(y, format, rounding) << 4);
}
__px_both __half __px_fp4_value(unsigned code, __nv_fp4_interpretation_t format) {
	return __px_tiny_value<__px_e2m1>(code);
}
#define __px_fp4_with __nv_fp4_interpretation_t format, cudaRoundMode rounding
#define __px_fp4_give format, rounding
__px_tiny_conversions(fp4, 4, __px_fp4_with, __px_fp4_give)
#undef __px_fp4_with
#undef __px_fp4_give

__px_both unsigned char __px_to_e2m1(double x) { return __px_fp4_from(x, __NV_E2M1, cudaRoundNearest); }
__px_both __half __px_of_e2m1(unsigned code) { return __px_fp4_value(code, __NV_E2M1); }
__px_tiny_classes(fp4, e2m1, 4, __px_to_e2m1, __px_of_e2m1)
