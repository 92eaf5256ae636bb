/* The tables of passes: every row names itself, the pipeline keeps its own rules. */
#include "session.h"

#include "ir/text.h"
#include "pass/manager.h"
#include "pass/pass.h"

TEST(passes, say_what_they_are)
{
	u32                n;
	const Pass *const *all = pass_all(&n);
	for (u32 i = 0; i < n; i++) {
		const Pass *p = all[i];
		EXPECT(p->id && p->title && p->summary && p->group && p->run);
		EXPECT(p->title[0] && p->summary[0]);
		EXPECT(pass_find(str_of(p->id)) == p); /* no two of one id */
		for (const char *c = p->id; *c; c++)
			EXPECT(*c == '-' || *c == ':' || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			       (*c >= '0' && *c <= '9'));
	}
	EXPECT(!pass_find(STR("no-such-pass")));
}

static bool is_listed(const PassListing *list, u32 n, const char *id)
{
	for (u32 i = 0; i < n; i++)
		if (strcmp(list[i].pass->id, id) == 0)
			return true;
	return false;
}

TEST(listing, has_every_pass_and_says_truly_what_is_built)
{
	MemBudget memory = {.cap = 1 << 20};
	Arena     arena;
	arena_init(&arena, &memory);
	u32                count, n_list;
	const PassListing *list;
	const Pass *const *all = pass_all(&count);
	n_list = pass_listing(&arena, &list);
	for (u32 i = 0; i < count; i++)
		EXPECT(is_listed(list, n_list, all[i]->id));
	for (u32 i = 0; i < n_list; i++) {
		const Pass *p = list[i].pass;
		EXPECT(p->id[0] && p->title[0] && p->summary[0] && p->group[0]);
		/* A pass that has been built has its RUN row instead of the PLANNED one. */
		EXPECT((pass_find(str_of(p->id)) == NULL) == (p->run == NULL));
		EXPECT(list[i].built != pass_is_planned(str_of(p->id)));
		EXPECT(list[i].built || (!p->run && !list[i].levels));
		EXPECT(!list[i].within[0] || is_listed(list, n_list, list[i].within));
	}
	arena_free(&arena);
}

TEST(pipeline, keeps_its_order)
{
	const char *broken = pipeline_broken_order();
	EXPECT_STR(str_of(broken ? broken : ""), "");
}

TEST(pipeline, runs_known_passes_from_ir_to_ptx)
{
	const PipelineStep *steps;
	u32                 n = pipeline_steps(&steps);
	PassLevel           level = PASS_IR;
	for (u32 i = 0; i < n; i++) {
		EXPECT(pass_find(str_of(steps[i].pass->id)) == steps[i].pass);
		EXPECT(steps[i].levels != 0);
		EXPECT(steps[i].pass->level >= level); /* never back to an earlier form of the program */
		level = steps[i].pass->level;
	}
}

/* May the bodies of a module be read one at a time, so that the whole of its IR is never in memory? */
static bool is_deferred(u32 level, const char *text)
{
	Session s;
	Manager m;
	jmp_buf out;
	unit_session(&s, &out);
	s.opt_level = (u8)level;
	manager_init(&m, &s, NULL);
	m.cx.ir = ir_parse_deferred(&s, str_of(text));
	bool deferred = m.cx.ir && manager_may_defer(&m) && manager_can_defer(&m);
	manager_free(&m);
	session_free(&s);
	return deferred;
}

TEST(pipeline, reads_bodies_of_plain_modules_one_at_a_time)
{
	static const char plain[] = "define ptx_kernel void @k(ptr %p, float %x) {\n"
				    "  %y = call float @f(float %x)\n"
				    "  store float %y, ptr %p\n"
				    "  ret void\n"
				    "}\n"
				    "declare float @f(float)\n";
	static const char listed[] = "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
				     "[{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]\n"
				     "define internal void @f() {\n"
				     "  ret void\n"
				     "}\n";
	for (u32 level = 0; level <= 3; level++) {
		EXPECT(is_deferred(level, plain));
		EXPECT(!is_deferred(level, listed));
	}
}

UNIT_MAIN
