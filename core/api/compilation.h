/* compilation.h: one run of the compiler: what `compile` of the command line and ps_compile share. Not public. */
#ifndef PS_COMPILATION_H
#define PS_COMPILATION_H

#include "api/command.h"

typedef struct Compilation {
	Command *c;
	Manager  m;
	Trace    trace;
	Text     ptx;
	VecU32   lines; /* the input line of each line of PTX; only where stages are kept */
	RunEnd   end;
} Compilation;

/* Takes the options of c->o. `stages`: the text of every stage is kept in the trace. False after a usage error, which
 * is printed to c->err. */
bool compilation_set(Compilation *x, Command *c, bool stages);
/* With c->input there: does each pass that the user has named work on what the one in front of it leaves? False after a usage
 * error, which is printed to c->err. */
bool compilation_fits(const Compilation *x);
/* Reads and compiles c->input. Diagnostics are left in the session; x->end says how it ended. */
void compilation_run(Compilation *x);
/* The machine functions that the run has left: names, parameters, register budgets. */
void compilation_functions_json(const Compilation *x, Text *out);

#endif
