/* promote.h: promotion of stack slots to SSA values; used by mem2reg and sroa. */
#ifndef PS_IRPASS_PROMOTE_H
#define PS_IRPASS_PROMOTE_H

#include "irpass/util.h"

/* Is every use a plain load or store of exactly the slot's type (or a lifetime marker)? */
bool is_promotable(const IrModule *m, IrRef alloca);

/* Turns promotable slots into values: phis in pruned form where definitions meet (Cytron et al., iterated
 * frontiers by Sreedhar and Gao), undef where nothing was stored. Linear in the slots' accesses plus, per
 * slot, the blocks that it is live in, where passages count as one. */
void promote_allocas(PassCx *cx, const IrRef *slot, u32 n);

/* Removes llvm.lifetime.* and llvm.invariant.* calls on `ptr`. */
void drop_lifetime_markers(PassCx *cx, IrRef ptr);
bool is_lifetime_marker(const IrModule *m, IrRef inst);

#endif
