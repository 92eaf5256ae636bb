/* inline_ptx.h: PTX statements in the middle of another function. */
#ifndef PS_SIMT_INLINE_PTX_H
#define PS_SIMT_INLINE_PTX_H

#include "simt/emit.h"

enum { SIMT_ASM_OPERANDS = 160 };

/* The operands of a statement, in the order in which its template counts them. */
typedef struct SimtAsm {
	Text   regs; /* declarations of the registers among them */
	Str    spelt[SIMT_ASM_OPERANDS];
	i32    row[SIMT_ASM_OPERANDS];
	u32    n;
	Arena *arena;
} SimtAsm;

void simt_asm_init(SimtAsm *a, Arena *arena);
void simt_asm_reg(SimtAsm *a, const char *type, i32 row); /* type as in `.reg .f32` */
void simt_asm_int(SimtAsm *a, i64 value);                 /* a number in the text */
void simt_asm_float(SimtAsm *a, u32 width, u64 bits);     /* 16, 32 or 64 */

/* Writes `template`, with `uid` for ${:uid}, into the function that e writes. False where it cannot be read or run. */
bool simt_asm_emit(Session *s, SimtProgram *p, SimtEmit *e, const SimtAsm *a, Str template, u32 uid);

/* `text` is a module of one function without parameters; its register inline_ptx_a<i> is row[i] of the
 * function that e writes. False where it cannot be read or run; diagnostics of the text are dropped. */
bool simt_inline_ptx(Session *s, SimtProgram *p, SimtEmit *e, Str text, const i32 *row, u32 n);

#endif
