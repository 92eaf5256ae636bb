/* ptx.h: a PTX module in memory: what the asm printer builds, the text printer writes, the reader reads and
 * the emulator runs.
 *
 * A function's body is a list of statements (PtxStmt) in the order of the text: instructions, labels, scopes,
 * declarations. An instruction is an opcode (desc, isa/isa.h), a guard, and flat operands laid out exactly as
 * IsaDesc.operand says: results first, an address as base and offset, a vector as its elements.
 *
 *	@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];
 *	     desc ld.global.v2.f32, guard %p1, operands %f1 %f2 %rd1 8
 *
 * A call's operands are its results, what is called, its arguments, and the prototype where there is one.
 * Registers are numbers, unique in their function whatever scope declared them; PtxRegDecl has their names.
 * Names are strings of the session. */
#ifndef PS_PTX_H
#define PS_PTX_H

#include "base/vec.h"
#include "isa/isa.h"

typedef enum PtxOperandKind {
	PO_NONE,
	PO_REG,   /* id: register number */
	PO_SREG,  /* id: IsaSreg */
	PO_INT,   /* bits */
	PO_F32,   /* bits: written 0f… */
	PO_F64,   /* bits: written 0d… */
	PO_SYM,   /* id: StrId of a variable, parameter or function; bits: offset added to it (mov %rd, x+8) */
	PO_LABEL, /* id: label number */
	PO_SINK,  /* _ */
} PtxOperandKind;

enum {
	POF_NEGATED = 1 << 0,   /* ! before a predicate */
	POF_UNSIGNED = 1 << 1,  /* an integer above 2^63 - 1, not a negative one */
	POF_SHOW_ZERO = 1 << 2, /* offset 0 is written: [param0+0] */
	POF_HEX = 1 << 3,       /* an integer written 0x… with `spare` digits: bits of a half, masks */
	POF_X = 1 << 4,
	POF_Y = 2 << 4,
	POF_Z = 3 << 4,
	POF_W = 4 << 4, /* component of a vector register: %v.x */
	POF_COMPONENT = 7 << 4,
	POF_GENERIC = 1 << 7, /* generic(sym) */
};

typedef struct PtxOperand {
	u8  kind;  /* PtxOperandKind */
	u8  flags; /* POF_* */
	u16 spare; /* digits of POF_HEX; of a register: 1 .b0 … 4 .b3, 5 .h0, 6 .h1 (video instructions) */
	u32 id;
	u64 bits;
} PtxOperand;
_Static_assert(sizeof(PtxOperand) == 16, "fixed width on every host");

typedef enum PtxStmtKind {
	PS_INSN,
	PS_LABEL,   /* arg: label number */
	PS_OPEN,    /* { */
	PS_CLOSE,   /* } */
	PS_REGS,    /* arg: index into regs */
	PS_VAR,     /* arg: index into vars: .local, .shared, .param, … inside a body */
	PS_LOC,     /* arg: StrId of what follows .loc */
	PS_PRAGMA,  /* arg: StrId of what follows .pragma */
	PS_PROTO,   /* arg: index into protos: name : .callprototype … */
	PS_TARGETS, /* arg: label number of the table; operands: labels (.branchtargets) or symbols (.calltargets) */
	PS_TEXT,    /* arg: StrId printed as it is on a line of its own; what the asm printer adds, never read back */
} PtxStmtKind;

typedef struct PtxStmt {
	u8  kind;    /* PtxStmtKind */
	u8  guard;   /* 0 none, 1 @p, 2 @!p */
	u8  n_rets;  /* of a call */
	u8  flags;   /* PSF_* */
	u32 desc;    /* of an instruction */
	u32 operand; /* first, in PtxFunc.operands */
	u32 n;       /* operands */
	u32 reg;     /* the guard */
	u32 arg;     /* see PtxStmtKind */
	u32 line;    /* of the PTX text it was read from, 0: none */
	u32 origin;  /* of the compiler's input, 0: none */
	u32 comment; /* StrId; printed behind it, never read */
} PtxStmt;
_Static_assert(sizeof(PtxStmt) == 36, "fixed width on every host");

enum {
	PSF_PROTOTYPE = 1 << 0,   /* the last operand of a call is the label of its prototype or its targets */
	PSF_CALLTARGETS = 1 << 1, /* PS_TARGETS: .calltargets */
};

/* Registers first .. first + count - 1: `.reg .b32 %r<6>;` declares %r0 to %r5, `.reg .b32 tmp;` one. */
typedef struct PtxRegDecl {
	StrId name; /* without the number where it is a range */
	u32   first, count;
	u8    type; /* TOK_type_* */
	u8    vec;  /* 0, 2, 4 */
	bool  range;
	u8    spare;
	u32   line;
} PtxRegDecl;

typedef enum PtxLinkage { PTX_INTERNAL, PTX_VISIBLE, PTX_EXTERN, PTX_WEAK, PTX_COMMON } PtxLinkage;
typedef enum PtxOpaque { PTX_PLAIN, PTX_TEXREF, PTX_SAMPLERREF, PTX_SURFREF } PtxOpaque;

typedef enum PtxInitKind {
	PI_INT, /* bits */
	PI_F32,
	PI_F64,
	PI_SYM, /* name + bits; `generic`; mask: 0xFF00(sym) takes those bits of the address, 0: all */
	PI_OPEN,
	PI_CLOSE, /* { } */
	PI_FIELD, /* name = what follows (samplers) */
	PI_WORD,  /* name, bare */
} PtxInitKind;

typedef struct PtxInit {
	u8    kind; /* PtxInitKind */
	bool  generic;
	bool  is_unsigned;
	u8    spare;
	StrId name;
	u64   bits;
	u64   mask;
} PtxInit;

/* A variable, or a parameter of a function. */
typedef struct PtxVar {
	StrId name;      /* 0 or `_` in prototypes */
	StrId odd_type;  /* a type with a width that PTX does not have (.u33), as written; type is 0 then */
	u8    linkage;   /* PtxLinkage */
	u8    space;     /* TOK_space_*; a parameter may also be TOK_space_none = .reg */
	u8    type;      /* TOK_type_* */
	u8    vec;       /* 0, 2, 4 */
	u8    opaque;    /* PtxOpaque */
	u8    ptr;       /* parameter: 0, 1 .ptr, 2 .ptr with a space */
	u8    ptr_space; /* TOK_space_* */
	bool  managed;   /* .attribute(.managed) */
	bool  is_array;
	u32   align; /* 0: not written */
	u32   ptr_align;
	u32   range;       /* .param .b32 p<4>: the number; 0: no range */
	StrId attribute;   /* another .attribute(…), inside the parentheses */
	Vec(u64) dims;     /* extents; 0 = [] */
	Vec(PtxInit) init; /* empty: none */
	u32 line, origin;
	u32 comment;
} PtxVar;

typedef Vec(PtxVar) PtxVars;

typedef struct PtxProto {
	StrId   name;
	PtxVars rets, params;
	bool    noreturn;
	u32     line;
} PtxProto;

/* .maxntid 128, 1, 1   .minnctapersm 2   .noreturn   .pragma "…" */
typedef struct PtxTuning {
	StrId name; /* with its dot */
	StrId text; /* a string's, quotes included; 0: none */
	u32   n, value[3];
} PtxTuning;

typedef struct PtxLabel {
	StrId name;
	u32   stmt;  /* index of its PS_LABEL or PS_TARGETS; UINT32_MAX: not defined; a prototype: of its PS_PROTO */
	u32   scope; /* 0: the function */
} PtxLabel;

typedef struct PtxFunc {
	StrId   name;
	u8      linkage; /* PtxLinkage */
	bool    is_entry;
	bool    has_body;
	PtxVars rets, params;
	Vec(PtxTuning) tuning;
	Vec(PtxStmt) body;
	Vec(PtxOperand) operands;
	Vec(PtxRegDecl) regs; /* by ascending first */
	Vec(PtxLabel) labels; /* number 0 is none */
	Vec(PtxProto) protos;
	PtxVars vars;
	u32     n_regs; /* numbers in use: 1 .. n_regs - 1; 0 is none */
	u32     line, origin;
	StrId   attribute;
} PtxFunc;

typedef enum PtxItemKind { PT_VAR, PT_FUNC, PT_FILE, PT_SECTION, PT_PRAGMA, PT_ALIAS, PT_TEXT } PtxItemKind;

/* What stands at the top level, in the order of the text. */
typedef struct PtxItem {
	u32   kind;  /* PtxItemKind */
	u32   index; /* into vars or funcs */
	StrId text;  /* FILE: what follows .file; SECTION: name and body; ALIAS: "a, b"; TEXT: as it is */
	u32   line;
} PtxItem;

typedef struct PtxModule {
	Session *session;
	Arena   *arena;
	u32      version;      /* major * 10 + minor; 0: not written */
	StrId    target;       /* "sm_90, debug" */
	u32      address_size; /* 0: not written */
	StrId    header;       /* comment lines before .version; 0: none */
	Vec(PtxItem) items;
	Vec(PtxFunc *) funcs;
	Vec(PtxVar *) vars;
} PtxModule;

/* ---- building */

PtxModule *ptx_module_new(Session *s, Arena *arena);
PtxFunc   *ptx_add_func(PtxModule *m);
PtxVar    *ptx_add_var(PtxModule *m);
/* Another item; text may be the empty string. */
void ptx_add_item(PtxModule *m, PtxItemKind kind, StrId text);
/* A range or (range = false) one register; returns the number of the first. Adds the statement too. */
u32  ptx_add_regs(PtxModule *m, PtxFunc *f, StrId name, u32 type, u32 count, bool range);
u32  ptx_add_label(PtxModule *m, PtxFunc *f, StrId name); /* its number; not yet placed */
void ptx_place_label(PtxModule *m, PtxFunc *f, u32 label);
/* A new statement at the end of the body; good until the next one is added. */
PtxStmt *ptx_add_stmt(PtxModule *m, PtxFunc *f, PtxStmtKind kind);
/* The statement's operands must be added before the next statement with operands begins. */
void ptx_add_operand(PtxModule *m, PtxFunc *f, PtxOperand o);

static inline PtxOperand ptx_reg(u32 reg) { return (PtxOperand){.kind = PO_REG, .id = reg}; }
static inline PtxOperand ptx_int(i64 v) { return (PtxOperand){.kind = PO_INT, .bits = (u64)v}; }
/* 0x3C00: `digits` hexadecimal digits */
static inline PtxOperand ptx_hex(u64 bits, u32 digits)
{
	return (PtxOperand){.kind = PO_INT, .flags = POF_HEX, .spare = (u16)digits, .bits = bits};
}
static inline PtxOperand ptx_f32(u32 bits) { return (PtxOperand){.kind = PO_F32, .bits = bits}; }
static inline PtxOperand ptx_f64(u64 bits) { return (PtxOperand){.kind = PO_F64, .bits = bits}; }
static inline PtxOperand ptx_sym(StrId name, i64 offset)
{
	return (PtxOperand){.kind = PO_SYM, .id = name.i, .bits = (u64)offset};
}
static inline PtxOperand ptx_label(u32 label) { return (PtxOperand){.kind = PO_LABEL, .id = label}; }
static inline PtxOperand ptx_sreg(u32 sreg) { return (PtxOperand){.kind = PO_SREG, .id = sreg}; }

/* ---- asking */

const PtxRegDecl *ptx_reg_decl(const PtxFunc *f, u32 reg);
PtxFunc          *ptx_find_func(const PtxModule *m, StrId name); /* a body before a mere declaration; NULL */
PtxVar           *ptx_find_var(const PtxModule *m, StrId name);  /* module scope; NULL */
/* Bytes of a variable (SIZE_OVER: 2^64 or more) and of its alignment (natural where none is written). */
u64 ptx_var_size(const PtxVar *v);
u32 ptx_var_align(const PtxVar *v);

/* ---- text */

typedef struct PtxPrintOptions {
	bool comments; /* header, PtxStmt.comment, PS_TEXT, PT_TEXT */
	/* Where not NULL: the origin of every line of the text, appended in order. */
	VecU32 *origins;
} PtxPrintOptions;

void ptx_print(Text *out, const PtxModule *m, const PtxPrintOptions *options);
void ptx_print_func(Text *out, const PtxModule *m, const PtxFunc *f, const PtxPrintOptions *options);
/* One statement, as it stands in the text, newline included. */
void ptx_print_stmt(Text *out, const PtxModule *m, const PtxFunc *f, const PtxStmt *st, const PtxPrintOptions *options);

/* Reads a module. Errors go to the session's diagnostics; the module holds what could be read, and must not be
 * executed where there were errors. Never NULL. */
PtxModule *ptx_parse(Session *s, Arena *arena, Str text);

#endif
