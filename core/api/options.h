/* options.h: a command line, read. Not public. */
#ifndef PS_OPTIONS_H
#define PS_OPTIONS_H

#include "base/vec.h"
#include "config/session.h"

typedef struct Options {
	const struct CommandRow *command;
	Str                      file; /* the one positional argument; empty: none was given */
	bool                     version, help;
	bool                     level_set;
	bool                     given_mcpu;
	bool                     misfit; /* the target is newer than the PTX version: no module can be compiled, as in llc */
#define OPTION_TEXT(field)                                 Str field;
#define OPTION_WORDS(field)                                VecStr field;
#define OPTION_FLAG(field)                                 bool field;
#define OPTION_NUMBER(field)                               i64 field;
#define OPTION_COUNT(field)                                i64 field;
#define OPTION_PATHS(field)                                VecStr field;
#define OPTION_OPTIONAL(field)                             Str field;
#define OPTION_IGNORED(field)                              bool field;
#define OPTION(field, name, type, commands, metavar, help) OPTION_##type(field)
#include "api/options.def"
} Options;

enum {
	IN_COMPILE = 1,
	IN_RUN = 2,
	IN_CHECK = 4,
	IN_FMT = 8,
	IN_LIST = 16,
};

/* Reads argv[first ..] for a command whose bit is `in`. Knobs, target and level go into the session.
 * False after a usage error, which is printed to err with the nearest known name. */
bool options_read(Options *o, Session *s, int argc, const char *const *argv, int first, u32 in, Text *err);
/* The options a command takes, one line each. */
void options_help(Text *out, u32 in);
/* Of the names handed to it one by one, the one nearest to `wrong`: for "did you mean". */
typedef struct Nearest {
	Str wrong, best;
	u32 distance;
} Nearest;
Nearest nearest_to(Str wrong);
void    nearest_try(Nearest *n, Str name);
bool    nearest_found(const Nearest *n); /* near enough to be worth a hint */

#endif
