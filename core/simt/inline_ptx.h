/* inline_ptx.h: PTX statements in the middle of another function. */
#ifndef PS_SIMT_INLINE_PTX_H
#define PS_SIMT_INLINE_PTX_H

#include "simt/emit.h"

/* `text` is a module of one function without parameters; its register inline_ptx_a<i> is row[i] of the
 * function that e writes. False where it cannot be read or run; diagnostics of the text are dropped. */
bool simt_inline_ptx(Session *s, SimtProgram *p, SimtEmit *e, Str text, const i32 *row, u32 n);

#endif
