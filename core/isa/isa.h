/* isa.h: what PTX instructions there are.
 *
 * An instruction's opcode is a PtxOpc: a row of ptx.def (the mnemonic: `ld`, `setp`, `mad`) and one byte
 * per slot (the modifiers: `.global`, `.v2`, `.lt`, `.s32`). The tokens a slot can hold are rows of
 * slots.def; 0 always means that the modifier is absent. The row's template says which slots stand in the
 * text and in which order, so one table drives printing, parsing, selection, MIR names and execution.
 *
 *	ld{.sem}{.scope}.space{.cop}{.vec}.type      ld.global.v2.f32
 *
 * MIR names opcodes by number. A session interns each PtxOpc it meets; the number is the `desc` of a
 * machine instruction, and IsaDesc says what the verifier, the passes and the scheduler ask for.
 * The generic opcodes (PHI, COPY, …) are rows too; their desc is their IsaOp. */
#ifndef PS_ISA_H
#define PS_ISA_H

#include "config/session.h"

typedef enum IsaOp {
#define GENERIC(id, name, flags, summary)                                               ISA_##id,
#define INSN(id, template_, operands, name, flags, evaluator, unit, latency, sm, ptx, summary) ISA_##id,
#include "isa/ptx.def"
	ISA_OP_COUNT
} IsaOp;

typedef enum IsaSlot {
#define SLOT(id, summary) SLOT_##id,
#define TOKEN(slot, id, text)
#include "isa/slots.def"
	SLOT_COUNT
} IsaSlot;

/* The tokens of all slots in one numbering: SLOT_RND holds TOK_RND_rn and so on. */
enum { ISA_SLOTS = 30 };

typedef struct PtxOpc {
	u16 op; /* IsaOp */
	u8  slot[ISA_SLOTS];
} PtxOpc;
_Static_assert(sizeof(PtxOpc) == 32, "PtxOpc is hashed and compared as bytes");

#endif
