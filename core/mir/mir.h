/* mir.h: machine IR, between selection and PTX.
 *
 *	MirModule
 *	  MirFunc              virtual registers, frame objects, jump tables, parameters
 *	    MirBlock           in layout order; edges with probabilities
 *	      MirInst          desc (an opcode interned by isa/), flags, memory record, origin
 *	        MirOp          definitions first, then uses
 *
 * Ids are 1-based indexes into a function's pages (0 = none) and stay the same through all passes; a
 * record's address is good as long as its function. A virtual register keeps the list of the operands
 * that name it, definitions and uses apart, so that "who uses this" costs what there is to see.
 * Everything is changed through the functions of this header: they keep those lists, the block order
 * and the edges.
 *
 * Which operands an instruction has, in which order, is its IsaDesc's to say: results, the guard of a guarded
 * opcode, then what the text has; an address is two operands, base and offset. Behind these stand those
 * marked MOF_IMPLICIT. Generic opcodes with a free form:
 *
 *	PHI        def, (use, MO_BLOCK)*
 *	INLINEASM  outputs, MO_TEXT template, inputs   ($0 … counts outputs, then inputs)
 *	call       callee, imm results (0 or 1), imm arguments, MO_PROTO where the call is indirect;
 *	           the parameters are named retval0 and param0 … and declared by DeclareParam
 *	           between Callseq_Start and Callseq_End */
#ifndef PS_MIR_H
#define PS_MIR_H

#include "base/bitset.h"
#include "base/map.h"
#include "base/pages.h"
#include "base/vec.h"
#include "config/session.h"
#include "isa/isa.h"
#include "pass/pass.h"

struct IrModule;
struct MirSlots;
struct MirDebug;

/* ---- ids ---- */

typedef struct MirReg {
	u32 i; /* bit 31: a physical register, MirPhys; else the number of a virtual one */
} MirReg;
typedef struct MirBlockId {
	u32 i;
} MirBlockId;
typedef struct MirInstId {
	u32 i;
} MirInstId;
typedef struct MirEdgeId {
	u32 i;
} MirEdgeId;

/* ---- registers ---- */

/* The classes of isa/classes.def by the same numbers; isa_class_info says what they are. */
typedef enum MirClass {
	MIR_NO_CLASS = RC_NONE,
#define RCLASS(id, name, file, units, align, prefix, as, type, column, move, letter) MIR_##id = RC_##id,
#include "isa/classes.def"
	MIR_CLASSES = RC_COUNT
} MirClass;

#define MIR_PHYS_BIT 0x80000000u
typedef enum MirPhys {
#define PHYS(id, name, ptx) MIR_PHYS_##id,
#include "isa/classes.def"
	MIR_PHYS_COUNT
} MirPhys;
typedef struct MirPhysInfo {
	const char *name; /* $vrframe */
	const char *ptx;  /* %SP */
} MirPhysInfo;
extern const MirPhysInfo mir_phys_info[MIR_PHYS_COUNT];

static inline MirReg mir_phys(MirPhys p) { return (MirReg){MIR_PHYS_BIT | (u32)p}; }
static inline bool   mir_is_phys(MirReg r) { return (r.i & MIR_PHYS_BIT) != 0; }
static inline bool   mir_is_virt(MirReg r) { return r.i != 0 && !mir_is_phys(r); }

typedef struct MirVReg {
	u32 defs, uses; /* operand ids: heads of the lists */
	u32 n_uses;
	u32 n_defs : 28;
	u32 cls : 4; /* MirClass */
} MirVReg;
_Static_assert(sizeof(MirVReg) == 16, "fixed on every host");
_Static_assert(MIR_CLASSES <= 16, "fits MirVReg.cls");

/* ---- operands ---- */

typedef enum MirOpKind {
	MO_NONE,
	MO_REG,        /* reg */
	MO_IMM,        /* imm: the value, sign-extended from the instruction's width */
	MO_FPIMM,      /* imm: the bits; type: MirFpType */
	MO_BLOCK,      /* ref: MirBlockId */
	MO_FRAME,      /* ref: frame object; imm: offset into it */
	MO_GLOBAL,     /* ref: StrId of an IR global's name; imm: offset */
	MO_SYMBOL,     /* ref: StrId of a name that is no IR global (func_param_0, param0); imm: offset */
	MO_JUMP_TABLE, /* ref: index */
	MO_TEXT,       /* ref: StrId: an inline asm template or its constraints */
	MO_PROTO,      /* ref: index of a call prototype */
} MirOpKind;

typedef enum MirFpType { MIR_FP16, MIR_FP_BF16, MIR_FP32, MIR_FP64 } MirFpType;

enum MirOpFlag {
	MOF_DEF = 1 << 0,
	MOF_KILL = 1 << 1, /* last use on every path from here */
	MOF_DEAD = 1 << 2, /* definition nobody reads */
	MOF_UNDEF = 1 << 3,
	MOF_IMPLICIT = 1 << 4,
	MOF_EARLY_CLOBBER = 1 << 5,
	MOF_NOT = 1 << 6,     /* the predicate's complement: `!%p` */
	MOF_GENERIC = 1 << 7, /* MO_GLOBAL, MO_SYMBOL: generic(name) */
};

typedef struct MirOp {
	u8  kind; /* MirOpKind */
	u8  type; /* MO_FPIMM */
	u16 flags;
	u32 ref;  /* by kind; MO_REG: the register */
	u32 inst; /* MirInstId it belongs to */
	u16 tie;  /* 1 + number of the operand it must share a register with; 0 = none */
	u16 unused;
	union {
		i64 imm; /* by kind; a register has none */
		struct {
			u32 next, prev; /* MO_REG: operand ids, the register's list of definitions or of uses */
		};
	};
} MirOp;
_Static_assert(sizeof(MirOp) == 24, "fixed on every host");

/* ---- instructions ---- */

enum MirInstFlag {
	MIF_NNAN = 1 << 0,
	MIF_NINF = 1 << 1,
	MIF_NSZ = 1 << 2,
	MIF_ARCP = 1 << 3,
	MIF_CONTRACT = 1 << 4,
	MIF_AFN = 1 << 5,
	MIF_REASSOC = 1 << 6,
	MIF_FAST = 0x7F,
	MIF_NUW = 1 << 7,
	MIF_NSW = 1 << 8,
	MIF_EXACT = 1 << 9,
	MIF_DISJOINT = 1 << 10,
	MIF_NNEG = 1 << 11,
	MIF_FRAME_SETUP = 1 << 12,
	MIF_NO_DUP = 1 << 13,      /* inline asm, convergent calls: may not be copied or moved across control flow */
	MIF_SIDE_EFFECT = 1 << 14, /* beyond what the desc says: volatile asm, calls that write memory */
	MIF_NO_UNROLL = 1 << 15,   /* a branch back that carries llvm.loop.unroll.disable */
};

typedef struct MirInst {
	u32 desc;       /* isa/ */
	u32 prev, next; /* MirInstId */
	u32 block;      /* MirBlockId; 0 = erased */
	u32 op;         /* operand id of the first */
	u32 n_ops, cap_ops;
	u16 n_defs; /* explicit definitions, first */
	u16 flags;
	u32 mem;    /* memory record, 0 = none */
	u32 origin; /* 1-based line of the input, 0 = none */
	u32 order;  /* grows along the block once mir_order has seen to it */
	u32 extra;  /* inline asm: dialect and flags; else 0 */
	u32 dbg;    /* IrMd of its !dbg location, 0 = none */
} MirInst;
_Static_assert(sizeof(MirInst) == 52, "fixed on every host");

/* What an instruction does to memory. */
enum MirMemFlag {
	MMF_LOAD = 1 << 0,
	MMF_STORE = 1 << 1,
	MMF_VOLATILE = 1 << 2,
	MMF_INVARIANT = 1 << 3,
	MMF_NON_TEMPORAL = 1 << 4,
	MMF_DEREFERENCEABLE = 1 << 5,
};
typedef enum MirOrdering {
	MIR_NOT_ATOMIC,
	MIR_UNORDERED,
	MIR_MONOTONIC,
	MIR_ACQUIRE,
	MIR_RELEASE,
	MIR_ACQ_REL,
	MIR_SEQ_CST,
} MirOrdering;

typedef struct MirMem {
	i64 offset; /* from `value` */
	u32 size;   /* bytes; 0 = not known */
	u32 value;  /* IrRef of the pointer, 0 = not known */
	u16 space;  /* LLVM's address space number */
	u8  align_log2;
	u8  flags;
	u8  ordering; /* MirOrdering */
	u8  scope;    /* 0 = system */
	u8  unused[2];
} MirMem;
_Static_assert(sizeof(MirMem) == 24, "fixed on every host");

/* ---- blocks ---- */

typedef struct MirBlock {
	StrId name;        /* of the IR block, 0 = none */
	u32   ir;          /* number of the IR block within its function, ~0u = none */
	u32   prev, next;  /* layout */
	u32   first, last; /* MirInstId */
	u32   succ, pred;  /* MirEdgeId: heads */
	u32   last_succ, last_pred;
	u32   n_succs, n_preds;
	u32   number; /* bb.N, $L__BBf_N; stays until mir_renumber */
	u8    linked; /* stands in the layout */
	u8    address_taken;
	u8    unordered; /* MirInst.order does not grow along it: mir_order */
	u8    unused;
} MirBlock;
_Static_assert(sizeof(MirBlock) == 56, "fixed on every host");

/* Out of 1 << 31, as LLVM counts; MIR_PROB_UNKNOWN: not known. */
#define MIR_PROB_ONE     0x80000000u
#define MIR_PROB_UNKNOWN 0xFFFFFFFFu

typedef struct MirEdge {
	u32 from, to;
	u32 next_succ, next_pred, prev_pred;
	u32 prob;
} MirEdge;

/* ---- frame ---- */

typedef enum MirFrameKind {
	MIR_FRAME_LOCAL, /* an alloca */
	MIR_FRAME_SPILL,
	MIR_FRAME_FIXED,
	MIR_FRAME_CALLEE_SAVED,
	MIR_FRAME_VARIABLE, /* size known only when it runs: it takes no room in the depot */
	MIR_FRAME_KINDS
} MirFrameKind;
extern const char *const mir_frame_kind_text[MIR_FRAME_KINDS]; /* `type:` in MIR text */

/* What protected functions (ssp, sspstrong, sspreq) place first, so that other objects lie behind arrays. */
typedef enum MirFrameCategory {
	MIR_CATEGORY_NONE,
	MIR_CATEGORY_LARGE_ARRAY,
	MIR_CATEGORY_SMALL_ARRAY,
	MIR_CATEGORY_ADDRESS_TAKEN,
	MIR_CATEGORIES
} MirFrameCategory;

/* The size of a callee-saved object that turned out not to be needed. */
#define MIR_FRAME_UNSAVED (~(u64)0)

/* A format: 40 bytes. */
typedef struct MirFrameObj {
	i64 offset; /* from the frame registers; set by prologepilog */
	u64 size;
	u8  align_log2;
	u8  pad0[3];
	u8  is_dead;
	u8  pad1[3];
	u32 local_offset; /* 1 + offset in the local block that localstackalloc has laid out; 0 = not in it */
	u32 ir;           /* ir_index() of the alloca, 0 = none: for debug information */
	u8  is_spill;
	u8  kind; /* MirFrameKind */
	u8  pad3[2];
	u8  category; /* MirFrameCategory */
	u8  pad4[3];
} MirFrameObj;
_Static_assert(sizeof(MirFrameObj) == 40, "a format");
_Static_assert(offsetof(MirFrameObj, align_log2) == 16, "a format");
_Static_assert(offsetof(MirFrameObj, is_dead) == 20, "a format");
_Static_assert(offsetof(MirFrameObj, is_spill) == 32, "a format");
_Static_assert(offsetof(MirFrameObj, category) == 36, "a format");

typedef struct MirJumpTable {
	VecU32 block; /* MirBlockId */
	bool   dead;
} MirJumpTable;

/* ---- functions ---- */

enum MirProp {
	MP_SSA = 1 << 0,
	MP_NO_PHIS = 1 << 1,
	MP_NO_VREGS = 1 << 2,
	MP_LIVENESS = 1 << 3,  /* kill and dead flags are right */
	MP_ALLOCATED = 1 << 4, /* offsets of frame objects are final */
	MP_REDUCIBLE = 1 << 5, /* every cycle had one header when the function was made: no pass may change that */
};

typedef struct MirFunc {
	struct MirModule *module;
	Arena             memory; /* the body's, given back by mir_func_free */
	Arena            *arena;  /* the same */
	StrId             name;
	u32               ir;     /* ir_index() of the IR function, 0 = none */
	u32               number; /* among the module's functions with a body: $L__BB<number>_… */
	u32               props;  /* MirProp */
	bool              is_kernel;

	Pages  vreg;      /* MirVReg by number */
	VecU32 vreg_name; /* StrId by number, as far as there are names: %name in MIR text */
	Pages  inst, block, edge, mem;

	/* operands; a run of one instruction never straddles two pieces of memory */
	MirOp **op_page;
	u32     n_op_pages, op_pages_cap, n_ops;

	u32 first_block, last_block, n_blocks; /* layout; count of linked blocks */
	u32 n_numbers;                         /* the next block's number */

	Vec(MirFrameObj) frame; /* index 0 = the first object */
	VecU32 frame_name;      /* StrId by object */
	u64    frame_size;      /* set by prologepilog */
	u32    frame_align_log2;
	Vec(MirJumpTable) jump_table;
	VecU32           proto; /* StrId: `(.param .b32 _) _ (.param .b64 _)` */
	u32              n_callseqs;
	u32              origin, dbg;                   /* what mir_build gives a new instruction */
	bool             within_budget;                 /* allocation has run: pressure stays within the budgets (mir/budget.h) */
	bool             has_ties, has_kills;           /* MirOp.tie, MOF_KILL: or had some once */
	u32              n_generic[ISA_GENERIC_COUNT];  /* instructions by generic opcode: mir_may_have */
	u64              had[(ISA_OP_COUNT + 63) / 64]; /* others: had it one, ever? */
	struct MirSlots *slots;                         /* mir/slots.h; NULL: none, or the blocks have changed since */
	struct MirSlots *slots_memory;                  /* the newest there was */
	struct MirDebug *debug;                         /* mir/debug.h; NULL: nothing is known of variables */
	Map             *compare_dbg;                   /* of a comparison that branches: IrMd of the comparison's own location */
} MirFunc;

typedef struct MirModule {
	Session         *session;
	struct IrModule *ir; /* NULL: MIR text without IR */
	Arena           *arena;
	Vec(MirFunc *) func; /* in the order of the IR functions with a body */
} MirModule;

MirModule *mir_module_new(Session *s, struct IrModule *ir, Arena *arena);
MirFunc   *mir_func_new(MirModule *m, StrId name, u32 ir_func);
/* Gives the body back; name and number stay. */
void     mir_func_free(MirFunc *f);
MirFunc *mir_func_find(const MirModule *m, Str name); /* NULL where absent */
/* A hash of everything that MIR text shows, origins left out. */
u64 mir_hash(const MirFunc *f);

/* ---- reading ---- */

static inline MirInst       *mir_inst(const MirFunc *f, MirInstId i) { return pages_of(&f->inst, MirInst, i.i); }
static inline const IsaDesc *mir_desc(const MirFunc *f, MirInstId i)
{
	return isa_desc(f->module->session, mir_inst(f, i)->desc);
}
static inline bool      mir_is(const MirFunc *f, MirInstId i, u32 isa_flag) { return (mir_desc(f, i)->flags & isa_flag) != 0; }
static inline MirBlock *mir_block(const MirFunc *f, MirBlockId b) { return pages_of(&f->block, MirBlock, b.i); }
static inline MirEdge  *mir_edge(const MirFunc *f, MirEdgeId e) { return pages_of(&f->edge, MirEdge, e.i); }
static inline MirVReg  *mir_vreg(const MirFunc *f, MirReg r) { return pages_of(&f->vreg, MirVReg, r.i); }
static inline MirClass  mir_class(const MirFunc *f, MirReg r) { return (MirClass)mir_vreg(f, r)->cls; }
/* Can one stand where the other does? In PTX a register holds bits: an instruction on floats takes one of integers, too. */
static inline bool  mir_alike(const MirFunc *f, MirReg a, MirReg b) { return isa_alike(mir_class(f, a), mir_class(f, b)); }
static inline StrId mir_reg_name(const MirFunc *f, MirReg r) /* 0 = it goes by its number */
{
	return (StrId){r.i < f->vreg_name.n ? f->vreg_name.p[r.i] : 0};
}
static inline u32 mir_vregs(const MirFunc *f) { return f->vreg.n; } /* numbers are 1 .. n-1 */

enum { MIR_OP_PAGE_SHIFT = 7, MIR_OP_PAGE = 1 << MIR_OP_PAGE_SHIFT };
static inline MirOp *mir_op_at(const MirFunc *f, u32 id)
{
	return f->op_page[id >> MIR_OP_PAGE_SHIFT] + (id & (MIR_OP_PAGE - 1));
}
/* The operands of one instruction are an array: mir_ops(f, i)[0 .. n_ops). Good until one is added. */
static inline MirOp  *mir_ops(const MirFunc *f, MirInstId i) { return mir_op_at(f, mir_inst(f, i)->op); }
static inline MirOp  *mir_op(const MirFunc *f, MirInstId i, u32 n) { return mir_ops(f, i) + n; }
static inline MirMem *mir_mem(const MirFunc *f, MirInstId i)
{
	u32 m = mir_inst(f, i)->mem;
	return m ? pages_at(&f->mem, m) : NULL;
}
static inline MirReg mir_op_reg(const MirOp *o) { return (MirReg){o->kind == MO_REG ? o->ref : 0}; }
static inline bool   mir_op_is_def(const MirOp *o) { return o->kind == MO_REG && (o->flags & MOF_DEF); }
static inline bool   mir_op_is_use(const MirOp *o) { return o->kind == MO_REG && !(o->flags & MOF_DEF); }

/* May the function have an instruction of this IsaOp? Where not, whoever is about those alone has nothing to do. */
static inline bool mir_may_have(const MirFunc *f, u32 op)
{
	return op < ISA_GENERIC_COUNT ? f->n_generic[op] != 0 : f->had[op / 64] >> (op % 64) & 1;
}

static inline MirInstId mir_next(const MirFunc *f, MirInstId i) { return (MirInstId){mir_inst(f, i)->next}; }
static inline MirInstId mir_prev(const MirFunc *f, MirInstId i) { return (MirInstId){mir_inst(f, i)->prev}; }

#define mir_each_block(f, b) for (MirBlockId b = {(f)->first_block}; b.i; b.i = mir_block((f), b)->next)
/* The body may erase `inst` and insert before it. */
#define mir_each_inst(f, b, inst)                                                                                          \
	for (MirInstId inst = {mir_block((f), b)->first}, inst##_next_ = {inst.i ? mir_inst((f), inst)->next : 0}; inst.i; \
	     inst = inst##_next_, inst##_next_.i = inst.i ? mir_inst((f), inst)->next : 0)
#define mir_each_inst_up(f, b, inst)                                                                                      \
	for (MirInstId inst = {mir_block((f), b)->last}, inst##_next_ = {inst.i ? mir_inst((f), inst)->prev : 0}; inst.i; \
	     inst = inst##_next_, inst##_next_.i = inst.i ? mir_inst((f), inst)->prev : 0)
#define mir_each_succ(f, b, e)                                                          \
	for (MirEdge *e = mir_edge((f), (MirEdgeId){mir_block((f), b)->succ}); e->from; \
	     e = mir_edge((f), (MirEdgeId){e->next_succ}))
#define mir_each_pred(f, b, e)                                                          \
	for (MirEdge *e = mir_edge((f), (MirEdgeId){mir_block((f), b)->pred}); e->from; \
	     e = mir_edge((f), (MirEdgeId){e->next_pred}))
/* The operands that use (define) `r`; the body may change the operand it sees. */
#define mir_each_use(f, r, o)                                                                          \
	for (u32 o##_id_ = mir_vreg((f), r)->uses, o##_next_ = mir_op_at((f), o##_id_)->next; o##_id_; \
	     o##_id_ = o##_next_, o##_next_ = mir_op_at((f), o##_id_)->next)                           \
		for (MirOp *o = mir_op_at((f), o##_id_); o; o = NULL)
#define mir_each_def(f, r, o)                                                                          \
	for (u32 o##_id_ = mir_vreg((f), r)->defs, o##_next_ = mir_op_at((f), o##_id_)->next; o##_id_; \
	     o##_id_ = o##_next_, o##_next_ = mir_op_at((f), o##_id_)->next)                           \
		for (MirOp *o = mir_op_at((f), o##_id_); o; o = NULL)

/* The instruction that defines `r` where there is exactly one definition, else 0. */
MirInstId mir_def_inst(const MirFunc *f, MirReg r);
/* The number of `o` among the operands of its instruction. */
u32  mir_op_number(const MirFunc *f, const MirOp *o);
bool mir_before(const MirFunc *f, MirInstId a, MirInstId b); /* in one block */
/* Numbers anew the instructions of blocks where insertions have left no numbers between others. */
void      mir_order(const MirFunc *f);
MirEdgeId mir_edge_between(const MirFunc *f, MirBlockId from, MirBlockId to); /* 0: none */
bool      mir_has_edge(const MirFunc *f, MirBlockId from, MirBlockId to);

/* 0 where there is none: appending goes in front of 0, the end. */
MirInstId mir_first_terminator(const MirFunc *f, MirBlockId b);
MirInstId mir_first_non_phi(const MirFunc *f, MirBlockId b);

/* ---- text: print.c, parse.c ---- */

/* LLVM's MIR syntax. One origin per line is pushed to `origins`, which may be NULL. */
void mir_print_func(Text *out, MirFunc *f, VecU32 *origins);
void mir_print_module(Text *out, MirModule *m, VecU32 *origins);
/* The same, and where each instruction stands: by its place in the text, 1-based lines. */
void mir_print_module_lines(Text *out, MirModule *m, VecU32 *origins, VecU32 *lines);
void mir_print_inst(Text *out, const MirFunc *f, MirInstId i);
void mir_print_reg(Text *out, const MirFunc *f, MirReg r); /* %5, %sum, $vrframe */
Str  mir_reg_text(const MirFunc *f, MirReg r, Arena *a);
/* Reads MIR text with its IR part, where it has one, into *ir. Reports to s->diags; NULL where there were errors. */
MirModule *mir_parse(Session *s, Str text, struct IrModule **ir);
/* True where nothing is wrong; else lines of text that say what. `errors` NULL: errors are reported, each at its instruction's
 * line of the input. */
bool mir_verify(MirFunc *f, Text *errors);

/* ---- building and changing ---- */

MirReg     mir_reg_new(MirFunc *f, MirClass cls);
void       mir_reg_set_class(MirFunc *f, MirReg r, MirClass cls);
void       mir_reg_set_name(MirFunc *f, MirReg r, StrId name);
MirBlockId mir_block_new(MirFunc *f, StrId name, u32 ir_block);         /* last in the layout */
void       mir_block_move(MirFunc *f, MirBlockId b, MirBlockId before); /* before 0: to the end */
void       mir_block_remove(MirFunc *f, MirBlockId b);                  /* its instructions and edges too */
bool       mir_renumber(MirFunc *f);                                    /* numbers along the layout; true where one changed */

/* Probabilities of a block's edges sum to one after each edit, where all are known: a new edge keeps its own and the
 * others share the rest; so do those that are left when one goes. An edge that is there already gets the sum. */
MirEdgeId mir_edge_add(MirFunc *f, MirBlockId from, MirBlockId to, u32 prob);
void      mir_edge_remove(MirFunc *f, MirBlockId from, MirBlockId to);
/* from → old becomes from → to, at the same place in the order; merged where it is there already. */
void mir_edge_redirect(MirFunc *f, MirBlockId from, MirBlockId old, MirBlockId to);

/* A new instruction in front of `before` (0: at the end of `b`). */
MirInstId mir_build(MirFunc *f, MirBlockId b, MirInstId before, u32 desc);
void      mir_erase(MirFunc *f, MirInstId i);
void      mir_move(MirFunc *f, MirInstId i, MirBlockId b, MirInstId before);
/* A comparison that branches, before it is two instructions again, has the branch's location and that of the comparison; 0: none. */
void mir_set_compare_dbg(MirFunc *f, MirInstId i, u32 dbg);
u32  mir_compare_dbg(const MirFunc *f, MirInstId i);

MirInstId mir_clone(MirFunc *f, MirInstId i, MirBlockId b, MirInstId before);

/* Operands are added in order, definitions first. */
void               mir_add_reg(MirFunc *f, MirInstId i, MirReg r, u32 flags);
static inline void mir_add_def(MirFunc *f, MirInstId i, MirReg r) { mir_add_reg(f, i, r, MOF_DEF); }
static inline void mir_add_use(MirFunc *f, MirInstId i, MirReg r) { mir_add_reg(f, i, r, 0); }
void               mir_add_imm(MirFunc *f, MirInstId i, i64 value);
void               mir_add_fpimm(MirFunc *f, MirInstId i, MirFpType type, u64 bits);
void               mir_add_block(MirFunc *f, MirInstId i, MirBlockId b);
void               mir_add_frame(MirFunc *f, MirInstId i, u32 object, i64 offset);
void               mir_add_global(MirFunc *f, MirInstId i, StrId name, i64 offset);
void               mir_add_symbol(MirFunc *f, MirInstId i, StrId name, i64 offset);
void               mir_add_jump_table(MirFunc *f, MirInstId i, u32 table);
void               mir_add_none(MirFunc *f, MirInstId i); /* `_` */
void               mir_add_text(MirFunc *f, MirInstId i, StrId text);
void               mir_add_proto(MirFunc *f, MirInstId i, u32 proto);
void               mir_add_op(MirFunc *f, MirInstId i, MirOp like); /* a copy; lists and tie are set anew */

void    mir_op_remove(MirFunc *f, MirInstId i, u32 n);
void    mir_op_set(MirFunc *f, MirInstId i, u32 n, MirOp like);   /* whatever it was becomes `like` */
void    mir_op_set_reg(MirFunc *f, MirInstId i, u32 n, MirReg r); /* flags but kill and dead stay */
void    mir_op_set_imm(MirFunc *f, MirInstId i, u32 n, i64 value);
void    mir_op_set_block(MirFunc *f, MirInstId i, u32 n, MirBlockId b);
void    mir_op_tie(MirFunc *f, MirInstId i, u32 def, u32 use);
void    mir_set_desc(MirFunc *f, MirInstId i, u32 desc);
MirMem *mir_add_mem(MirFunc *f, MirInstId i, MirMem mem);

/* Drops the kill flags of the readers: it lives on. */
void mir_forget_kills(MirFunc *f, MirReg r);
/* The number of the operand with the phi's value from block `from`; 0: none. */
u32 mir_phi_incoming(const MirFunc *f, MirInstId phi, MirBlockId from);
/* Every operand that names `from` names `to`; kill flags of `to` are dropped. */
void mir_replace_reg(MirFunc *f, MirReg from, MirReg to);
/* The same, but definitions of `from` stay. */
void mir_replace_uses(MirFunc *f, MirReg from, MirReg to);

u32 mir_frame_new(MirFunc *f, StrId name, u64 size, u32 align_log2, MirFrameKind kind);
u32 mir_jump_table_new(MirFunc *f);
u32 mir_proto_new(MirFunc *f, StrId text); /* equal text, equal index */

#endif
