/* step.h: the machine under a debugger: run to a goal, look at warps, registers and memory, run on.
 *
 *	SimtGoal goal = {.kind = STEP_TO_LINES, .lines = &line, .n_lines = 1};
 *	simt_aim(m, &goal);
 *	while (simt_step(m, 1000000) == STEP_UNDONE)
 *		;                                    // report progress, or give up
 *
 * Stepping does not change what runs when: a run in small steps and a run at once do the same. A step is
 * one instruction of the text for the lanes of a warp that stand there. */
#ifndef PS_SIMT_STEP_H
#define PS_SIMT_STEP_H

#include "simt/simt.h"

typedef enum SimtGoalKind {
	STEP_TO_END,
	STEP_INSTRUCTIONS, /* `count` of them */
	STEP_TO_NEXT_LINE, /* until the warp stands at another line */
	STEP_TO_LINES,     /* until a warp is about to run the first instruction of one of the lines */
	STEP_TO_BARRIER,   /* … a barrier of the block */
} SimtGoalKind;

typedef struct SimtGoal {
	SimtGoalKind kind;
	bool         focused; /* only this warp counts; the others run when it is their turn */
	u32          block, warp;
	u64          count;
	const u32   *lines; /* read by simt_aim only */
	u32          n_lines;
	bool         of_input; /* lines of the compiler's input, not of the executed text */
} SimtGoal;

typedef enum SimtStepped { STEP_UNDONE /* out of budget */, STEP_REACHED, STEP_ENDED, STEP_FAULTED } SimtStepped;

/* False: several jobs are at it, which go to the end alone. */
bool        simt_aim(SimtMachine *m, const SimtGoal *g);
SimtStepped simt_step(SimtMachine *m, u64 warp_instructions);
u64         simt_steps(const SimtMachine *m); /* warp instructions so far */

/* Where lanes stand that go the same way. */
typedef struct SimtPlace {
	u32  block, warp; /* block by number */
	u32  pc, line, origin, mask;
	u32  frame, depth; /* depth: calls it is in */
	bool running;      /* the next of its warp */
	enum { PLACE_READY, PLACE_AT_BARRIER, PLACE_AT_SYNC } state;
	Str function;
} SimtPlace;
/* The next instruction to run; of the focus while the goal has one. False: nothing is left. */
bool simt_place(SimtMachine *m, SimtPlace *out);

/* Blocks that have begun and not ended; their numbers ascend. */
u32 simt_resident(SimtMachine *m, u32 *blocks, u32 cap);
typedef struct SimtWarp {
	u32  exists, live; /* lanes */
	u32  paths;        /* 0: it has ended */
	bool independent;
} SimtWarp;
u32  simt_warps(const SimtMachine *m); /* of a block */
bool simt_warp(const SimtMachine *m, u32 block, u32 warp, SimtWarp *out);
/* Path i of a warp; its lanes are no other path's. */
bool simt_path(const SimtMachine *m, u32 block, u32 warp, u32 i, SimtPlace *out);

/* Registers of the function that a path is in. `rows` as code.h has them: u32[32], u64[32], or u64[2][32]. */
u32        simt_registers(const SimtMachine *m, const SimtPlace *at);
SimtReg    simt_register(const SimtMachine *m, const SimtPlace *at, u32 i);
const u32 *simt_register_rows(const SimtMachine *m, const SimtPlace *at, u32 i);
void       simt_register_name(const SimtMachine *m, const SimtPlace *at, u32 i, Text *out);

/* Memory from an address on, to the end of what lies there; NULL: nothing does. */
const u8 *simt_global_bytes(const SimtMachine *m, u64 address, u64 *size);
const u8 *simt_symbol_bytes(const SimtMachine *m, Str name, u32 block, u64 *size);  /* block: for shared variables */
const u8 *simt_shared_bytes(const SimtMachine *m, u32 block, u64 *size);            /* from address SHARED_START */
const u8 *simt_local_bytes(const SimtMachine *m, u32 block, u32 thread, u64 *size); /* from address LOCAL_START */
const u8 *simt_param_bytes(const SimtMachine *m, u64 *size);

#endif
