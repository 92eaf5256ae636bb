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
       L_KIND, /* LaneKind by place */
       L_KIND_LAST = L_KIND + LANE_PLACES - 1,
       L_BUDGET,
       L_UNTAKEN,
       L_TEMP,
       L_LOW,
       L_HIGH,
       L_ON,
       L_TAKEN, /* bit 0: somebody's predicate is set */
       L_LEFT,  /* … is not */
       L_CONSTANT,
       L_VALUE = L_CONSTANT + 16,
       MOST_CONSTANTS = L_VALUE - L_CONSTANT,
       N_I32 = L_BUDGET - L_BLOCK,
};

/* A register whose value is in a local. */
typedef struct Held {
	i32  reg;
	u32  local;
	u8   rows;
	bool dirty;
} Held;

/* Accesses through one register, all of one size: `bytes` from `low` on beyond what it says. */
typedef struct Place {
	const SimtInsn *in; /* one of them; NULL: the place is free */
	i64             low, bytes;
	bool            write;
} Place;

typedef struct Code {
	const SimtProgram *p;
	Arena             *arena;
	const u32         *block_at; /* by instruction: 1 + its block in the region; 0: none */
	u32                first, end, blocks;
	const LaneCalls   *calls;
	WasmBytes          out;
	bool               part;         /* of the lanes */
	u32                level;        /* labels that are open */
	u32                locals, most; /* of values: in use, and at once */
	u64                constant[MOST_CONSTANTS];
	u32                constants;
	Vec(Held) held;
	/* of the four lanes */
	u32  group; /* lanes from the loop's or from the row's start, in fours */
	bool loop;
	u32  half;
	/* of the block */
	u32             self, block; /* self: the label of its loop; 0: it has none */
	i64             total, done; /* what it counts; what stands before here */
	Place           place[LANE_PLACES];
	const SimtInsn *last; /* behind its last instruction, or its branch */
} Code;

enum { TYPE_FUNCTION, TYPE_CALL, TYPE_FMA, TYPE_PLACES };

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

/* Pushes a constant: `v` of 4 or 8 bytes in every lane. */
void code_splat(Code *c, u64 v, u32 bytes);

/* Pushes the address of a register in the four lanes; returns the offset to it. */
u32 code_address(Code *c, i32 reg, u32 rows, u32 half);
/* Of two vectors on the stack: their words 0 and 2, as one. */
void code_low_words(Code *c);
/* Pushes its value: of 64 bits, that of two lanes (Code.half). */
void code_operand(Code *c, i32 reg, u32 rows);

/* The local that holds the register, or will. */
Held *code_hold(Code *c, i32 reg, u32 rows);

/* Can the instruction be written? */
bool lane_has_template(const Code *c, const SimtInsn *in);
/* Does the register overlap one that is held and has another width? */
bool lane_overlaps(const Code *c, i32 reg, u32 rows);
/* Holds the instruction's registers, unless one of them overlaps. */
bool lane_joins(Code *c, const SimtInsn *in);
void lane_template(Code *c, const SimtInsn *in);

/* lane_memory.c: loads and stores. Can the instruction be written? */
bool lane_is_access(const Code *c, const SimtInsn *in);
/* Can the run from..in take one more, an access? It may not need an address that the run computes, nor see what other lanes store. */
bool lane_access_joins(Code *c, const SimtInsn *from, const SimtInsn *in);
/* Finds the places of the run's accesses, and pushes whether one is nowhere. False: it has none. */
bool lane_places(Code *c, const SimtInsn *from, const SimtInsn *to);
void lane_access(Code *c, const SimtInsn *in);
/* The instructions have been executed: places of registers that they wrote are no longer known. */
void lane_executed(Code *c, const SimtInsn *from, const SimtInsn *to);

#endif
