/* mutants.h: one mutant, and what is done with it. main.c is the loop over them. */
#ifndef PS_FUZZ_MUTANTS_H
#define PS_FUZZ_MUTANTS_H

#include "mutate.h"

enum { OPTIONS_MAX = 16, OPTION_SIZE = 96, TEXT_SIZE = 4 << 20, MESSAGE_SIZE = 2048 };

typedef enum Outcome {
	OUTCOME_NONE,        /* the process ended in the middle */
	OUTCOME_INVALID,     /* the verifier does not like the mutant */
	OUTCOME_UNSUPPORTED, /* a diagnostic */
	OUTCOME_COMPILED,
	OUTCOME_FAILED,
} Outcome;

/* A mutant and what became of it, in memory that a child process shares with its parent. */
typedef struct Mutant {
	u32     text_n, n_options;
	char    option[OPTIONS_MAX][OPTION_SIZE]; /* of `compile` */
	u32     sm;
	bool    defined; /* has a launch file, and all levels have to agree */
	u32     file;    /* of the seeds */
	Outcome outcome;
	u32     assembled, executed; /* by ptxas; at all levels */
	char    stage[32];           /* what is being done */
	char    message[MESSAGE_SIZE];
	char    text[TEXT_SIZE];
} Mutant;

typedef struct Seed {
	const char *path;
	Str         text, launch; /* launch: empty where there is none */
	u32         sm;           /* the one it is written for; 0: any */
} Seed;

typedef struct Tools {
	const char *ptxas;  /* or NULL */
	const char *folder; /* for its files */
	bool        traced; /* compile with --trace as well: the same must come out */
} Tools;

/* Fills the mutant from the seed; the outcome is INVALID or NONE. */
void make_mutant(Mutant *x, const Seed *seed, Random *r);
/* Compiles, assembles and executes it. */
void try_mutant(Mutant *x, const Seed *seed, const Tools *tools);

#endif
