/* base/decimal against the C library (glibc is exact): reading against strtod, writing against the
 * shortest %.*e that strtod reads back. */
#include "unit.h"

#include "base/decimal.h"
#include "base/hash.h"

static u64 bits_of(f64 v)
{
	u64 b;
	memcpy(&b, &v, sizeof b);
	return b;
}

static f64 of_bits(u64 b)
{
	f64 v;
	memcpy(&v, &b, sizeof v);
	return v;
}

static Str text_of(Arena *a, f64 v)
{
	Text t;
	text_init(&t, a);
	text_double(&t, v);
	return text_str(&t);
}

#define EXPECT_READS(text) EXPECT_EQ(bits_of(base_parse_double(str_of(text))), bits_of(strtod((text), NULL)))

TEST(decimal, reads_plain_numbers)
{
	static const char *const numbers[] = {
		"0",
		"-0",
		"+1",
		"1.",
		".5",
		"-.5e1",
		"00012.500",
		"1e5",
		"1E+5",
		"1e-5",
		"3.14159265358979323846",
		"123456789012345678901234567890",
		"0.1",
		"0.2",
		"0.3",
		"1e22",
		"1e23",
		"9007199254740993",
		"1e0000001",
	};
	for (u32 i = 0; i < PS_COUNT(numbers); i++)
		EXPECT_READS(numbers[i]);
}

TEST(decimal, reads_the_ends_of_the_range)
{
	EXPECT_READS("1.7976931348623157e308");
	EXPECT_READS("1.7976931348623158e308");
	EXPECT_READS("1.7976931348623159e308"); /* infinity: above the largest plus half a gap */
	EXPECT_READS("2e308");
	EXPECT_READS("-1e400");
	EXPECT_READS("1e999999999999999999999999");
	EXPECT_READS("2.2250738585072014e-308"); /* the least normal */
	EXPECT_READS("2.2250738585072011e-308"); /* the largest subnormal is nearest */
	EXPECT_READS("5e-324");
	EXPECT_READS("2.4703282292062327e-324"); /* just below half of the least: 0 */
	EXPECT_READS("2.4703282292062328e-324"); /* just above */
	EXPECT_READS("1e-400");
	EXPECT_READS("1e-999999999999999999999999");
	EXPECT_READS("0e999999999999");
}

/* Doubles spelt out to 1,100 digits, and points half-way between two of them with nothing behind or
 * with one digit far behind. */
TEST(decimal, ties_go_to_even_however_late_they_are_decided)
{
	char             exact[1200], longer[2400];
	static const u64 start[] = {0x3FF0000000000000, 0x0010000000000000, 0x0000000000000001,
	                            0x7FE0000000000001, 0x4340000000000001, 0x000FFFFFFFFFFFFF};
	for (u32 i = 0; i < PS_COUNT(start); i++) {
		f64 v = of_bits(start[i]), w = of_bits(start[i] + 1);
		snprintf(exact, sizeof exact, "%.1100e", v);
		EXPECT_READS(exact);
		snprintf(exact, sizeof exact, "%.1100e", w);
		EXPECT_READS(exact);
	}
	static const char *const halves[] = {
		"9007199254740993",
		"9007199254740995",
		"1.00000000000000011102230246251565404236316680908203125",
		"1.00000000000000033306690738754696212708950042724609375",
		"2.4703282292062327208e-324",
	};
	for (u32 i = 0; i < PS_COUNT(halves); i++) {
		EXPECT_READS(halves[i]);
		if (strchr(halves[i], 'e'))
			continue;
		memset(longer, '0', sizeof longer);
		u32 n = (u32)strlen(halves[i]);
		memcpy(longer, halves[i], n);
		if (!strchr(halves[i], '.'))
			longer[n] = '.';
		longer[sizeof longer - 1] = 0;
		EXPECT_READS(longer);
		longer[sizeof longer - 2] = '1'; /* past MAX_DIGITS: up */
		EXPECT_READS(longer);
	}
}

TEST(decimal, refuses_what_is_not_a_number)
{
	static const char *const bad[] = {"",      "-",    "+",  ".",  "e5",   "-e5", "1e",  "1e+", "1x",
	                                  "1.2.3", "1e5.", " 1", "1 ", "0x10", "inf", "nan", "--1"};
	for (u32 i = 0; i < PS_COUNT(bad); i++) {
		f64 v = base_parse_double(str_of(bad[i]));
		EXPECT(v != v);
	}
}

TEST(decimal, writes_as_javascript_does)
{
	static const struct {
		f64         v;
		const char *text;
	} rows[] = {
		{0, "0"},
		{1, "1"},
		{-1.5, "-1.5"},
		{0.1, "0.1"},
		{0.3, "0.3"},
		{0.1 + 0.2, "0.30000000000000004"},
		{123456789, "123456789"},
		{1e21, "1e+21"},
		{1e20, "100000000000000000000"},
		{123456789012345680000.0, "123456789012345680000"},
		{1.5e300, "1.5e+300"},
		{1e-6, "0.000001"},
		{1e-7, "1e-7"},
		{1.25e-7, "1.25e-7"},
		{5e-324, "5e-324"},
		{1.7976931348623157e308, "1.7976931348623157e+308"},
		{2.2250738585072014e-308, "2.2250738585072014e-308"},
		{9007199254740993.0, "9007199254740992"},
		{100, "100"},
		{1e23, "1e+23"},
		{4.35, "4.35"},
		{0.000123, "0.000123"},
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		EXPECT_STR(text_of(a, rows[i].v), rows[i].text);
	EXPECT_STR(text_of(a, of_bits((u64)1 << 63)), "-0");
	EXPECT_STR(text_of(a, of_bits((u64)0x7FF << 52)), "inf");
	EXPECT_STR(text_of(a, of_bits((u64)0xFFF << 52)), "-inf");
	EXPECT_STR(text_of(a, of_bits((u64)0x7FF8 << 48)), "nan");
}

/* The fewest digits with which libc reads the value back. */
static int shortest_length(f64 v, char out[64])
{
	for (int n = 1; n < 17; n++) {
		snprintf(out, 64, "%.*e", n - 1, v);
		if (strtod(out, NULL) == v)
			return n;
	}
	snprintf(out, 64, "%.16e", v);
	return 17;
}

static void check_round_trip(Arena *a, u64 bits)
{
	f64 v = of_bits(bits & ~((u64)1 << 63));
	if (v != v || v > 1.7976931348623157e308 || v == 0)
		return;
	Str s = text_of(a, v);
	EXPECT_EQ(bits_of(base_parse_double(s)), bits_of(v));
	EXPECT_EQ(bits_of(strtod(arena_str(a, s).p, NULL)), bits_of(v));
	char    want[64], digits[64];
	int     n = shortest_length(v, want);
	Decimal d = decimal_shortest(v);
	/* Next to a power of two the gap below is half the gap above, and the nearest of the shortest
	 * may be found with fewer digits than the nearest of that length. */
	if ((bits << 12) == 0) {
		EXPECT((int)d.n <= n);
		return;
	}
	u32 k = 0;
	for (const char *p = want; *p != 'e'; p++)
		if (*p != '.')
			digits[k++] = *p;
	while (k > 1 && digits[k - 1] == '0')
		k--;
	EXPECT_STREQ(((Str){d.digit, d.n}), ((Str){digits, k}));
}

TEST(decimal, random_doubles_round_trip_in_the_fewest_digits)
{
	Arena scratch;
	for (u64 i = 0; i < 20000; i++) {
		if (i % 1000 == 0) {
			if (i)
				arena_free(&scratch);
			arena_init(&scratch, a->budget);
		}
		u64 bits = hash_u64(i * 0x9E3779B97F4A7C15u + 1);
		check_round_trip(&scratch, bits);
		check_round_trip(&scratch, bits_of((f64)(bits % 1000000) / 1000)); /* short decimals */
		check_round_trip(&scratch, bits >> 12);                            /* subnormals */
		check_round_trip(&scratch, bits >> 52 << 52);                      /* powers of two */
	}
	arena_free(&scratch);
}

TEST(decimal, random_texts_read_as_libc_reads_them)
{
	char text[128];
	for (u64 i = 0; i < 20000; i++) {
		u64 r = hash_u64(i * 0x9E3779B97F4A7C15u + 7);
		u32 n = 0, digits = 1 + (u32)(r % 40), point = (u32)(r >> 8) % 40;
		for (u32 k = 0; k < digits; k++) {
			if (k == point)
				text[n++] = '.';
			text[n++] = (char)('0' + hash_u64(r + k) % 10);
		}
		snprintf(text + n, sizeof text - n, "e%d", (int)(r >> 40) % 700 - 350);
		EXPECT_READS(text);
	}
}

UNIT_MAIN
