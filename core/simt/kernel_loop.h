/* kernel_loop.h: a kernel's loop over the lanes: what kernels.c and kernels_call.c make of a row of kernels.def. */
#ifndef PS_SIMT_KERNEL_LOOP_H
#define PS_SIMT_KERNEL_LOOP_H

#include "simt/code.h"
#include "simt/kernels.h"

/* The operands of a lane that the row reads. */
#define GET__(n)
#define GET_u32(n)                            \
	const u32 n = ((const u32 *)p##n)[l]; \
	(void)n;
#define GET_u64(n)                            \
	const u64 n = ((const u64 *)p##n)[l]; \
	(void)n;

#define KERNEL_ARGS void *d, PS_UNUSED const void *pa, PS_UNUSED const void *pb, PS_UNUSED const void *pc, PS_UNUSED u32 x
#define KERNEL_BODY(each, D, A, B, C, expr)                                   \
	{                                                                     \
		D *out = d;                                                   \
		each { GET_##A(a) GET_##B(b) GET_##C(c) out[l] = (D)(expr); } \
	}

/* A table, since not every host shifts each element of a vector by its own count. */
PS_UNUSED static const u32 lane_bit[LANES] = {
	1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
	1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
	1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* Those of kernels_call.c. */
#define KC(id, D, A, B, C, expr) void simt_k_##id(KERNEL_ARGS);
#define K128(id, expr)           void simt_k_##id(KERNEL_ARGS);
#include "simt/kernels.def"

#endif
