/* emit.h: how decoders write code. */
#ifndef PS_SIMT_EMIT_H
#define PS_SIMT_EMIT_H

#include "sem/float.h"
#include "sem/u128.h"
#include "simt/code.h"
#include "simt/reach.h"
#include "simt/kernels.h"

/* A branch whose target has phis goes to a block of its own, where they take their values. */
typedef struct EmitEdge {
	u32        block;        /* the emitter's */
	u32        line, origin; /* of the branch */
	u32        from, to;     /* as the decoder numbers its blocks */
	SimtSource source;
} EmitEdge;

typedef struct SimtEmit {
	SimtProgram *p;
	u32          func;         /* the function being decoded */
	u32          rows;         /* registers handed out in it */
	u32          line, origin; /* for the instructions to come */
	SimtSource   source;
	u32          first; /* the text instruction's first; those behind it are micro */
	bool         fresh; /* the next instruction starts a text instruction */
	i32          guard; /* NO_REG: none */
	bool         guard_not;
	VecU32       block; /* by block id: its first instruction, or ~0 */
	Vec(EmitEdge) edge;
	u32 edges_done;
} SimtEmit;

SimtProgram *simt_program_new(Session *s, Arena *arena, const char *level);
u32          simt_func_add(SimtProgram *p, Str name);
u32          simt_func_find(const SimtProgram *p, Str name); /* ~0: none */
/* Sets its address, unless it lies in shared memory. Past the limit of its memory: reports it at the line (0: unknown), and the program
 * is too large. */
u32 simt_symbol_add(SimtProgram *p, SimtSymbol sym, u32 line);
u32 simt_symbol_find(const SimtProgram *p, Str name); /* ~0: none */
/* The symbol's address from `end` on; returns what is behind it. */
u64 simt_symbol_place(SimtProgram *p, SimtSymbol *s, u64 end);
/* Places shared memory, the dynamic behind the static; then addresses are final. NULL: every kernel has all of it. */
void simt_symbols_done(SimtProgram *p, const Reach *r);
/* After it: gives the variables bytes in the arena. Global ones have those bytes' addresses from now on (with 32-bit addresses:
 * addresses of their own); constant ones stay in their window, where kernels may only read them. */
void              simt_symbols_in_host(SimtProgram *p, const SimtInHost *host);
static inline u64 simt_func_address(u32 func) { return CODE_WINDOW + 16 * (u64)func + 16; }
static inline u64 simt_generic(u8 space, u64 address)
{
	return space == SPACE_SHARED  ? SHARED_WINDOW + address
	       : space == SPACE_LOCAL ? LOCAL_WINDOW + address
	       : space == SPACE_PARAM ? PARAM_WINDOW + address
	                              : address;
}

/* The same in a program that may be one of host memory mode. */
static inline u64 simt_generic_in(const SimtProgram *p, u8 space, u64 address)
{
	bool in_window = space == SPACE_SHARED || space == SPACE_LOCAL || space == SPACE_PARAM;
	return simt_generic(space, address) + (in_window ? p->windows : 0);
}

void emit_begin(SimtEmit *e, SimtProgram *p, u32 func);
/* For the instructions to come: a place of the source, by .loc or !dbg; line 0: none is known. */
void emit_source(SimtEmit *e, Str file, u32 line, u32 column);
/* The next text instruction. */
void emit_at(SimtEmit *e, u32 line, u32 origin);
u32  emit_block_new(SimtEmit *e);
void emit_block(SimtEmit *e, u32 block); /* the block starts here */
/* The block to branch to, now, for the edge. */
u32 emit_edge(SimtEmit *e, u32 from, u32 to);
/* Starts the block of the next of these edges; NULL: there are no more. */
const EmitEdge *emit_next_edge(SimtEmit *e);
/* Ends the function: S_RET, targets become instruction numbers, meeting points are computed. */
void emit_end(SimtEmit *e);

/* Where a variable of a frame lies, as the value of a map: its offset, and its bytes above. */
static inline u64 simt_extent(u64 offset, u64 bytes) { return size_u32(offset) | (u64)size_u32(bytes) << 32; }

static inline u32 rows_of(u32 bits) { return bits <= 32 ? 1 : bits <= 64 ? 2 : bits <= 128 ? 4 : (bits + 63) / 64 * 2; }
/* Bits 64 k and up of a value of more than 64; constants count down. */
static inline i32 word_of(i32 a, u32 k) { return a < 0 ? a - 2 * (i32)k : a + 2 * (i32)k; }
/* The high 64 bits of a 128-bit value. */
static inline i32 upper_half(i32 a) { return word_of(a, 1); }
i32               emit_reg(SimtEmit *e, u32 bits);
i32               emit_const(SimtProgram *p, u32 bits, u64 value);
i32               emit_const128(SimtProgram *p, SemU128 value);
i32               emit_const_words(SimtProgram *p, u32 bits, const u64 *words); /* of more than 64 bits */
/* An address of shared memory, as a block of rank 0 has it. */
i32 emit_shared_address(SimtProgram *p, u32 bits, u64 value);
u32 emit_ext(SimtProgram *p, const u32 *words, u32 n);

SimtInsn *emit_insn(SimtEmit *e, SimtOp op);
void      emit_lanes(SimtEmit *e, SimtKernel k, i32 d, i32 a, i32 b, i32 c, u32 x);
/* An operation on integers of any width (S_BIG): of operands of w bits to a result of `result`. */
typedef struct BigForm {
	BigOp op;
	u32   w, result;
	u32   detail; /* a SemOp, a SemFmt or a SemCmp */
	bool  is_signed;
} BigForm;
void emit_big(SimtEmit *e, BigForm f, i32 d, const i32 *in);
/* d = c ? a : b */
void emit_select(SimtEmit *e, u32 bits, i32 d, i32 a, i32 b, i32 c);
/* p = a cmp b of floats: one kernel that has the loop over lanes for itself. */
void emit_fcmp(SimtEmit *e, SemCmp cmp, bool is_f64, i32 p, i32 a, i32 b);
void emit_move(SimtEmit *e, u32 bits, i32 d, i32 a);

typedef struct EmitMove {
	i32 d, s;
	u32 bits;
} EmitMove;

/* All of them at once, as phis take their values; sources in `moves` may change. */
void emit_moves(SimtEmit *e, EmitMove *moves, u32 n);
/* To block; `guard` NO_REG: always. The emitter's own guard does not apply. */
void emit_branch(SimtEmit *e, u32 block, i32 guard, bool negate);
void emit_return(SimtEmit *e); /* under the emitter's guard: to the function's end */
/* Whoever comes here has a fault: the machine cannot do `what`. */
void emit_unsupported(SimtEmit *e, Str what);
/* A copy of `from` of `bits` bits, cut or extended (signed where asked) to to_bits. */
void emit_extend(SimtEmit *e, i32 d, u32 to_bits, i32 a, u32 bits, bool is_signed);

#endif
