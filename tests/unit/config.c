/* Targets and knobs. */
#include "config/session.h"
#include "unit.h"

TEST(target, names_round_trip)
{
	char buf[16], again[16];
	u32  n = 0;
	for (; target_cpu_at(n, buf); n++) {
		Target t = {0};
		EXPECT(target_set_cpu(&t, str_of(buf), false));
		EXPECT_STR(str_of(target_cpu_name(&t, again)), buf);
		EXPECT_EQ(t.ptx, target_default_ptx(t.sm, t.variant));
	}
	EXPECT(n > 30);
}

TEST(target, a_variant_wants_a_later_ptx)
{
	Target t = {0};
	EXPECT(target_set_cpu(&t, STR("sm_90"), false));
	EXPECT_EQ(t.ptx, 78);
	EXPECT(target_set_cpu(&t, STR("sm_90a"), false));
	EXPECT_EQ(t.ptx, 80);
	EXPECT_EQ(t.variant, 'a');
}

TEST(target, a_chosen_ptx_version_stays)
{
	Target t = {0};
	EXPECT(target_set_ptx(&t, 85));
	EXPECT(target_set_cpu(&t, STR("sm_75"), true));
	EXPECT_EQ(t.ptx, 85);
}

TEST(target, unknown_names_change_nothing)
{
	Target t = {.sm = 75, .ptx = 63};
	EXPECT(!target_set_cpu(&t, STR("sm_99"), false));
	EXPECT(!target_set_cpu(&t, STR(""), false));
	EXPECT(!target_set_cpu(&t, STR("sm_75a"), false));
	EXPECT(!target_set_ptx(&t, 33));
	EXPECT_EQ(t.sm, 75);
	EXPECT_EQ(t.ptx, 63);
}

TEST(knob, ids_and_names_agree)
{
	for (Knob k = 1; k < KNOB_COUNT; k++) {
		EXPECT_EQ(knob_find(str_of(knob_info[k].name)), k);
		EXPECT(knob_info[k].help[0] != 0);
		EXPECT(knob_info[k].group[0] != 0);
		if (knob_is_number(&knob_info[k]))
			EXPECT(knob_info[k].min <= knob_info[k].def && knob_info[k].def <= knob_info[k].max);
	}
	EXPECT_EQ(knob_find(STR("no-such-knob")), KNOB_NONE);
	EXPECT_EQ(knob_find(STR("")), KNOB_NONE);
}

TEST(knob, bool_takes_what_llvm_takes)
{
	KnobSet k;
	knobs_init(&k);
	Knob                     b = knob_find(STR("disable-machine-dce"));
	static const char *const yes[] = {"", "1", "true", "TRUE"}, *const no[] = {"0", "false", "FALSE"};
	for (u32 i = 0; i < PS_COUNT(yes); i++) {
		EXPECT_EQ(knob_set(&k, a, b, str_of(yes[i])), KNOB_OK);
		EXPECT_EQ(k.value[b], 1);
	}
	for (u32 i = 0; i < PS_COUNT(no); i++) {
		EXPECT_EQ(knob_set(&k, a, b, str_of(no[i])), KNOB_OK);
		EXPECT_EQ(k.value[b], 0);
	}
	EXPECT_EQ(knob_set(&k, a, b, STR("2")), KNOB_NOT_BOOL);
}

/* Every knob: its default's text sets it to its default; so a link with defaults changes nothing. */
TEST(knob, default_text_sets_the_default)
{
	KnobSet fresh, k;
	knobs_init(&fresh);
	for (Knob i = 1; i < KNOB_COUNT; i++) {
		if (knob_info[i].def == KNOB_BY_LEVEL)
			continue;
		knobs_init(&k);
		EXPECT_EQ(knob_set(&k, a, i, knob_text(&fresh, a, i)), KNOB_OK);
		EXPECT_EQ(k.value[i], fresh.value[i]);
		EXPECT_STREQ(k.text[i], fresh.text[i]);
	}
}

TEST(knob, enum_values_by_name)
{
	KnobSet k;
	knobs_init(&k);
	for (Knob i = 1; i < KNOB_COUNT; i++) {
		if (knob_info[i].type != KNOB_ENUM)
			continue;
		EXPECT_EQ(knob_set(&k, a, i, STR("no such value")), KNOB_NOT_A_VALUE);
		Str         first = str_of(knob_info[i].values);
		const char *bar = strchr(first.p, '|');
		if (bar)
			first.n = (u32)(bar - first.p);
		EXPECT_EQ(knob_set(&k, a, i, first), KNOB_OK);
		EXPECT_EQ(k.value[i], 0);
		EXPECT_STREQ(knob_text(&k, a, i), first);
	}
}

TEST(session, two_live_side_by_side)
{
	Session *x = arena_new(a, Session), *y = arena_new(a, Session);
	session_init(x, 1 << 24);
	session_init(y, 1 << 24);
	StrId in_x = strtab_add(&x->strs, STR("only here"));
	EXPECT(in_x.i != 0);
	EXPECT_EQ(strtab_find(&y->strs, STR("only here")).i, 0);
	session_free(x);
	session_free(y);
	EXPECT_EQ(x->budget.used, 0);
}

TEST(session, internal_error_leaves_by_the_one_way_out)
{
	Session *s = arena_new(a, Session);
	jmp_buf  out;
	session_init(s, 1 << 24);
	s->out = &out;
	if (setjmp(out) == 0)
		ICE(s, "number %d of %s", 7, "nine");
	EXPECT_STR(s->failure, "number 7 of nine");
	session_free(s);
}

TEST(session, memory_cap_leaves_by_the_one_way_out)
{
	Session *s = arena_new(a, Session);
	jmp_buf  out;
	session_init(s, 1 << 20);
	s->out = &out;
	if (setjmp(out) == 0) {
		for (;;)
			arena_alloc(&s->arena, 4096, 8);
	}
	EXPECT(s->out_of_memory);
	session_free(s);
}

UNIT_MAIN
