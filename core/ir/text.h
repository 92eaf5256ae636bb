/* text.h: reading, verifying, printing and hashing IR. */
#ifndef PS_IR_TEXT_H
#define PS_IR_TEXT_H

#include "ir/ir.h"

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
