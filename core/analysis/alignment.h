/* alignment.h: to how many bytes is a pointer known to be aligned?
 *
 *   variable                its stated alignment, or that of its type
 *   alloca                  its own
 *   argument                what `align` says of it; passed by value: what the parameter is declared with
 *   gep by a constant       that of the base, as far as the distance is a multiple of it
 *   cast                    that of what is cast
 *   anything else           1
 *
 * What an instruction states about its own address may be more or less; whoever asks takes the larger. Linear in the
 * steps from the pointer to its base. */
#ifndef PS_ANALYSIS_ALIGNMENT_H
#define PS_ANALYSIS_ALIGNMENT_H

#include "ir/ir.h"

u32 pointer_align(const IrModule *m, IrRef pointer);
/* The larger of that and what the attribute of argument `arg` of a call says. */
u32 pointer_arg_align(const IrModule *m, IrRef call, u32 arg);
/* How many bytes an atomic access reads or writes at once. */
u64 atomic_size(const IrModule *m, IrRef access);
/* How it is aligned, as it says or as is known of its address. */
u32 atomic_align(const IrModule *m, IrRef access);
/* Is that by its size? PTX has no other atomic accesses. */
bool is_atomic_aligned(const IrModule *m, IrRef access);

#endif
