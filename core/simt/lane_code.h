/* lane_code.h: WebAssembly functions of a decoded program, where the host makes them (Session.code). */
#ifndef PS_SIMT_LANE_CODE_H
#define PS_SIMT_LANE_CODE_H

#include "simt/code.h"

/* Where an instruction begins a block of the compiled code: 1 + the function << BLOCK_BITS | the block; 0: it does not. */
enum { LANE_BLOCK_BITS = 16 };
typedef struct LaneCode {
	u32 *entry; /* by instruction */
	u32  first; /* the host's number of function 0; there are two of each: in all lanes, in those that are on */
} LaneCode;

enum { LANE_PLACES = 6 }; /* address registers whose places a block knows at once */

/* Where the lanes' addresses lie, of each four lanes. */
typedef enum LaneKind {
	LANES_IN_A_ROW, /* each one access behind the one before */
	LANES_EQUAL,
	LANES_ANYWHERE,
	LANES_NOWHERE = 4, /* the emulator has to look */
} LaneKind;

/* What a function works on. */
typedef struct LaneFrame {
	_Alignas(16) u64 budget;
	u64 untaken;    /* of the instructions that used it: branches that no lane took, which count for none */
	u32 block, rpc; /* where it begins; the meeting point of the path */
	u32 row, pool;  /* addresses */
	u32 fault;
	u32 on[LANES], take[LANES];              /* all ones in the lanes that are written; that count at branches */
	_Alignas(16) u32 fma[4][4];              /* operands of four lanes, the result */
	_Alignas(16) u32 at[LANE_PLACES][LANES]; /* of the places: addresses of the host */
	u64              undone;                 /* after a fault: counted instructions of the call behind the one at fault */
	struct LaneHere *here;                   /* exec.c's */
} LaneFrame;

/* Returns the instruction to go on with. */
typedef u32 (*LaneFunction)(LaneFrame *f);

/* exec.c's functions. */
typedef struct LaneCalls {
	/* Executes `n` instructions from `pc` on by the emulator: lanes, loads, stores, or one other. 0: a fault. */
	u32 (*run)(LaneFrame *f, u32 pc, u32 n);
	/* Finds the places of the access at `pc` and of others through its register: `bytes` from `low` on beyond what the register
	 * says. write: whether all of it may be written. A LaneKind. */
	u32 (*places)(LaneFrame *f, u32 pc, u32 place, u32 low, u32 bytes, u32 write);
} LaneCalls;

/* Of a kernel and all that it calls. NULL: the host makes none, or it is too large. */
const LaneCode *lane_code_make(SimtProgram *p, u32 kernel, const LaneCalls *calls);

/* Instructions that stay where they are on their path, and call for nothing but lanes: exec.c knows. */
bool lane_code_calls(const SimtInsn *in);

#endif
