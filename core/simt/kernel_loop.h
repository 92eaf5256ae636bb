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

/* Those of kernels_call.c. */
#define KC(id, D, A, B, C, expr) void simt_k_##id(KERNEL_ARGS);
#define K128(id, expr)           void simt_k_##id(KERNEL_ARGS);
#include "simt/kernels.def"

#endif
