/* schedule.h: which passes one run of the manager executes, and in which order.
 *
 * The schedule is built once, from the pipeline (or -run-pass), the optimisation level, the gates of the passes and
 * -start-*, -stop-*. It does not depend on who observes the run. */
#ifndef PS_SCHEDULE_H
#define PS_SCHEDULE_H

#include "pass/pass.h"

typedef struct ScheduleOptions {
	Str    stop_after, stop_before, start_after, start_before; /* pass ids; empty: none */
	VecStr run_pass;                                           /* not empty: only these, in this order */
} ScheduleOptions;

typedef struct Step {
	const Pass *pass;
	u32         index; /* its place in the pipeline or in -run-pass, from 0; what it reports is sorted by this */
	void       *state; /* what the pass's `begin` returned */
} Step;

typedef struct Schedule {
	Vec(Step) steps;
	bool stops; /* before the end of the pipeline: there is no PTX */
} Schedule;

/* Passes whose level does not fit are left out: selection changes `level` from IR to MIR. */
void schedule_build(Schedule *sch, Session *s, const ScheduleOptions *o, PassLevel level);
/* Module passes first: for deferred bodies, which no module pass of the schedule wants. */
void schedule_hoist_module_passes(Schedule *sch);

#endif
