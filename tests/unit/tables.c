/* The tables that are text inside: every word in them is known, and every row can be reached. */
#include "unit.h"

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

UNIT_MAIN
