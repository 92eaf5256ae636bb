/* Two halves or four bytes of a word at a time: the video intrinsics, and the three-operand ones of dynamic programming. Each is written
 * lane by lane; clang joins what it can. */
#pragma once

#include <ptxscope/integer.h>

/* One lane as a number, and f of all lanes. */
template <int bits, bool is_signed> __px_both int __px_lane(unsigned v, int at) {
	return is_signed ? (int)(v << (32 - bits - at)) >> (32 - bits) : (int)(v >> at & ((1u << bits) - 1));
}
template <int bits, bool is_signed, class F> __px_both unsigned __px_by_lane(unsigned a, unsigned b, F f) {
	unsigned r = 0;
#pragma unroll
	for (int at = 0; at < 32; at += bits)
		r |= ((unsigned)f(__px_lane<bits, is_signed>(a, at), __px_lane<bits, is_signed>(b, at)) & ((1u << bits) - 1)) << at;
	return r;
}
template <int bits, bool is_signed> __px_both int __px_limited(int v) {
	constexpr int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, least = is_signed ? -most - 1 : 0;
	return v < least ? least : v > most ? most : v;
}

#define __px_simd_of(name, n, bits, is_signed, ...)                                                                                    \
	__px_both unsigned __v##name##n(unsigned a, unsigned b) { return __px_by_lane<bits, is_signed>(a, b, [](int x, int y) { return __VA_ARGS__; }); }
#define __px_simd(name, is_signed, ...) __px_simd_of(name, 2, 16, is_signed, __VA_ARGS__) __px_simd_of(name, 4, 8, is_signed, __VA_ARGS__)
#define __px_simd_limited(name, is_signed, ...)                                                                                        \
	__px_simd_of(name, 2, 16, is_signed, __px_limited<16, is_signed>(__VA_ARGS__)) __px_simd_of(name, 4, 8, is_signed, __px_limited<8, is_signed>(__VA_ARGS__))
__px_simd(add, false, x + y) __px_simd_limited(addss, true, x + y) __px_simd_limited(addus, false, x + y)
__px_simd(sub, false, x - y) __px_simd_limited(subss, true, x - y) __px_simd_limited(subus, false, x - y)
__px_simd(absdiffs, true, x < y ? y - x : x - y) __px_simd(absdiffu, false, x < y ? y - x : x - y)
__px_simd(avgs, true, (x + y + (x + y >= 0)) >> 1) __px_simd(avgu, false, (x + y + 1) >> 1) __px_simd(haddu, false, (x + y) >> 1)
__px_simd(maxs, true, x > y ? x : y) __px_simd(maxu, false, x > y ? x : y) __px_simd(mins, true, x < y ? x : y) __px_simd(minu, false, x < y ? x : y)
#define __px_simd_comparison(name, is_signed, op) __px_simd(cmp##name, is_signed, x op y ? -1 : 0) __px_simd(set##name, is_signed, x op y ? 1 : 0)
__px_simd_comparison(eq, false, ==) __px_simd_comparison(ne, false, !=)
__px_simd_comparison(ges, true, >=) __px_simd_comparison(geu, false, >=) __px_simd_comparison(gts, true, >) __px_simd_comparison(gtu, false, >)
__px_simd_comparison(les, true, <=) __px_simd_comparison(leu, false, <=) __px_simd_comparison(lts, true, <) __px_simd_comparison(ltu, false, <)
#undef __px_simd_comparison

#define __px_simd_one(name, n, bits, ...)                                                                                              \
	__px_both unsigned __v##name##n(unsigned a) { return __px_by_lane<bits, true>(a, 0, [](int x, int) { return __VA_ARGS__; }); }
__px_simd_one(abs, 2, 16, x < 0 ? -x : x) __px_simd_one(abs, 4, 8, x < 0 ? -x : x) __px_simd_one(neg, 2, 16, -x) __px_simd_one(neg, 4, 8, -x)
__px_simd_one(absss, 2, 16, __px_limited<16, true>(x < 0 ? -x : x)) __px_simd_one(absss, 4, 8, __px_limited<8, true>(x < 0 ? -x : x))
__px_simd_one(negss, 2, 16, __px_limited<16, true>(-x)) __px_simd_one(negss, 4, 8, __px_limited<8, true>(-x))
#undef __px_simd_one

/* Sums of absolute differences. */
#define __px_simd_sum(name, n, bits, is_signed)                                                                                        \
	__px_both unsigned __v##name##n(unsigned a, unsigned b) {                                                                      \
		unsigned sum = 0;                                                                                                      \
		for (int at = 0; at < 32; at += bits) {                                                                                \
			int x = __px_lane<bits, is_signed>(a, at), y = __px_lane<bits, is_signed>(b, at);                              \
			sum += (unsigned)(x < y ? y - x : x - y);                                                                      \
		}                                                                                                                      \
		return sum;                                                                                                            \
	}
__px_simd_sum(sads, 2, 16, true) __px_simd_sum(sads, 4, 8, true) __px_simd_sum(sadu, 2, 16, false) __px_simd_sum(sadu, 4, 8, false)
#undef __px_simd_sum
#undef __px_simd_of
#undef __px_simd
#undef __px_simd_limited

/* max(a + b, c), max of three, and the same with 0 as a further operand; of words and of halves. */
#define __px_dpx(name, op)                                                                                                             \
	__px_both int __viadd##name##_s32(int a, int b, int c) { return op((int)((unsigned)a + (unsigned)b), c); }                     \
	__px_both unsigned __viadd##name##_u32(unsigned a, unsigned b, unsigned c) { return op(a + b, c); }                            \
	__px_both int __viadd##name##_s32_relu(int a, int b, int c) { return max(__viadd##name##_s32(a, b, c), 0); }                   \
	__px_both int __vi##name##_s32_relu(int a, int b) { return max(op(a, b), 0); }                                                 \
	__px_both int __vi##name##3_s32(int a, int b, int c) { return op(op(a, b), c); }                                               \
	__px_both unsigned __vi##name##3_u32(unsigned a, unsigned b, unsigned c) { return op(op(a, b), c); }                           \
	__px_both int __vi##name##3_s32_relu(int a, int b, int c) { return max(op(op(a, b), c), 0); }                                  \
	__px_both unsigned __viadd##name##_s16x2(unsigned a, unsigned b, unsigned c) { return __v##name##s2(__vadd2(a, b), c); }       \
	__px_both unsigned __viadd##name##_u16x2(unsigned a, unsigned b, unsigned c) { return __v##name##u2(__vadd2(a, b), c); }       \
	__px_both unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viadd##name##_s16x2(a, b, c), 0); } \
	__px_both unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__v##name##s2(a, b), 0); }                \
	__px_both unsigned __vi##name##3_s16x2(unsigned a, unsigned b, unsigned c) { return __v##name##s2(__v##name##s2(a, b), c); }   \
	__px_both unsigned __vi##name##3_u16x2(unsigned a, unsigned b, unsigned c) { return __v##name##u2(__v##name##u2(a, b), c); }   \
	__px_both unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vi##name##3_s16x2(a, b, c), 0); }
__px_dpx(max, max)
__px_dpx(min, min)
#undef __px_dpx
/* The same of two, with which of them it was: the first where `first` is true. */
#define __px_dpx_which(name, op)                                                                                                       \
	__px_both int __vib##name##_s32(int a, int b, bool *first) { return *first = a op b, *first ? a : b; }                         \
	__px_both unsigned __vib##name##_u32(unsigned a, unsigned b, bool *first) { return *first = a op b, *first ? a : b; }          \
	__px_both unsigned __vib##name##_s16x2(unsigned a, unsigned b, bool *high, bool *low) {                                        \
		*high = __px_lane<16, true>(a, 16) op __px_lane<16, true>(b, 16), *low = __px_lane<16, true>(a, 0) op __px_lane<16, true>(b, 0); \
		return __v##name##s2(a, b);                                                                                            \
	}                                                                                                                              \
	__px_both unsigned __vib##name##_u16x2(unsigned a, unsigned b, bool *high, bool *low) {                                        \
		*high = a >> 16 op b >> 16, *low = (a & 0xffff)op(b & 0xffff);                                                         \
		return __v##name##u2(a, b);                                                                                            \
	}
__px_dpx_which(max, >=)
__px_dpx_which(min, <=)
#undef __px_dpx_which
