/* isa.h: the PTX instructions, their opcodes and what is known of each.
 *
 * An instruction's opcode is a PtxOpc: a row of ptx.def (the mnemonic: `ld`, `setp`, `mad`) and one byte
 * per slot (the modifiers: `.global`, `.v2`, `.lt`, `.s32`). The tokens a slot can hold are rows of
 * slots.def; 0 always means that the modifier is absent. The row's template says which slots stand in the
 * text and in which order, so one table drives printing, parsing, selection, MIR names and execution.
 *
 *	ld{.sem}{.scope}{.space}{.cop}{.vec}.type      ld.global.v2.f32
 *
 * MIR names opcodes by number. A session interns each PtxOpc it meets; the number is the `desc` of a
 * machine instruction, and IsaDesc says what the verifier, the passes and the scheduler ask for.
 * The generic opcodes (PHI, COPY, …) are rows too; their desc is their IsaOp.
 *
 *	u32 d = isa_intern(s, ptx_opc(ld, PS(space, global), PS(vec, v2), TY(f32)));
 *	isa_desc(s, d)->n_operands    // 4: two results, base, offset
 *
 * Operands are flat: results first, then in the order of the text; a vector is as many operands as it has
 * elements, an address is two (base and offset). */
#ifndef PS_ISA_H
#define PS_ISA_H

#include "config/session.h"
#include "sem/int.h"

typedef enum IsaOp {
	ISA_NONE,
#define GENERIC(id, operands, n_defs, flags, summary) ISA_##id,
#include "isa/generic.def"
	ISA_GENERIC_COUNT,
	ISA_LAST_GENERIC_ = ISA_GENERIC_COUNT - 1,
#define INSN(id, template_, operands, name, flags, evaluator, unit, extra, sm, ptx, summary) ISA_##id,
#include "isa/ptx.def"
	ISA_OP_COUNT
} IsaOp;

typedef enum IsaSlot {
#define CLASS(id, summary)
#define TOKEN(class, id, text)
#define TYPE(id, text, bits, kind, rc, lanes, summary)
#define SLOT(id, class, summary) SLOT_##id,
#include "isa/slots.def"
	SLOT_COUNT
} IsaSlot;

/* TOK_space_global, TOK_type_f32, …: in each class numbered from 1; TOK_space_none is 0. */
typedef enum IsaToken {
#define CLASS(id, summary)                             TOK_##id##_none = 0,
#define TOKEN(class, id, text)                         TOK_##class##_##id,
#define TYPE(id, text, bits, kind, rc, lanes, summary) TOK_type_##id,
#define SLOT(id, class, summary)
#include "isa/slots.def"
} IsaToken;

/* The comparison that a token of setp names. */
static inline SemCmp isa_cmp(u32 token) { return (SemCmp)(token - TOK_cmp_eq + SEM_EQ); }
_Static_assert(TOK_cmp_nan - TOK_cmp_eq == SEM_NAN - SEM_EQ, "slots.def lists comparisons in the order of SemCmp");

enum { ISA_SLOTS = 30 };

typedef struct PtxOpc {
	u16 op; /* IsaOp */
	u8  slot[ISA_SLOTS];
} PtxOpc;
_Static_assert(sizeof(PtxOpc) == 32, "PtxOpc is hashed and compared as bytes");
_Static_assert((int)SLOT_COUNT <= (int)ISA_SLOTS, "a PtxOpc has a byte for every slot");

/* ptx_opc(setp, PS(cmp, lt), TY(s32)): the slot and its class have the same name, except for types. */
#define ptx_opc(op_, ...)  ((PtxOpc){.op = ISA_##op_, .slot = {0, __VA_ARGS__}})
#define ptx_opc_plain(op_) ((PtxOpc){.op = ISA_##op_}) /* without any modifier */
#define PS(slot_, token)   [SLOT_##slot_] = TOK_##slot_##_##token
#define TY(token)          [SLOT_type] = TOK_type_##token
#define STY(token)         [SLOT_stype] = TOK_type_##token
#define FLAG(token)        [SLOT_flag] = TOK_flag_##token
#define FLAG2(token)       [SLOT_flag2] = TOK_flag_##token

/* ---- types */

typedef enum IsaKind { ISA_KIND_NONE, ISA_KIND_PRED, ISA_KIND_BITS, ISA_KIND_UINT, ISA_KIND_SINT, ISA_KIND_FLOAT } IsaKind;

/* Register classes: classes.def says what each column means. */
typedef enum IsaClass {
	RC_NONE,
#define RCLASS(id, name, file, units, align, prefix, as, type, column, move, letter) RC_##id,
#include "isa/classes.def"
	RC_COUNT
} IsaClass;

typedef enum IsaFile { FILE_NONE, FILE_R, FILE_P, FILE_COUNT } IsaFile;

enum { ISA_UNITS_PER_REG = 2 }; /* units of a 32-bit register of file R */

/* In these columns pressure is reported. */
typedef enum IsaPressure {
#define PRESSURE(id, bits) PRESSURE_##id,
#include "isa/classes.def"
	PRESSURE_COLUMNS
} IsaPressure;

typedef struct IsaClassInfo {
	const char *name;   /* int32regs */
	const char *prefix; /* %r */
	u16         bits;
	u8          file;   /* IsaFile */
	u8          units;  /* of the file */
	u8          align;  /* registers */
	u8          as;     /* IsaClass: PTX declares and numbers its registers among those */
	u8          type;   /* TOK_type_* of what is in it */
	u8          column; /* IsaPressure */
	u8          weight; /* a live value counts as so many in its column */
	u8          move;   /* TOK_type_* of a mov, of a load or a store of a whole register */
	char        letter; /* constraint of inline assembly */
} IsaClassInfo;

extern const IsaClassInfo isa_class_info[RC_COUNT];
/* Does PTX have both among the same registers, so that one can stand for the other? */
static inline bool       isa_alike(u32 a, u32 b) { return isa_class_info[a].as == isa_class_info[b].as; }
extern const char *const isa_pressure_name[PRESSURE_COLUMNS];
IsaClass                 isa_class_find(Str name);         /* RC_NONE where unknown */
IsaClass                 isa_class_of_letter(char letter); /* RC_NONE where unknown */

typedef struct IsaType {
	u16 bits; /* of the whole value */
	u8  kind; /* IsaKind */
	u8  rc;   /* IsaClass that llc gives it */
	u8  lanes;
	u8  lane_bits;
} IsaType;

const IsaType *isa_type(u32 type_token); /* TOK_type_* */
/* The type token of `bits` bits of `kind` in one lane; 0 where there is none. */
u32 isa_type_of(IsaKind kind, u32 bits); /* the first row of that kind and width: f32, not tf32 */

/* ---- opcodes */

/* What can be asked about an opcode. */
enum {
	IF_TERMINATOR = 1 << 0, /* ends a block */
	IF_BRANCH = 1 << 1,
	IF_INDIRECT = 1 << 2, /* branch or call through a register */
	IF_BARRIER = 1 << 3,  /* control does not go on behind it (unguarded) */
	IF_CALL = 1 << 4,
	IF_RETURN = 1 << 5,
	IF_LOAD = 1 << 6,         /* may read memory */
	IF_STORE = 1 << 7,        /* may write memory */
	IF_SIDE_EFFECTS = 1 << 8, /* does more than its results and memory show */
	IF_CONVERGENT = 1 << 9,   /* which threads run it together matters */
	IF_COMMUTATIVE = 1 << 10, /* the first two sources may change places */
	IF_REMAT = 1 << 11,       /* as cheap as a move and free of memory: may be done again */
	IF_CHEAP = 1 << 12,       /* as cheap as a move */
	IF_MOVE = 1 << 13,        /* copies a register or materialises a constant */
	IF_GENERIC = 1 << 14,     /* no PTX instruction */
	IF_PREDICABLE = 1 << 15,  /* may stand behind @p */
	IF_PHI = 1 << 16,
	IF_COPY = 1 << 17,
	IF_META = 1 << 18,     /* emits nothing: debug values, markers */
	IF_VARIADIC = 1 << 19, /* more operands may follow */
	IF_ATOMIC = 1 << 20,
	IF_FENCE = 1 << 21,     /* orders memory, or waits for other threads */
	IF_CARRY_IN = 1 << 22,  /* reads CC.CF */
	IF_CARRY_OUT = 1 << 23, /* writes CC.CF */
	IF_TEXTURE = 1 << 24,
	IF_SURFACE = 1 << 25,
	IF_MATRIX = 1 << 26,
	IF_ASYNC = 1 << 27,     /* goes on after the next instruction began */
	IF_DIVERGENT = 1 << 28, /* results differ between threads whatever the operands are */
	IF_UNIFORM = 1 << 29,   /* results are the same in all threads that take part (IOF_MEMBERS) */
	IF_PSEUDO = 1 << 30,    /* the PTX reader never chooses this row */

	IF_SYNC = IF_CONVERGENT | IF_SIDE_EFFECTS | IF_LOAD | IF_STORE | IF_FENCE,
	IF_FENCES = IF_SIDE_EFFECTS | IF_LOAD | IF_STORE | IF_FENCE,
	IF_WARP = IF_CONVERGENT,
};

typedef enum IsaUnit {
	UNIT_NONE,
	UNIT_ALU,
	UNIT_FMA,
	UNIT_HALF,
	UNIT_FP64,
	UNIT_SFU,
	UNIT_CVT,
	UNIT_LSU,
	UNIT_TEX,
	UNIT_BRANCH,
	UNIT_BAR,
	UNIT_TENSOR,
	UNIT_COUNT
} IsaUnit;

/* What an instruction computes; rows of evals.def. Rows of ptx.def that compute the same share it. */
typedef enum IsaEval {
#define EVAL(id, summary) EV_##id,
#include "isa/evals.def"
	EV_COUNT
} IsaEval;

typedef enum IsaOperandKind {
	IO_NONE,
	IO_REG,    /* a register */
	IO_SRC,    /* a register, an immediate, or (mov) a symbol or special register */
	IO_IMM,    /* an integer constant */
	IO_BASE,   /* of an address: register, symbol, or constant; an IO_OFFSET follows */
	IO_OFFSET, /* an integer constant, mostly 0 */
	IO_LABEL,  /* a block */
	IO_FUNC,   /* what is called: a symbol or a register */
	IO_ARGS,   /* ( … ) of a call; takes no flat operand of its own */
	IO_TABLE,  /* the label of .branchtargets or .callprototype */
	IO_IMAGE,  /* texture, sampler or surface: a register or a symbol */
	IO_ANY,    /* generic opcodes */
} IsaOperandKind;

/* How flat operands are grouped in the text. */
enum {
	IOF_DEF = 1 << 0,
	IOF_OPEN = 1 << 1,       /* `{` before it */
	IOF_CLOSE = 1 << 2,      /* `}` behind it */
	IOF_PIPE = 1 << 3,       /* joined to the one before by `|` */
	IOF_ADDR_OPEN = 1 << 4,  /* `[` before it */
	IOF_ADDR_CLOSE = 1 << 5, /* `]` behind it */
	IOF_NEGATABLE = 1 << 6,  /* `!` may stand before it */
	IOF_WIDER = 1 << 7,      /* the register may be wider than the type */
	IOF_ANY_CLASS = 1 << 8,  /* any register class of that width */
	IOF_GUARD = 1 << 9,      /* the @p of a predicated instruction; not part of the operand list in the text */
	IOF_SINK = 1 << 10,      /* no result is there: `_` is written for it */
	IOF_LINE = 1 << 11,      /* llc's layout begins a line here: fragments of a product */
	IOF_MEMBERS = 1 << 12,   /* the mask of the threads that take part */
	IOF_GAP = 1 << 13,       /* `_` may be written for it: this element is not stored */
};

typedef struct IsaOperand {
	u8  kind; /* IsaOperandKind */
	u8  type; /* TOK_type_*; 0: any */
	u8  rc;   /* IsaClass: the class of a register here; RC_NONE: any */
	u8  spare;
	u16 flags; /* IOF_* */
	u16 item;  /* which item of the row's operand text it comes from */
} IsaOperand;

/* Which targets have an instruction: needs.def. */
typedef struct IsaNeed {
	u16         sm;                /* the first architecture */
	u16         ptx;               /* the first version */
	u32         own;               /* where not 0: the variants (target_variant_at) that have it; no plain architecture has */
	u16         lack_sm, lack_ptx; /* from these on there is no such form, where `lack` is set */
	const char *lack;              /* what to do instead; NULL: it was not taken away */
} IsaNeed;

typedef struct IsaDesc {
	PtxOpc            opc;
	u32               id;    /* its own number */
	u32               flags; /* IF_*: the row's, corrected for the slots (a volatile load has side effects) */
	u8                eval;  /* IsaEval */
	u8                unit;  /* IsaUnit */
	u8                extra; /* cycles of latency beyond its unit's (machine.def) */
	u8                n_defs;
	u8                n_operands; /* fixed ones; more may follow where IF_VARIADIC */
	u8                n_items;
	const IsaOperand *operand;  /* n_operands */
	Str               mnemonic; /* "ld.global.v2.f32"; a generic's name */
	IsaNeed           need;
} IsaDesc;

/* The row of an op: facts that do not depend on slots. */
typedef struct IsaRow {
	u32 flags;
	u16 text; /* the five below */
	u8  eval, unit, extra;
	u8  n_defs;  /* generic rows */
	u8  sm, ptx; /* lowest; more in needs.def */
} IsaRow;

const IsaRow *isa_row(u32 op);
const char   *isa_row_id(const IsaRow *r); /* enumerator without ISA_ */
const char   *isa_row_template(const IsaRow *r);
const char   *isa_row_operands(const IsaRow *r);
const char   *isa_row_name(const IsaRow *r); /* base of the MIR name */
const char   *isa_row_summary(const IsaRow *r);

void                         isa_init(Session *s); /* before isa_desc is asked; isa_intern does it too */
u32                          isa_intern(Session *s, PtxOpc opc);
static inline const IsaDesc *isa_desc(const Session *s, u32 desc) { return pages_of(&s->isa_descs, IsaDesc, desc); }
static inline u32            isa_op(const Session *s, u32 desc) { return isa_desc(s, desc)->opc.op; }
static inline u32            isa_slot(const Session *s, u32 desc, IsaSlot slot) { return isa_desc(s, desc)->opc.slot[slot]; }
static inline bool           isa_is(const Session *s, u32 desc, u32 flag) { return (isa_desc(s, desc)->flags & flag) != 0; }
/* Are all slots set that must be, with tokens the row allows, and no others? */
bool isa_is_wellformed(const PtxOpc *o);
bool isa_has_flag(const PtxOpc *o, u32 flag_token); /* TOK_flag_* in either flag slot */
/* The same instruction behind @p or @!p: one pred operand more, right behind the results. */
PtxOpc isa_guarded(PtxOpc opc, bool negated);
/* Number of elements of the vector operand: 1 where there is no .vec. */
u32 isa_vec(const PtxOpc *o);

/* ---- targets */

/* Does the target have this instruction? Patterns, legality, lowering and messages all ask this function. */
bool isa_supported(const IsaDesc *d, const Target *t);
/* The same of an opcode that may not be interned yet, for the session's target. */
bool isa_has(Session *s, PtxOpc opc);
/* What a target may have beside instructions: rows FEATURE of needs.def. */
typedef enum IsaFeature {
#define FEATURE(id, sm, ptx) ISA_FEATURE_##id,
#include "isa/needs.def"
	ISA_FEATURE_COUNT
} IsaFeature;
bool isa_target_has(const Target *t, IsaFeature feature);
/* Bytes of the widest plain access in an address space: a vector of elements of 1 to 8 bytes, four at most but for eight words. */
u32 isa_access_bytes(const Target *t, u32 space);
/* The parts of the answer, for messages: the architecture is one of those that have it; the form was taken away. */
bool isa_machine_has(const IsaNeed *n, const Target *t);
/* A target that has it: the first from the target's own architecture on, else the first of all. Its version is the lowest of both. */
Target isa_nearest(const IsaNeed *n, const Target *t);
/* The lowest target that has it. */
Target isa_lowest(const IsaNeed *n);
bool   isa_lost(const IsaNeed *n, const Target *t);

/* ---- words */

const char *isa_token_text(IsaSlot slot, u32 token); /* "shared::cta"; "" where absent */
/* The token of the slot's class with that text; 0 where there is none. */
u32         isa_token_find(IsaSlot slot, Str text);
const char *isa_slot_name(IsaSlot slot);

/* "ld.global.v2.f32" */
void isa_print_mnemonic(Text *t, const PtxOpc *opc);

typedef struct IsaParseError {
	u32  at, n;   /* the part of the text that is wrong */
	bool unknown; /* no such instruction; else the modifier is not one of it */
	u32  op;      /* the nearest row, where there is one */
} IsaParseError;

/* Reads a mnemonic. Modifiers may stand in another order than the template's where that is unambiguous. */
bool isa_parse_mnemonic(Session *s, Str text, PtxOpc *opc, IsaParseError *error);
/* The same, interned and remembered by text: 0 where it is wrong. */
u32 isa_intern_mnemonic(Session *s, Str text, IsaParseError *error);
/* Results, operands in all, and which of those behind the results (a bit each, of the first 64) are bases of addresses. */
typedef struct IsaShape {
	u32 n_defs, n_operands;
	u64 bases;
} IsaShape;
/* The row and form of that mnemonic that has this shape; 0 where none has. */
u32 isa_intern_form(Session *s, Str text, const IsaShape *shape);
/* The next row with the same mnemonic and another list of operands (`tex` with and without a sampler);
 * 0 where there is none. Slots are read anew. */
u32 isa_next_alternative(Session *s, u32 desc);

/* The MIR name: ADDs32rr, LD_global_v2_f32, PHI. The operand letters (r, i) come from `imm_mask`, bit k =
 * the k-th flat operand is an immediate; they are there for the reader's eye, and isa_desc_by_name() skips
 * them. */
void isa_name(const Session *s, u32 desc, u32 imm_mask, Text *out);
u32  isa_desc_by_name(Session *s, Str name); /* 0: no such name */

/* Checks the tables against each other; ICE where a row is malformed. A unit test does it. */
void isa_self_check(Session *s);

/* ---- address spaces: spaces.def */

enum {
#define SPACE(id, number, token, pointer, query, memory, flags) AS_##id = number,
#include "isa/spaces.def"
};

enum { SF_SHORT = 1, SF_VARIABLE = 2, SF_WRITABLE = 4, SF_BETWEEN = 8 };

/* The emulator's memories. */
typedef enum IsaMemory {
	SPACE_GENERIC,
	SPACE_GLOBAL,
	SPACE_SHARED,
	SPACE_LOCAL,
	SPACE_CONST,
	SPACE_PARAM,
	SPACE_COUNT
} IsaMemory;

typedef struct IsaSpace {
	const char *query;          /* the word of an intrinsic */
	u16         number;         /* LLVM's */
	u8          token, pointer; /* TOK_space_* */
	u8          memory;         /* IsaMemory */
	u8          flags;          /* SF_* */
} IsaSpace;

/* The row; NULL where NVPTX has no such space. */
const IsaSpace *isa_space(u32 number);
const IsaSpace *isa_space_at(u32 row);               /* from 0; NULL past the last */
const IsaSpace *isa_space_of_token(u32 token);       /* NULL: none is meant */
const IsaSpace *isa_space_of_query(Str word);        /* llvm.nvvm.isspacep.WORD */
u32             isa_space_token(u32 number);         /* TOK_space_*; 0 for the generic space and unknown ones */
bool            isa_space_is(u32 number, u32 flags); /* has it all of them? */
/* Sets of spaces: a bit for each row, 0 for unknown numbers. */
u32             isa_space_bit(u32 number);
const IsaSpace *isa_space_of_bit(u32 bit); /* NULL where it is not one bit of a row */

/* ---- special registers */

typedef enum IsaSreg {
	SREG_NONE,
#define SREG(id, text, type, part, divergence, source, range, sm, ptx, summary) SREG_##id,
#include "isa/sregs.def"
	SREG_COUNT
} IsaSreg;

/* Over which threads the value is the same. */
typedef enum IsaDivergence { DIV_GRID, DIV_CTA, DIV_WARP, DIV_THREAD, DIV_VOLATILE } IsaDivergence;

typedef enum IsaSregPart { PART_ONE, PART_VECTOR, PART_X, PART_Y, PART_Z, PART_W } IsaSregPart;

/* What the emulator knows of a thread and its launch. */
typedef enum IsaSource {
	SR_TID_X,
	SR_TID_Y,
	SR_TID_Z,
	SR_NTID_X,
	SR_NTID_Y,
	SR_NTID_Z,
	SR_CTAID_X,
	SR_CTAID_Y,
	SR_CTAID_Z,
	SR_NCTAID_X,
	SR_NCTAID_Y,
	SR_NCTAID_Z,
	SR_EXPLICIT_CLUSTER,
	SR_CLUSTERID_X,
	SR_CLUSTERID_Y,
	SR_CLUSTERID_Z,
	SR_NCLUSTERID_X,
	SR_NCLUSTERID_Y,
	SR_NCLUSTERID_Z,
	SR_CLUSTER_CTAID_X,
	SR_CLUSTER_CTAID_Y,
	SR_CLUSTER_CTAID_Z,
	SR_CLUSTER_NCTAID_X,
	SR_CLUSTER_NCTAID_Y,
	SR_CLUSTER_NCTAID_Z,
	SR_CTARANK,
	SR_NCTARANK,
	SR_LANEID,
	SR_WARPID,
	SR_NWARPID,
	SR_WARPSIZE,
	SR_SMID,
	SR_NSMID,
	SR_GRIDID,
	SR_LANEMASK_EQ,
	SR_LANEMASK_LE,
	SR_LANEMASK_LT,
	SR_LANEMASK_GE,
	SR_LANEMASK_GT,
	SR_CLOCK,
	SR_CLOCK_HI,
	SR_CLOCK64,
	SR_GLOBALTIMER,
	SR_GLOBALTIMER_LO,
	SR_GLOBALTIMER_HI,
	SR_DYNAMIC_SMEM,
	SR_TOTAL_SMEM,
	SR_WORKSPACE_LO,
	SR_WORKSPACE_HI,
	SR_ZERO,
	SR_ONE,
} IsaSource;

typedef struct IsaSregRow {
	const char *text; /* "%tid.x" */
	const char *id;   /* "tid_x" */
	const char *summary;
	u8          type;       /* TOK_type_* */
	u8          part;       /* IsaSregPart */
	u8          divergence; /* IsaDivergence */
	u8          source;     /* IsaSource */
	u16         sm, ptx;
	u32         least, most; /* of its values; least > most: it may have any */
} IsaSregRow;

const IsaSregRow *isa_sreg(u32 sreg);
u32               isa_sreg_find(Str text);      /* "%tid.x"; 0 where there is none */
u32               isa_sreg_find_llvm(Str name); /* "tid.x", "cluster.ctaid.x": behind llvm.nvvm.read.ptx.sreg.; 0: none */
/* Element 1 (x) … 4 (w) of a vector; of another register, itself. */
u32 isa_sreg_element(u32 sreg, u32 element);

#endif
