/* readonly.h: is the memory behind a pointer written while the kernel runs?
 *
 *   kernel argument, noalias and readonly              read-only
 *   kernel argument, noalias, every use of it and of   read-only
 *     what is computed from it only reads
 *   constant variable                                  read-only
 *   null, undef, poison                                read-only: nothing is there
 *   gep, cast, freeze, phi, select, ptrmask …          as what it is computed from; all inputs of a phi or select count
 *   anything else                                      may be written
 *
 * `noalias` says that what is written through another pointer is not read through this one, so an argument whose own uses
 * do not write is not written at all. This holds for kernels only: the promise of a device function's argument ends with
 * the call.
 *
 * A pointer that a loop advances is a phi of itself. The answer for a cycle of phis is the greatest fixed point: all values
 * that a query reaches are taken for read-only, and the verdict of each bad root spreads from there to what is computed
 * from it. A query decides every value that it reaches, so all queries of a function together cost its uses once, and
 * for each argument without `readonly` the uses within `depth` steps once. */
#ifndef PS_ANALYSIS_READONLY_H
#define PS_ANALYSIS_READONLY_H

#include "base/map.h"
#include "ir/ir.h"

typedef enum ReadOnlyVerdict {
	RO_NONE,
	RO_YES,
	RO_BASE,     /* comes from memory, a call, an integer, a stack slot */
	RO_FUNCTION, /* an argument of a function that is no kernel */
	RO_ALIAS,    /* the argument is not noalias */
	RO_VARIABLE, /* not constant */
	RO_USE,      /* the argument has a use that may write, or let somebody else write */
	RO_DEEP,     /* its uses go on behind `depth` */
} ReadOnlyVerdict;

typedef struct ReadOnly {
	const IrModule *m;
	Arena          *arena;
	bool            is_kernel;
	u32             depth;
	Map             verdict;    /* IrRef.i → ReadOnlyVerdict */
	VecU32          found, bad; /* of one query */
} ReadOnly;

void            read_only_init(ReadOnly *r, const IrModule *m, const IrFunc *f, Arena *arena, u32 depth);
ReadOnlyVerdict read_only_pointer(ReadOnly *r, IrRef pointer);
/* Why not: the end of a sentence, for remarks. */
const char *read_only_reason(ReadOnlyVerdict v);

#endif
