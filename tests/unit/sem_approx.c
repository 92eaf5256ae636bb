/* The approximate instructions against the C library, within the errors that the PTX manual (9.1) states. A sample of arguments;
 * with PS_ARGUMENTS=20 in the environment 2^20 of each, which `npm run approximations` does. All halves, always. */
#include "sem/float.h"
#include "simt/code.h"
#include "simt/kernels.h"
#include "unit.h"

#include <math.h>

typedef enum ErrorKind { ERROR_ULP, ERROR_RELATIVE, ERROR_ABSOLUTE } ErrorKind;

typedef struct Row {
	const char *name;
	u32 (*run)(u32 a, SemFpMode m);
	f64 (*want)(f64 x);
	ErrorKind kind;
	f64       bound, from, to; /* of arguments; whole: all finite ones from `from` on */
	bool      whole;
} Row;

static u32 tanh_with_mode(u32 a, SemFpMode m)
{
	(void)m;
	return sem_tanh_approx_f32(a);
}
static f64 rcp(f64 x) { return 1 / x; }
static f64 rsqrt(f64 x) { return 1 / sqrt(x); }

static const Row rows[] = {
	{"rcp.approx.f32", sem_rcp_approx_f32, rcp, ERROR_ULP, 1, -INFINITY, INFINITY, true},
	{"sqrt.approx.f32", sem_sqrt_approx_f32, sqrt, ERROR_RELATIVE, 0x1p-23, 0, INFINITY, true},
	{"rsqrt.approx.f32", sem_rsqrt_approx_f32, rsqrt, ERROR_RELATIVE, 0x1.125fbp-23 /* 2^-22.9 */, 0, INFINITY, true},
	{"sin.approx.f32, [-2 pi, 2 pi]", sem_sin_approx_f32, sin, ERROR_ABSOLUTE, 0x1.6a09ep-21 /* 2^-20.5 */, -6.28318548f,
         6.28318548f, false},
	{"cos.approx.f32, [-2 pi, 2 pi]", sem_cos_approx_f32, cos, ERROR_ABSOLUTE, 0x1.6a09ep-21, -6.28318548f, 6.28318548f,
         false},
	{"sin.approx.f32, [-100 pi, 100 pi]", sem_sin_approx_f32, sin, ERROR_ABSOLUTE, 0x1.3b2c4p-15 /* 2^-14.7 */, -314.159271f,
         314.159271f, false},
	{"cos.approx.f32, [-100 pi, 100 pi]", sem_cos_approx_f32, cos, ERROR_ABSOLUTE, 0x1.3b2c4p-15, -314.159271f, 314.159271f,
         false},
	{"lg2.approx.f32, (0.5, 2)", sem_lg2_approx_f32, log2, ERROR_ABSOLUTE, 0x1p-22, 0.5, 2, false},
	{"lg2.approx.f32, elsewhere", sem_lg2_approx_f32, log2, ERROR_RELATIVE, 0x1p-22, 2, INFINITY, true},
	{"ex2.approx.f32", sem_ex2_approx_f32, exp2, ERROR_ULP, 2, -160, 128, false},
	{"tanh.approx.f32", tanh_with_mode, tanh, ERROR_RELATIVE, 0x1p-11, -20, 20, false},
};

static u64 scramble(u64 x)
{
	u64 z = x * 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

static u32 arguments(void)
{
	const char *log = getenv("PS_ARGUMENTS");
	return 1u << (log ? PS_MIN((u32)atoi(log), 24u) : 12u);
}

/* In units of the last place of the result, subnormal results counted in those of the smallest. */
static f64 ulp_of(f64 want)
{
	int e;
	frexp(want, &e);
	return ldexp(1, PS_MAX(e - 24, -149));
}

static f64 error_of(f64 got, f64 want, ErrorKind kind)
{
	if (got == want || (isnan(got) && isnan(want)))
		return 0;
	if (fabs(want) > 0x1.fffffep127 && isinf(got)) /* it overflows */
		return 0;
	f64 off = fabs(got - want);
	return kind == ERROR_ABSOLUTE ? off : kind == ERROR_RELATIVE ? off / fabs(want) : off / ulp_of(want);
}

/* The i-th of n arguments: of a range evenly, else over all bits of finite numbers. */
static u32 argument(const Row *r, u32 i, u32 n)
{
	if (!r->whole)
		return sem_f32_bits((f32)(r->from + (r->to - r->from) * ((f64)i + 0.5) / (f64)n));
	u32 least = sem_f32_bits((f32)PS_MAX(r->from, 0.0)), a = least + (u32)(scramble(i) % (0x7f800000u - least));
	return r->from < 0 && (i & 1) ? a | 0x80000000u : a;
}

TEST(sem_approx, stay_within_what_the_manual_states)
{
	u32 n = arguments();
	(void)a;
	for (u32 k = 0; k < PS_COUNT(rows); k++) {
		f64 worst = 0;
		u32 at = 0;
		for (u32 i = 0; i < n; i++) {
			u32 x = argument(&rows[k], i, n);
			f64 e = error_of((f64)sem_f32_of(rows[k].run(x, 0)), rows[k].want((f64)sem_f32_of(x)), rows[k].kind);
			if (!(e <= worst))
				worst = e, at = x;
		}
		printf("# %s: %g of %g at 0x%08x, %u arguments\n", rows[k].name, worst, rows[k].bound, at, n);
		EXPECT(worst <= rows[k].bound);
	}
}

TEST(sem_approx, approximate_division)
{
	u32 n = arguments();
	f64 worst = 0;
	(void)a;
	for (u32 i = 0; i < n; i++) {
		u32 x = (u32)scramble(2 * (u64)i) & 0x7fffffff, y = (u32)scramble(2 * (u64)i + 1) & 0x7fffffff;
		f32 p = sem_f32_of(x), q = sem_f32_of(y);
		if (x >= 0x7f800000u || q < 0x1p-126f || q > 0x1p126f) /* where the bound of div.approx holds */
			continue;
		worst = fmax(worst, error_of((f64)sem_f32_of(sem_div_approx_f32(x, y, 0)), (f64)p / (f64)q, ERROR_ULP));
	}
	printf("# div.approx.f32 and div.full.f32: %g of 2, %u arguments\n", worst, n);
	EXPECT(worst <= 2);
}

TEST(sem_approx, all_halves)
{
	static const struct {
		const char *name;
		SemFmt      fmt;
		bool        is_tanh;
		f64         bound;
	} halves[] = {
		{"ex2.approx.f16", SEM_F16, false, 0x1.125fbp-10 /* 2^-9.9 */},
		{"ex2.approx.ftz.bf16", SEM_BF16, false, 0x1p-7},
		{"tanh.approx.f16", SEM_F16, true, 0x1.0253ap-11 /* 2^-10.987 */},
		{"tanh.approx.bf16", SEM_BF16, true, 0x1p-8},
	};
	(void)a;
	for (u32 k = 0; k < PS_COUNT(halves); k++) {
		f64 worst = 0;
		for (u32 first = 0; first < 65536; first += LANES) {
			u32 in[LANES], out[LANES];
			for (u32 l = 0; l < LANES; l++)
				in[l] = first + l;
			simt_kernel[K_half_approx].run(out, in, in, in, (u32)halves[k].fmt << 16 | (u32)halves[k].is_tanh << 8);
			for (u32 l = 0; l < LANES; l++) {
				f64 x = sem_f64_of(sem_f2f(SEM_F64, halves[k].fmt, in[l], 0));
				f64 got = sem_f64_of(sem_f2f(SEM_F64, halves[k].fmt, out[l], 0));
				f64 want = halves[k].is_tanh ? tanh(x) : exp2(x);
				f64 largest = halves[k].fmt == SEM_F16 ? 65504 : 0x1.fep127,
				    least = halves[k].fmt == SEM_F16 ? 0x1p-14 : 0x1p-126;
				if (isnan(x)) {
					EXPECT(isnan(got));
				} else if (fabs(want) > largest) {
					EXPECT(isinf(got) || fabs(got) == largest);
				} else if (!halves[k].is_tanh && want < least) { /* subnormal: to the nearest */
					EXPECT(fabs(got - want) <= least * 0x1p-8);
				} else {
					worst = fmax(worst,
					             error_of(got, want, halves[k].is_tanh ? ERROR_ABSOLUTE : ERROR_RELATIVE));
				}
			}
		}
		printf("# %s: %g of %g, all arguments\n", halves[k].name, worst, halves[k].bound);
		EXPECT(worst <= halves[k].bound);
	}
}

UNIT_MAIN
