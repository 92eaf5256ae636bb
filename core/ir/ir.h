/* ir.h: LLVM IR in memory.
 *
 * An IrModule owns pages of records; everything refers to everything by 32-bit ids, so a snapshot
 * is a copy of pages and 32- and 64-bit hosts agree. A value is an IrRef: its top four bits say of
 * which kind it is (instruction, argument, block, constant, global, inline asm, metadata), the
 * other 28 are its index. Types and constants are interned: equal ones have equal ids.
 *
 * Operands are use records in pages; every value heads a list of its uses. All editing goes
 * through the functions here, which keep the lists, names and debug records right.
 * More than 1,000 lines, because all records of the IR and all functions that read and edit them are declared here.
 *
 * Operand order (ir_op(m, inst, i)):
 *   br           [dest] or [cond, true, false]      switch     [cond, default, (value, block)*]
 *   ret          [] or [value]                      indirectbr [address, block*]
 *   phi          (value, block)*                    select     [cond, true, false]
 *   load         [ptr]                              store      [value, ptr]
 *   gep          [base, index*], source type in .elem
 *   cmpxchg      [ptr, expected, new]               atomicrmw  [ptr, value], operation in .sub
 *   alloca       [count], allocated type in .elem
 *   call         [callee, argument*, bundle operand*]; invoke: + [normal, unwind];
 *                callbr: + [fallthrough, indirect*]; function type and the rest in IrCall
 *   extractvalue [agg], insertvalue [agg, value], shufflevector [a, b]: indices / mask in .aux */
#ifndef PS_IR_H
#define PS_IR_H

#include "base/map.h"
#include "base/pages.h"
#include "base/strtab.h"
#include "base/text.h"
#include "base/vec.h"
#include "config/session.h"

/* ---- references ------------------------------------------------------------------------- */

typedef struct IrType {
	u32 i; /* 0 = none */
} IrType;

typedef struct IrRef {
	u32 i; /* kind << 28 | index; 0 = none */
} IrRef;

typedef struct IrMd {
	u32 i; /* metadata node; 0 = none (null) */
} IrMd;

/* A set of attributes (interned): 0 = empty. */
typedef struct IrAttrs {
	u32 i;
} IrAttrs;

typedef enum IrKind {
	IR_NONE,
	IR_INST,
	IR_ARG,
	IR_BLOCK,
	IR_CONST,
	IR_GLOBAL,
	IR_ASM,
	IR_MD, /* metadata as an operand: index is an IrMd */
} IrKind;

enum { IR_INDEX_BITS = 28, IR_INDEX_MAX = (1 << IR_INDEX_BITS) - 1 };

static inline IrRef  ir_ref(IrKind k, u32 index) { return (IrRef){(u32)k << IR_INDEX_BITS | index}; }
static inline IrKind ir_kind(IrRef r) { return (IrKind)(r.i >> IR_INDEX_BITS); }
static inline u32    ir_index(IrRef r) { return r.i & (u32)IR_INDEX_MAX; }
static inline bool   ir_same(IrRef a, IrRef b) { return a.i == b.i; }
static inline bool   ir_is_none(IrRef a) { return a.i == 0; }
static inline bool   ir_type_same(IrType a, IrType b) { return a.i == b.i; }
#define IR_NO_REF ((IrRef){0})

/* ---- types ------------------------------------------------------------------------------ */

typedef enum IrTypeKind {
	IRT_NONE,
	IRT_VOID,
	IRT_HALF,
	IRT_BFLOAT,
	IRT_FLOAT,
	IRT_DOUBLE,
	IRT_X86_FP80,
	IRT_FP128,
	IRT_PPC_FP128,
	IRT_LABEL,
	IRT_METADATA,
	IRT_TOKEN,
	IRT_X86_AMX,
	IRT_INT,
	IRT_PTR,
	IRT_ARRAY,
	IRT_VECTOR,
	IRT_STRUCT, /* literal, or named (`name` or `number` set) */
	IRT_FUNC,
	IRT_TARGET, /* target("name", types…, ints…) */
} IrTypeKind;

/* Types every module has, with fixed ids. */
enum {
	IR_TY_VOID = 1,
	IR_TY_HALF,
	IR_TY_BFLOAT,
	IR_TY_FLOAT,
	IR_TY_DOUBLE,
	IR_TY_X86_FP80,
	IR_TY_FP128,
	IR_TY_PPC_FP128,
	IR_TY_LABEL,
	IR_TY_METADATA,
	IR_TY_TOKEN,
	IR_TY_X86_AMX,
	IR_TY_I1,
	IR_TY_I8,
	IR_TY_I16,
	IR_TY_I32,
	IR_TY_I64,
	IR_TY_I128,
	IR_TY_PTR /* addrspace(0) */,
	IR_TY_FIXED
};
#define IR_TYPE(name) ((IrType){IR_TY_##name})

typedef struct IrTypeRec {
	u8    kind;   /* IrTypeKind */
	bool  packed; /* struct */
	bool  vararg; /* function */
	bool  opaque; /* named struct without a body */
	u32   bits;   /* integer width; pointer address space */
	u64   count;  /* array, vector length */
	u32   elems;  /* first in IrModule.type_lists: array, vector: 1; struct: fields; function: result, params */
	u32   n_elems;
	StrId name; /* named struct, target type */
	u32   hash;
	u32   number; /* numbered struct (%0 = type …): its number + 1 */
	u32   ints;   /* target type: first integer parameter in type_lists; how many is `bits` */
} IrTypeRec;

/* ---- uses ------------------------------------------------------------------------------- */

/* One operand slot. The slots of a user are consecutive ids. Those of constants and globals have
 * IR_LASTING_USE in their ids: they stay when the bodies of functions are given back. */
typedef struct IrUse {
	IrRef value; /* none: an empty slot */
	IrRef user;  /* instruction, constant or global (initializer, aliasee, …) */
	u32   next;  /* next use of the same value */
	u32   prev;  /* previous one; 0: this is the first */
} IrUse;
enum { IR_LASTING_SHIFT = 31 };
#define IR_LASTING_USE (1u << IR_LASTING_SHIFT)

/* ---- constants -------------------------------------------------------------------------- */

typedef enum IrConstKind {
	IRC_NONE,
	IRC_INT,  /* `bits`; wider than 64: also `data`, the words little-endian */
	IRC_FP,   /* the same, as the type's bit pattern */
	IRC_NULL, /* null pointer */
	IRC_ZERO, /* zeroinitializer of an aggregate, vector or target type */
	IRC_UNDEF,
	IRC_POISON,
	IRC_TOKEN,                /* token none */
	IRC_AGG,                  /* struct, array, vector: operands */
	IRC_DATA,                 /* array or vector of plain i8…i64, half…double: `data` holds the elements' bytes */
	IRC_EXPR,                 /* `op` of operands; gep: source type in `elem` */
	IRC_BLOCKADDR,            /* [function, block] */
	IRC_DSO_LOCAL_EQUIVALENT, /* [global] */
	IRC_NO_CFI,               /* [global] */
	IRC_PTRAUTH,              /* [ptr, key, disc, addr disc] */
} IrConstKind;

typedef struct IrConst {
	u8     kind; /* IrConstKind */
	u8     op;   /* IrOp of an expression */
	u8     sub;  /* predicate */
	u8     dead;
	u32    flags; /* IRF_* of an expression */
	IrType type;
	IrType elem;       /* gep: source element type */
	u32    ops, n_ops; /* use records */
	u32    uses;
	StrId  data;
	u32    hash;
	u64    bits;
} IrConst;

/* ---- attributes ------------------------------------------------------------------------- */

typedef enum IrAttrKind {
	IRA_STRING, /* "key" or "key"="value" */
#define IR_ATTR(id, text, form, places, since) IRA_##id,
#include "ir/attrs.def"
	IRA_COUNT
} IrAttrKind;

typedef struct IrAttr {
	u32    kind; /* IrAttrKind */
	IrType type; /* byval, sret, …: its type; range: the integer type */
	StrId  key;  /* string attributes */
	StrId  text; /* string attributes: the value; initializes, wide ranges: what is in the parentheses */
	u64    a, b; /* the integer; memory: IrMemory; range: [a, b); dereferenceable: bytes; align: bytes */
} IrAttr;

typedef struct IrAttrSet {
	u32 first, n; /* in IrModule.attr_pool; sorted: kinds by number, then strings by key */
	u32 hash;
} IrAttrSet;

/* memory(...): two bits (1 read, 2 write) for each location, arg in bits 0-1. */
enum { IRM_ARG = 0, IRM_INACCESSIBLE = 2, IRM_ERRNO = 4, IRM_OTHER = 6, IRM_READ = 1, IRM_WRITE = 2, IRM_ALL = 0xFF };

/* ---- instructions ----------------------------------------------------------------------- */

typedef enum IrOp {
	IR_OP_NONE,
#define IR_OP(id, text, form, eval, flags) IR_##id,
#include "ir/ir_ops.def"
	IR_OP_COUNT
} IrOp;

enum { /* columns of ir_ops.def */
       IROF_NONE = 0,
       IROF_COMMUTES = 1 << 0,
       IROF_ASSOC = 1 << 1,
       IROF_WRAPS = 1 << 2, /* takes nuw, nsw */
       IROF_EXACT = 1 << 3,
       IROF_DISJOINT = 1 << 4,
       IROF_NNEG = 1 << 5,
       IROF_FPMATH = 1 << 6, /* takes fast-math flags */
       IROF_TRAPS = 1 << 7,  /* undefined for some operands: not to be speculated */
       IROF_READS = 1 << 8,  /* memory */
       IROF_WRITES = 1 << 9,
       IROF_CALLS = 1 << 10,
       IROF_TERMINATOR = 1 << 11,
};

typedef struct IrOpInfo {
	const char *name;
	u8          form; /* IrForm */
	u8          eval; /* SemOp */
	u16         flags;
} IrOpInfo;
extern const IrOpInfo ir_op_info[IR_OP_COUNT];

static inline bool ir_op_is_binary(u32 op) { return op >= IR_ADD && op <= IR_XOR; }
static inline bool ir_op_is_cast(u32 op) { return op >= IR_TRUNC && op <= IR_ADDRSPACECAST; }
u32                ir_stated_flags(u32 op, u32 flags); /* those that the text says */
static inline bool ir_op_is_terminator(u32 op) { return (ir_op_info[op].flags & IROF_TERMINATOR) != 0; }

/* A set of operations: IR_OPS(LOAD) | IR_OPS(STORE). Integer divisions share a bit, all other binary ones another. */
#define IR_DIVISIONS  (1u << IR_UDIV | 1u << IR_SDIV | 1u << IR_UREM | 1u << IR_SREM)
#define IR_OP_BIT(op) ((op) > IR_XOR ? (op)-IR_XOR + 1u : IR_DIVISIONS >> ((op)&31) & 1u)
_Static_assert(IR_OP_COUNT - IR_XOR < 64, "a set of operations");
#define IR_OPS(id) ((u64)1 << IR_OP_BIT((u32)IR_##id))
static inline u64 ir_ops_of(u32 op) { return (u64)1 << IR_OP_BIT(op); }

enum { /* IrInst.flags and IrConst.flags */
       IRF_NUW = 1 << 0,
       IRF_NSW = 1 << 1,
       IRF_EXACT = 1 << 2,
       IRF_DISJOINT = 1 << 3,
       IRF_NNEG = 1 << 4,
       IRF_SAMESIGN = 1 << 5,
       IRF_INBOUNDS = 1 << 6,
       IRF_NUSW = 1 << 7,
       IRF_REASSOC = 1 << 8,
       IRF_NNAN = 1 << 9,
       IRF_NINF = 1 << 10,
       IRF_NSZ = 1 << 11,
       IRF_ARCP = 1 << 12,
       IRF_CONTRACT = 1 << 13,
       IRF_AFN = 1 << 14,
       IRF_FAST = 0x7F00,
       IRF_VOLATILE = 1 << 15,
       IRF_ATOMIC = 1 << 16, /* load, store */
       IRF_WEAK = 1 << 17,   /* cmpxchg */
       IRF_INALLOCA = 1 << 18,
       IRF_SWIFTERROR = 1 << 19,
       IRF_CLEANUP = 1 << 20, /* landingpad */
};

typedef enum IrPred {
	IRP_FALSE,
	IRP_OEQ,
	IRP_OGT,
	IRP_OGE,
	IRP_OLT,
	IRP_OLE,
	IRP_ONE,
	IRP_ORD,
	IRP_UNO,
	IRP_UEQ,
	IRP_UGT,
	IRP_UGE,
	IRP_ULT,
	IRP_ULE,
	IRP_UNE,
	IRP_TRUE,
	/* icmp; the same spellings as unsigned fcmp ones, other numbers */
	IRP_I_EQ,
	IRP_I_NE,
	IRP_I_UGT,
	IRP_I_UGE,
	IRP_I_ULT,
	IRP_I_ULE,
	IRP_I_SGT,
	IRP_I_SGE,
	IRP_I_SLT,
	IRP_I_SLE,
	IRP_COUNT
} IrPred;

typedef enum IrRmw {
	IRRMW_XCHG,
	IRRMW_ADD,
	IRRMW_SUB,
	IRRMW_AND,
	IRRMW_NAND,
	IRRMW_OR,
	IRRMW_XOR,
	IRRMW_MAX,
	IRRMW_MIN,
	IRRMW_UMAX,
	IRRMW_UMIN,
	IRRMW_FADD,
	IRRMW_FSUB,
	IRRMW_FMAX,
	IRRMW_FMIN,
	IRRMW_FMAXIMUM,
	IRRMW_FMINIMUM,
	IRRMW_UINC_WRAP,
	IRRMW_UDEC_WRAP,
	IRRMW_USUB_COND,
	IRRMW_USUB_SAT,
	IRRMW_COUNT
} IrRmw;

typedef enum IrOrdering {
	IRO_NOT_ATOMIC,
	IRO_UNORDERED,
	IRO_MONOTONIC,
	IRO_ACQUIRE,
	IRO_RELEASE,
	IRO_ACQ_REL,
	IRO_SEQ_CST,
	IRO_COUNT
} IrOrdering;

typedef enum IrTail { IRTAIL_NONE, IRTAIL_TAIL, IRTAIL_MUSTTAIL, IRTAIL_NOTAIL } IrTail;

extern const char *const ir_pred_name[IRP_COUNT];
extern const u8          ir_pred_cmp[IRP_COUNT]; /* SemCmp; the unsigned orders are LO, LS, HI, HS */
bool                     ir_icmp(u32 pred, u32 w, u64 a, u64 b);
extern const char *const ir_rmw_name[IRRMW_COUNT];
extern const char *const ir_ordering_name[IRO_COUNT];

/* Synchronisation scopes: 0 is the system, 1 one thread; others are IrModule.scopes[i]. */
enum { IR_SCOPE_SYSTEM = 0, IR_SCOPE_SINGLETHREAD = 1 };

/* What passes walk over. The rest is in IrInstInfo, so that a walk touches half as much memory. */
typedef struct IrInst {
	u8     op;    /* IrOp */
	u8     sub;   /* icmp, fcmp: IrPred; atomicrmw: IrRmw; calls: IrTail */
	u8     align; /* log2 + 1; 0: not given */
	u8     order; /* IrOrdering */
	u32    flags; /* IRF_* */
	IrType type;  /* of the result */
	union {
		IrType elem; /* gep: source type; alloca: allocated type */
		u32    aux;  /* calls: IrCall; extractvalue, insertvalue, shufflevector: list in IrModule.lists */
	};
	IrRef block, prev, next;
	u32   ops, n_ops; /* use records */
	u32   uses;
} IrInst;

/* What is seldom asked of an instruction: where it came from, what it is called, what hangs on it. */
typedef struct IrInstInfo {
	StrId name;
	u32   origin;       /* 1-based line of the input; 0: none */
	u16   col, end_col; /* of the input; 0: not known */
	IrMd  dbg;          /* !dbg */
	u32   md;           /* other attachments: IrAttach */
	u32   records;      /* debug records before it: IrDbgRec */
	u32   number;       /* IRS_NAME_NUMBERED: behind `name` */
	u32   mark;         /* for whoever walks a function: the verifier, hashes */
	u8    order_fail;   /* cmpxchg */
	u8    scope;
	u16   state; /* IRS_* */
} IrInstInfo;

enum {
	IRS_NAME_PENDING = 1, /* named while detached: made unique when inserted */
	IRS_REMOVED = 2,
	IRS_NAME_NUMBERED = 4, /* its name is `name` and `number`: a text that stands nowhere until ir_name is asked for it */
};
_Static_assert(sizeof(IrInst) == 40, "IrInst");
_Static_assert(sizeof(IrInstInfo) == 36, "IrInstInfo");
_Static_assert(sizeof(IrUse) == 16, "IrUse");
_Static_assert(sizeof(IrConst) == 48, "IrConst");

typedef struct IrCall {
	u16     cc; /* calling convention number */
	u16     n_bundles;
	u32     n_args;
	u32     bundles; /* first in IrModule.bundles */
	IrType  type;    /* function type */
	IrAttrs fn, ret;
	u32     params; /* IrModule.lists: n_args attribute sets; 0: all empty */
} IrCall;

typedef struct IrBundle {
	StrId tag;
	u32   first, n; /* operands of the call: index of the first */
} IrBundle;

/* A #dbg_… record: stands before an instruction or at the end of a block. */
typedef enum IrDbgKind { IRDBG_VALUE, IRDBG_DECLARE, IRDBG_ASSIGN, IRDBG_LABEL, IRDBG_DECLARE_VALUE } IrDbgKind;
typedef struct IrDbgRec {
	u32  next;
	u32  kind;   /* IrDbgKind */
	IrMd arg[6]; /* value, variable, expression, (id, address, address expression); label */
	IrMd loc;
	u32  origin;
} IrDbgRec;

/* Metadata attached to an instruction, a function or a variable; a list in order of kind. */
typedef struct IrAttach {
	u32   next;
	StrId kind;
	IrMd  node;
} IrAttach;

typedef struct IrBlock {
	IrRef func; /* the function's global */
	IrRef prev, next;
	IrRef first, last; /* instructions */
	u32   uses;
	StrId name;
	u32   origin;
	u32   records; /* debug records behind the last instruction (while editing) */
	u32   mark;    /* for whoever numbers the blocks of a function: analyses */
	u32   n_insts;
	u64   had; /* set of the operations in it now or once */
} IrBlock;

typedef struct IrArg {
	IrRef   func;
	IrType  type;
	u32     uses;
	StrId   name;
	IrAttrs attrs;
	u32     number; /* 0 for the first argument */
} IrArg;

/* ---- globals ---------------------------------------------------------------------------- */

typedef enum IrGlobalKind { IRG_NONE, IRG_VAR, IRG_FUNC, IRG_ALIAS, IRG_IFUNC } IrGlobalKind;

typedef enum IrLinkage {
	IRL_EXTERNAL,
	IRL_PRIVATE,
	IRL_INTERNAL,
	IRL_AVAILABLE_EXTERNALLY,
	IRL_LINKONCE,
	IRL_LINKONCE_ODR,
	IRL_WEAK,
	IRL_WEAK_ODR,
	IRL_COMMON,
	IRL_APPENDING,
	IRL_EXTERN_WEAK,
	IRL_COUNT
} IrLinkage;
extern const char *const ir_linkage_name[IRL_COUNT];
#define IR_SANITIZER_WORDS 4u
extern const char *const ir_sanitizer_words[IR_SANITIZER_WORDS]; /* behind a variable, in LLVM's order */

enum { IRV_DEFAULT, IRV_HIDDEN, IRV_PROTECTED }; /* visibility */
enum { IRTLS_NONE, IRTLS_GENERAL, IRTLS_LOCALDYNAMIC, IRTLS_INITIALEXEC, IRTLS_LOCALEXEC };
enum { IRUA_NONE, IRUA_LOCAL, IRUA_GLOBAL }; /* (local_)unnamed_addr */

enum {
	IRGF_CONSTANT = 1,
	IRGF_EXTERNALLY_INIT = 2,
	IRGF_DSO_LOCAL = 4,
	IRGF_DLLIMPORT = 8,
	IRGF_DLLEXPORT = 16,
	IRGF_DEAD = 32,
	IRGF_DECLARED = 64 /* seen in the input, not only used */,
	IRGF_IMPLICIT_DSO = 128,
	IRGF_SIGNATURE_SEEN = 256,
	IRGF_SIGNATURE_BAD = 512 /* an intrinsic's, by the verifier */,
	IRGF_SANITIZE = 1024 /* << index in ir_sanitizer_words */
};

typedef struct IrGlobal {
	u8      kind; /* IrGlobalKind */
	u8      linkage, visibility, tls, unnamed_addr;
	u8      align; /* log2 + 1; 0: not given */
	u16     flags; /* IRGF_* */
	u32     addrspace;
	IrType  type; /* the value's type: what a variable holds; a function's type */
	IrType  ptr;  /* type of the global as a value */
	u32     uses;
	StrId   name; /* empty: numbered */
	u32     init; /* use record: initializer, aliasee, resolver; 0: none (a declaration) */
	StrId   section, partition, code_model;
	u32     comdat; /* IrModule.comdats index + 1 */
	u32     md;     /* IrAttach */
	u32     func;   /* IRG_FUNC: IrFunc */
	IrAttrs attrs;  /* variable: its attributes */
	u32     origin;
	u32     intrinsic; /* function: row of intrinsics.def + 1, 0 = none, filled on demand */
} IrGlobal;

typedef struct IrFunc {
	IrRef   ref;               /* its global */
	u32     first_arg, n_args; /* IrArg ids are consecutive */
	IrRef   first, last;       /* blocks; first none: a declaration */
	u32     n_blocks;
	u16     cc;
	u16     body; /* IrBody */
	IrAttrs fn, ret;
	StrId   gc;
	u32     extra[3]; /* use records: prefix, prologue, personality; 0 none */
	u32     end_line; /* of the closing brace */
} IrFunc;

/* Where the blocks are, which `first` heads. */
typedef enum IrBody {
	IRB_HERE,       /* in the module; of a declaration: there are none */
	IRB_DEFERRED,   /* in the text, to be read when it is wanted */
	IRB_GIVEN_BACK, /* they were here */
} IrBody;

/* Calling conventions by number, as LLVM numbers them. */
enum {
	IRCC_C = 0,
	IRCC_FAST = 8,
	IRCC_COLD = 9,
	IRCC_PTX_KERNEL = 71,
	IRCC_PTX_DEVICE = 72,
	IRCC_SPIR_FUNC = 75,
	IRCC_SPIR_KERNEL = 76
};

/* ---- metadata --------------------------------------------------------------------------- */

typedef enum IrMdKind {
	IRMD_NONE,
	IRMD_STRING,  /* text */
	IRMD_VALUE,   /* a constant or a local value */
	IRMD_NODE,    /* !{…}: operands in IrModule.md_ops */
	IRMD_SPEC,    /* !DILocation(…): `name` and fields in IrModule.md_fields */
	IRMD_EXPR,    /* !DIExpression(…): elements in md_fields */
	IRMD_ARGS,    /* !DIArgList(…): operands */
	IRMD_FORWARD, /* !N not defined (yet) */
} IrMdKind;

typedef struct IrMdNode {
	u8    kind;
	bool  distinct;
	bool  temporary;
	u32   first, n; /* operands or fields */
	StrId text;     /* string; name of a specialised node */
	IrRef value;
	u32   number; /* !N in the input, + 1; 0: inline */
	u32   origin;
} IrMdNode;

typedef enum IrMdFieldKind {
	IRMF_MD,     /* a: IrMd */
	IRMF_INT,    /* bits; negative: a = 1 and bits the magnitude */
	IRMF_STRING, /* a: StrId */
	IRMF_NAME,   /* a: StrId: true, false, DW_TAG_…, DIFlagA | DIFlagB, … */
} IrMdFieldKind;

typedef struct IrMdField {
	StrId name; /* empty: positional (elements of a DIExpression) */
	u32   kind; /* IrMdFieldKind */
	u32   a;
	u64   bits;
} IrMdField;

typedef struct IrNamedMd {
	StrId name;
	u32   first, n; /* md_ops */
	u32   origin;
} IrNamedMd;

typedef struct IrComdat {
	StrId name, kind;
} IrComdat;

/* ---- data layout ------------------------------------------------------------------------ */

enum { IR_LAYOUT_SPACES = 16, IR_LAYOUT_ALIGNS = 24 };
typedef struct IrLayoutAlign {
	u16 bits;      /* width the row is for */
	u16 abi, pref; /* bytes */
} IrLayoutAlign;
typedef struct IrLayout {
	bool          big_endian;
	u32           n_ints, n_floats, n_vectors, n_spaces;
	IrLayoutAlign ints[IR_LAYOUT_ALIGNS], floats[IR_LAYOUT_ALIGNS], vectors[IR_LAYOUT_ALIGNS], aggregate;
	struct {
		u32 space;
		u16 bits, abi, pref, index_bits;
	} spaces[IR_LAYOUT_SPACES]; /* [0] is address space 0 */
	u32 alloca_space, program_space, globals_space;
} IrLayout;

/* ---- the module ------------------------------------------------------------------------- */

/* Table of interned records: slots of (hash, id); id 0 is free. */
typedef struct IrIntern {
	u32 *slot;
	u32  mask, n;
} IrIntern;

typedef struct IrModule {
	Session *s;
	Arena   *arena;
	Pages    types, consts, globals, funcs, args, blocks, insts, inst_infos, asms, mds, attach, calls, dbgrecs;
	Pages    uses[2]; /* of instructions; of constants and globals */
	Pages    attr_sets;
	VecU32   type_lists, lists; /* lists: [n, …] runs; id = index of the length */
	Vec(IrAttr) attr_pool;
	Vec(IrBundle) bundles;
	VecU32 md_ops;
	Vec(IrMdField) md_fields;
	Vec(IrNamedMd) named_md;
	Vec(IrComdat) comdats;
	struct IrIntrinsicLists *intrinsic_lists; /* to find them by name: intrinsic.c */
	VecU32                   effect_sets;     /* attribute sets of intrinsics' effects, + 1 */
	VecU32                   scopes;          /* StrId of each scope; [0] "", [1] "singlethread" */
	VecU32                   order;           /* globals in module order: indices of Pages globals */
	VecU32                   struct_order;    /* named and numbered structs in the order of their definitions */
	const struct Words      *words;           /* keywords by name (lex.h); NULL: no text was read */
	struct IrNumbering      *numbering;       /* the printer's: print.h */
	IrIntern                 type_table, const_table, attr_table, md_strings;
	Map                      symbols;  /* StrId → index of a global */
	Map                      value_md; /* IrRef → IrMd of kind VALUE */
	StrId                    id, source_name, triple, layout_text;
	Vec(StrId) asm_lines;
	IrLayout layout;
	bool     layout_given;
	/* Names taken in the function `names_of`: by StrId, equal to names_epoch where taken. */
	VecU32 names;
	u32    names_epoch;
	IrRef  names_of;
	VecU32 name_suffix; /* by StrId: names_epoch and the last suffix given in it */
	/* Deferred bodies: who reads them, what there is without them, whether one names a variadic type. */
	struct Parser *reader;
	struct {
		u32 insts, blocks, uses, attach, calls, dbgrecs, lists, bundles;
	} lasting;
	bool variadic_bodies;
} IrModule;

IrModule *ir_module_new(Session *s);

/* Records. Pointers are good until the module goes (pages do not move). */
static inline IrTypeRec  *ir_type(const IrModule *m, IrType t) { return pages_of(&m->types, IrTypeRec, t.i); }
static inline IrConst    *ir_const(const IrModule *m, IrRef r) { return pages_of(&m->consts, IrConst, ir_index(r)); }
static inline IrGlobal   *ir_global(const IrModule *m, IrRef r) { return pages_of(&m->globals, IrGlobal, ir_index(r)); }
static inline IrInst     *ir_inst(const IrModule *m, IrRef r) { return pages_of(&m->insts, IrInst, ir_index(r)); }
static inline IrInstInfo *ir_info(const IrModule *m, IrRef inst) { return pages_of(&m->inst_infos, IrInstInfo, ir_index(inst)); }
static inline IrBlock    *ir_block(const IrModule *m, IrRef r) { return pages_of(&m->blocks, IrBlock, ir_index(r)); }
static inline IrArg      *ir_arg(const IrModule *m, IrRef r) { return pages_of(&m->args, IrArg, ir_index(r)); }
static inline IrUse      *ir_use(const IrModule *m, u32 use)
{
	return pages_of(&m->uses[use >> IR_LASTING_SHIFT], IrUse, use & ~IR_LASTING_USE);
}
static inline IrMdNode *ir_md(const IrModule *m, IrMd n) { return pages_of(&m->mds, IrMdNode, n.i); }
static inline IrCall   *ir_call(const IrModule *m, IrRef inst) { return pages_of(&m->calls, IrCall, ir_inst(m, inst)->aux); }
/* The function of a global of kind IRG_FUNC, else NULL. */
static inline IrFunc *ir_func(const IrModule *m, IrRef r)
{
	u32 f = ir_kind(r) == IR_GLOBAL ? ir_global(m, r)->func : 0;
	return f ? pages_of(&m->funcs, IrFunc, f) : NULL;
}
static inline IrRef ir_func_arg(const IrFunc *f, u32 i) { return ir_ref(IR_ARG, f->first_arg + i); }
static inline bool  ir_is_decl(const IrFunc *f) { return ir_is_none(f->first) && f->body == IRB_HERE; }
static inline Str   ir_str(const IrModule *m, StrId id) { return strtab_get(&m->s->strs, id); }

/* Iteration in module order; the current function, block or instruction may be removed after it
 * was passed. ir_each_func visits declarations too.
 *   ir_each_global(m, g) { … ir_global(m, g) … }
 *   ir_each_func(m, f)   { … f is an IrFunc * … }
 *   ir_each_block(m, f, b) ir_each_inst(m, b, i) { … b, i are IrRef … } */
IrRef   ir_next_global(const IrModule *m, u32 *at); /* none at the end */
IrFunc *ir_next_func(const IrModule *m, u32 *at);   /* NULL at the end */
#define ir_each_global(m, g)                                 \
	for (u32 g##_at = 0, g##_go = 1; g##_go; g##_go = 0) \
		for (IrRef g; !ir_is_none(g = ir_next_global((m), &g##_at));)
#define ir_each_func(m, f)                                   \
	for (u32 f##_at = 0, f##_go = 1; f##_go; f##_go = 0) \
		for (IrFunc * f; (f = ir_next_func((m), &f##_at)) != NULL;)
#define ir_each_block(m, f, b) \
	for (IrRef b = (f)->first, b##_next; !ir_is_none(b) && (b##_next = ir_block((m), b)->next, 1); b = b##_next)
/* Blocks that may have an instruction of the set: ir_each_block_had(m, f, b, IR_OPS(CALL)) ir_each_inst(m, b, i) … */
#define ir_each_block_had(m, f, b, ops)                 \
	ir_each_block(m, f, b)                          \
		if (!(ir_block((m), b)->had & (ops))) { \
		} else
#define ir_each_inst(m, blk, i)                                                                                        \
	for (IrRef i = ir_block((m), (blk))->first, i##_next; !ir_is_none(i) && (i##_next = ir_inst((m), i)->next, 1); \
	     i = i##_next)
/* Uses of a value; `u` is a use id. The current use may be rewritten. */
#define ir_each_use(m, value, u) \
	for (u32 u = ir_first_use((m), (value)), u##_next; u && (u##_next = ir_use((m), u)->next, 1); u = u##_next)

/* ---- types: ir/type.c ------------------------------------------------------------------- */

IrType ir_int_type(IrModule *m, u32 bits);
IrType ir_ptr_type(IrModule *m, u32 addrspace);
IrType ir_array_type(IrModule *m, IrType elem, u64 n);
IrType ir_vector_type(IrModule *m, IrType elem, u32 n);
IrType ir_struct_type(IrModule *m, const IrType *elems, u32 n, bool packed);
IrType ir_func_type(IrModule *m, IrType ret, const IrType *params, u32 n, bool vararg);
IrType ir_target_type(IrModule *m, StrId name, const IrType *types, u32 n_types, const u32 *ints, u32 n_ints);
IrType ir_named_struct(IrModule *m, StrId name, u32 number); /* opaque until its body is set */
void   ir_struct_set_body(IrModule *m, IrType t, const IrType *elems, u32 n, bool packed);

static inline IrTypeKind ir_type_kind(const IrModule *m, IrType t) { return (IrTypeKind)ir_type(m, t)->kind; }
static inline bool       ir_type_is_int(const IrModule *m, IrType t) { return ir_type(m, t)->kind == IRT_INT; }
static inline bool       ir_type_is_ptr(const IrModule *m, IrType t) { return ir_type(m, t)->kind == IRT_PTR; }
static inline bool       ir_type_is_vector(const IrModule *m, IrType t) { return ir_type(m, t)->kind == IRT_VECTOR; }
static inline bool       ir_type_is_fp(const IrModule *m, IrType t)
{
	u32 k = ir_type(m, t)->kind;
	return k >= IRT_HALF && k <= IRT_PPC_FP128;
}
static inline bool ir_type_is_aggregate(const IrModule *m, IrType t)
{
	u32 k = ir_type(m, t)->kind;
	return k == IRT_STRUCT || k == IRT_ARRAY;
}
bool ir_type_is_first_class(const IrModule *m, IrType t);
bool ir_type_holds_ptr(const IrModule *m, IrType t); /* it is one, or has one inside */
bool ir_type_is_sized(const IrModule *m, IrType t);
/* Field, element, parameter `i` (function: 0 = result, then params). */
static inline IrType ir_type_elem(const IrModule *m, IrType t, u32 i)
{
	const IrTypeRec *r = ir_type(m, t);
	if (r->kind == IRT_ARRAY || r->kind == IRT_VECTOR)
		i = 0;
	return i < r->n_elems ? (IrType){m->type_lists.p[r->elems + i]} : (IrType){0};
}
u64                  ir_type_count(const IrModule *m, IrType t); /* fields, elements */
static inline IrType ir_scalar_type(const IrModule *m, IrType t) /* a vector's element, else t */
{
	return ir_type_is_vector(m, t) ? ir_type_elem(m, t, 0) : t;
}
static inline IrType ir_func_ret(const IrModule *m, IrType t) { return ir_type_elem(m, t, 0); }
static inline u32    ir_func_params(const IrModule *m, IrType t) { return ir_type(m, t)->n_elems - 1; }
static inline IrType ir_func_param(const IrModule *m, IrType t, u32 i) { return ir_type_elem(m, t, i + 1); }

/* ---- data layout: ir/layout.c ------------------------------------------------------------ */

bool ir_layout_parse(IrLayout *l, Str text); /* false where it is malformed; l is usable anyway */
void ir_layout_default(IrLayout *l, const Target *t);
u64  ir_size_bits(const IrModule *m, IrType t);  /* without padding; i1: 1 */
u64  ir_store_size(const IrModule *m, IrType t); /* bytes a store writes */
u64  ir_alloc_size(const IrModule *m, IrType t); /* bytes from one array element to the next */
u32  ir_abi_align(const IrModule *m, IrType t);  /* bytes */
u32  ir_pref_align(const IrModule *m, IrType t);
/* What an instruction's text says, in bytes; 0: nothing. What goes without saying is said, as LLVM does, where the module says how
 * its data lies. */
u32 ir_stated_align(const IrModule *m, IrRef inst);
u64 ir_struct_offset(const IrModule *m, IrType t, u32 field);
u32 ir_ptr_bits(const IrModule *m, u32 addrspace);
u32 ir_index_bits(const IrModule *m, u32 addrspace);
/* Byte offset of a gep (instruction or constant expression) whose indices are constants. */
bool ir_gep_offset(const IrModule *m, IrRef gep, i64 *offset);

/* Alignment fields hold log2 + 1. */
static inline u32 ir_align_bytes(u8 align) { return align ? 1u << (align - 1) : 0; }
static inline u8  ir_align_of(u64 bytes) { return bytes ? (u8)(u64_log2(bytes) + 1) : 0; }

/* ---- constants: ir/const.c --------------------------------------------------------------- */

IrRef ir_const_int(IrModule *m, IrType t, u64 bits); /* truncated to the width; zero-extended past 64 */
IrRef ir_const_sint(IrModule *m, IrType t, i64 v);
IrRef ir_const_words(IrModule *m, IrType t, const u64 *words, u32 n); /* little-endian words */
IrRef ir_const_fp(IrModule *m, IrType t, u64 bits);                   /* bit pattern of half … double */
IrRef ir_const_fp_words(IrModule *m, IrType t, const u64 *words, u32 n);
IrRef ir_const_zero(IrModule *m, IrType t); /* 0, 0.0, null, zeroinitializer */
IrRef ir_const_undef(IrModule *m, IrType t);
IrRef ir_const_poison(IrModule *m, IrType t);
IrRef ir_const_token(IrModule *m);
IrRef ir_const_agg(IrModule *m, IrType t, const IrRef *elems, u32 n);
IrRef ir_const_data(IrModule *m, IrType t, Str bytes);
IrRef ir_const_splat(IrModule *m, IrType vector, IrRef elem);
/* Expression; not folded. `elem`: source type of a gep. */
IrRef ir_const_expr(IrModule *m, u32 op, IrType t, IrType elem, u32 sub, u32 flags, const IrRef *ops, u32 n);
/* `range`: inrange(…), or none. */
IrRef ir_const_gep(IrModule *m, IrType t, IrType elem, u32 flags, StrId range, const IrRef *ops, u32 n);
IrRef ir_const_block_address(IrModule *m, IrRef func, IrRef block);
IrRef ir_const_of_global(IrModule *m, IrConstKind kind, IrRef global); /* dso_local_equivalent, no_cfi */
IrRef ir_const_cast(IrModule *m, u32 op, IrRef v, IrType t);           /* an expression, or v where nothing changes */

bool ir_is_const(const IrModule *m, IrRef r); /* a constant or a global */
/* Integer (or boolean) constant of at most 64 bits? Its bits, zero-extended. */
bool ir_as_int(const IrModule *m, IrRef r, u64 *bits);
bool ir_as_sint(const IrModule *m, IrRef r, i64 *v);
bool ir_as_fp(const IrModule *m, IrRef r, u64 *bits);
bool ir_is_zero(const IrModule *m, IrRef r);                         /* +0, null, all zero */
bool ir_is_undef(const IrModule *m, IrRef r);                        /* undef or poison */
u32  ir_const_word(const IrModule *m, IrRef r, u64 *words, u32 cap); /* words of IRC_INT, IRC_FP; returns how many */
/* Element of an aggregate or vector constant of any kind; none where it is no such constant. */
IrRef ir_const_elem(IrModule *m, IrRef r, u32 i);
IrRef ir_splat_value(IrModule *m, IrRef r); /* all elements equal? that element, else none */

/* ---- attributes: ir/attr.c --------------------------------------------------------------- */

IrAttrs            ir_attrs_make(IrModule *m, const IrAttr *attrs, u32 n); /* sorts; the last of equal kinds wins */
IrAttrs            ir_attrs_with(IrModule *m, IrAttrs set, IrAttr a);
IrAttrs            ir_attrs_without(IrModule *m, IrAttrs set, IrAttrKind kind);
IrAttrs            ir_attrs_without_key(IrModule *m, IrAttrs set, const char *key);
IrAttrs            ir_attrs_union(IrModule *m, IrAttrs a, IrAttrs b);              /* b wins */
const IrAttr      *ir_attrs_find(const IrModule *m, IrAttrs set, IrAttrKind kind); /* NULL: absent */
const IrAttr      *ir_attrs_find_key(const IrModule *m, IrAttrs set, const char *key);
u32                ir_attrs_count(const IrModule *m, IrAttrs set);
const IrAttr      *ir_attrs_at(const IrModule *m, IrAttrs set, u32 i);
static inline bool ir_attrs_has(const IrModule *m, IrAttrs set, IrAttrKind kind)
{
	return set.i && ir_attrs_find(m, set, kind) != NULL;
}
/* Value of the string attribute, or the empty Str. */
Str                ir_fn_attr(const IrModule *m, const IrFunc *f, const char *key);
static inline bool ir_fn_has(const IrModule *m, const IrFunc *f, IrAttrKind k) { return ir_attrs_has(m, f->fn, k); }
const IrAttr      *ir_param_attr(const IrModule *m, const IrFunc *f, u32 arg, IrAttrKind kind);
IrType             ir_param_byval(const IrModule *m, const IrFunc *f, u32 arg); /* none: not byval */
u32                ir_param_align(const IrModule *m, const IrFunc *f, u32 arg); /* bytes; 0: not given */
/* Of a call: its own attribute or, where asked for the function's kind, the callee's. */
const IrAttr *ir_call_fn_attr(const IrModule *m, IrRef call, IrAttrKind kind);
const IrAttr *ir_call_param_attr(const IrModule *m, IrRef call, u32 arg, IrAttrKind kind);
IrAttrs       ir_call_param_attrs(const IrModule *m, IrRef call, u32 arg);
u32           ir_fn_memory(const IrModule *m, const IrFunc *f); /* IRM_* bits */
u32           ir_call_memory(const IrModule *m, IrRef call);
/* Kernel by calling convention, by !nvvm.annotations or by attribute? */
bool ir_is_kernel(const IrModule *m, const IrFunc *f);
/* Local linkage, and used for nothing but being called? Then parameters in memory have this alignment at least. */
bool ir_all_callers_seen(const IrModule *m, const IrFunc *f);
enum { IR_PRIVATE_PARAM_ALIGN = 16 };
/* Integer annotation of `global` in !nvvm.annotations or as function attribute "nvvm.KEY"; false: none. */
bool ir_annotation(const IrModule *m, IrRef global, const char *key, u32 nth, u64 *value);

/* ---- values ----------------------------------------------------------------------------- */

IrType               ir_type_of_other(const IrModule *m, IrRef r); /* … than an instruction */
static inline IrType ir_type_of(const IrModule *m, IrRef r)
{
	return ir_kind(r) == IR_INST ? ir_inst(m, r)->type : ir_type_of_other(m, r);
}
StrId ir_name(const IrModule *m, IrRef r);
/* Sets a name, made unique by a number behind it where it is taken. */
void              ir_set_name(IrModule *m, IrRef r, Str name);
u32               ir_first_use(const IrModule *m, IrRef r);
bool              ir_has_uses(const IrModule *m, IrRef r);
bool              ir_has_one_use(const IrModule *m, IrRef r);
u32               ir_count_uses(const IrModule *m, IrRef r);
static inline u32 ir_use_index(const IrModule *m, u32 use) /* of an instruction's operand */
{
	return use - ir_inst(m, ir_use(m, use)->user)->ops;
}

/* The function whose body the use is in: that of the instruction, or one that is given back. NULL: in none. */
IrFunc *ir_use_func(const IrModule *m, u32 use);

static inline u32   ir_n_ops(const IrModule *m, IrRef inst) { return ir_inst(m, inst)->n_ops; }
static inline IrRef ir_op(const IrModule *m, IrRef inst, u32 i) { return ir_use(m, ir_inst(m, inst)->ops + i)->value; }
static inline IrRef ir_const_op(const IrModule *m, IrRef c, u32 i) { return ir_use(m, ir_const(m, c)->ops + i)->value; }
void                ir_set_op(IrModule *m, IrRef inst, u32 i, IrRef v);
void                ir_set_use(IrModule *m, u32 use, IrRef v); /* any slot; constants are rebuilt through ir_replace_all_uses */
void                ir_add_op(IrModule *m, IrRef inst, IrRef v);
void                ir_remove_op(IrModule *m, IrRef inst, u32 i); /* later ones move down */
/* Everything that uses `from` uses `to`; constants built of it are rebuilt, metadata follows. */
void ir_replace_all_uses(IrModule *m, IrRef from, IrRef to);
/* The same within one function's instructions. */
void ir_replace_uses_in(IrModule *m, IrRef func, IrRef from, IrRef to);

/* ---- globals ---------------------------------------------------------------------------- */

IrRef              ir_find_global(const IrModule *m, Str name); /* none: absent */
IrRef              ir_var_new(IrModule *m, Str name, IrType type, u32 addrspace, IrLinkage linkage, IrRef init);
IrFunc            *ir_func_new(IrModule *m, Str name, IrType type, IrLinkage linkage); /* a declaration */
IrRef              ir_declare(IrModule *m, Str name, IrType type);    /* the function of that name, or a new one */
IrRef              ir_global_init(const IrModule *m, IrRef g);        /* initializer, aliasee; none */
void               ir_global_set_init(IrModule *m, IrRef g, IrRef v); /* none removes it */
void               ir_global_remove(IrModule *m, IrRef g);            /* uses become poison */
static inline bool ir_linkage_is_local(u32 l) { return l == IRL_PRIVATE || l == IRL_INTERNAL; }
/* A variable that holds pointers, all of which this module stores there. */
static inline bool ir_is_pointer_store(const IrModule *m, IrRef g)
{
	const IrGlobal *x = ir_global(m, g);
	return x->kind == IRG_VAR && ir_linkage_is_local(x->linkage) && !(x->flags & IRGF_EXTERNALLY_INIT) &&
	       ir_type_holds_ptr(m, x->type);
}
bool ir_linkage_is_weak(u32 l); /* may be replaced at link time */

/* ---- instructions and blocks: ir/build.c -------------------------------------------------- */

/* A detached instruction of n empty operands. */
IrRef ir_inst_new(IrModule *m, IrOp op, IrType type, u32 n_ops);
void  ir_insert_before(IrModule *m, IrRef inst, IrRef before);
void  ir_insert_after(IrModule *m, IrRef inst, IrRef after);
void  ir_insert_end(IrModule *m, IrRef inst, IrRef block);
IrRef ir_first_non_phi(const IrModule *m, IrRef block);
void  ir_unlink(IrModule *m, IrRef inst); /* keeps operands and uses; debug records go to the next one */
void  ir_move_before(IrModule *m, IrRef inst, IrRef before);
void  ir_move_end(IrModule *m, IrRef inst, IrRef block);
void  ir_remove(IrModule *m, IrRef inst);     /* remaining uses become poison */
IrRef ir_inst_clone(IrModule *m, IrRef inst); /* detached, unnamed, same operands */
/* `to` takes origin, debug location and name (where it has none) of `from`. */
void ir_take_place(IrModule *m, IrRef to, IrRef from);

u64                 ir_func_had(const IrModule *m, const IrFunc *f); /* set of the operations in it now or once */
u32                 ir_count_insts(const IrModule *m, const IrFunc *f);
IrRef               ir_block_new(IrModule *m, IrFunc *f, Str name);             /* at the end */
void                ir_block_move_after(IrModule *m, IrRef block, IrRef after); /* after none: to the front */
void                ir_block_remove(IrModule *m, IrRef block);           /* with its instructions; phis of successors forget it */
IrRef               ir_split_block(IrModule *m, IrRef before, Str name); /* from `before` on; falls into it by a br */
IrRef               ir_split_edge(IrModule *m, IrRef pred, u32 succ_index, Str name); /* block on the edge */
static inline IrRef ir_term(const IrModule *m, IrRef block)                           /* none: the block is unfinished */
{
	IrRef last = ir_block(m, block)->last;
	return last.i && ir_op_is_terminator(ir_inst(m, last)->op) ? last : IR_NO_REF;
}
u32   ir_n_succs(const IrModule *m, IrRef block);
IrRef ir_succ(const IrModule *m, IrRef block, u32 i);
void  ir_set_succ(IrModule *m, IrRef block, u32 i, IrRef to); /* phis are not touched */
/* Predecessors in the order of the blocks' uses, one entry for each edge, into `out` (cleared first). */
void  ir_preds(const IrModule *m, IrRef block, VecU32 *out); /* IrRef.i of blocks */
IrRef ir_single_pred(const IrModule *m, IrRef block);        /* its only predecessor (edges may be several), or none */

static inline u32   ir_phi_n(const IrModule *m, IrRef phi) { return ir_n_ops(m, phi) / 2; }
static inline IrRef ir_phi_value(const IrModule *m, IrRef phi, u32 i) { return ir_op(m, phi, 2 * i); }
static inline IrRef ir_phi_block(const IrModule *m, IrRef phi, u32 i) { return ir_op(m, phi, 2 * i + 1); }
IrRef               ir_phi_value_for(const IrModule *m, IrRef phi, IrRef pred); /* none: no such entry */
void                ir_phi_add(IrModule *m, IrRef phi, IrRef value, IrRef pred);
void                ir_phi_remove(IrModule *m, IrRef phi, u32 i);
void                ir_phis_forget(IrModule *m, IrRef block, IrRef pred);     /* one entry for pred out of every phi */
void                ir_phis_forget_all(IrModule *m, IrRef block, IrRef pred); /* every entry for pred */
void                ir_phis_retarget(IrModule *m, IrRef block, IrRef old_pred, IrRef new_pred);

/* Makes instructions at one place. Origin and dbg go to each of them. */
typedef struct IrBuilder {
	IrModule *m;
	IrRef     block, before; /* before none: at the block's end */
	u32       origin;
	IrMd      dbg;
	u32       flags; /* or'ed into arithmetic it makes (fast-math flags) */
} IrBuilder;

IrBuilder ir_build_before(IrModule *m, IrRef inst); /* with inst's origin and dbg */
IrBuilder ir_build_end(IrModule *m, IrRef block);
IrRef     ir_b_insert(IrBuilder *b, IrRef inst);
IrRef     ir_b_bin(IrBuilder *b, IrOp op, IrRef x, IrRef y, u32 flags);
IrRef     ir_b_unary(IrBuilder *b, IrOp op, IrRef x); /* fneg, freeze */
IrRef     ir_b_cast(IrBuilder *b, IrOp op, IrRef x, IrType t);
IrRef     ir_b_cmp(IrBuilder *b, IrPred pred, IrRef x, IrRef y); /* icmp or fcmp by the predicate */
IrRef     ir_b_select(IrBuilder *b, IrRef c, IrRef x, IrRef y);
IrRef     ir_b_load(IrBuilder *b, IrType t, IrRef ptr, u32 align_bytes);
IrRef     ir_b_store(IrBuilder *b, IrRef v, IrRef ptr, u32 align_bytes);
IrRef     ir_b_gep(IrBuilder *b, IrType source, IrRef base, const IrRef *index, u32 n, u32 flags);
IrRef     ir_b_gep_bytes(IrBuilder *b, IrRef base, i64 offset, u32 flags); /* base itself for offset 0 */
IrRef     ir_b_alloca(IrBuilder *b, IrType t, u32 addrspace, u32 align_bytes);
IrRef     ir_b_call(IrBuilder *b, IrType fn_type, IrRef callee, const IrRef *args, u32 n);
IrRef     ir_b_intrinsic(IrBuilder *b, Str name, IrType ret, const IrRef *args, u32 n); /* declared where needed */
IrRef     ir_b_br(IrBuilder *b, IrRef to);
IrRef     ir_b_cond_br(IrBuilder *b, IrRef c, IrRef yes, IrRef no);
IrRef     ir_b_ret(IrBuilder *b, IrRef v); /* none: ret void */
IrRef     ir_b_unreachable(IrBuilder *b);
IrRef     ir_b_phi(IrBuilder *b, IrType t); /* before the block's first non-phi */
IrRef     ir_b_extract_value(IrBuilder *b, IrRef agg, u32 i);
IrRef     ir_b_insert_value(IrBuilder *b, IrRef agg, IrRef v, u32 i);
IrRef     ir_b_extract_element(IrBuilder *b, IrRef vec, IrRef i);
IrRef     ir_b_insert_element(IrBuilder *b, IrRef vec, IrRef v, IrRef i);
IrRef     ir_b_shuffle(IrBuilder *b, IrRef x, IrRef y, const i32 *mask, u32 n); /* -1: poison */

/* Lists (.aux of extractvalue, insertvalue, shufflevector). */
u32                      ir_list_new(IrModule *m, const u32 *p, u32 n);
static inline u32        ir_list_n(const IrModule *m, u32 list) { return list ? m->lists.p[list] : 0; }
static inline const u32 *ir_list(const IrModule *m, u32 list) { return m->lists.p + list + 1; }

/* Calls */
static inline IrRef ir_callee(const IrModule *m, IrRef call) { return ir_op(m, call, 0); }
static inline IrRef ir_call_arg(const IrModule *m, IrRef call, u32 i) { return ir_op(m, call, i + 1); }
IrFunc             *ir_called(const IrModule *m, IrRef call); /* the function called directly, or NULL */
u32                 ir_call_new(IrModule *m, IrCall c);       /* for .aux */
IrRef               ir_asm_new(IrModule *m, IrType fn_type, Str text, Str constraints, u32 flags);
enum { IRASM_SIDEEFFECT = 1, IRASM_ALIGNSTACK = 2, IRASM_INTEL = 4, IRASM_UNWIND = 8 };
typedef struct IrAsm {
	IrType type; /* function type */
	StrId  text, constraints;
	u32    flags;
	u32    uses;
} IrAsm;
static inline IrAsm *ir_asm(const IrModule *m, IrRef r) { return pages_of(&m->asms, IrAsm, ir_index(r)); }

/* What an instruction may do. Calls answer by their attributes and, for intrinsics, by table. */
bool ir_may_read(const IrModule *m, IrRef inst);
bool ir_may_write(const IrModule *m, IrRef inst);
bool ir_has_side_effects(const IrModule *m, IrRef inst); /* may not be dropped when unused */
bool ir_is_convergent(const IrModule *m, IrRef inst);
bool ir_is_speculatable(const IrModule *m, IrRef inst);

/* Clones. `map` takes IrRef.i → IrRef.i of arguments (given by the caller), blocks and instructions. */
void    ir_clone_blocks(IrModule *m, const IrRef *blocks, u32 n, IrFunc *into, Map *map, Str suffix);
IrFunc *ir_func_clone(IrModule *m, IrFunc *f, Str name);
void    ir_func_drop_body(IrModule *m, IrFunc *f); /* becomes a declaration */

/* ---- metadata: ir/md.c -------------------------------------------------------------------- */

IrMd ir_md_string(IrModule *m, Str s);
IrMd ir_md_value(IrModule *m, IrRef v);
IrMd ir_md_node(IrModule *m, const IrMd *ops, u32 n, bool distinct);
IrMd ir_md_op(const IrModule *m, IrMd node, u32 i);
IrMd ir_attached(const IrModule *m, IrRef r, const char *kind);    /* of an instruction or a global; none */
void ir_attach(IrModule *m, IrRef r, const char *kind, IrMd node); /* none removes */
/* Field of a specialised node: NULL where it has none of that name. */
const IrMdField *ir_md_field(const IrModule *m, IrMd node, const char *name);
IrNamedMd       *ir_named_md(const IrModule *m, const char *name); /* NULL: none */
void             ir_named_md_add(IrModule *m, const char *name, IrMd node);
/* Source line of a !dbg location, 0: none. */
u32 ir_dbg_line(const IrModule *m, IrMd loc);

/* ---- intrinsics: ir/intrinsic.c ------------------------------------------------------------ */

/* Row of intrinsics.def + 1; 0: no intrinsic we know. Remembered in the global. */
u32 ir_intrinsic_of(const IrModule *m, IrRef global);
/* Of a call; 0 where it calls no known intrinsic. */
u32 ir_call_intrinsic(const IrModule *m, IrRef call);
/* A row as the table has it (the head of intrinsics.def explains the notations); false past the last. */
typedef struct IrIntrinsicInfo {
	const char *names, *signature, *attributes;
	u32         immediates;
} IrIntrinsicInfo;
bool ir_intrinsic_info(u32 i, IrIntrinsicInfo *info);
/* A declaration of a known intrinsic gets the attributes its row promises. */
void ir_intrinsic_set_attrs(IrModule *m, IrFunc *f);

/* ---- text --------------------------------------------------------------------------------- */

/* Reads a module. Reports what is wrong to s->diags (up to its limit); NULL only where nothing of it
 * can be used. Callers go on only when there were no errors. */
IrModule *ir_parse(Session *s, Str text);
/* The same without the bodies of functions: each stays IRB_DEFERRED until ir_read_body. NULL, with nothing
 * reported, where something is wrong or the module is not to be read that way: ir_parse is asked then. `text`
 * has to live as long as bodies are read. */
IrModule *ir_parse_deferred(Session *s, Str text);
/* The same for ir_check_bodies alone. */
IrModule *ir_parse_to_check(Session *s, Str text);
/* Reads and verifies the deferred bodies, in the memory of one. False: something is wrong, or not to be checked
 * that way; ir_parse and ir_verify say what. The module is of no further use. */
bool ir_check_bodies(IrModule *m);
/* False: something is wrong; ir_parse says what. */
bool ir_read_body(IrModule *m, IrFunc *f);
/* The body is not looked at again. For each global and each constant built of others that it used, one use
 * stays, with the function as the user. Only for functions that were read by ir_read_body, before the next
 * one is. */
void ir_give_back_body(IrModule *m, IrFunc *f);
/* Reports what is wrong with a well-formed module to s->diags. Deferred bodies are not looked at. */
void ir_verify(IrModule *m);
bool ir_verify_func(IrModule *m, IrFunc *f); /* true: nothing wrong */

/* line_origins (may be NULL): for each printed line the input line it came from, or 0. */
void ir_print_module(Text *out, IrModule *m, VecU32 *line_origins);
/* The module without functions' bodies. */
void ir_print_globals(Text *out, IrModule *m, VecU32 *line_origins);
void ir_print_func(Text *out, IrModule *m, IrFunc *f, VecU32 *line_origins);
void ir_print_type(Text *out, IrModule *m, IrType t);
/* `type value`, as an operand is written; locals by name, or by number where the function was numbered. */
void ir_print_operand(Text *out, IrModule *m, IrRef r, bool with_type);
void ir_print_inst(Text *out, IrModule *m, IrRef inst);
/* Numbers the unnamed values of a function, as printing it does. */
void ir_number_function(IrModule *m, IrFunc *f);

/* Structural: equal text, equal hash; ids and origins do not count. */
u64 ir_hash_func(const IrModule *m, const IrFunc *f);
u64 ir_hash_module(const IrModule *m);

#endif
