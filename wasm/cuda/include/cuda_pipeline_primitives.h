/* The primitives of asynchronous copies and of the barriers that count them. */
#pragma once

#include <ptxscope/async_copy.h>

/* The last `zeros` bytes are 0 instead of read. */
__px_inline void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from, size_t bytes, size_t zeros = 0) {
#if __CUDA_ARCH__ >= 800
	unsigned read = (unsigned)(bytes - zeros);
	if (bytes == 16)
		zeros ? __px_copy_async<16>(to, from, read) : __px_copy_async<16>(to, from);
	else if (bytes == 8)
		zeros ? __px_copy_async<8>(to, from, read) : __px_copy_async<8>(to, from);
	else
		zeros ? __px_copy_async<4>(to, from, read) : __px_copy_async<4>(to, from);
#else
	for (size_t i = 0; i < bytes; i++)
		((char *)to)[i] = i < bytes - zeros ? ((const char *)from)[i] : 0;
#endif
}
__px_inline void __pipeline_commit() { __px_copy_commit(); }
__px_inline void __pipeline_wait_prior(size_t n) { __px_copy_wait_prior(n); }

#if __CUDA_ARCH__ >= 800
typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;
#define __px_mbarrier(b) ((__attribute__((address_space(3))) __INT64_TYPE__ *)(b))
__px_inline unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }
__px_inline void __mbarrier_init(__mbarrier_t *b, unsigned count) { __nvvm_mbarrier_init_shared(__px_mbarrier(b), (int)count); }
__px_inline void __mbarrier_inval(__mbarrier_t *b) { __nvvm_mbarrier_inval_shared(__px_mbarrier(b)); }
__px_inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) { return (__mbarrier_token_t)__nvvm_mbarrier_arrive_shared(__px_mbarrier(b)); }
__px_inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) { return (__mbarrier_token_t)__nvvm_mbarrier_arrive_drop_shared(__px_mbarrier(b)); }
__px_inline bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t token) { return __nvvm_mbarrier_test_wait_shared(__px_mbarrier(b), (long long)token); }
__px_inline unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) { return (unsigned)__nvvm_mbarrier_pending_count((long long)token); }
/* The barrier's phase lasts until the thread's copies so far are done; the count of arrivals stays. */
__px_inline void __pipeline_arrive_on(__mbarrier_t *b) { __nvvm_cp_async_mbarrier_arrive_shared(__px_mbarrier(b)); }
#undef __px_mbarrier
#endif
