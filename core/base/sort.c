#include "base/sort.h"

static void merge(const u8 *from, u8 *to, u32 lo, u32 mid, u32 hi, u32 size, SortCompare compare, void *user)
{
	u32 a = lo, b = mid;
	for (u32 k = lo; k < hi; k++) {
		bool left = a < mid && (b >= hi || compare(from + (size_t)a * size, from + (size_t)b * size, user) <= 0);
		memcpy(to + (size_t)k * size, from + (size_t)(left ? a++ : b++) * size, size);
	}
}

void sort_stable(Arena *scratch, void *base, u32 n, u32 size, SortCompare compare, void *user)
{
	if (n < 2)
		return;
	u8 *from = base, *to = arena_alloc(scratch, (size_t)n * size, _Alignof(max_align_t));
	for (u32 width = 1; width < n; width *= 2) {
		for (u32 lo = 0; lo < n; lo += 2 * width)
			merge(from, to, lo, PS_MIN(lo + width, n), PS_MIN(lo + 2 * width, n), size, compare, user);
		u8 *swap = from;
		from = to;
		to = swap;
		if (width > n / 2)
			break;
	}
	if (from != (u8 *)base)
		memcpy(base, from, (size_t)n * size);
}
