/* tmem.h: tensor memory: 128 lanes of 512 columns of 32 bits for each block. */
#ifndef PS_SIMT_TMEM_H
#define PS_SIMT_TMEM_H

#include "simt/machine.h"

enum { TMEM_LANES = 128, TMEM_COLUMNS = 512, TMEM_UNIT = 32 };

typedef enum TensorWhat { TC_ALLOC, TC_DEALLOC, TC_RELINQUISH, TC_LOAD, TC_STORE, TC_COPY, TC_SHIFT, TC_MULTIPLY } TensorWhat;

/* The address is lane << 16 | column. Checks that the columns are allocated; false after a fault. */
bool               tmem_holds(SimtMachine *m, const Block *b, u32 address, u32 columns, u32 lane, const char *who);
static inline u32 *tmem_cell(const Block *b, u32 lane, u32 column)
{
	return &b->tmem[lane % TMEM_LANES * TMEM_COLUMNS + column % TMEM_COLUMNS];
}
/* The operand of lane l, and its offset. */
static inline u32 tmem_address(const SimtMachine *m, const Frame *f, i32 r, u32 offset, u32 l)
{
	return (u32)lane64(reg_rows(m, f, r), l) + offset;
}

/* tcgen05.c: the product that lane l issues. `other`: the block that takes part in it; NULL: none. */
bool tensor_multiply(SimtMachine *m, const Frame *f, const TensorForm *x, u32 l, Block *other);

#endif
