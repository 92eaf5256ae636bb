/* smem_matrix.h: matrices in shared memory that a 64-bit descriptor describes (wgmma, tcgen05). */
#ifndef PS_SIMT_SMEM_MATRIX_H
#define PS_SIMT_SMEM_MATRIX_H

#include "simt/matrix.h"

/* Rows are those of A, or columns of B: what is called mn; the other dimension is k. */
typedef struct SmemMatrix {
	u64  start, lead, stride; /* bytes */
	u64  window;              /* where the block's shared memory begins */
	u32  lane;                /* which reads it */
	u8   swizzle, atomicity, base;
	bool by_mn;     /* 16 bytes hold consecutive mn of one k; else consecutive k of one mn */
	bool absolute;  /* `lead` is the address of the columns from 128 bytes on */
	u8   type;      /* ElementType */
	u8   container; /* bits that an element takes: its own, or 8 for narrow ones, whose bits are packed in their 16 bytes */
} SmemMatrix;

SmemMatrix smem_matrix_wgmma(u64 descriptor, u32 type, bool by_mn);
SmemMatrix smem_matrix_tcgen05(u64 descriptor, u32 type, u32 container, bool by_mn);

/* Where the values go: element (mn, k) to out[mn * mn_step + k * k_step]. */
typedef struct MatrixOut {
	f64 *out;
	u32  mn_step, k_step;
	bool negate;
} MatrixOut;
/* Reads rows [first, first + n) and all k; false after a fault. */
bool smem_matrix_read(SimtMachine *m, const SmemMatrix *x, u32 first, u32 n, u32 k, const MatrixOut *out);
/* The address of the 16 bytes that hold element (mn, k). */
u64 smem_matrix_address(const SmemMatrix *x, u32 mn, u32 k);

#endif
