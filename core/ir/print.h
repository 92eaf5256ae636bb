/* print.h: the printer's state and its parts (print.c modules and functions, print_inst.c,
 * print_value.c types, names and constants, print_md.c). The text is that of LLVM 19. */
#ifndef PS_IR_PRINT_H
#define PS_IR_PRINT_H

#include "ir/internal.h"

typedef struct Printer {
	Text     *out;
	IrModule *m;
	VecU32   *origins; /* may be NULL */
} Printer;

void print_line(Printer *pr, u32 origin); /* ends the line */
void print_name(Printer *pr, char sigil, Str name);
void print_string(Printer *pr, Str s);    /* with quotes and escapes */
void print_type(Printer *pr, IrType t);
void print_struct_body(Printer *pr, IrType t);
void print_ref(Printer *pr, IrRef r);     /* without its type */
void print_typed(Printer *pr, IrRef r);
void print_attrs(Printer *pr, IrAttrs set, bool in_group);
void print_group(Printer *pr, IrAttrs set); /* " #7" where the set is not empty */
void print_inst(Printer *pr, IrRef inst);
void print_md(Printer *pr, IrMd n);        /* as an operand */
void print_attachments(Printer *pr, u32 list, IrMd dbg, const char *before);
void print_dbg_records(Printer *pr, u32 list);
void print_metadata(Printer *pr);          /* named metadata and all numbered nodes */
void number_metadata(IrModule *m);
void number_function(IrModule *m, IrFunc *f);
void print_cc(Printer *pr, u32 cc);         /* with a space before it */
void print_flags(Printer *pr, u32 op, u32 flags);

#endif
