/* Numbers of 6 bits, each in a byte: e2m3 and e3m2. What is larger than the largest becomes that; so does what is no number. */
#pragma once

#include <ptxscope/tiny_float.h>

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

__px_both unsigned char __px_fp6_from(double x, __nv_fp6_interpretation_t format, cudaRoundMode rounding) {
	return format == __NV_E2M3 ? __px_tiny_from<__px_e2m3>(x, true, rounding) : __px_tiny_from<__px_e3m2>(x, true, rounding);
}
__px_both unsigned short __px_fp6_pair(double x, double y, __nv_fp6_interpretation_t format, cudaRoundMode rounding) {
	return (unsigned short)(__px_fp6_from(x, format, rounding) | __px_fp6_from(y, format, rounding) << 8);
}
__px_both __half __px_fp6_value(unsigned code, __nv_fp6_interpretation_t format) {
	return format == __NV_E2M3 ? __px_tiny_value<__px_e2m3>(code) : __px_tiny_value<__px_e3m2>(code);
}
#define __px_fp6_with __nv_fp6_interpretation_t format, cudaRoundMode rounding
#define __px_fp6_give format, rounding
__px_tiny_conversions(fp6, 8, __px_fp6_with, __px_fp6_give)
#undef __px_fp6_with
#undef __px_fp6_give

__px_both unsigned char __px_to_e2m3(double x) { return __px_fp6_from(x, __NV_E2M3, cudaRoundNearest); }
__px_both __half __px_of_e2m3(unsigned code) { return __px_fp6_value(code, __NV_E2M3); }
__px_both unsigned char __px_to_e3m2(double x) { return __px_fp6_from(x, __NV_E3M2, cudaRoundNearest); }
__px_both __half __px_of_e3m2(unsigned code) { return __px_fp6_value(code, __NV_E3M2); }
__px_tiny_classes(fp6, e2m3, 8, __px_to_e2m3, __px_of_e2m3)
__px_tiny_classes(fp6, e3m2, 8, __px_to_e3m2, __px_of_e3m2)
