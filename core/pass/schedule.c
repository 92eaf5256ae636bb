/* schedule.c: builds the list of steps of one run; linear in the rows of pipeline.def. */
#include "pass/schedule.h"

enum { PIPELINE_TUNED, PIPELINE_DOCUMENTED }; /* the values of the knob `pipeline` */

/* -pipeline=documented opens the gates of documented passes, unless the user has closed one. */
static bool is_documented(const Session *s, const Pass *p)
{
	return p->flags & PF_DOCUMENTED && knob_int(s, KNOB_pipeline) == PIPELINE_DOCUMENTED && !s->knobs.set[p->gate] &&
	       s->opt_level;
}

static bool gate_open(const Session *s, const Pass *p)
{
	if (p->gate && !knob_bool(s, p->gate) && !is_documented(s, p))
		return false;
	if (p->disable && knob_bool(s, p->disable))
		return false;
	return !p->gated || p->gated(s);
}

/* A pass of -passes runs, unless a knob that the user has set says otherwise. */
static bool is_wanted(const Session *s, const Pass *p)
{
	return (!p->gate || !s->knobs.set[p->gate] || knob_bool(s, p->gate)) && (!p->disable || !knob_bool(s, p->disable));
}

static bool reads_ir(const Pass *p) { return p->level == PASS_IR || p->level == PASS_DAG; }

static void add(Schedule *sch, Session *s, const Pass *p, u32 index, PassLevel *level)
{
	if (reads_ir(p) != (*level == PASS_IR))
		return;
	vec_push(&s->arena, &sch->steps, ((Step){.pass = p, .index = index}));
	if (p->level == PASS_DAG)
		*level = PASS_MIR;
}

/* `option`: the id of a pass, or id,N for its run number N, from 0, as in LLVM. */
static bool names(Str option, const PipelineStep *steps, u32 i)
{
	u32 wanted, before = 0;
	if (!option.n || !str_is(schedule_pass_id(option, &wanted), steps[i].pass->id))
		return false;
	for (u32 k = 0; k < i; k++)
		before += steps[k].pass == steps[i].pass;
	return before == wanted;
}

Str schedule_pass_id(Str option, u32 *instance)
{
	u32 comma = 0, n = 0;
	while (comma < option.n && option.p[comma] != ',')
		comma++;
	for (u32 i = comma + 1; i < option.n; i++) {
		if (option.p[i] < '0' || option.p[i] > '9' || i > comma + 7)
			return *instance = 0, option;
		n = n * 10 + (u32)(option.p[i] - '0');
	}
	*instance = n;
	return comma + 1 < option.n ? (Str){option.p, comma} : option;
}

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);
	for (const char *w = words; (w = strstr(w, word)); w += n)
		if ((w == words || w[-1] == ' ') && (!w[n] || w[n] == ' '))
			return true;
	return false;
}

/* Banners behind step i go to the last step of their group. */
static void add_banners(Schedule *sch, u32 i)
{
	PipelineBanner banner;
	for (u32 nth = 0; pipeline_banner(i, nth, &banner); nth++)
		for (u32 k = sch->steps.n; k-- > 0;)
			if (has_word(banner.passes, sch->steps.p[k].pass->id)) {
				sch->steps.p[k].banner = banner.text;
				break;
			}
}

static void add_pipeline(Schedule *sch, Session *s, const ScheduleOptions *o, PassLevel *level)
{
	const PipelineStep *pipeline;
	u32                 n = pipeline_steps(&pipeline);
	bool                bounded = o->start_after.n || o->start_before.n || o->stop_after.n || o->stop_before.n;
	bool                started = !o->start_after.n && !o->start_before.n;
	vec_reserve(&s->arena, &sch->steps, n);
	for (u32 i = 0; i < n && !sch->stops; i++) {
		const Pass *p = pipeline[i].pass;
		if (!(pipeline[i].levels >> s->opt_level & 1))
			continue;
		if (bounded) {
			started |= names(o->start_before, pipeline, i);
			sch->stops = names(o->stop_before, pipeline, i);
		}
		if (started && !sch->stops && gate_open(s, p))
			add(sch, s, p, i, level);
		if (o->banners)
			add_banners(sch, i);
		if (bounded) {
			started |= names(o->start_after, pipeline, i);
			sch->stops |= names(o->stop_after, pipeline, i);
		}
	}
}

/* Machine passes of -passes on IR: selection and what is in front of it go first. */
static bool wants_selection(const ScheduleOptions *o, PassLevel level)
{
	const Pass *first = o->run_pass.n ? pass_find(o->run_pass.p[0]) : NULL;
	return o->as_named && level == PASS_IR && first && !reads_ir(first);
}

static void add_named(Schedule *sch, Session *s, const ScheduleOptions *o, PassLevel level)
{
	u32 steps = 0;
	if (wants_selection(o, level)) {
		const PipelineStep *pipeline;
		add_pipeline(sch, s, &(ScheduleOptions){.stop_after = STR("finalize-isel"), .banners = o->banners}, &level);
		steps = pipeline_steps(&pipeline);
	}
	sch->named = sch->stops = true;
	for (u32 i = 0; i < o->run_pass.n; i++) {
		const Pass *p = pass_find(o->run_pass.p[i]);
		if (p && (o->as_named ? is_wanted(s, p) : gate_open(s, p)))
			add(sch, s, p, steps + i, &level);
		sch->stops &= !p || p->level != PASS_EMIT;
	}
}

void schedule_build(Schedule *sch, Session *s, const ScheduleOptions *o, PassLevel level)
{
	*sch = (Schedule){0};
	if (o->run_pass.n)
		add_named(sch, s, o, level);
	else
		add_pipeline(sch, s, o, &level);
}

const Pass *schedule_misplaced(const ScheduleOptions *o, PassLevel level, const Pass **before)
{
	bool ir = level == PASS_IR && !wants_selection(o, level), ended = false;
	*before = NULL;
	for (u32 i = 0; i < o->run_pass.n; i++) {
		const Pass *p = pass_find(o->run_pass.p[i]);
		if (reads_ir(p) != ir || ended)
			return p;
		ir &= p->level != PASS_DAG;
		ended = p->level == PASS_EMIT;
		*before = p;
	}
	return NULL;
}

void schedule_hoist_module_passes(Schedule *sch)
{
	Step *steps = sch->steps.p;
	u32   front = 0;
	for (u32 i = 0; i < sch->steps.n; i++) {
		if (steps[i].pass->scope != PASS_MODULE)
			continue;
		Step step = steps[i];
		if (i > front)
			memmove(&steps[front + 1], &steps[front], (i - front) * sizeof(Step));
		steps[front++] = step;
	}
}
