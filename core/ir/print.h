/* print.h: the printer's state and its parts (print.c modules and functions, print_inst.c,
 * print_value.c types, names and constants, print_attr.c, print_md.c, print_older.c what older versions write otherwise). The
 * text is that of the LLVM whose version the knob ir-version names. */
#ifndef PS_IR_PRINT_H
#define PS_IR_PRINT_H

#include "ir/internal.h"

/* Numbers of what has no name, by index of the record: of each value as `%N` or `@N`, of metadata nodes and attribute
 * groups + 1 (0: none yet). Kept with the module, because dumps print one function or one operand at a time. */
typedef struct IrNumbering {
	VecU32 value[IR_MD]; /* by IrKind: instructions, arguments, blocks, globals */
	VecU32 block_order;  /* place of each block in its function */
	VecU32 md, groups;
	u32    n_md, n_groups;
} IrNumbering;

typedef struct Printer {
	Text     *out;
	IrModule *m;
	VecU32   *origins; /* may be NULL */
} Printer;

/* The version of LLVM that the text is for. */
static inline u32 irw_version(const IrModule *m) { return (u32)knob_int(m->s, KNOB_ir_version); }

void irw_line(Printer *pr, u32 origin); /* ends the line */
void irw_name(Printer *pr, char sigil, Str name);
void irw_string(Printer *pr, Str s); /* with quotes and escapes */
void irw_type(Printer *pr, IrType t);
void irw_struct_body(Printer *pr, IrType t);
void irw_ref(Printer *pr, IrRef r);          /* without its type */
u32  irw_number(const Printer *pr, IrRef r); /* N of an unnamed %N or @N */
void irw_typed(Printer *pr, IrRef r);
void irw_attrs(Printer *pr, IrAttrs set, bool in_group); /* each with a space before it */
void irw_group(Printer *pr, IrAttrs set);                /* " #7" where the set is not empty */
void irw_inst(Printer *pr, IrRef inst);
void irw_md(Printer *pr, IrMd n); /* as an operand */
void irw_attachments(Printer *pr, u32 list, IrMd dbg, const char *before);
void irw_dbg_records(Printer *pr, u32 list);
void irw_metadata(Printer *pr); /* named metadata and all numbered nodes */
void irw_number_metadata(IrModule *m);
void irw_cc(Printer *pr, u32 cc); /* with a space before it */
void irw_flags(Printer *pr, u32 op, u32 flags);

/* ---- print_older.c */
/* The attributes of the set in the form that the version has. */
IrAttrs     irw_older_attrs(IrModule *m, IrAttrs set);
IrAttrs     irw_older_result(IrModule *m, IrAttrs set); /* of a function's result */
u32         irw_older_flags(const IrModule *m, u32 op, u32 flags);
u32         irw_space(const IrModule *m, u32 space);
const char *irw_cast_name(const IrModule *m, u32 op, IrType from, IrType to);
/* How the version writes an intrinsic that has another form there; NULL: as it is in memory. */
typedef struct IrwOlderCall {
	const char *name, *older; /* how names begin; older NULL: they are the same */
	u8          since;        /* the first version with the form in memory */
	u8     at;   /* argument in front of which there is another one; IRW_NO_ARGUMENT; IRW_NEGATED: the last one is negated */
	IrType type; /* of that argument */
} IrwOlderCall;
enum { IRW_NEGATED = 254, IRW_NO_ARGUMENT = 255 };
const IrwOlderCall *irw_older_call(const IrModule *m, IrRef callee);
/* Is it declared under its older name anyway? */
bool irw_older_is_declared(const IrModule *m, IrRef callee);
void irw_older_name(Printer *pr, IrRef callee, const IrwOlderCall *o);
void irw_older_argument(Printer *pr, IrRef call, const IrwOlderCall *o);

#endif
