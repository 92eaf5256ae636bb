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

/* What the library's assert calls. */
extern "C" __device__ void __assertfail(const char *condition, const char *file, unsigned line, const char *function, size_t char_size) __attribute__((noreturn));
__px_inline void __assert_fail(const char *condition, const char *file, int line, const char *function) { __assertfail(condition, file, (unsigned)line, function, 1); }

#endif

#include <cuda_runtime.h>
