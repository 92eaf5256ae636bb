/* matrix.h: elements of matrices that the lanes of a warp hold together. */
#ifndef PS_SIMT_MATRIX_H
#define PS_SIMT_MATRIX_H

#include "simt/machine.h"

typedef enum ElementType {
	EL_NONE,
	EL_F16,
	EL_BF16,
	EL_TF32,
	EL_F64,
	EL_S8,
	EL_U8,
	EL_S4,
	EL_U4,
	EL_B1,
	EL_F32,
	EL_S32,
	EL_E4M3,
	EL_E5M2,
	EL_E2M3,
	EL_E3M2,
	EL_E2M1,
	EL_COUNT
} ElementType;

u32 element_bits(u32 type);
u8  element_of(u32 type_token); /* EL_NONE: no matrix has it */

f64 element_value(u64 bits, u32 type);
/* The bits of the type; integers wrap, or saturate; of floats NaN saturates to 0, the others to finite ones. */
u64 element_result(f64 sum, u32 type, bool saturate);
/* Room for n numbers, until the next call. */
f64 *matrix_room(SimtMachine *m, u32 n);
typedef struct MatrixSize {
	u32 m, n, k;
} MatrixSize;
/* c[m][n] += a[m][k] * b[k][n]. */
void matrix_product(const f64 *a, const f64 *b, f64 *c, MatrixSize s);

/* The metadata of a sparse A over a warp; chunks are counted in elements of the whole row. */
typedef struct SparseForm {
	u32  k, chunk, selector;
	bool halves; /* the elements have 16 bits or more */
} SparseForm;
u32  sparse_chunk(u32 type, bool pairs); /* pairs: elements of 4 bits that are packed */
u32  sparse_index(const u32 *metadata, const SparseForm *s, u32 row, u32 chunk);
void sparse_spread(const f64 *stored, const u8 *index, u32 k, u32 chunk, f64 *row);

/* Rows and columns of a part: A is m x k, B k x n, C and D m x n. */
u32 part_rows(const MmaForm *x, MmaPart p);
u32 part_cols(const MmaForm *x, MmaPart p);

/* Register, lane and place in the register of an element; quad: of LAYOUT_QUADS, which of the four matrices. */
typedef struct At {
	u32 reg, lane, e;
} At;
At   element_at(const MmaForm *x, MmaPart p, u32 quad, u32 row, u32 col);
u64  element_get(const SimtMachine *m, const Frame *f, const MmaForm *x, MmaPart p, At at);
void element_set(SimtMachine *m, const Frame *f, const MmaForm *x, MmaPart p, At at, u64 v);

/* matrix_move.c */
bool matrix_move(SimtMachine *m, const Frame *f, const MmaForm *x);

#endif
