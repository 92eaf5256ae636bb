/* What every header here begins with: CUDA's words for clang's attributes, and how the functions of these headers are declared. */
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((grid_constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __restrict __restrict__
#define CUDARTAPI
#define CUDART_CB

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080

/* One instruction or a few: becomes part of its caller. */
#define __px_inline static __device__ __inline__ __attribute__((always_inline))
/* The same for what host code may name, too. */
#define __px_both static __host__ __device__ __inline__ __attribute__((always_inline))
/* The same for what C's library has: in a whole program host code takes that. */
#ifdef __PTXSCOPE_PROGRAM__
#define __px_libc static __device__ __inline__ __attribute__((always_inline))
#else
#define __px_libc __px_both
#endif
/* Longer: clang decides whether a call stays. */
#define __px_function static __host__ __device__ __inline__

/* Inline PTX's letter for a register that holds an address. */
#if __SIZEOF_POINTER__ == 8
#define __px_address "l"
#else
#define __px_address "r"
#endif

#include <stddef.h>
