#include "base/sort.h"
#include "pass/analysis_cache.h"
#include "pass/pass.h"
#include "pass/trace.h"

typedef struct TimeRow {
	const Pass *pass;
	f64         ms;
	u32         runs, changes;
} TimeRow;

struct TimeTable {
	Vec(TimeRow) rows;
};

void manager_init(Manager *m, Session *s, Text *dump)
{
	*m = (Manager){.s = s, .dump = dump};
	m->options.bisect_limit = -1;
	m->cx = (PassCx){.s = s, .manager = m};
	m->times = arena_new(&s->arena, struct TimeTable);
	arena_init(&m->scratch, &s->budget);
	m->cache = analysis_cache_new(s);
}

void manager_free(Manager *m)
{
	analysis_cache_clear(m->cache);
	arena_free(&m->scratch);
}

void *pass_analysis(PassCx *cx, AnalysisId id) { return analysis_cache_get(cx->manager->cache, cx, id); }

void pass_invalidate(PassCx *cx, u32 keep) { analysis_cache_drop(cx->manager->cache, cx->manager->at, cx->func, keep); }

Text *pass_dump(PassCx *cx) { return cx->manager->dump; }

/* ---- remarks ---- */

bool pass_wants_remarks(const PassCx *cx) { return cx->manager->keep_remarks; }

void pass_remark(PassCx *cx, RemarkKind kind, u32 line, const char *fmt, ...)
{
	Manager *m = cx->manager;
	if (!m || !m->keep_remarks) /* unit tests run a pass without a manager */
		return;
	va_list ap;
	va_start(ap, fmt);
	Str message = arena_vfmt(m->trace->arena, fmt, ap);
	va_end(ap);
	Remark r = {cx->pass, arena_str(m->trace->arena, cx->s->function), line, kind, message};
	vec_push(m->trace->arena, &m->trace->remarks, r);
}

/* ---- gates ---- */

static bool gate_open(const Session *s, const Pass *p)
{
	if (p->gate && !knob_bool(s, p->gate))
		return false;
	if (p->disable && knob_bool(s, p->disable))
		return false;
	return !p->gated || p->gated(s);
}

/* LLVM's -opt-bisect-limit: every skippable execution gets a number; those past the limit are skipped. */
static bool bisect_allows(Manager *m, const Pass *p, Str function)
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

/* A module whose functions are filtered is shown as those that are wanted. */
static void dump_wanted(Manager *m, const LevelOps *ops)
{
	const u32 *funcs;
	u32        n = ops->functions(&m->cx, &funcs);
	for (u32 i = 0; i < n; i++)
		if (function_wanted(m, ops->name(&m->cx, funcs[i])))
			ops->print(&m->cx, funcs[i], m->dump, NULL);
}

static bool is_isel_input(const Manager *m, const Pass *p) { return m->options.dump.print_isel_input && p->level == PASS_DAG; }

static void dump(Manager *m, const Pass *p, PassLevel level, const char *when, u32 func, Str name)
{
	if (!function_wanted(m, name))
		return;
	const LevelOps *ops = m->ops[level];
	if (is_isel_input(m, p) && str_is(STR("Before"), when))
		text_s(m->dump, "\n\n*** Final LLVM Code input to ISel ***\n");
	else
		text_f(m->dump, "# *** IR Dump %s %s (%s) ***:\n", when, p->title, p->id);
	if (func)
		ops->print(&m->cx, func, m->dump, NULL);
	else if (m->options.dump.functions.n)
		dump_wanted(m, ops);
	else
		ops->print_module(&m->cx, m->dump, NULL);
	text_c(m->dump, '\n');
}

static bool dumps_after(const Manager *m, const Pass *p, bool changed)
{
	const DumpOptions *d = &m->options.dump;
	return d->print_after_all || listed(&d->print_after, p->id) || (d->print_changed && changed);
}

static bool dumps_before(const Manager *m, const Pass *p)
{
	return m->options.dump.print_before_all || is_isel_input(m, p) || listed(&m->options.dump.print_before, p->id);
}

/* ---- the record ---- */

static u32 record_text(Manager *m, u32 func)
{
	Text   text;
	VecU32 lines = {0};
	Arena  arena;
	arena_init(&arena, &m->s->budget);
	text_init(&text, &arena);
	/* Origins grow in an arena of their own, given back below: only the kept copy stays. */
	m->cx.scratch = &arena;
	m->ops[m->at]->print(&m->cx, func, &text, &lines);
	u32 index = trace_text(m->trace, text_str(&text), &lines);
	m->cx.scratch = &m->scratch;
	arena_free(&arena);
	return index;
}

static void record(Manager *m, const Pass *p, u32 func, Str name, bool changed, f64 ms)
{
	if (!m->keep_texts)
		return;
	const LevelOps *ops = m->ops[m->at];
	TraceEntry      e = {
		     .pass = p,
		     .function = arena_str(m->trace->arena, name),
		     .level = m->at,
		     .changed = changed,
		     .ms = ms,
		     .insts = func ? ops->instructions(&m->cx, func) : 0,
		     .text = record_text(m, func),
        };
	if (func && ops->pressure) {
		e.has_pressure = true;
		ops->pressure(&m->cx, func, &e.pressure);
	}
	vec_push(m->trace->arena, &m->trace->entries, e);
}

static void count_time(Manager *m, const Pass *p, f64 ms, bool changed)
{
	TimeRow *row = NULL;
	for (u32 i = 0; i < m->times->rows.n; i++)
		if (m->times->rows.p[i].pass == p)
			row = &m->times->rows.p[i];
	if (!row) {
		vec_push(&m->s->arena, &m->times->rows, (TimeRow){.pass = p});
		row = &vec_last(&m->times->rows);
	}
	row->ms += ms;
	row->runs++;
	row->changes += changed;
}

static f64 now(const Manager *m) { return m->options.now_ms ? m->options.now_ms(m->options.now_user) : 0; }

/* ---- verification ---- */

static bool verify(Manager *m, const Pass *p, u32 func, Str name)
{
	if (!m->options.verify || m->s->diags.errors)
		return true;
	Text errors;
	text_init(&errors, &m->s->arena);
	if (m->ops[m->at]->verify(&m->cx, func, &errors))
		return true;
	ICE(m->s, "broken %s after %s%s%.*s:\n%.*s", m->at == PASS_IR ? "IR" : "machine code", p->id, name.n ? " on " : "",
	    STR_ARG(name), STR_ARG(text_str(&errors)));
}

/* ---- running ---- */

static bool debug_knob_is_set(const Session *s)
{
	for (u32 k = 0; k < KNOB_COUNT; k++)
		if (knob_info[k].kind == KNOB_DEBUG && s->knobs.set[k])
			return true;
	return false;
}

static bool may_have_work(Manager *m, const Pass *p, u32 func)
{
	const LevelOps *ops = m->ops[p->level];
	if (!p->looks_for || !func || !ops->had || m->debugging)
		return true;
	if (m->had_func != func) {
		m->had_func = func;
		m->had = ops->had(&m->cx, func);
	}
	return (m->had & p->looks_for) != 0;
}

static bool transform(Manager *m, const Pass *p, u32 func, Str name, f64 *ms)
{
	Session *s = m->s;
	m->cx.pass = p;
	m->cx.func = func;
	m->cx.scratch = &m->scratch;
	s->pass = p->id;
	s->function = name;
	bool            claims = m->options.check_claims && p->level != PASS_DAG && p->level != PASS_EMIT;
	const LevelOps *ops = m->ops[m->at];
	u64             before = claims && func ? ops->hash(&m->cx, func) : 0;
	f64             start = now(m);
	bool            work = may_have_work(m, p, func);
	bool            changed = (work || claims) && p->run(&m->cx);
	*ms = now(m) - start;
	if (!work && changed)
		ICE(s, "pass %s changed %.*s, which has nothing that it looks for", p->id, STR_ARG(name));
	if (claims && func && !changed && ops->hash(&m->cx, func) != before)
		ICE(s, "pass %s changed %.*s but said it had not", p->id, STR_ARG(name));
	if (changed) {
		analysis_cache_drop(m->cache, m->at, p->scope == PASS_MODULE ? 0 : func, p->keeps);
		m->had_func = 0;
	}
	if (changed && (claims || m->options.verify) && p->level == m->at)
		analysis_cache_check(m->cache, &m->cx, p);
	arena_free(&m->scratch);
	count_time(m, p, *ms, changed);
	return changed;
}

static bool run_on_function(Manager *m, const Pass *p, u32 func)
{
	Str name = m->ops[p->level]->name(&m->cx, func);
	if (dumps_before(m, p))
		dump(m, p, p->level, "Before", func, name);
	bool allowed = bisect_allows(m, p, name), changed = false;
	f64  ms = 0;
	if (allowed)
		changed = transform(m, p, func, name, &ms);
	if (changed)
		verify(m, p, func, name);
	if (allowed && dumps_after(m, p, changed))
		dump(m, p, p->level, "After", func, name);
	record(m, p, func, name, changed, ms);
	return changed;
}

/* A module pass is recorded once for the module and once per function it left different. */
static void record_module(Manager *m, const Pass *p, bool changed, f64 ms)
{
	if (!m->keep_texts)
		return;
	const u32      *ids;
	const LevelOps *ops = m->ops[m->at];
	u32             n = ops->functions(&m->cx, &ids);
	record(m, p, 0, STR(""), changed, ms);
	for (u32 i = 0; i < n; i++)
		record(m, p, ids[i], ops->name(&m->cx, ids[i]), changed, 0);
}

static bool run_on_module(Manager *m, const Pass *p)
{
	if (dumps_before(m, p))
		dump(m, p, m->at, "Before", 0, STR(""));
	bool allowed = bisect_allows(m, p, STR("")), changed = false;
	f64  ms = 0;
	if (allowed)
		changed = transform(m, p, 0, STR(""), &ms);
	if (changed)
		verify(m, p, 0, STR(""));
	if (allowed && dumps_after(m, p, changed))
		dump(m, p, m->at, "After", 0, STR(""));
	record_module(m, p, changed, ms);
	return changed;
}

static void begin(Manager *m, const Pass *p)
{
	m->cx.scratch = &m->scratch;
	m->cx.state = p->begin ? p->begin(&m->cx) : NULL;
	arena_free(&m->scratch);
}

static void end(Manager *m, const Pass *p)
{
	m->cx.scratch = &m->scratch;
	if (p->end)
		p->end(&m->cx);
	arena_free(&m->scratch);
}

typedef bool (*RunOne)(Manager *m, const Pass *p, u32 func);

/* `go_on`: past errors too, so that those of each function are reported. */
static bool run_on_functions(Manager *m, const Pass *p, RunOne run, bool go_on)
{
	Arena ids_arena;
	arena_init(&ids_arena, &m->s->budget);
	m->cx.scratch = &ids_arena;
	const u32 *ids;
	u32        n = m->ops[p->level]->functions(&m->cx, &ids);
	bool       changed = false;
	begin(m, p);
	for (u32 i = 0; i < n && (go_on || !m->s->diags.errors); i++)
		changed |= run(m, p, ids[i]);
	end(m, p);
	arena_free(&ids_arena);
	return changed;
}

static bool run_plainly(Manager *m, const Pass *p, u32 func)
{
	f64 ms;
	return transform(m, p, func, m->ops[p->level]->name(&m->cx, func), &ms);
}

/* Selection and emission make another form of the program, which is looked at when it is whole. */
static bool run_across_levels(Manager *m, const Pass *p)
{
	f64 start = now(m);
	if (dumps_before(m, p))
		dump(m, p, m->at, "Before", 0, STR(""));
	bool changed = run_on_functions(m, p, run_plainly, true);
	f64  ms = now(m) - start;
	if (p->level == PASS_EMIT)
		return changed;
	m->at = PASS_MIR;
	m->cx.scratch = &m->scratch;
	verify(m, p, 0, STR(""));
	if (dumps_after(m, p, changed))
		dump(m, p, m->at, "After", 0, STR(""));
	record_module(m, p, changed, ms);
	arena_free(&m->scratch);
	return changed;
}

static bool run_step(Manager *m, const Pass *p)
{
	if (p->level == PASS_DAG || p->level == PASS_EMIT)
		return run_across_levels(m, p);
	if (p->scope == PASS_MODULE)
		return run_on_module(m, p);
	return run_on_functions(m, p, run_on_function, false);
}

static bool fits_level(const Manager *m, const Pass *p)
{
	return (p->level == PASS_IR || p->level == PASS_DAG) == (m->at == PASS_IR);
}

/* Runs p if it is gated in and the program is at its level. False: stop the pipeline. */
static bool step(Manager *m, u32 index, const Pass *p)
{
	Session *s = m->s;
	if (!fits_level(m, p) || !gate_open(s, p))
		return true;
	bool changed = run_step(m, p);
	s->pass = NULL;
	s->function = STR("");
	if (m->options.stage && p->level != PASS_EMIT)
		return m->options.stage(m->options.stage_user, &m->cx, index, p, changed);
	return true;
}

static RunEnd run_listed(Manager *m)
{
	const VecStr *list = &m->options.run_pass;
	for (u32 i = 0; i < list->n; i++) {
		const Pass *p = pass_find(list->p[i]);
		if (p && !step(m, i, p))
			break;
		if (m->s->diags.errors)
			return RUN_FAILED;
	}
	return RUN_STOPPED;
}

static bool names(Str option, const Pass *p) { return option.n && str_is(option, p->id); }

static RunEnd run_stages(Manager *m, u32 from, u32 to)
{
	const RunOptions   *o = &m->options;
	const PipelineStep *steps;
	pipeline_steps(&steps);
	bool started = !o->start_after.n && !o->start_before.n;
	for (u32 i = from; i < to; i++) {
		const Pass *p = steps[i].pass;
		if (!(steps[i].levels >> m->s->opt_level & 1))
			continue;
		started |= names(o->start_before, p);
		if (names(o->stop_before, p))
			return RUN_STOPPED;
		if (started && !step(m, i, p))
			return RUN_STOPPED;
		if (m->s->diags.errors)
			return RUN_FAILED;
		started |= names(o->start_after, p);
		if (names(o->stop_after, p))
			return RUN_STOPPED;
	}
	return RUN_COMPLETE;
}

/* ---- function by function ---- */

bool manager_is_observed(const Manager *m)
{
	const RunOptions  *o = &m->options;
	const DumpOptions *d = &o->dump;
	return debug_knob_is_set(m->s) || o->whole || o->stage || o->verify || o->check_claims || o->bisect_limit >= 0 ||
	       o->run_pass.n || o->stop_after.n || o->stop_before.n || o->start_after.n || o->start_before.n ||
	       d->print_before.n || d->print_after.n || d->print_before_all || d->print_isel_input || d->print_after_all ||
	       d->print_changed || m->keep_texts || m->keep_remarks || m->s->dag_print;
}

static bool runs_here(const Manager *m, const PipelineStep *s)
{
	return (s->levels >> m->s->opt_level & 1) && gate_open(m->s, s->pass);
}

bool manager_can_defer(Manager *m)
{
	const PipelineStep *steps;
	u32                 n = pipeline_steps(&steps);
	for (u32 i = 0; i < n; i++) {
		const Pass *p = steps[i].pass;
		if (p->scope == PASS_MODULE && runs_here(m, &steps[i]) && (!p->wants_bodies || p->wants_bodies(&m->cx)))
			return false;
	}
	return true;
}

/* A step on the way of each function. */
typedef struct Leg {
	const Pass *pass;
	void       *state;
} Leg;
typedef Vec(Leg) Legs;

static void legs_begin(Manager *m, u32 from, u32 to, Legs *legs)
{
	const PipelineStep *steps;
	pipeline_steps(&steps);
	for (u32 i = from; i < to; i++) {
		const Pass *p = steps[i].pass;
		if (p->scope == PASS_MODULE || !runs_here(m, &steps[i]))
			continue;
		begin(m, p);
		vec_push(&m->s->arena, legs, ((Leg){p, m->cx.state}));
	}
}

/* Functions on their way have said nothing. (Passes over the module come first either way: what they warn of stands.) */
static bool silent(const Manager *m) { return m->s->diags.list.n == m->said; }

static void whole_way(Manager *m, const Legs *legs, u32 func)
{
	for (u32 i = 0; i < legs->n && silent(m); i++) {
		const Leg *l = &legs->p[i];
		m->cx.state = l->state;
		run_plainly(m, l->pass, func);
		if (l->pass->level == PASS_DAG) {
			analysis_cache_drop(m->cache, PASS_IR, func, 0);
			func = m->cx.made;
			m->at = PASS_MIR;
		}
	}
	analysis_cache_drop(m->cache, m->at, func, 0);
	if (m->at == PASS_MIR)
		m->ops[PASS_MIR]->give_back(&m->cx, func);
}

/* The steps of function scope, function by function. */
static RunEnd run_functions(Manager *m, u32 from, u32 to, bool deferred)
{
	const LevelOps *ir = m->ops[PASS_IR];
	Arena           arena;
	Legs            legs = {0};
	arena_init(&arena, &m->s->budget);
	m->cx.scratch = &arena;
	m->said = m->s->diags.list.n;
	const u32 *ids;
	u32        n = ir->functions(&m->cx, &ids);
	bool       good = true;
	legs_begin(m, from, to, &legs);
	for (u32 i = 0; i < n && good; i++) {
		m->at = PASS_IR;
		m->had_func = 0;
		good = !deferred || ir->take_up(&m->cx, ids[i]);
		if (good)
			whole_way(m, &legs, ids[i]);
		if (deferred)
			ir->give_back(&m->cx, ids[i]);
		good &= silent(m);
	}
	m->at = PASS_MIR;
	for (u32 i = 0; i < legs.n && good; i++) {
		m->cx.state = legs.p[i].state;
		end(m, legs.p[i].pass);
	}
	arena_free(&arena);
	m->s->pass = NULL;
	m->s->function = STR("");
	return good && silent(m) ? RUN_COMPLETE : RUN_AGAIN;
}

/* Those that transform the IR as a whole; they leave deferred bodies alone. */
static RunEnd run_module_steps(Manager *m, u32 n)
{
	const PipelineStep *steps;
	pipeline_steps(&steps);
	for (u32 i = 0; i < n && !m->s->diags.errors; i++)
		if (steps[i].pass->scope == PASS_MODULE && runs_here(m, &steps[i]))
			run_step(m, steps[i].pass);
	return m->s->diags.errors ? RUN_AGAIN : RUN_COMPLETE;
}

static RunEnd run_pipeline(Manager *m)
{
	const PipelineStep *steps;
	u32                 n = pipeline_steps(&steps), selection = 0;
	if (manager_is_observed(m) || m->at != PASS_IR)
		return run_stages(m, 0, n);
	while (selection < n && steps[selection].pass->level != PASS_DAG)
		selection++;
	bool   deferred = m->ops[PASS_IR]->deferred(&m->cx);
	RunEnd way = deferred ? run_module_steps(m, selection) : run_stages(m, 0, selection);
	return way == RUN_COMPLETE ? run_functions(m, deferred ? 0 : selection, n, deferred) : way;
}

RunEnd manager_run(Manager *m)
{
	m->at = m->cx.mir ? PASS_MIR : PASS_IR;
	m->debugging = debug_knob_is_set(m->s);
	m->had_func = 0;
	if (m->keep_texts) {
		m->cx.scratch = &m->scratch;
		record_module(m, NULL, true, 0);
		arena_free(&m->scratch);
	}
	RunEnd end = m->options.run_pass.n ? run_listed(m) : run_pipeline(m);
	m->cx.scratch = &m->scratch;
	return end;
}

/* ---- --time-passes ---- */

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
