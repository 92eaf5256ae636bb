/* times.c: the tables of --time-passes and --stats: one row per pass, in the order in which passes first ran; times sort slowest
 * first. */
#include "base/sort.h"
#include "pass/watch.h"

typedef struct TimeRow {
	const Pass *pass;
	f64         ms;
	u32         runs, changes;
} TimeRow;

struct TimeTable {
	Vec(TimeRow) rows;
};

struct TimeTable *times_new(Session *s) { return arena_new(&s->arena, struct TimeTable); }

void watch_count(Manager *m, const Execution *x)
{
	TimeRow *row = NULL;
	for (u32 i = 0; i < m->times->rows.n; i++)
		if (m->times->rows.p[i].pass == x->pass)
			row = &m->times->rows.p[i];
	if (!row) {
		vec_push(&m->s->arena, &m->times->rows, (TimeRow){.pass = x->pass});
		row = &vec_last(&m->times->rows);
	}
	row->ms += x->ms;
	row->runs++;
	row->changes += x->changed;
}

static int slower_first(const void *a, const void *b, void *user)
{
	(void)user;
	f64 x = ((const TimeRow *)a)->ms, y = ((const TimeRow *)b)->ms;
	return (x < y) - (x > y);
}

void manager_print_times(Manager *m, Text *out)
{
	struct TimeTable *t = m->times;
	f64               total = 0;
	for (u32 i = 0; i < t->rows.n; i++)
		total += t->rows.p[i].ms;
	sort_stable(&m->s->arena, t->rows.p, t->rows.n, sizeof(TimeRow), slower_first, NULL);
	text_s(out, "===-- Pass execution timing report --===\n        ms       %    runs  changed  pass\n");
	for (u32 i = 0; i < t->rows.n; i++) {
		const TimeRow *r = &t->rows.p[i];
		u64            us = (u64)(r->ms * 1000 + 0.5);
		u64            share = total > 0 ? (u64)(r->ms / total * 1000 + 0.5) : 0;
		text_f(out, "%6llu.%03llu  %4llu.%llu  %6u  %7u  %s\n", (unsigned long long)(us / 1000),
		       (unsigned long long)(us % 1000), (unsigned long long)(share / 10), (unsigned long long)(share % 10),
		       r->runs, r->changes, r->pass->id);
	}
	u64 us = (u64)(total * 1000 + 0.5);
	text_f(out, "%6llu.%03llu  total\n", (unsigned long long)(us / 1000), (unsigned long long)(us % 1000));
}

void manager_print_stats(Manager *m, Text *out)
{
	text_s(out, "===-- Statistics --===\n    runs  changed  pass\n");
	for (u32 i = 0; i < m->times->rows.n; i++) {
		const TimeRow *r = &m->times->rows.p[i];
		text_f(out, "%8u %8u  %s - %s\n", r->runs, r->changes, r->pass->id, r->pass->title);
	}
}
