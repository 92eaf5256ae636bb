/* int.h: what integer instructions mean, on bits.
 *
 * A value of width w (1..64) is a u64 whose bits above w are zero; every function takes such values
 * and returns one. Signedness is in the operation. Where LLVM IR calls a result poison or PTX calls
 * it machine-specific, the value is the one written here, so that folding and execution agree; the
 * sem_*_defined predicates say when IR defines it. */
#ifndef PS_SEM_INT_H
#define PS_SEM_INT_H

#include "base/base.h"
#include "sem/u128.h"

static inline u64 sem_mask(u32 w) { return w >= 64 ? ~(u64)0 : ((u64)1 << w) - 1; }
/* Word `i`, of 64 bits, of the mask of the w lowest bits; w of any size. */
static inline u64 sem_mask_word(u32 w, u32 i) { return w <= 64 * i ? 0 : sem_mask(w - 64 * i); }
static inline u64 sem_zext(u64 x, u32 w) { return x & sem_mask(w); }
static inline i64 sem_sext(u64 x, u32 w)
{
	u64 sign = (u64)1 << (w - 1);
	return (i64)(((x & sem_mask(w)) ^ sign) - sign);
}
static inline bool sem_negative(u64 x, u32 w) { return x >> (w - 1) & 1; }
static inline u64  sem_smin(u32 w) { return (u64)1 << (w - 1); }
static inline u64  sem_smax(u32 w) { return sem_mask(w) >> 1; }

/* ---- arithmetic */

static inline u64 sem_add(u32 w, u64 a, u64 b) { return sem_zext(a + b, w); }
static inline u64 sem_sub(u32 w, u64 a, u64 b) { return sem_zext(a - b, w); }
static inline u64 sem_mul(u32 w, u64 a, u64 b) { return sem_zext(a * b, w); }
static inline u64 sem_mad(u32 w, u64 a, u64 b, u64 c) { return sem_zext(a * b + c, w); }
static inline u64 sem_neg(u32 w, u64 a) { return sem_zext(0 - a, w); }
static inline u64 sem_not(u32 w, u64 a) { return sem_zext(~a, w); }
static inline u64 sem_cnot(u32 w, u64 a) { return sem_zext(a, w) == 0; }
static inline u64 sem_abs(u32 w, u64 a) { return sem_negative(a, w) ? sem_neg(w, a) : a; } /* abs(MIN) = MIN */

/* a + b + carry; *carry becomes the carry out. */
static inline u64 sem_addc(u32 w, u64 a, u64 b, u32 *carry)
{
	u64 s = a + b, r = s + *carry;
	*carry = w >= 64 ? (s < a) | (r < s) : (u32)(r >> w & 1);
	return sem_zext(r, w);
}

/* a - b - borrow; *borrow becomes the borrow out. */
static inline u64 sem_subc(u32 w, u64 a, u64 b, u32 *borrow)
{
	u64  d = a - b;
	bool out = a < b || d < *borrow;
	d -= *borrow;
	*borrow = out;
	return sem_zext(d, w);
}

/* Does it leave the range of its type? */
static inline bool sem_uadd_overflows(u32 w, u64 a, u64 b) { return sem_add(w, a, b) < a; }
static inline bool sem_usub_overflows(u64 a, u64 b) { return a < b; }
static inline bool sem_sadd_overflows(u32 w, u64 a, u64 b)
{
	u64 r = a + b;
	return sem_negative((a ^ r) & (b ^ r), w);
}
static inline bool sem_ssub_overflows(u32 w, u64 a, u64 b)
{
	u64 r = a - b;
	return sem_negative((a ^ b) & (a ^ r), w);
}
bool sem_umul_overflows(u32 w, u64 a, u64 b);
bool sem_smul_overflows(u32 w, u64 a, u64 b);

/* Saturating forms. */
u64 sem_uadd_sat(u32 w, u64 a, u64 b);
u64 sem_usub_sat(u32 w, u64 a, u64 b);
u64 sem_sadd_sat(u32 w, u64 a, u64 b);
u64 sem_ssub_sat(u32 w, u64 a, u64 b);
u64 sem_ushl_sat(u32 w, u64 a, u64 n);
u64 sem_sshl_sat(u32 w, u64 a, u64 n);
/* A signed 128-bit value clamped to w bits. */
u64 sem_clamp_s(u32 w, SemU128 v);

/* The upper half of the 2w-bit product. */
static inline u64 sem_umulhi(u32 w, u64 a, u64 b)
{
	return w <= 32 ? a * b >> w : sem_zext(u128_shr(u128_mul_u64(a, b), w).lo, w);
}
static inline u64 sem_smulhi(u32 w, u64 a, u64 b)
{
	if (w <= 32)
		return sem_zext((u64)(sem_sext(a, w) * sem_sext(b, w)) >> w, w);
	return sem_zext(u128_shr(u128_mul_i64(sem_sext(a, w), sem_sext(b, w)), w).lo, w);
}
/* The 2w-bit product, 2w <= 64. */
static inline u64 sem_umulwide(u32 w, u64 a, u64 b) { return sem_zext(a * b, 2 * w); }
static inline u64 sem_smulwide(u32 w, u64 a, u64 b) { return sem_zext((u64)(sem_sext(a, w) * sem_sext(b, w)), 2 * w); }
/* mul24 (32 bits): bits 31..0 or 47..16 of the product of the low 24 bits. */
static inline u64 sem_umul24(u64 a, u64 b, bool hi) { return (u32)((a & 0xffffff) * (b & 0xffffff) >> (hi ? 16 : 0)); }
static inline u64 sem_smul24(u64 a, u64 b, bool hi) { return (u32)((u64)(sem_sext(a, 24) * sem_sext(b, 24)) >> (hi ? 16 : 0)); }

/* x / 0 is all ones, x % 0 is x (signed and unsigned); MIN / -1 is MIN, MIN % -1 is 0. */
static inline u64 sem_udiv(u32 w, u64 a, u64 b) { return b ? a / b : sem_mask(w); }
static inline u64 sem_urem(u64 a, u64 b) { return b ? a % b : a; }
static inline u64 sem_sdiv(u32 w, u64 a, u64 b)
{
	if (b == 0)
		return sem_mask(w);
	i64 y = sem_sext(b, w);
	return y == -1 ? sem_neg(w, a) : sem_zext((u64)(sem_sext(a, w) / y), w);
}
static inline u64 sem_srem(u32 w, u64 a, u64 b)
{
	if (b == 0)
		return a;
	i64 y = sem_sext(b, w);
	return y == -1 ? 0 : sem_zext((u64)(sem_sext(a, w) % y), w);
}
static inline bool sem_udiv_defined(u64 b) { return b != 0; }
static inline bool sem_sdiv_defined(u32 w, u64 a, u64 b) { return b != 0 && !(b == sem_mask(w) && a == sem_smin(w)); }

static inline u64 sem_umin(u64 a, u64 b) { return a < b ? a : b; }
static inline u64 sem_umax(u64 a, u64 b) { return a > b ? a : b; }
static inline u64 sem_smin2(u32 w, u64 a, u64 b) { return sem_sext(a, w) < sem_sext(b, w) ? a : b; }
static inline u64 sem_smax2(u32 w, u64 a, u64 b) { return sem_sext(a, w) > sem_sext(b, w) ? a : b; }
static inline u64 sem_usad(u32 w, u64 a, u64 b, u64 c) { return sem_zext(c + (a < b ? b - a : a - b), w); }
static inline u64 sem_ssad(u32 w, u64 a, u64 b, u64 c)
{
	return sem_zext(c + (sem_sext(a, w) < sem_sext(b, w) ? b - a : a - b), w);
}

/* ---- shifts: an amount of w or more shifts everything out (PTX clamps; IR calls it poison) */

static inline u64 sem_shl(u32 w, u64 a, u64 n) { return n >= w ? 0 : sem_zext(a << n, w); }
static inline u64 sem_lshr(u32 w, u64 a, u64 n) { return n >= w ? 0 : a >> n; }
static inline u64 sem_ashr(u32 w, u64 a, u64 n)
{
	return sem_zext((u64)(sem_sext(a, w) >> (n >= w ? (w == 64 ? 63 : w - 1) : n)), w);
}
/* llvm.fshl / llvm.fshr: the amount is taken modulo w. */
static inline u64 sem_fshl(u32 w, u64 hi, u64 lo, u64 n)
{
	n %= w;
	return n ? sem_zext(hi << n | lo >> (w - n), w) : hi;
}
static inline u64 sem_fshr(u32 w, u64 hi, u64 lo, u64 n)
{
	n %= w;
	return n ? sem_zext(hi << (w - n) | lo >> n, w) : lo;
}
/* shf.l / shf.r (32 bits) of hi:lo; wrap: n & 31, clamp: min(n, 32). */
static inline u64 sem_shf_l(u64 lo, u64 hi, u64 n, bool wrap)
{
	n = wrap ? n & 31 : PS_MIN(n, 32);
	return (u32)((hi << 32 | lo) << n >> 32);
}
static inline u64 sem_shf_r(u64 lo, u64 hi, u64 n, bool wrap)
{
	n = wrap ? n & 31 : PS_MIN(n, 32);
	return (u32)((hi << 32 | lo) >> n);
}

/* ---- bits */

static inline u64 sem_popc(u64 a)
{
	a -= a >> 1 & 0x5555555555555555u;
	a = (a & 0x3333333333333333u) + (a >> 2 & 0x3333333333333333u);
	a = (a + (a >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return a * 0x0101010101010101u >> 56;
}
static inline u64 sem_clz(u32 w, u64 a) { return a ? w - 1 - u64_log2(a) : w; }
static inline u64 sem_ctz(u32 w, u64 a) { return a ? sem_popc((a & (0 - a)) - 1) : w; }
u64               sem_brev(u32 w, u64 a);
u64               sem_bswap(u32 w, u64 a);
/* bfe: `len` bits from `pos`, either taken modulo 256; beyond the top: zeros or the sign. */
u64 sem_bfe_u(u32 w, u64 a, u64 pos, u64 len);
u64 sem_bfe_s(u32 w, u64 a, u64 pos, u64 len);
/* bfi: the low `len` bits of a placed at `pos` of b. */
u64 sem_bfi(u32 w, u64 a, u64 b, u64 pos, u64 len);
/* bfind: the place of the highest bit that is not the sign, 0xffffffff if none; or the shift to bring it to the top. */
u64 sem_bfind(u32 w, u64 a, bool is_signed, bool shiftamt);
/* fns: the place of the |n|-th set bit of mask from `base`, upward for n > 0, downward for n < 0. */
u64 sem_fns(u64 mask, u64 base, u64 n);
u64 sem_lop3(u64 a, u64 b, u64 c, u32 table);
u64 sem_szext(u64 a, u64 n, bool is_signed, bool wrap); /* 32 bits */
u64 sem_bmsk(u64 pos, u64 len, bool wrap);              /* 32 bits */

typedef enum SemPrmt { SEM_PRMT, SEM_PRMT_F4E, SEM_PRMT_B4E, SEM_PRMT_RC8, SEM_PRMT_ECL, SEM_PRMT_ECR, SEM_PRMT_RC16 } SemPrmt;
u64 sem_prmt(u64 a, u64 b, u64 c, SemPrmt mode);

/* dp4a, dp2a: c plus the dot product of bytes of a with bytes (dp4a) or with the two low or high
 * halves' bytes of b (dp2a: a holds 16-bit elements). */
u64 sem_dp4a(u64 a, u64 b, u64 c, bool a_signed, bool b_signed);
u64 sem_dp2a(u64 a, u64 b, u64 c, bool a_signed, bool b_signed, bool hi);

/* ---- comparison */

/* The operators of setp. LO, LS, HI, HS are the unsigned LT, LE, GT, GE; the U-forms are true for
 * NaN operands; NUM and NAN ask for NaN operands only. */
typedef enum SemCmp {
	SEM_EQ,
	SEM_NE,
	SEM_LT,
	SEM_LE,
	SEM_GT,
	SEM_GE,
	SEM_LO,
	SEM_LS,
	SEM_HI,
	SEM_HS,
	SEM_EQU,
	SEM_NEU,
	SEM_LTU,
	SEM_LEU,
	SEM_GTU,
	SEM_GEU,
	SEM_NUM,
	SEM_NAN,
	SEM_CMP_COUNT
} SemCmp;
typedef enum SemBool { SEM_BOOL_NONE, SEM_AND, SEM_OR, SEM_XOR } SemBool;

bool               sem_icmp(SemCmp cmp, u32 w, bool is_signed, u64 a, u64 b);
static inline bool sem_bool(SemBool op, bool a, bool b)
{
	return op == SEM_AND ? a & b : op == SEM_OR ? a | b : op == SEM_XOR ? a ^ b : a;
}

#endif
