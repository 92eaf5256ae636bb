/* spill.h: moves values between registers and the thread's own memory (.local), for greedy and regallocfast; keeps the map from virtual
 * registers to spill slots (virtregmap).
 *
 *	%1 = …                                       %1 = …
 *	                                             ST_local_u32 %stack.0, 0, %1
 *	…                                      →     …
 *	                                             %1 = LD_local_u32 %stack.0, 0
 *	… = %1                                       … = %1
 *
 * A slot holds a register's current value at every point where a reload may follow, so values of divergent threads need nothing
 * special: each thread has its own slot. PTX has no loads and stores of predicates: these go through a register of 16 bits.
 *
 *	%9 = SELP_u16 1, 0, %p                       %9 = LD_local_u16 %stack.0, 0
 *	ST_local_u16 %stack.0, 0, %9                 %p = SETP_ne_u16 %9, 0
 *
 * Registers are virtual to the end. A register that has been split is a slot, and its parts are new registers: each of these
 * is in a register wherever it is live, and none is both. */
#ifndef PS_SPILL_H
#define PS_SPILL_H

#include "isa/machine.h"
#include "mir/liverange.h"
#include "mirpass/mirpass.h"

typedef struct Spiller {
	PassCx           *cx;
	MirFunc          *f;
	Arena            *arena;
	const IsaMachine *machine;
	const MirCfg     *cfg;
	const DomTree    *dom;
	VecU32            slot;                         /* by register: frame object + 1; 0 = it has none */
	VecU32            part_of;                      /* by register: the one that it is a part of; 0 = none */
	u32               n_reloads, n_stores, n_again; /* inserted */
	u32               n_split;
} Spiller;

Spiller *spiller_new(PassCx *cx, MirFunc *f);

/* Can the value be computed from nothing, no slower than a reload? */
bool spill_is_cheap(const Spiller *s, MirReg r);
/* The instruction that computes the value again from registers that hold in front of `at` (0: at the end of `b`) what they held at
 * the definition, no slower than a reload; 0: none. `whole` says which registers are live at that place: it is asked for
 * each operand. */
typedef bool SpillLiveFn(void *user, MirReg r, MirBlockId b, MirInstId at);
MirInstId    spill_again(const Spiller *s, MirReg r, MirBlockId b, MirInstId at, SpillLiveFn *live, void *user);

/* In front of `before` (0: at the end of the block) the register gets its value from its slot, or by a copy of `again`. */
void spill_reload(Spiller *s, MirReg r, MirBlockId b, MirInstId before, MirInstId again);
/* Behind its definition the register is stored to its slot. */
void spill_store(Spiller *s, MirReg r, MirInstId def);
/* Each of these registers, of which some have been reloaded, becomes one register for each group of definitions that meet. Definitions that
 * nobody reads any more are erased where they may be. */
void spill_rename(Spiller *s, const VecU32 *regs, MirFlow flow);
/* Has each register with operands no slot, and each slot one register that has no operands? Else what is wrong. */
const char *spill_map_check(const Spiller *s);

#endif
