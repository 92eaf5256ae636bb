/* emit.h: the emitter's records, tables and hooks, where tests and the target see them. */
#ifndef PS_DAG_EMIT_H
#define PS_DAG_EMIT_H

#include "dag/func.h"
#include "isa/isa.h"

/* The opcodes of machine instructions as the emitter's records number them. */
enum { EMIT_COPY = 1, EMIT_REG_SEQUENCE = 2 };

/* Opcodes up to 0x2B with special handling, as one 64-bit constant tells them. */
#define EMIT_SPECIAL_MASK 0x80001078000u
static inline bool emit_is_special(u32 opcode) { return opcode <= 0x2B && (EMIT_SPECIAL_MASK >> opcode & 1); }

/* Registers in the emitter's records: physical ones have bit 31; -1 is none. */
#define EMIT_NO_REG ((i32)-1)
static inline i32  emit_phys(u32 n) { return (i32)(0x80000000u | n); }
static inline bool emit_is_phys(i32 r) { return r < 0 && r != EMIT_NO_REG; }
static inline u32  emit_phys_number(i32 r) { return (u32)r & 0x7FFFFFFF; }
static inline u32  emit_phys_index(i32 r) { return emit_phys_number(r) << 4; }

/* What a node gave: one for each result. A format: 40 bytes on every host. */
typedef struct EmitResultRecord {
	u64 producer;    /* +00 the instruction's number, tagged */
	i32 src_vreg;    /* +08 */
	i32 dst_vreg;    /* +0C */
	u64 rc;          /* +10 class */
	u32 sub_reg_idx; /* +18 */
	u32 node;        /* +1C the node it came from */
	u32 flags;       /* +20 EMIT_FOLDED, … */
	u32 pad2;
} EmitResultRecord;
_Static_assert(sizeof(EmitResultRecord) == 40, "a format");
_Static_assert(offsetof(EmitResultRecord, src_vreg) == 0x08, "a format");
_Static_assert(offsetof(EmitResultRecord, dst_vreg) == 0x0C, "a format");
_Static_assert(offsetof(EmitResultRecord, rc) == 0x10, "a format");
_Static_assert(offsetof(EmitResultRecord, sub_reg_idx) == 0x18, "a format");
_Static_assert(offsetof(EmitResultRecord, flags) == 0x20, "a format");

enum {
	EMIT_FOLDED = 0x10,    /* the consumer took the copy's source itself */
	EMIT_EXPORTED = 0x20,  /* into a register that other blocks read: its uses are still to come */
	EMIT_DIVERGENT = 0x40, /* may differ between the threads of a warp */
};

/* Properties a node can be asked for, by mask. */
#define EMIT_IS_CALL       ((u64)1 << 7)
#define EMIT_IS_RESERVED   ((u64)1 << 9)
#define EMIT_IS_IMPLICIT   ((u64)1 << 19)
#define EMIT_IS_SIMPLE     ((u64)1 << 20)
#define EMIT_IS_SUBREG     ((u64)1 << 22)
#define EMIT_ALLOCATABLE   ((u64)1 << 30)
#define EMIT_IMPLICIT_GLUE ((u64)1 << 36) /* a glued node before it has given the value already */

typedef struct EmitClass { /* a register class as the emitter asks about it */
	const u8 *table;   /* one bit a register, eight registers a byte */
	u32       bytes;
	u32       count;
	bool      costly; /* expensive or impossible to copy */
} EmitClass;
static inline bool emit_class_contains(const EmitClass *c, u32 reg)
{
	u32 i = reg >> 3;
	return i < c->bytes && (c->table[i] >> (reg & 7) & 1);
}

/* May the instruction be a copy that goes when nothing reads it? By its node's flags and its descriptor's. */
static inline u64  emit_ts_flags(const IsaDesc *d) { return d->flags & IF_COPY ? EMIT_IS_SIMPLE : 0; }
static inline bool emit_is_candidate(u32 props, u64 ts_flags) { return (props & DP_TIED) || (ts_flags >> 20 & 1); }

/* Registers that both have; a use whose class leaves fewer than EMIT_MIN_CLASS of them gets a COPY. */
u32 emit_common_registers(const EmitClass *a, const EmitClass *b);
enum { EMIT_MIN_CLASS = 4 }; /* a class that an intersection leaves smaller gets a COPY instead */

/* Parameters as physical registers, %r1 to %r255: the documented pre-colouring, for the emitter alone. PTX passes
 * parameters in .param space: the machine verifier rejects these and the printer never sees one. */
enum { EMIT_FIRST_PARAM = 0x100, EMIT_PARAMS = 256 };
static inline MirReg   emit_param(u32 n) { return (MirReg){MIR_PHYS_BIT | (EMIT_FIRST_PARAM + n)}; }
extern const EmitClass emit_int32_regs, emit_int64_regs; /* which of them may hold an integer of that width */
enum { EMIT_DEAD_INLINE = 8, EMIT_PHASES = 14 };

typedef struct Emitter Emitter;

/* What a target may do to an instruction just inserted; each returns whether it did. Asked in this order. */
typedef struct EmitHooks {
	bool (*custom_inserter)(Emitter *e, MirInstId i);
	bool (*expand_pseudo)(Emitter *e, MirInstId i);
	bool (*insert_subreg)(Emitter *e, MirInstId i);
	bool (*drop_copy_from)(Emitter *e, const EmitResultRecord *r); /* may the CopyFromReg's copy go? */
	bool (*drop_generic)(Emitter *e, const EmitResultRecord *r);
} EmitHooks;
extern const EmitHooks emit_default_hooks;
/* NVPTX's own (dag/emit_target.c): pseudos that the target no longer has, expanded by custom inserters. */
extern const EmitHooks emit_target_hooks;
typedef struct EmitInserter {
	u16 op;          /* IsaOp of the pseudo */
	u8  slot, token; /* … the modifier that tells it from its kin */
	u8  type;        /* … and its type token; 0: any */
	bool (*wanted)(const Target *t);
	void (*expand)(Emitter *e, MirInstId i);
} EmitInserter;
const EmitInserter *emit_inserters(u32 *n);

struct Emitter {
	DagFunc         *f;
	const EmitHooks *hooks;
	Map              vreg;   /* table A: node result → virtual register */
	Map              inst;   /* table B: node → machine instruction */
	Map              result; /* table C: node → results recorded */
	Vec(EmitResultRecord) records;
	u32              dead_inline[EMIT_DEAD_INLINE];
	VecU32           dead_more;
	u32              n_dead;
	Bitset           inserted;               /* by IsaOp: emit_inserters has a row of it */
	const EmitClass *phys;                   /* class of physical registers; NULL: they can be copied */
	bool             force;                  /* emit dead nodes too */
	u32              phase[EMIT_PHASES + 1]; /* how often each was entered */
	u32              skipped_at[2];
	VecU32           used_regs; /* physical registers that the glue below the last instruction reads */
	Map              queued;    /* on the dead list */
	u32              cascade;   /* copies at the block's start that take parameters one after the other */
	u64              steps;     /* looks at nodes, uses and records: what an emission costs */
};

static inline u64 emit_key(DagVal v) { return (u64)v.r << 32 | v.n; }

Emitter *emit_new(DagFunc *f, Arena *a);
void     emit_reset(Emitter *e); /* for the next block */
bool     emit_node(Emitter *e, u32 node);
bool     emit_has_property(const Dag *d, u32 node, u64 mask, u32 operand);
/* The class for a value. The general one either way: PTX has no registers of a warp. */
MirClass emit_class_for(DagVt legal, bool divergent);
/* Physical registers that an instruction defines beyond its results: at most `cap`. */
u32 emit_implicit_defs(const IsaDesc *d, MirReg *out, u32 cap);
/* How many of the nodes, from the first on, copy consecutive parameters to 32- or 64-bit registers. */
u32  emit_find_cascade(Emitter *e, const u32 *node, u32 n);
void emit_finish(Emitter *e); /* dead copies, the glue walk, deletion in bulk */

#endif
