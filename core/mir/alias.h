/* alias.h: may two memory operations touch the same byte?
 *
 * An access is a space, a base, an offset from it and a size, taken from the instruction's address operands, its modifiers and
 * its memory record. The rules, each enough for "no":
 *   - different spaces, neither of them generic (shared and shared::cluster are one window);
 *   - one base (register with one definition, symbol, stack object) and offsets that keep the bytes apart;
 *   - different objects: stack objects, variables, parameters, `noalias` and `byval` arguments, as far as the IR pointer of the memory
 *     record or the base names them;
 *   - neither writes, or one reads memory that nobody writes (invariant loads, among them those of the function's
 *     own parameters; const). Results of calls are in .param too, and written.
 * Cost: constant, but for the walk from an IR pointer to its object (at most 16 steps). Nothing is known about pointers that
 * are loaded, and nothing about what calls and inline asm touch: those access everything (MA_UNKNOWN). */
#ifndef PS_MIR_ALIAS_H
#define PS_MIR_ALIAS_H

#include "mir/mir.h"

enum {
	MA_READS = 1 << 0,
	MA_WRITES = 1 << 1,
	MA_CONSTANT = 1 << 2, /* memory that is not written while the function runs */
	MA_UNKNOWN = 1 << 3,  /* any address */
};

typedef struct MirAccess {
	u8  flags; /* MA_* */
	u8  base;  /* MirOpKind of the address: MO_REG, MO_GLOBAL, MO_SYMBOL, MO_FRAME; MO_IMM: an absolute address; MO_NONE */
	u16 space; /* LLVM's number */
	u32 ref;   /* what the base names, MirOp.ref */
	i64 offset;
	u64 size;   /* bytes; 0 = not known */
	u32 object; /* IrRef of the object that the address is derived from, 0 = not known */
} MirAccess;

/* The object that a pointer of the IR is derived from: a variable, an alloca, a noalias or byval argument; else 0. */
u32 mir_object_of(const MirFunc *f, u32 value);
/* What `i` does to memory: flags 0 where nothing. */
MirAccess mir_access(const MirFunc *f, MirInstId i);
/* May the two touch a common byte, one of them writing, within one iteration: with registers that hold one value? */
bool mir_may_alias(const MirAccess *a, const MirAccess *b);
/* The same for executions in different iterations of a loop: registers `steady` says no to may differ. */
bool mir_may_alias_across(const MirAccess *a, const MirAccess *b, bool steady);

#endif
