/* Numbers of 8 bits: e4m3 and e5m2, and powers of two (e8m0). From sm_89 on conversions are instructions. */
#pragma once

#include <ptxscope/tiny_float.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

__px_both unsigned char __px_fp8_from(double x, __nv_saturation_t limit, __nv_fp8_interpretation_t format) {
	return format == __NV_E4M3 ? __px_tiny_from<__px_e4m3>(x, limit == __NV_SATFINITE, cudaRoundNearest)
		: __px_tiny_from<__px_e5m2>(x, limit == __NV_SATFINITE, cudaRoundNearest);
}
__px_both unsigned short __px_fp8_pair(double x, double y, __nv_saturation_t limit, __nv_fp8_interpretation_t format) {
	return (unsigned short)(__px_fp8_from(x, limit, format) | __px_fp8_from(y, limit, format) << 8);
}
#if __CUDA_ARCH__ >= 890
__px_inline unsigned short __px_fp8_pair(float x, float y, __nv_saturation_t limit, __nv_fp8_interpretation_t format) {
	if (limit != __NV_SATFINITE)
		return __px_fp8_pair((double)x, (double)y, limit, format);
	return (unsigned short)(format == __NV_E4M3 ? __nvvm_ff_to_e4m3x2_rn(y, x) : __nvvm_ff_to_e5m2x2_rn(y, x));
}
__px_inline unsigned char __px_fp8_from(float x, __nv_saturation_t limit, __nv_fp8_interpretation_t format) {
	return limit == __NV_SATFINITE ? (unsigned char)__px_fp8_pair(x, 0.0f, limit, format) : __px_fp8_from((double)x, limit, format);
}
__px_inline __half __px_fp8_value(unsigned code, __nv_fp8_interpretation_t format) {
	typedef _Float16 Pair __attribute__((vector_size(4)));
	return __half(__builtin_bit_cast(Pair, format == __NV_E4M3 ? __nvvm_e4m3x2_to_f16x2_rn((short)code) : __nvvm_e5m2x2_to_f16x2_rn((short)code))[0]);
}
#else
__px_both __half __px_fp8_value(unsigned code, __nv_fp8_interpretation_t format) {
	return format == __NV_E4M3 ? __px_tiny_value<__px_e4m3>(code) : __px_tiny_value<__px_e5m2>(code);
}
#endif
#define __px_fp8_with __nv_saturation_t limit, __nv_fp8_interpretation_t format
#define __px_fp8_give limit, format
__px_tiny_conversions(fp8, 8, __px_fp8_with, __px_fp8_give)

/* Powers of two, without a sign: 255 is no number. */
__px_both unsigned char __px_e8m0_from(double x, __nv_saturation_t limit, cudaRoundMode rounding) {
	unsigned long long word = __builtin_bit_cast(unsigned long long, x) & 0x7fffffffffffffffull;
	if (x != x)
		return 255;
	if (word == 0x7ff0000000000000ull)
		return limit == __NV_SATFINITE ? 254 : 255;
	bool up = rounding == cudaRoundPosInf && (word & 0xfffffffffffffull) != 0;
	int e = (int)(word >> 52) - 1023 + up;
	return e < -127 ? 0 : e > 127 ? limit == __NV_SATFINITE || rounding != cudaRoundPosInf ? 254 : 255 : (unsigned char)(e + 127);
}
__px_both __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
	return {(unsigned short)(x == 255 ? 0x7fff : x ? x << 7 : 0x40)};
}
__px_both __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
	return {__nv_cvt_e8m0_to_bf16raw((unsigned char)x).x, __nv_cvt_e8m0_to_bf16raw((unsigned char)(x >> 8)).x};
}
#define __px_e8m0(name, T, value)                                                                                                      \
	__px_both __nv_fp8_storage_t __nv_cvt_##name##_to_e8m0(T x, __nv_saturation_t limit, cudaRoundMode rounding) { return __px_e8m0_from(value(x), limit, rounding); }
#define __px_e8m0x2(name, T, value)                                                                                                    \
	__px_both __nv_fp8x2_storage_t __nv_cvt_##name##_to_e8m0x2(T v, __nv_saturation_t limit, cudaRoundMode rounding) {             \
		return (unsigned short)(__px_e8m0_from(value(v.x), limit, rounding) | __px_e8m0_from(value(v.y), limit, rounding) << 8); \
	}
__px_both double __px_e8m0_of(unsigned short x) { return (float)__nv_bfloat16(__nv_bfloat16_raw{x}); }
__px_both double __px_e8m0_of(__nv_bfloat16_raw x) { return __px_e8m0_of(x.x); }
__px_e8m0(double, double, ) __px_e8m0(float, float, ) __px_e8m0(bfloat16raw, __nv_bfloat16_raw, __px_e8m0_of)
__px_e8m0x2(double2, double2, ) __px_e8m0x2(float2, float2, ) __px_e8m0x2(bfloat162raw, __nv_bfloat162_raw, __px_e8m0_of)
#undef __px_e8m0
#undef __px_e8m0x2

#define __px_fp8_number(T)                                                                                                             \
	__px_both unsigned char __px_to_e4m3(T x) { return __px_fp8_from(x, __NV_SATFINITE, __NV_E4M3); }                              \
	__px_both unsigned char __px_to_e5m2(T x) { return __px_fp8_from(x, __NV_SATFINITE, __NV_E5M2); }                              \
	__px_both unsigned char __px_to_e8m0(T x) { return __px_e8m0_from(x, __NV_SATFINITE, cudaRoundPosInf); }
__px_fp8_number(float) __px_fp8_number(double)
#undef __px_fp8_number
__px_both __half __px_of_e4m3(unsigned code) { return __px_fp8_value(code, __NV_E4M3); }
__px_both __half __px_of_e5m2(unsigned code) { return __px_fp8_value(code, __NV_E5M2); }
__px_both __nv_bfloat16 __px_of_e8m0(unsigned code) { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw((unsigned char)code)); }
__px_tiny_classes(fp8, e4m3, 8, __px_to_e4m3, __px_of_e4m3)
__px_tiny_classes(fp8, e5m2, 8, __px_to_e5m2, __px_of_e5m2)
__px_tiny_classes(fp8, e8m0, 8, __px_to_e8m0, __px_of_e8m0)
#undef __px_fp8_with
#undef __px_fp8_give
