/* float.c: IEEE arithmetic by integers.
 *
 * A finite number is opened to sign, exponent and a 127-bit significand with its top bit at 126, so
 * that one rounding routine closes every result. Bits shifted out below are jammed into the lowest bit;
 * with more than 20 spare bits under every format's precision, no rounding can tell the difference. */
#include "sem/float.h"
#include "sem/convert_fast.h"

const SemFmtInfo sem_fmt[SEM_FMT_COUNT] = {
	/*            width mant exp  inf    nan    canonical NaN */
	[SEM_F32] = {32, 23, 8, true, true, 0x7fffffffu},  [SEM_F64] = {64, 52, 11, true, true, 0x7ff8000000000000u},
	[SEM_F16] = {16, 10, 5, true, true, 0x7fffu},      [SEM_BF16] = {16, 7, 8, true, true, 0x7fffu},
	[SEM_TF32] = {32, 23, 8, true, true, 0x7fffffffu}, /* an f32 whose low 13 bits are zero */
	[SEM_E4M3] = {8, 3, 4, false, true, 0x7fu},        [SEM_E5M2] = {8, 2, 5, true, true, 0x7fu},
	[SEM_E2M3] = {6, 3, 2, false, false, 0x1fu},       [SEM_E3M2] = {6, 2, 3, false, false, 0x1fu},
	[SEM_E2M1] = {4, 1, 2, false, false, 0x7u},        [SEM_UE8M0] = {8, 0, 8, false, true, 0xffu},
};

typedef enum Class { ZERO, FINITE, INF, NOTANUM } Class;

typedef struct Num {
	Class   cls;
	bool    neg;
	i32     exp; /* value = sig * 2^(exp - 126) */
	SemU128 sig;
} Num;

static i32 bias(SemFmt f) { return (i32)sem_fbias(f); }
static u64 exp_mask(SemFmt f) { return sem_mask(sem_fmt[f].exponent); }
static u64 exp_field(SemFmt f, u64 a) { return a >> sem_fmt[f].mantissa & exp_mask(f); }
static u64 man_field(SemFmt f, u64 a) { return a & sem_mask(sem_fmt[f].mantissa); }

bool sem_is_nan(SemFmt f, u64 a)
{
	if (f == SEM_UE8M0)
		return a == 0xff;
	if (!sem_fmt[f].has_inf)
		return sem_fmt[f].has_nan && sem_fabs(f, a) == sem_fmt[f].nan;
	return exp_field(f, a) == exp_mask(f) && man_field(f, a) != 0;
}

bool sem_is_inf(SemFmt f, u64 a) { return sem_fmt[f].has_inf && exp_field(f, a) == exp_mask(f) && man_field(f, a) == 0; }

bool sem_is_subnormal(SemFmt f, u64 a) { return exp_field(f, a) == 0 && man_field(f, a) != 0; }

u64 sem_inf(SemFmt f, bool negative) { return (negative ? sem_fsign_bit(f) : 0) | exp_mask(f) << sem_fmt[f].mantissa; }

static u64 largest(SemFmt f)
{
	if (sem_fmt[f].has_inf)
		return sem_inf(f, false) - 1 - (f == SEM_TF32 ? 0x1fff : 0);
	return sem_fmt[f].has_nan ? sem_fmt[f].nan - 1 : sem_mask(sem_fmt[f].width - 1u);
}

u64 sem_fflush(SemFmt f, u64 a) { return exp_field(f, a) == 0 ? a & sem_fsign_bit(f) : a; }

static void normalise(Num *n)
{
	u32 z = u128_clz(n->sig);
	if (z == 128) {
		n->cls = ZERO;
	} else if (z == 0) {
		n->sig = u128_shr_jam(n->sig, 1);
		n->exp++;
	} else {
		n->sig = u128_shl(n->sig, z - 1);
		n->exp -= (i32)z - 1;
	}
}

static Num num_of(bool neg, SemU128 magnitude, i32 scale)
{
	Num n = {FINITE, neg, 126 + scale, magnitude};
	normalise(&n);
	return n;
}

static Num open(SemFmt f, u64 a, SemFpMode m)
{
	if (f == SEM_UE8M0)
		return a == 0xff ? (Num){.cls = NOTANUM} : num_of(false, u128(0, 1), (i32)a - 127);
	Num n = {.cls = ZERO, .neg = (a & sem_fsign_bit(f)) != 0};
	if (sem_is_nan(f, a)) {
		n.cls = NOTANUM;
	} else if (sem_is_inf(f, a)) {
		n.cls = INF;
	} else {
		u64 e = exp_field(f, a), s = man_field(f, a);
		if (e == 0 && (m & SEM_FTZ))
			s = 0;
		if (e || s) {
			if (e)
				s |= (u64)1 << sem_fmt[f].mantissa;
			n = num_of(n.neg, u128(0, s), (e ? (i32)e : 1) - bias(f) - sem_fmt[f].mantissa);
		}
	}
	return n;
}

/* Does cutting `rest` (of a unit 2^cut) from a number of this sign and lowest kept bit round away from zero? */
static bool rounds_up(SemU128 rest, u32 cut, bool odd, bool neg, SemFpMode m)
{
	if (u128_is_zero(rest))
		return false;
	SemU128 half = u128_shl(u128(0, 1), cut - 1);
	switch (m & SEM_RND) {
	case SEM_RN: return u128_lt(half, rest) || (u128_eq(half, rest) && odd);
	case SEM_RNA: return !u128_lt(rest, half);
	case SEM_RM: return neg;
	case SEM_RP: return !neg;
	default: return false;
	}
}

/* floor(sig / 2^cut), rounded; cut in 0..128. */
static SemU128 cut_bits(SemU128 sig, u32 cut, bool neg, SemFpMode m)
{
	if (cut == 0)
		return sig;
	SemU128 q = u128_shr(sig, cut);
	SemU128 rest = u128_sub(sig, u128_shl(q, cut));
	if (cut == 128) /* the number lies below a quarter of the unit */
		rest = u128(0, 1), cut = 2;
	if (rounds_up(rest, cut, q.lo & 1, neg, m))
		q = u128_add(q, u128(0, 1));
	return q;
}

static u64 overflow(SemFmt f, bool neg, SemFpMode m)
{
	u32  r = m & SEM_RND;
	bool to_max = r == SEM_RZ || (r == SEM_RM && !neg) || (r == SEM_RP && neg) || (m & SEM_SATFINITE);
	u64  sign = neg ? sem_fsign_bit(f) : 0;
	if (to_max || !sem_fmt[f].has_nan)
		return sign | largest(f);
	return sign | (sem_fmt[f].has_inf ? sem_inf(f, false) : sem_fmt[f].nan);
}

static u64 close_ue8m0(Num n, SemFpMode m)
{
	if (n.cls == NOTANUM)
		return 0xff;
	if (n.cls == ZERO || n.neg)
		return 0;
	if (n.cls == INF)
		return m & SEM_SATFINITE ? 0xfe : 0xff;
	bool power = u128_eq(n.sig, u128((u64)1 << 62, 0));
	i32  e = n.exp + 127 + ((m & SEM_RND) == SEM_RP && !power ? 1 : 0);
	if (e > 254)
		return m & SEM_SATFINITE ? 0xfe : 0xff;
	return e < 0 ? 0 : (u64)e;
}

static u64 close_finite(SemFmt f, Num n, SemFpMode m)
{
	u32 man = sem_fmt[f].mantissa, drop = f == SEM_TF32 ? 13 : 0;
	i32 emin = 1 - bias(f);
	i32 below = n.exp < emin ? emin - n.exp : 0;
	u32 cut = PS_MIN(126 - man + drop + (u32)PS_MIN(below, 200), 128u);
	u64 q = cut_bits(n.sig, cut, n.neg, m).lo << drop;
	/* q holds the hidden bit, so that a carry out of the mantissa moves the exponent by itself. */
	u64 bits = q + (below ? 0 : (u64)(n.exp - emin) << man);
	if (n.exp > bias(f) + 1 || bits > largest(f))
		return overflow(f, n.neg, m);
	if ((m & SEM_FTZ) && exp_field(f, bits) == 0)
		bits = 0;
	return (n.neg ? sem_fsign_bit(f) : 0) | bits;
}

static u64 close(SemFmt f, Num n, SemFpMode m)
{
	if (f == SEM_UE8M0)
		return close_ue8m0(n, m);
	if (m & SEM_SAT) {
		if (n.cls == NOTANUM || n.neg)
			return 0;
		if (n.cls == INF || (n.cls == FINITE && n.exp >= 0))
			n = num_of(false, u128(0, 1), 0);
	}
	if (n.cls == NOTANUM && !sem_fmt[f].has_nan)
		return largest(f);
	if (n.cls == NOTANUM)
		return sem_fmt[f].nan;
	if ((m & SEM_RELU) && n.neg)
		return 0;
	if (n.cls == INF)
		return sem_fmt[f].has_inf && !(m & SEM_SATFINITE) ? sem_inf(f, n.neg) : overflow(f, n.neg, m);
	if (n.cls == ZERO)
		return n.neg ? sem_fsign_bit(f) : 0;
	return close_finite(f, n, m);
}

static const Num not_a_number = {.cls = NOTANUM};

/* ---- arithmetic on open numbers */

static Num num_add(Num a, Num b, SemFpMode m)
{
	if (a.cls == NOTANUM || b.cls == NOTANUM)
		return not_a_number;
	if (a.cls == INF || b.cls == INF) {
		if (a.cls == INF && b.cls == INF && a.neg != b.neg)
			return not_a_number;
		return a.cls == INF ? a : b;
	}
	bool zero_sign = a.neg == b.neg ? a.neg : (m & SEM_RND) == SEM_RM;
	if (a.cls == ZERO && b.cls == ZERO)
		return (Num){.cls = ZERO, .neg = zero_sign};
	if (a.cls == ZERO || b.cls == ZERO)
		return a.cls == ZERO ? b : a;
	if (a.exp < b.exp || (a.exp == b.exp && u128_lt(a.sig, b.sig))) {
		Num t = a;
		a = b, b = t;
	}
	i32     d = a.exp - b.exp;
	SemU128 s = u128_shr_jam(b.sig, (u32)PS_MIN(d, 128));
	a.sig = a.neg == b.neg ? u128_add(a.sig, s) : u128_sub(a.sig, s);
	if (u128_is_zero(a.sig))
		return (Num){.cls = ZERO, .neg = zero_sign};
	normalise(&a);
	return a;
}

static Num num_mul(Num a, Num b)
{
	bool neg = a.neg != b.neg;
	if (a.cls == NOTANUM || b.cls == NOTANUM)
		return not_a_number;
	if (a.cls == INF || b.cls == INF)
		return a.cls == ZERO || b.cls == ZERO ? not_a_number : (Num){.cls = INF, .neg = neg};
	if (a.cls == ZERO || b.cls == ZERO)
		return (Num){.cls = ZERO, .neg = neg};
	/* Operands come from formats of at most 53 bits, so their significands are in the upper words. */
	Num n = {FINITE, neg, a.exp + b.exp + 2, u128_mul_u64(a.sig.hi, b.sig.hi)};
	normalise(&n);
	return n;
}

static Num num_div(Num a, Num b)
{
	bool neg = a.neg != b.neg;
	if (a.cls == NOTANUM || b.cls == NOTANUM || (a.cls == b.cls && a.cls != FINITE))
		return not_a_number;
	if (a.cls == INF || b.cls == ZERO)
		return (Num){.cls = INF, .neg = neg};
	if (a.cls == ZERO || b.cls == INF)
		return (Num){.cls = ZERO, .neg = neg};
	SemU128 rem, q = u128_divrem(a.sig, u128(0, b.sig.hi), &rem);
	if (!u128_is_zero(rem))
		q.lo |= 1; /* 64 bits or more: sticky below every precision */
	return num_of(neg, q, a.exp - b.exp - 64);
}

static Num num_sqrt(Num a)
{
	if (a.cls == NOTANUM || (a.neg && a.cls != ZERO))
		return not_a_number;
	if (a.cls != FINITE)
		return a;
	/* sig * 2^(exp-126), with an even exponent: sqrt(sig) * 2^((exp-126)/2) */
	SemU128 sig = a.exp & 1 ? u128_shl(a.sig, 1) : a.sig;
	i32     exp = a.exp & 1 ? a.exp - 1 : a.exp;
	bool    exact;
	u64     root = u128_sqrt(sig, &exact);
	SemU128 wide = u128_shl(u128(0, root), 2);
	if (!exact)
		wide.lo |= 1;
	return num_of(false, wide, (exp - 126) / 2 - 2);
}

u64 sem_fadd(SemFmt f, u64 a, u64 b, SemFpMode m)
{
	if (m == 0 && f == SEM_F32)
		return sem_add_f32((u32)a, (u32)b);
	if (m == 0 && f == SEM_F64)
		return sem_add_f64(a, b);
	return close(f, num_add(open(f, a, m), open(f, b, m), m), m);
}

u64 sem_fsub(SemFmt f, u64 a, u64 b, SemFpMode m) { return sem_fadd(f, a, sem_fneg(f, b), m); }

u64 sem_fmul(SemFmt f, u64 a, u64 b, SemFpMode m)
{
	if (m == 0 && f == SEM_F32)
		return sem_mul_f32((u32)a, (u32)b);
	if (m == 0 && f == SEM_F64)
		return sem_mul_f64(a, b);
	return close(f, num_mul(open(f, a, m), open(f, b, m)), m);
}

u64 sem_ffma(SemFmt f, u64 a, u64 b, u64 c, SemFpMode m)
{
	if (m == 0 && f == SEM_F32)
		return sem_fma_f32((u32)a, (u32)b, (u32)c);
	if (m == 0 && f == SEM_F64)
		return sem_fma_f64(a, b, c);
	if ((m & SEM_OOB) && (a == sem_fmt[f].nan || b == sem_fmt[f].nan))
		return 0;
	return close(f, num_add(num_mul(open(f, a, m), open(f, b, m)), open(f, c, m), m), m);
}

u64 sem_fdiv(SemFmt f, u64 a, u64 b, SemFpMode m)
{
	if (m == 0 && f == SEM_F32)
		return sem_div_f32((u32)a, (u32)b);
	if (m == 0 && f == SEM_F64)
		return sem_div_f64(a, b);
	return close(f, num_div(open(f, a, m), open(f, b, m)), m);
}

u64 sem_fsqrt(SemFmt f, u64 a, SemFpMode m) { return close(f, num_sqrt(open(f, a, m)), m); }

u64 sem_frcp(SemFmt f, u64 a, SemFpMode m) { return close(f, num_div(num_of(false, u128(0, 1), 0), open(f, a, m)), m); }

u64 sem_fma_f64(u64 a, u64 b, u64 c)
{
	Num r = num_add(num_mul(open(SEM_F64, a, 0), open(SEM_F64, b, 0)), open(SEM_F64, c, 0), 0);
	return close(SEM_F64, r, 0);
}

u32 sem_sqrt_f32(u32 a) { return sem_f32_bits(__builtin_sqrtf(sem_f32_of(a))); }
u64 sem_sqrt_f64(u64 a) { return sem_f64_bits(__builtin_sqrt(sem_f64_of(a))); }

/* ---- order */

/* Bits as integers in the order of the numbers; -0 just below +0. */
static i64 order_key(SemFmt f, u64 a) { return a & sem_fsign_bit(f) ? ~(i64)sem_fabs(f, a) : (i64)a; }

static u64 min_max(SemFmt f, u64 a, u64 b, SemFpMode m, bool want_max)
{
	u64 sign = (a ^ b) & sem_fsign_bit(f);
	if (m & SEM_FTZ)
		a = sem_fflush(f, a), b = sem_fflush(f, b);
	bool na = sem_is_nan(f, a), nb = sem_is_nan(f, b);
	if ((na && nb) || ((na || nb) && (m & SEM_NAN_WINS)))
		return sem_fmt[f].nan;
	if (m & SEM_XORSIGN)
		a = sem_fabs(f, a), b = sem_fabs(f, b);
	u64 r = na ? b : nb ? a : (order_key(f, a) > order_key(f, b)) == want_max ? a : b;
	return m & SEM_XORSIGN ? sem_fabs(f, r) | sign : r;
}

u64 sem_fmin(SemFmt f, u64 a, u64 b, SemFpMode m) { return min_max(f, a, b, m, false); }
u64 sem_fmax(SemFmt f, u64 a, u64 b, SemFpMode m) { return min_max(f, a, b, m, true); }

bool sem_fcmp(SemFmt f, SemCmp cmp, u64 a, u64 b, SemFpMode m)
{
	if (m & SEM_FTZ)
		a = sem_fflush(f, a), b = sem_fflush(f, b);
	bool unordered = sem_is_nan(f, a) || sem_is_nan(f, b);
	if (cmp == SEM_NUM || cmp == SEM_NAN)
		return unordered == (cmp == SEM_NAN);
	if (unordered)
		return cmp >= SEM_EQU;
	if (cmp >= SEM_EQU)
		cmp = (SemCmp)(cmp - SEM_EQU + SEM_EQ);
	i64  x = order_key(f, a), y = order_key(f, b);
	bool equal = x == y || (sem_is_zero(f, a) && sem_is_zero(f, b));
	bool less = !equal && x < y;
	switch (cmp) {
	case SEM_EQ: return equal;
	case SEM_NE: return !equal;
	case SEM_LT:
	case SEM_LO: return less;
	case SEM_LE:
	case SEM_LS: return less || equal;
	case SEM_GT:
	case SEM_HI: return !less && !equal;
	default: return !less;
	}
}

bool sem_testp(SemFmt f, SemTestp test, u64 a)
{
	bool nan = sem_is_nan(f, a), inf = sem_is_inf(f, a);
	switch (test) {
	case SEM_TESTP_FINITE: return !nan && !inf;
	case SEM_TESTP_INFINITE: return inf;
	case SEM_TESTP_NUMBER: return !nan;
	case SEM_TESTP_NOTANUMBER: return nan;
	case SEM_TESTP_NORMAL: return !nan && !inf && exp_field(f, a) != 0;
	case SEM_TESTP_SUBNORMAL: return sem_is_subnormal(f, a);
	}
	return false;
}

/* ---- conversion */

u64 sem_f2f(SemFmt to, SemFmt from, u64 a, SemFpMode m)
{
	u64 fast;
	return fast_f2f(to, from, a, m, &fast) ? fast : close(to, open(from, a, m), m);
}

/* |a| rounded to an integer; false where it needs more than 127 bits. */
static bool integral(Num a, SemFpMode m, SemU128 *out)
{
	*out = u128(0, 0);
	if (a.cls != FINITE)
		return a.cls == ZERO;
	if (a.exp > 126)
		return false;
	*out = cut_bits(a.sig, a.exp < -2 ? 128 : (u32)(126 - a.exp), a.neg, m);
	return true;
}

u64 sem_f2i(u32 w, bool is_signed, SemFmt from, u64 a, SemFpMode m)
{
	u64 fast;
	if (fast_f2i(w, is_signed, from, a, m, &fast))
		return fast;
	Num n = open(from, a, m);
	if (n.cls == NOTANUM)
		return w == 64 || from == SEM_F64 ? sem_smin(w) : 0;
	SemU128 v;
	if (!integral(n, m, &v))
		v = u128(~(u64)0 >> 1, 0);
	if (is_signed)
		return sem_clamp_s(w, n.neg ? u128_neg(v) : v);
	if (n.neg)
		return 0;
	return v.hi || v.lo > sem_mask(w) ? sem_mask(w) : v.lo;
}

bool sem_f2i_defined(u32 w, bool is_signed, SemFmt from, u64 a)
{
	Num     n = open(from, a, 0);
	SemU128 v;
	if (n.cls == NOTANUM || !integral(n, SEM_RZ, &v) || v.hi)
		return false;
	if (n.neg)
		return v.lo <= (is_signed ? sem_smin(w) : 0);
	return v.lo <= (is_signed ? sem_smax(w) : sem_mask(w));
}

SemU128 sem_f2i128(bool is_signed, SemFmt from, u64 a, SemFpMode m)
{
	Num     n = open(from, a, m);
	SemU128 v, top = u128((u64)1 << 63, 0);
	if (n.cls == NOTANUM)
		return top;
	bool fits = integral(n, m, &v);
	if (is_signed)
		return n.neg ? (fits ? u128_neg(v) : top) : fits ? v : u128_not(top);
	if (n.neg)
		return u128(0, 0);
	if (n.cls == FINITE && n.exp == 127) /* the top bit alone is beyond a significand's place */
		return u128_shl(n.sig, 1);
	return fits ? v : u128(~(u64)0, ~(u64)0);
}

u64 sem_i2f(SemFmt to, u32 w, bool is_signed, u64 a, SemFpMode m)
{
	u64 fast;
	if (fast_i2f(to, w, is_signed, a, m, &fast))
		return fast;
	bool neg = is_signed && sem_negative(a, w);
	return close(to, num_of(neg, u128(0, neg ? sem_neg(w, a) : a), 0), m);
}

u64 sem_i1282f(SemFmt to, bool is_signed, SemU128 a, SemFpMode m)
{
	bool neg = is_signed && (i64)a.hi < 0;
	return close(to, num_of(neg, neg ? u128_neg(a) : a, 0), m);
}

u64 sem_frint(SemFmt f, u64 a, SemFpMode m)
{
	u64 fast;
	if (fast_frint(f, a, m, &fast))
		return fast;
	Num     n = open(f, a, m);
	SemU128 v;
	if (n.cls != FINITE || n.exp >= sem_fmt[f].mantissa)
		return close(f, n, m);
	integral(n, m, &v);
	Num r = num_of(n.neg, v, 0);
	return close(f, r, m);
}

u64 sem_fscalbn(SemFmt f, u64 a, i32 n)
{
	Num x = open(f, a, 0);
	x.exp += PS_MAX(PS_MIN(n, 1 << 20), -(1 << 20));
	return close(f, x, 0);
}

i32 sem_filogb(SemFmt f, u64 a) { return open(f, a, 0).exp; }

/* ---- remainders: long division, one bit of the quotient at a time */

static Num long_remainder(Num a, Num b, u32 *quotient)
{
	*quotient = 0;
	if (a.exp < b.exp)
		return a;
	SemU128 r = a.sig;
	for (i32 e = a.exp;; e--) {
		bool one = !u128_lt(r, b.sig);
		*quotient = *quotient << 1 | one;
		if (one)
			r = u128_sub(r, b.sig);
		if (e == b.exp)
			break;
		r = u128_shl(r, 1);
	}
	Num n = {FINITE, a.neg, b.exp, r};
	normalise(&n);
	return n;
}

u64 sem_frem(SemFmt f, u64 a, u64 b)
{
	Num x = open(f, a, 0), y = open(f, b, 0);
	u32 q;
	if (x.cls == NOTANUM || y.cls == NOTANUM || x.cls == INF || y.cls == ZERO)
		return sem_fmt[f].nan;
	if (x.cls == ZERO || y.cls == INF)
		return a;
	return close(f, long_remainder(x, y, &q), 0);
}

u64 sem_fremainder(SemFmt f, u64 a, u64 b, u32 *quotient)
{
	Num x = open(f, a, 0), y = open(f, b, 0);
	u32 q = 0;
	if (quotient)
		*quotient = 0;
	if (x.cls == NOTANUM || y.cls == NOTANUM || x.cls == INF || y.cls == ZERO)
		return sem_fmt[f].nan;
	if (x.cls == ZERO || y.cls == INF)
		return a;
	bool neg = x.neg != y.neg;
	x = long_remainder(x, y, &q);
	y.neg = x.neg;
	/* Nearer to the next multiple: |y| - |x| < |x|, or equal with an odd quotient. */
	Num over = y, twice = x;
	twice.exp++;
	over.neg = !twice.neg;
	Num  d = x.cls == ZERO ? x : num_add(twice, over, 0);
	bool up = d.cls == FINITE ? d.neg == x.neg : d.cls == ZERO && x.cls != ZERO && (q & 1);
	if (up) {
		x = num_add(x, over, 0);
		q++;
		if (x.cls == ZERO)
			x.neg = (a & sem_fsign_bit(f)) != 0;
	}
	if (quotient)
		*quotient = (neg ? 0 - q : q) & 0x7fffffffu;
	return close(f, x, 0);
}
