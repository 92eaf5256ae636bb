/* float.h: what floating-point instructions mean, on bits.
 *
 * Every operation is IEEE 754 in all formats and rounding modes, computed by integer arithmetic or by
 * host operations that IEEE fixes (+ - * / sqrt to nearest), so that the bits are the same natively and
 * in WASM. A NaN result is always the canonical one: 0x7fffffff (f32), 0x7fff (f16, bf16),
 * 0x7ff8000000000000 (f64), all ones below the sign (8 bits and less).
 *
 * A mode is a rounding plus flags, as in the instruction: SEM_RZ | SEM_FTZ. */
#ifndef PS_SEM_FLOAT_H
#define PS_SEM_FLOAT_H

#include "sem/int.h"

typedef enum SemFmt {
	SEM_F32,
	SEM_F64,
	SEM_F16,
	SEM_BF16,
	SEM_TF32,
	SEM_E4M3,
	SEM_E5M2,
	SEM_E2M3,
	SEM_E3M2,
	SEM_E2M1,
	SEM_UE8M0,
	SEM_FMT_COUNT
} SemFmt;

enum {
	SEM_RN = 0,  /* nearest, ties to even */
	SEM_RZ = 1,  /* toward zero */
	SEM_RM = 2,  /* toward minus infinity */
	SEM_RP = 3,  /* toward plus infinity */
	SEM_RNA = 4, /* nearest, ties away from zero */
	SEM_RND = 7,
	SEM_FTZ = 8,        /* subnormal operands and results are zeros of their sign (f32; f16 where the instruction has it) */
	SEM_SAT = 16,       /* clamp to [0, 1]; NaN becomes +0 */
	SEM_RELU = 32,      /* negative becomes +0; NaN becomes the canonical NaN */
	SEM_SATFINITE = 64, /* cvt: overflow becomes the largest finite value */
	SEM_NAN_WINS = 128, /* min, max: a NaN operand makes the result NaN */
	SEM_XORSIGN = 256,  /* min, max: of the magnitudes, with the sign of a ^ b */
	SEM_OOB = 512,      /* fma.oob: an operand 0x7fff... (canonical NaN) makes the result +0 */
};
typedef u32 SemFpMode;

typedef struct SemFmtInfo {
	u8   width, mantissa, exponent;
	bool has_inf; /* else the top exponent holds numbers */
	bool has_nan;
	u64  nan; /* the canonical one */
} SemFmtInfo;
extern const SemFmtInfo sem_fmt[SEM_FMT_COUNT];

static inline u32 sem_fwidth(SemFmt f) { return sem_fmt[f].width; }
static inline u32 sem_fbias(SemFmt f) { return (u32)sem_mask(sem_fmt[f].exponent - 1u); }
static inline u64 sem_fquiet_bit(SemFmt f) { return (u64)1 << (sem_fmt[f].mantissa - 1); }
/* 2^e, which has to be a normal number of the format. */
static inline u64  sem_fpow2(SemFmt f, i32 e) { return (u64)(e + (i32)sem_fbias(f)) << sem_fmt[f].mantissa; }
static inline u64  sem_fsign_bit(SemFmt f) { return (u64)1 << (sem_fmt[f].width - 1); }
bool               sem_is_nan(SemFmt f, u64 a);
bool               sem_is_inf(SemFmt f, u64 a);
bool               sem_is_subnormal(SemFmt f, u64 a);
static inline bool sem_is_zero(SemFmt f, u64 a) { return (a & ~sem_fsign_bit(f)) == 0; }
u64                sem_inf(SemFmt f, bool negative);

/* ---- arithmetic, any format */
u64               sem_fadd(SemFmt f, u64 a, u64 b, SemFpMode m);
u64               sem_fsub(SemFmt f, u64 a, u64 b, SemFpMode m);
u64               sem_fmul(SemFmt f, u64 a, u64 b, SemFpMode m);
u64               sem_ffma(SemFmt f, u64 a, u64 b, u64 c, SemFpMode m);
u64               sem_fdiv(SemFmt f, u64 a, u64 b, SemFpMode m);
u64               sem_fsqrt(SemFmt f, u64 a, SemFpMode m);
u64               sem_frcp(SemFmt f, u64 a, SemFpMode m);
u64               sem_fmin(SemFmt f, u64 a, u64 b, SemFpMode m); /* a NaN yields the other operand; -0 < +0 */
u64               sem_fmax(SemFmt f, u64 a, u64 b, SemFpMode m);
u64               sem_frem(SemFmt f, u64 a, u64 b);                               /* C's fmod, LLVM's frem: exact */
u64               sem_fremainder(SemFmt f, u64 a, u64 b, u32 *quotient_low_bits); /* IEEE remainder; NULL allowed */
static inline u64 sem_fneg(SemFmt f, u64 a) { return a ^ sem_fsign_bit(f); }
static inline u64 sem_fabs(SemFmt f, u64 a) { return a & ~sem_fsign_bit(f); }
static inline u64 sem_copysign(SemFmt f, u64 magnitude, u64 sign)
{
	return (magnitude & ~sem_fsign_bit(f)) | (sign & sem_fsign_bit(f));
}
u64  sem_fflush(SemFmt f, u64 a);         /* a subnormal becomes a zero of its sign */
u64  sem_fscalbn(SemFmt f, u64 a, i32 n); /* a * 2^n, rounded to nearest */
i32  sem_filogb(SemFmt f, u64 a);         /* floor(log2|a|) of a finite non-zero a */
bool sem_fcmp(SemFmt f, SemCmp cmp, u64 a, u64 b, SemFpMode m);
typedef enum SemTestp {
	SEM_TESTP_FINITE,
	SEM_TESTP_INFINITE,
	SEM_TESTP_NUMBER,
	SEM_TESTP_NOTANUMBER,
	SEM_TESTP_NORMAL,
	SEM_TESTP_SUBNORMAL
} SemTestp;
bool sem_testp(SemFmt f, SemTestp test, u64 a);

/* ---- conversion */
u64 sem_f2f(SemFmt to, SemFmt from, u64 a, SemFpMode m);
/* To an integer of `w` bits (1..64): rounded by the mode (SEM_RZ is C's), clamped to the range; NaN is
 * 0, or 2^(w-1) where either side has 64 bits. */
u64     sem_f2i(u32 w, bool is_signed, SemFmt from, u64 a, SemFpMode m);
u64     sem_i2f(SemFmt to, u32 w, bool is_signed, u64 a, SemFpMode m);
SemU128 sem_f2i128(bool is_signed, SemFmt from, u64 a, SemFpMode m);
u64     sem_i1282f(SemFmt to, bool is_signed, SemU128 a, SemFpMode m);
/* Is the value an integer that w bits hold (so that IR's fptosi / fptoui is not poison)? Truncates first. */
bool sem_f2i_defined(u32 w, bool is_signed, SemFmt from, u64 a);
/* Rounded to an integral value of the same format (cvt.rni and friends, llvm.floor, ...). */
u64 sem_frint(SemFmt f, u64 a, SemFpMode m);

/* ---- the hot ones, inline: nearest, no flags */
static inline f32 sem_f32_of(u32 bits)
{
	union {
		u32 u;
		f32 f;
	} x = {.u = bits};
	return x.f;
}
static inline u32 sem_f32_bits(f32 v)
{
	union {
		f32 f;
		u32 u;
	} x = {.f = v};
	return v == v ? x.u : 0x7fffffffu;
}
static inline f64 sem_f64_of(u64 bits)
{
	union {
		u64 u;
		f64 f;
	} x = {.u = bits};
	return x.f;
}
static inline u64 sem_f64_bits(f64 v)
{
	union {
		f64 f;
		u64 u;
	} x = {.f = v};
	return v == v ? x.u : 0x7ff8000000000000u;
}
static inline u64 sem_f64_raw(f64 v)
{
	union {
		f64 f;
		u64 u;
	} x = {.f = v};
	return x.u;
}
static inline u32 sem_f32_ftz(u32 a) { return a & 0x7f800000u ? a : a & 0x80000000u; }

static inline u32 sem_add_f32(u32 a, u32 b) { return sem_f32_bits(sem_f32_of(a) + sem_f32_of(b)); }
static inline u32 sem_sub_f32(u32 a, u32 b) { return sem_f32_bits(sem_f32_of(a) - sem_f32_of(b)); }
static inline u32 sem_mul_f32(u32 a, u32 b) { return sem_f32_bits(sem_f32_of(a) * sem_f32_of(b)); }
static inline u32 sem_div_f32(u32 a, u32 b) { return sem_f32_bits(sem_f32_of(a) / sem_f32_of(b)); }
static inline u64 sem_add_f64(u64 a, u64 b) { return sem_f64_bits(sem_f64_of(a) + sem_f64_of(b)); }
static inline u64 sem_sub_f64(u64 a, u64 b) { return sem_f64_bits(sem_f64_of(a) - sem_f64_of(b)); }
static inline u64 sem_mul_f64(u64 a, u64 b) { return sem_f64_bits(sem_f64_of(a) * sem_f64_of(b)); }
static inline u64 sem_div_f64(u64 a, u64 b) { return sem_f64_bits(sem_f64_of(a) / sem_f64_of(b)); }

/* The product of two f32 is exact in f64. Their sum with c is rounded to odd (Boldo and Melquiond):
 * where the f64 sum is inexact and even, the neighbour toward the lost part; then one rounding to f32. */
static inline u32 sem_fma_f32(u32 a, u32 b, u32 c)
{
	f64 p = (f64)sem_f32_of(a) * (f64)sem_f32_of(b), z = (f64)sem_f32_of(c);
	f64 s = p + z, t = s - p;
	f64 lost = (p - (s - t)) + (z - t);
	u64 bits = sem_f64_raw(s);
	u64 inexact = (u64)((lost < 0) | (lost > 0)) & ~bits & 1;
	u64 away = (u64)((lost > 0) == (s > 0));
	bits += inexact * (2 * away - 1);
	return sem_f32_bits((f32)sem_f64_of(bits));
}

/* Comparisons of f32 with LT etc. need no call either. */
static inline bool sem_lt_f32(u32 a, u32 b) { return sem_f32_of(a) < sem_f32_of(b); }
static inline bool sem_le_f32(u32 a, u32 b) { return sem_f32_of(a) <= sem_f32_of(b); }
static inline bool sem_eq_f32(u32 a, u32 b) { return sem_f32_of(a) == sem_f32_of(b); }

u64 sem_fma_f64(u64 a, u64 b, u64 c);
u32 sem_sqrt_f32(u32 a);
u64 sem_sqrt_f64(u64 a);

/* ---- PTX approximations: deterministic, within the error that PTX documents */
u32 sem_ex2_approx_f32(u32 a, SemFpMode m);
u32 sem_lg2_approx_f32(u32 a, SemFpMode m);
u32 sem_sin_approx_f32(u32 a, SemFpMode m);
u32 sem_cos_approx_f32(u32 a, SemFpMode m);
u32 sem_tanh_approx_f32(u32 a);
u32 sem_rsqrt_approx_f32(u32 a, SemFpMode m);
u32 sem_rcp_approx_f32(u32 a, SemFpMode m);
u32 sem_sqrt_approx_f32(u32 a, SemFpMode m);
u32 sem_div_approx_f32(u32 a, u32 b, SemFpMode m);
u64 sem_rcp_approx_f64(u64 a); /* rcp.approx.ftz.f64: the low 32 bits are zero */
u64 sem_rsqrt_approx_f64(u64 a);

#endif
