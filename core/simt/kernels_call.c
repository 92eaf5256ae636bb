/* kernels_call.c: rows of kernels.def that call for each lane, or loop: nothing that vectors would help. */
#include "simt/kernel_loop.h"

#include "sem/float.h"
#include "sem/math.h"
#include "sem/video.h"

static inline u32 two(u64 lo, u64 hi) { return (u32)lo | (u32)hi << 16; }

static inline u32 fcmp_x2(u32 a, u32 b, u32 x)
{
	SemFmt f = (SemFmt)(x >> 24);
	SemCmp cmp = (SemCmp)(x >> 16 & 255);
	return (u32)sem_fcmp(f, cmp, a & 0xffff, b & 0xffff, x & 0xffff) | (u32)sem_fcmp(f, cmp, a >> 16, b >> 16, x & 0xffff)
	                                                                           << 1;
}

/* llvm.is.fpclass: bits from signalling NaN (0) to positive infinity (9). */
static u32 fclass(u64 a, u32 x)
{
	SemFmt f = (SemFmt)(x >> 16);
	bool   neg = (a & sem_fsign_bit(f)) != 0;
	u32    cls;
	if (sem_is_nan(f, a))
		cls = a >> (sem_fmt[f].mantissa - 1) & 1 ? 1 : 0;
	else if (sem_is_inf(f, a))
		cls = neg ? 2 : 9;
	else if (sem_is_zero(f, a))
		cls = neg ? 5 : 6;
	else if (sem_is_subnormal(f, a))
		cls = neg ? 4 : 7;
	else
		cls = neg ? 3 : 8;
	return x >> cls & 1;
}

enum { PACKED_ADD, PACKED_MIN, PACKED_MAX, PACKED_SUB, PACKED_MUL };

static u32 packed16(u32 a, u32 b, u32 c, u32 x)
{
	u32 r = 0;
	(void)c;
	for (u32 i = 0; i < 32; i += 16) {
		u64 p = a >> i & 0xffff, q = b >> i & 0xffff, v = 0;
		switch (x & 255) {
		case PACKED_ADD: v = sem_add(16, p, q); break;
		case PACKED_SUB: v = sem_sub(16, p, q); break;
		case PACKED_MUL: v = sem_mul(16, p, q); break;
		case PACKED_MIN: v = x & 256 ? sem_smin2(16, p, q) : sem_umin(p, q); break;
		default: v = x & 256 ? sem_smax2(16, p, q) : sem_umax(p, q); break;
		}
		r |= (u32)v << i;
	}
	return r;
}

/* cvt.f16x2.f32 d, a, b and the 8-bit pairs: a is the upper half. */
static u32 cvt_pair(u32 a, u32 b, u32 x)
{
	SemFmt to = (SemFmt)(x >> 24), from = (SemFmt)(x >> 16 & 255);
	u32    w = PS_MAX(sem_fwidth(to), 4u);
	if (w == 6)
		w = 8; /* six-bit numbers stand in bytes */
	return (u32)sem_f2f(to, from, a, x & 0xffff) << w | (u32)sem_f2f(to, from, b, x & 0xffff);
}

/* Of an f32 the bits that the result has no room for and the random ones are added, both from their tops; a carry rounds away from
 * zero (PTX ISA, cvt.rs). x: kx_stochastic. */
static u32 cvt_stochastic(u32 a, u32 random, u32 x)
{
	SemFmt    to = (SemFmt)(x >> 24);
	SemFpMode mode = x & 0x3ff; /* to the nearest: what is left to round has overflowed */
	u32       bits = x >> 10 & 63, sign = a & 0x80000000u, e = a >> 23 & 255, least = 127 + 1 - sem_fbias(to);
	u32       drop = 23 - sem_fmt[to].mantissa + (e < least ? least - e : 0);
	u64       man = (a & 0x7fffff) | (e ? 0x800000u : 0), noise = sem_zext(random >> (x >> 16 & 31), bits);
	if (e == 255 || drop > 40 || e == 0)
		return (u32)sem_f2f(to, SEM_F32, a, mode | SEM_RZ);
	u64 sum = (man << 24) + (drop + 24 >= bits ? noise << (drop + 24 - bits) : noise >> (bits - drop - 24));
	sum = sum >> (drop + 24) << drop;
	f64 value = (f64)sum * sem_f64_of((u64)(e + 1023 - 127 - 23) << 52);
	return (u32)sem_f2f(to, SEM_F64, sem_f64_bits(value) | (u64)sign << 32, mode);
}

static u32 uncvt_pair(u32 a, u32 x)
{
	SemFmt to = (SemFmt)(x >> 24), from = (SemFmt)(x >> 16 & 255);
	u32    w = sem_fwidth(from) == 6 ? 8 : sem_fwidth(from);
	u64    lo = sem_zext(a, sem_fwidth(from)), hi = sem_zext(a >> w, sem_fwidth(from));
	return two(sem_f2f(to, from, lo, x & 0xffff), sem_f2f(to, from, hi, x & 0xffff));
}

/* x: bits of the result | its sign << 8 | sign of the source << 9; a is the source extended to 64 bits. */
static u64 clamp_int64(u64 a, u32 x)
{
	u32 w = x & 255;
	if (x >> 9 & 1) {
		SemU128 v = u128_of_i64((i64)a);
		if (x >> 8 & 1)
			return sem_clamp_s(w, v);
		return (i64)a < 0 ? 0 : a > sem_mask(w) ? sem_mask(w) : a;
	}
	u64 top = x >> 8 & 1 ? sem_smax(w) : sem_mask(w);
	return a > top ? top : a;
}
static u32 clamp_int(u64 a, u32 x) { return (u32)clamp_int64(a, x); }

/* ex2.approx, tanh.approx of f16 and bf16: x: format << 16 | pair << 9 | tanh << 8 | mode. */
static u32 half_approx_one(u32 a, u32 x)
{
	SemFmt f = (SemFmt)(x >> 16);
	u32    v = (u32)sem_f2f(SEM_F32, f, a, 0), m = x & SEM_FTZ;
	if (m)
		v = (u32)sem_f2f(SEM_F32, f, sem_fflush(f, a), 0);
	u32 r = x >> 8 & 1 ? sem_tanh_approx_f32(v) : sem_ex2_approx_f32(v, 0);
	return (u32)sem_f2f(f, SEM_F32, r, m);
}
static u32 half_approx(u32 a, u32 x)
{
	if (!(x >> 9 & 1))
		return half_approx_one(a, x);
	return half_approx_one(a & 0xffff, x) | half_approx_one(a >> 16, x) << 16;
}

#define KC(id, D, A, B, C, expr) void simt_k_##id(KERNEL_ARGS) KERNEL_BODY(for (u32 l = 0; l < LANES; l++), D, A, B, C, expr)
#define K128(id, expr)                                                                          \
	void simt_k_##id(KERNEL_ARGS)                                                           \
	{                                                                                       \
		u64       *out = d;                                                             \
		const u64 *wa = pa, *wb = pb, *wc = pc;                                         \
		for (u32 l = 0; l < LANES; l++) {                                               \
			SemU128 a = u128(wa[l + LANES], wa[l]), b = u128(wb[l + LANES], wb[l]); \
			SemU128 c = u128(wc[l + LANES], wc[l]);                                 \
			(void)a, (void)b, (void)c;                                              \
			SemU128 r = (expr);                                                     \
			out[l] = r.lo;                                                          \
			out[l + LANES] = r.hi;                                                  \
		}                                                                               \
	}
#include "simt/kernels.def"
