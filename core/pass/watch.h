/* watch.h: what the manager does around one execution of a pass for those who observe the run: dumps, bisecting,
 * verification, the trace. Only the manager includes this. */
#ifndef PS_WATCH_H
#define PS_WATCH_H

#include "pass/manager.h"

/* One pass over one function, or over the module where `func` is 0. */
typedef struct Execution {
	const Pass *pass;
	u32         func;
	Str         name;    /* of the function */
	bool        allowed; /* not skipped by -opt-bisect-limit */
	bool        changed;
	f64         ms;
} Execution;

/* Does anybody look at stages? Then each has to be a complete module. */
bool watch_is_on(const Manager *m);
/* Is a debug knob set? Then passes print also where they have nothing to transform. */
bool watch_debugs(const Session *s);
void watch_before(Manager *m, const Execution *x);
/* LLVM's -opt-bisect-limit: numbers the skippable executions; those past the limit are not allowed. */
bool watch_allows(Manager *m, const Pass *p, Str function);
/* Verifies, dumps and records what the pass left. */
void watch_after(Manager *m, const Execution *x);
/* Records the program as it is, for the trace: the module, then each function. `x`: after what; NULL: the input. */
void watch_record_module(Manager *m, const Execution *x);

struct TimeTable *times_new(Session *s);
void              watch_count(Manager *m, const Execution *x); /* for --time-passes and --stats */

#endif
