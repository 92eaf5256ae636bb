/* command.h: what the commands of core/api share. Not public. */
#ifndef PS_COMMAND_H
#define PS_COMMAND_H

#include "api/options.h"
#include "api/ptxscope.h"
#include "pass/manager.h"
#include "pass/trace.h"

enum {
	STATUS_DONE = PS_STATUS_DONE,
	STATUS_INPUT = PS_STATUS_INPUT,
	STATUS_USAGE = PS_STATUS_USAGE,
	STATUS_INTERNAL = PS_STATUS_INTERNAL,
	STATUS_MEMORY = PS_STATUS_MEMORY
};

/* One command's run. What is in `out` and `err` is printed by command_flush: behind each pass that dumps, with progress, and at
 * the end. Files in `files` are written only when it succeeded, so that bad input leaves nothing behind. */
typedef struct OutFile {
	Str  path, data;
	bool always; /* also when the input was at fault: the record of what went wrong */
} OutFile;

/* A library to link. */
typedef struct LinkFile {
	Str name, text;
} LinkFile;

typedef struct Command {
	Session       s;
	const PsHost *host;
	PsThreadHost  threads;
	Options       o;
	Text          out, err;
	Vec(OutFile) files;
	Vec(LinkFile) links;
	bool links_read; /* `links` has the files of the options, too */
	bool any_target; /* the input may be for another target, as no code is made of it */
	Str  input;      /* the input's text */
	Str  input_name; /* as given; "<stdin>" for "-" */
} Command;

typedef int (*CommandRun)(Command *c);

/* The memory limit that an embedder asks for as a session takes it: 0 is the default, and a session has some. */
static inline u64 command_memory_cap(size_t wanted) { return wanted ? PS_MAX((u64)wanted, (u64)1 << 20) : SESSION_MEMORY_CAP; }

/* Reads a structure of a caller whose header may be older or newer: its first field is its size, and fields of `own` past it are
 * 0. False: it is not there, or does not reach to `least`. */
static inline bool command_struct(void *own, size_t own_size, const void *given, size_t least)
{
	size_t size = given ? *(const size_t *)given : 0;
	memset(own, 0, own_size);
	if (size < least)
		return false;
	memcpy(own, given, PS_MIN(size, own_size));
	return true;
}

/* Are all words of a command line there? */
static inline bool command_has_words(int argc, const char *const *argv)
{
	for (int i = 0; i < argc; i++)
		if (!argv || !argv[i])
			return false;
	return argc >= 0;
}

int command_compile(Command *c);
int command_run(Command *c);
int command_check(Command *c);
int command_fmt(Command *c);
int command_passes(Command *c);
int command_knobs(Command *c);
int command_opcodes(Command *c);
int command_intrinsics(Command *c);

/* Reads the input file into c->input; reports and returns false where it cannot. */
bool command_read_input(Command *c);
/* Any file; the error is printed. */
bool command_read_file(Command *c, Str path, Str *text);
/* Prints what `out` and `err` hold and empties them; keeps it where there is no host to print it. */
void command_flush(void *command);
/* `path` "-" is standard output: printed at once. */
void command_write(Command *c, Str path, Str data);
void command_write_always(Command *c, Str path, Str data);
/* Are the passes of -stop-after and -stop-before there? Else a usage error is printed. */
bool command_known_stops(Command *c);
/* Tells the host how far it is; false: the host wants no more of it, which is printed. */
bool command_progress(Command *c, f64 part, const char *what);
/* Prints all diagnostics to standard error; STATUS_INPUT where there were errors. */
int command_report(Command *c);

/* What the input is, by its content first and its name second. */
typedef enum InputKind { INPUT_LL, INPUT_MIR, INPUT_PTX } InputKind;
InputKind command_input_kind(const Command *c);

/* Reads the input at its level and verifies it. NULL program and reported errors where it is broken. */
struct IrModule *command_load_ir(Command *c);
/* Reads and verifies the input, and keeps nothing; false: errors were reported. */
bool command_check_ir(Command *c);
/* The same with bodies deferred; NULL where that cannot be. */
struct IrModule  *command_load_ir_deferred(Command *c);
struct MirModule *command_load_mir(Command *c, struct IrModule **ir);

/* Are there libraries to link? */
bool command_links(const Command *c);
/* Links them into the input; false: errors were reported. */
bool command_link(Command *c, struct IrModule *ir);

/* The level tables of pass/pass.h, joined with ir/ and mir/. */
void command_set_levels(Manager *m);

/* Ends a session that was left through Session.out: its reason, or `no_memory` where memory was the reason, is cut to `room` bytes
 * in `last_words`, since nothing of the session remains. */
PsStatus command_leave(Session *s, const char *no_memory, char *last_words, u32 room);

#endif
