/* parse.h: the parser's state and its parts (parse.c module level, parse_token.c, parse_type.c, parse_value.c,
 * parse_attr.c, parse_inst.c, parse_func.c, parse_md.c).
 *
 * What is in memory has the form of LLVM 22. Older text is upgraded (upgrade.h). What LLVM 23 adds is read, too: a new
 * spelling becomes the one that LLVM 22 has, and a flag, an attribute or a field that only promises something is dropped.
 *
 * Errors: the first one of a statement is reported and the parser panics: the current token becomes
 * T_PANIC, which no rule takes, so everything unwinds by itself; parse_resync goes on at the next
 * instruction or top-level entity. Values made while panicking are never used. */
#ifndef PS_IR_PARSE_H
#define PS_IR_PARSE_H

#include "ir/internal.h"
#include "ir/lex.h"
#include "ir/order.h"

/* What a name of the current function stands for; by StrId. */
typedef struct LocalSlot {
	u32   epoch;
	IrRef ref;
} LocalSlot;

/* A use of an attribute group, which may be defined later in the text. */
enum { FIX_FUNC, FIX_CALL, FIX_VAR };
typedef struct GroupFixup {
	u32 kind;   /* FIX_* */
	u32 target; /* index of IrFunc, IrCall, IrGlobal */
	u32 group;
} GroupFixup;

/* A value or block used before its definition. */
typedef struct Forward {
	IrRef ref;
	u32   at; /* of the name, from the start of the text */
} Forward;

/* blockaddress(@f, %b) of a function that is not parsed yet: a placeholder constant is replaced at the end. */
typedef struct BlockAddress {
	IrRef    stand_in, func;
	StrId    name; /* none: number */
	u64      num;
	SrcRange at;
} BlockAddress;

/* The value of a name whose definition had an error; its uses are not reported again. */
#define LOCAL_IN_ERROR 0xF0000001u

/* Where a deferred body begins. */
typedef struct BodyPlace {
	const char *at;  /* its brace */
	const char *end; /* behind its last one */
	u32         line;
} BodyPlace;

/* Numbers → values: dense up to a bound, a map above. */
typedef struct NumTable {
	VecU32 dense;
	Map    rest;
} NumTable;

typedef struct Parser {
	Session    *s;
	IrModule   *m;
	Arena      *arena;
	Lexer       lexer;
	Token       t;
	const char *last_end;  /* of the token before `t`, */
	u32         last_line; /* and the line it ends on; 0: `t` is the first */
	Words       words;
	bool        panic;
	bool        skipping; /* on the way to the next place to start from */
	bool        entity_failed;
	u32         depth;

	Vec(LocalSlot) locals;
	u32    epoch;
	VecU32 local_num;  /* IrRef.i by number */
	u32    next_local; /* number the next unnamed value must have, at least */
	Vec(Forward) forward;
	Token   def; /* %name before the '=' of the instruction being read */
	bool    has_def;
	VecU32  param_nums; /* numbers of the unnamed parameters of the function read last */
	u32     line, col;  /* of that instruction */
	bool    comma_read; /* the comma before attachments is read already */
	IrFunc *func;
	IrRef   block;
	bool    debug_calls, debug_records; /* calls of llvm.dbg.*, records: a module has one of them */

	Map      di_good; /* fields and names of specialised metadata that have been looked up */
	NumTable types_num, globals_num, mds_num, groups;
	u32      next_global;
	Map      types_named;     /* StrId → IrType */
	Vec(SrcRange) comdat_use; /* first uses of IrModule.comdats */
	VecU32 types_undefined;   /* IrType of structs only used so far; first uses in type_use */
	Vec(SrcRange) type_use;
	VecU32 globals_forward; /* indices of globals only used so far */
	Vec(SrcRange) global_use;
	VecU32 mds_forward;
	Vec(SrcRange) md_use;
	Vec(GroupFixup) fixups;
	Vec(BlockAddress) addresses;

	IrManner how;
	bool     defer;        /* bodies are passed over … */
	bool     checking;     /* … to be checked one by one and forgotten */
	bool     undeferrable; /* … but this module needs them */
	Vec(BodyPlace) bodies; /* by index of IrFunc */
	VecU32 intrinsics;     /* StrId of each that is named in a body passed over; some more than once */
	Map    names;          /* of globals as the text has them, whatever passes called them since */

	IrType pointee;              /* of the last type read, where it was a typed pointer; else none */
	VecU32 scratch;              /* stack of IrRef.i for operand lists: take a base, push, pop */
	Vec(IrAttr) attrs;           /* the same for attributes */
	Vec(GroupFixup) group_stack; /* … and for groups named among them */
	VecU32    arg_attrs;         /* … and for the attribute sets of arguments */
	BodyOrder order;             /* where values get no lists of uses */
} Parser;

enum {
	LIMIT_DIGITS = 40000,
	LIMIT_NESTING = 200,     /* of types, constants, metadata */
	LIMIT_ATTRS = 200,       /* in one set */
	LIMIT_NUMBERS = 1 << 20, /* %N and !N: numbers kept densely */
	LIMIT_INT_BITS = (1 << 23),
};

/* ---- tokens and errors ---- */

void               irp_next(Parser *p);
void               irp_first(Parser *p); /* token of a text */
static inline bool at(const Parser *p, u32 kind) { return p->t.kind == kind; }
static inline bool at_word(const Parser *p, IrWord w) { return p->t.id == (u8)w; }
/* False in panic: no token is read then, and a list that went on at its comma would not end. */
static inline bool accept(Parser *p, u32 kind)
{
	if (p->t.kind != kind || p->panic)
		return false;
	irp_next(p);
	return true;
}
static inline bool accept_word(Parser *p, IrWord w)
{
	if (!at_word(p, w) || p->panic)
		return false;
	irp_next(p);
	return true;
}
/* Reports "expected WHAT, found TOKEN": where the last token ends, if this one is on another line. */
void               irp_expected(Parser *p, const char *what) PS_COLD;
void               irp_unexpected(Parser *p, const char *what) PS_COLD; /* the same, at this token */
static inline bool irp_expect(Parser *p, u32 kind, const char *what)
{
	if (accept(p, kind))
		return true;
	irp_expected(p, what);
	return false;
}
static inline bool irp_expect_word(Parser *p, IrWord w, const char *what)
{
	if (accept_word(p, w))
		return true;
	irp_expected(p, what);
	return false;
}

SrcRange irp_token_range(const Parser *p);
SrcRange irp_here(const Parser *p);
/* Makes the lexer read the current token again, unless it is the one at `start`: then parsing made no progress. */
void irp_rewind(Parser *p, const char *start);

SrcRange irp_range_of(const Parser *p, Spot at);
/* From the start of `from` to the end of the last token read. */
SrcRange           irp_range_from(const Parser *p, const Spot *from);
static inline Spot spot(const Parser *p) { return token_spot(&p->t); }
/* Reports and panics. The diagnostic for a hint; never NULL. */
#define PARSE_ERROR(p, at, code, ...) irp_panic((p), diag_report(&(p)->s->diags, DIAG_##code, (at), __VA_ARGS__))
#define PARSE_ERROR0(p, at, code)     irp_panic((p), diag_report(&(p)->s->diags, DIAG_##code, (at)))
Diag *irp_panic(Parser *p, Diag *d) PS_COLD;
Str   irp_token_str(Parser *p); /* the text between the quotes, escapes undone */
StrId irp_token_strid(Parser *p);
Str   irp_type_text(Parser *p, IrType t); /* as printed, for messages */

/* What to write instead: parse_hint.c. */
bool irp_hint_word(Diag *d, Str s);                                      /* of another language */
void irp_hint_number(Parser *p, Diag *d, IrType t, const Token *number); /* that is not of type `t` */
void irp_hint_operation(Diag *d, const IrModule *m, u32 op, IrType t);   /* that does not take `t` */
void irp_expected_predicate(Parser *p, bool fp);
bool irp_number_ends(Parser *p);                                                   /* nothing sticks to the token */
void irp_check_cast(Parser *p, u32 op, IrType from, IrType to, const Spot *start); /* reports a cast that does not fit */
bool irp_enter(Parser *p); /* one level deeper; false: the limit was reported */
static inline void leave(Parser *p) { p->depth--; }

u32  irp_num_get(const NumTable *t, u64 n);
void irp_num_set(Parser *p, NumTable *t, u64 n, u32 value);
bool irp_u32(Parser *p, u32 max, const char *what, u32 *out);
bool irp_u64(Parser *p, const char *what, u64 *out);

/* Reports the current token, where it is no field of such a node or no constant that there is: parse_di.c. */
void irp_check_di_field(Parser *p, StrId node, StrId field);
void irp_check_di_name(Parser *p);
bool irp_di_node_known(Str node);

/* ---- the parts ---- */

IrType irp_type(Parser *p); /* any but void, label, metadata, function */
IrType irp_type_or_void(Parser *p);
IrType irp_any_type(Parser *p); /* also label, metadata, token */
bool   irp_starts_type(const Parser *p);
u32    irp_addrspace(Parser *p);       /* optional addrspace(N) */
void   irp_type_definition(Parser *p); /* %x = type … */

IrRef irp_value(Parser *p, IrType t);
IrRef irp_type_value(Parser *p);
IrRef irp_const(Parser *p, IrType t); /* no locals */
IrRef irp_const_expr(Parser *p);      /* at its keyword; of any type */
IrRef irp_global_ref(Parser *p, IrType t);
bool  irp_string(Parser *p, StrId *out);
u8    irp_align_value(Parser *p); /* the number behind `align` */

void    irp_attrs(Parser *p, u32 place);     /* pushes on p->attrs, numbers of groups on p->group_stack */
IrAttrs irp_take_attrs(Parser *p, u32 from); /* makes a set of what was pushed since */
IrAttrs irp_fn_attrs(Parser *p, u32 place);  /* of a function, a call or a group */
void    irp_attribute_group(Parser *p);
enum { PLACE_FUNC = 1, PLACE_PARAM = 2, PLACE_RET = 4, PLACE_VAR = 8, PLACE_GROUP = 16, PLACE_CALL = 32 };
void irp_unknown_attr(Parser *p);
/* Attributes as a function's are written: for tables. */
IrAttrs irp_attrs_of_text(IrModule *m, Str text);
u16     irp_cc(Parser *p);
/* The groups pushed since `from` go to the target when all are known. */
void irp_fixup(Parser *p, u32 kind, u32 target, u32 from);
void irp_resolve_groups(Parser *p);

void irp_body(Parser *p, IrFunc *f);
void irp_pass_over_body(Parser *p, IrFunc *f); /* notes the place: defer.c */
/* The diagnostic for a text that is not LLVM IR; DIAG_COUNT where it may be LLVM IR. */
bool irp_foreign(Diags *d, Str text);
/* Names of globals as the text has them, before anything is renamed. */
void irp_note_names(Parser *p);
/* When all but bodies is read; false: they have to be read along. */
bool  irp_can_defer(Parser *p);
bool  irp_is_value(Parser *p);            /* the T_LOCAL or T_LOCAL_NUM at hand names a value that was defined */
IrRef irp_local_ref(Parser *p, IrType t); /* the T_LOCAL or T_LOCAL_NUM at hand */
IrRef irp_block_ref(Parser *p);           /* label %x, at the name */
IrRef irp_label_operand(Parser *p);       /* label %x */
void  irp_define_failed(Parser *p);       /* the instruction was in error: uses of its name are not */
void  irp_inst(Parser *p);
/* Links a new instruction into the current block under the name before the '='. `ops`: IrRef.i */
IrRef irp_define_inst(Parser *p, IrOp op, IrType t, const u32 *ops, u32 n_ops);

void  irp_md_definition(Parser *p);                       /* !7 = …, !name = … */
IrMd  irp_md(Parser *p);                                  /* what may stand for a metadata operand: !…, or TYPE VALUE */
IrMd  irp_md_node(Parser *p);                             /* behind !: number, brace, string; or !DI…(…) */
u32   irp_attachments(Parser *p, IrMd *dbg, bool commas); /* [,] !kind !node …; the list */
IrRef irp_asm(Parser *p, IrType fn);                      /* inline assembly, which a call of that type calls */
void  irp_dbg_record(Parser *p);
/* A call whose first argument is metadata; false: there are debug records, which do not go with calls of llvm.dbg.*. */
bool irp_debug_call(Parser *p, IrRef callee);
void irp_resolve_md(Parser *p);
void irp_resolve_block_addresses(Parser *p);
/* The block with that name, or, where it has none, that number; none: there is none. */
IrRef irp_find_block(const IrModule *m, const IrFunc *f, StrId name, u64 num);

void irp_use_order(Parser *p);          /* uselistorder */
void irp_use_order_of_block(Parser *p); /* uselistorder_bb */
void irp_summary(Parser *p);            /* ^7 = … */

/* Floating-point constants: fp_text.c. Bits of type `t` in words[2]; false: the value is not exact in it. */
bool ir_fp_from_double(const IrModule *m, IrType t, u64 bits, u64 words[2]);

#endif
