/* limit.c: the most that an input may ask of each kind of memory and of each count, with the words that a diagnostic uses. */
#include "simt/limit.h"

static const struct {
	u32         most;
	const char *what;
} limits[SIMT_LIMIT_COUNT] = {
#define LIMIT(id, most, what) {most, what},
#include "simt/limits.def"
};

u64 simt_limit(SimtLimit l) { return limits[l].most; }

Str simt_limit_text(Arena *a, SimtLimit l) { return arena_fmt(a, "%u %s", limits[l].most, limits[l].what); }

bool simt_within(Session *s, SimtLimit l, u64 wanted, Str who, u32 line)
{
	if (wanted <= limits[l].most)
		return true;
	Str text = simt_limit_text(&s->arena, l);
	Str n = wanted == SIZE_OVER ? STR("2^64 or more") : arena_fmt(&s->arena, "%llu", (unsigned long long)wanted);
	diag_report(&s->diags, DIAG_SIMT_LIMIT, src_at(line, line ? 1 : 0), STR_ARG(who), STR_ARG(n), STR_ARG(text));
	return false;
}
