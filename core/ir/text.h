/* text.h: reading, verifying, printing and hashing IR. */
#ifndef PS_IR_TEXT_H
#define PS_IR_TEXT_H

#include "ir/ir.h"

/* Parses a module: text, bitcode, or an archive with one member that is bitcode. Reports errors to s->diags (up to its limit); NULL only if no part of the module
 * can be used. Callers continue only if there were no errors. */
IrModule *ir_parse(Session *s, Str text);
/* The same without function bodies: each stays IRB_DEFERRED until ir_read_body. NULL, with nothing
 * reported, if there is an error or the module cannot be deferred (defer.c); the caller then runs ir_parse. `text`
 * must stay valid as long as bodies are read. */
IrModule *ir_parse_deferred(Session *s, Str text);
/* The same for ir_check_bodies alone. */
IrModule *ir_parse_to_check(Session *s, Str text);
/* The same for a library, whose bodies are copied into a program: ir/link.h. */
IrModule *ir_parse_library(Session *s, Str text);
/* Parses and verifies the deferred bodies one after the other, in the memory of one. False: there is an error, or the
 * module cannot be checked that way; the caller then runs ir_parse and ir_verify. The module must not be used afterwards. */
bool ir_check_bodies(IrModule *m);
/* False: the body has an error, which ir_parse reports. */
bool ir_read_body(IrModule *m, IrFunc *f);
/* Frees the body. Each global and each compound constant that it used keeps one use, with the function as user. Only for
 * functions that were read by ir_read_body, and before the next one is read. */
void ir_give_back_body(IrModule *m, IrFunc *f);
/* Reports violations of the rules of LLVM IR in a parsed module to s->diags. Skips deferred bodies. */
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
