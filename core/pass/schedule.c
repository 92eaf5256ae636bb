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

static void add(Schedule *sch, Session *s, const Pass *p, u32 index, PassLevel *level)
{
	bool reads_ir = p->level == PASS_IR || p->level == PASS_DAG;
	if (reads_ir != (*level == PASS_IR) || !gate_open(s, p))
		return;
	vec_push(&s->arena, &sch->steps, ((Step){.pass = p, .index = index}));
	if (p->level == PASS_DAG)
		*level = PASS_MIR;
}

static bool names(Str option, const Pass *p) { return option.n && str_is(option, p->id); }

static void add_pipeline(Schedule *sch, Session *s, const ScheduleOptions *o, PassLevel level)
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
			started |= names(o->start_before, p);
			sch->stops = names(o->stop_before, p);
		}
		if (started && !sch->stops)
			add(sch, s, p, i, &level);
		if (bounded) {
			started |= names(o->start_after, p);
			sch->stops |= names(o->stop_after, p);
		}
	}
}

void schedule_build(Schedule *sch, Session *s, const ScheduleOptions *o, PassLevel level)
{
	*sch = (Schedule){.stops = o->run_pass.n != 0};
	if (!sch->stops) {
		add_pipeline(sch, s, o, level);
		return;
	}
	for (u32 i = 0; i < o->run_pass.n; i++) {
		const Pass *p = pass_find(o->run_pass.p[i]);
		if (p)
			add(sch, s, p, i, &level);
	}
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
