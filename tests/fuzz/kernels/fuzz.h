/* fuzz.h: random kernels that are always valid and always end, and what is done with them.
 *
 *	generate  a kernel as IR text, with the launch it is meant for
 *	differ    runs it as IR, after every pass, as PTX, and as llc's PTX; says what is wrong
 *
 * main.c is the loop over them. Numbers depend on the seed alone: the same on every host. */
#ifndef PS_FUZZ_KERNELS_H
#define PS_FUZZ_KERNELS_H

#include "../shared/shared.h"

#include "base/vec.h"

/* A kernel, how it is launched, and how it is compiled. */
typedef struct Case {
	Str text, launch;
	u32 sm;
	Vec(Str) option; /* of `check`: level, target, knobs, how it runs */
	Str level;       /* the one of them that llc takes too */
} Case;

void generate(Case *c, Arena *arena, Random *r);

typedef struct Differ {
	const char *llc;         /* path of llc, of LLVM 19 or later, or NULL */
	const char *with;        /* an option of every check, or NULL */
	const char *break_after; /* the test hook: a pass made wrong, or NULL */
	const char *sanitize;    /* no report of these sanitizers is allowed; or NULL */
	const char *folder;      /* for files that llc reads and writes */
	u64         unsupported; /* kernels that could not be compiled */
	Str         why;         /* the last one's reason */
} Differ;

/* Nothing, or what is wrong: one line. with_llc: the kernel goes through llc, too. */
Str differ(Differ *d, Arena *arena, const Case *c, bool with_llc);

#endif
