/* The tables that are text inside: every word in them is known, and every row can be reached. */
#include "unit.h"

#include "dag/lower_row.h"
#include "dag/pattern.h"
#include "isa/isa.h"

static Session *new_session(Arena *a)
{
	Session *s = arena_new(a, Session);
	session_init(s, 64u << 20);
	return s;
}

TEST(tables, patterns_name_what_exists_and_are_reached)
{
	Session *s = new_session(a);
	Text     wrong;
	text_init(&wrong, a);
	EXPECT(dag_patterns_check(s, a, &wrong));
	EXPECT_STR(text_str(&wrong), "");
	session_free(s);
}

TEST(tables, instructions_name_slots_tokens_and_types)
{
	Session *s = new_session(a);
	jmp_buf  out;
	s->out = &out;
	if (setjmp(out) == 0)
		isa_self_check(s);
	EXPECT_STR(s->failure, "");
	session_free(s);
}

TEST(tables, intrinsics_are_lowered_by_one_row_each)
{
	(void)a;
	for (u32 i = 0; i < DAG_ROW_COUNT; i++)
		for (u32 k = 0; k < i; k++)
			if (strcmp(dag_intrinsic_at(i).name, dag_intrinsic_at(k).name) == 0)
				EXPECT_STR(str_of(dag_intrinsic_at(i).name), "");
}

UNIT_MAIN
