/* math_reference NAME BITS [ORDER] < ARGUMENTS AND RESULTS: the error of a math function's results in units in the last place, against
 * libquadmath's 113 bits. The input is the results, then each column of arguments, all as doubles. Prints the largest error, the
 * arguments and the result that have it, and how many were wrong as NaN, infinity or the sign of zero are. */

#include <math.h>
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 Q;

static int order; /* of jn and yn */

/* x modulo 2 folded to where sin(pi x) has the same value and |x| is at most 1/2. */
static Q folded(Q x)
{
	Q r = remainderq(x, 2);
	return fabsq(r) > 0.5Q ? copysignq(1, r) - r : r;
}
static Q sinpi_q(Q x)
{
	return isinfq(x) ? nanq("") : fabsq(x) > 0 && folded(x) == 0 ? copysignq(0, x) : sinq(M_PIq * folded(x));
}
static Q cospi_q(Q x)
{
	Q r = fabsq(remainderq(x, 2));
	return isinfq(x) ? nanq("") : r == 0.5Q ? 0 : r > 0.25Q ? sinq(M_PIq * (0.5Q - r)) : cosq(M_PIq * r);
}
static Q exp10_q(Q x) { return powq(10, x); }
static Q rsqrt_q(Q x) { return 1 / sqrtq(x); }
static Q rcbrt_q(Q x) { return 1 / cbrtq(x); }
static Q erfcx_q(Q x)
{
	if (x < 60)
		return expq(x * x) * erfcq(x);
	Q z = 1 / (2 * x * x), term = 1, sum = 1;
	for (int k = 1; k < 12; k++)
		sum += term *= -(2 * k - 1) * z;
	return sum / (x * sqrtq(M_PIq));
}
static Q normcdf_q(Q x) { return 0.5Q * erfcq(-x * M_SQRT1_2q); }

/* The inverse at z of erfc, from a start near it, by Newton's rule. */
static Q erfc_inverse(Q z, Q x)
{
	for (int i = 0; i < 6 && z > 0 && z < 2; i++)
		x += z < 0.5Q ? logq(erfcq(x) / z) * erfcq(x) * sqrtq(M_PIq) / 2 * expq(x * x)
		              : (erfcq(x) - z) * sqrtq(M_PIq) / 2 * expq(x * x);
	return z == 0 ? HUGE_VALQ : z == 2 ? -HUGE_VALQ : z > 0 && z < 2 ? x : nanq("");
}
static Q erf_inverse(Q y, Q x)
{
	if (fabsq(y) > 0.5Q)
		return copysignq(1, y) * erfc_inverse(1 - fabsq(y), fabsq(x));
	for (int i = 0; i < 6; i++)
		x -= (erfq(x) - y) * sqrtq(M_PIq) / 2 * expq(x * x);
	return y == 0 ? y : x;
}
static Q start; /* what the inverse functions start from: the result in question */
static Q erfinv_q(Q y) { return erf_inverse(y, start); }
static Q erfcinv_q(Q z)
{
	return z > 1.5Q ? -erfc_inverse(2 - z, -start) : z > 0.5Q ? erf_inverse(1 - z, start) : erfc_inverse(z, start);
}
static Q normcdfinv_q(Q p)
{
	Q keep = start, r;
	start = -start * M_SQRT1_2q;
	r = -M_SQRT2q * erfcinv_q(2 * p);
	start = keep;
	return r;
}

static Q cyl_bessel(int n, Q x)
{
	Q a = fabsq(x), sum = 1, term = 1;
	if (isinfq(x) || isnanq(x))
		return n ? x : fabsq(x);
	if (a < 60) {
		Q z = a * a / 4;
		for (int k = 1; k < 400 && term > sum * 1e-36Q; k++)
			sum += term *= z / (k * (k + n));
		return n ? x / 2 * sum : sum;
	}
	for (int k = 1; k < 40; k++)
		sum += term *= -(4 * n * n - (Q)(2 * k - 1) * (2 * k - 1)) / (k * 8 * a);
	sum *= expq(a) / sqrtq(2 * M_PIq * a);
	return n && x < 0 ? -sum : sum;
}
static Q cyl_bessel_i0_q(Q x) { return cyl_bessel(0, x); }
static Q cyl_bessel_i1_q(Q x) { return cyl_bessel(1, x); }
static Q jn_q(Q x) { return jnq(order, x); }
static Q yn_q(Q x) { return x < 0 ? nanq("") : ynq(order, x); }
static Q y0_q(Q x) { return x < 0 ? nanq("") : y0q(x); }
static Q y1_q(Q x) { return x < 0 ? nanq("") : y1q(x); }
static Q tgamma_q(Q x) { return x == -HUGE_VALQ || (x < 0 && x == truncq(x)) ? nanq("") : tgammaq(x); }
static Q rhypot_q(Q x, Q y) { return 1 / hypotq(x, y); }
static Q norm3d_q(Q x, Q y, Q z) { return hypotq(hypotq(x, y), z); }
static Q norm4d_q(Q x, Q y, Q z, Q w) { return hypotq(hypotq(x, y), hypotq(z, w)); }
static Q rnorm3d_q(Q x, Q y, Q z) { return 1 / norm3d_q(x, y, z); }
static Q rnorm4d_q(Q x, Q y, Q z, Q w) { return 1 / norm4d_q(x, y, z, w); }
static Q fraction_q(Q x)
{
	int e;
	return frexpq(x, &e);
}
static Q exponent_q(Q x)
{
	int e = 0;
	frexpq(x, &e);
	return e;
}
static Q part_q(Q x)
{
	Q whole;
	return modfq(x, &whole);
}
/* The lower three bits of the quotient, with its sign. */
static Q   quotient_q(Q x, Q y) { return fmodq(roundq((x - remainderq(x, y)) / y), 8) + 0; }
static Q   ldexp_q(Q x, Q y) { return ldexpq(x, (int)y); }
static Q   ilogb_q(Q x) { return logbq(x); }
static Q   whole_q(Q x) { return rintq(x) + 0; }
static Q   away_q(Q x) { return roundq(x) + 0; }
static int of_float; /* the type that is measured: 1, or 0 for double */
static Q   nextafter_q(Q x, Q y) { return of_float ? nextafterf((float)x, (float)y) : nextafter((double)x, (double)y); }
static Q   fdivide_q(Q x, Q y) { return x / y; }
static Q   nearest_q(Q x) { return rintq(x); }
static Q   logb_q(Q x) { return logbq(x); }

static const struct {
	const char *name;
	Q (*one)(Q);
	Q (*two)(Q, Q);
	Q (*three)(Q, Q, Q);
	Q (*four)(Q, Q, Q, Q);
} functions[] = {
	{"sin", sinq, 0},
	{"cos", cosq, 0},
	{"tan", tanq, 0},
	{"asin", asinq, 0},
	{"acos", acosq, 0},
	{"atan", atanq, 0},
	{"sinh", sinhq, 0},
	{"cosh", coshq, 0},
	{"tanh", tanhq, 0},
	{"asinh", asinhq, 0},
	{"acosh", acoshq, 0},
	{"atanh", atanhq, 0},
	{"exp", expq, 0},
	{"exp2", exp2q, 0},
	{"exp10", exp10_q, 0},
	{"expm1", expm1q, 0},
	{"log", logq, 0},
	{"log2", log2q, 0},
	{"log10", log10q, 0},
	{"log1p", log1pq, 0},
	{"cbrt", cbrtq, 0},
	{"rcbrt", rcbrt_q, 0},
	{"sqrt", sqrtq, 0},
	{"rsqrt", rsqrt_q, 0},
	{"sinpi", sinpi_q, 0},
	{"cospi", cospi_q, 0},
	{"erf", erfq, 0},
	{"erfc", erfcq, 0},
	{"erfcx", erfcx_q, 0},
	{"normcdf", normcdf_q, 0},
	{"erfinv", erfinv_q, 0},
	{"erfcinv", erfcinv_q, 0},
	{"normcdfinv", normcdfinv_q, 0},
	{"tgamma", tgamma_q, 0},
	{"lgamma", lgammaq, 0},
	{"j0", j0q, 0},
	{"j1", j1q, 0},
	{"y0", y0_q, 0},
	{"y1", y1_q, 0},
	{"jn", jn_q, 0},
	{"yn", yn_q, 0},
	{"cyl_bessel_i0", cyl_bessel_i0_q, 0},
	{"cyl_bessel_i1", cyl_bessel_i1_q, 0},
	{"floor", floorq, 0},
	{"ceil", ceilq, 0},
	{"trunc", truncq, 0},
	{"round", roundq, 0},
	{"rint", nearest_q, 0},
	{"fabs", fabsq, 0},
	{"logb", logb_q, 0},
	{"pow", 0, powq},
	{"atan2", 0, atan2q},
	{"hypot", 0, hypotq},
	{"rhypot", 0, rhypot_q},
	{"fmod", 0, fmodq},
	{"remainder", 0, remainderq},
	{"fdim", 0, fdimq},
	{"fdivide", 0, fdivide_q},
	{"copysign", 0, copysignq},
	{"fmin", 0, fminq},
	{"fmax", 0, fmaxq},
	{"norm3d", 0, 0, norm3d_q},
	{"norm4d", 0, 0, 0, norm4d_q},
	{"rnorm3d", 0, 0, rnorm3d_q},
	{"rnorm4d", 0, 0, 0, rnorm4d_q},
	{"fma", 0, 0, fmaq},
	{"nearbyint", nearest_q},
	{"nextafter", 0, nextafter_q},
	{"sincos, sine", sinq},
	{"sincos, cosine", cosq},
	{"sincospi, sine", sinpi_q},
	{"sincospi, cosine", cospi_q},
	{"frexp, fraction", fraction_q},
	{"frexp, exponent", exponent_q},
	{"modf, fraction", part_q},
	{"modf, whole", truncq},
	{"remquo, remainder", 0, remainderq},
	{"remquo, quotient", 0, quotient_q},
	{"ldexp", 0, ldexp_q},
	{"scalbn", 0, ldexp_q},
	{"scalbln", 0, ldexp_q},
	{"ilogb", ilogb_q},
	{"lrint", whole_q},
	{"llrint", whole_q},
	{"lround", away_q},
	{"llround", away_q},
};

/* The result's error in units in the last place of what is right; -1: wrong altogether. */
static double error_of(double v, Q want, int bits)
{
	int fraction = bits == 32 ? 23 : 52, most = bits == 32 ? 128 : 1024, least = bits == 32 ? -126 : -1022, e;
	Q   got = v, step = ldexpq(1, most);
	if (isnan(v) || isnanq(want))
		return isnan(v) && isnanq(want) ? 0 : -1;
	if (want == 0 || isinfq(want))
		return got == want && !signbit(v) == !signbitq(want) ? 0 : v == 0 && want == 0 ? -1 : got == want ? 0 : -1;
	if (isinf(v)) /* the next number behind the largest */
		got = copysignq(step, v);
	if (fabsq(want) > step)
		want = copysignq(step, want);
	frexpq(want, &e);
	e = (e - 1 < least ? least : e - 1 >= most ? most - 1 : e - 1) - fraction;
	Q error = fabsq(got - want) / ldexpq(1, e);
	return error > 1e15Q ? 1e15 : (double)error;
}

int main(int argc, char **argv)
{
	size_t f = 0, count = sizeof functions / sizeof *functions;
	while (f < count && argc > 2 && strcmp(functions[f].name, argv[1]))
		f++;
	if (argc < 4 || f == count)
		return fprintf(stderr, "usage: math_reference NAME 32|64 COUNT [ORDER] < results and arguments\n"), 2;
	int bits = atoi(argv[2]), columns = functions[f].four ? 5 : functions[f].three ? 4 : functions[f].two ? 3 : 2;
	of_float = bits == 32;
	size_t n = (size_t)atol(argv[3]);
	order = argc > 4 ? atoi(argv[4]) : 0;
	double *all = malloc(n * (size_t)columns * sizeof *all), most = 0, most_absolute = 0;
	if (!all || fread(all, sizeof *all, n * (size_t)columns, stdin) != n * (size_t)columns)
		return fprintf(stderr, "too little input\n"), 2;
	size_t worst = 0, wrong = 0, first_wrong = 0;
	for (size_t i = 0; i < n; i++) {
		double x = all[n + i], y = columns > 2 ? all[2 * n + i] : 0, z = columns > 3 ? all[3 * n + i] : 0,
		       w = columns > 4 ? all[4 * n + i] : 0;
		start = all[i];
		Q      want = functions[f].one     ? functions[f].one(x)
		              : functions[f].two   ? functions[f].two(x, y)
		              : functions[f].three ? functions[f].three(x, y, z)
		                                   : functions[f].four(x, y, z, w);
		double e = error_of(all[i], want, bits), absolute = (double)fabsq(all[i] - want);
		if (e < 0 && !wrong++)
			first_wrong = i;
		if (e > most)
			most = e, worst = i;
		if (absolute > most_absolute && absolute < HUGE_VAL)
			most_absolute = absolute;
	}
	printf("{\"error\": %.4g, \"absolute\": %.3g, \"at\": \"%.17g, %.17g\", \"is\": \"%.17g\", \"wrong\": %zu", most,
	       most_absolute, all[n + worst], columns > 2 ? all[2 * n + worst] : 0, all[worst], wrong);
	if (wrong)
		printf(", \"first\": \"%.17g, %.17g: %.17g\"", all[n + first_wrong], columns > 2 ? all[2 * n + first_wrong] : 0,
		       all[first_wrong]);
	puts("}");
	return 0;
}
