/* Names made of a stem, for small_float.h, and integers that a conversion limits. */
#pragma once

#include <ptxscope/define.h>

#define __px_paste_(a, b) a##b
#define __px_paste(a, b) __px_paste_(a, b)
#define __px_paste4_(a, b, c, d, e) a##b##c##d##e
#define __px_paste4(a, b, c, d, e) __px_paste4_(a, b, c, d, e)

/* What an instruction that converts makes of a whole number: the nearest of the type; 0 of NaN. */
template <class T> __px_both double __px_clamped(double x) {
	constexpr bool is_signed = (T)-1 < (T)1;
	constexpr double most = is_signed ? (double)(1ull << (8 * sizeof(T) - 1)) : (double)(1ull << (8 * sizeof(T) - 1)) * 2;
	if (x != x)
		return 0;
	if (x >= most)
		return sizeof(T) < 8 ? most - 1 : __builtin_bit_cast(double, __builtin_bit_cast(long long, most) - 1);
	return is_signed ? (x < -most ? -most : x) : x < 0 ? 0 : x;
}
