/* Options, nearest names, the small regular expressions. */
#include "api/match.h"
#include "api/options.h"
#include "pass/pass.h"
#include "unit.h"

static bool read(Arena *a, Session *s, Options *o, Text *err, u32 in, int n, const char *const *argv)
{
	text_init(err, a);
	*o = (Options){0};
	return options_read(o, s, n, argv, 0, in, err);
}

#define READ(in, ...) \
	read(a, s, &o, &err, in, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), (const char *[]){__VA_ARGS__})

#define WITH_SESSION                        \
	Session *s = arena_new(a, Session); \
	Options  o;                         \
	Text     err;                       \
	session_init(s, 1 << 24);

TEST(options, one_dash_or_two_value_joined_or_apart)
{
	WITH_SESSION
	EXPECT(READ(IN_COMPILE, "-mcpu=sm_90", "k.ll"));
	EXPECT_EQ(s->target.sm, 90);
	EXPECT(READ(IN_COMPILE, "--mcpu", "sm_80", "-o", "out.ptx", "k.ll"));
	EXPECT_EQ(s->target.sm, 80);
	EXPECT_STR(o.output, "out.ptx");
	EXPECT_STR(o.file, "k.ll");
	EXPECT(READ(IN_COMPILE, "-"));
	EXPECT_STR(o.file, "-");
	session_free(s);
}

TEST(options, lists_add_up)
{
	WITH_SESSION
	EXPECT(READ(IN_COMPILE, "-print-after=a,b", "-print-after", "c", "k.ll"));
	EXPECT_EQ(o.print_after.n, 3);
	EXPECT_STR(o.print_after.p[2], "c");
	session_free(s);
}

TEST(options, level_and_attributes)
{
	WITH_SESSION
	EXPECT(READ(IN_COMPILE, "-O0", "-mattr=+ptx85", "-mcpu=sm_90", "k.ll"));
	EXPECT_EQ(s->opt_level, 0);
	EXPECT_EQ(s->target.ptx, 85);
	EXPECT(READ(IN_COMPILE, "-mattr=+sm_80,+ptx71", "k.ll"));
	EXPECT_EQ(s->target.sm, 80);
	EXPECT_EQ(s->target.ptx, 71);
	session_free(s);
}

TEST(options, knobs_are_options_and_cicc_spelling_works)
{
	WITH_SESSION
	Knob dce = knob_find(STR("disable-machine-dce"));
	EXPECT(READ(IN_COMPILE, "-disable-machine-dce", "k.ll"));
	EXPECT_EQ(s->knobs.value[dce], 1);
	EXPECT(READ(IN_COMPILE, "-opt", "-disable-machine-dce=0  -disable-copyprop", "k.ll"));
	EXPECT_EQ(s->knobs.value[dce], 0);
	EXPECT_EQ(s->knobs.value[knob_find(STR("disable-copyprop"))], 1);
	session_free(s);
}

TEST(options, usage_errors_name_the_nearest)
{
	WITH_SESSION
	EXPECT(!READ(IN_COMPILE, "-print-aftr=x", "k.ll"));
	EXPECT_STR(text_str(&err), "ptxscope: unknown option '-print-aftr'; did you mean '-print-after'?\n");
	EXPECT(!READ(IN_COMPILE, "-mcpu=sm_9O", "k.ll"));
	EXPECT(!READ(IN_COMPILE, "a.ll", "b.ll"));
	EXPECT(!READ(IN_COMPILE, "k.ll", "-o"));
	EXPECT_STR(text_str(&err), "ptxscope: option -o wants a value\n");
	EXPECT(!READ(IN_COMPILE, "-opt-bisect-limit=many", "k.ll"));
	EXPECT(!READ(IN_COMPILE, "-launch=x.json", "k.ll"));
	EXPECT(!READ(IN_COMPILE, "-disable-copyprop=perhaps", "k.ll"));
	EXPECT(READ(IN_COMPILE, "-asm-verbose", "-filetype=asm", "k.ll"));
	session_free(s);
}

TEST(nearest, counts_swaps_as_one)
{
	Nearest n = nearest_to(STR("complie"));
	nearest_try(&n, STR("check"));
	nearest_try(&n, STR("compile"));
	EXPECT_STR(n.best, "compile");
	EXPECT_EQ(n.distance, 1);
	EXPECT(nearest_found(&n));
	n = nearest_to(STR("xyzzy"));
	nearest_try(&n, STR("compile"));
	EXPECT(!nearest_found(&n));
}

TEST(regex, small_language)
{
	static const struct {
		const char *pattern, *text;
		bool        match;
	} rows[] = {
		{"", "anything", true},
		{"sel", "nvptx-isel", true},
		{"^sel", "nvptx-isel", false},
		{"isel$", "nvptx-isel", true},
		{"n.*l", "nvptx-isel", true},
		{"^a+b$", "aaab", true},
		{"^a+b$", "b", false},
		{"^a?b$", "b", true},
		{"^a*b$", "b", true},
		{"licm|cse", "machine-cse", true},
		{"licm|cse", "machine-cp", false},
		{".", "", false},
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		EXPECT_EQ(regex_match(str_of(rows[i].pattern), str_of(rows[i].text)), rows[i].match);
}

TEST(pipeline, order_rows_hold)
{
	const char *why = pipeline_broken_order();
	EXPECT_STR(str_of(why ? why : ""), "");
}

TEST(pipeline, every_step_is_a_pass_of_the_table)
{
	const PipelineStep *steps;
	u32                 n = pipeline_steps(&steps);
	for (u32 i = 0; i < n; i++)
		EXPECT(pass_find(str_of(steps[i].pass->id)) == steps[i].pass);
}

TEST(pipeline, pass_ids_are_unique)
{
	u32                count;
	const Pass *const *all = pass_all(&count);
	for (u32 i = 0; i < count; i++)
		EXPECT(pass_find(str_of(all[i]->id)) == all[i]);
}

UNIT_MAIN
