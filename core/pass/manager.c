/* manager.c: executes a schedule: segments, functions, steps; gives passes their context, and sorts diagnostics and remarks at
 * the end. manager.h describes the two orders of execution. */
#include "pass/manager.h"

#include "base/sort.h"
#include "pass/analysis_cache.h"
#include "pass/trace.h"
#include "pass/watch.h"

void manager_init(Manager *m, Session *s, Text *dump)
{
	*m = (Manager){.s = s, .dump = dump};
	m->options.bisect_limit = -1;
	m->cx = (PassCx){.s = s, .manager = m};
	m->times = times_new(s);
	arena_init(&m->scratch, &s->budget);
	m->cache = analysis_cache_new(s);
}

void manager_free(Manager *m)
{
	analysis_cache_clear(m->cache);
	arena_free(&m->scratch);
}

void *pass_analysis(PassCx *cx, AnalysisId id) { return analysis_cache_get(cx->manager->cache, cx, id); }

void *pass_analysis_if_known(PassCx *cx, AnalysisId id) { return analysis_cache_peek(cx->manager->cache, cx, id); }

void pass_invalidate(PassCx *cx, u32 keep) { analysis_cache_drop(cx->manager->cache, cx->manager->at, cx->func, keep); }

Text *pass_dump(PassCx *cx) { return cx->manager->dump; }

/* ---- remarks ---- */

bool pass_wants_remarks(const PassCx *cx) { return cx->manager->keep_remarks; }

static void add_remark(const PassCx *cx, Remark r)
{
	Trace *t = cx->manager->trace;
	r.order = cx->s->diags.order;
	r.pass = cx->pass;
	r.function = arena_str(t->arena, cx->s->function);
	vec_push(t->arena, &t->remarks, r);
}

void pass_remark(PassCx *cx, RemarkKind kind, u32 line, const char *fmt, ...)
{
	Manager *m = cx->manager;
	if (!m || !m->keep_remarks) /* unit tests run a pass without a manager */
		return;
	va_list ap;
	va_start(ap, fmt);
	add_remark(cx, (Remark){.line = line, .kind = kind, .message = arena_vfmt(m->trace->arena, fmt, ap)});
	va_end(ap);
}

void pass_remark_fate(PassCx *cx, Fate fate, u32 line, Str value, const char *fmt, ...)
{
	Manager *m = cx->manager;
	if (!m || !m->keep_remarks)
		return;
	va_list ap;
	va_start(ap, fmt);
	Arena *a = m->trace->arena;
	add_remark(cx, (Remark){.line = line,
	                        .kind = REMARK_PASSED,
	                        .message = arena_vfmt(a, fmt, ap),
	                        .value = arena_str(a, value),
	                        .fate = fate});
	va_end(ap);
}

static int by_order(const void *a, const void *b, void *user)
{
	u64 x = ((const Remark *)a)->order, y = ((const Remark *)b)->order;
	(void)user;
	return (x > y) - (x < y);
}

static void settle_remarks(Manager *m)
{
	Trace *t = m->trace;
	u32    n = 0;
	if (!m->keep_remarks)
		return;
	for (u32 i = 0; i < t->remarks.n; i++)
		if (diags_reach(&m->s->diags, diag_step(t->remarks.p[i].order)))
			t->remarks.p[n++] = t->remarks.p[i];
	t->remarks.n = n;
	sort_stable(t->arena, t->remarks.p, n, sizeof(Remark), by_order, NULL);
}

/* ---- one pass over one function, or over the module ---- */

/* Only where somebody will read it: a pass over a small function takes little longer than asking for the time. */
static f64 now(const Manager *m)
{
	bool read = m->observed || m->options.count;
	return read && m->options.now_ms ? m->options.now_ms(m->options.now_user) : 0;
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

static void transform(Manager *m, Execution *x)
{
	Session    *s = m->s;
	const Pass *p = x->pass;
	m->cx.pass = p;
	m->cx.func = x->func;
	m->cx.scratch = &m->scratch;
	s->pass = p->id;
	s->function = x->name;
	bool            claims = m->options.check_claims && p->level != PASS_DAG && p->level != PASS_EMIT;
	const LevelOps *ops = m->ops[m->at];
	u64             before = claims && x->func ? ops->hash(&m->cx, x->func) : 0;
	f64             start = now(m);
	bool            work = may_have_work(m, p, x->func);
	x->changed = (work || claims) && p->run(&m->cx);
	x->ms = now(m) - start;
	if (!work && x->changed)
		ICE(s, "pass %s changed %.*s, which has nothing that it looks for", p->id, STR_ARG(x->name));
	if (claims && x->func && !x->changed && ops->hash(&m->cx, x->func) != before)
		ICE(s, "pass %s changed %.*s but said it had not", p->id, STR_ARG(x->name));
	if (x->changed) {
		analysis_cache_drop(m->cache, m->at, p->scope == PASS_MODULE ? 0 : x->func, p->keeps);
		m->had_func = 0;
	}
	if (x->changed && (claims || m->options.verify) && p->level == m->at)
		analysis_cache_check(m->cache, &m->cx, p);
	arena_free(&m->scratch);
	if (m->options.count)
		watch_count(m, x);
}

/* Is the function in the form that the pass needs? It is left alone otherwise, which is an error where the user has named the pass. */
static bool fits(Manager *m, const Pass *p, const Step *step, const Execution *x)
{
	const LevelOps *ops = m->ops[m->at];
	u32             needs = p->level != PASS_IR ? p->needs : p->flags & PF_ANY_SIZE ? 0 : PN_FIXED;
	if (!needs || !ops->form || !x->func || ops->form(&m->cx, x->func) & needs)
		return true;
	if (m->schedule.named && needs == PN_FIXED) {
		diag_report(&m->s->diags, DIAG_PASS_SCALABLE, (SrcRange){0}, p->id, STR_ARG(x->name));
	} else if (m->schedule.named) {
		const Step *before = step > m->schedule.steps.p ? step - 1 : NULL;
		diag_report(&m->s->diags, p->needs & PN_SSA ? DIAG_PASS_NOT_SSA : DIAG_PASS_PHIS, (SrcRange){0}, p->id,
		            STR_ARG(x->name), before ? ": it stands behind " : "", before ? before->pass->id : "");
	}
	return false;
}

/* Selection and printing make another form of the program: who observes them sees the module before and after,
 * not the functions one by one. */
static bool makes_another_form(const Pass *p) { return p->level == PASS_DAG || p->level == PASS_EMIT; }

/* Returns whether anything changed. `func` becomes the function's id at the level after the step. */
static bool execute(Manager *m, const Step *step, u32 *func)
{
	const Pass *p = step->pass;
	Execution   x = {.pass = p, .func = *func, .name = *func ? m->ops[m->at]->name(&m->cx, *func) : STR("")};
	bool        watched = m->observed && !makes_another_form(p);
	m->cx.state = step->state;
	if (watched)
		watch_before(m, &x);
	x.allowed = watch_allows(m, p, x.name) && fits(m, p, step, &x);
	if (x.allowed)
		transform(m, &x);
	if (watched)
		watch_after(m, &x);
	if (m->flush && m->dump->n)
		m->flush(m->flush_user);
	if (p->level == PASS_DAG) {
		analysis_cache_drop(m->cache, PASS_IR, *func, 0);
		*func = m->cx.made;
		m->at = PASS_MIR;
	}
	return x.changed;
}

/* ---- segments of the schedule ---- */

typedef struct Segment {
	Step *step;
	u32   n;
} Segment;

/* Steps that go function by function together. IR that stays in memory gains nothing from that, and passes over it
 * may look at other functions. */
static Segment segment_at(const Manager *m, const Schedule *sch, u32 first)
{
	Segment g = {&sch->steps.p[first], 1};
	if (m->observed || g.step->pass->scope == PASS_MODULE || (g.step->pass->level == PASS_IR && !m->deferred))
		return g;
	while (first + g.n < sch->steps.n && g.step[g.n].pass->scope == PASS_FUNCTION)
		g.n++;
	return g;
}

/* Is the step reached, or has an earlier one reported an error? A step is completed for all functions, so that
 * the errors of each are reported. */
static bool is_reached(const Manager *m, const Step *step) { return diags_reach(&m->s->diags, step->index + 1); }

static void set_order(Manager *m, const Step *step, u32 function) { m->s->diags.order = diag_order(step->index + 1, function); }

static void begin_steps(Manager *m, Segment g)
{
	for (u32 k = 0; k < g.n; k++) {
		const Pass *p = g.step[k].pass;
		if (!is_reached(m, &g.step[k]))
			continue;
		set_order(m, &g.step[k], 0);
		m->cx.scratch = &m->scratch;
		g.step[k].state = p->begin ? p->begin(&m->cx) : NULL;
		arena_free(&m->scratch);
	}
}

static void end_steps(Manager *m, Segment g)
{
	for (u32 k = 0; k < g.n; k++) {
		const Pass *p = g.step[k].pass;
		if (!p->end || !is_reached(m, &g.step[k]))
			continue;
		set_order(m, &g.step[k], UINT32_MAX);
		m->cx.state = g.step[k].state;
		m->cx.scratch = &m->scratch;
		p->end(&m->cx);
		arena_free(&m->scratch);
	}
}

/* One function, or (func 0) the module, through the steps. False: its body cannot be read. */
static bool execute_segment(Manager *m, Segment g, u32 func, u32 position, bool *changed)
{
	const LevelOps *from = m->ops[m->at];
	u32             id = func;
	bool            takes_up = m->deferred && func;
	m->had_func = 0;
	m->s->diags.order = 0;
	if (takes_up && !from->take_up(&m->cx, func))
		return false;
	for (u32 k = 0; k < g.n && is_reached(m, &g.step[k]); k++) {
		set_order(m, &g.step[k], position);
		*changed |= execute(m, &g.step[k], &id);
	}
	if (g.n > 1) {
		analysis_cache_drop(m->cache, m->at, id, 0);
		if (m->at == PASS_MIR && g.step + g.n == m->schedule.steps.p + m->schedule.steps.n)
			m->ops[PASS_MIR]->give_back(&m->cx, id);
	}
	if (takes_up)
		from->give_back(&m->cx, func);
	return true;
}

static RunEnd run_segment(Manager *m, Segment g, bool *changed)
{
	static const u32 module = 0;
	const u32       *ids = &module;
	Arena            arena;
	PassLevel        from = m->at;
	u32              n = 1;
	bool             good = true;
	arena_init(&arena, &m->s->budget);
	m->cx.scratch = &arena;
	if (g.step->pass->scope == PASS_FUNCTION)
		n = m->ops[from]->functions(&m->cx, &ids);
	begin_steps(m, g);
	for (u32 i = 0; i < n && good; i++) {
		m->at = from;
		good = execute_segment(m, g, ids[i], i + 1, changed);
	}
	arena_free(&arena);
	if (!good)
		return RUN_UNREAD;
	if (g.step[g.n - 1].pass->level != PASS_IR)
		m->at = PASS_MIR;
	end_steps(m, g);
	m->s->pass = NULL;
	m->s->function = STR("");
	return RUN_COMPLETE;
}

/* A step that somebody may observe: before and after it the module is complete. */
static RunEnd run_observed(Manager *m, Segment g)
{
	const Pass *p = g.step->pass;
	Execution   x = {.pass = p, .allowed = true};
	f64         start = now(m);
	m->cx.scratch = &m->scratch;
	if (makes_another_form(p))
		watch_before(m, &x);
	RunEnd end = run_segment(m, g, &x.changed);
	x.ms = now(m) - start;
	m->cx.scratch = &m->scratch;
	if (p->level == PASS_DAG)
		watch_after(m, &x);
	arena_free(&m->scratch);
	if (g.step->banner && m->options.dump.print_after_all)
		text_f(m->dump, "# %s\n\n", g.step->banner);
	if (m->options.stage && p->level != PASS_EMIT &&
	    !m->options.stage(m->options.stage_user, &m->cx, g.step->index, p, x.changed))
		return RUN_STOPPED;
	return end;
}

static RunEnd run_schedule(Manager *m)
{
	const Schedule *sch = &m->schedule;
	RunEnd          end = RUN_COMPLETE;
	bool            changed = false;
	for (u32 i = 0; i < sch->steps.n && end == RUN_COMPLETE;) {
		Segment g = segment_at(m, sch, i);
		i += g.n;
		if (m->observed && is_reached(m, g.step))
			end = run_observed(m, g);
		else if (m->deferred || is_reached(m, g.step))
			end = run_segment(m, g, &changed);
	}
	if (end == RUN_COMPLETE && sch->stops)
		end = RUN_STOPPED;
	return end != RUN_UNREAD && m->s->diags.errors ? RUN_FAILED : end;
}

/* ---- a run ---- */

bool manager_may_defer(const Manager *m)
{
	/* Module passes run first over deferred bodies, so that remarks of earlier passes would give functions
	 * the names that nvptx-assign-valid-global-names has given them. */
	return !watch_is_on(m) && !m->keep_remarks;
}

static void build_schedule(Manager *m, PassLevel level)
{
	if (!m->scheduled)
		schedule_build(&m->schedule, m->s, &m->options.schedule, level);
	m->scheduled = true;
}

bool manager_can_defer(Manager *m)
{
	build_schedule(m, PASS_IR);
	for (u32 i = 0; i < m->schedule.steps.n; i++) {
		const Pass *p = m->schedule.steps.p[i].pass;
		if (p->scope == PASS_MODULE && (!p->wants_bodies || p->wants_bodies(&m->cx)))
			return false;
	}
	return true;
}

RunEnd manager_run(Manager *m)
{
	m->at = m->cx.mir ? PASS_MIR : PASS_IR;
	m->observed = watch_is_on(m);
	m->deferred = m->at == PASS_IR && m->ops[PASS_IR]->deferred(&m->cx);
	m->debugging = watch_debugs(m->s);
	m->had_func = 0;
	build_schedule(m, m->at);
	if (m->deferred)
		schedule_hoist_module_passes(&m->schedule);
	m->cx.scratch = &m->scratch;
	watch_record_module(m, NULL);
	arena_free(&m->scratch);
	RunEnd end = run_schedule(m);
	m->s->diags.order = diag_order(UINT32_MAX, 0);
	diags_settle(&m->s->diags);
	settle_remarks(m);
	m->cx.scratch = &m->scratch;
	return end;
}
