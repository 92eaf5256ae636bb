/* mutate.h: mutants of LLVM IR that are still valid IR.
 *
 *	adapt    values of any type out of values of any other
 *	expr     operations of all kinds and widths, and calls of every intrinsic there is
 *	storage  loads, stores, copies, atomics, stack slots and variables
 *	flow     new blocks: ways around, loops, switches, copies of code; calls of new functions
 *	mutate   the mutations of what is there: operands, constants, predicates, flags; and the choice among all
 *
 * A mutation builds what the verifier accepts; where it cannot know (dominance), the verifier has the word.
 * `defined`: nothing undefined may come in, because results are going to be compared. */
#ifndef PS_FUZZ_MUTATE_H
#define PS_FUZZ_MUTATE_H

#include "../shared/shared.h"

#include "ir/builder.h"
#include "ir/signature.h"

typedef struct Mut {
	IrModule *m;
	Random   *r;
	IrFunc   *f;
	bool      defined;
	u32       named; /* new globals so far */
} Mut;

/* `many` mutations of the module. */
void mutate(Mut *mu, u32 many);
/* Takes away every promise that a mutation could break: flags, ranges, undefined operands. */
void keep_defined(Mut *mu);

/* ---- adapt.c */

bool   is_plain(const IrModule *m, IrType t); /* adapt can make it and take it */
IrType int_type(Mut *mu);
IrType fp_type(Mut *mu);
IrType vector_of(Mut *mu, IrType elem);
IrType some_type(Mut *mu);   /* any of them: scalars, vectors, pointers, now and then an aggregate */
IrType memory_type(Mut *mu); /* one that may be read where another was written */
IrRef  some_const(Mut *mu, IrType t);
Str    new_name(Mut *mu, const char *base); /* of a global */
IrRef  adapt(Mut *mu, IrBuilder *b, IrRef v, IrType to);

/* ---- expr.c */

/* A value that may be used before `at`: an argument, an instruction above it, a constant. */
IrRef some_value(Mut *mu, IrRef at);
/* A new value of any type, made of `x` and others before `at`. */
IrRef some_expr(Mut *mu, IrBuilder *b, IrRef x, IrRef at);
IrRef some_binary(Mut *mu, IrBuilder *b, IrRef x, IrRef y); /* on operands of one type */
/* An i1 that depends on `x`. */
IrRef some_condition(Mut *mu, IrBuilder *b, IrRef x, IrRef at);

/* ---- storage.c */

IrRef some_memory(Mut *mu, IrBuilder *b, IrRef x, IrRef at);

/* ---- flow.c */

/* Around instruction `at`, whose operand `i` gets the value that comes out. */
bool  way_around(Mut *mu, IrRef at, u32 i);
bool  loop_around(Mut *mu, IrRef at, u32 i);
bool  switch_around(Mut *mu, IrRef at, u32 i);
bool  copy_of_code(Mut *mu, IrRef at);
IrRef some_call(Mut *mu, IrBuilder *b, IrRef x, IrRef at);

/* The function's entry, where allocas stand. */
IrBuilder at_entry(Mut *mu);

#endif
