/* sem/math against the C library (which is good to an ulp or so): random arguments and special ones. */
#include "unit.h"

#include "base/hash.h"
#include "sem/float.h"
#include "sem/math.h"

#include <math.h>

typedef f64 (*Host)(f64);

static f64 ulps(f64 got, f64 want)
{
	if (got != got || want != want)
		return (got != got) == (want != want) ? 0 : 1e9;
	if (got == want)
		return 0;
	if (!isfinite(want) || !isfinite(got))
		return 1e9;
	int e;
	frexp(want, &e);
	return fabs(got - want) / ldexp(1, e - 53 < -1074 ? -1074 : e - 53);
}

static f64 call1(SemMath f, f64 x) { return sem_f64_of(sem_math_f64(f, sem_f64_raw(x), 0)); }
static f64 call2(SemMath f, f64 x, f64 y) { return sem_f64_of(sem_math_f64(f, sem_f64_raw(x), sem_f64_raw(y))); }

static void compare(SemMath f, Host host, const char *name, f64 lo, f64 hi, f64 bound)
{
	f64 worst = 0, at = 0;
	for (u64 i = 0; i < 3000; i++) {
		f64 u = (f64)(hash_u64(i * 77 + f) >> 11) * 0x1p-53, x = lo + u * (hi - lo);
		f64 d = ulps(call1(f, x), host(x));
		if (d > worst)
			worst = d, at = x;
	}
	if (worst > bound)
		printf("#   %s: %.3g ulp at %a\n", name, worst, at);
	EXPECT(worst <= bound);
	static const f64 special[] = {0.0, -0.0, 1, -1, 0x1p-1074, 0x1p-600, 0x1p600, -0x1p600, INFINITY, -INFINITY, NAN, 0.5, 2};
	for (u32 i = 0; i < PS_COUNT(special); i++) {
		f64 g = call1(f, special[i]), w = host(special[i]);
		if (ulps(g, w) > bound)
			printf("#   %s(%a) = %a, %a wanted\n", name, special[i], g, w);
		EXPECT(ulps(g, w) <= bound);
	}
}

#define COMPARE(f, lo, hi, bound) compare(SEM_MATH_##f, f, #f, lo, hi, bound)

TEST(sem_math, exponentials)
{
	COMPARE(exp, -745, 710, 1.5);
	COMPARE(exp2, -1075, 1024, 1.5);
	COMPARE(expm1, -2, 2, 1.5);
	COMPARE(log, 0, 10, 1.5);
	COMPARE(log2, 0, 1e10, 1.5);
	COMPARE(log10, 0, 1e300, 2);
	COMPARE(log1p, -1, 1, 1.5);
	COMPARE(sinh, -3, 3, 2.5);
	COMPARE(cosh, -720, 720, 2.5);
	COMPARE(tanh, -5, 5, 2.5);
	COMPARE(asinh, -50, 50, 2.5);
	COMPARE(acosh, 1, 50, 2.5);
	COMPARE(atanh, -1, 1, 2.5);
	COMPARE(cbrt, -1e9, 1e9, 4); /* the C library's own error */
}

TEST(sem_math, trigonometry)
{
	COMPARE(sin, -10, 10, 1);
	COMPARE(cos, -10, 10, 1);
	COMPARE(tan, -10, 10, 1.5);
	COMPARE(sin, -1e6, 1e6, 1);
	COMPARE(sin, 1e6, 1e22, 1);
	COMPARE(cos, 1e20, 1e300, 1);
	COMPARE(asin, -1, 1, 1.5);
	COMPARE(acos, -1, 1, 1.5);
	COMPARE(atan, -20, 20, 1.5);
}

TEST(sem_math, special_functions)
{
	COMPARE(erf, -6, 6, 2);
	COMPARE(erfc, -5, 20, 3);
	COMPARE(tgamma, 0.1, 170, 10);
	COMPARE(lgamma, 3, 1e6, 4);
}

TEST(sem_math, two_arguments)
{
	for (u64 i = 0; i < 3000; i++) {
		f64 x = (f64)(hash_u64(2 * i) >> 11) * 0x1p-48, y = ((f64)(hash_u64(2 * i + 1) >> 11) * 0x1p-53 - 0.5) * 60;
		EXPECT(ulps(call2(SEM_MATH_pow, x, y), pow(x, y)) <= 1.5);
		EXPECT(ulps(call2(SEM_MATH_atan2, y, x - 16), atan2(y, x - 16)) <= 1.5);
		EXPECT(ulps(call2(SEM_MATH_hypot, x, y), hypot(x, y)) <= 1.5);
	}
	static const f64 special[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0.5, 2, -2, 3, -3, 0x1p-600, 0x1p600, -2.5};
	for (u32 i = 0; i < PS_COUNT(special); i++)
		for (u32 k = 0; k < PS_COUNT(special); k++) {
			f64 x = special[i], y = special[k];
			if (ulps(call2(SEM_MATH_pow, x, y), pow(x, y)) > 1.5)
				printf("#   pow(%a, %a) = %a, %a wanted\n", x, y, call2(SEM_MATH_pow, x, y), pow(x, y));
			EXPECT(ulps(call2(SEM_MATH_pow, x, y), pow(x, y)) <= 1.5);
			if (ulps(call2(SEM_MATH_atan2, x, y), atan2(x, y)) > 1.5)
				printf("#   atan2(%a, %a) = %a, %a wanted\n", x, y, call2(SEM_MATH_atan2, x, y), atan2(x, y));
			EXPECT(ulps(call2(SEM_MATH_atan2, x, y), atan2(x, y)) <= 1.5);
		}
}

UNIT_MAIN
