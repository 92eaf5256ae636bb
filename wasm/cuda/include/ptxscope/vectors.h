/* CUDA's vector types: one to four components of a scalar type, aligned so that they are read in one access, and make_TYPE. */
#pragma once

#include <ptxscope/define.h>

#define __px_vectors(T, name, align2, align4)                                                                                          \
	struct name##1 { T x; };                                                                                                       \
	struct __align__(align2) name##2 { T x, y; };                                                                                  \
	struct name##3 { T x, y, z; };                                                                                                 \
	struct __align__(align4) name##4 { T x, y, z, w; };                                                                            \
	__px_both name##1 make_##name##1(T x) { return {x}; }                                                                          \
	__px_both name##2 make_##name##2(T x, T y) { return {x, y}; }                                                                  \
	__px_both name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                                          \
	__px_both name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

__px_vectors(signed char, char, 2, 4)
__px_vectors(unsigned char, uchar, 2, 4)
__px_vectors(short, short, 4, 8)
__px_vectors(unsigned short, ushort, 4, 8)
__px_vectors(int, int, 8, 16)
__px_vectors(unsigned, uint, 8, 16)
__px_vectors(long, long, 16, 16)
__px_vectors(unsigned long, ulong, 16, 16)
__px_vectors(long long, longlong, 16, 16)
__px_vectors(unsigned long long, ulonglong, 16, 16)
__px_vectors(float, float, 8, 16)
__px_vectors(double, double, 16, 16)
#undef __px_vectors

struct dim3 {
	unsigned x, y, z;
	__host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
	__host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	__host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
