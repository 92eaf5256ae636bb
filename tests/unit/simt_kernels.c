/* The lane operations that do without sem/ for speed mean what sem/ means: on edge cases in every pair. */
#include "simt/emit.h"
#include "simt/wide.h"
#include "unit.h"

static const u32 edge32[] = {
	0,          0x80000000u, 1,          0x80000001u, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x40490fdb, 0x7f7fffff,
	0xff7fffff, 0x7f800000,  0xff800000, 0x7fc00000,  0xffc00001, 0x7f800001, 0x7fffffff, 0x4b800000, 0x33800000, 0xc0000000,
};
enum { N = sizeof edge32 / sizeof *edge32 };

static u64 edge64(u32 i)
{
	return sem_f2f(SEM_F64, SEM_F32, edge32[i], 0) |
	       (i % 3 == 0 && !sem_is_nan(SEM_F32, edge32[i]) && !sem_is_inf(SEM_F32, edge32[i]) ? 1u : 0u);
}

static u32 run32(SimtKernel k, u32 a, u32 b)
{
	u32 d[LANES], x[LANES], y[LANES];
	for (u32 l = 0; l < LANES; l++)
		x[l] = a, y[l] = b;
	simt_kernel[k].run(d, x, y, y, 0);
	for (u32 l = 1; l < LANES; l++)
		EXPECT_EQ(d[l], d[0]);
	return d[0];
}

static u32 run64(SimtKernel k, u64 a, u64 b)
{
	u64 x[LANES], y[LANES];
	u32 d[LANES];
	for (u32 l = 0; l < LANES; l++)
		x[l] = a, y[l] = b;
	simt_kernel[k].run(d, x, y, y, 0);
	return d[0];
}

TEST(simt_kernels, float_minimum_and_maximum)
{
	(void)a;
	for (u32 i = 0; i < N; i++)
		for (u32 j = 0; j < N; j++) {
			EXPECT_EQ(run32(K_fmin32, edge32[i], edge32[j]), (u32)sem_fmin(SEM_F32, edge32[i], edge32[j], 0));
			EXPECT_EQ(run32(K_fmax32, edge32[i], edge32[j]), (u32)sem_fmax(SEM_F32, edge32[i], edge32[j], 0));
		}
}

/* What emit_fcmp writes for each comparison is that comparison. */
TEST(simt_kernels, float_comparisons)
{
	Session s;
	(void)a;
	session_init(&s, 0);
	SimtProgram *p = simt_program_new(&s, &s.arena, "test");
	SimtEmit     e = {.p = p, .guard = NO_REG};
	for (u32 cmp = SEM_EQ; cmp < SEM_CMP_COUNT; cmp++) {
		if (cmp >= SEM_LO && cmp <= SEM_HS)
			continue;
		for (u32 wide = 0; wide < 2; wide++) {
			emit_fcmp(&e, (SemCmp)cmp, wide, 1, 2, 4);
			const SimtInsn *in = &vec_last(&p->code);
			bool            swapped = in->a == 4;
			for (u32 i = 0; i < N; i++)
				for (u32 j = 0; j < N; j++) {
					u32  x = swapped ? j : i, y = swapped ? i : j;
					u32  got = wide ? run64((SimtKernel)in->kernel, edge64(x), edge64(y))
					                : run32((SimtKernel)in->kernel, edge32[x], edge32[y]);
					bool want = wide ? sem_fcmp(SEM_F64, (SemCmp)cmp, edge64(i), edge64(j), 0)
					                 : sem_fcmp(SEM_F32, (SemCmp)cmp, edge32[i], edge32[j], 0);
					EXPECT_EQ(got, want);
				}
		}
	}
	session_free(&s);
}

/* ---- wide.h: the vectors of this processor give the bits of those that every one has */

static u64 scramble(u64 *state)
{
	*state += 0x9E3779B97F4A7C15u;
	u64 z = (*state ^ *state >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

/* Random bits, and edge cases among them. */
static void fill(u64 *rows, u32 n, u64 *state)
{
	for (u32 i = 0; i < n; i++) {
		u64 v = scramble(state), way = scramble(state) % 8;
		rows[i] = way == 0   ? edge64((u32)v % N)
		          : way == 1 ? edge32[v % N] | (u64)edge32[v / N % N] << 32
		          : way == 2 ? v & 0x3f0000003fu
		          : way == 3 ? (v & 0x8080000080800000u) | 0x3f8000003f800000u | (v >> 40 & 3)
		                     : v;
	}
}

TEST(simt_kernels, wide_vectors_give_the_same_bits)
{
	static const u32 xs[] = {1, 8, 16, 31, 32};
	const SimtWide  *wide = simt_wide();
	u64              state = 1;
	(void)a;
	for (u32 k = 0; k < K_COUNT; k++)
		for (u32 round = 0; wide->kernel[k].run != simt_kernel[k].run && round < 200; round++) {
			u64 in[3][2 * LANES], want[2 * LANES] = {0}, got[2 * LANES] = {0};
			u32 x = k == K_prmt ? round % (SEM_PRMT_RC16 + 1) : xs[round % PS_COUNT(xs)]; /* a mode, else bits */
			for (u32 i = 0; i < 3; i++)
				fill(in[i], 2 * LANES, &state);
			simt_kernel[k].run(want, in[0], in[1], in[2], x);
			wide->kernel[k].run(got, in[0], in[1], in[2], x);
			for (u32 l = 0; l < 2 * LANES; l++)
				EXPECT_EQ(got[l], want[l]);
		}
}

/* Vectors of lanes give the same bits, in all lanes or in those that are on. */
TEST(simt_kernels, vectors_of_lanes)
{
	const SimtWide *both[] = {&simt_wide_any, simt_wide()};
	u64             state = 3;
	u32             tried = 0;
	(void)a;
	for (u32 k = 0; k < K_COUNT; k++)
		for (u32 round = 0; round < 200; round++) {
			const SimtWide *wide = both[round % 2];
			u64             in[3][LANES / 2], want[LANES / 2], got[LANES / 2];
			u32             on[LANES], mask = (u32)scramble(&state);
			if (!wide->vector[k])
				continue;
			for (u32 i = 0; i < 3; i++)
				fill(in[i], LANES / 2, &state);
			if (round % 5 == 0) /* products and sums of few bits, and zeros */
				for (u32 i = 0; i < LANES / 2; i++)
					in[0][i] &= 0xffff0000ffff0000u, in[1][i] = 0, in[2][i] = i % 2 ? 0 : in[2][i];
			simt_kernel[k].run(want, in[0], in[1], in[2], 0);
			wide->vector[k]((u32 *)got, (u32 *)in[0], (u32 *)in[1], (u32 *)in[2], NULL);
			for (u32 i = 0; i < LANES / 2; i++)
				EXPECT_EQ(got[i], want[i]);
			wide->spread(on, mask);
			memcpy(got, in[0], sizeof got); /* the result may go to an operand's register */
			wide->vector[k]((u32 *)got, (u32 *)got, (u32 *)in[1], (u32 *)in[2], on);
			for (u32 l = 0; l < LANES; l++)
				EXPECT_EQ(((u32 *)got)[l], (mask >> l & 1 ? (u32 *)want : (u32 *)in[0])[l]);
			tried++;
		}
	EXPECT(tried >= 30 * 200);
}

/* The loop of fma that is faster than sem_fma_f32, where sums lie in the middle between two numbers or are subnormal. */
TEST(simt_kernels, fused_multiply_add)
{
	u64 state = 7;
	(void)a;
	for (u32 round = 0; round < 4000; round++) {
		u32 x[LANES], y[LANES], z[LANES], d[LANES];
		for (u32 l = 0; l < LANES; l++) {
			u64 v = scramble(&state);
			x[l] = round & 1 ? edge32[v % N] : (u32)v;
			y[l] = round & 2 ? edge32[v / N % N] : (u32)(v >> 32);
			z[l] = round & 4 ? edge32[v / N / N % N] : (u32)scramble(&state);
			if (round % 16 == 8) { /* close exponents: sums with ties */
				x[l] = 0x3f800000u | (x[l] & 0x7fffff), y[l] = 0x33800000u | (y[l] & 0x8000ff);
				z[l] = 0x3f800000u | (z[l] & 0x7fffff);
			}
			if (round % 16 == 9) /* subnormal results */
				x[l] = 0x20000000u | (x[l] & 0x807fffff), y[l] = 0x1f000000u | (y[l] & 0x7fffff),
				z[l] &= 0x807fffff;
		}
		simt_wide_any.kernel[K_ffma32].run(d, x, y, z, 0);
		for (u32 l = 0; l < LANES; l++)
			EXPECT_EQ(d[l], sem_fma_f32(x[l], y[l], z[l]));
		simt_wide()->kernel[K_ffma32].run(d, x, y, z, 0);
		for (u32 l = 0; l < LANES; l++)
			EXPECT_EQ(d[l], sem_fma_f32(x[l], y[l], z[l]));
	}
}

/* Offsets of lanes in a piece of 4096 bytes at 0x10000, whose addresses are narrow or wide, all of them on or some. */
TEST(simt_kernels, places)
{
	const SimtWide *both[] = {&simt_wide_any, simt_wide()};
	(void)a;
	for (u32 k = 0; k < 8; k++) {
		u32        narrow[LANES], on[LANES], off[LANES];
		u64        wide[LANES];
		bool       some = k & 1, is_narrow = k & 2;
		WidePlaces p = {is_narrow ? narrow : (const u32 *)(const void *)wide,
		                is_narrow,
		                16,
		                0x10000,
		                4092,
		                0x10010,
		                3,
		                some ? on : NULL};
		both[k / 4]->spread(on, 0xfffffffeu);
		for (u32 l = 0; l < LANES; l++) {
			wide[l] = 0x10000 + l * 52 % 4076 / 4 * 4;
			narrow[l] = (u32)wide[l];
		}
		EXPECT(both[k / 4]->places(&p, off));
		for (u32 l = 0; l < LANES; l++)
			EXPECT_EQ(off[l], l || !some ? (l * 52 % 4076 / 4 * 4) + 16 : 16);
		const u64 wrong[] = {0xfff0 - 4, 0x10ff0, 0x10002, 0};
		for (u32 l = 0; l < LANES; l++)
			for (u32 i = 0; i < PS_COUNT(wrong); i++) {
				u64 right = wide[l];
				wide[l] = wrong[i], narrow[l] = (u32)wrong[i];
				EXPECT_EQ(both[k / 4]->places(&p, off), some && l == 0);
				wide[l] = right, narrow[l] = (u32)right;
			}
		for (u32 l = 0; l < LANES; l++)
			narrow[l] = l % 3;
		EXPECT_EQ(both[k / 4]->equal(narrow, 1), 0x92492492u);
		EXPECT_EQ(both[k / 4]->equal(narrow, 7), 0);
	}
}

TEST(simt_kernels, guards_blends_and_steps)
{
	const SimtWide *both[] = {&simt_wide_any, simt_wide()};
	(void)a;
	for (u32 w = 0; w < 2; w++) {
		u32 p[LANES], d[4 * LANES], s[4 * LANES], narrow[LANES], on[LANES];
		u64 at[LANES];
		for (u32 l = 0; l < LANES; l++) {
			p[l] = l * l / 3 % 2;
			narrow[l] = 1000 + 4 * (l % HALF_LANES);
			at[l] = 0x7f0000001000u + (l < HALF_LANES ? 0 : 8 * (u64)(l - HALF_LANES));
		}
		u32 bits = both[w]->guard(p);
		for (u32 l = 0; l < LANES; l++)
			EXPECT_EQ(bits >> l & 1, p[l]);
		for (u32 rows = 1; rows <= 4; rows *= 2) {
			for (u32 i = 0; i < 4 * LANES; i++)
				d[i] = i, s[i] = 1000 + i;
			both[w]->spread(on, 0xf00f1234u);
			both[w]->blend(d, s, rows, on);
			for (u32 i = 0; i < rows * LANES; i++)
				EXPECT_EQ(d[i], (0xf00f1234u >> (rows == 1 ? i : i / 2) % LANES & 1) ? 1000 + i : i);
		}
		EXPECT_EQ(both[w]->step32(narrow, 4), 4);
		EXPECT_EQ(both[w]->step32(narrow, 8), LANES_SCATTER);
		EXPECT_EQ(both[w]->step64(at, 8), 0);
		EXPECT_EQ(both[w]->step64(at + HALF_LANES, 8), 8);
		EXPECT_EQ(both[w]->step64(at + HALF_LANES, 4), LANES_SCATTER);
		for (u32 l = 0; l < HALF_LANES; l++) {
			at[l] += 1, narrow[l] += 1;
			EXPECT_EQ(both[w]->step64(at, 8), LANES_SCATTER);
			EXPECT_EQ(both[w]->step32(narrow, 4), LANES_SCATTER);
			at[l] -= 1, narrow[l] -= 1;
		}
	}
}

UNIT_MAIN
