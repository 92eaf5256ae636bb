/* Integer intrinsics, and min and max of integers. */
#pragma once

#include <ptxscope/define.h>

__px_both int __popc(unsigned x) { return __builtin_popcount(x); }
__px_both int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__px_both int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__px_both int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
__px_both int __ffs(int x) { return __builtin_ffs(x); }
__px_both int __ffsll(long long x) { return __builtin_ffsll(x); }
__px_both unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__px_both unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__px_inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) { return __nvvm_prmt(low, high, selector); }

__px_both unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
	return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
__px_both unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
	return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__px_both unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
	return (unsigned)((((unsigned long long)high << 32 | low) << (shift < 32 ? shift : 32)) >> 32);
}
__px_both unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
	return (unsigned)(((unsigned long long)high << 32 | low) >> (shift < 32 ? shift : 32));
}

__px_inline int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
__px_inline unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
__px_inline long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
__px_inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
__px_inline int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
__px_inline unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
__px_inline unsigned __sad(int a, int b, unsigned c) { return (unsigned)__nvvm_sad_i(a, b, (int)c); }
__px_inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
__px_both int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
__px_both int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
__px_both unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
__px_both unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

/* Sums of products of bytes. */
#define __px_dp4a(T, pick)                                                                                                             \
	__px_both T __dp4a(T a, T b, T c) {                                                                                            \
		for (int i = 0; i < 32; i += 8)                                                                                        \
			c += (T)(pick)(a >> i) * (T)(pick)(b >> i);                                                                    \
		return c;                                                                                                              \
	}
__px_dp4a(int, signed char)
__px_dp4a(unsigned, unsigned char)
#undef __px_dp4a

#define __px_minmax(T)                                                                                                                 \
	__px_both T min(T a, T b) { return a < b ? a : b; }                                                                            \
	__px_both T max(T a, T b) { return a > b ? a : b; }
__px_minmax(int)
__px_minmax(unsigned)
__px_minmax(long)
__px_minmax(unsigned long)
__px_minmax(long long)
__px_minmax(unsigned long long)
#undef __px_minmax
#define __px_mixed(T, A, B)                                                                                                            \
	__px_both T min(A a, B b) { return min((T)a, (T)b); }                                                                          \
	__px_both T max(A a, B b) { return max((T)a, (T)b); }
__px_mixed(unsigned, int, unsigned)
__px_mixed(unsigned, unsigned, int)
__px_mixed(unsigned long, long, unsigned long)
__px_mixed(unsigned long, unsigned long, long)
__px_mixed(unsigned long long, long long, unsigned long long)
__px_mixed(unsigned long long, unsigned long long, long long)
#undef __px_mixed
__px_libc int abs(int x) { return x < 0 ? -x : x; }
__px_libc long abs(long x) { return x < 0 ? -x : x; }
__px_libc long long abs(long long x) { return x < 0 ? -x : x; }
__px_libc long labs(long x) { return x < 0 ? -x : x; }
__px_libc long long llabs(long long x) { return x < 0 ? -x : x; }
