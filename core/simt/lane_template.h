/* lane_template.h: lane instructions as WebAssembly, for lane_code.c: the function being written, its locals, and the registers that
 * four lanes have in them. */
#ifndef PS_SIMT_LANE_TEMPLATE_H
#define PS_SIMT_LANE_TEMPLATE_H

#include "simt/lane_code.h"
#include "simt/wasm_encode.h"
#include "simt/wasm_simd.h"

enum { /* locals: i32, but for the budget and the vectors */
       L_FRAME,
       L_BLOCK,
       L_ROW,
       L_POOL,
       L_RPC,
       L_PC,
       L_AT,    /* of the four lanes: their registers of 32 bits */
       L_AT_64, /* … and of 64 */
       L_ON_AT, /* … their words of LaneFrame.on */
       L_LAST,
       L_BUDGET,
       L_UNTAKEN,
       L_TEMP,
       L_LOW,
       L_HIGH,
       L_ON,
       L_TAKEN, /* bit 0: somebody's predicate is set */
       L_LEFT,  /* … is not */
       L_VALUE,
       N_I32 = L_BUDGET - L_BLOCK,
};

/* A register whose value is in a local. */
typedef struct Held {
	i32  reg;
	u32  local;
	u8   rows;
	bool dirty;
} Held;

typedef struct Code {
	const SimtProgram *p;
	Arena             *arena;
	const u32         *block_at; /* by instruction: 1 + its block in the region; 0: none */
	u32                first, end, blocks;
	LaneCall           call;
	WasmBytes          out;
	bool               part;         /* of the lanes */
	u32                level;        /* labels that are open */
	u32                locals, most; /* of values: in use, and at once */
	Vec(Held) held;
	/* of the four lanes */
	u32  group; /* lanes from the loop's or from the row's start, in fours */
	bool loop;
	u32  half;
	/* of the block */
	u32 self, block; /* self: the label of its loop; 0: it has none */
	i64 total, done; /* what it counts; what stands before here */
} Code;

enum { TYPE_FUNCTION, TYPE_CALL, TYPE_FMA };

static inline void code_get(Code *c, u32 local) { wasm_op(&c->out, WASM_GET, local); }
static inline void code_set(Code *c, u32 local) { wasm_op(&c->out, WASM_SET, local); }
static inline void code_op(Code *c, u32 byte) { wasm_byte(&c->out, byte); }
static inline void code_simd(Code *c, u32 which) { wasm_simd(&c->out, which); }
static inline void code_i32(Code *c, u32 v) { wasm_i32(&c->out, (i32)v); }
static inline void code_tee(Code *c, u32 local) { wasm_op(&c->out, WASM_TEE, local); }

/* Blocks, with their labels. */
static inline u32 code_open(Code *c, u32 what)
{
	code_op(c, what);
	code_op(c, WASM_NO_RESULT);
	return ++c->level;
}
static inline void code_close(Code *c)
{
	code_op(c, WASM_END);
	c->level--;
}
static inline void code_br(Code *c, u32 how, u32 label) { wasm_op(&c->out, how, c->level - label); }

/* A call of a function of core. */
static inline void code_call(Code *c, u32 type, u32 function)
{
	code_i32(c, function);
	wasm_op(&c->out, WASM_CALL_INDIRECT, type);
	wasm_u32(&c->out, 0);
}

/* Pushes the address of a register in the four lanes; returns the offset to it. */
u32 code_address(Code *c, i32 reg, u32 rows, u32 half);
/* Pushes its value: of 64 bits, that of two lanes (Code.half). */
void code_operand(Code *c, i32 reg, u32 rows);

/* Can the instruction be written? */
bool lane_has_template(const Code *c, const SimtInsn *in);
/* Does the register overlap one that is held and has another width? */
bool lane_overlaps(const Code *c, i32 reg, u32 rows);
/* Holds the instruction's registers, unless one of them overlaps. */
bool lane_joins(Code *c, const SimtInsn *in);
void lane_template(Code *c, const SimtInsn *in);

#endif
