/* bound.h: how large an integer can be, from the operations that it comes from, a few deep. Phis are not looked through. */
#ifndef PS_IRPASS_BOUND_H
#define PS_IRPASS_BOUND_H

#include "ir/builder.h"

/* An upper bound of an integer of at most 64 bits, read as unsigned; UINT64_MAX of anything else. Poison is any value. */
u64 value_at_most(const IrModule *m, IrRef v);
/* Is it known not to be, read as signed? */
bool is_not_negative(const IrModule *m, IrRef v);
/* The extension `ext`, IR_SEXT or IR_ZEXT. That of the sign of what is not negative is one by zeros, as front ends write it, so that the
 * same value is extended once. */
IrRef extend_value(IrBuilder *b, IrOp ext, IrRef v, IrType t);

#endif
