/* bitcode.h: the state of the bitcode reader, which its files share.
 *
 *   bitcode_stream.c   blocks, abbreviations, records; bitcode_record.h: the numbers of a record
 *   bitcode_file.c     wrapper header, archives
 *   bitcode.c          top-level blocks, module records, order of work
 *   bitcode_type.c     the type table
 *   bitcode_attr.c     attributes
 *   bitcode_const.c    constants
 *   bitcode_expand.c   instructions in place of older constant expressions
 *   bitcode_md.c       metadata, attachments; bitcode_di.c: debug information
 *   bitcode_func.c     bodies: values, blocks, debug locations
 *   bitcode_name.c     names of values and blocks
 *   bitcode_inst.c     instructions; bitcode_define.h makes them
 *   bitcode_call.c     calls
 *
 * A record's meaning is that of LLVM's documents where they say it, else what llvm-as of 14, 19 and 22 write as llvm-bcanalyzer shows it.
 *
 * Errors: the first one is reported with its place, and reading ends: bc_next returns BC_END from then on. What was made until then is
 * never used. */
#ifndef PS_IR_BITCODE_H
#define PS_IR_BITCODE_H

#include "ir/bitcode_stream.h"
#include "ir/internal.h"
#include "ir/md_older.h"
#include "ir/order.h"
#include "ir/text.h"

enum BcBlockId {
	BCB_MODULE = 8,
	BCB_PARAMATTR = 9,
	BCB_PARAMATTR_GROUP = 10,
	BCB_CONSTANTS = 11,
	BCB_FUNCTION = 12,
	BCB_IDENTIFICATION = 13,
	BCB_VALUE_SYMTAB = 14,
	BCB_METADATA = 15,
	BCB_METADATA_ATTACHMENT = 16,
	BCB_TYPE = 17,
	BCB_USELIST = 18,
	BCB_OPERAND_BUNDLE_TAGS = 21,
	BCB_METADATA_KIND = 22,
	BCB_STRTAB = 23,
	BCB_SYNC_SCOPE_NAMES = 26,
};

typedef struct BcType {
	IrType t;
	u32    pointee; /* a typed pointer (LLVM before 15): the number of the type it points to, + 1 */
	bool   awaited; /* a struct that was only used so far */
	u8     depth;   /* how deep it nests as a text, in which named structs stand by name */
} BcType;

/* What a number stands for. Of what is used before its definition, a type is known too. */
typedef struct BcValue {
	IrRef  ref; /* none: it is not defined yet, or is a constant that is not made yet */
	IrType type;
	u32 block; /* that defines it; 0: the first one does, or it is there everywhere; BC_ASK: order.c says whether it is there */
	u32 constant; /* in Bc.consts, + 1 */
} BcValue;
#define BC_ASK UINT32_MAX

/* A constant is made when it is first used, so that constants come into being in the order in which the text reader makes them. */
typedef struct BcConst {
	IrRef made;
	u32   type; /* number in the type table */
	u32   code, first, n;
	u16   depth;    /* how deep it nests */
	u8    unkept;   /* IrOp: it is no constant any more, as this operation is none or is in it */
	bool  busy;     /* it is being made: whoever needs it now contains itself */
	u32   of_use;   /* the use for which */
	IrRef expanded; /* … instructions have been made of it: their value */
} BcConst;

/* What was made of constant expressions in a body, for its name. */
typedef enum BcExpandedWhat { BCX_VALUE, BCX_PART, BCX_EDGE } BcExpandedWhat;
typedef struct BcExpanded {
	IrRef          ref;
	BcExpandedWhat what;
} BcExpanded;

/* A block on the edge to a phi. */
typedef struct BcEdge {
	IrRef from, to, block;
} BcEdge;

typedef struct BcAttrList {
	u32     first, n; /* groups, in list_groups */
	bool    known;
	IrAttrs fn, ret;
	u32     params, n_params; /* sets in param_sets */
} BcAttrList;

typedef struct BcAttrGroup {
	u32     place; /* UINT32_MAX: function; 0: result; else 1 + parameter */
	u32     first, n;
	bool    known;
	IrAttrs set;
} BcAttrGroup;

/* A metadata number stands for a string, which becomes a node when one is needed, or for a node. */
typedef struct BcMd {
	IrMd node;
	u32  string; /* in strings, + 1 */
} BcMd;

/* The value numbers of a global's initializer, a function's prefix data, … */
typedef struct BcInit {
	IrRef global;
	u32   which; /* 0: initializer, aliasee; 1…3: IrFunc.extra */
	u64   value;
} BcInit;

/* blockaddress of a body that is not read yet: a stand-in is replaced at the end. */
typedef struct BcBlockAddress {
	IrRef stand_in, func;
	u64   block;
} BcBlockAddress;

/* Names of a body where nothing is asked of them but whether two are alike. */
typedef struct BcNameSlot {
	u64 name;  /* 64 bits that equal names have in common */
	u32 epoch; /* of the body that has it; of an earlier one: the slot is free */
} BcNameSlot;
typedef struct BcNameSet {
	BcNameSlot *slot;
	u32         mask, n, epoch;
} BcNameSet;

/* What calls have in common that differ in callee and arguments alone: the bits with which their records begin, which are not read again,
 * and what these mean. */
typedef struct BcCalls {
	u64    first;      /* BC_CALL_HEAD bits of the record, from its code on; 0: there is nothing here */
	u64    rest, mask; /* those behind them up to the function type, and which bits these are */
	u32    n_bits;
	u32    n_params, first_param; /* types, in IrModule.type_lists */
	IrType result;
	u32    flags, tail; /* IrInst.flags, IrInst.sub */
	u32    epoch, made; /* the body that has its IrCall, and which that is */
	IrCall call;
} BcCalls;
enum { BC_CALLS = 64, BC_CALL_HEAD = 54 };

typedef struct Bc {
	Session  *s;
	IrModule *m;
	Arena    *arena;
	BcStream  in;
	Str       strtab;
	Str       producer;
	u32       producer_major; /* 0: not known */
	u64       container;      /* bytes of the file before the stream */
	bool      reported;
	bool      undeferrable; /* bodies are needed together */
	u32       blocks_seen;  /* of those that a module has once: bits by id */
	u32       version;      /* of the module: 1 relative value numbers, 2 names in the string table */

	Vec(BcType) types;
	u32    depth_below; /* of the deepest part of the type that is read */
	Map    type_names;
	StrId  next_struct;
	u32    numbered_structs;
	VecStr sections, gcs;

	Map attr_groups; /* id → index + 1 */
	Vec(BcAttrGroup) groups;
	Vec(BcAttrList) lists;
	Vec(u64) group_ops;
	VecU32 list_groups, param_sets;

	u32 next_value;      /* the number of the next one */
	Vec(BcValue) values; /* by number */
	Vec(BcConst) consts;
	Vec(u64) const_ops;
	u32 n_module_values, n_module_consts, n_module_const_ops, const_depth;
	Vec(BcInit) inits;
	Vec(BcBlockAddress) addresses;
	u32 unkept; /* of the constant that was to be made: BcConst.unkept */
	Vec(BcExpanded) expanded;
	Vec(BcEdge) edges;
	Map edge_of;       /* from and to → index in edges + 1 */
	u32 expanded_uses; /* how many uses have been expanded */
	u64 phi_from;      /* while an entry of a phi is read: the number of its block, + 1 */

	Vec(BcMd) mds;
	VecStr              strings;
	u32                 n_module_mds, n_module_strings;
	u32                 awaited_mds; /* nodes used and not yet defined */
	VecU32              md_kinds;    /* StrId by number */
	Str                 md_name;
	u32                 next_md; /* the number of the next one */
	struct BcDiLayouts *di;
	u32                 di_size_bit; /* in a record's first operand: sizes are nodes */
	IrMdFields          di_fields;
	IrIntern            locations;

	VecU32 bundle_tags, scopes;
	VecU32 bodies;    /* functions with bodies, in the order of their records */
	Vec(u64) body_at; /* where those begin, in bits */
	VecU32  functions;
	u32     n_globals;
	u32     depth;  /* of the module's block, */
	BcScope inside; /* and its scope, to go back to for a body */
	u32     next_body;
	u64     room_end; /* of the body or the module that is read: in bits */

	/* the body that is being read */
	IrFunc   *func;
	IrRef     block;
	VecU32    blocks; /* IrRef.i by number */
	u32       at_block;
	VecU32    insts; /* IrRef.i of the instructions of records */
	VecU32    names; /* by StrId: epoch in which it was given */
	BcNameSet name_set;
	u32       epoch;   /* bodies that have begun */
	u32       awaited; /* values used before their definition and not defined yet */
	IrMd      location;
	VecU32    ops; /* operand lists */
	Vec(IrBundle) bundles;
	VecU32    bundle_ops;
	BcCalls   calls[BC_CALLS]; /* by their bits */
	BodyOrder order;           /* where values get no lists of uses */
} Bc;

/* ---- errors ---- */

/* Reports the first error with its place; false for the caller to return. */
bool bc_error(Bc *b, const char *fmt, ...) PS_PRINTF(2, 3) PS_COLD;
/* The same for something that the format does not have, which a newer LLVM may have written. */
bool               bc_unknown(Bc *b, const char *what, u64 number) PS_COLD;
static inline bool bc_ok(const Bc *b) { return !b->in.broken; }
static inline bool bc_check(Bc *b, bool good, const char *what)
{
	if (!good)
		bc_error(b, "%s", what);
	return good;
}
/* Bits that are left of the body or the module: what a number is used for that is defined later needs some of them. */
static inline u64 bc_room(const Bc *b) { return b->room_end > b->in.at ? b->room_end - b->in.at : 0; }
/* Has the record at least n operands? */
static inline bool bc_need(Bc *b, u32 n) { return bc_check(b, b->in.rec.n >= n, "a record is too short"); }
/* Sets of numbers of operands, of which no record that has one takes more than 31. */
#define BC_LENGTHS(least, most) ((u32)(((u64)2 << (most)) - ((u64)1 << (least))))
static inline bool bc_lengths(Bc *b, u32 set)
{
	return bc_check(b, b->in.rec.n < 32 && set >> b->in.rec.n & 1, "a record has more or fewer operands than there can be");
}
/* Are the operands up to `at` all that the record has? */
static inline bool bc_ends(Bc *b, u32 at)
{
	return bc_check(b, at == b->in.rec.n, "a record has more or fewer operands than there can be");
}
static inline u64 bc_op(const Bc *b, u32 i) { return i < b->in.rec.n ? b->in.rec.op[i] : 0; }

/* ---- numbers of operations: bitcode_inst.c ---- */

u32 bc_binary_op(u64 code, bool fp); /* IrOp; 0: none */
u32 bc_cast_op(u64 code);
u32 bc_predicate(u64 code, bool fp); /* IrPred; IRP_COUNT: none of the kind */
u32 bc_gep_flags(u64 v);
u32 bc_fast_math(u64 v);

/* ---- parts ---- */

void                 bc_type_block(Bc *b);
IrType               bc_no_type(Bc *b, u64 number) PS_COLD;
static inline IrType bc_type(Bc *b, u64 number) /* any; none after an error */
{
	IrType t = number < b->types.n ? b->types.p[number].t : (IrType){0};
	return t.i ? t : bc_no_type(b, number);
}
IrType bc_value_type(Bc *b, u64 number); /* … of a value */
bool   bc_is_value_type(const IrModule *m, IrType t);

void                            bc_attr_group_block(Bc *b);
void                            bc_attr_block(Bc *b);
const BcAttrList               *bc_attr_list_with_care(Bc *b, u64 number);
static inline const BcAttrList *bc_attr_list(Bc *b, u64 number) /* + 1; never NULL */
{
	const BcAttrList *l = number - 1 < b->lists.n ? &b->lists.p[number - 1] : NULL;
	return l && l->known ? l : bc_attr_list_with_care(b, number);
}
/* The sets of n arguments as a list of IrModule.lists; 0: all are empty. */
u32 bc_param_list(Bc *b, const BcAttrList *list, u32 n);

void  bc_const_block(Bc *b);
IrRef bc_const(Bc *b, u64 number); /* a constant or global by number */
IrRef bc_make_const(Bc *b, u32 index);
void  bc_resolve_addresses(Bc *b);
/* What a use of a constant that is none any more (Bc.unkept) gets; and whether a value is one. */
IrRef bc_expand(Bc *b, u32 index);
bool  bc_is_unkept(Bc *b, u64 number);
void  bc_begin_expansions(Bc *b);
void  bc_end_expansions(Bc *b);
IrRef bc_expanded_inst(Bc *b, BcExpandedWhat what, u32 op, IrType t, const IrRef *ops, u32 n);

void bc_md_block(Bc *b);
void bc_md_kind_block(Bc *b);
void bc_md_attachment_block(Bc *b);
IrMd bc_md(Bc *b, u64 number);         /* the node, which may come later */
IrMd bc_md_of_node(Bc *b, u64 number); /* … which may be part of a node: no value of a function */
IrMd bc_md_node_of(Bc *b, u64 number); /* … which is no string and no value */
IrMd bc_md_or_null(Bc *b, u64 number_plus_one);
Str  bc_md_string(Bc *b, u64 number_plus_one); /* of a string; empty where there is none */
/* Defines the next number. */
void bc_md_define(Bc *b, IrMdNode node);
void bc_md_attach(Bc *b, u32 *list, IrMd *dbg, u32 from); /* pairs of kind and node of the record */
bool bc_di_record(Bc *b);                                 /* false: no record of debug information */
IrMd bc_di_location(Bc *b, const u64 *op, u32 n);         /* line, column, scope + 1, inlined at + 1, implicit */

void  bc_body(Bc *b, IrFunc *f);
void  bc_use_lists(Bc *b);
void  bc_name_block(Bc *b);
IrRef bc_value_with_care(Bc *b, u64 number, IrType t);
/* The value, which may be defined later. */
static inline IrRef bc_value(Bc *b, u64 number, IrType t)
{
	const BcValue *v = number < b->values.n ? &b->values.p[number] : NULL;
	return v && v->ref.i && ir_type_same(v->type, t) ? v->ref : bc_value_with_care(b, number, t);
}
IrRef bc_operand_with_care(Bc *b, u64 number, IrType t);
void  bc_ask(Bc *b, IrRef v, u32 block);
/* Asks for a value of another block, unless it is known to dominate this one. */
static inline void bc_ask_of(Bc *b, IrRef v, u32 block)
{
	if (!order_reaches(&b->order, block))
		bc_ask(b, v, block);
}
/* The value as an operand of the instruction of the record. */
static inline IrRef bc_value_here(Bc *b, u64 number, IrType t)
{
	const BcValue *v = number < b->values.n ? &b->values.p[number] : NULL;
	if (!v || !v->ref.i || !ir_type_same(v->type, t))
		return bc_operand_with_care(b, number, t);
	IrRef r = v->ref;
	bc_ask_of(b, r, v->block);
	return r;
}
/* Records have numbers of values, in version 1 and later as how far it is back. */
static inline u64   bc_number(const Bc *b, u64 op) { return b->version ? (u32)(b->next_value - (u32)op) : op; }
static inline IrRef bc_operand_of(Bc *b, u64 op, IrType t) { return bc_value_here(b, bc_number(b, op), t); }
/* The operand of the record at *at, of a type that is known; moves *at behind it. */
static inline IrRef bc_operand(Bc *b, u32 *at, IrType t)
{
	return bc_need(b, *at + 1) ? bc_operand_of(b, b->in.rec.op[(*at)++], t) : IR_NO_REF;
}
IrRef bc_operand_and_type_with_care(Bc *b, u32 *at, IrType *t);
/* none: there is none of that number yet */
static inline IrRef bc_inst_at(const Bc *b, u64 number) { return number < b->insts.n ? (IrRef){b->insts.p[number]} : IR_NO_REF; }
static inline IrRef bc_last_inst(const Bc *b) { return bc_inst_at(b, (u64)b->insts.n - 1); }
/* … whose type, t, follows where it is defined later. */
static inline IrRef bc_operand_and_type(Bc *b, u32 *at, IrType *t)
{
	u64            number = *at < b->in.rec.n ? bc_number(b, b->in.rec.op[*at]) : UINT64_MAX;
	const BcValue *v = number < b->next_value ? &b->values.p[number] : NULL;
	if (!v || !v->ref.i) {
		u32    behind = *at;
		IrType type;
		IrRef  r = bc_operand_and_type_with_care(b, &behind, &type);
		*at = behind;
		*t = type;
		return r;
	}
	IrRef r = v->ref;
	++*at;
	*t = v->type;
	bc_ask_of(b, r, v->block);
	return r;
}
IrRef               bc_typed_operand(Bc *b, u32 *at); /* the same for whoever needs no type */
bool                bc_next_value(Bc *b, BcValue v);  /* gives the next number to it */
IrRef               bc_block_ref(Bc *b, u64 number);
static inline IrRef bc_target(Bc *b, u64 number) /* the same for a terminator */
{
	if (number >= b->blocks.n)
		return bc_block_ref(b, number);
	if (!b->m->use_lists)
		order_edge_at(&b->order, (u32)number);
	return (IrRef){b->blocks.p[number]};
}
/* NULL after an error. */
IrInst *bc_define(Bc *b, IrOp op, IrType t, const u32 *ops, u32 n);
/* Reads records of a body up to a block in it or the end. */
BcEntry bc_insts(Bc *b);
void    bc_other_record(Bc *b); /* of a body, which is no instruction */
void    bc_call(Bc *b);
/* Reads a call whose record, without an abbreviation, begins at `at` as that of an earlier one; false: it does not. */
bool bc_call_again(Bc *b, u64 at);
enum { BC_CALL_BITS = (34 & 31) | 32 | (34 >> 5) << 6, BC_CALL_MASK = 0xFFF }; /* the code of a call in pieces of six bits */
void  bc_invoke(Bc *b);
void  bc_callbr(Bc *b);
StrId bc_chars(Bc *b, u32 from); /* the rest of the record as characters */
Str   bc_char_str(Bc *b, u32 from, u32 n);

/* Reads bitcode (ir_parse has seen its magic). */
IrModule *bc_parse(Session *s, Str bytes, IrManner how);
bool      bc_read_body(IrModule *m, IrFunc *f);

#endif
