/* The rows of sem/eval.def: each law against the evaluator of its row, and each width against the next one. */
#include "sem/eval.h"
#include "unit.h"

static bool holds(SemIs is, u32 w, u64 x, u64 r) { return r == (is == SEM_IS_X ? x : is == SEM_IS_ZERO ? 0 : sem_mask(w)); }

/* A law may say more than the operation (x % 1 where that traps), never something else. */
TEST(sem_eval, laws_hold_for_all_values_of_small_widths)
{
	u32 checked = 0;
	for (u32 op = 1; op < SEM_OP_COUNT; op++)
		for (u32 w = 1; w <= 6; w++)
			for (u64 x = 0; x <= sem_mask(w); x++)
				for (u64 y = 0; y <= sem_mask(w); y++) {
					u64   r, two[2] = {x, y};
					SemIs is = sem_with_const((SemOp)op, w, y), same = sem_with_itself((SemOp)op);
					if (!sem_laws[op] || !sem_eval_int((SemOp)op, w, two, 2, &r))
						continue;
					checked++;
					EXPECT(is == SEM_IS_OPEN || holds(is, w, x, r));
					EXPECT(x != y || same == SEM_IS_OPEN || holds(same, w, x, r));
				}
	EXPECT(checked > 50000);
}

/* A law that the operation has and the row does not name is one that folding misses. */
TEST(sem_eval, rows_name_every_law_of_operations_that_have_any)
{
	enum { W = 4, N = 16 };
	for (u32 op = 1; op < SEM_OP_COUNT; op++) {
		static const u64 at[] = {0, 1, N - 1};
		if (!(sem_laws[op] & (SEML_X0_X | SEML_X0_0 | SEML_X1_X | SEML_X1_0)))
			continue; /* minima and the like: by their own operand alone */
		for (u32 k = 0; k < PS_COUNT(at); k++) {
			bool left = true, zero = true, any = false;
			u64  r;
			for (u64 x = 0; x < N; x++)
				if (sem_eval_int((SemOp)op, W, (u64[]){x, at[k]}, 2, &r)) {
					any = true;
					left &= r == x;
					zero &= r == 0;
				}
			if (any && (left || zero))
				EXPECT(sem_with_const((SemOp)op, W, at[k]) != SEM_IS_OPEN);
		}
	}
}

TEST(sem_eval, wide_rows_agree_with_narrow_ones)
{
	static const u64 v[] = {0, 1, 2, 7, 31, 63, 64, 0x7fffffffffffffff, 0x8000000000000000, ~(u64)0, 0x0123456789abcdef};
	u32              rows = 0;
	for (u32 op = 1; op < SEM_OP_COUNT; op++)
		for (u32 i = 0; i < PS_COUNT(v); i++)
			for (u32 k = 0; k < PS_COUNT(v); k++) {
				u64     r;
				SemU128 wide;
				/* The low words alone, whatever stands above: not so for shifts to the right. */
				bool ok = sem_eval_wide((SemOp)op, 128, u128(0, v[i]), u128(0, v[k]), &wide);
				if (!ok || !sem_eval_int((SemOp)op, 64, (u64[]){v[i], v[k]}, 2, &r))
					continue;
				rows++;
				EXPECT_EQ(wide.lo, r);
			}
	EXPECT(rows > 8 * 10 * 5);
}

TEST(sem_eval, undefined_results_are_refused)
{
	u64 r;
	EXPECT(!sem_eval_int(SEM_OP_udiv, 8, (u64[]){1, 0}, 2, &r));
	EXPECT(!sem_eval_int(SEM_OP_srem, 8, (u64[]){0x80, 0xff}, 2, &r));
	EXPECT(!sem_eval_int(SEM_OP_shl, 8, (u64[]){1, 8}, 2, &r));
	EXPECT(!sem_eval_int(SEM_OP_add, 8, (u64[]){1, 8}, 1, &r));
	EXPECT(!sem_eval_cast(SEM_OP_fptosi, sem_fp_type(SEM_F32), sem_int_type(8), 0x43800000 /* 256 */, &r));
	EXPECT(!sem_eval_cast(SEM_OP_trunc, sem_int_type(65), sem_int_type(8), 1, &r));
	EXPECT(!sem_eval_fp_portable(SEM_OP_fadd, SEM_F32, (u64[]){1, 0}, 2, &r));
	EXPECT(sem_eval_fp_portable(SEM_OP_fneg, SEM_F32, (u64[]){1}, 1, &r) && r == 0x80000001);
}

UNIT_MAIN
