/* wide.h: what the emulator does with all lanes of a row at once, in the widest vectors that the processor has. kernels.c is
 * compiled for any processor and, on x86-64, again for AVX2 with FMA (kernels_avx2.c); both give the same bits. */
#ifndef PS_SIMT_WIDE_H
#define PS_SIMT_WIDE_H

#include "simt/code.h"
#include "simt/kernels.h"

/* Addresses are looked at in lanes 0 to 15 and in 16 to 31. */
enum { HALF_LANES = 16 };
#define LANES_SCATTER UINT32_MAX

typedef struct WideFrame {
	u32 *row, *pool, *scratch;
} WideFrame;

/* Where a warp's accesses lie in one piece of memory. */
typedef struct WidePlaces {
	const u32 *address; /* a row, of 64 bits a lane or of 32 (narrow) */
	bool       narrow;
	u64        offset;       /* added to each address */
	u64        base, last;   /* the first address of the piece, and the offset in it where the last access may begin */
	u64        first, align; /* the address that lanes which are off are taken to have; bits that must be zero */
	const u32 *on;           /* NULL: all */
} WidePlaces;

typedef struct SimtWide {
	/* Executes the instructions from `in` to `end`, all of them S_LANES, in the lanes that are on (NULL: in all). */
	void (*run)(const WideFrame *f, const SimtInsn *in, const SimtInsn *end, const u32 *on);
	/* By row of kernels.def; NULL: it has none. */
	const VectorFn   *vector;
	const KernelInfo *kernel;
	/* Bit l: is lane l's predicate set? */
	u32 (*guard)(const u32 *predicate);
	/* on[l]: all ones where the mask has lane l, else 0. */
	void (*spread)(u32 *on, u32 mask);
	/* d = s in the lanes that are on, one row or pairs of rows. */
	void (*blend)(u32 *restrict d, const u32 *restrict s, u32 rows, const u32 *restrict on);
	/* By how much 16 addresses of 32 or 64 bits rise from lane to lane: 0, `size`, or LANES_SCATTER for anything else. */
	u32 (*step32)(const u32 *address, u32 size);
	u32 (*step64)(const u64 *address, u32 size);
	/* The lanes' offsets from the base. False: some is outside, or not aligned. */
	bool (*places)(const WidePlaces *p, u32 *offset);
	/* Bit l: does lane l have the value? */
	u32 (*equal)(const u32 *row, u32 value);
} SimtWide;

extern const SimtWide simt_wide_any;
#if defined(__x86_64__)
extern const SimtWide simt_wide_avx2;
#endif

/* The best one that this processor can run. */
static inline const SimtWide *simt_wide(void)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return &simt_wide_avx2;
#endif
	return &simt_wide_any;
}

#endif
