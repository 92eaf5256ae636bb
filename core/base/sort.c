/* sort.c: a bottom-up merge sort, and insertion of few elements. Stable on every host, n log n comparisons, n elements of scratch memory where there are many. */
#include "base/sort.h"

/* What is sorted, and how: `size` bytes an element. */
typedef struct Sort {
	u32         size;
	SortCompare compare;
	void       *user;
} Sort;

/* Merges the sorted runs [lo, mid) and [mid, hi) of `from`; of equal elements the left one comes first. */
static void merge(const Sort *s, const u8 *from, u8 *to, u32 lo, u32 mid, u32 hi)
{
	size_t size = s->size;
	u32    a = lo, b = mid;
	for (u32 k = lo; k < hi; k++) {
		bool left = a < mid && (b >= hi || s->compare(from + a * size, from + b * size, s->user) <= 0);
		memcpy(to + k * size, from + (left ? a++ : b++) * size, size);
	}
}

enum { FEW = 24, SMALL = 64 };

/* Of few elements, of at most SMALL bytes: takes no memory, and few comparisons where they are nearly in order. */
static void insertion_sort(const Sort *s, u8 *base, u32 n)
{
	u8     held[SMALL];
	size_t size = s->size;
	for (u32 i = 1; i < n; i++) {
		u32 k = i;
		while (k && s->compare(base + (k - 1) * size, base + i * size, s->user) > 0)
			k--;
		if (k == i)
			continue;
		memcpy(held, base + i * size, size);
		memmove(base + (k + 1) * size, base + k * size, (i - k) * size);
		memcpy(base + k * size, held, size);
	}
}

void sort_stable(Arena *scratch, void *base, u32 n, u32 size, SortCompare compare, void *user)
{
	if (n < 2)
		return;
	Sort s = {size, compare, user};
	if (n <= FEW && size <= SMALL) {
		insertion_sort(&s, base, n);
		return;
	}
	u8 *from = base, *to = arena_alloc(scratch, (size_t)n * size, _Alignof(max_align_t));
	for (u32 width = 1; width < n; width *= 2) {
		for (u32 lo = 0; lo < n; lo += 2 * width)
			merge(&s, from, to, lo, PS_MIN(lo + width, n), PS_MIN(lo + 2 * width, n));
		u8 *swap = from;
		from = to;
		to = swap;
		if (width > n / 2)
			break;
	}
	if (from != (u8 *)base)
		memcpy(base, from, (size_t)n * size);
}

static int ascending(const void *x, const void *y, void *user)
{
	(void)user;
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	return (a > b) - (a < b);
}

void sort_u32(Arena *scratch, u32 *p, u32 n) { sort_stable(scratch, p, n, sizeof(u32), ascending, NULL); }
