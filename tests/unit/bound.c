/* The bound for register pressure against live ranges, on random machine functions, and what it has to tell apart on others.
 * random_runs() says how many. */
#include "liveoracle.h"
#include "mir/bound.h"
#include "mir/pressure.h"
#include "pass/manager.h"

TEST(bound, is_never_below_the_pressure)
{
	u32 equal = 0;
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		MirBench   *b = mirbench_open(a);
		MirFunc    *f = random_mir(b->m, &(Rng){seed}, seed % 4, 2 + seed % 14);
		MirRanges  *ranges = mir_ranges_all(random_flow(f, &b->s.arena), &b->s.arena);
		MirPressure most = mir_rpa_most(mir_rpa_new(ranges, &b->s.arena));
		bool        good = true;
		for (u32 file = FILE_NONE + 1; file < FILE_COUNT; file++) {
			u32 units = most.unit[file];
			good &= !units || mir_func_may_exceed(f, (IsaFile)file, units - 1);
			equal += units && !mir_func_may_exceed(f, (IsaFile)file, units);
		}
		EXPECT(good);
		if (!good)
			printf("# seed %u\n", seed);
		mirbench_close(b);
		if (!good)
			return;
	}
	EXPECT(equal > 0);
}

static MirReg sum(MirFunc *f, MirBlockId b, MirReg x, MirReg y)
{
	MirReg    r = mir_reg_new(f, MIR_B32);
	MirInstId i = mir_build(f, b, (MirInstId){0}, isa_intern(f->module->session, ptx_opc(add, TY(u32))));
	mir_add_def(f, i, r);
	mir_add_use(f, i, x);
	mir_add_use(f, i, y);
	return r;
}

static MirReg constant(MirFunc *f, MirBlockId b)
{
	MirReg    r = mir_reg_new(f, MIR_B32);
	MirInstId i = mir_build(f, b, (MirInstId){0}, isa_intern(f->module->session, ptx_opc(mov, TY(b32))));
	mir_add_def(f, i, r);
	mir_add_imm(f, i, 1);
	return r;
}

static MirBlockId block_behind(MirFunc *f, MirBlockId before)
{
	MirBlockId b = mir_block_new(f, (StrId){0}, ~0u);
	if (before.i)
		mir_edge_add(f, before, b, MIR_PROB_ONE);
	return b;
}

/* Each block hands one value to the next one: a hundred registers of several blocks, of which two are live at once. */
TEST(bound, registers_of_other_blocks_do_not_count)
{
	MirBench  *b = mirbench_open(a);
	MirFunc   *f = mir_func_new(b->m, strtab_add(&b->s.strs, STR("f")), 0);
	MirBlockId at = block_behind(f, (MirBlockId){0});
	MirReg     r = constant(f, at);
	for (u32 k = 0; k < 100; k++) {
		at = block_behind(f, at);
		for (u32 n = 0; n < 10; n++)
			r = sum(f, at, r, r);
	}
	EXPECT(mir_func_may_exceed(f, FILE_R, 1 * ISA_UNITS_PER_REG));
	EXPECT(!mir_func_may_exceed(f, FILE_R, 3 * ISA_UNITS_PER_REG));
	EXPECT(!mir_func_may_exceed(f, FILE_P, 0));
	mirbench_close(b);
}

/* A value that is read behind a loop lives in all of it, wherever the loop stands in the layout. */
TEST(bound, what_lives_through_a_loop_counts_there)
{
	MirBench  *b = mirbench_open(a);
	MirFunc   *f = mir_func_new(b->m, strtab_add(&b->s.strs, STR("f")), 0);
	MirBlockId entry = block_behind(f, (MirBlockId){0}), behind = block_behind(f, (MirBlockId){0});
	MirBlockId loop = block_behind(f, entry), latch = block_behind(f, loop);
	MirReg     r = constant(f, entry), local[20];
	mir_edge_add(f, latch, loop, MIR_PROB_UNKNOWN);
	mir_edge_add(f, loop, behind, MIR_PROB_UNKNOWN);
	for (u32 k = 0; k < 20; k++)
		local[k] = constant(f, latch);
	for (u32 k = 0; k < 20; k++)
		sum(f, latch, local[k], local[k]);
	sum(f, behind, r, r);
	EXPECT(mir_func_may_exceed(f, FILE_R, 20 * ISA_UNITS_PER_REG));
	EXPECT(!mir_func_may_exceed(f, FILE_R, 21 * ISA_UNITS_PER_REG));
	mirbench_close(b);
}

/* The analysis answers for every number, as the function does, and is asked for again where the code has changed. */
TEST(bound, the_analysis_answers_alike)
{
	MirBench  *b = mirbench_open(a);
	MirFunc   *f = mir_func_new(b->m, strtab_add(&b->s.strs, STR("f")), 0);
	MirBlockId at = block_behind(f, (MirBlockId){0}), next = block_behind(f, at);
	Text       dump;
	Manager    m;
	text_init(&dump, &b->s.arena);
	manager_init(&m, &b->s, &dump);
	m.at = PASS_MIR;
	PassCx cx = {.s = &b->s, .scratch = &b->s.arena, .mir = b->m, .func = 1, .manager = &m};
	for (u32 live = 1; live < 300; live++) {
		MirReg r = constant(f, at);
		sum(f, next, r, r);
		pass_invalidate(&cx, 0);
		for (u32 units = 0; units < 620; units += 1 + units % 7)
			EXPECT_EQ(mir_may_exceed(&cx, FILE_R, units), mir_func_may_exceed(f, FILE_R, units));
		EXPECT(mir_may_exceed(&cx, FILE_R, live * ISA_UNITS_PER_REG - 1));
		EXPECT(!mir_may_exceed(&cx, FILE_R, (live + 1) * ISA_UNITS_PER_REG));
	}
	manager_free(&m);
	mirbench_close(b);
}

UNIT_MAIN
