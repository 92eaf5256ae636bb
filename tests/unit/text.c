/* base/text and base/fmt: the same characters on every host. */
#include "unit.h"

#include "base/fmt.h"

static Str fmt(Arena *a, const char *f, ...) PS_PRINTF(2, 3);
static Str fmt(Arena *a, const char *f, ...)
{
	va_list ap;
	va_start(ap, f);
	Str s = arena_vfmt(a, f, ap);
	va_end(ap);
	return s;
}

/* Each conversion against the C library's own. */
#define SAME(...)                                                                                      \
	do {                                                                                           \
		char want_[256];                                                                       \
		snprintf(want_, sizeof want_, __VA_ARGS__);                                            \
		unit_expect_str(fmt(a, __VA_ARGS__), str_of(want_), __FILE__, __LINE__, #__VA_ARGS__); \
	} while (0)

TEST(fmt, integers)
{
	static const i32 v[] = {0, 1, -1, 42, -12345, INT32_MAX, INT32_MIN};
	for (u32 i = 0; i < PS_COUNT(v); i++) {
		SAME("%d|%i|%u|%x|%X|%o", v[i], v[i], (u32)v[i], (u32)v[i], (u32)v[i], (u32)v[i]);
		SAME("%6d|%-6d|%06d|%+d|%.3d|%6.3d|%-6.3d|", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
		SAME("%08x|%8x|%-8x|%.8x|", (u32)v[i], (u32)v[i], (u32)v[i], (u32)v[i]);
	}
	SAME("%lld %llu %llx", (long long)INT64_MIN, (unsigned long long)UINT64_MAX, 0xDEADBEEFCAFEull);
	SAME("%zu", (size_t)123);
	SAME("%*d|%-*d|%.*d", 5, 42, 5, 42, 4, 7);
	SAME("%.0d|", 1);
}

TEST(fmt, strings)
{
	SAME("%s|%5s|%-5s|%.2s|%5.1s|%c|%%", "abc", "abc", "abc", "abc", "abc", 'x');
	SAME("%.*s|", 2, "abcdef");
	char unterminated[3] = {'a', 'b', 'c'};
	EXPECT_STR(fmt(a, "%.*s", 3, unterminated), "abc");
}

TEST(fmt, truncates_like_snprintf)
{
	Text t;
	text_init(&t, a);
	for (u32 cap = 0; cap < 8; cap++) {
		char buf[8];
		memset(buf, '#', sizeof buf);
		Str     s = STR("hello");
		va_list none;
		memset(&none, 0, sizeof none);
		EXPECT_EQ(fmt_into(cap ? buf : NULL, cap, "hello", none), 5);
		if (cap) {
			u32 kept = PS_MIN(cap - 1, 5u);
			EXPECT_STREQ(((Str){buf, kept}), ((Str){s.p, kept}));
			EXPECT_EQ(buf[kept], 0);
		}
		if (cap < 8)
			EXPECT_EQ(buf[7], '#');
	}
}

TEST(text, builds_and_counts_lines)
{
	Text t;
	text_init(&t, a);
	text_s(&t, "a\nb");
	text_c(&t, '\n');
	text_u(&t, 0);
	text_c(&t, ' ');
	text_u(&t, UINT64_MAX);
	text_c(&t, ' ');
	text_i(&t, INT64_MIN);
	text_f(&t, "\n%s\n", "x");
	text_add(&t, (Str){NULL, 0});
	EXPECT_STR(text_str(&t), "a\nb\n0 18446744073709551615 -9223372036854775808\nx\n");
	EXPECT_EQ(t.lines, 4);
}

/* Around every power of ten, and its halves of nine digits. */
TEST(text, numbers_of_every_length)
{
	u64 p = 1;
	for (u32 digits = 1; digits <= 20; digits++, p *= 10)
		for (i32 by = -1; by <= 1; by++) {
			u64  v = p + (u64)by;
			char expected[24];
			Text t;
			text_init(&t, a);
			text_u(&t, v);
			snprintf(expected, sizeof expected, "%llu", (unsigned long long)v);
			EXPECT_STR(text_str(&t), expected);
		}
}

TEST(text, pads_to_a_column)
{
	Text t;
	text_init(&t, a);
	text_s(&t, "header\n");
	u32 from = t.n;
	text_s(&t, "ab");
	text_pad(&t, 5, from);
	text_c(&t, '|');
	text_pad(&t, 3, from); /* past it already */
	EXPECT_STR(text_str(&t), "header\nab   |");
}

TEST(text, grows_far)
{
	Text t;
	text_init(&t, a);
	for (u32 i = 0; i < 100000; i++)
		text_f(&t, "%u\n", i);
	EXPECT_EQ(t.n, 588890);
	EXPECT_EQ(t.lines, 100000);
}

static Str json(Arena *a, Str s)
{
	Text t;
	text_init(&t, a);
	text_json(&t, s);
	return text_str(&t);
}

TEST(json, escapes)
{
	EXPECT_STR(json(a, STR("")), "\"\"");
	EXPECT_STR(json(a, STR("a\"b\\c/")), "\"a\\\"b\\\\c/\"");
	EXPECT_STR(json(a, STR("\n\t\r\x01\x1f")), "\"\\n\\t\\u000d\\u0001\\u001f\"");
	EXPECT_STR(json(a, (Str){"a\0b", 3}), "\"a\\u0000b\"");
	EXPECT_STR(json(a, STR("\x7f")), "\"\x7f\"");
	EXPECT_STR(json(a, STR("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")), "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
}

#define FFFD "\xEF\xBF\xBD"

TEST(json, replaces_malformed_utf8)
{
	EXPECT_STR(json(a, STR("\xFF")), "\"" FFFD "\"");
	EXPECT_STR(json(a, STR("\x80z")), "\"" FFFD "z\"");        /* lone continuation */
	EXPECT_STR(json(a, STR("\xC0\xAF")), "\"" FFFD FFFD "\""); /* overlong */
	EXPECT_STR(json(a, STR("\xE0\x80\x80")), "\"" FFFD FFFD FFFD "\"");
	EXPECT_STR(json(a, STR("\xED\xA0\x80")), "\"" FFFD FFFD FFFD "\""); /* surrogate */
	EXPECT_STR(json(a, STR("\xF4\x90\x80\x80")), "\"" FFFD FFFD FFFD FFFD "\"");
	EXPECT_STR(json(a, STR("\xE2\x82")), "\"" FFFD FFFD "\""); /* cut off */
	EXPECT_STR(json(a, STR("\xF0\x90\x80\x80")), "\"\xF0\x90\x80\x80\"");
	EXPECT_STR(json(a, STR("\xF4\x8F\xBF\xBF")), "\"\xF4\x8F\xBF\xBF\"");
}

UNIT_MAIN
