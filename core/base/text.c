/* text.c: growth of a text, numbers, JSON strings. A text doubles until it is long and then grows by a quarter, so appending is
 * linear in the bytes appended. */
#include "base/text.h"

#include "base/decimal.h"
#include "base/fmt.h"

void text_init(Text *t, Arena *arena) { *t = (Text){.arena = arena}; }

enum { LONG_TEXT = 1 << 22 }; /* from here on a text grows by a quarter */

void text_room(Text *t, u32 more)
{
	if (t->cap - t->n >= more)
		return;
	u32 cap = PS_MAX(t->cap + (t->cap < LONG_TEXT ? t->cap : t->cap / 4), PS_MAX(t->n + more, 256u));
	t->p = arena_grow_bytes(t->arena, t->p, t->cap, cap);
	t->cap = cap;
}

void text_add(Text *t, Str s)
{
	if (!s.n)
		return;
	text_room(t, s.n);
	memcpy(t->p + t->n, s.p, s.n);
	t->n += s.n;
	for (u32 i = 0; i < s.n; i++)
		t->lines += s.p[i] == '\n';
}

void text_c(Text *t, char c)
{
	text_room(t, 1);
	t->p[t->n++] = c;
	t->lines += c == '\n';
}

void text_s(Text *t, const char *s) { text_add(t, str_of(s)); }

static u32 digits_of(u32 v)
{
	if (v < 10000)
		return v < 100 ? 1 + (v >= 10) : 3 + (v >= 1000);
	if (v < 100000000)
		return v < 1000000 ? 5 + (v >= 100000) : 7 + (v >= 10000000);
	return 9 + (v >= 1000000000);
}

/* 00, 01 … 99: two digits for one division. */
static const char pairs[] = "0001020304050607080910111213141516171819"
			    "2021222324252627282930313233343536373839"
			    "4041424344454647484950515253545556575859"
			    "6061626364656667686970717273747576777879"
			    "8081828384858687888990919293949596979899";

void text_u(Text *t, u64 v)
{
	if (v > UINT32_MAX) { /* 64-bit divisions are slow: seldom, and few */
		u64 high = v / 1000000000;
		u32 low = (u32)(v % 1000000000);
		text_u(t, high);
		for (u32 n = digits_of(low); n < 9; n++)
			text_c(t, '0');
		v = low;
	}
	u32 low = (u32)v, digits = digits_of(low), n = digits;
	text_room(t, n);
	char *at = t->p + t->n + n;
	for (; n > 1; n -= 2, low /= 100)
		memcpy(at -= 2, pairs + 2 * (low % 100), 2);
	if (n)
		at[-1] = (char)('0' + low);
	t->n += digits;
}

void text_i(Text *t, i64 v)
{
	if (v < 0)
		text_c(t, '-');
	text_u(t, v < 0 ? 0 - (u64)v : (u64)v);
}

void text_f(Text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	u32 n = fmt_len(fmt, ap);
	va_end(ap);
	text_room(t, n + 1);
	va_start(ap, fmt);
	fmt_into(t->p + t->n, n + 1, fmt, ap);
	va_end(ap);
	for (u32 i = 0; i < n; i++)
		t->lines += t->p[t->n + i] == '\n';
	t->n += n;
}

void text_pad(Text *t, u32 column, u32 from)
{
	while (t->n - from < column)
		text_c(t, ' ');
}

void text_double(Text *t, f64 v)
{
	char buf[DECIMAL_TEXT];
	text_add(t, (Str){buf, base_format_double(buf, v)});
}

u32 utf8_length(const u8 *s, u32 n)
{
	u32 len = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
	if (len == 0 || len > n)
		return 0;
	for (u32 i = 1; i < len; i++)
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
	bool surrogate = s[0] == 0xED && s[1] >= 0xA0;
	bool beyond = s[0] == 0xF4 && s[1] >= 0x90;
	return overlong || surrogate || beyond ? 0 : len;
}

void text_json(Text *t, Str s)
{
	text_c(t, '"');
	for (u32 i = 0; i < s.n;) {
		u8  c = (u8)s.p[i];
		u32 len = utf8_length((const u8 *)s.p + i, s.n - i);
		if (len == 0)
			text_s(t, "\xEF\xBF\xBD");
		else if (c == '"' || c == '\\')
			text_c(t, '\\'), text_c(t, (char)c);
		else if (c == '\n')
			text_s(t, "\\n");
		else if (c == '\t')
			text_s(t, "\\t");
		else if (c < 0x20)
			text_f(t, "\\u%04x", c);
		else
			text_add(t, (Str){s.p + i, len});
		i += PS_MAX(len, 1u);
	}
	text_c(t, '"');
}
