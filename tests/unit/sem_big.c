/* sem/big: against the operations of 64 and 128 bits at every width up to 128, and by laws at wider ones; simt-wide.test.mjs compares
 * wider ones with another implementation. */
#include "unit.h"

#include "base/hash.h"
#include "sem/big.h"
#include "sem/u128.h"

static u64 number(u64 i, u32 k)
{
	u64 v = hash_u64(i * 16 + k);
	switch (hash_u64(v) % 6) {
	case 0: return v & 7;
	case 1: return ~(u64)0;
	case 2: return 0;
	case 3: return (u64)1 << (v & 63);
	default: return v >> (v & 31);
	}
}

static void operand(u32 w, u64 i, u32 k, u64 *x)
{
	u64 wide[SEM_BIG_WORDS];
	for (u32 j = 0; j < sem_big_words(w); j++)
		wide[j] = number(i, 4 * j + k);
	sem_big_extend(w, x, w, wide, false);
}

TEST(sem_big, agrees_with_up_to_128_bits)
{
	for (u64 i = 0; i < 30000 && unit_failures < 5; i++) {
		u32     w = 1 + (u32)(i % 128);
		SemOp   op = (SemOp)(1 + hash_u64(i) % (SEM_OP_COUNT - 1));
		u64     x[3][2] = {{0}}, r[2] = {0}, one;
		SemU128 wide;
		for (u32 k = 0; k < 3; k++)
			operand(w, i, k, x[k]);
		if ((op == SEM_OP_bswap && w % 16) || !sem_big_eval(op, w, r, x[0], x[1], x[2]))
			continue;
		for (u32 n = 1; n <= 3; n++) {
			u64 narrow[3] = {x[0][0], x[1][0], x[2][0]};
			if (w <= 64 && sem_eval_int(op, w, narrow, n, &one))
				EXPECT_EQ(r[0], one);
		}
		SemU128 a = u128(x[0][1], x[0][0]), b = u128(x[1][1], x[1][0]), rem;
		if (w > 64 && sem_eval_wide(op, w, a, b, &wide)) {
			wide = u128_zext(wide, w);
			EXPECT(r[0] == wide.lo && r[1] == wide.hi);
		}
		if (op == SEM_OP_udiv || op == SEM_OP_urem) {
			SemU128 q = u128_divrem(a, b, &rem);
			q = u128_zext(op == SEM_OP_udiv ? q : rem, w);
			EXPECT(r[0] == q.lo && (w <= 64 || r[1] == q.hi));
		}
		EXPECT_EQ(sem_big_compare(false, w, x[0], x[1]), u128_lt(a, b) ? -1 : !u128_eq(a, b));
		a = u128_sext(a, w), b = u128_sext(b, w);
		EXPECT_EQ(sem_big_compare(true, w, x[0], x[1]), u128_slt(a, b) ? -1 : !u128_eq(a, b));
		if ((op == SEM_OP_sdiv || op == SEM_OP_srem) && !u128_is_zero(b)) {
			SemU128 q = u128_sdivrem(a, b, &rem);
			q = u128_zext(op == SEM_OP_sdiv ? q : rem, w);
			EXPECT(r[0] == q.lo && (w <= 64 || r[1] == q.hi));
		}
	}
}

/* What does not fit into w bits does fit into twice as many. */
TEST(sem_big, overflow)
{
	static const SemOp ops[] = {SEM_OP_add, SEM_OP_sub, SEM_OP_mul};
	for (u64 i = 0; i < 6000 && unit_failures < 5; i++) {
		u32 w = 1 + (u32)(hash_u64(i) % 300);
		u64 a[SEM_BIG_WORDS], b[SEM_BIG_WORDS], x[SEM_BIG_WORDS], y[SEM_BIG_WORDS], r[SEM_BIG_WORDS], back[SEM_BIG_WORDS];
		bool is_signed = i % 2;
		operand(w, i, 0, a), operand(w, i, 1, b);
		sem_big_extend(2 * w + 1, x, w, a, is_signed), sem_big_extend(2 * w + 1, y, w, b, is_signed);
		sem_big_eval(ops[i % 3], 2 * w + 1, r, x, y, y);
		sem_big_extend(w, back, 2 * w + 1, r, false);
		sem_big_extend(2 * w + 1, back, w, back, is_signed);
		EXPECT_EQ(sem_big_overflows(ops[i % 3], is_signed, w, a, b), sem_big_compare(false, 2 * w + 1, back, r) != 0);
	}
}

TEST(sem_big, floats)
{
	static const SemFmt formats[] = {SEM_F16, SEM_BF16, SEM_F32, SEM_F64};
	for (u64 i = 0; i < 20000 && unit_failures < 5; i++) {
		SemFmt  f = formats[i % 4];
		u32     w = 1 + (u32)(hash_u64(i) % 128), more = w + 1 + (u32)(hash_u64(i + 9) % 1500);
		u64     a[SEM_BIG_WORDS], r[SEM_BIG_WORDS];
		bool    is_signed = i / 4 % 2;
		SemU128 x;
		operand(w, i, 0, a);
		x = u128(w > 64 ? a[1] : 0, a[0]);
		x = is_signed ? u128_sext(x, w) : x;
		u64 v = sem_i1282f(f, is_signed, x, SEM_RN);
		EXPECT_EQ(sem_big_to_float(f, is_signed, w, a), v);
		sem_big_extend(more, a, w, a, is_signed);
		EXPECT_EQ(sem_big_to_float(f, is_signed, more, a), v);
		/* and back: exactly, where it is one of few bits */
		u64 g = sem_big_to_float(SEM_F64, is_signed, more, a), again;
		sem_big_of_float(more, r, is_signed, SEM_F64, g);
		again = sem_big_to_float(SEM_F64, is_signed, more, r);
		EXPECT_EQ(again, g);
		if (w <= 53)
			EXPECT_EQ(sem_big_compare(false, more, a, r), 0);
		u64 bits = number(i, 77);
		if (w <= 64 && !sem_is_nan(SEM_F64, bits)) {
			sem_big_of_float(w, r, is_signed, SEM_F64, bits);
			EXPECT_EQ(r[0], sem_f2i(w, is_signed, SEM_F64, bits, SEM_RZ));
		}
	}
	/* ties: 2^200 + 2^147 lies between two doubles, and one bit far below decides */
	u64 tie[4] = {0};
	tie[3] = 1 << 8, tie[2] = 1 << 19;
	EXPECT_EQ(sem_big_to_float(SEM_F64, false, 256, tie), sem_fpow2(SEM_F64, 200));
	tie[0] = 1;
	EXPECT_EQ(sem_big_to_float(SEM_F64, false, 256, tie), sem_fpow2(SEM_F64, 200) + 1);
}

UNIT_MAIN
