/* signature.h: the signature column of intrinsics.def (its head explains the notation) against function types. */
#ifndef PS_IR_SIGNATURE_H
#define PS_IR_SIGNATURE_H

#include "ir/ir.h"

enum { IR_MAX_OVERLOADS = 8, IR_MAX_PARAMS = 64, IR_MAX_GROUPS = 12 };

/* Columns of a row + 1: intrinsic.c. */
const char *ir_intrinsic_names(u32 row);
/* The name with the fewest slips in it, or the names of the row that begins most like it; false: there is none. */
bool        ir_intrinsic_nearest(Str name, Text *out);
const char *ir_intrinsic_signature(u32 row);
const char *ir_intrinsic_insn(u32 row); /* the text of its instruction; the math library's name for it, on double; "": neither */
/* ---- intrinsic_text.c */
/* The least and the greatest value of constant argument `arg` by that text; false: it says nothing. */
bool ir_intrinsic_range(u32 row, u32 arg, u64 *least, u64 *most);
/* ---- intrinsic.c */
u32 ir_intrinsic_constants(u32 row); /* the arguments that must be constants: a bit for each of the first 16 */
/* Which alternative of each group {a,b} of the row's names this name, which fits them, has; 0 behind the last group. */
void ir_intrinsic_choices(Str name, u32 row, u8 choice[IR_MAX_GROUPS]);
/* The part of a name that spells the overloaded types: ".f32"; empty: none. */
Str ir_intrinsic_suffix(Str name, u32 row);

typedef enum IrSignaturePlace { IRSIG_COUNT, IRSIG_RESULT, IRSIG_PARAM } IrSignaturePlace;

/* Where a function type does not fit. */
typedef struct IrSignatureError {
	IrSignaturePlace place;
	u32              param;      /* counted from 1; IRSIG_COUNT: how many there must be */
	IrType           have, want; /* want none: any of a class, which `what` names */
	const char      *what;
} IrSignatureError;

/* `over` has IR_MAX_OVERLOADS elements, and gets the types of the overloaded letters in order, 0 behind the
 * last. */
bool ir_signature_fits(IrModule *m, const char *sig, IrType fn, IrType *over, IrSignatureError *e);
/* Has it overloaded letters at all? */
bool ir_signature_is_overloaded(const char *sig);
/* The function type for these overloads; none where one of them is not known. */
IrType ir_signature_type(IrModule *m, const char *sig, IrType *over);
/* The name of an overloaded intrinsic: base.f32.p0. */
Str ir_mangled(IrModule *m, Str base, const IrType *over);
/* The function type for the types that the name's suffix tells, else for those of `over`, which it changes;
 * none where they do not suffice. */
IrType ir_signature_named(IrModule *m, const char *sig, Str suffix, IrType *over);
Str    ir_declaration_line(IrModule *m, Str name, IrType fn);

#endif
