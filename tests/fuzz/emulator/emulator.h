/* emulator.h: the fuzzers of the emulator. Each is a program: one of launch.c, variables.c, images.c, calls.c and api.c makes
 * a case from a fuzzer's bytes and runs it in this process; main.c is its entry, under libFuzzer or with random bytes of its
 * own. Whatever the case is, ptxscope ends with a result, a fault or an error; a sanitizer's report, an internal error or an
 * error without words ends the program. */
#ifndef PS_FUZZ_EMULATOR_H
#define PS_FUZZ_EMULATOR_H

#include "../shared/choice.h"
#include "../shared/shared.h"

typedef struct Case {
	Choice      c;
	Arena      *arena;
	Text        text, launch;
	const char *command; /* NULL: run */
	bool        show;    /* print what is run */
} Case;

typedef enum Outcome { OUTCOME_RAN, OUTCOME_FAULT, OUTCOME_ERROR, OUTCOME_MEMORY, OUTCOME_COUNT } Outcome;

/* The program's own: makes a case and runs it. */
Outcome fuzz_case(Case *k);
/* Runs `run` on text and launch with these options; dies where it may not end so. */
Outcome fuzz_run(Case *k, const char *const *options, u32 n);
void    fuzz_die(Case *k, const char *why, Str said);

/* ---- ptx.c: pieces of PTX */

typedef struct PtxNames {
	const char *const *variable; /* that an address may name */
	u32                n_variables;
	const char *const *function; /* of no arguments and no results */
	u32                n_functions;
	const char        *param;  /* of the kernel; NULL: none */
	u32                labels; /* L0 .., one at least */
} PtxNames;

void ptx_head(Case *k);
/* Registers, and in %d0 .. %d3 and %r0 .. %r3 addresses and numbers to begin with: %tid.x, ... */
void ptx_registers(Case *k);
/* `n` random statements, with labels between them. */
void ptx_statements(Case *k, const PtxNames *names, u32 n);
/* One statement of a pattern, whose words after $ are replaced:
 *	$p $h $r $d $f $g   a register: predicate, 16, 32, 64 bits, f32, f64
 *	$n $s $i            any number, a small one, one of 8 bits with a sign
 *	$A $S               an address and a state space
 *	$L $F $V            a label, a function, a variable */
void ptx_pattern(Case *k, const PtxNames *names, const char *pattern);

/* ---- json.c: pieces of launch files */

typedef struct Param {
	const char *type; /* "u32", …; NULL: bytes */
	u32         bytes, align, elements;
} Param;

Param choose_param(Case *k);
void  ptx_param(Case *k, const Param *p, const char *name, u32 number); /* .param .align 4 .b8 name3[8] */
void  json_argument(Case *k, const Param *p, u32 n_buffers, u32 n_textures);
void  json_buffer(Case *k, const char *name, u32 number);
void  json_number(Case *k, u32 most);
void  json_shape(Case *k); /* "grid", "block", "sharedBytes" */

#endif
