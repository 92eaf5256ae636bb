/* sanitize_follow.c: what the two threads of a report did, up to it and shortly after.
 *
 * Sanitizers keep no histories: a clock says what is ordered, not by what. A run is a function of its input, so a second one meets the
 * same reports, and only the threads that they name have to be watched then (SimtOptions.follow):
 *
 *	moment           12              20               31
 *	thread 1    write sh + 4 ──── fence ────
 *	thread 0                                ──── read sh + 4      the report: nothing orders the two
 *
 * Events are accesses to bytes of the report, and what may order a thread with others: barriers that it has passed, fences, strong
 * accesses to other words, arrivals and waits. Each thread has SIMT_EVENTS of them, the last ones before the report and AFTER behind
 * it; equal ones in a row (a spin loop) are one. MOST_FOLLOWED reports are followed. */
#include "simt/sanitize.h"

enum { MOST_FOLLOWED = 8, AFTER = 4 };

typedef struct Followed {
	const SimtReport *report;
	u32               actor[2], space, visited[2]; /* visited: the moment of the last visit */
	bool              seen;
	SimtTimeline      line[2];
} Followed;

struct SimtFollow {
	u32      n;
	Followed of[MOST_FOLLOWED];
};

static void push(Followed *f, u32 side, const SimtInsn *i, SimtEvent e)
{
	SimtTimeline *t = &f->line[side];
	SimtEvent    *last = t->n ? &t->event[t->n - 1] : NULL;
	e.line = i->line, e.origin = i->origin, e.count = 1;
	if (last && last->insn == e.insn && last->what == e.what && !last->reported) {
		last->moment = e.moment;
		last->count++;
		return;
	}
	if (f->seen && (t->after == AFTER || t->n == SIMT_EVENTS))
		return;
	if (t->n == SIMT_EVENTS) {
		memmove(t->event, t->event + 1, (SIMT_EVENTS - 1) * sizeof *t->event);
		t->n--, t->left_out++;
	}
	t->event[t->n++] = e;
	t->after += f->seen;
}

static bool overlaps(const Followed *f, const Touch *t)
{
	const SimtReport *r = f->report;
	return t->space == f->space && touch_owner(t) == r->owner && t->address < r->address + PS_MAX(r->at.bytes, 1u) &&
	       r->address < t->address + t->bytes;
}

static SimtEvent event_now(const SimtMachine *m, const SimtInsn *i, const char *what, u32 bytes)
{
	return (SimtEvent){.moment = m->san->instance, .insn = (u32)(i - m->p->code.p), .what = what, .bytes = bytes};
}

static void count_visit(const SimtMachine *m, Followed *f, u32 side)
{
	u32 insn = side ? f->report->other.insn : f->report->at.insn;
	if (f->seen || f->visited[side] == m->san->instance || insn != (u32)(m->cur_insn - m->p->code.p))
		return;
	f->visited[side] = m->san->instance;
	f->line[side].visit++;
}

void follow_touch(SimtMachine *m, const Touch *t)
{
	u32         actor = order_actor(m, m->cur_block, m->cur_warp->number * LANES + t->lane);
	const char *what = m->san->actor == NO_ACTOR ? sanitize_word[t->access] : "copy";
	for (u32 k = 0; k < m->o.follow->n; k++) {
		Followed *f = &m->o.follow->of[k];
		for (u32 side = 0; side < 2; side++) {
			if (f->actor[side] != actor)
				continue;
			count_visit(m, f, side);
			if (overlaps(f, t))
				push(f, side, m->cur_insn, event_now(m, m->cur_insn, what, t->bytes));
		}
	}
}

void follow_sync(SimtMachine *m, const Block *b, const Warp *w, u32 mask, const SimtInsn *i, const char *what)
{
	for (u32 k = 0; k < 2 * m->o.follow->n; k++) {
		Followed *f = &m->o.follow->of[k / 2];
		u32       lane = f->actor[k % 2] - order_actor(m, b, w->number * LANES);
		if (lane < LANES && mask >> lane & 1)
			push(f, k % 2, i, event_now(m, i, what, 0));
	}
}

/* A strong access to another word than the report's may hand on what the thread has done, or tell what another has. */
void follow_strong(SimtMachine *m, const Touch *t, u32 order)
{
	static const char *const word[] = {"relaxed access", "acquire", "release", "acquire and release"};
	const char              *what = word[(order & ORDER_ACQUIRE ? 1 : 0) + (order & ORDER_RELEASE ? 2 : 0)];
	u32                      actor = order_actor(m, m->cur_block, m->cur_warp->number * LANES + t->lane);
	for (u32 k = 0; k < 2 * m->o.follow->n; k++) {
		Followed *f = &m->o.follow->of[k / 2];
		if (f->actor[k % 2] == actor && !overlaps(f, t))
			push(f, k % 2, m->cur_insn, event_now(m, m->cur_insn, what, t->bytes));
	}
}

/* The latest event of the instruction is one of the two that the report is about. */
static void mark(SimtTimeline *t, u32 insn)
{
	for (u32 i = t->n; i-- > 0;)
		if (t->event[i].insn == insn) {
			t->event[i].reported = true;
			return;
		}
}

void follow_found(SimtMachine *m, FaultKind kind, u32 other_insn)
{
	u32 insn = (u32)(m->cur_insn - m->p->code.p);
	for (u32 k = 0; k < m->o.follow->n; k++) {
		Followed         *f = &m->o.follow->of[k];
		const SimtReport *r = f->report;
		if (f->seen || r->kind != kind || r->at.insn != insn || r->other.insn != other_insn)
			continue;
		f->seen = true;
		mark(&f->line[0], insn);
		mark(&f->line[1], other_insn);
	}
}

static u32 thread_of(const SimtMachine *m, const SimtAccess *a)
{
	const u32 *dim = m->launch.block, *grid = m->launch.grid;
	u32        block = a->block[0] + grid[0] * (a->block[1] + grid[1] * a->block[2]);
	return block * m->threads + a->thread[0] + dim[0] * (a->thread[1] + dim[1] * a->thread[2]);
}

static bool has_reported(const SimtTimeline *t)
{
	for (u32 i = 0; i < t->n; i++)
		if (t->event[i].reported)
			return true;
	return false;
}

/* What would order two threads, from the cheapest on. */
static const char *needed(const SimtMachine *m, const SimtReport *r, const u32 actor[2])
{
	u32 block = m->threads;
	if (r->kind == FAULT_PROXY)
		return "proxy fence";
	if (r->kind == FAULT_WAIT)
		return "wait";
	if (actor[0] / block != actor[1] / block)
		return "release and acquire";
	return actor[0] % block / LANES == actor[1] % block / LANES ? "warp barrier" : "barrier";
}

void simt_follow(SimtMachine *m, const SimtLaunch *l)
{
	SimtFollow *follow = arena_new(&m->arena, SimtFollow);
	for (u32 i = 0; i < simt_report_count(m) && follow->n < MOST_FOLLOWED; i++) {
		const SimtReport *r = simt_report(m, i);
		if (!r->has_other || !r->space.n)
			continue;
		Followed *f = &follow->of[follow->n++];
		*f = (Followed){.report = r, .space = str_is(r->space, "shared") ? SPACE_SHARED : SPACE_GLOBAL};
		f->actor[0] = thread_of(m, &r->at), f->actor[1] = thread_of(m, &r->other);
	}
	if (!follow->n)
		return;
	SimtOptions o = m->o;
	o.follow = follow;
	o.profile = o.watch = false;
	SimtMachine *again = simt_new(m->p, l, &o);
	while (again && simt_run(again, (u64)1 << 40) == SIMT_RUNNING)
		;
	if (again)
		simt_free(again);
	for (u32 k = 0; k < follow->n; k++) {
		Followed   *f = &follow->of[k];
		SimtReport *r = &m->san->report.p[f->report - m->san->report.p];
		if (!has_reported(&f->line[0]) || !has_reported(&f->line[1]))
			continue;
		r->timeline = f->line;
		r->needs = needed(m, r, f->actor);
	}
}
