/* machine.h: budgets and costs of a target's hardware, rows of machine.def. Queries are table look-ups. */
#ifndef PS_ISA_MACHINE_H
#define PS_ISA_MACHINE_H

#include "isa/isa.h"

typedef struct IsaMachine {
	const char *name, *source;
	u32         registers; /* 32-bit, per SM */
	u16         sm;
	u16         registers_per_thread, predicates; /* that a thread can name */
	u16         warps, schedulers;                /* per SM */
} IsaMachine;

typedef struct IsaCost {
	u16 latency; /* cycles until a dependent instruction can issue */
	u16 cycles;  /* that a warp's instruction keeps its unit busy, seen by one scheduler */
} IsaCost;

const IsaMachine *isa_machine(u32 sm); /* never NULL */
IsaCost           isa_cost(const IsaMachine *m, const IsaDesc *d);
/* Where the latency is from, "not verified: …" where nobody has compared it; "" where the unit has no row. */
const char *isa_cost_source(const IsaMachine *m, IsaUnit unit);
/* Most registers of a thread with which `warps` warps fit an SM: allocated in steps of 8 (256 per warp). */
u32 isa_registers_for_warps(const IsaMachine *m, u32 warps);

#endif
