/* sort.h: stable merge sort (bottom-up, O(n log n) comparisons, n records of scratch).
 * The C library's qsort orders ties differently from host to host; this does not. */
#ifndef PS_SORT_H
#define PS_SORT_H

#include "base/arena.h"

typedef int (*SortCompare)(const void *a, const void *b, void *user);

void sort_stable(Arena *scratch, void *base, u32 n, u32 size, SortCompare compare, void *user);
/* Numbers, ascending. */
void sort_u32(Arena *scratch, u32 *p, u32 n);

#endif
