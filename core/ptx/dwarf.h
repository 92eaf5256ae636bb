/* dwarf.h: debug information entries (DIEs), as DWARF 2 has them: what the files that make and print them share.
 *
 * dwarf.c        compile units, functions, variables
 * dwarf_type.c   types
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
#include "ptx/dwarf.def"
	DW_OP_addr = 0x03,
	DW_OP_plus_uconst = 0x23,
	DW_OP_call_frame_cfa = 0x9c,
};

typedef struct Die Die;

/* A value: a number, a text (a string, a label, the symbol that follows a block's first byte), another entry, or bytes. */
typedef struct DwAttr {
	u16  at, form;
	u8   bytes[14], n_bytes; /* of a block */
	u64  number;
	Str  text;
	Die *die;
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
	Str  low, high; /* labels; empty: no code yet */
	Vec(DwName) name, type;
} DwUnit;

/* An entry that gets its name and type when the module ends. */
typedef struct DwLater {
	IrMd node;
	Die *die;
} DwLater;

struct Dwarf {
	Asm   *a;
	Arena *arena;
	Vec(DwUnit *) unit;
	Map  of; /* IrMd of a type, a subprogram, a namespace, a variable → index in `die` + 1 */
	Dies die;
	Vec(DwLater) defined;
	Vec(DwLater) variable; /* and parameters: DILocalVariable */
	Die *size_type;        /* of array indices */
	u32  depth;            /* of types that are being made */
};

/* ---- reading metadata: dwarf.c */
IrMd dw_node(const Dwarf *d, IrMd n, const char *field);
Str  dw_str(const Dwarf *d, IrMd n, const char *field);
u64  dw_int(const Dwarf *d, IrMd n, const char *field);
bool dw_flag(const Dwarf *d, IrMd n, const char *field, const char *word); /* flags: A | B has the word, or a bool is true */
Str  dw_word(const Dwarf *d, IrMd n, const char *field);                   /* a name: DW_TAG_member */
Str  dw_kind(const Dwarf *d, IrMd n);                                      /* DICompositeType */

/* ---- making entries: dwarf.c */
Die *dw_new(Dwarf *d, Die *parent, u32 tag);
Die *dw_find(const Dwarf *d, IrMd n);
void dw_set(Dwarf *d, IrMd n, Die *die);
void dw_number(Dwarf *d, Die *die, u32 at, u64 v); /* in the shortest form */
void dw_form(Dwarf *d, Die *die, u32 at, u32 form, u64 v);
void dw_text(Dwarf *d, Die *die, u32 at, u32 form, Str s); /* nothing where it is empty */
void dw_ref(Dwarf *d, Die *die, u32 at, Die *to);
void dw_block(Dwarf *d, Die *die, u32 at, const u8 *bytes, u32 n, Str symbol);
void dw_place(Dwarf *d, Die *die, IrMd n); /* decl_file and decl_line */
/* The entry that one of scope `scope` stands in. */
Die    *dw_scope(Dwarf *d, DwUnit *u, IrMd scope);
Die    *dw_subprogram(Dwarf *d, DwUnit *u, IrMd sp);
DwUnit *dw_unit_of(Dwarf *d, IrMd cu);

/* ---- types: dwarf_type.c */
Die *dw_type(Dwarf *d, DwUnit *u, IrMd type); /* NULL: void */
void dw_type_ref(Dwarf *d, Die *die, IrMd type);
void dw_arguments(Dwarf *d, Die *die, IrMd types);

/* Whether functions without a prototype are told apart: in C. */
bool dw_is_c(const Dwarf *d, const DwUnit *u);

/* ---- dwarf_print.c */
void dw_print(Dwarf *d);

#endif
