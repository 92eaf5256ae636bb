#include "sem/int.h"

bool sem_umul_overflows(u32 w, u64 a, u64 b) { return !u128_is_zero(u128_shr(u128_mul_u64(a, b), w)); }

bool sem_smul_overflows(u32 w, u64 a, u64 b)
{
	SemU128 top = u128_sar(u128_mul_i64(sem_sext(a, w), sem_sext(b, w)), w - 1);
	return !u128_is_zero(top) && !u128_is_zero(u128_not(top));
}

u64 sem_uadd_sat(u32 w, u64 a, u64 b) { return sem_uadd_overflows(w, a, b) ? sem_mask(w) : sem_add(w, a, b); }
u64 sem_usub_sat(u32 w, u64 a, u64 b) { return a < b ? 0 : sem_sub(w, a, b); }

u64 sem_sadd_sat(u32 w, u64 a, u64 b)
{
	if (!sem_sadd_overflows(w, a, b))
		return sem_add(w, a, b);
	return sem_negative(a, w) ? sem_smin(w) : sem_smax(w);
}

u64 sem_ssub_sat(u32 w, u64 a, u64 b)
{
	if (!sem_ssub_overflows(w, a, b))
		return sem_sub(w, a, b);
	return sem_negative(a, w) ? sem_smin(w) : sem_smax(w);
}

u64 sem_ushl_sat(u32 w, u64 a, u64 n)
{
	u64 r = sem_shl(w, a, n);
	return sem_lshr(w, r, n) == a ? r : sem_mask(w);
}

u64 sem_sshl_sat(u32 w, u64 a, u64 n)
{
	u64 r = sem_shl(w, a, n);
	if (n < w && sem_ashr(w, r, n) == a)
		return r;
	return a == 0 ? 0 : sem_negative(a, w) ? sem_smin(w) : sem_smax(w);
}

u64 sem_clamp_s(u32 w, SemU128 v)
{
	SemU128 lo = u128_of_i64(sem_sext(sem_smin(w), w)), hi = u128(0, sem_smax(w));
	if (u128_slt(v, lo))
		return sem_smin(w);
	return u128_slt(hi, v) ? sem_smax(w) : sem_zext(v.lo, w);
}

u64 sem_brev(u32 w, u64 a)
{
	a = (a >> 1 & 0x5555555555555555u) | (a & 0x5555555555555555u) << 1;
	a = (a >> 2 & 0x3333333333333333u) | (a & 0x3333333333333333u) << 2;
	a = (a >> 4 & 0x0f0f0f0f0f0f0f0fu) | (a & 0x0f0f0f0f0f0f0f0fu) << 4;
	return sem_bswap(64, a) >> (64 - w);
}

u64 sem_bswap(u32 w, u64 a)
{
	a = (a >> 8 & 0x00ff00ff00ff00ffu) | (a & 0x00ff00ff00ff00ffu) << 8;
	a = (a >> 16 & 0x0000ffff0000ffffu) | (a & 0x0000ffff0000ffffu) << 16;
	return (a >> 32 | a << 32) >> (64 - w);
}

u64 sem_bfe_u(u32 w, u64 a, u64 pos, u64 len)
{
	pos &= 0xff, len &= 0xff;
	return pos >= w ? 0 : (a >> pos) & sem_mask((u32)PS_MIN(len, 64));
}

u64 sem_bfe_s(u32 w, u64 a, u64 pos, u64 len)
{
	pos &= 0xff, len &= 0xff;
	if (len == 0)
		return 0;
	u64 top = PS_MIN(pos + len - 1, w - 1);
	u64 sign = a >> top & 1;
	u64 r = pos >= w ? 0 : a >> pos;
	u64 have = pos >= w ? 0 : top - pos + 1; /* bits that come from a */
	r &= sem_mask((u32)have);
	return sem_zext(sign ? r | ~sem_mask((u32)have) : r, w);
}

u64 sem_bfi(u32 w, u64 a, u64 b, u64 pos, u64 len)
{
	pos &= 0xff, len &= 0xff;
	if (pos >= w || len == 0)
		return b;
	u64 field = sem_zext(sem_mask((u32)PS_MIN(len, 64)) << pos, w);
	return (b & ~field) | ((a << pos) & field);
}

u64 sem_bfind(u32 w, u64 a, bool is_signed, bool shiftamt)
{
	if (is_signed && sem_negative(a, w))
		a = sem_not(w, a);
	if (a == 0)
		return 0xffffffffu;
	u32 at = u64_log2(a);
	return shiftamt ? w - 1 - at : at;
}

u64 sem_fns(u64 mask, u64 base, u64 n)
{
	i32 count = (i32)n, at = (i32)(base & 31);
	if (count == 0)
		return mask >> at & 1 ? (u64)at : 0xffffffffu;
	i32 step = count > 0 ? 1 : -1;
	for (i32 left = count > 0 ? count : -count; at >= 0 && at < 32; at += step)
		if ((mask >> at & 1) && --left == 0)
			return (u64)at;
	return 0xffffffffu;
}

u64 sem_lop3(u64 a, u64 b, u64 c, u32 table)
{
	u64 r = 0;
	for (u32 i = 0; i < 8; i++)
		if (table >> i & 1)
			r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
	return r;
}

u64 sem_szext(u64 a, u64 n, bool is_signed, bool wrap)
{
	n = wrap ? n & 31 : PS_MIN(n, 32);
	if (n == 0)
		return 0;
	return (u32)(is_signed ? (u64)sem_sext(a, (u32)n) : sem_zext(a, (u32)n));
}

u64 sem_bmsk(u64 pos, u64 len, bool wrap)
{
	if (wrap)
		pos &= 31, len &= 31;
	return (u32)(pos >= 32 ? 0 : sem_mask((u32)PS_MIN(len, 32)) << pos);
}

/* The four selectors that a named mode makes of c & 3, lowest byte's first. */
static u32 prmt_selector(SemPrmt mode, u32 c)
{
	static const u16 table[][4] = {
		[SEM_PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [SEM_PRMT_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
		[SEM_PRMT_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [SEM_PRMT_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
		[SEM_PRMT_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [SEM_PRMT_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
	};
	return table[mode][c & 3];
}

u64 sem_prmt(u64 a, u64 b, u64 c, SemPrmt mode)
{
	u64 bytes = (b & 0xffffffffu) << 32 | (a & 0xffffffffu), r = 0;
	u32 sel = mode == SEM_PRMT ? (u32)c : prmt_selector(mode, (u32)c);
	for (u32 i = 0; i < 4; i++) {
		u32 s = sel >> (4 * i) & 15;
		u64 byte = bytes >> (8 * (s & 7)) & 0xff;
		if (s & 8)
			byte = byte & 0x80 ? 0xff : 0;
		r |= byte << (8 * i);
	}
	return r;
}

static u64 element(u64 x, u32 at, u32 w, bool is_signed)
{
	x = sem_zext(x >> at, w);
	return is_signed ? (u64)sem_sext(x, w) : x;
}

u64 sem_dp4a(u64 a, u64 b, u64 c, bool a_signed, bool b_signed)
{
	for (u32 i = 0; i < 32; i += 8)
		c += element(a, i, 8, a_signed) * element(b, i, 8, b_signed);
	return (u32)c;
}

u64 sem_dp2a(u64 a, u64 b, u64 c, bool a_signed, bool b_signed, bool hi)
{
	for (u32 i = 0; i < 2; i++)
		c += element(a, 16 * i, 16, a_signed) * element(b, 8 * i + (hi ? 16 : 0), 8, b_signed);
	return (u32)c;
}

bool sem_icmp(SemCmp cmp, u32 w, bool is_signed, u64 a, u64 b)
{
	if (cmp >= SEM_LO && cmp <= SEM_HS) {
		is_signed = false;
		cmp = (SemCmp)(cmp - SEM_LO + SEM_LT);
	}
	bool less = is_signed ? sem_sext(a, w) < sem_sext(b, w) : a < b;
	switch (cmp) {
	case SEM_EQ: return a == b;
	case SEM_NE: return a != b;
	case SEM_LT: return less;
	case SEM_LE: return less || a == b;
	case SEM_GT: return !less && a != b;
	case SEM_GE: return !less;
	default: return false;
	}
}
