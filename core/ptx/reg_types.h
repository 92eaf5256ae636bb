/* reg_types.h: which floats are in a function's registers. PTX declares most registers by their width alone, and loads, stores and
 * moves say no more. */
#ifndef PS_PTX_REG_TYPES_H
#define PS_PTX_REG_TYPES_H

#include "ptx/ptx.h"

/* By register: TOK_type_f16, bf16, f32 or f64, that of a lane where the register has several; TOK_type_none where it holds something
 * else, nothing is known, or instructions disagree. */
u8 *ptx_reg_types(const Session *s, const PtxFunc *f, Arena *a);

#endif
