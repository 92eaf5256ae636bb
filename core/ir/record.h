/* record.h: the records of LLVM IR in memory, how they are reached, and how they are iterated over. ir.h explains the design;
 * include that one, or builder.h or text.h. */
#ifndef PS_IR_RECORD_H
#define PS_IR_RECORD_H

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

enum { IR_TYPE_DEPTH = 400 }; /* types of a module that was read nest at most so deep */

/* What the module's data layout says of a type; layout.c computes it when it is first asked for. */
typedef struct IrTypeLayout {
	u64  size_bits;
	u32  abi, pref; /* alignments in bytes */
	u32  version;   /* IrLayout.version for which this holds */
	bool is_sized;
	bool is_scalable; /* it is a scalable vector, or has one inside */
} IrTypeLayout;

typedef struct IrTypeRec {
	u8           kind;   /* IrTypeKind */
	bool         packed; /* struct */
	bool         vararg; /* function */
	bool         opaque; /* named struct without a body */
	u32          bits;   /* integer width; pointer address space; vector: 1 where it is scalable */
	u64          count;  /* array, vector length: of a scalable one, times vscale */
	u32          elems;  /* first in IrModule.type_lists: array, vector: 1; struct: fields; function: result, params */
	u32          n_elems;
	StrId        name; /* named struct, target type */
	u32          hash;
	u32          number; /* numbered struct (%0 = type …): its number + 1 */
	u32          ints;   /* target type: first integer parameter in type_lists; how many is `bits` */
	IrTypeLayout layout;
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
	IRC_SPLAT,                /* scalable vector: [element] */
	IRC_PTRAUTH, /* [ptr, key, discriminator, address, deactivation symbol], the last ones only where one is not null */
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
#define IR_ATTR(id, text, form, places, since, code) IRA_##id,
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
	u64 has[(IRA_COUNT + 63) / 64]; /* kinds that are in it, a bit each */
} IrAttrSet;

/* memory(...): two bits (1 read, 2 write) for each location. */
enum {
	IRM_ARG = 0,
	IRM_INACCESSIBLE = 2,
	IRM_ERRNO = 4,
	IRM_OTHER = 6,
	IRM_TARGET0 = 8,
	IRM_TARGET1 = 10,
	IRM_READ = 1,
	IRM_WRITE = 2,
	IRM_EACH = 0x555, /* times IRM_READ, IRM_WRITE: of every location */
	IRM_ALL = 0xFFF
};

enum { IR_OLDEST_VERSION = 14 }; /* of LLVM, whose bitcode is read */
enum { IR_VERSION = 22 };        /* of LLVM: the form that IR has in memory */

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
u32                ir_stated_flags(u32 flags); /* those that the text says */
u32                ir_taken_flags(u32 op);     /* those of IRF_WORDS that the operation may have */
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
       IRF_WORDS = 0x7FFF, /* what stands as a word between the operation and its operands */
       IRF_VOLATILE = 1 << 15,
       IRF_ATOMIC = 1 << 16, /* load, store */
       IRF_WEAK = 1 << 17,   /* cmpxchg */
       IRF_INALLOCA = 1 << 18,
       IRF_SWIFTERROR = 1 << 19,
       IRF_CLEANUP = 1 << 20,     /* landingpad */
       IRF_ELEMENTWISE = 1 << 21, /* atomicrmw: of each element of a vector on its own (LLVM 23) */
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
/* The atom of PTX with the same meaning: a token of SLOT_op, 0 where there is none, and the ISA_KIND_* of its type. */
extern const struct IrRmwForm {
	u8 op, kind;
} ir_rmw_form[IRRMW_COUNT];
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

/* The rarely used fields of an instruction: origin, name, debug records and attachments. */
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
	IRGF_WAS_GENERIC = 256 /* a variable: one of address space 0 in the input, for debug information */,
	IRGF_SANITIZE = 1024, /* << index in ir_sanitizer_words */
	IRGF_REPLACED = 16384 /* a function of which calls have gone to clones */,
	IRGF_LINKED = 32768 /* taken out of a library */
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
	u32     intrinsic; /* what intrinsic.c found by its name; 0: not looked for yet */
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
	IRCC_SPIR_KERNEL = 76,
	IRCC_X86_INTR = 83,
	IRCC_RISCV_VLS = 112, /* riscv_vls_cc(32), then one for each power of two up to 65536 */
	IRCC_RISCV_VLS_LAST = 123
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
	u32   first, n; /* operands or fields; IRMD_VALUE: the next node of the same value */
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
	u32 version; /* from 1; it grows where types may have another layout than before */
} IrLayout;

/* ---- the module ------------------------------------------------------------------------- */

/* The declaration of an intrinsic of an older LLVM: upgrade.h. */
typedef struct IrOutdated {
	IrRef func;
	u32   kind; /* UpgradeKind */
	u32   row;  /* its number in the table of its kind */
	IrRef now;  /* what is called instead, where it is known */
} IrOutdated;

/* Table of interned records: slots of (hash, id); id 0 is free. */
typedef struct IrIntern {
	u32 *slot;
	u32  mask, n;
} IrIntern;

typedef struct IrModule {
	Session *s;
	Arena   *arena;
	Pages    types, consts, globals, funcs, args, blocks, insts, inst_infos, asms, mds, attach, calls, dbgrecs;
	u32      mds_checked; /* by the verifier: what bodies add is checked with them */
	Pages    uses[2];     /* of instructions; of constants and globals */
	Pages    attr_sets;
	VecU32   type_lists, lists; /* lists: [n, …] runs; id = index of the length */
	Vec(u64) field_offsets;     /* parallel to type_lists: byte offsets of a struct's fields; layout.c fills them in */
	Vec(IrAttr) attr_pool;
	Vec(IrBundle) bundles;
	VecU32 md_ops;
	Vec(IrMdField) md_fields;
	Vec(IrNamedMd) named_md;
	Vec(IrComdat) comdats;
	struct IrAnnotations *annotations;                     /* index of !nvvm.annotations: md.c */
	struct IrNameLists   *intrinsic_names, *upgrade_names; /* rows of intrinsics.def and upgrades.def: names.h */
	VecU32                effect_sets;                     /* attribute sets of intrinsics' effects, + 1 */
	VecU32                scopes;                          /* StrId of each scope; [0] "", [1] "singlethread" */
	VecU32                order;                           /* globals in module order: indices of Pages globals */
	VecU32                struct_order;                    /* named and numbered structs in the order of their definitions */
	const struct Words   *words;                           /* keywords by name (lex.h); NULL: no text was read */
	struct IrNumbering   *numbering;                       /* the printer's: print.h */
	IrIntern              type_table, const_table, attr_table, md_strings;
	Map                   symbols;  /* StrId → index of a global */
	Map                   value_md; /* IrRef → IrMd of kind VALUE */
	StrId                 id, source_name, triple, layout_text;
	bool                  has_scalable; /* among its types is a scalable vector */
	bool                  has_targets;  /* a type of a target was made */
	Vec(StrId) asm_lines;
	VecU32   local_md; /* keys of value_md that are instructions or blocks; they go with their function */
	IrLayout layout;
	bool     layout_given;
	/* Names taken in the function `names_of`: by StrId, equal to names_epoch where taken. */
	VecU32 names;
	u32    names_epoch;
	IrRef  names_of;
	VecU32 name_suffix; /* by StrId: names_epoch and the last suffix given in it */
	/* Deferred bodies: the parser, the numbers of records without any body, whether a body uses a variadic type. */
	struct Parser *reader;
	struct Bc     *bitcode;   /* … or the reader of bitcode */
	bool           use_lists; /* of bodies that are read one by one: false where only blocks have lists of uses */
	struct {
		u32 insts, blocks, uses, attach, calls, dbgrecs, lists, bundles;
	} lasting;
	bool variadic_bodies;
	Vec(IrOutdated) outdated; /* declarations whose calls become something else: upgrade.c */
	Map    outdated_at;       /* … and where each of them stands there */
	VecU32 outdated_calls;    /* … of the one that is worked on */
	IrMd   nothing;           /* !{} at what these become */
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
static inline IrUse      *ir_inst_use(const IrModule *m, u32 use) { return pages_of(&m->uses[0], IrUse, use); }
static inline IrUse      *ir_use(const IrModule *m, u32 use) /* of an instruction, a constant or a global */
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

#endif
