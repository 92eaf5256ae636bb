/* print.h: the printer's state and its parts (print.c modules and functions, print_inst.c,
 * print_value.c types, names and constants, print_md.c). The text is that of LLVM 19. */
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

void irw_line(Printer *pr, u32 origin); /* ends the line */
void irw_name(Printer *pr, char sigil, Str name);
void irw_string(Printer *pr, Str s); /* with quotes and escapes */
void irw_type(Printer *pr, IrType t);
void irw_struct_body(Printer *pr, IrType t);
void irw_ref(Printer *pr, IrRef r);          /* without its type */
u32  irw_number(const Printer *pr, IrRef r); /* N of an unnamed %N or @N */
void irw_typed(Printer *pr, IrRef r);
void irw_attrs(Printer *pr, IrAttrs set, bool in_group);
void irw_group(Printer *pr, IrAttrs set); /* " #7" where the set is not empty */
void irw_inst(Printer *pr, IrRef inst);
void irw_md(Printer *pr, IrMd n); /* as an operand */
void irw_attachments(Printer *pr, u32 list, IrMd dbg, const char *before);
void irw_dbg_records(Printer *pr, u32 list);
void irw_metadata(Printer *pr); /* named metadata and all numbered nodes */
void irw_number_metadata(IrModule *m);
void irw_cc(Printer *pr, u32 cc); /* with a space before it */
void irw_flags(Printer *pr, u32 op, u32 flags);

#endif
