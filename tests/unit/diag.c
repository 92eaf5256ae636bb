/* base/diag: counting, the cap, and the printed form. */
#include "unit.h"

#include "base/diag.h"

static Str printed(Arena *a, SrcRange at, const char *source)
{
	Diags d;
	Text  t;
	diags_init(&d, a);
	text_init(&t, a);
	diag_print(&t, diag_report(&d, DIAG_INTERNAL, at, "boom"), STR("f.ll"), str_of(source));
	return text_str(&t);
}

TEST(diag, prints_place_line_and_caret)
{
	EXPECT_STR(printed(a, src_at(2, 5), "first\nsecond\nthird"), "f.ll:2:5: error: internal error: boom\nsecond\n    ^\n");
	EXPECT_STR(printed(a, (SrcRange){1, 1, 1, 6}, "first\n"), "f.ll:1:1: error: internal error: boom\nfirst\n^~~~~\n");
	EXPECT_STR(printed(a, (SrcRange){1, 3, 2, 2}, "first\nsecond\n"), /* to the end of the line */
	           "f.ll:1:3: error: internal error: boom\nfirst\n  ^~~\n");
}

TEST(diag, keeps_tabs_under_tabs)
{
	EXPECT_STR(printed(a, src_at(1, 3), "\t\tx y\r\n"), "f.ll:1:3: error: internal error: boom\n\t\tx y\n\t\t^\n");
}

TEST(diag, without_a_place) { EXPECT_STR(printed(a, (SrcRange){0}, "x"), "f.ll: error: internal error: boom\n"); }

TEST(diag, past_the_end_of_line_or_text)
{
	EXPECT_STR(printed(a, src_at(1, 99), "ab"), "f.ll:1:99: error: internal error: boom\nab\n  ^\n");
	EXPECT_STR(printed(a, src_at(7, 1), "ab\n"), "f.ll:7:1: error: internal error: boom\n\n^\n");
	EXPECT_STR(printed(a, src_at(1, 1), ""), "f.ll:1:1: error: internal error: boom\n\n^\n");
}

TEST(diag, shows_a_window_of_a_long_line)
{
	char *line = arena_alloc(a, 1000001, 1);
	memset(line, 'x', 1000000);
	Str s = printed(a, src_at(1, 500001), line);
	EXPECT(s.n < 500);
	EXPECT_EQ(s.p[s.n - 2], '^');
}

TEST(diag, hides_control_bytes)
{
	EXPECT_STR(printed(a, src_at(1, 1), "\x1b[31m"), "f.ll:1:1: error: internal error: boom\n?[31m\n^\n");
}

TEST(diag, clearing_leaves_what_is_kept)
{
	Diags d;
	diags_init(&d, a);
	diag_report(&d, DIAG_NAME_CHANGED, src_at(1, 1), 1, "a", 1, "b");
	diags_keep(&d);
	diag_report(&d, DIAG_INTERNAL, src_at(2, 1), "x");
	EXPECT_EQ(d.errors, 1);
	diags_clear(&d);
	EXPECT_EQ(d.list.n, 1);
	EXPECT_EQ(d.list.p[0].severity, SEV_WARNING);
	EXPECT_EQ(d.errors, 0);
}

TEST(diag, counts_errors_past_the_cap)
{
	Diags d;
	diags_init(&d, a);
	for (u32 i = 0; i < 30; i++) {
		EXPECT(diags_full(&d) == (i >= d.max_errors));
		Diag *diag = diag_report(&d, DIAG_INTERNAL, src_at(i + 1, 1), "x");
		diag_hint(&d, diag, "try %d", (int)i); /* good even where it is not kept */
	}
	EXPECT_EQ(d.errors, 30);
	EXPECT_EQ(d.list.n, 20);
	EXPECT_STR(d.list.p[19].hint, "try 19");
}

TEST(diag, prints_the_hint)
{
	Diags d;
	Text  t;
	diags_init(&d, a);
	text_init(&t, a);
	Diag *diag = diag_report(&d, DIAG_INTERNAL, (SrcRange){0}, "boom");
	diag_hint(&d, diag, "did you mean '%s'?", "add");
	diag_print(&t, diag, STR("f.ll"), STR(""));
	EXPECT_STR(text_str(&t), "f.ll: error: internal error: boom\nhint: did you mean 'add'?\n");
}

TEST(diag, excerpt_shows_text_and_no_broken_bytes)
{
	Diags d;
	Text  t;
	diags_init(&d, a);
	text_init(&t, a);
	diag_report(&d, DIAG_INTERNAL, src_at(1, 1), "boom");
	diag_print(&t, &d.list.p[0], STR("f"), STR("\xC3\xA9 \x80\xFF\x01 x\n"));
	EXPECT_STR(text_str(&t), "f:1:1: error: internal error: boom\n\xC3\xA9 ??? x\n^\n");
}

TEST(diag, code_names_are_ids_of_rows)
{
	for (u32 c = 0; c < DIAG_COUNT; c++) {
		Str name = diag_code_name(a, (DiagCode)c);
		EXPECT(name.n > 0);
		for (u32 i = 0; i < name.n; i++)
			EXPECT(name.p[i] == '-' || (name.p[i] >= 'a' && name.p[i] <= 'z') ||
			       (name.p[i] >= '0' && name.p[i] <= '9'));
	}
	EXPECT_STR(diag_code_name(a, DIAG_LIMIT_MEMORY), "limit-memory");
}

static void report_at(Diags *d, u32 step, u32 function, DiagCode code)
{
	d->order = diag_order(step, function);
	if (code == DIAG_NAME_CHANGED)
		diag_report(d, code, src_at(step, function), 1, "x", 1, "y");
	else
		diag_report(d, code, src_at(step, function), "x");
}

/* Each function goes through two steps before the next one; the list is that of step after step. */
TEST(diag, is_sorted_by_step_then_function)
{
	Diags d;
	diags_init(&d, a);
	for (u32 f = 1; f <= 3; f++)
		for (u32 step = 1; step <= 2; step++)
			for (u32 twice = 0; twice < 2; twice++)
				report_at(&d, step, f, DIAG_NAME_CHANGED);
	diags_settle(&d);
	EXPECT_EQ(d.list.n, 12);
	for (u32 i = 0; i < d.list.n; i++)
		EXPECT_EQ(d.list.p[i].order, diag_order(1 + i / 6, 1 + i % 6 / 2));
}

/* Function 1 is ahead when function 2 fails at an earlier step: what function 1 reported later was never found. */
TEST(diag, drops_what_steps_behind_the_failed_one_reported)
{
	Diags d;
	diags_init(&d, a);
	report_at(&d, 1, 1, DIAG_NAME_CHANGED);
	report_at(&d, 5, 1, DIAG_NAME_CHANGED);
	for (u32 i = 0; i < 30; i++)
		report_at(&d, 6, 1, DIAG_INTERNAL);
	EXPECT_EQ(d.errors, 30);
	EXPECT(diags_reach(&d, 6) && !diags_reach(&d, 7));
	report_at(&d, 3, 2, DIAG_INTERNAL);
	EXPECT_EQ(d.errors, 1);
	EXPECT(diags_reach(&d, 3) && !diags_reach(&d, 4));
	report_at(&d, 3, 3, DIAG_INTERNAL);
	diags_settle(&d);
	EXPECT_EQ(d.errors, 2);
	EXPECT_EQ(d.list.n, 3);
	EXPECT_EQ(d.list.p[2].order, diag_order(3, 3));
}

UNIT_MAIN
