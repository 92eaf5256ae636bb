/* manager.h: runs passes over a program, and does all that passes have in common.
 *
 *   pipeline.def, -O level, gates, -stop-*, -run-pass ──▶ Schedule: the steps to run
 *                                                              │
 *                        segments of the schedule: for each function, for each step ──▶ run(cx) ──▶ changed?
 *                                                              │                                      │
 *                                                              ▼                                      ▼
 *                                            diagnostics, remarks (sorted at the end)     dumps, trace, times
 *
 * One executor runs the schedule in segments. In a segment of several steps each function goes through all of them
 * before the next function starts. Observation (dumps, the trace, -stop-*, bisecting, claims) only chooses the
 * segments: where somebody looks at stages each step is a segment of its own, so that after every step the module
 * is complete and can be printed and executed. Otherwise the steps from selection to PTX text are one segment and the
 * memory of a function is given back at its end; where bodies are deferred (ir/defer.c) the steps over functions are
 * all one segment, which begins by reading the body.
 *
 * Output, diagnostics and remarks are the same either way: see diag_order in base/diag.h. */
#ifndef PS_MANAGER_H
#define PS_MANAGER_H

#include "pass/pass.h"
#include "pass/schedule.h"

typedef struct DumpOptions {
	VecStr print_before, print_after;
	bool   print_before_all, print_after_all, print_changed;
	VecStr functions; /* -filter-print-funcs; empty: all */
} DumpOptions;

typedef struct RunOptions {
	DumpOptions     dump;
	ScheduleOptions schedule;
	bool            verify;       /* after every pass (-verify-machineinstrs, -verify-each) */
	bool            check_claims; /* that "unchanged" and `keeps` are true */
	bool            count;        /* runs, changes and times by pass: --time-passes, --stats */
	i64             bisect_limit; /* -1: none */
	f64 (*now_ms)(void *user);    /* NULL: times are 0 */
	void *now_user;
	/* Called after each step but the last; the module is complete then. False stops the run. */
	bool (*stage)(void *user, PassCx *cx, u32 step, const Pass *pass, bool changed);
	void *stage_user;
} RunOptions;

typedef enum RunEnd {
	RUN_COMPLETE,
	RUN_STOPPED, /* by -stop-*, -run-pass or `stage` */
	RUN_FAILED,  /* errors are reported */
	RUN_UNREAD,  /* a deferred body has errors: the caller reads the whole text, which reports all of them */
} RunEnd;

struct Manager {
	Session        *s;
	const LevelOps *ops[PASS_LEVELS];
	RunOptions      options;
	PassCx          cx;
	Text           *dump;      /* standard error */
	void (*flush)(void *user); /* called behind a pass that left text in `dump`; may be NULL */
	void     *flush_user;
	Trace    *trace;                    /* never NULL while running */
	bool      keep_texts, keep_remarks; /* into the trace */
	PassLevel at;                       /* level of the program now: IR before selection, MIR after */
	/* private to pass/ */
	struct AnalysisCache *cache;
	Arena                 scratch;
	Schedule              schedule;
	bool                  scheduled; /* `schedule` is built */
	bool                  observed;  /* each step is a segment */
	bool                  deferred;  /* bodies are read when their functions' turns come */
	u32                   had_func;  /* the function that `had` is about; 0: none */
	u64                   had;       /* LevelOps.had */
	bool                  debugging; /* a debug knob is set: passes print even where they have nothing to do */
	u32                   runs;      /* skippable pass executions so far, for bisecting */
	struct TimeTable     *times;
};

void manager_init(Manager *m, Session *s, Text *dump);
void manager_free(Manager *m);
/* Does nobody ask for more than the result and the diagnostics? Only then may bodies be deferred. */
bool manager_may_defer(const Manager *m);
/* May the bodies of the module in cx->ir stay deferred: does no module pass of the schedule want them? */
bool manager_can_defer(Manager *m);
/* Runs the schedule over cx->ir or cx->mir. Diagnostics and remarks are sorted afterwards. */
RunEnd manager_run(Manager *m);
/* --time-passes: a table, slowest first. */
void manager_print_times(Manager *m, Text *out);
/* --stats: runs and changes by pass. */
void manager_print_stats(Manager *m, Text *out);

#endif
