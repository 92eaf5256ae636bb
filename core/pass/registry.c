/* registry.c: the tables passes.def and pipeline.def as arrays, look-up of passes by id, and the check of ORDER rows. */
#include "pass/pass.h"

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
#define ORDER(a, b, why)
#include "pass/pipeline.def"
	{NULL, 0},
};

typedef struct OrderRow {
	const char *before, *after, *why;
} OrderRow;

static const OrderRow orders[] = {
#define RUN(symbol, levels)
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
