/* schedule.h: which passes one run of the manager executes, and in which order.
 *
 * The schedule is built once, from the pipeline (or -run-pass), the optimisation level, the gates of the passes and
 * -start-*, -stop-*. It does not depend on who observes the run. */
#ifndef PS_SCHEDULE_H
#define PS_SCHEDULE_H

#include "pass/pass.h"

typedef struct ScheduleOptions {
	Str    stop_after, stop_before, start_after, start_before; /* pass ids, or id,N for run N of the pass; empty: none */
	VecStr run_pass;                                           /* not empty: only these, in this order */
	bool as_named; /* run_pass is -passes: gates that nobody has closed are open, and selection goes in front of machine passes */
	bool banners; /* are the banners of the pipeline wanted? */
} ScheduleOptions;

typedef struct Step {
	const Pass *pass;
	u32         index;  /* its place in the pipeline or in -run-pass, from 0; what it reports is sorted by this */
	const char *banner; /* what -print-after-all says behind it; NULL: nothing */
	void       *state;  /* what the pass's `begin` returned */
} Step;

typedef struct Schedule {
	Vec(Step) steps;
	bool stops; /* before the end of the pipeline: there is no PTX */
	bool named; /* the steps are those that the user has named */
} Schedule;

/* Passes whose level does not fit are left out: selection changes `level` from IR to MIR. */
void schedule_build(Schedule *sch, Session *s, const ScheduleOptions *o, PassLevel level);
/* The first pass of run_pass that cannot follow the one in front of it, *before (NULL: it is the first, and the input is of
 * `level`); NULL: all fit. */
const Pass *schedule_misplaced(const ScheduleOptions *o, PassLevel level, const Pass **before);
/* The id in what -stop-after and its kin were given, and the number of the run. */
Str schedule_pass_id(Str option, u32 *instance);
/* Module passes first: for deferred bodies, which no module pass of the schedule wants. */
void schedule_hoist_module_passes(Schedule *sch);

/* The hook of the target that adds the pass according to the documents, and its place among what that adds (ADDS rows of
 * pipeline.def); NULL: none is named. */
const char *pass_added_by(Str id, u32 *place);

#endif
