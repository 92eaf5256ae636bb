/* What a whole program finds in front of its source: the C and C++ library of its host code, CUDA's runtime, and for kernels the functions
 * of these headers beside those of the library, which are host functions. Here <math.h> is the library's and ../math.h ours. */
#pragma once

#ifdef __PTXSCOPE_PROGRAM__

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptxscope/define.h>
#include <ptxscope/integer.h>
#include "../math.h"
#include "../string.h"

extern "C" __device__ int printf(const char *format, ...);
extern "C" __device__ void *malloc(size_t bytes);
extern "C" __device__ void free(void *memory);

/* CUDA's own functions in host code, by those of the library. */
#define __px_host(name, single, precise)                                                                                               \
	static __host__ __inline__ float name##f(float x) { return single; }                                                           \
	static __host__ __inline__ double name(double x) { return precise; }
__px_host(rsqrt, 1 / ::sqrtf(x), 1 / ::sqrt(x))
__px_host(rcbrt, 1 / ::cbrtf(x), 1 / ::cbrt(x))
__px_host(sinpi, ::sinf((float)M_PI * ::remainderf(x, 2)), ::sin(M_PI * ::remainder(x, 2)))
__px_host(cospi, ::cosf((float)M_PI * ::remainderf(x, 2)), ::cos(M_PI * ::remainder(x, 2)))
#undef __px_host
static __host__ __inline__ float rsqrt(float x) { return rsqrtf(x); }
static __host__ __inline__ float fdividef(float x, float y) { return x / y; }

/* What the library's assert calls. */
extern "C" __device__ void __assertfail(const char *condition, const char *file, unsigned line, const char *function, size_t char_size) __attribute__((noreturn));
__px_inline void __assert_fail(const char *condition, const char *file, int line, const char *function) { __assertfail(condition, file, (unsigned)line, function, 1); }

#endif

#include <cuda_runtime.h>
