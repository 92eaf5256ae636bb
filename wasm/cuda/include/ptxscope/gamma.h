/* The gamma function and its logarithm. Polynomials interpolate at Chebyshev's points between small numbers, Stirling's series serves
 * large ones, and the reflection formula negative ones. For float, too, all is computed in double. Everything here is a template,
 * which costs a program that does not use it nothing. */
#pragma once

#include <ptxscope/special.h>
#include <ptxscope/trigonometric.h>

#pragma clang fp contract(off)

/* c[0] + c[1] x + ... */
template <class T, int n> __px_both T __px_horner(T x, const T (&c)[n]) {
	T r = c[n - 1];
#pragma unroll
	for (int i = n - 2; i >= 0; i--)
		r = __px_fma(r, x, c[i]);
	return r;
}

/* ln(x) for x > 0 of (x - 1/2) ln(x) - x + ln(2 pi)/2, as a pair, and Stirling's rest: what ln(gamma(x)) is for x from 8. */
template <class T> __px_function __px_pair __px_stirling(T x) {
	constexpr T c[] = {1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188, -691. / 360360, 1. / 156, -3617. / 122400};
	T inverse = 1 / x, rest = __px_horner(inverse * inverse, c) * inverse;
	__px_pair l = __px_log_pair(x), p = __px_product(l.high, x - 0.5), s = __px_sum(p.high, -x);
	__px_pair t = __px_sum(s.high, 0x1.d67f1c864beb5p-1);
	t.low += s.low + p.low + l.low * (x - 0.5) + (rest - 0x1.65b5a1b7ff5dfp-55);
	return __px_sum(t.high, t.low);
}

/* ln(gamma(x)) for x > 0. */
template <class T> __px_function T __px_lgamma_positive(T x) {
	if (x >= 8) {
		if (x > 0x1p60)
			return x * (__px_log(x) - 1);
		__px_pair s = __px_stirling(x);
		return s.high + s.low;
	}
	T extra = 0;
	if (x > 3) {
		T product = 1;
		for (; x > 3; )
			x -= 1, product *= x;
		extra = __px_log(product);
	} else if (x < 0.5) {
		extra = -__px_log(x);
		x += 1;
	}
	if (x < 1.5) {
		constexpr T c[] = {
			-0.5772156649015329, 0.8224670334241132, -0.4006856343865406, 0.2705808084277935, -0.2073855510262953,
			0.16955717699509998, -0.14404989701106719, 0.1255096697597847, -0.1113342530365414, 0.10009944506030896,
			-0.09095442301348973, 0.08335423437020126, -0.07692423568567124, 0.07142491150665906, -0.06678275881746833,
			0.0626116167474043, -0.057737256640806416, 0.054501409023364235, -0.059850048562680856, 0.057003000096539545,
			-0.014509338086091672, 0.01333577663873192, -0.14497971020532596, 0.14011729595820724, 0.1528715168258553,
			-0.14857260899606312, -0.22471180158915516, 0.21762817640022097,
		};
		return __px_fma(x - 1, __px_horner(x - 1, c), extra);
	}
	constexpr T c[] = {
		0.42278433509846713, 0.3224670334241132, -0.06735230105319803, 0.020580808427784467, -0.0073855510286789435,
		0.0028905103307501107, -0.0011927539115411708, 0.000509669524385722, -0.0002231547609815286, 9.945751997086566e-05,
		-4.4926217372662964e-05, 2.0507135107697608e-05, -9.439539486525303e-06, 4.3753272614320604e-06,
		-2.0394514921931776e-06, 9.537731988135254e-07, -4.47207500870406e-07, 2.1314308874814206e-07,
		-1.0529221472564566e-07, 5.115528766000617e-08, -2.072250123349412e-08, 5.599043748827476e-09,
		-7.135464237889196e-10,
	};
	return __px_fma(x - 2, __px_horner(x - 2, c), extra);
}
template <class T> __px_function T __px_lgamma_of(T x) {
	T a = __px_abs(x);
	if (!(a < __px_infinity<T>))
		return x * x;
	if (x == 0 || (x < 0 && x == __px_trunc(x)))
		return __px_infinity<T>;
	if (x > 0)
		return __px_lgamma_positive(x);
	if (a < 0x1p-60)
		return -__px_log(a);
	/* ln(pi / |x sin(pi x)|) - ln(gamma(-x)) */
	return __px_log(0x1.921fb54442d18p+1 / __px_abs(x * __px_sinpi(x))) - __px_lgamma_positive(a);
}

/* gamma(x) for x from 1 to 2. */
template <class T> __px_function T __px_gamma_near(T x) {
	constexpr T c[] = {
		0.886226925452758, 0.032338397448885, 0.4148134536882826, -0.10729480456475984, 0.1446453590475836,
		-0.07752305230182892, 0.058610303633145476, -0.03800193543217766, 0.02583761230507782, -0.017222447013020576,
		0.011522407277990318, -0.007690139287816347, 0.005132883760616497, -0.003423629338262631, 0.002273514062024839,
		-0.0015159595901781905, 0.0010569633457018935, -0.0007046879722466143, 0.0003320885800907498,
		-0.00022139952612051456, 0.00037955491879486174, -0.00025303807808043895,
	};
	return __px_horner(x - 1.5, c);
}
/* gamma(x) / 2^scale for x > 0, where scale is given. */
template <class T> __px_function T __px_gamma_positive(T x, int scale) {
	if (x < 8) {
		T product = 1;
		for (; x > 2; )
			x -= 1, product *= x;
		for (; x < 1; x += 1)
			product /= x;
		return __px_scale(__px_gamma_near(x) * product, -scale);
	}
	__px_pair s = __px_stirling(__px_min(x, (T)300));
	int k;
	T low, r = __px_reduce_exp(s.high, &low, &k);
	return __px_scale(__px_exp_near_0(r, low + s.low), k - scale);
}
template <class T> __px_function T __px_tgamma_of(T x) {
	T a = __px_abs(x);
	if (x == 0)
		return __px_copysign(__px_infinity<T>, x);
	if (__px_is_nan(x) || x == __px_infinity<T>)
		return x;
	if (x < 0 && x == __px_trunc(x))
		return __px_nan<T>;
	if (a < 0x1p-60)
		return 1 / x;
	if (x > 0)
		return x > 172 ? __px_infinity<T> : __px_gamma_positive(x, 0);
	/* -pi / (x sin(pi x) gamma(-x)); gamma(-x) may be too large where the result is not too small. */
	int scale = a > 100 ? 512 : 0;
	if (a > 190)
		return __px_copysign((T)0, __px_sinpi(x));
	return __px_scale(-0x1.921fb54442d18p+1 / (x * __px_sinpi(x) * __px_gamma_positive(a, scale)), -scale);
}

template <class T> __px_function T __px_lgamma(T x) { return (T)__px_lgamma_of((double)x); }
template <class T> __px_function T __px_tgamma(T x) { return (T)__px_tgamma_of((double)x); }

#pragma clang fp contract(fast)
