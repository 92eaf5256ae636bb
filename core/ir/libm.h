/* libm.h: calls of intrinsics that compute functions of the math library: the rows LIBM of intrinsics.def. The linker and lower-libm
 * ask here whether a call is approximated by instructions or needs the library's function. */
#ifndef PS_IR_LIBM_H
#define PS_IR_LIBM_H

#include "ir/ir.h"

typedef enum IrLibmHow {
	IRLIBM_NONE,             /* no such call */
	IRLIBM_NOT_APPROXIMATED, /* it needs the function of the library */
	IRLIBM_SELECTED,         /* as an instruction, by selection */
	IRLIBM_BY_EXP2,          /* of the argument times the factor */
	IRLIBM_BY_LOG2,          /* times the factor */
	IRLIBM_POWER,
	IRLIBM_TANGENT,
	IRLIBM_TANH,
	IRLIBM_PRODUCTS /* exactly: an integral power, which is a constant */
} IrLibmHow;

typedef struct IrLibm {
	IrLibmHow how;
	u32       factor; /* the bits of a float */
} IrLibm;

/* How a call is computed in its function on the session's target. */
IrLibm ir_libm(const IrModule *m, IrRef call);
/* Name of the library's function for a call that ir_libm knows: __nv_sin for double, __nv_sinf for float and narrower types. */
Str ir_libm_function(Arena *a, const IrModule *m, IrRef call);

#endif
