/* Operations of a warp: votes, matches, reductions, shuffles. */
#pragma once

#include <ptxscope/define.h>

__px_inline unsigned __activemask() { return __nvvm_activemask(); }
__px_inline int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__px_inline int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__px_inline int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
__px_inline unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
__px_inline unsigned __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
__px_inline unsigned __fns(unsigned mask, unsigned base, int offset) { return __nvvm_fns(mask, base, offset); }

/* A value of 4 or 8 bytes, whatever its type, as bits and back. */
template <class To, class From> __px_inline To __px_bits(From v) { return __builtin_bit_cast(To, v); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define __px_match(T, bits, U)                                                                                                         \
	__px_inline unsigned __match_any_sync(unsigned mask, T v) { return __nvvm_match_any_sync_i##bits(mask, __px_bits<U>(v)); }     \
	__px_inline unsigned __match_all_sync(unsigned mask, T v, int *all) { return __nvvm_match_all_sync_i##bits##p(mask, __px_bits<U>(v), all); }
__px_match(int, 32, unsigned)
__px_match(unsigned, 32, unsigned)
__px_match(float, 32, unsigned)
#if __SIZEOF_LONG__ == 8
__px_match(long, 64, unsigned long long)
__px_match(unsigned long, 64, unsigned long long)
#else
__px_match(long, 32, unsigned)
__px_match(unsigned long, 32, unsigned)
#endif
__px_match(long long, 64, unsigned long long)
__px_match(unsigned long long, 64, unsigned long long)
__px_match(double, 64, unsigned long long)
#undef __px_match
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__px_inline int __reduce_add_sync(unsigned mask, int v) { return __nvvm_redux_sync_add(v, mask); }
__px_inline int __reduce_min_sync(unsigned mask, int v) { return __nvvm_redux_sync_min(v, mask); }
__px_inline int __reduce_max_sync(unsigned mask, int v) { return __nvvm_redux_sync_max(v, mask); }
__px_inline unsigned __reduce_add_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_add((int)v, mask); }
__px_inline unsigned __reduce_min_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umin(v, mask); }
__px_inline unsigned __reduce_max_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umax(v, mask); }
__px_inline unsigned __reduce_and_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_and((int)v, mask); }
__px_inline unsigned __reduce_or_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_or((int)v, mask); }
__px_inline unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_xor((int)v, mask); }
#endif

/* One shuffle for all types: two of 32 bits where a value has 64. `clamp` is the last lane that may be read, or 0 where lanes
 * below are read. */
#define __px_shuffle(name, kind, Lane, clamp)                                                                                          \
	__px_inline int name(unsigned mask, int v, Lane lane, int width = 32) {                                                        \
		return __nvvm_shfl_sync_##kind##_i32(mask, v, (int)lane, (32 - width) << 8 | clamp);                                   \
	}                                                                                                                              \
	__px_inline float name(unsigned mask, float v, Lane lane, int width = 32) {                                                    \
		return __nvvm_shfl_sync_##kind##_f32(mask, v, (int)lane, (32 - width) << 8 | clamp);                                   \
	}                                                                                                                              \
	__px_inline unsigned name(unsigned mask, unsigned v, Lane lane, int width = 32) { return name(mask, (int)v, lane, width); }    \
	__px_inline unsigned long long name(unsigned mask, unsigned long long v, Lane lane, int width = 32) {                          \
		unsigned low = name(mask, (unsigned)v, lane, width), high = name(mask, (unsigned)(v >> 32), lane, width);              \
		return (unsigned long long)high << 32 | low;                                                                           \
	}                                                                                                                              \
	__px_inline long long name(unsigned mask, long long v, Lane lane, int width = 32) { return name(mask, (unsigned long long)v, lane, width); } \
	__px_inline long name(unsigned mask, long v, Lane lane, int width = 32) { return name(mask, (unsigned long long)v, lane, width); } \
	__px_inline unsigned long name(unsigned mask, unsigned long v, Lane lane, int width = 32) { return name(mask, (unsigned long long)v, lane, width); } \
	__px_inline double name(unsigned mask, double v, Lane lane, int width = 32) {                                                  \
		return __px_bits<double>(name(mask, __px_bits<unsigned long long>(v), lane, width));                                   \
	}

__px_shuffle(__shfl_sync, idx, int, 31)
__px_shuffle(__shfl_up_sync, up, unsigned, 0)
__px_shuffle(__shfl_down_sync, down, unsigned, 31)
__px_shuffle(__shfl_xor_sync, bfly, int, 31)
#undef __px_shuffle
