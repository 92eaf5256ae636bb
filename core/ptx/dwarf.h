/* dwarf.h: debug information entries (DIEs), as DWARF 2 has them: what the files that make and print them share.
 *
 * dwarf.c        compile units, functions, global variables
 * dwarf_plan.c   before a function is printed: its scopes, where they begin and end, its labels
 * dwarf_value.c  and where its variables are
 * dwarf_expr.c   expressions that say so
 * dwarf_scope.c  entries of lexical blocks, inlined functions and local variables
 * dwarf_type.c   types
 * dwarf_import.c using directives and declarations
 * dwarf_print.c  the sections */
#ifndef PS_PTX_DWARF_H
#define PS_PTX_DWARF_H

#include "ptx/dwarf_asm.h"

enum {
#define DW_TAG(name, value)     DW_TAG_##name = value,
#define DW_AT(name, value)      DW_AT_##name = value,
#define DW_FORM(name, value)    DW_FORM_##name = value,
#define DW_ATE(name, value)     DW_ATE_##name = value,
#define DW_LANG(name, value, c) DW_LANG_##name = value,
#define DW_OP(name, value, t)   DW_OP_##name = value,
#include "ptx/dwarf.def"
	DW_OP_addr = 0x03,
	DW_OP_lit0 = 0x30, /* to lit31 */
	DW_INL_inlined = 1,
	DW_CC_nocall = 3,
	DW_CC_pass_by_reference = 4,
	DW_CC_pass_by_value = 5,
	DW_MAX_SCOPES = 500, /* one in another */
	DW_MAX_BYTES = 240,  /* of an expression: a block with one byte for its length, perhaps with an address */
	DW_UNKNOWN = 256,    /* an expression that cannot be said */
};

/* What an operation takes; "" where it is none of dwarf.def. *name: without DW_OP_. */
const char *dw_operation(u32 code, const char **name);

/* Numbers that cuda-gdb knows memories by: PTX's, as the field DW_AT_address_class has them. */
enum { CLASS_REG = 2, CLASS_CONST = 4, CLASS_GLOBAL = 5, CLASS_LOCAL = 6, CLASS_PARAM = 7, CLASS_SHARED = 8, CLASS_GENERIC = 12 };

typedef struct Die Die;

/* A value: a number, a text (a string, a label, the symbol that follows a block's first byte), another entry, or bytes. */
typedef struct DwAttr {
	u16       at, form;
	u32       n_bytes; /* of a block */
	const u8 *bytes;
	u64       number;
	Str       text;
	Die      *die;
} DwAttr;

typedef Vec(DwAttr) DwAttrs;
typedef Vec(Die *) Dies;

struct Die {
	u16            tag;
	DwAttrs        attr;
	Dies           child;
	struct DwUnit *unit;
	u32            offset, size, abbrev; /* offset: within the unit */
};

/* A function with code, or a global variable, for .debug_pubnames; a type for .debug_pubtypes. */
typedef struct DwName {
	Str  name;
	Die *die;
} DwName;

typedef struct DwUnit {
	IrMd node;
	Die *die;
	u32  length; /* of its entries, with the header */
	u32  start;  /* in .debug_info */
	bool full, names;
	Vec(DwName) name, type;
} DwUnit;

/* ---- the function being printed. A position counts its instructions in the order of the layout; a range is [begin, end). */

enum { DW_PIECES = 16 }; /* beside the kinds of mir/debug.h */

/* Where a variable is, or a piece of it. */
typedef struct DwValue {
	u32  kind; /* MirDebugKind, or DW_PIECES */
	u32  reg;  /* virtual register; frame object; the first in DwPlan.piece */
	u64  bits; /* constants; how many pieces */
	IrMd expression;
} DwValue;

typedef struct DwRange {
	u32  begin, end;
	u32  value;  /* index into DwPlan.value */
	bool behind; /* the last instruction of it ended it, not what a record says in front of the next */
} DwRange;

typedef struct DwVariable {
	IrMd  node, at; /* DILocalVariable; location of the call that was inlined, 0: none */
	u32   scope;    /* index; ~0u: no instruction is in it */
	IrRef slot;     /* #dbg_declare: the pointer, */
	IrMd  slot_expression;
	u32   part; /* the first of its parts in DwPlan.part; ~0u: none */
	Vec(DwRange) range;
} DwVariable;

/* Bits of a variable that records speak of together; size 0: all of it. */
typedef struct DwPart {
	u32  variable, next; /* the next part of the variable; ~0u: none */
	u64  offset, size;
	IrMd expression; /* that of a record: it names the bits */
	bool noted;
	Vec(DwRange) range;
} DwPart;

/* A function or a block of it, once for each time that it was inlined. Scope 0 is the function. */
typedef struct DwScope {
	IrMd   node, at;
	u32    parent;
	u32    begin, end;
	u32    open, open_end; /* the piece of it that is being followed; ~0u: none */
	VecU32 child, variable, label, import;
} DwScope;

/* Where the label of a position is printed: in front of the instruction there, or right behind the one before it. */
enum { DW_LABEL_BEFORE = 1, DW_LABEL_BEHIND = 2 };

typedef struct DwSourceLabel {
	IrMd node, at; /* DILabel; location of the call that was inlined, 0: none */
	u32  position; /* ~0u: nowhere */
} DwSourceLabel;

/* A line `//DEBUG_VALUE: …` in front of what is printed at the position, or `//DEBUG_LABEL: …` where the part is ~0u. */
typedef struct DwNote {
	u32 position, part, value; /* index in DwPlan.value, DwPlan.source_label */
} DwNote;

typedef struct DwPlan {
	IrMd subprogram;
	u32 *position; /* by instruction */
	u32  n;        /* the position behind the last */
	Vec(DwScope) scope;
	VecU32 inlined; /* IrMd of subprograms that were, in the order in which the code comes to them */
	Vec(DwVariable) variable;
	Vec(DwPart) part;
	Vec(DwValue) value; /* [0]: nobody knows where */
	VecU32 piece;       /* values, by offset */
	Vec(DwSourceLabel) source_label;
	Vec(DwNote) note;
	Map  scope_of, variable_of; /* node and inlined-at → index + 1 */
	u32 *label;                 /* by position: its number + 1 */
	u8  *wants;                 /* by position: DW_LABEL_… */
	u32  printed;               /* labels of positions below this one are, */
	u32  next_note;             /* and notes below this one */
} DwPlan;

/* A list of .debug_loc. */
typedef struct DwPlace {
	Str       from, to; /* labels */
	const u8 *bytes;
	u32       n_bytes;
} DwPlace;
typedef Vec(DwPlace) DwPlaces;

/* An entry that gets its name and type when the module ends. */
typedef struct DwLater {
	IrMd node;
	Die *die;
	Str  label; /* of a label: where it is */
	u32  index; /* of a variable: in DwPlan.variable, while its function is printed; of an import: see there */
} DwLater;

/* A variable's place in the frame. */
typedef struct DwSlot {
	bool known;
	u64  offset;
} DwSlot;

struct Dwarf {
	Asm   *a;
	Arena *arena;
	Vec(DwUnit *) unit;
	Map  global_of; /* IrMd of DIGlobalVariableExpression → index of the variable */
	Map  named;     /* names of functions with code */
	Map  printed;   /* IrMd of their subprograms */
	Map  of;        /* IrMd of a type, a subprogram, a namespace, a variable → index in `die` + 1 */
	Dies die;
	Map  abstract;      /* IrMd of a subprogram, a block, a variable of what was inlined → index in `die` + 1 */
	Map  has_variables; /* IrMd of a block of what was inlined */
	Map  has_imports;   /* likewise */
	Map  complete;      /* IrMd of a subprogram whose abstract entry has its variables */
	Vec(DwLater) defined;
	Vec(DwLater) variable; /* and parameters: DILocalVariable; of each function in the order of its plan */
	Vec(DwLater) source_label;
	Vec(DwLater) block;
	Vec(DwLater) import;    /* of functions: DIImportedEntity, with the entry of its scope; index: that is abstract */
	Vec(DwLater) contained; /* virtual functions, with the type that has the table */
	Vec(DwPlaces) list;
	Die    *size_type; /* of array indices */
	u32     depth;     /* of types that are being made */
	u32     n_labels;  /* $L__tmp… */
	bool    lists;     /* of places: they need labels in sections */
	DwPlan *plan;      /* NULL: the function has no entries */
};

/* Unsigned LEB128; returns the number of bytes, at most 10. */
static inline u32 dw_uleb(u8 *p, u64 v)
{
	u32 n = 0;
	do {
		p[n++] = (u8)((v & 127) | (v > 127 ? 128 : 0));
		v >>= 7;
	} while (v);
	return n;
}

static inline u32 dw_sleb(u8 *p, i64 v)
{
	u32 n = 0;
	for (bool more = true; more; v >>= 7) {
		more = v < -64 || v > 63;
		p[n++] = (u8)((v & 127) | (more ? 128 : 0));
	}
	return n;
}

/* ---- reading metadata: dwarf.c */
IrMd dw_node(const Dwarf *d, IrMd n, const char *field);
Str  dw_str(const Dwarf *d, IrMd n, const char *field);
u64  dw_int(const Dwarf *d, IrMd n, const char *field);
bool dw_flag(const Dwarf *d, IrMd n, const char *field, const char *word); /* flags: A | B has the word, or a bool is true */
Str  dw_word(const Dwarf *d, IrMd n, const char *field);                   /* a name: DW_TAG_member */
Str  dw_kind(const Dwarf *d, IrMd n);                                      /* DICompositeType */

/* NULL: it is none, as where the input has another node in its place. */
const IrMdNode *dw_expression_node(const Dwarf *d, IrMd n);
IrMd dw_function_around(const Dwarf *d, IrMd scope); /* the DISubprogram that the scope is or is in; none: there is none */

/* ---- making entries: dwarf.c */
Die *dw_new(Dwarf *d, Die *parent, u32 tag);
Die *dw_find(const Dwarf *d, IrMd n);
void dw_set(Dwarf *d, IrMd n, Die *die);
void dw_number(Dwarf *d, Die *die, u32 at, u64 v); /* in the shortest form */
void dw_form(Dwarf *d, Die *die, u32 at, u32 form, u64 v);
void dw_text(Dwarf *d, Die *die, u32 at, u32 form, Str s); /* nothing where it is empty */
void dw_ref(Dwarf *d, Die *die, u32 at, Die *to);
void dw_block(Dwarf *d, Die *die, u32 at, const u8 *bytes, u32 n, Str symbol);
void dw_place(Dwarf *d, Die *die, IrMd n);     /* decl_file and decl_line */
void dw_access(Dwarf *d, Die *die, IrMd n);    /* public, protected, private */
void dw_reference(Dwarf *d, Die *die, IrMd n); /* the & or && of a member function */
void dw_align(Dwarf *d, Die *die, IrMd n);     /* where it is given */
void dw_label(Dwarf *d, Die *die, u32 at, Str label);
/* The memory at a symbol: its class and place. */
void dw_address(Dwarf *d, Die *die, u32 space, Str symbol, u64 offset, IrMd expression);
u32  dw_class_in(const Dwarf *d, IrMd expression);
/* The entry that one of scope `scope` stands in. */
Die    *dw_scope(Dwarf *d, DwUnit *u, IrMd scope);
Die    *dw_subprogram(Dwarf *d, DwUnit *u, IrMd sp);
DwUnit *dw_unit_of(Dwarf *d, IrMd cu);
/* The attributes of a function that does not refer to its abstract entry. */
void dw_describe(Dwarf *d, Die *die, IrMd sp);

/* ---- dwarf_plan.c */
u32  dw_scope_of(Dwarf *d, DwPlan *p, IrMd scope, IrMd at); /* ~0u where no instruction is in it */
void dw_want_label(DwPlan *p, u32 position, u32 where);
Str  dw_label_at(const Dwarf *d, u32 position);

/* ---- asm_loc.c */
IrMd dw_loc_file(const Dwarf *d, IrMd loc); /* the file of a location */

/* ---- dwarf_value.c */
void dw_find_values(Dwarf *d, DwPlan *p);

/* ---- dwarf_expr.c */
/* The expression of a place; 0 bytes where it cannot be said. `in_list`: its constants have the sign of a basic type. */
u32 dw_expression(Dwarf *d, const DwVariable *v, const DwValue *x, bool in_list, u8 bytes[DW_MAX_BYTES]);
/* What an expression does with an address, of at most `room` bytes: how many, or DW_UNKNOWN. */
u32  dw_operations(const Dwarf *d, IrMd expression, u8 *bytes, u32 room);
bool dw_same_expression(const Dwarf *d, IrMd a, IrMd b);
/* Is the value as it is, all of the variable? */
bool dw_is_plain(const Dwarf *d, const DwValue *x);
/* Does the expression name some bits of the variable? */
bool dw_fragment(const Dwarf *d, IrMd expression, u64 *offset, u64 *size);
/* Of an integer of 128 bits. */
void dw_wide(const Dwarf *d, const DwValue *x, u64 word[2]);
void dw_print_note(Dwarf *d, const DwNote *note);
bool dw_is_unsigned(const Dwarf *d, IrMd type);

/* ---- dwarf_scope.c */
void   dw_inlined_entries(Dwarf *d); /* of functions that were inlined, in front of that of the function */
void   dw_local_entries(Dwarf *d, Die *function);
void   dw_describe_local(Dwarf *d);             /* when the module ends */
DwSlot dw_slot_of(const Asm *a, IrRef pointer); /* what #dbg_declare names */
Die   *dw_abstract_find(const Dwarf *d, IrMd n);
Die   *dw_abstract_function(Dwarf *d, IrMd sp); /* NULL: its unit has no entries */

/* ---- types: dwarf_type.c */
Die *dw_type(Dwarf *d, DwUnit *u, IrMd type); /* NULL: void */
void dw_type_ref(Dwarf *d, Die *die, IrMd type);
void dw_arguments(Dwarf *d, Die *die, IrMd types);
void dw_template(Dwarf *d, Die *die, IrMd parameters);
Die *dw_static_member(Dwarf *d, Die *parent, IrMd n);

/* Whether functions without a prototype are told apart: in C. */
bool dw_is_c(const Dwarf *d, const DwUnit *u);

/* ---- dwarf_import.c */
bool dw_is_import(const Dwarf *d, IrMd n);
void dw_import(Dwarf *d, DwUnit *u, IrMd n);
void dw_import_into(Dwarf *d, Die *scope, IrMd n, bool abstract); /* when the module ends */
void dw_local_imports(Dwarf *d);

/* ---- dwarf_print.c */
void dw_print(Dwarf *d);

#endif
