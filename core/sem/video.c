#include "sem/video.h"

#include "sem/int.h"

static i64 saturate(i64 v, u32 bits, bool is_signed)
{
	i64 most = is_signed ? (i64)sem_smax(bits) : (i64)sem_mask(bits), least = is_signed ? -most - 1 : 0;
	return v < least ? least : v > most ? most : v;
}

static i64 apply(u32 how, i64 a, i64 b)
{
	i64 by = how & VIDEO_WRAP ? b & 31 : b < 0 || b > 32 ? 32 : b, sum = a + b;
	switch ((SemVideoOp)(how & 0xff)) {
	case VIDEO_ADD: return sum;
	case VIDEO_SUB: return a - b;
	case VIDEO_ABSDIFF: return a < b ? b - a : a - b;
	case VIDEO_MIN: return a < b ? a : b;
	case VIDEO_MAX: return a < b ? b : a;
	case VIDEO_AVRG: return (sum >= 0 ? sum + 1 : sum) >> 1;
	case VIDEO_SHL: return (i64)((u64)a << by);
	case VIDEO_SHR: return a >> by;
	case VIDEO_EQ: return a == b;
	case VIDEO_NE: return a != b;
	case VIDEO_LT: return a < b;
	case VIDEO_LE: return a <= b;
	case VIDEO_GT: return a > b;
	case VIDEO_GE: return a >= b;
	}
	return 0;
}

static i64 extended(u32 v, u32 bits, bool is_signed) { return is_signed ? sem_sext(v, bits) : (i64)sem_zext(v, bits); }

u32 sem_video(u32 how, u32 lanes, u32 a, u32 b, u32 c)
{
	u32  bits = 32 / lanes, second = how >> VIDEO_SECOND_SHIFT & 0xff, packed = 0;
	bool d_signed = how & VIDEO_D_SIGNED;
	i64  sum = 0;
	for (u32 k = 0; k < lanes; k++) {
		i64 v = apply(how, extended(a >> k * bits, bits, how & VIDEO_A_SIGNED),
		              extended(b >> k * bits, bits, how & VIDEO_B_SIGNED));
		if (how & VIDEO_SAT)
			v = saturate(v, bits, d_signed);
		sum += v;
		packed |= (u32)((u64)v & sem_mask(bits)) << k * bits;
	}
	i64 first = extended(packed, 32, d_signed), other = extended(c, 32, d_signed);
	switch ((SemVideoSecond)second) {
	case VIDEO_THEN_ADD: return (u32)((lanes == 1 ? (i64)packed : sum) + (i64)c);
	case VIDEO_THEN_MIN: return (u32)(first < other ? first : other);
	case VIDEO_THEN_MAX: return (u32)(first < other ? other : first);
	case VIDEO_NO_SECOND: break;
	}
	return packed;
}

u32 sem_vmad(u32 how, u32 a, u32 b, u32 c)
{
	bool is_signed = how & (VIDEO_A_SIGNED | VIDEO_B_SIGNED | VIDEO_D_SIGNED);
	i64  x = extended(a, 32, how & VIDEO_A_SIGNED), y = extended(b, 32, how & VIDEO_B_SIGNED);
	u64  sum = (u64)x * (u64)y + (u64)extended(c, 32, is_signed) + (how & VIDEO_PLUS_ONE ? 1 : 0);
	u32  shift = how >> VIDEO_SHIFT_SHIFT;
	i64  v = is_signed ? (i64)sum >> shift : (i64)(sum >> shift);
	return (u32)(how & VIDEO_SAT ? saturate(v, 32, how & VIDEO_D_SIGNED) : v);
}
