/* Copies to shared memory that the hardware makes by itself (cp.async), and in pieces of what alignment allows. */
#pragma once

#include <cuda_runtime.h>

namespace cuda {
/* A size with the alignment that it promises for both addresses. */
template <size_t alignment> struct aligned_size_t {
	static constexpr size_t align = alignment;
	size_t value;
	__host__ __device__ constexpr explicit aligned_size_t(size_t value) : value(value) {}
	__host__ __device__ constexpr operator size_t() const { return value; }
};
}

template <class Size> inline constexpr size_t __px_alignment_of = 1;
template <size_t alignment> inline constexpr size_t __px_alignment_of<cuda::aligned_size_t<alignment>> = alignment;

#if __CUDA_ARCH__ >= 800
template <int bytes> __px_inline void __px_copy_async(void *to, const void *from) {
	auto *shared = (__attribute__((address_space(3))) void *)to;
	auto *global = (const __attribute__((address_space(1))) void *)from;
	if constexpr (bytes == 4)
		__nvvm_cp_async_ca_shared_global_4(shared, global);
	else if constexpr (bytes == 8)
		__nvvm_cp_async_ca_shared_global_8(shared, global);
	else
		__nvvm_cp_async_cg_shared_global_16(shared, global);
}
/* The same; of `bytes` only the first `from_bytes` are read, the others are 0. */
template <int bytes> __px_inline void __px_copy_async(void *to, const void *from, unsigned from_bytes) {
	auto *shared = (__attribute__((address_space(3))) void *)to;
	auto *global = (const __attribute__((address_space(1))) void *)from;
	if constexpr (bytes == 4)
		__nvvm_cp_async_ca_shared_global_4(shared, global, (int)from_bytes);
	else if constexpr (bytes == 8)
		__nvvm_cp_async_ca_shared_global_8(shared, global, (int)from_bytes);
	else
		__nvvm_cp_async_cg_shared_global_16(shared, global, (int)from_bytes);
}
#endif

template <class W, int asynchronous> __px_inline void __px_copy_words(char *to, const char *from, size_t bytes, unsigned rank, unsigned threads) {
	for (size_t i = rank * sizeof(W); i < bytes; i += threads * sizeof(W)) {
#if __CUDA_ARCH__ >= 800
		if constexpr (asynchronous) {
			__px_copy_async<sizeof(W)>(to + i, from + i);
			continue;
		}
#endif
		*(W *)(to + i) = *(const W *)(from + i);
	}
}

/* The part of a copy that the thread `rank` of `threads` makes. True where copies may be under way afterwards. */
template <size_t alignment> __px_inline bool __px_copy_part(void *to, const void *from, size_t bytes, unsigned rank, unsigned threads) {
	char *t = (char *)to;
	const char *f = (const char *)from;
	unsigned long long odd = alignment >= 16 ? 0 : (unsigned long long)(size_t)t | (unsigned long long)(size_t)f | bytes;
#if __CUDA_ARCH__ >= 800
	if (alignment % 4 == 0 || odd % 4 == 0)
		if (__isShared(to) && __isGlobal(from)) {
			if (odd % 16 == 0 && (alignment < 16 || bytes % 16 == 0))
				__px_copy_words<uint4, 1>(t, f, bytes, rank, threads);
			else if (odd % 8 == 0 && (alignment < 8 || bytes % 8 == 0))
				__px_copy_words<uint2, 1>(t, f, bytes, rank, threads);
			else
				__px_copy_words<unsigned, 1>(t, f, bytes, rank, threads);
			return true;
		}
#endif
	if (odd % 16 == 0 && bytes % 16 == 0)
		__px_copy_words<uint4, 0>(t, f, bytes, rank, threads);
	else if (odd % 4 == 0 && bytes % 4 == 0)
		__px_copy_words<unsigned, 0>(t, f, bytes, rank, threads);
	else
		__px_copy_words<unsigned char, 0>(t, f, bytes, rank, threads);
	return false;
}
__px_inline void __px_copy_commit() {
#if __CUDA_ARCH__ >= 800
	__nvvm_cp_async_commit_group();
#endif
}
template <int n> __px_inline void __px_copy_wait() {
#if __CUDA_ARCH__ >= 800
	__nvvm_cp_async_wait_group(n);
#endif
}
/* Until at most `n` of the groups are under way; the instruction wants a constant. */
__px_inline void __px_copy_wait_prior(size_t n) {
	switch (n) {
	case 0: __px_copy_wait<0>(); break;
	case 1: __px_copy_wait<1>(); break;
	case 2: __px_copy_wait<2>(); break;
	case 3: __px_copy_wait<3>(); break;
	case 4: __px_copy_wait<4>(); break;
	case 5: __px_copy_wait<5>(); break;
	case 6: __px_copy_wait<6>(); break;
	case 7: __px_copy_wait<7>(); break;
	default: __px_copy_wait<8>(); break;
	}
}
