/* shared.h: what the fuzzing programs have in common: random numbers, ptxscope run in this process, files, and making
 * what fails smaller. Numbers depend on the seed alone: the same on every host. */
#ifndef PS_FUZZ_SHARED_H
#define PS_FUZZ_SHARED_H

#include "base/text.h"

typedef struct Random {
	u64 state;
} Random;

static inline u32 rnd(Random *r)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return (u32)(r->state >> 33) ^ (u32)(r->state >> 11 & 1) << 31;
}
static inline u32  below(Random *r, u32 n) { return rnd(r) % n; }
static inline bool one_in(Random *r, u32 n) { return rnd(r) % n == 0; }
#define pick(r, list) ((list)[below((r), (u32)(sizeof(list) / sizeof *(list)))])

Random random_of(u64 seed, u64 number); /* of case `number` of a seed */

/* A command's files: k.launch.json is the launch, every other one the text; what it writes is thrown away. */
typedef struct World {
	Str  text, launch;
	Text out, err; /* of the last command, in its arena */
} World;

int run_command(World *w, Arena *arena, const char *const *argv, int argc); /* a PsStatus */

bool        contains(Str s, const char *what);
Str         first_line(Str s);
Str         read_file(Arena *arena, const char *path); /* empty: it cannot be read */
bool        save_file(const char *path, Str text);
f64         now(void);                                       /* seconds */
const char *option_value(const char *arg, const char *name); /* NAME=value; NULL: another option */

/* A smaller text that still fails; `fails` is asked about each candidate. */
typedef bool (*StillFails)(void *user, Str text);
Str reduce(Arena *arena, Str text, u32 tries, StillFails fails, void *user);
u32 count_instructions(Str text); /* of all functions */

#endif
