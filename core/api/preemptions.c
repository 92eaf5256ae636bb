/* preemptions.c: the fewest preemptions that lead to a fault which a run by seed has found (`run --schedule=seed:N`).
 *
 * First the shortest beginning of the preemptions that suffices, by halving; then, of that, pieces are left out that the fault does
 * not need, in halves, quarters and so on down to single ones (delta debugging: Zeller and Hildebrandt, TSE 2002). Each try is a run
 * from the start. There are at most MOST_RUNS of them, and they take at most MOST_STEPS warp instructions. */
#include "api/run.h"

enum { MOST_RUNS = 120 };
#define MOST_STEPS ((u64)1 << 23)

typedef struct Search {
	Command          *c;
	SimtProgram      *p;
	const SimtLaunch *l;
	SimtOptions       o;
	SimtMachine      *best;
	FaultKind         kind;
	u32               line, other_line;
	u32               runs;
	u64               steps;
} Search;

static u32 other_line(const SimtMachine *m)
{
	return simt_report_count(m) && simt_report(m, 0)->has_other ? simt_report(m, 0)->other.line : 0;
}

/* Does the fault come with these options? Then they are the best so far. */
static bool leads_to_it(Search *s)
{
	if (s->runs++ >= MOST_RUNS || s->steps > MOST_STEPS)
		return false;
	SimtMachine     *m = run_program(s->p, s->l, &s->o);
	const SimtFault *f = simt_fault(m);
	s->steps += simt_stats(m)->warp_instructions;
	bool same = f && f->kind == s->kind && f->line == s->line && other_line(m) == s->other_line;
	simt_free(same ? s->best : m);
	if (same)
		s->best = m;
	return same;
}

static void shorten(Search *s)
{
	u32 low = 0, high = simt_preemptions(s->best);
	while (low < high) {
		u32 middle = low + (high - low) / 2;
		s->o.schedule.last = middle;
		if (leads_to_it(s))
			high = middle;
		else
			low = middle + 1;
	}
	s->o.schedule.last = high;
}

static void thin_out(Search *s)
{
	u32 n = s->o.schedule.last;
	u8 *skip = arena_array(&s->c->s.arena, u8, n + 1), *tried = arena_array(&s->c->s.arena, u8, n + 1);
	for (u32 size = (n + 1) / 2; size; size /= 2)
		for (u32 at = 0; at < n && s->runs < MOST_RUNS; at += size) {
			memcpy(tried, skip, n);
			memset(tried + at, 1, PS_MIN(size, n - at));
			s->o.schedule.skip = tried, s->o.schedule.n_skip = n;
			if (leads_to_it(s))
				memcpy(skip, tried, n);
		}
}

SimtMachine *run_fewest_preemptions(Command *c, SimtProgram *p, const SimtLaunch *l, const SimtOptions *o, SimtMachine *m)
{
	Search s = {.c = c, .p = p, .l = l, .o = *o, .best = m};
	s.kind = simt_fault(m)->kind, s.line = simt_fault(m)->line, s.other_line = other_line(m);
	shorten(&s);
	thin_out(&s);
	return s.best;
}
