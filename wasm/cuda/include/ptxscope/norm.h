/* Lengths of vectors of two to any number of components, and their reciprocals. For float the squares are exact in double; for double
 * their sum is kept as a pair, and what is very large or small is scaled. */
#pragma once

#include <ptxscope/special.h>

#pragma clang fp contract(off)

/* The sum of squares, times scale^2. Infinity where a component is infinite, even beside NaN. */
struct __px_squares {
	double high = 0, low = 0, most = 0, scale = 1;
	bool infinite = false;
	__device__ __host__ __forceinline__ void look(double v) {
		v = __px_abs(v);
		infinite |= v == __px_infinity<double>;
		most = __px_max(most, v);
	}
	__device__ __host__ __forceinline__ void choose_scale() { scale = most > 0x1p500 ? 0x1p-600 : most < 0x1p-400 ? 0x1p600 : 1; }
	__device__ __host__ __forceinline__ void add(double v) {
		v *= scale;
		__px_pair p = __px_product(v, v), s = __px_sum(high, p.high);
		high = s.high;
		low += s.low + p.low;
	}
	__device__ __forceinline__ double length() const {
		return infinite ? __px_infinity<double> : __px_root(high + low) / scale;
	}
	/* Newton's rule makes one over the root good to half a unit in the last place. */
	__device__ __forceinline__ double inverse() const {
		if (infinite)
			return 0;
		double sum = high + low, rest = (high - sum) + low, y = 1 / __px_root(sum);
		if (!(sum > 0 && sum < __px_infinity<double>))
			return y;
		__px_pair square = __px_product(y, y);
		double error = __px_fma(-square.high, sum, 1) - __px_fma(square.low, sum, square.high * rest);
		return __px_fma(0.5 * y, error, y) * scale;
	}
};
template <class... V> __px_function __px_squares __px_squares_of(V... v) {
	__px_squares s;
	(s.look(v), ...);
	s.choose_scale();
	(s.add(v), ...);
	return s;
}
template <class T> __px_function __px_squares __px_squares_of_array(int n, const T *v) {
	__px_squares s;
	for (int i = 0; i < n; i++)
		s.look(v[i]);
	s.choose_scale();
	for (int i = 0; i < n; i++)
		s.add(v[i]);
	return s;
}
template <class T, class... V> __px_function T __px_norm_of(T first, V... rest) { return (T)__px_squares_of((double)first, (double)rest...).length(); }
template <class T, class... V> __px_function T __px_rnorm_of(T first, V... rest) { return (T)__px_squares_of((double)first, (double)rest...).inverse(); }
template <class T> __px_function T __px_hypot(T x, T y) { return __px_norm_of(x, y); }

#pragma clang fp contract(fast)
