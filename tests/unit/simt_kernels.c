/* The lane operations that do without sem/ for speed mean what sem/ means: on edge cases in every pair. */
#include "simt/emit.h"
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

UNIT_MAIN
