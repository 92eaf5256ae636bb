/* eval.c: the rows of eval.def as switches, which compilers turn into tables of jumps. */
#include "sem/eval.h"

#define NONE SEML_NONE
#define X0_X SEML_X0_X
#define X0_0 SEML_X0_0
#define X1_X SEML_X1_X
#define X1_0 SEML_X1_0
#define XF_X SEML_XF_X
#define XF_F SEML_XF_F
#define XX_X SEML_XX_X
#define XX_0 SEML_XX_0
#define XF_0 SEML_XF_0
const u16 sem_laws[SEM_OP_COUNT] = {
#define INT(id, operands, value, defined, laws) [SEM_OP_##id] = laws,
#include "sem/eval.def"
};

static const u8 arity[SEM_OP_COUNT] = {
#define INT(id, operands, value, defined, laws) [SEM_OP_##id] = operands,
#define FP(id, operands, value)                 [SEM_OP_##id] = operands,
#include "sem/eval.def"
};

bool sem_eval_int(SemOp op, u32 w, const u64 *x, u32 n, u64 *r)
{
	if (arity[op] != n)
		return false;
	u64 a = x[0], b = n > 1 ? x[1] : 0, c = n > 2 ? x[2] : 0;
	switch (op) {
#define INT(id, operands, value, defined, laws) \
	case SEM_OP_##id:                       \
		*r = value;                     \
		return defined;
#include "sem/eval.def"
	default: return false;
	}
}

bool sem_eval_wide(SemOp op, u32 w, SemU128 a, SemU128 b, SemU128 *r)
{
	switch (op) {
#define WIDE(id, value, defined) \
	case SEM_OP_##id:        \
		*r = value;      \
		return defined;
#include "sem/eval.def"
	default: return false;
	}
}

bool sem_eval_fp(SemOp op, SemFmt f, const u64 *x, u32 n, u64 *r)
{
	if (arity[op] != n)
		return false;
	u64 a = x[0], b = n > 1 ? x[1] : 0, c = n > 2 ? x[2] : 0;
	switch (op) {
#define FP(id, operands, value) \
	case SEM_OP_##id:       \
		*r = value;     \
		return true;
#include "sem/eval.def"
	default: return false;
	}
}

bool sem_eval_cast(SemOp op, SemType from, SemType to, u64 a, u64 *r)
{
	u32    fw = from.width, tw = to.width;
	SemFmt ff = (SemFmt)from.fmt, tf = (SemFmt)to.fmt;
	if (!fw || !tw)
		return false;
	switch (op) {
#define CAST(id, value, defined) \
	case SEM_OP_##id:        \
		*r = value;      \
		return defined;
#include "sem/eval.def"
	default: return false;
	}
}

static bool is_portable(SemFmt f, u64 a) { return !sem_is_nan(f, a) && !sem_is_subnormal(f, a); }

bool sem_eval_fp_portable(SemOp op, SemFmt f, const u64 *x, u32 n, u64 *r)
{
	if (op == SEM_OP_fneg || op == SEM_OP_fabs || op == SEM_OP_fcopysign)
		return sem_eval_fp(op, f, x, n, r);
	for (u32 i = 0; i < n; i++)
		if (!is_portable(f, x[i]))
			return false;
	return sem_eval_fp(op, f, x, n, r) && is_portable(f, *r);
}

SemIs sem_with_const(SemOp op, u32 w, u64 y)
{
	u32 laws = sem_laws[op];
	if (y == 0 && laws & (SEML_X0_X | SEML_X0_0))
		return laws & SEML_X0_X ? SEM_IS_X : SEM_IS_ZERO;
	if (y == 1 && laws & (SEML_X1_X | SEML_X1_0))
		return laws & SEML_X1_X ? SEM_IS_X : SEM_IS_ZERO;
	if (y == sem_mask(w) && laws & (SEML_XF_X | SEML_XF_F | SEML_XF_0))
		return laws & SEML_XF_X ? SEM_IS_X : laws & SEML_XF_0 ? SEM_IS_ZERO : SEM_IS_ONES;
	return SEM_IS_OPEN;
}

SemIs sem_with_itself(SemOp op)
{
	u32 laws = sem_laws[op];
	return laws & SEML_XX_X ? SEM_IS_X : laws & SEML_XX_0 ? SEM_IS_ZERO : SEM_IS_OPEN;
}
