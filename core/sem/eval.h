/* eval.h: operations by number, for those who fold: the constants that operations on constants are, and the laws of
 * operands that need no constant on the other side. The rows are eval.def's. */
#ifndef PS_SEM_EVAL_H
#define PS_SEM_EVAL_H

#include "sem/float.h"

typedef enum SemOp {
	SEM_OP_none,
#define INT(id, operands, value, defined, laws) SEM_OP_##id,
#define FP(id, operands, value)                 SEM_OP_##id,
#define CAST(id, value, defined)                SEM_OP_##id,
#include "sem/eval.def"
	SEM_OP_COUNT
} SemOp;

/* The value of an integer operation on `n` operands of width w, 1 to 64. False: the row has another number of operands, or
 * the result is not defined for these. */
bool sem_eval_int(SemOp op, u32 w, const u64 *x, u32 n, u64 *r);
/* The same for widths up to 128, of the operations that have a WIDE row. */
bool sem_eval_wide(SemOp op, u32 w, SemU128 a, SemU128 b, SemU128 *r);
/* Of a floating-point operation on `n` operands. */
bool sem_eval_fp(SemOp op, SemFmt f, const u64 *x, u32 n, u64 *r);
/* The same where every target computes the very bits: no NaN and no subnormal number goes in or comes out, which a target
 * may change or flush. Operations on the sign alone are exempt. */
bool sem_eval_fp_portable(SemOp op, SemFmt f, const u64 *x, u32 n, u64 *r);

/* An integer of `width` bits, at most 64, or a number of a format. Width 0: some other type. */
typedef struct SemType {
	u8   width;
	bool is_fp;
	u8   fmt; /* SemFmt */
} SemType;
static inline SemType sem_int_type(u32 width) { return (SemType){.width = (u8)(width <= 64 ? width : 0)}; }
static inline SemType sem_fp_type(SemFmt f) { return (SemType){.width = sem_fmt[f].width, .is_fp = true, .fmt = (u8)f}; }
bool                  sem_eval_cast(SemOp op, SemType from, SemType to, u64 a, u64 *r);

enum {
	SEML_NONE = 0,
	SEML_X0_X = 1 << 0, /* x op 0 = x */
	SEML_X0_0 = 1 << 1, /* x op 0 = 0 */
	SEML_X1_X = 1 << 2, /* x op 1 = x */
	SEML_X1_0 = 1 << 3, /* x op 1 = 0 */
	SEML_XF_X = 1 << 4, /* x op ~0 = x */
	SEML_XF_F = 1 << 5, /* x op ~0 = ~0 */
	SEML_XX_X = 1 << 6, /* x op x = x */
	SEML_XX_0 = 1 << 7, /* x op x = 0 */
	SEML_XF_0 = 1 << 8, /* x op ~0 = 0 */
};
extern const u16 sem_laws[SEM_OP_COUNT];

/* What `x op y` is where that follows from y alone. */
typedef enum SemIs { SEM_IS_OPEN, SEM_IS_X, SEM_IS_ZERO, SEM_IS_ONES } SemIs;
SemIs sem_with_const(SemOp op, u32 w, u64 y);
SemIs sem_with_itself(SemOp op);

#endif
