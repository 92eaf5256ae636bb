/* cuda::barrier. Of a block and in shared memory it is an mbarrier (sm_80); elsewhere one word that counts: the phase in bit 63, how
 * many a phase expects in bits 32 to 62, and how many it still waits for in bits 0 to 31. */
#pragma once

#include <ptxscope/async_copy.h>
#include <ptxscope/atomic_object.h>

namespace cuda {
struct __px_no_completion {
	__device__ __forceinline__ void operator()() const {}
};

template <thread_scope scope, class Completion = __px_no_completion> class barrier {
	typedef unsigned long long Word;
	alignas(8) Word word;
	Completion completion;
	static constexpr bool may_be_hardware = scope >= thread_scope_block && __is_same(Completion, __px_no_completion);
	static constexpr Word phase_bit = 1ull << 63;

	__device__ __forceinline__ bool is_hardware() const {
#if __CUDA_ARCH__ >= 800
		if constexpr (may_be_hardware)
			return __isShared(this);
#endif
		return false;
	}
	static __device__ __forceinline__ Word first(ptrdiff_t expected) { return (Word)expected << 32 | (Word)(unsigned)expected; }

	/* Takes `n` from the arrivals of this phase and `dropped` from those of all later ones. */
	__device__ Word arrive_in_software(Word n, Word dropped) {
		for (Word seen = __px_scoped_load<scope>(&word, memory_order_relaxed);;) {
			Word now = __px_scoped_cas<scope>(&word, seen, seen - n - (dropped << 32), memory_order_acq_rel);
			if (now != seen) {
				seen = now;
				continue;
			}
			if ((unsigned)(seen - n) == 0) {
				Word expected = (seen - (dropped << 32)) >> 32 & 0x7fffffff;
				completion();
				__px_scoped_store<scope>(&word, ((seen & phase_bit) ^ phase_bit) | expected << 32 | expected, memory_order_release);
			}
			return seen & phase_bit;
		}
	}

public:
	typedef Word arrival_token;
#if __CUDA_ARCH__ >= 800
	__device__ __forceinline__ __attribute__((address_space(3))) __INT64_TYPE__ *__px_hardware() const { return (__attribute__((address_space(3))) __INT64_TYPE__ *)&word; }
#endif

	barrier() = default;
	barrier(const barrier &) = delete;
	barrier &operator=(const barrier &) = delete;
	__device__ __forceinline__ barrier(ptrdiff_t expected, Completion completion = Completion()) : completion(completion) {
#if __CUDA_ARCH__ >= 800
		if (is_hardware()) {
			__nvvm_mbarrier_init_shared(__px_hardware(), (int)expected);
			return;
		}
#endif
		word = first(expected);
	}
	__device__ __forceinline__ ~barrier() {}
	static constexpr __host__ __device__ ptrdiff_t max() { return (1 << 20) - 1; }

	__device__ __forceinline__ arrival_token arrive(ptrdiff_t n = 1) {
#if __CUDA_ARCH__ >= 800
		if (is_hardware()) {
			if (n > 1)
				__nvvm_mbarrier_arrive_noComplete_shared(__px_hardware(), (int)n - 1);
			return (Word)__nvvm_mbarrier_arrive_shared(__px_hardware());
		}
#endif
		return arrive_in_software((Word)n, 0);
	}
	/* Whether the phase of the token is over. */
	__device__ __forceinline__ bool __px_is_over(arrival_token token) const {
#if __CUDA_ARCH__ >= 800
		if (is_hardware())
			return __nvvm_mbarrier_test_wait_shared(__px_hardware(), (long long)token);
#endif
		return (__px_scoped_load<scope>(&word, memory_order_acquire) & phase_bit) != token;
	}
	__device__ __forceinline__ void wait(arrival_token token) const {
		while (!__px_is_over(token))
			__nanosleep(20);
	}
	/* Whether the phase that `parity` numbers, 0 or 1, is over. */
	__device__ __forceinline__ bool __px_parity_is_over(bool parity) const {
#if __CUDA_ARCH__ >= 800
		if (is_hardware()) {
			unsigned over;
			asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
			    : "=r"(over) : "r"((unsigned)__cvta_generic_to_shared(&word)), "r"((unsigned)parity) : "memory");
			return over;
		}
#endif
		return ((__px_scoped_load<scope>(&word, memory_order_acquire) & phase_bit) != 0) != parity;
	}
	__device__ __forceinline__ void wait_parity(bool parity) const {
		while (!__px_parity_is_over(parity))
			__nanosleep(20);
	}
	__device__ __forceinline__ bool try_wait_parity(bool parity) const { return __px_parity_is_over(parity); }
	__device__ __forceinline__ void arrive_and_wait() { wait(arrive()); }
	__device__ __forceinline__ void arrive_and_drop() {
#if __CUDA_ARCH__ >= 800
		if (is_hardware()) {
			__nvvm_mbarrier_arrive_drop_shared(__px_hardware());
			return;
		}
#endif
		arrive_in_software(1, 1);
	}

	/* Copies of this thread so far belong to the phase. */
	__device__ __forceinline__ void __px_hold_for_copies() {
#if __CUDA_ARCH__ >= 800
		if (is_hardware()) {
			__nvvm_cp_async_mbarrier_arrive_shared(__px_hardware());
			return;
		}
#endif
		__px_copy_commit();
		__px_copy_wait<0>();
	}
	friend __device__ __forceinline__ void init(barrier *b, ptrdiff_t expected) { new (b) barrier(expected); }
	friend __device__ __forceinline__ void init(barrier *b, ptrdiff_t expected, Completion completion) { new (b) barrier(expected, completion); }
};

namespace device {
template <thread_scope scope> __px_inline unsigned long long *barrier_native_handle(barrier<scope> &b) { return (unsigned long long *)&b; }
}

/* One thread copies all of it. */
template <class Size, thread_scope scope, class Completion>
__px_inline void memcpy_async(void *to, const void *from, Size bytes, barrier<scope, Completion> &b) {
	if (__px_copy_part<__px_alignment_of<Size>>(to, from, bytes, 0, 1))
		b.__px_hold_for_copies();
}
/* Each thread of the group copies a part. */
template <class Group, class Size, thread_scope scope, class Completion>
__px_inline void memcpy_async(const Group &group, void *to, const void *from, Size bytes, barrier<scope, Completion> &b) {
	if (__px_copy_part<__px_alignment_of<Size>>(to, from, bytes, (unsigned)group.thread_rank(), (unsigned)group.size()))
		b.__px_hold_for_copies();
}

namespace std {
template <class Completion = __px_no_completion> using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}
}
