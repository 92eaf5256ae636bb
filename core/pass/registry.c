/* registry.c: the tables passes.def and pipeline.def as arrays, look-up of passes by id, and the check of ORDER rows. */
#include "pass/schedule.h"

#define PASS(symbol) extern const Pass symbol;
#include "pass/passes.def"

static const Pass *const all[] = {
#define PASS(symbol) &symbol,
#include "pass/passes.def"
	NULL,
};

enum { O0 = 1, O1 = 2, O2 = 4, O3 = 8, OPT = O1 | O2 | O3, ALL = O0 | OPT };

static const PipelineStep steps[] = {
#define RUN(symbol, levels) {&symbol, levels},
#define PART(id, title, level, group, flags, gate, within, summary)
#define PLANNED(id, title, level, group, flags, summary)
#define BANNER(text, ids)
#define ORDER(a, b, why)
#include "pass/pipeline.def"
	{NULL, 0},
};

/* One of the two: a pass of passes.def, or the description of what is none. */
typedef struct ListRow {
	const Pass *step;
	u32         levels;
	Pass        described;
	bool        built;
	const char *within;
	const char *banner, *of; /* a row that is none of the two: text and ids */
} ListRow;

static const ListRow rows[] = {
#define RUN(symbol, at) {.step = &symbol, .levels = at, .built = true, .within = ""},
#define PART(name, heading, form, place, marks, opens, where, what) \
	{.levels = ALL,                                             \
	 .described = {.id = name,                                  \
	               .title = heading,                            \
	               .summary = what,                             \
	               .group = place,                              \
	               .level = PASS_##form,                        \
	               .gate = KNOB_##opens,                        \
	               .flags = marks},                             \
	 .built = true,                                             \
	 .within = where},
#define PLANNED(name, heading, form, place, marks, what)                                                                     \
	{.described = {.id = name, .title = heading, .summary = what, .group = place, .level = PASS_##form, .flags = marks}, \
	 .within = ""},
#define BANNER(text, ids) {.banner = text, .of = ids, .within = ""},
#define ORDER(a, b, why)
#include "pass/pipeline.def"
};

typedef struct Hook {
	const char *name, *adds;
} Hook;

static const Hook hooks[] = {
#define RUN(symbol, levels)
#define PART(id, title, level, group, flags, gate, within, summary)
#define PLANNED(id, title, level, group, flags, summary)
#define BANNER(text, ids)
#define ADDS(hook, ids) {hook, ids},
#define ORDER(a, b, why)
#include "pass/pipeline.def"
};

typedef struct OrderRow {
	const char *before, *after, *why;
} OrderRow;

static const OrderRow orders[] = {
#define RUN(symbol, levels)
#define PART(id, title, level, group, flags, gate, within, summary)
#define PLANNED(id, title, level, group, flags, summary)
#define BANNER(text, ids)
#define ORDER(a, b, why) {a, b, why},
#include "pass/pipeline.def"
	{NULL, NULL, NULL},
};

u32 pipeline_steps(const PipelineStep **out)
{
	*out = steps;
	return PS_COUNT(steps) - 1;
}

const Pass *const *pass_all(u32 *count)
{
	*count = PS_COUNT(all) - 1;
	return all;
}

const Pass *pass_find(Str id)
{
	for (u32 i = 0; all[i]; i++)
		if (str_is(id, all[i]->id))
			return all[i];
	return NULL;
}

static u32 levels_within(const ListRow *row)
{
	for (u32 i = 0; row->within[0] && i < PS_COUNT(rows); i++)
		if (rows[i].step && strcmp(rows[i].step->id, row->within) == 0)
			return rows[i].levels;
	return row->levels;
}

static bool has_step(const Pass *pass)
{
	for (const PipelineStep *s = steps; s->pass; s++)
		if (s->pass == pass)
			return true;
	return false;
}

u32 pass_listing(Arena *arena, const PassListing **out)
{
	PassListing *list = arena_array(arena, PassListing, PS_COUNT(rows) + PS_COUNT(all));
	u32          n = 0;
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		const ListRow *row = &rows[i];
		u32            instance = 0;
		if (row->banner)
			continue;
		for (u32 k = 0; row->step && k < i; k++)
			instance += rows[k].step == row->step;
		list[n++] = (PassListing){
			.pass = row->step ? row->step : &row->described,
			.levels = levels_within(row),
			.instance = instance,
			.built = row->built,
			.within = row->within,
		};
	}
	for (u32 i = 0; all[i]; i++)
		if (!has_step(all[i]))
			list[n++] = (PassListing){.pass = all[i], .built = true, .within = ""};
	*out = list;
	return n;
}

bool pipeline_banner(u32 step, u32 nth, PipelineBanner *out)
{
	u32 steps_before = 0;
	for (u32 i = 0; i < PS_COUNT(rows) && steps_before <= step + 1; i++) {
		steps_before += rows[i].step != NULL;
		if (rows[i].banner && steps_before == step + 1 && !nth--) {
			*out = (PipelineBanner){rows[i].banner, rows[i].of};
			return true;
		}
	}
	return false;
}

bool pass_is_planned(Str id)
{
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (!rows[i].built && !rows[i].banner && str_is(id, rows[i].described.id))
			return true;
	return false;
}

const char *pass_added_by(Str id, u32 *place)
{
	for (u32 h = 0; h < PS_COUNT(hooks); h++) {
		*place = 0;
		for (const char *word = hooks[h].adds; *word; ++*place) {
			const char *end = strchr(word, ' ');
			u32         n = end ? (u32)(end - word) : (u32)strlen(word);
			if (str_eq(id, (Str){word, n}))
				return hooks[h].name;
			word += n + (end != NULL);
		}
	}
	return NULL;
}

static bool is_step(const char *id)
{
	for (const PipelineStep *s = steps; s->pass; s++)
		if (strcmp(s->pass->id, id) == 0)
			return true;
	return false;
}

const char *pipeline_broken_order(void)
{
	for (const OrderRow *o = orders; o->before; o++) {
		bool after_seen = false;
		if (!is_step(o->before) || !is_step(o->after))
			return is_step(o->before) ? o->after : o->before;
		for (const PipelineStep *s = steps; s->pass; s++) {
			after_seen |= strcmp(s->pass->id, o->after) == 0;
			if (after_seen && strcmp(s->pass->id, o->before) == 0)
				return o->why;
		}
	}
	return NULL;
}
