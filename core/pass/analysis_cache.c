/* analysis_cache.c: computes analyses on demand, keeps one result per function and row of analyses.def, and drops those that
 * a pass does not claim to keep, with all that point into them. Each result has an arena of its own. With --check-claims
 * a kept result is compared with a recomputed one. */
#include "pass/analysis_cache.h"

#include "base/map.h"

#define ANALYSIS(id, level, holds, compute, equal, title) \
	void *compute(PassCx *cx, Arena *arena);          \
	bool  equal(const void *a, const void *b);
#include "pass/analyses.def"

typedef void *(*Compute)(PassCx *cx, Arena *arena);

typedef struct Row {
	PassLevel level; /* PASS_IR or PASS_MIR */
	u32       holds; /* analyses that the result points into */
	Compute   compute;
	bool (*equal)(const void *a, const void *b);
	const char *title;
} Row;

static const Row rows[AN_COUNT + 1] = {
#define ANALYSIS(id, level, holds, compute, equal, title) {PASS_##level, holds, compute, equal, title},
#include "pass/analyses.def"
	{PASS_LEVELS, 0, NULL, NULL, NULL},
};

typedef struct Cached {
	Arena arena; /* of its own, so that it can be given back alone */
	void *result;
} Cached;

typedef struct FuncCache {
	Cached an[AN_COUNT + 1];
} FuncCache;

struct AnalysisCache {
	Session *s;
	Map      by_func; /* key(level, function id) → index into func */
	Vec(FuncCache *) func;
};

AnalysisCache *analysis_cache_new(Session *s)
{
	AnalysisCache *c = arena_new(&s->arena, AnalysisCache);
	c->s = s;
	map_init(&c->by_func, &s->arena);
	return c;
}

/* Functions are numbered per level. */
static u64 key(PassLevel level, u32 func) { return (u64)level << 32 | func; }

static FuncCache *cache_of(AnalysisCache *c, PassLevel level, u32 func)
{
	bool fresh;
	u64 *slot = map_put(&c->by_func, key(level, func), &fresh);
	if (fresh) {
		*slot = c->func.n;
		vec_push(&c->s->arena, &c->func, arena_new(&c->s->arena, FuncCache));
	}
	return c->func.p[*slot];
}

void *analysis_cache_get(AnalysisCache *c, PassCx *cx, AnalysisId id)
{
	Cached *a = &cache_of(c, rows[id].level, cx->func)->an[id];
	if (!a->result) {
		arena_init(&a->arena, &c->s->budget);
		a->result = rows[id].compute(cx, &a->arena);
	}
	return a->result;
}

void *analysis_cache_peek(AnalysisCache *c, const PassCx *cx, AnalysisId id)
{
	u64 *slot = map_get(&c->by_func, key(rows[id].level, cx->func));
	return slot ? c->func.p[*slot]->an[id].result : NULL;
}

static void drop(FuncCache *f, u32 keep)
{
	for (u32 id = 0; rows[id].compute; id++) {
		Cached *a = &f->an[id];
		if (rows[id].holds & ~keep)
			keep &= ~(1u << id);
		if (!a->result || keep >> id & 1)
			continue;
		arena_free(&a->arena);
		a->result = NULL;
	}
}

void analysis_cache_drop(AnalysisCache *c, PassLevel level, u32 func, u32 keep)
{
	if (func) {
		u64 *slot = map_get(&c->by_func, key(level, func));
		if (slot)
			drop(c->func.p[*slot], keep);
		return;
	}
	for (u32 i = 0; i < c->func.n; i++)
		drop(c->func.p[i], keep);
}

void analysis_cache_clear(AnalysisCache *c) { analysis_cache_drop(c, PASS_IR, 0, 0); }

void analysis_cache_check(AnalysisCache *c, PassCx *cx, const Pass *p)
{
	if (!cx->func)
		return;
	FuncCache *f = cache_of(c, p->level, cx->func);
	for (u32 id = 0; rows[id].compute; id++) {
		if (!f->an[id].result)
			continue;
		Arena arena;
		arena_init(&arena, &c->s->budget);
		bool same = rows[id].equal(f->an[id].result, rows[id].compute(cx, &arena));
		arena_free(&arena);
		if (!same)
			ICE(c->s, "pass %s claims to keep %s but did not", p->id, rows[id].title);
	}
}
