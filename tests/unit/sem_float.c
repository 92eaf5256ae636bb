/* sem/float against the host's arithmetic: every rounding mode by fesetround, random and special bits. */
#include "unit.h"

#include "base/hash.h"
#include "sem/float.h"

#include <fenv.h>
#include <math.h>

static const int host_round[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* How many of them the host has: WebAssembly rounds to nearest only. */
static u32 host_modes(void)
{
	volatile f64 one = 1, three = 3, up, down;
	fesetround(FE_UPWARD);
	up = one / three;
	fesetround(FE_DOWNWARD);
	down = one / three;
	fesetround(FE_TONEAREST);
	return up > down ? 4 : 1;
}

/* Through a pointer: the compiler's own expansion of rint knows only one rounding mode. */
static f64 (*volatile host_rint)(f64) = rint;
static const u64 specials[] = {
	0,
	1,
	0x8000000000000000u,
	0x3ff0000000000000u,
	0x7ff0000000000000u,
	0xfff0000000000000u,
	0x7ff8000000000000u,
	0x0010000000000000u,
	0x000fffffffffffffu,
	0x7fefffffffffffffu,
	0x3fe0000000000000u,
	0x4340000000000000u,
};
static const u32 specials32[] = {
	0,           1,           0x80000000u, 0x3f800000u, 0x7f800000u, 0xff800000u, 0x7fc00000u,
	0x00800000u, 0x007fffffu, 0x7f7fffffu, 0x3f000000u, 0x4b800000u, 0x33800000u, 0x33800001u,
};

/* Random bits, half of them close in exponent so that cancellation and ties happen. */
static u64 random64(u64 i)
{
	u64 r = hash_u64(i * 0x9E3779B97F4A7C15u);
	if (i % 8 == 0)
		return specials[r % PS_COUNT(specials)];
	return i % 2 ? r : (r & 0x801fffffff000000u) | (u64)(1010 + r % 30) << 52;
}
static u32 random32(u64 i)
{
	u32 r = (u32)hash_u64(i * 0x9E3779B97F4A7C15u);
	if (i % 8 == 0)
		return specials32[r % PS_COUNT(specials32)];
	return i % 2 ? r : (r & 0x807ffff0u) | (115 + (r >> 8) % 30) << 23;
}

static void same64(u64 got, volatile f64 want, const char *what, u64 a, u64 b)
{
	u64 w = sem_f64_bits(want);
	if (got != w)
		printf("#   %s a=%016" PRIx64 " b=%016" PRIx64 "\n", what, a, b);
	EXPECT_EQ(got, w);
}
static void same32(u64 got, volatile f32 want, const char *what, u32 a, u32 b)
{
	u32 w = sem_f32_bits(want);
	if (got != w)
		printf("#   %s a=%08x b=%08x\n", what, a, b);
	EXPECT_EQ(got, w);
}

TEST(sem_float, f64_in_all_modes)
{
	for (u32 mode = 0, modes = host_modes(); mode < modes; mode++)
		for (u64 i = 0; i < 20000 && unit_failures < 5; i++) {
			u64 a = random64(3 * i), b = random64(3 * i + 1), c = random64(3 * i + 2);
			/* a flag with no effect on these keeps the integer path for nearest, too */
			SemFpMode    m = mode | SEM_NAN_WINS;
			volatile f64 x = sem_f64_of(a), y = sem_f64_of(b), z = sem_f64_of(c), r[5];
			fesetround(host_round[mode]);
			r[0] = x + y, r[1] = x * y, r[2] = x / y, r[3] = sqrt(x), r[4] = fma(x, y, z);
			fesetround(FE_TONEAREST);
			same64(sem_fadd(SEM_F64, a, b, m), r[0], "add", a, b);
			same64(sem_fmul(SEM_F64, a, b, m), r[1], "mul", a, b);
			same64(sem_fdiv(SEM_F64, a, b, m), r[2], "div", a, b);
			same64(sem_fsqrt(SEM_F64, a, m), r[3], "sqrt", a, 0);
			same64(sem_ffma(SEM_F64, a, b, c, m), r[4], "fma", a, b);
		}
}

TEST(sem_float, f32_in_all_modes)
{
	for (u32 mode = 0, modes = host_modes(); mode < modes; mode++)
		for (u64 i = 0; i < 40000 && unit_failures < 5; i++) {
			u32          a = random32(3 * i), b = random32(3 * i + 1), c = random32(3 * i + 2);
			SemFpMode    m = mode | SEM_NAN_WINS;
			volatile f32 x = sem_f32_of(a), y = sem_f32_of(b), z = sem_f32_of(c), r[5];
			fesetround(host_round[mode]);
			r[0] = x + y, r[1] = x * y, r[2] = x / y, r[3] = sqrtf(x), r[4] = fmaf(x, y, z);
			fesetround(FE_TONEAREST);
			same32(sem_fadd(SEM_F32, a, b, m), r[0], "add", a, b);
			same32(sem_fmul(SEM_F32, a, b, m), r[1], "mul", a, b);
			same32(sem_fdiv(SEM_F32, a, b, m), r[2], "div", a, b);
			same32(sem_fsqrt(SEM_F32, a, m), r[3], "sqrt", a, 0);
			same32(sem_ffma(SEM_F32, a, b, c, m), r[4], "fma", a, b);
			if (mode == 0)
				same32(sem_fma_f32(a, b, c), r[4], "fast fma", a, b);
		}
}

TEST(sem_float, conversions_in_all_modes)
{
	for (u32 mode = 0, modes = host_modes(); mode < modes; mode++)
		for (u64 i = 0; i < 20000 && unit_failures < 5; i++) {
			u64          a = random64(i);
			u32          b = random32(i);
			volatile f64 x = sem_f64_of(a);
			fesetround(host_round[mode]);
			volatile f32 narrow = (f32)x, from_u = (f32)a, from_s = (f32)(i64)a;
			volatile f64 from_u64 = (f64)a, integral = host_rint(x);
			volatile i64 rounded = (i64)0;
			bool         fits = fabs(integral) < 9e18;
			if (fits)
				rounded = (i64)integral;
			fesetround(FE_TONEAREST);
			same32(sem_f2f(SEM_F32, SEM_F64, a, mode), narrow, "f64 to f32", (u32)a, 0);
			same64(sem_f2f(SEM_F64, SEM_F32, b, mode), (f64)sem_f32_of(b), "f32 to f64", b, 0);
			same32(sem_i2f(SEM_F32, 64, false, a, mode), from_u, "u64 to f32", 0, 0);
			same32(sem_i2f(SEM_F32, 64, true, a, mode), from_s, "s64 to f32", 0, 0);
			same64(sem_i2f(SEM_F64, 64, false, a, mode), from_u64, "u64 to f64", a, 0);
			same64(sem_frint(SEM_F64, a, mode), integral, "rint", a, 0);
			if (fits)
				EXPECT_EQ(sem_f2i(64, true, SEM_F64, a, mode), (u64)rounded);
		}
}

/* Where the host's arithmetic gives the result it is that of the general code, which a flag without effect on conversions keeps. */
static void same_ways(u64 a, SemFpMode m)
{
	static const SemFmt formats[] = {SEM_F32, SEM_F64, SEM_F16, SEM_BF16};
	const SemFpMode     general = m | SEM_NAN_WINS;
	for (u32 i = 0; i < 4; i++) {
		SemFmt f = formats[i];
		u64    v = a & sem_mask(sem_fmt[f].width);
		EXPECT_EQ(sem_frint(f, v, m), sem_frint(f, v, general));
		for (u32 k = 0; k < 4; k++) {
			EXPECT_EQ(sem_f2f(formats[k], f, v, m), sem_f2f(formats[k], f, v, general));
			for (u32 sign = 0; sign < 2; sign++) {
				u32 w = 8u << k;
				EXPECT_EQ(sem_f2i(w, sign, f, v, m), sem_f2i(w, sign, f, v, general));
				EXPECT_EQ(sem_i2f(f, w, sign, a & sem_mask(w), m), sem_i2f(f, w, sign, a & sem_mask(w), general));
			}
		}
	}
}

TEST(sem_float, conversions_agree_both_ways)
{
	static const u64 ends[] = {0,
	                           1,
	                           0x3f000000,
	                           0x3fc00000,
	                           0x40200000,
	                           0x4b800000,
	                           0x5f000000,
	                           0x7f7fffff,
	                           0x7f800000,
	                           0x7fc00001,
	                           0x00800000,
	                           0x3fe0000000000000,
	                           0x3ff8000000000000,
	                           0x4004000000000000,
	                           0x4330000000000001,
	                           0x43e0000000000000,
	                           0x7ff0000000000000,
	                           0x7ff8000000000001,
	                           0x3810000000000000,
	                           0x47efffffefffffff,
	                           0x47efffffe0000000,
	                           0x477fefff,
	                           0x477ff000,
	                           0x38800000,
	                           0x387fe000,
	                           0x7bff,
	                           0x7c00,
	                           0x400};
	for (SemFpMode m = 0; m <= SEM_RNA; m++)
		for (SemFpMode ftz = 0; ftz <= SEM_FTZ; ftz += SEM_FTZ) {
			for (u32 i = 0; i < PS_COUNT(ends) && unit_failures < 5; i++)
				for (u32 k = 0; k < 6; k++)
					same_ways((ends[i] + k % 3 - 1) ^ (k < 3 ? 0 : (u64)1 << 63 | 0x80008000u), m | ftz);
			for (u64 i = 0; i < 3000 && unit_failures < 5; i++) {
				same_ways(random64(i), m | ftz);
				same_ways(random32(i), m | ftz);
				same_ways(sem_f64_bits((f64)(i64)random64(i) / (f64)(1u << i % 31) / 4294967296.0), m | ftz);
				same_ways(sem_f32_bits((f32)(i32)random32(i) / (f32)(1u << i % 31)), m | ftz);
			}
		}
}

TEST(sem_float, every_half_survives)
{
	for (u32 h = 0; h < 65536; h++) {
		u64 f = sem_f2f(SEM_F32, SEM_F16, h, 0), b = sem_f2f(SEM_F32, SEM_BF16, h, 0);
		u32 want = sem_is_nan(SEM_F16, h) ? 0x7fff : h, want_b = sem_is_nan(SEM_BF16, h) ? 0x7fff : h;
		EXPECT_EQ(sem_f2f(SEM_F16, SEM_F32, f, 0), want);
		EXPECT_EQ(sem_f2f(SEM_BF16, SEM_F32, b, 0), want_b);
		if (!sem_is_nan(SEM_BF16, h))
			EXPECT_EQ(b, h << 16);
#ifdef __FLT16_MAX__
		_Float16 x;
		u16      bits = (u16)h;
		memcpy(&x, &bits, 2);
		EXPECT_EQ(f, sem_f32_bits((f32)x));
#endif
	}
}

TEST(sem_float, half_arithmetic_rounds_once)
{
	for (u64 i = 0; i < 40000 && unit_failures < 5; i++) {
		u64 a = hash_u64(2 * i) & 0xffff, b = hash_u64(2 * i + 1) & 0xffff;
		u64 x = sem_f2f(SEM_F64, SEM_F16, a, 0), y = sem_f2f(SEM_F64, SEM_F16, b, 0);
		/* sums and products of halves are exact in f64 */
		EXPECT_EQ(sem_fadd(SEM_F16, a, b, 0), sem_f2f(SEM_F16, SEM_F64, sem_add_f64(x, y), 0));
		EXPECT_EQ(sem_fmul(SEM_F16, a, b, 0), sem_f2f(SEM_F16, SEM_F64, sem_mul_f64(x, y), 0));
	}
	EXPECT_EQ(sem_fadd(SEM_F16, 0x7bff, 0x7bff, 0), 0x7c00);
	EXPECT_EQ(sem_fadd(SEM_F16, 0x7bff, 0x7bff, SEM_RZ), 0x7bff);
	EXPECT_EQ(sem_ffma(SEM_F16, 0x3c00, 0x3c00, 0xbc00, 0), 0);
}

TEST(sem_float, flags)
{
	EXPECT_EQ(sem_fadd(SEM_F32, 1, 0, SEM_FTZ), 0);
	EXPECT_EQ(sem_fadd(SEM_F32, 0x80000001u, 0x80000000u, SEM_FTZ), 0x80000000u);
	EXPECT_EQ(sem_fmul(SEM_F32, 0x00800000u, 0x3f000000u, SEM_FTZ), 0);
	EXPECT_EQ(sem_fmul(SEM_F32, 0x00800000u, 0x3f000000u, 0), 0x00400000u);
	EXPECT_EQ(sem_fadd(SEM_F32, 0x40000000u, 0x40000000u, SEM_SAT), 0x3f800000u);
	EXPECT_EQ(sem_fadd(SEM_F32, 0xc0000000u, 0x3f800000u, SEM_SAT), 0);
	EXPECT_EQ(sem_fadd(SEM_F32, 0x7f800000u, 0xff800000u, SEM_SAT), 0);
	EXPECT_EQ(sem_fadd(SEM_F32, 0x7f800000u, 0xff800000u, 0), 0x7fffffffu);
	EXPECT_EQ(sem_ffma(SEM_F16, 0x3c00, 0xbc00, 0, SEM_RELU), 0);
	EXPECT_EQ(sem_fsub(SEM_F32, 0x3f800000u, 0x3f800000u, SEM_RM), 0x80000000u);
	EXPECT_EQ(sem_fsub(SEM_F32, 0x3f800000u, 0x3f800000u, SEM_RN), 0);
}

TEST(sem_float, min_and_max)
{
	EXPECT_EQ(sem_fmin(SEM_F32, 0, 0x80000000u, 0), 0x80000000u);
	EXPECT_EQ(sem_fmax(SEM_F32, 0x80000000u, 0, 0), 0);
	EXPECT_EQ(sem_fmin(SEM_F32, 0x7fc00001u, 0x3f800000u, 0), 0x3f800000u);
	EXPECT_EQ(sem_fmin(SEM_F32, 0x7fc00001u, 0x3f800000u, SEM_NAN_WINS), 0x7fffffffu);
	EXPECT_EQ(sem_fmin(SEM_F32, 0x7fc00001u, 0xffc00001u, 0), 0x7fffffffu);
	EXPECT_EQ(sem_fmax(SEM_F16, 0xc000, 0x3c00, SEM_XORSIGN), 0xc000);
	EXPECT_EQ(sem_fmin(SEM_F16, 0xc000, 0xbc00, SEM_XORSIGN), 0x3c00);
	EXPECT_EQ(sem_fmin(SEM_F64, 0xbff0000000000000u, 0xc000000000000000u, 0), 0xc000000000000000u);
}

TEST(sem_float, comparisons)
{
	u32 one = 0x3f800000u, two = 0x40000000u, nan = 0x7fc00000u;
	EXPECT(sem_fcmp(SEM_F32, SEM_LT, one, two, 0));
	EXPECT(!sem_fcmp(SEM_F32, SEM_LT, two, one, 0));
	EXPECT(sem_fcmp(SEM_F32, SEM_EQ, 0, 0x80000000u, 0));
	EXPECT(!sem_fcmp(SEM_F32, SEM_LT, 0x80000000u, 0, 0));
	EXPECT(!sem_fcmp(SEM_F32, SEM_NE, nan, one, 0));
	EXPECT(sem_fcmp(SEM_F32, SEM_NEU, nan, one, 0));
	EXPECT(sem_fcmp(SEM_F32, SEM_GEU, nan, one, 0));
	EXPECT(sem_fcmp(SEM_F32, SEM_NAN, nan, one, 0));
	EXPECT(sem_fcmp(SEM_F32, SEM_NUM, two, one, 0));
	EXPECT(sem_fcmp(SEM_F32, SEM_EQ, 1, 0, SEM_FTZ));
	EXPECT(sem_fcmp(SEM_F32, SEM_LT, 0xc0000000u, 0xbf800000u, 0));
}

TEST(sem_float, to_integers)
{
	EXPECT_EQ(sem_f2i(32, true, SEM_F32, 0x7fc00000u, SEM_RZ), 0);
	EXPECT_EQ(sem_f2i(64, true, SEM_F32, 0x7fc00000u, SEM_RZ), 0x8000000000000000u);
	EXPECT_EQ(sem_f2i(32, true, SEM_F64, 0x7ff8000000000000u, SEM_RZ), 0x80000000u);
	EXPECT_EQ(sem_f2i(32, true, SEM_F32, 0x7f800000u, SEM_RZ), 0x7fffffffu);
	EXPECT_EQ(sem_f2i(32, false, SEM_F32, 0xbf800000u, SEM_RZ), 0);
	EXPECT_EQ(sem_f2i(8, true, SEM_F32, 0x43960000u, SEM_RZ), 0x7f);
	EXPECT_EQ(sem_f2i(32, true, SEM_F32, 0x40200000u, SEM_RN), 2); /* 2.5 */
	EXPECT_EQ(sem_f2i(32, true, SEM_F32, 0xc0200000u, SEM_RM), (u32)-3);
	EXPECT_EQ(sem_f2i(32, true, SEM_F32, 0x3e99999au, SEM_RP), 1);
	EXPECT_EQ(sem_f2i(32, true, SEM_F32, 1, SEM_RP), 1);
	EXPECT(sem_f2i_defined(32, true, SEM_F32, 0xcf000000u));
	EXPECT(!sem_f2i_defined(32, true, SEM_F32, 0x4f000000u));
	EXPECT(sem_f2i_defined(32, false, SEM_F32, 0xbf000000u));
	SemU128 big = sem_f2i128(false, SEM_F32, 0x7f000000u, SEM_RZ);
	EXPECT_EQ(big.hi, 0x8000000000000000u);
	EXPECT_EQ(sem_i1282f(SEM_F32, false, u128(~(u64)0, ~(u64)0), 0), 0x7f800000u);
	EXPECT_EQ(sem_i1282f(SEM_F64, true, u128(~(u64)0, ~(u64)0), 0), 0xbff0000000000000u);
}

TEST(sem_float, narrow_formats)
{
	EXPECT_EQ(sem_f2f(SEM_E4M3, SEM_F32, 0x43e00000u, SEM_SATFINITE), 0x7e); /* 448 */
	EXPECT_EQ(sem_f2f(SEM_E4M3, SEM_F32, 0x7f7fffffu, SEM_SATFINITE), 0x7e);
	EXPECT_EQ(sem_f2f(SEM_E4M3, SEM_F32, 0x7fc00000u, SEM_SATFINITE), 0x7f);
	EXPECT_EQ(sem_f2f(SEM_E5M2, SEM_F32, 0x7f800000u, SEM_SATFINITE), 0x7b);
	EXPECT_EQ(sem_f2f(SEM_E5M2, SEM_F32, 0xc0000000u, 0), 0xc0);
	EXPECT_EQ(sem_f2f(SEM_F16, SEM_E4M3, 0x38, 0), 0x3c00);
	EXPECT_EQ(sem_f2f(SEM_TF32, SEM_F32, 0x3f801fffu, SEM_RNA), 0x3f802000u);
	EXPECT_EQ(sem_f2f(SEM_TF32, SEM_F32, 0x3f800fffu, SEM_RNA), 0x3f800000u);
	EXPECT_EQ(sem_f2f(SEM_E2M1, SEM_F32, 0x40c00000u, SEM_SATFINITE), 7);
	EXPECT_EQ(sem_f2f(SEM_F32, SEM_E2M1, 1, 0), 0x3f000000u);
	EXPECT_EQ(sem_f2f(SEM_UE8M0, SEM_F32, 0x3f800000u, SEM_RZ), 127);
	EXPECT_EQ(sem_f2f(SEM_UE8M0, SEM_F32, 0x3f800001u, SEM_RP), 128);
	for (u32 v = 0; v < 256; v++) {
		if (!sem_is_nan(SEM_E4M3, v))
			EXPECT_EQ(sem_f2f(SEM_E4M3, SEM_F32, sem_f2f(SEM_F32, SEM_E4M3, v, 0), 0), v);
		if (!sem_is_nan(SEM_E5M2, v))
			EXPECT_EQ(sem_f2f(SEM_E5M2, SEM_F32, sem_f2f(SEM_F32, SEM_E5M2, v, 0), 0), v);
	}
}

TEST(sem_float, remainders)
{
	for (u64 i = 0; i < 3000 && unit_failures < 5; i++) {
		u64 a = random64(2 * i), b = random64(2 * i + 1);
		same64(sem_frem(SEM_F64, a, b), fmod(sem_f64_of(a), sem_f64_of(b)), "fmod", a, b);
		int q = 0;
		u32 quo;
		f64 r = remquo(sem_f64_of(a), sem_f64_of(b), &q);
		same64(sem_fremainder(SEM_F64, a, b, &quo), r, "remainder", a, b);
		if (r == r && sem_f64_of(b) - sem_f64_of(b) == 0)
			EXPECT_EQ(quo & 7, (u32)q & 7);
	}
}

/* Distance in units in the last place of the correctly rounded f32. */
static f64 ulps(u32 got, f64 want)
{
	f32 w = (f32)want;
	i32 e = w == 0 ? -126 : ilogbf(w);
	return fabs((f64)sem_f32_of(got) - want) / ldexp(1, PS_MAX(e, -126) - 23);
}

TEST(sem_float, approximations_stay_within_their_bounds)
{
	for (u64 i = 0; i < 100000 && unit_failures < 5; i++) {
		u32 r = (u32)hash_u64(i);
		f32 x = (f32)((i32)r) * 0x1p-24f; /* -128 .. 128 */
		u32 a = sem_f32_bits(x), p = r & 0x7fffffffu;
		EXPECT(ulps(sem_ex2_approx_f32(a, 0), exp2((f64)x)) < 1.0);
		EXPECT(fabs((f64)sem_f32_of(sem_sin_approx_f32(a, 0)) - sin((f64)x)) < 0x1p-24);
		EXPECT(fabs((f64)sem_f32_of(sem_cos_approx_f32(a, 0)) - cos((f64)x)) < 0x1p-24);
		EXPECT(ulps(sem_tanh_approx_f32(a), tanh((f64)x)) < 1.0);
		if (p >= 0x7f800000u || p == 0)
			continue;
		EXPECT(ulps(sem_lg2_approx_f32(p, 0), log2((f64)sem_f32_of(p))) < 1.0);
		EXPECT(ulps(sem_rsqrt_approx_f32(p, 0), 1 / sqrt((f64)sem_f32_of(p))) < 1.0);
	}
	EXPECT_EQ(sem_lg2_approx_f32(0, 0), 0xff800000u);
	EXPECT_EQ(sem_lg2_approx_f32(0xbf800000u, 0), 0x7fffffffu);
	EXPECT_EQ(sem_ex2_approx_f32(0xff800000u, 0), 0);
	EXPECT_EQ(sem_rcp_approx_f32(0x80000000u, 0), 0xff800000u);
	EXPECT_EQ(sem_div_approx_f32(0x3f800000u, 0x7f000000u, 0), 0);
	EXPECT_EQ(sem_rsqrt_approx_f32(0xbf800000u, 0), 0x7fffffffu);
	EXPECT_EQ(sem_sin_approx_f32(0x7f800000u, 0), 0x7fffffffu);
}

UNIT_MAIN
