/* Integer intrinsics, and min and max of integers. */
#pragma once

#include <ptxscope/vectors.h>

__px_both int __popc(unsigned x) { return __builtin_popcount(x); }
__px_both int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__px_both int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__px_both int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
__px_both int __ffs(int x) { return __builtin_ffs(x); }
__px_both int __ffsll(long long x) { return __builtin_ffsll(x); }
__px_both unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__px_both unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__px_inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) { return __nvvm_prmt(low, high, selector & 0x7777); }

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
__px_both int __dp4a(char4 a, char4 b, int c) { return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c); }
__px_both unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c); }
/* Two halves times the lower or the upper two bytes. */
#define __px_dp2a(name, first, T, Half, Byte, Half2, Byte4)                                                                            \
	__px_both T name(T a, T b, T c) { return c + (T)(Half)a * (T)(Byte)(b >> first) + (T)(Half)(a >> 16) * (T)(Byte)(b >> (first + 8)); } \
	__px_both T name(Half2 a, Byte4 b, T c) { return name(__builtin_bit_cast(T, a), __builtin_bit_cast(T, b), c); }
__px_dp2a(__dp2a_lo, 0, int, short, signed char, short2, char4)
__px_dp2a(__dp2a_hi, 16, int, short, signed char, short2, char4)
__px_dp2a(__dp2a_lo, 0, unsigned, unsigned short, unsigned char, ushort2, uchar4)
__px_dp2a(__dp2a_hi, 16, unsigned, unsigned short, unsigned char, ushort2, uchar4)
#undef __px_dp2a
__px_both unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
__px_both unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
__px_both unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

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
__px_both long long llmin(long long a, long long b) { return min(a, b); }
__px_both long long llmax(long long a, long long b) { return max(a, b); }
__px_both unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
__px_both unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
__px_both unsigned umin(unsigned a, unsigned b) { return min(a, b); }
__px_both unsigned umax(unsigned a, unsigned b) { return max(a, b); }
