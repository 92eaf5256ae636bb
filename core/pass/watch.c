/* watch.c: the work before and after one execution of a pass that somebody observes: the bisect limit, printing before and
 * after, verification, the texts of the trace, and pressure. */
#include "pass/watch.h"

#include "pass/trace.h"

bool watch_debugs(const Session *s)
{
	for (u32 k = 0; k < KNOB_COUNT; k++)
		if (knob_info[k].kind == KNOB_DEBUG && s->knobs.set[k])
			return true;
	return false;
}

bool watch_is_on(const Manager *m)
{
	const RunOptions      *o = &m->options;
	const DumpOptions     *d = &o->dump;
	const ScheduleOptions *w = &o->schedule;
	return watch_debugs(m->s) || o->stage || o->verify || o->check_claims || o->bisect_limit >= 0 || w->run_pass.n ||
	       w->stop_after.n || w->stop_before.n || w->start_after.n || w->start_before.n || d->print_before.n ||
	       d->print_after.n || d->print_before_all || d->print_after_all || d->print_changed || m->keep_texts ||
	       m->s->dag_print;
}

/* ---- bisecting ---- */

bool watch_allows(Manager *m, const Pass *p, Str function)
{
	if (m->options.bisect_limit < 0 || p->flags & PF_REQUIRED)
		return true;
	bool run = (i64)++m->runs <= m->options.bisect_limit;
	text_f(m->dump, "BISECT: %srunning pass (%u) %s on %s%.*s\n", run ? "" : "NOT ", m->runs, p->id,
	       function.n ? "function " : "module", STR_ARG(function));
	return run;
}

/* ---- dumps ---- */

static bool listed(const VecStr *list, const char *id)
{
	for (u32 i = 0; i < list->n; i++)
		if (str_is(list->p[i], id))
			return true;
	return false;
}

static bool function_wanted(const Manager *m, Str name)
{
	const VecStr *f = &m->options.dump.functions;
	return f->n == 0 || name.n == 0 || listed(f, "*") || listed(f, name.p);
}

/* Of a module, the functions that -filter-print-funcs names. */
static void dump_wanted(Manager *m, const LevelOps *ops)
{
	const u32 *funcs;
	u32        n = ops->functions(&m->cx, &funcs);
	for (u32 i = 0; i < n; i++)
		if (function_wanted(m, ops->name(&m->cx, funcs[i])))
			ops->print(&m->cx, funcs[i], m->dump, NULL);
}

static bool is_isel_input(const Manager *m, const Pass *p)
{
	return p->level == PASS_DAG && knob_bool(m->s, KNOB_print_isel_input);
}

static void dump(Manager *m, const Execution *x, bool before)
{
	const LevelOps *ops = m->ops[m->at];
	if (!function_wanted(m, x->name))
		return;
	if (before && is_isel_input(m, x->pass))
		text_s(m->dump, "\n\n*** Final LLVM Code input to ISel ***\n");
	else
		text_f(m->dump, "# *** IR Dump %s %s (%s) ***:\n", before ? "Before" : "After", x->pass->title, x->pass->id);
	if (x->func)
		ops->print(&m->cx, x->func, m->dump, NULL);
	else if (m->options.dump.functions.n)
		dump_wanted(m, ops);
	else
		ops->print_module(&m->cx, m->dump, NULL);
	text_c(m->dump, '\n');
}

static bool dumps_before(const Manager *m, const Pass *p)
{
	return m->options.dump.print_before_all || is_isel_input(m, p) || listed(&m->options.dump.print_before, p->id);
}

static bool dumps_after(const Manager *m, const Execution *x)
{
	const DumpOptions *d = &m->options.dump;
	return x->allowed && (d->print_after_all || listed(&d->print_after, x->pass->id) || (d->print_changed && x->changed));
}

/* ---- the record ---- */

static u32 record_text(Manager *m, u32 func)
{
	Text   text;
	VecU32 lines = {0};
	Arena  arena;
	arena_init(&arena, &m->s->budget);
	text_init(&text, &arena);
	/* Text and origins grow in an arena that is freed below; the trace keeps a copy. */
	m->cx.scratch = &arena;
	m->ops[m->at]->print(&m->cx, func, &text, &lines);
	u32 index = trace_text(m->trace, text_str(&text), &lines);
	m->cx.scratch = &m->scratch;
	arena_free(&arena);
	return index;
}

static void record(Manager *m, const Execution *x)
{
	const LevelOps *ops = m->ops[m->at];
	TraceEntry      e = {
		     .pass = x->pass,
		     .function = arena_str(m->trace->arena, x->name),
		     .level = m->at,
		     .changed = x->changed,
		     .ms = x->ms,
		     .insts = x->func ? ops->instructions(&m->cx, x->func) : 0,
		     .text = record_text(m, x->func),
        };
	if (x->func && ops->pressure) {
		e.has_pressure = true;
		ops->pressure(&m->cx, x->func, &e.pressure);
	}
	vec_push(m->trace->arena, &m->trace->entries, e);
}

void watch_record_module(Manager *m, const Execution *after)
{
	Execution x = after ? *after : (Execution){.changed = true};
	if (!m->keep_texts)
		return;
	const u32      *ids;
	const LevelOps *ops = m->ops[m->at];
	u32             n = ops->functions(&m->cx, &ids);
	record(m, &x);
	for (u32 i = 0; i < n; i++) {
		x.func = ids[i];
		x.name = ops->name(&m->cx, ids[i]);
		x.ms = 0;
		record(m, &x);
	}
}

/* ---- verification ---- */

static void verify(Manager *m, const Execution *x)
{
	if (!m->options.verify || m->s->diags.errors)
		return;
	Text errors;
	text_init(&errors, &m->s->arena);
	if (!m->ops[m->at]->verify(&m->cx, x->func, &errors))
		ICE(m->s, "broken %s after %s%s%.*s:\n%.*s", m->at == PASS_IR ? "IR" : "machine code", x->pass->id,
		    x->name.n ? " on " : "", STR_ARG(x->name), STR_ARG(text_str(&errors)));
}

/* ---- around an execution ---- */

void watch_before(Manager *m, const Execution *x)
{
	if (dumps_before(m, x->pass))
		dump(m, x, true);
}

void watch_after(Manager *m, const Execution *x)
{
	if (x->changed)
		verify(m, x);
	if (dumps_after(m, x))
		dump(m, x, false);
	if (!x->func)
		watch_record_module(m, x);
	else if (m->keep_texts)
		record(m, x);
}
