/* format.c: the text of device printf, formatted without the host's printf, so that native and WASM agree.
 *
 * Doubles are expanded exactly to decimal digits and rounded half to even at the digit that is asked for. */
#include "simt/format.h"

#include "base/base.h"
#include "sem/int.h"

/* ---- doubles: the exact decimal expansion, rounded half to even at the digit that is asked for */

enum { BIG_LIMBS = 140, MAX_PRECISION = 60 }; /* base 10^9: 1074 fraction digits and 309 before the point */

typedef struct Digits {
	u8  d[1400]; /* most significant first */
	u32 n;
	i32 point; /* digits before the decimal point (may be negative) */
} Digits;

static void expand(Digits *out, u64 mantissa, i32 exp2)
{
	u32 limb[BIG_LIMBS] = {0}, n = 3, fraction = 0;
	limb[0] = (u32)(mantissa % 1000000000);
	limb[1] = (u32)(mantissa / 1000000000 % 1000000000);
	limb[2] = (u32)(mantissa / 1000000000 / 1000000000);
	/* x / 2 is x * 5 / 10: negative powers of two become digits behind the point. */
	for (i32 k = exp2 < 0 ? -exp2 : exp2; k > 0; k--) {
		u64 carry = 0;
		for (u32 i = 0; i < n; i++) {
			carry += (u64)limb[i] * (exp2 < 0 ? 5 : 2);
			limb[i] = (u32)(carry % 1000000000);
			carry /= 1000000000;
		}
		if (carry)
			limb[n++] = (u32)carry;
		fraction += exp2 < 0;
	}
	out->n = 0;
	for (u32 i = n; i-- > 0;)
		for (u32 p = 100000000; p; p /= 10) {
			u8 digit = (u8)(limb[i] / p % 10);
			if (out->n || digit)
				out->d[out->n++] = digit;
		}
	out->point = (i32)out->n - (i32)fraction;
}

/* Keeps `keep` digits (may be none or negative: then the number rounds to 0 or to one digit). */
static void round_digits(Digits *g, i32 keep)
{
	if (keep >= (i32)g->n)
		return;
	if (keep < 0) {
		g->n = 0;
		return;
	}
	bool rest = false;
	for (u32 i = (u32)keep + 1; i < g->n; i++)
		rest |= g->d[i] != 0;
	u32  cut = g->d[keep];
	bool odd = keep > 0 && g->d[keep - 1] % 2;
	g->n = (u32)keep;
	if (cut < 5 || (cut == 5 && !rest && !odd))
		return;
	u32 i = g->n;
	while (i > 0 && g->d[i - 1] == 9)
		g->d[--i] = 0;
	if (i > 0) {
		g->d[i - 1]++;
		return;
	}
	for (u32 k = g->n; k > 0; k--)
		g->d[k] = g->d[k - 1];
	g->d[0] = 1;
	g->n++;
	g->point++;
}

static u32 digit_at(const Digits *g, i32 i) { return i >= 0 && i < (i32)g->n ? g->d[i] : 0; }

static void fixed(Text *out, Digits *g, u32 precision, bool alternate)
{
	for (i32 i = 0; i < g->point; i++)
		text_c(out, (char)('0' + digit_at(g, i)));
	if (g->point <= 0)
		text_c(out, '0');
	if (precision || alternate)
		text_c(out, '.');
	for (u32 i = 0; i < precision; i++)
		text_c(out, (char)('0' + digit_at(g, g->point + (i32)i)));
}

static void scientific(Text *out, Digits *g, u32 precision, bool upper, bool alternate)
{
	i32 e = g->n ? g->point - 1 : 0;
	text_c(out, (char)('0' + digit_at(g, 0)));
	if (precision || alternate)
		text_c(out, '.');
	for (u32 i = 1; i <= precision; i++)
		text_c(out, (char)('0' + digit_at(g, (i32)i)));
	text_c(out, upper ? 'E' : 'e');
	text_c(out, e < 0 ? '-' : '+');
	text_f(out, "%02d", e < 0 ? -e : e);
}

/* %g: %e where the exponent is below -4 or not below the precision; trailing zeros go. */
static void general(Text *out, Digits *g, u32 precision, bool upper, bool alternate)
{
	precision = precision ? precision : 1;
	round_digits(g, (i32)precision);
	i32 e = g->n ? g->point - 1 : 0;
	u32 n = g->n;
	while (n > 1 && g->d[n - 1] == 0)
		n--;
	u32 kept = alternate ? precision : PS_MAX(n, 1u);
	if (e < -4 || e >= (i32)precision) {
		scientific(out, g, kept - 1, upper, alternate);
		return;
	}
	i32 behind = (i32)kept - g->point;
	fixed(out, g, behind > 0 && g->n ? (u32)behind : 0, alternate);
}

void simt_format_double(Text *out, u64 bits, char conversion, u32 precision, bool alternate)
{
	u64  exp = bits >> 52 & 0x7ff, man = bits & (((u64)1 << 52) - 1);
	bool upper = conversion >= 'A' && conversion <= 'Z';
	char kind = upper ? (char)(conversion - 'A' + 'a') : conversion;
	if (exp == 0x7ff) {
		text_s(out, man ? (upper ? "NAN" : "nan") : upper ? "INF" : "inf");
		return;
	}
	Digits g;
	expand(&g, exp ? man | (u64)1 << 52 : man, (i32)(exp ? exp : 1) - 1075);
	if (g.n == 0)
		g.point = 1;
	precision = PS_MIN(precision, (u32)MAX_PRECISION);
	if (kind == 'f') {
		round_digits(&g, g.point + (i32)precision);
		fixed(out, &g, precision, alternate);
	} else if (kind == 'e') {
		round_digits(&g, (i32)precision + 1);
		scientific(out, &g, precision, upper, alternate);
	} else {
		general(out, &g, precision, upper, alternate);
	}
}

/* ---- conversions */

typedef struct Conv {
	bool left, plus, space, alternate, zero, has_precision;
	u32  width, precision, longs, shorts;
	char kind;
} Conv;

static u32 number(Str f, u32 *i)
{
	u32 v = 0;
	for (; *i < f.n && f.p[*i] >= '0' && f.p[*i] <= '9'; ++*i)
		v = PS_MIN(v * 10 + (u32)(f.p[*i] - '0'), 4096u);
	return v;
}

/* After the '%'; leaves *i behind the conversion's letter. */
static Conv read_conv(Str f, u32 *i, FormatArg arg, void *user)
{
	Conv c = {0};
	for (; *i < f.n; ++*i) {
		char x = f.p[*i];
		if (x == '-')
			c.left = true;
		else if (x == '+')
			c.plus = true;
		else if (x == ' ')
			c.space = true;
		else if (x == '#')
			c.alternate = true;
		else if (x == '0')
			c.zero = true;
		else
			break;
	}
	if (*i < f.n && f.p[*i] == '*') {
		i32 w = (i32)arg(user, 4);
		c.left |= w < 0;
		c.width = (u32)PS_MIN(w < 0 ? -(i64)w : w, 4096);
		++*i;
	} else {
		c.width = number(f, i);
	}
	if (*i < f.n && f.p[*i] == '.') {
		++*i;
		c.has_precision = true;
		if (*i < f.n && f.p[*i] == '*') {
			i32 p = (i32)arg(user, 4);
			c.has_precision = p >= 0;
			c.precision = p < 0 ? 0 : (u32)PS_MIN(p, 4096);
			++*i;
		} else {
			c.precision = number(f, i);
		}
	}
	for (; *i < f.n && strchr("hljztL", f.p[*i]); ++*i)
		c.longs += f.p[*i] == 'j' ? 2u : f.p[*i] != 'h' && f.p[*i] != 'L', c.shorts += f.p[*i] == 'h';
	c.kind = *i < f.n ? f.p[(*i)++] : 0;
	return c;
}

static void put(Text *out, const Conv *c, Str sign, Str body, bool zeros)
{
	u32 n = sign.n + body.n, pad = c->width > n ? c->width - n : 0;
	if (!c->left && !zeros)
		for (u32 i = 0; i < pad; i++)
			text_c(out, ' ');
	text_add(out, sign);
	if (!c->left && zeros)
		for (u32 i = 0; i < pad; i++)
			text_c(out, '0');
	text_add(out, body);
	if (c->left)
		for (u32 i = 0; i < pad; i++)
			text_c(out, ' ');
}

static void put_integer(Text *out, const Conv *c, u64 v, bool neg, u32 base)
{
	char        buf[96];
	u32         n = sizeof buf, digits = 0;
	const char *set = c->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	for (u64 x = v; x; x /= base)
		buf[--n] = set[x % base], digits++;
	while (digits < PS_MIN(c->has_precision ? c->precision : 1u, 60u))
		buf[--n] = '0', digits++;
	Str sign = neg                                              ? STR("-")
	           : c->plus && (c->kind == 'd' || c->kind == 'i')  ? STR("+")
	           : c->space && (c->kind == 'd' || c->kind == 'i') ? STR(" ")
	                                                            : STR("");
	if (c->alternate && base == 16 && v)
		sign = c->kind == 'X' ? STR("0X") : STR("0x");
	if (c->alternate && base == 8 && (digits == 0 || buf[n] != '0'))
		buf[--n] = '0';
	put(out, c, sign, (Str){buf + n, (u32)sizeof buf - n}, c->zero && !c->has_precision);
}

static void put_double(Text *out, const Conv *c, u64 bits)
{
	char buf[512]; /* 309 digits, a point and MAX_PRECISION more */
	u32  start = out->n;
	bool neg = bits >> 63;
	simt_format_double(out, bits & ~((u64)1 << 63), c->kind, c->has_precision ? c->precision : 6, c->alternate);
	bool finite = (bits >> 52 & 0x7ff) != 0x7ff;
	Str  body = {buf, PS_MIN(out->n - start, (u32)sizeof buf)};
	memcpy(buf, out->p + start, body.n);
	out->n = start;
	put(out, c, neg ? STR("-") : c->plus ? STR("+") : c->space ? STR(" ") : STR(""), body, c->zero && finite);
}

/* %a: 0x1.8p+1; a number that is subnormal begins with 0x0. */
static void put_hex_double(Text *out, const Conv *c, u64 bits)
{
	const char *set = c->kind == 'A' ? "0123456789ABCDEF" : "0123456789abcdef";
	u64         man = bits & sem_mask(52);
	u32         field = (u32)(bits >> 52 & 0x7ff), n = 0, digits = 13;
	i32         e = field ? (i32)field - 1023 : man ? -1022 : 0;
	char        buf[96];
	u64         whole = (u64)(field != 0) << 52 | man;
	if (c->has_precision && c->precision < 13) { /* half to even */
		u32 drop = 52 - 4 * c->precision;
		u64 rest = whole & sem_mask(drop), half = (u64)1 << (drop - 1), kept = whole >> drop;
		kept += rest > half || (rest == half && (kept & 1));
		whole = kept << drop;
		digits = c->precision;
	}
	while (!c->has_precision && digits && (whole >> (52 - 4 * digits) & 15) == 0)
		digits--;
	buf[n++] = set[whole >> 52 & 15];
	if (digits || c->alternate || (c->has_precision && c->precision))
		buf[n++] = '.';
	for (u32 i = 0; i < digits; i++)
		buf[n++] = set[whole >> (48 - 4 * i) & 15];
	for (u32 i = 13; c->has_precision && i < PS_MIN(c->precision, (u32)MAX_PRECISION); i++)
		buf[n++] = '0';
	buf[n++] = c->kind == 'A' ? 'P' : 'p';
	buf[n++] = e < 0 ? '-' : '+';
	u32 size = (u32)(e < 0 ? -e : e), tens = size >= 1000 ? 1000 : size >= 100 ? 100 : size >= 10 ? 10 : 1;
	for (; tens; tens /= 10)
		buf[n++] = (char)('0' + size / tens % 10);
	bool neg = bits >> 63, upper = c->kind == 'A';
	Str  sign = neg        ? (upper ? STR("-0X") : STR("-0x"))
	            : c->plus  ? (upper ? STR("+0X") : STR("+0x"))
	            : c->space ? (upper ? STR(" 0X") : STR(" 0x"))
	                       : (upper ? STR("0X") : STR("0x"));
	put(out, c, sign, (Str){buf, n}, c->zero);
}

static bool convert(Text *out, const Conv *c, FormatArg arg, FormatString string, void *user, u32 word)
{
	u32  bytes = c->longs > 1 ? 8 : c->longs ? word : 4, bits = c->longs || !c->shorts ? 8 * bytes : c->shorts == 1 ? 16 : 8;
	u64  v;
	char letter;
	Str  s;
	switch (c->kind) {
	case 'd':
	case 'i':
		v = (u64)sem_sext(arg(user, bytes), bits);
		put_integer(out, c, (i64)v < 0 ? 0 - v : v, (i64)v < 0, 10);
		return true;
	case 'u': put_integer(out, c, sem_zext(arg(user, bytes), bits), false, 10); return true;
	case 'x':
	case 'X': put_integer(out, c, sem_zext(arg(user, bytes), bits), false, 16); return true;
	case 'o': put_integer(out, c, sem_zext(arg(user, bytes), bits), false, 8); return true;
	case 'p': {
		Conv hex = *c;
		hex.alternate = true;
		put_integer(out, &hex, arg(user, word), false, 16);
		return true;
	}
	case 'c':
		letter = (char)arg(user, 4);
		put(out, c, STR(""), (Str){&letter, 1}, false);
		return true;
	case 's':
		s = string(user, arg(user, word));
		if (c->has_precision)
			s.n = PS_MIN(s.n, c->precision);
		put(out, c, STR(""), s, false);
		return true;
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G': put_double(out, c, arg(user, 8)); return true;
	case 'a':
	case 'A': {
		u64  number = arg(user, 8);
		Conv other = *c;
		other.kind = c->kind == 'a' ? 'f' : 'F'; /* writes inf and nan */
		if ((number >> 52 & 0x7ff) == 0x7ff)
			put_double(out, &other, number);
		else
			put_hex_double(out, c, number);
		return true;
	}
	default: return false;
	}
}

u32 simt_format(Text *out, Str f, FormatArg arg, FormatString string, void *user, u32 word)
{
	u32 count = 0;
	for (u32 i = 0; i < f.n;) {
		if (f.p[i] != '%') {
			text_c(out, f.p[i++]);
			continue;
		}
		u32 start = i++;
		if (i < f.n && f.p[i] == '%') {
			text_c(out, '%');
			i++;
			continue;
		}
		Conv c = read_conv(f, &i, arg, user);
		if (c.kind == 'n')
			return FORMAT_REFUSED;
		if (convert(out, &c, arg, string, user, word))
			count++;
		else /* as it stands */
			text_add(out, (Str){f.p + start, i - start});
	}
	return count;
}
