/* checked.h: arithmetic of sizes, counts and offsets that an input decides.
 *
 * They are u64 on every host. A result that does not fit saturates at SIZE_OVER; SIZE_OVER stays so through further
 * sums and products (except a product with 0) and exceeds every limit. A chain of operations therefore needs a single
 * comparison, of its result with the limit of the memory that it is for (simt/limits.def). */
#ifndef PS_CHECKED_H
#define PS_CHECKED_H

#include "base/base.h"

#define SIZE_OVER UINT64_MAX

static inline u64 size_add(u64 a, u64 b) { return a > SIZE_OVER - b ? SIZE_OVER : a + b; }

static inline u64 size_mul(u64 a, u64 b) { return b && a > SIZE_OVER / b ? SIZE_OVER : a * b; }

/* x rounded up to a multiple of `align`, which is at least 1. */
static inline u64 size_align(u64 x, u64 align)
{
	u64 rest = x % align;
	return rest ? size_add(x, align - rest) : x;
}

/* For records of 32 bits whose users compare the value with a limit below 2^32. */
static inline u32 size_u32(u64 x) { return x > UINT32_MAX ? UINT32_MAX : (u32)x; }

/* Do bytes [at, at + n) lie within `size` bytes? */
static inline bool size_holds(u64 size, u64 at, u64 n) { return at <= size && n <= size - at; }

/* memcpy of n bytes; of none, where either pointer may be null. */
static inline void bytes_copy(void *to, const void *from, size_t n)
{
	if (n)
		memcpy(to, from, n);
}

#endif
