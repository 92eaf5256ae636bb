/* big.c: integers of IR that no kernel of kernels.def has: those wider than 128 bits, and what intrinsics compute of more than 64. Each
 * lane's operands are gathered to words for sem/big.h. Uninitialised bits are not followed through them. */
#include "simt/machine.h"

#include "sem/big.h"
#include "simt/emit.h"

static void gather(const u32 *row, u32 bits, u32 l, u64 *words)
{
	if (bits <= 32)
		words[0] = row[l];
	for (u32 i = 0; bits > 32 && i < rows_of(bits) / 2; i++)
		words[i] = lane64(row + (size_t)i * 2 * LANES, l);
}

static void scatter(u32 *row, u32 bits, u32 l, const u64 *words)
{
	if (bits <= 32)
		row[l] = (u32)words[0];
	for (u32 i = 0; bits > 32 && i < rows_of(bits) / 2; i++)
		set_lane64(row + (size_t)i * 2 * LANES, l, i < sem_big_words(bits) ? words[i] : 0);
}

static bool compares(u32 cmp, i32 order)
{
	switch ((SemCmp)cmp) {
	case SEM_EQ: return order == 0;
	case SEM_NE: return order != 0;
	case SEM_LT:
	case SEM_LO: return order < 0;
	case SEM_LE:
	case SEM_LS: return order <= 0;
	case SEM_GT:
	case SEM_HI: return order > 0;
	default: return order >= 0;
	}
}

bool big_run(SimtMachine *m, const Frame *f, const SimtInsn *in, u32 mask)
{
	u32  w = in->y, detail = in->x >> BIG_SHIFT, op = in->x & BIG_OP, n = op == BIG_EVAL ? 3 : op <= BIG_COMPARE ? 2 : 1;
	bool is_signed = (in->x & BIG_SIGNED) != 0;
	i32  operand[3] = {in->a, in->b, in->c};
	u64  x[3][SEM_BIG_WORDS] = {{0}}, r[SEM_BIG_WORDS];
	each_lane(mask, l) {
		u32 bits = w;
		for (u32 k = 0; k < n; k++)
			if (operand[k] != NO_REG)
				gather(reg_rows(m, f, operand[k]), w, l, x[k]);
		switch ((BigOp)op) {
		case BIG_EVAL: sem_big_eval((SemOp)detail, w, r, x[0], x[1], x[2]); break;
		case BIG_OVERFLOW: bits = 1, r[0] = sem_big_overflows((SemOp)detail, is_signed, w, x[0], x[1]); break;
		case BIG_COMPARE: bits = 1, r[0] = compares(detail, sem_big_compare(is_signed, w, x[0], x[1])); break;
		case BIG_EXTEND: bits = in->z, sem_big_extend(bits, r, w, x[0], is_signed); break;
		case BIG_TO_FLOAT: bits = in->z, r[0] = sem_big_to_float((SemFmt)detail, is_signed, w, x[0]); break;
		case BIG_OF_FLOAT: bits = in->z, sem_big_of_float(bits, r, is_signed, (SemFmt)detail, x[0][0]); break;
		}
		scatter(reg_rows(m, f, in->d), bits, l, r);
	}
	return true;
}
