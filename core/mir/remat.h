/* remat.h: may a value be computed again at another place, and what would it cost?
 *
 *   %1 = mov 7             it may: nothing is read
 *   %2 = add %0, 4         where %0 still holds what it held
 *   %3 = ld.param [p]      and other loads of memory that nobody writes
 *   %4 = ld.global [%0]    where no store in between may alias
 *
 * Never: what is convergent, volatile, atomic or has side effects, results of several, guarded or partial definitions.
 * The definition must be on every path to the place. Where an operand of it has several definitions, or it reads memory
 * that may be written, all instructions between the two are looked at: cost of a query is then the blocks
 * on the way, else constant. What a longer live range of the operands costs is the caller's to weigh. */
#ifndef PS_MIR_REMAT_H
#define PS_MIR_REMAT_H

#include "isa/machine.h"
#include "mir/cfg.h"

typedef struct MirRemat {
	bool      ok;
	MirInstId def;  /* to be cloned, where ok */
	IsaCost   cost; /* of the clone */
} MirRemat;

/* What the result of one instruction depends on, if it may be repeated at all. */
typedef enum MirRepeat {
	MIR_REPEAT_NEVER,
	MIR_REPEAT_UNWRITTEN, /* its operands, and memory that may be written in between */
	MIR_REPEAT_ANYWHERE,  /* its operands alone */
} MirRepeat;
MirRepeat mir_repeat(const MirFunc *f, MirInstId i);

/* May register `r` be computed again in front of instruction `at`? `machine` for the cost. */
MirRemat mir_remat(const MirFunc *f, const IsaMachine *machine, MirReg r, MirInstId at);

#endif
