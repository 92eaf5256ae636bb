/* op.h: from a PTX opcode and its operands to machine code; serves PTX, MIR and the intrinsics of IR. */
#ifndef PS_SIMT_OP_H
#define PS_SIMT_OP_H

#include "isa/isa.h"
#include "simt/emit.h"

typedef enum OpArgKind {
	ARG_NONE,  /* absent, or the sink `_` */
	ARG_REG,   /* row; bits: the register's width */
	ARG_IMM,   /* value: an integer, or the bits of a float of `bits` */
	ARG_FRAME, /* value: byte of the frame's local memory (an address) */
} OpArgKind;

typedef struct OpArg {
	u8   kind;
	bool negated;  /* !p */
	bool is_float; /* ARG_IMM: the bits of a float of `bits` (32 or 64) */
	u8   part;     /* of a video instruction's source: 1 to 4 a byte, 5, 6 a half; 0 the word */
	u8   space;    /* an address: where it points, if not where the instruction says; 0: as it says */
	bool shared;   /* ARG_IMM: an address of shared memory, which the block's rank belongs to */
	u32  bits;
	i32  row;
	u64  value;
} OpArg;

static inline OpArg op_reg(i32 row, u32 bits) { return (OpArg){.kind = ARG_REG, .bits = bits, .row = row}; }
static inline OpArg op_imm(u64 v) { return (OpArg){.kind = ARG_IMM, .bits = 64, .value = v}; }

typedef struct OpCx {
	SimtEmit      *e;
	const IsaDesc *d;
	const OpArg   *arg; /* flat, as d->operand lists them; without the guard */
	u32            n;
	i32            carry;     /* CC.CF: a register of the function */
	bool           is_kernel; /* parameters are in parameter memory; else in the frame */
} OpCx;

/* False: the machine cannot do that (no code was emitted). Branches, calls and returns are the decoders' own. */
bool simt_op(OpCx *c);
bool simt_op_image(OpCx *c); /* textures and surfaces */
bool simt_op_matrix(OpCx *c);
bool simt_op_wgmma(OpCx *c);
bool simt_op_tensor(OpCx *c); /* tcgen05 */
bool simt_op_async(OpCx *c);

/* The k-th operand as a value of `bits`; a constant becomes a row of the pool. */
i32 op_in(OpCx *c, u32 k, u32 bits);
u32 simt_space_of(u32 space_token);

#endif
