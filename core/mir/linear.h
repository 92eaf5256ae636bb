/* linear.h: values in a block that is its own loop, as linear functions of the iteration.
 *
 *	%o = mul.wide.s32 %i, 4          %a in iteration k  =  1 * %base + 4 * %i  +  16  +  8 * k
 *	%a = add.s64 %base, %o                                 terms                offset  step
 *	ld.global [%a + 16]
 *	%i = add.s32 %i, 2               the registers of the terms with the values that they have where the loop is entered
 *
 * Followed are moves, additions, subtractions, and products with constants, of 32 and 64 bits; a register that moves by a constant
 * from one iteration to the next gives the step. Everything else the loop computes is unknown. The machine computes modulo 2^32 or
 * 2^64, and a value of 32 bits may wrap before it is extended: two values with equal terms differ by what their offsets and steps
 * say, or by that and a multiple of 2^32. So differences below 2^31 decide whether small accesses overlap.
 *
 * Needs a block that is its own successor, in SSA form or not. Cost: constant, LINEAR_WORK registers are followed at most. */
#ifndef PS_LINEAR_H
#define PS_LINEAR_H

#include "mir/mir.h"

enum { LINEAR_TERMS = 4, LINEAR_WORK = 32 };

typedef struct MirLinearTerm {
	i64 scale;
	u32 reg;
} MirLinearTerm;

typedef struct MirLinear {
	bool          known;
	u8            n;
	MirLinearTerm term[LINEAR_TERMS]; /* ascending by register, none with scale 0 */
	i64           offset, step;       /* all numbers are below 2^31 */
} MirLinear;

/* The value that instruction `at` of the loop reads in register `r`. */
MirLinear mir_linear(const MirFunc *f, MirInstId at, MirReg r);

/* *difference: y in the d-th iteration behind, less x; false where it is not known, or not below 2^31. */
bool mir_linear_difference(const MirLinear *x, const MirLinear *y, u32 d, i64 *difference);

#endif
