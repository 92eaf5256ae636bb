/* frame.h: who accesses which stack object of a machine function, and where the objects lie.
 *
 *	%1 = FRAME_ADDR_LOCAL %stack.0
 *	%2 = ADDs64ri %1, 8
 *	ST_local_u32 %2, 4, %5              access of %stack.0: 4 bytes at 12, by operand 0
 *	%3 = LD_local_u32 %stack.1, 0       access of %stack.1: 4 bytes at 0
 *	ST_param_b64 &param0, 0, %1         the address of %stack.0 escapes
 *
 * An access is a plain load or store whose address is the object and a constant. Addresses are followed through copies,
 * sums with constants and conversions between .local and generic, as far as their registers have one definition;
 * whatever else reads an address lets it escape. Cost: one look at each instruction and at each reader of an address. */
#ifndef PS_MIR_FRAME_H
#define PS_MIR_FRAME_H

#include "mir/mir.h"

typedef struct MirFrameAccess {
	MirInstId inst;
	u32       base; /* operand number of the address */
	i64       offset;
	u32       size;
	u32       next; /* index of the object's next access; 0 = none */
	bool      store;
	bool      plain; /* neither volatile nor atomic, not guarded, and in .local or generic memory */
} MirFrameAccess;

typedef struct MirFrameUse {
	u32  first, last; /* indexes of accesses, in program order of the addresses; 0 = none */
	u32  n_loads, n_stores;
	bool escapes;
} MirFrameUse;

typedef struct MirFrameAddress {
	MirReg reg;
	u32    object;
	i64    offset;
} MirFrameAddress;

typedef struct MirFrameUses {
	Vec(MirFrameAccess) access;   /* from 1 */
	MirFrameUse *object;          /* by object */
	Vec(MirFrameAddress) address; /* registers that hold addresses, each behind the one that it was computed from */
} MirFrameUses;

/* LIFETIME_START or LIFETIME_END: says that a stack object begins or ceases to be used. */
static inline bool mir_is_marker(const MirFunc *f, MirInstId i)
{
	u32 desc = mir_inst(f, i)->desc;
	return desc == ISA_LIFETIME_START || desc == ISA_LIFETIME_END;
}

/* cvta.to.local, not guarded */
bool mir_is_cvta_to_local(const MirFunc *f, MirInstId i);

MirFrameUses *mir_frame_uses(const MirFunc *f, Arena *a);
#define mir_each_frame_access(uses, o, x)                                                                 \
	for (const MirFrameAccess *x = &(uses)->access.p[(uses)->object[o].first]; x != (uses)->access.p; \
	     x = &(uses)->access.p[x->next])

/* Erases computations of addresses of dead objects that nobody reads. */
void mir_frame_drop_addresses(MirFunc *f, const MirFrameUses *uses);

/* Is it a load or store whose address operand the register of a frame address can be replaced in? The number of that
 * operand, ~0u where none. */
u32 mir_address_operand(const MirFunc *f, MirInstId i);
/* Readers of the address in `r`, defined once as `frame` (MO_FRAME and an offset), name the object themselves where they
 * are addresses of loads and stores: [%r + 4] becomes [%stack.0 + 4]. Sums with constants are followed, and go where nobody
 * reads them any more. How many accesses changed. */
u32 mir_frame_fold(MirFunc *f, MirReg r, MirOp frame, Arena *a);

/* Does the laid-out frame reach down from its registers, which hold the address behind it? */
bool mir_frame_grows_down(const MirFunc *f);

/* Operands that name object n name into[n] instead, which becomes as large and as aligned as both; n is dead then. into[n] is
 * n where it stays, and what a dead one becomes stays. */
void mir_frame_merge(MirFunc *f, const u32 *into);

#endif
