/* run.h: executing a program at one of its levels; what `run` and `check` share. Not public. */
#ifndef PS_API_RUN_H
#define PS_API_RUN_H

#include "api/command.h"
#include "simt/simt.h"

/* Is --launch given, and another file than the input? */
bool run_has_launch(Command *c, const char *command);
/* Options of the emulator as the command line gives them; false after a usage error. */
bool run_options(Command *c, SimtOptions *o);
/* The launch description of --launch; NULL after an error, which is printed. */
SimtLaunch *run_launch(Command *c);
SimtLaunch *run_launch_text(Command *c, Arena *a, Str name, Str text);
/* What is executed, as text, and where its lines came from; initialised by the caller. */
typedef struct RunText {
	Text              text;
	VecU32            origins;
	const SimtInHost *in_host; /* not NULL: host memory mode is asked for (simt_from_ptx_in_host) */
	bool mir_lines;            /* asked for: the text of machine code, and lines counted in it; else lines are the input's */
} RunText;
/* Reads c->input and brings it to the level that is asked for. NULL: errors were reported, or *status says why
 * not. `text` is filled in. */
SimtProgram *run_decode(Command *c, int *status, RunText *text);
/* Reads and decodes PTX; origins (may be NULL): by line, the line of the compiler's input. */
SimtProgram *run_decode_ptx(Session *s, Str text, const VecU32 *origins, const SimtInHost *in_host);
/* Says why one job executes the launch, where more were asked for. */
void run_tell_jobs(Command *c, const SimtMachine *m);
/* Runs to the end, or to a fault. NULL: the launch does not fit the program (reported). */
SimtMachine *run_program(SimtProgram *p, const SimtLaunch *l, const SimtOptions *o);
/* A run by seed that ended in a fault, run again with as few preemptions as still lead to it; frees m and gives the last run. */
SimtMachine *run_fewest_preemptions(Command *c, SimtProgram *p, const SimtLaunch *l, const SimtOptions *o, SimtMachine *m);
/* The exit status after the launch could not be had: no file, or nothing in it that makes sense. */
int run_no_launch(const Command *c);

#endif
