/* decimal.c: both conversions on big integers of a fixed capacity, so that they need no memory. Reading scales the decimal digits
 * to an integer ratio and divides; writing generates digits until the value is told apart from its neighbours. Quadratic in the
 * number of digits, which is bounded. */
#include "base/decimal.h"

/* ---- big integers: just what the two conversions need ---- */

/* 3,968 bits. The largest number is the divisor of a reading, below 10^(330 + MAX_DIGITS) < 2^3760. */
enum { LIMBS = 124, MAX_DIGITS = 800 };

typedef struct Big {
	u32 n; /* limbs in use, the last one not 0; n = 0 is zero */
	u32 w[LIMBS];
} Big;

static void big_set(Big *b, u64 v)
{
	b->n = 0;
	for (; v; v >>= 32)
		b->w[b->n++] = (u32)v;
}

static void big_mul_add(Big *b, u32 by, u32 plus)
{
	u64 carry = plus;
	for (u32 i = 0; i < b->n; i++) {
		carry += (u64)b->w[i] * by;
		b->w[i] = (u32)carry;
		carry >>= 32;
	}
	if (carry)
		b->w[b->n++] = (u32)carry;
}

static void big_mul_pow10(Big *b, u32 exponent)
{
	for (; exponent >= 9; exponent -= 9)
		big_mul_add(b, 1000000000, 0);
	for (; exponent; exponent--)
		big_mul_add(b, 10, 0);
}

static void big_shl(Big *b, u32 bits)
{
	u32 limbs = bits / 32;
	bits %= 32;
	if (b->n == 0)
		return;
	if (limbs) {
		memmove(b->w + limbs, b->w, b->n * sizeof b->w[0]);
		memset(b->w, 0, limbs * sizeof b->w[0]);
		b->n += limbs;
	}
	if (bits)
		big_mul_add(b, (u32)1 << bits, 0);
}

static u32 big_bits(const Big *b) { return b->n ? (b->n - 1) * 32 + u64_log2(b->w[b->n - 1]) + 1 : 0; }

static int big_cmp(const Big *a, const Big *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (u32 i = a->n; i-- > 0;)
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i] ? -1 : 1;
	return 0;
}

static void big_add(Big *a, const Big *b)
{
	u64 carry = 0;
	u32 n = PS_MAX(a->n, b->n);
	for (u32 i = 0; i < n; i++) {
		carry += (u64)(i < a->n ? a->w[i] : 0) + (i < b->n ? b->w[i] : 0);
		a->w[i] = (u32)carry;
		carry >>= 32;
	}
	a->n = n;
	if (carry)
		a->w[a->n++] = (u32)carry;
}

/* a -= b, where a >= b. */
static void big_sub(Big *a, const Big *b)
{
	u64 borrow = 0;
	for (u32 i = 0; i < a->n; i++) {
		u64 d = (u64)a->w[i] - (i < b->n ? b->w[i] : 0) - borrow;
		a->w[i] = (u32)d;
		borrow = d >> 63;
	}
	while (a->n && a->w[a->n - 1] == 0)
		a->n--;
}

/* ---- reading ---- */

enum { FRACTION_BITS = 52, EXPONENT_BIAS = 1023, EXPONENT_MIN = -1022, EXPONENT_INF = 0x7FF };

static f64 double_of_bits(u64 bits)
{
	f64 v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* num / den, correctly rounded, by long division in base 2. Both positive; they are used up. */
static u64 divide_to_bits(Big *num, Big *den)
{
	i32 e = (i32)big_bits(num) - (i32)big_bits(den);
	if (e > 0)
		big_shl(den, (u32)e);
	else
		big_shl(num, (u32)-e);
	if (big_cmp(num, den) < 0) {
		big_shl(num, 1);
		e--;
	}
	/* Now the value is 2^e * num/den with 1 <= num/den < 2. Subnormals have fewer bits. */
	i32 bits = FRACTION_BITS + 1 + PS_MIN(0, e - EXPONENT_MIN);
	if (bits < 0)
		return 0;
	u64 q = 0;
	for (i32 i = 0; i < bits; i++) {
		q <<= 1;
		if (big_cmp(num, den) >= 0) {
			big_sub(num, den);
			q |= 1;
		}
		big_shl(num, 1);
	}
	int half = big_cmp(num, den);
	q += half > 0 || (half == 0 && (q & 1));
	/* The leading bit of q, if it is there, adds 1 to the exponent field, and a carry out of the
	 * fraction one more: both are what the format wants. */
	u64 field = e < EXPONENT_MIN ? 0 : (u64)(e - EXPONENT_MIN);
	u64 r = (field << FRACTION_BITS) + q;
	return PS_MIN(r, (u64)EXPONENT_INF << FRACTION_BITS);
}

typedef struct Digits {
	Big  big;   /* the first MAX_DIGITS significant digits */
	u32  n;     /* how many of them */
	i64  point; /* the value is 0.DIGITS * 10^point */
	bool any;   /* was there a digit at all? */
	bool rest;  /* is a later digit not 0? */
} Digits;

static void add_digit(Digits *d, u32 digit)
{
	if (d->n == 0 && digit == 0)
		return;
	if (d->n < MAX_DIGITS) {
		big_mul_add(&d->big, 10, digit);
		d->n++;
	} else {
		d->rest |= digit != 0;
	}
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The exponent at `p`; beyond a million it no longer matters how large. */
static bool read_exponent(const char *p, const char *end, i64 *value)
{
	bool negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		p++;
	if (p == end)
		return false;
	i64 v = 0;
	for (; p < end && is_digit(*p); p++)
		v = PS_MIN(v * 10 + (*p - '0'), (i64)1 << 40);
	*value = negative ? -v : v;
	return p == end;
}

static bool read_digits(Digits *d, const char *p, const char *end)
{
	bool after_point = false;
	for (; p < end; p++) {
		if (*p == '.' && !after_point) {
			after_point = true;
			continue;
		}
		if (!is_digit(*p))
			break;
		d->any = true;
		add_digit(d, (u32)(*p - '0'));
		/* Before the point a digit moves it right once digits count; after it, leading zeros
		 * move it left. */
		if (!after_point)
			d->point += d->n != 0;
		else
			d->point -= d->n == 0;
	}
	if (!d->any)
		return false;
	if (p == end)
		return true;
	i64  exponent = 0;
	bool ok = (*p == 'e' || *p == 'E') && read_exponent(p + 1, end, &exponent);
	d->point += exponent;
	return ok;
}

static u64 bits_of_digits(Digits *d)
{
	/* 0.DIGITS is in [0.1, 1): these bounds are outside all finite, all nonzero doubles. */
	if (d->n == 0 || d->point < -330)
		return 0;
	if (d->point > 310)
		return (u64)EXPONENT_INF << FRACTION_BITS;
	if (d->rest) { /* a digit below all that can decide a tie */
		big_mul_add(&d->big, 10, 1);
		d->n++;
	}
	Big den;
	big_set(&den, 1);
	i32 exponent = (i32)d->point - (i32)d->n;
	if (exponent > 0)
		big_mul_pow10(&d->big, (u32)exponent);
	else
		big_mul_pow10(&den, (u32)-exponent);
	return divide_to_bits(&d->big, &den);
}

f64 base_parse_double(Str s)
{
	const char *p = s.p, *end = s.p + s.n;
	bool        negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		p++;
	Digits d;
	d.big.n = d.n = 0;
	d.point = 0;
	d.any = d.rest = false;
	if (!read_digits(&d, p, end))
		return double_of_bits((u64)0x7FF8 << 48);
	return double_of_bits(bits_of_digits(&d) | (u64)negative << 63);
}

/* ---- writing ---- */

/* The state of the digit generation: the value is r/s, and every number strictly between
 * (r - low)/s and (r + high)/s reads back as it; the ends do too where `closed`. */
typedef struct Shortest {
	Big  r, s, low, high;
	bool closed;
} Shortest;

static bool reaches_high(const Shortest *g)
{
	Big sum = g->r;
	big_add(&sum, &g->high);
	int c = big_cmp(&sum, &g->s);
	return g->closed ? c >= 0 : c > 0;
}

static bool below_low(const Shortest *g)
{
	int c = big_cmp(&g->r, &g->low);
	return g->closed ? c <= 0 : c < 0;
}

static void scale10(Shortest *g)
{
	big_mul_add(&g->r, 10, 0);
	big_mul_add(&g->low, 10, 0);
	big_mul_add(&g->high, 10, 0);
}

/* Sets up m * 2^e with its two gaps, everything doubled so that half a gap is an integer. */
static void shortest_begin(Shortest *g, u64 m, i32 e, bool gap_below_is_half)
{
	u32 up = e > 0 ? (u32)e : 0, down = e < 0 ? (u32)-e : 0;
	u32 extra = gap_below_is_half ? 2 : 1;
	big_set(&g->r, m);
	big_shl(&g->r, up + extra);
	big_set(&g->s, 1);
	big_shl(&g->s, down + extra);
	big_set(&g->low, 1);
	big_shl(&g->low, up);
	g->high = g->low;
	if (gap_below_is_half)
		big_shl(&g->high, 1);
	g->closed = (m & 1) == 0;
}

/* Scales by a power of ten so that 0.1 <= (r + high)/s < 1 (or <= 1); returns that power. */
static i32 shortest_scale(Shortest *g, i32 log2)
{
	i32 k = (i32)(((i64)log2 * 78913) >> 18); /* log10(2) = 78913 / 2^18, never too large here */
	if (k >= 0) {
		big_mul_pow10(&g->s, (u32)k);
	} else {
		big_mul_pow10(&g->r, (u32)-k);
		big_mul_pow10(&g->low, (u32)-k);
		big_mul_pow10(&g->high, (u32)-k);
	}
	while (reaches_high(g)) {
		big_mul_add(&g->s, 10, 0);
		k++;
	}
	return k;
}

/* The next digit: the quotient of r by s, which is below 10; r keeps the remainder. */
static u32 next_digit(Shortest *g)
{
	u32 digit = 0;
	scale10(g);
	while (big_cmp(&g->r, &g->s) >= 0) {
		big_sub(&g->r, &g->s);
		digit++;
	}
	return digit;
}

static bool round_up(Shortest *g, u32 digit)
{
	big_shl(&g->r, 1);
	int half = big_cmp(&g->r, &g->s);
	return half > 0 || (half == 0 && (digit & 1));
}

Decimal decimal_shortest(f64 v)
{
	u64 bits;
	memcpy(&bits, &v, sizeof bits);
	u64 fraction = bits & (((u64)1 << FRACTION_BITS) - 1);
	u32 field = (u32)(bits >> FRACTION_BITS) & EXPONENT_INF;
	if (field == 0 && fraction == 0)
		return (Decimal){.digit = "0", .n = 1, .point = 1};
	u64 m = field ? fraction | (u64)1 << FRACTION_BITS : fraction;
	i32 e = (i32)PS_MAX(field, 1u) - EXPONENT_BIAS - FRACTION_BITS;

	Shortest g;
	shortest_begin(&g, m, e, fraction == 0 && field > 1);
	Decimal d = {.point = shortest_scale(&g, e + (i32)u64_log2(m))};
	for (;;) {
		u32  digit = next_digit(&g);
		bool low = below_low(&g), high = reaches_high(&g);
		if (low || high) {
			digit += high && (!low || round_up(&g, digit));
			d.digit[d.n++] = (char)('0' + digit);
			return d;
		}
		d.digit[d.n++] = (char)('0' + digit);
	}
}

static u32 put_exponent(char *out, i32 exponent)
{
	u32 n = 0, e = (u32)(exponent < 0 ? -exponent : exponent);
	out[n++] = 'e';
	out[n++] = exponent < 0 ? '-' : '+';
	for (u32 ten = e >= 100 ? 100 : e >= 10 ? 10 : 1; ten; ten /= 10)
		out[n++] = (char)('0' + e / ten % 10);
	return n;
}

static u32 put_zeros(char *out, i32 count)
{
	for (i32 i = 0; i < count; i++)
		out[i] = '0';
	return (u32)PS_MAX(count, 0);
}

static u32 put_bytes(char *out, const char *p, u32 n)
{
	memcpy(out, p, n);
	return n;
}

static u32 put_decimal(char *out, const Decimal *d)
{
	u32 n = 0;
	i32 point = d->point;
	if (point > 21 || point < -5) {
		out[n++] = d->digit[0];
		if (d->n > 1) {
			out[n++] = '.';
			n += put_bytes(out + n, d->digit + 1, d->n - 1);
		}
		return n + put_exponent(out + n, point - 1);
	}
	if (point <= 0) {
		n += put_bytes(out, "0.", 2);
		n += put_zeros(out + n, -point);
		return n + put_bytes(out + n, d->digit, d->n);
	}
	u32 whole = PS_MIN(d->n, (u32)point);
	n += put_bytes(out, d->digit, whole);
	n += put_zeros(out + n, point - (i32)d->n);
	if (whole < d->n) {
		out[n++] = '.';
		n += put_bytes(out + n, d->digit + whole, d->n - whole);
	}
	return n;
}

u32 base_format_double(char out[DECIMAL_TEXT], f64 v)
{
	u64 bits;
	memcpy(&bits, &v, sizeof bits);
	u64 magnitude = bits << 1 >> 1, inf = (u64)EXPONENT_INF << FRACTION_BITS;
	if (magnitude > inf)
		return put_bytes(out, "nan", 3);
	u32 n = 0;
	if (bits >> 63)
		out[n++] = '-';
	if (magnitude == inf)
		return n + put_bytes(out + n, "inf", 3);
	Decimal d = decimal_shortest(v);
	return n + put_decimal(out + n, &d);
}
