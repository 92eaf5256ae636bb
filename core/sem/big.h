/* big.h: integers of any width, as words of 64 bits, the lowest first. The bits above the width are 0 in operands and in results. A
 * result may stand where an operand does. Sums and shifts cost their words, products the square of them, divisions bits times words. */
#ifndef PS_SEM_BIG_H
#define PS_SEM_BIG_H

#include "sem/eval.h"

enum { SEM_BIG_BITS = 4096, SEM_BIG_WORDS = SEM_BIG_BITS / 64 }; /* the widest */

static inline u32 sem_big_words(u32 w) { return (w + 63) / 64; }

/* The value of an integer operation on operands of width w, 1 to SEM_BIG_BITS, also where IR does not define it; for bswap in whole bytes. False:
 * not an operation of these. */
bool sem_big_eval(SemOp op, u32 w, u64 *r, const u64 *a, const u64 *b, const u64 *c);
/* Does the sum, difference or product (SEM_OP_add, sub, mul) leave the width? */
bool sem_big_overflows(SemOp op, bool is_signed, u32 w, const u64 *a, const u64 *b);
/* -1, 0, 1: a is less than, equal to, more than b. */
i32 sem_big_compare(bool is_signed, u32 w, const u64 *a, const u64 *b);
/* Cut, or extended. */
void sem_big_extend(u32 to, u64 *r, u32 from, const u64 *a, bool is_signed);
u64  sem_big_to_float(SemFmt to, bool is_signed, u32 w, const u64 *a); /* to nearest */
/* Toward zero, and clamped to the range; NaN is 0. */
void sem_big_of_float(u32 w, u64 *r, bool is_signed, SemFmt from, u64 a);

#endif
