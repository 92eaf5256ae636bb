/* The tables of passes: every row names itself, the pipeline keeps its own rules. */
#include "unit.h"

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

UNIT_MAIN
