/* decimal.h: doubles and decimal text, exactly, the same on every host (no libc, no locale).
 *
 * Both directions work on exact big integers: reading rounds to nearest, ties to even, whatever the
 * number of digits; writing gives the shortest digits that read back to the same bits, and of those
 * the nearest to the value (Steele & White 1990, "How to print floating-point numbers accurately"). */
#ifndef PS_DECIMAL_H
#define PS_DECIMAL_H

#include "base/base.h"

/* [+-] digits [. digits] [e|E [+-] digits], at least one digit before the exponent; all of `s`.
 * Too large gives an infinity. What is not such a number gives NaN. */
f64 base_parse_double(Str s);

enum { DECIMAL_DIGITS = 17, DECIMAL_TEXT = 32 };

typedef struct Decimal {
	char digit[DECIMAL_DIGITS]; /* '0'..'9', no leading or trailing zeros; "0" for zero */
	u32  n;
	i32  point; /* the value is 0.DIGITS * 10^point */
} Decimal;

/* |v|, which must be finite. */
Decimal decimal_shortest(f64 v);
/* The form in which JavaScript writes numbers (so JSON readers agree): 1, 0.1, 1e+21, 1e-7; besides
 * -0, inf, -inf and nan. Writes at most DECIMAL_TEXT bytes, no NUL; returns how many. */
u32 base_format_double(char out[DECIMAL_TEXT], f64 v);

#endif
