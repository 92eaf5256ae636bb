/* threadIdx, blockIdx, blockDim, gridDim and warpSize: each component reads its special register. */
#pragma once

#include <ptxscope/vectors.h>

#define __px_component(c, sreg)                                                                                                        \
	__declspec(property(get = __##c)) unsigned c;                                                                                  \
	static __device__ __inline__ __attribute__((always_inline)) unsigned __##c() { return __nvvm_read_ptx_sreg_##sreg##_##c(); }

#define __px_index(name, sreg)                                                                                                         \
	struct __px_##name {                                                                                                           \
		__px_component(x, sreg) __px_component(y, sreg) __px_component(z, sreg)                                                \
		__device__ __forceinline__ operator uint3() const { return {__x(), __y(), __z()}; }                                    \
		__device__ __forceinline__ operator dim3() const { return {__x(), __y(), __z()}; }                                     \
		__px_##name(const __px_##name &) = delete;                                                                             \
		void operator=(const __px_##name &) = delete;                                                                          \
	};                                                                                                                             \
	extern const __device__ __attribute__((weak)) __px_##name name;

__px_index(threadIdx, tid)
__px_index(blockIdx, ctaid)
__px_index(blockDim, ntid)
__px_index(gridDim, nctaid)
#undef __px_index
#undef __px_component

static constexpr int warpSize = 32;
