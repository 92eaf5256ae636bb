/* repeats.h: which runs of a text of numbers occur more than once.
 *
 * The repeats are the inner nodes of the text's suffix tree: each run that occurs at least twice and that is not always followed by the
 * same number, with all its places. They are read off a suffix array (Manber and Myers, "Suffix arrays", 1993: prefix
 * doubling) and the lengths of common prefixes of neighbours in it (Kasai and others, "Linear-time
 * longest-common-prefix computation", 2001) as intervals (Abouelhoda, Kurtz, Ohlebusch, "Replacing suffix trees with enhanced suffix
 * arrays", 2004). A text of which no two numbers are equal has none.
 *
 * Cost: n log l, l the length of the longest repeat; 40 bytes for each number. */
#ifndef PS_REPEATS_H
#define PS_REPEATS_H

#include "base/vec.h"

typedef struct Repeat {
	u32 length;
	u32 first, n; /* its places: Repeats.place[first] .. [first + n - 1], not sorted */
} Repeat;

typedef struct Repeats {
	Vec(Repeat) list;
	u32 *place;
} Repeats;

/* Repeats of at least `least` numbers, longer ones before those that they begin with. */
Repeats repeats_find(const u32 *text, u32 n, u32 least, Arena *a);

#endif
