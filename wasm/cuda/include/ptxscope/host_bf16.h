/* __bf16 where host code is compiled for a target that lacks it: the bits, and conversions from and to float. Device code has clang's. */
#pragma once

#include <ptxscope/define.h>

#if defined(__PTXSCOPE_PROGRAM__) && !defined(__CUDA_ARCH__)
struct __px_bf16 {
	unsigned short bits;
	__px_bf16() = default;
	__host__ __device__ constexpr __px_bf16(float x) : bits(rounded(__builtin_bit_cast(unsigned, x))) {}
	__host__ __device__ constexpr operator float() const { return __builtin_bit_cast(float, (unsigned)bits << 16); }
	/* To the nearest, of two the even one; a NaN stays one. */
	static __host__ __device__ constexpr unsigned short rounded(unsigned x) {
		return (x & 0x7fffffff) > 0x7f800000 ? 0x7fff : (unsigned short)((x + 0x7fff + (x >> 16 & 1)) >> 16);
	}
};
#define __bf16 __px_bf16
#endif
