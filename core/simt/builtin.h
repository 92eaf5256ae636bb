/* builtin.h: the __nv_* functions, malloc, free and cudaGraphSetConditional, which the machine provides where a module only declares them. */
#ifndef PS_SIMT_BUILTIN_H
#define PS_SIMT_BUILTIN_H

#include "simt/op.h"

typedef struct Builtin {
	const char *text;   /* NULL: a function of sem/math.h; else the PTX instruction it is; without a result, a store */
	SimtOp      op;     /* malloc, free; else S_NOP */
	u32         math;   /* SemMath */
	char        result; /* i (32 bits), l (64), f, d; 0: none */
	char        arg[4]; /* the same letters; 0 ends */
} Builtin;

bool              simt_builtin_find(Str name, Builtin *out);
void              simt_builtin_emit(Session *s, SimtEmit *e, const Builtin *b, const i32 *arg, i32 result);
static inline u32 simt_builtin_bits(char letter) { return letter == 'd' || letter == 'l' ? 64 : 32; }

#endif
