/* convert_fast.h: the conversions that programs make most, by the host's arithmetic: f32 and f64 from and to integers, to one another and
 * to integral values; halves from and to f32 by moving their fields. For float.c alone.
 *
 * Each function says whether it gave the result. It does not for NaN, infinities, subnormal results and operands that flags are about,
 * far values, and all flags but the rounding and SEM_FTZ: float.c's general code does those. Where it does, the result is exact or the
 * host rounds it as IEEE 754 says (to nearest, ties to even; hosts of any kind agree). */
#ifndef PS_SEM_CONVERT_FAST_H
#define PS_SEM_CONVERT_FAST_H

#include "sem/float.h"

static inline bool fast_flags(SemFpMode m) { return (m & ~(u32)(SEM_RND | SEM_FTZ)) == 0; }

static inline bool fast_i2f(SemFmt to, u32 w, bool is_signed, u64 a, SemFpMode m, u64 *out)
{
	if (!fast_flags(m) || (m & SEM_RND) != SEM_RN || w > 64 || (to != SEM_F32 && to != SEM_F64))
		return false;
	i64 s = sem_sext(a, w);
	if (to == SEM_F32)
		*out = sem_f32_bits(is_signed ? (f32)s : (f32)a);
	else
		*out = sem_f64_bits(is_signed ? (f64)s : (f64)a);
	return true;
}

/* The value in double, where it is finite, and no subnormal that the flags make a zero. */
static inline bool fast_value(SemFmt from, u64 a, SemFpMode m, f64 *out)
{
	bool normal;
	if (!fast_flags(m))
		return false;
	if (from == SEM_F32) {
		u32 e = (u32)a >> 23 & 0xff;
		*out = (f64)sem_f32_of((u32)a);
		normal = e != 0xff && (e != 0 || !(m & SEM_FTZ));
	} else {
		*out = sem_f64_of(a);
		normal = from == SEM_F64 && (a >> 52 & 0x7ff) != 0x7ff && ((a >> 52 & 0x7ff) != 0 || !(m & SEM_FTZ));
	}
	return normal;
}

/* Rounded to an integer, where it is far from the ends of i64. */
static inline bool fast_integral(f64 v, SemFpMode m, i64 *out)
{
	const f64 far = 4611686018427387904.0; /* 2^62 */
	if (!(v > -far && v < far))
		return false;
	i64 t = (i64)v;
	f64 rest = v - (f64)t; /* exact; of the sign of v */
	switch (m & SEM_RND) {
	case SEM_RN: t += rest > 0.5 || (rest == 0.5 && (t & 1)) ? 1 : rest < -0.5 || (rest == -0.5 && (t & 1)) ? -1 : 0; break;
	case SEM_RNA: t += rest >= 0.5 ? 1 : rest <= -0.5 ? -1 : 0; break;
	case SEM_RM: t -= rest < 0; break;
	case SEM_RP: t += rest > 0; break;
	default: break;
	}
	*out = t;
	return true;
}

static inline bool fast_f2i(u32 w, bool is_signed, SemFmt from, u64 a, SemFpMode m, u64 *out)
{
	f64 v;
	i64 t;
	if (w > 64 || !fast_value(from, a, m, &v) || !fast_integral(v, m, &t))
		return false;
	if (is_signed) {
		i64 top = (i64)(sem_mask(w) >> 1);
		t = t > top ? top : t < -top - 1 ? -top - 1 : t;
		*out = (u64)t & sem_mask(w);
	} else {
		*out = t < 0 ? 0 : (u64)t > sem_mask(w) ? sem_mask(w) : (u64)t;
	}
	return true;
}

static inline bool fast_frint(SemFmt f, u64 a, SemFpMode m, u64 *out)
{
	f64 v;
	i64 t;
	if (!fast_value(f, a, m, &v) || !fast_integral(v, m, &t))
		return false;
	u64 sign = a & sem_fsign_bit(f);
	*out = sign | (f == SEM_F32 ? sem_f32_bits((f32)(t < 0 ? -t : t)) : sem_f64_bits((f64)(t < 0 ? -t : t)));
	return true;
}

/* A half in f32, and f32 in a half: normal numbers. */
static inline bool fast_from_half(SemFmt from, u32 a, u64 *out)
{
	u32 e = from == SEM_F16 ? a >> 10 & 31 : a >> 7 & 255, top = from == SEM_F16 ? 31 : 255;
	*out = from == SEM_F16 ? (a & 0x8000) << 16 | ((a & 0x7fff) + (112u << 10)) << 13 : a << 16;
	return e != 0 && e != top;
}

static inline bool fast_to_half(SemFmt to, u32 a, u64 *out)
{
	u32 drop = to == SEM_F16 ? 13 : 16, least = to == SEM_F16 ? 113 : 1, greatest = to == SEM_F16 ? 142 : 254;
	u32 e = a >> 23 & 0xff, v = (a & 0x7fffffff) - (to == SEM_F16 ? 112u << 23 : 0);
	v = (v + (1u << (drop - 1)) - 1 + (v >> drop & 1)) >> drop;
	*out = (a >> 16 & 0x8000) | v;
	return e >= least && e <= greatest && v < (to == SEM_F16 ? 0x7c00u : 0x7f80u);
}

static inline bool fast_f2f(SemFmt to, SemFmt from, u64 a, SemFpMode m, u64 *out)
{
	f64 v;
	if (!fast_flags(m))
		return false;
	if (to == SEM_F32 && (from == SEM_F16 || from == SEM_BF16))
		return fast_from_half(from, (u32)a, out);
	if (from == SEM_F32 && (to == SEM_F16 || to == SEM_BF16))
		return (m & SEM_RND) == SEM_RN && fast_to_half(to, (u32)a, out);
	if (to == SEM_F64 && from == SEM_F32 && fast_value(from, a, m, &v)) {
		*out = sem_f64_bits(v);
		return true;
	}
	if (to != SEM_F32 || from != SEM_F64 || (m & SEM_RND) != SEM_RN || !fast_value(from, a, 0, &v))
		return false;
	u32 r = sem_f32_bits((f32)v);
	*out = r;
	return (r >> 23 & 0xff) != 0xff && ((r >> 23 & 0xff) != 0 || !(m & SEM_FTZ));
}

#endif
