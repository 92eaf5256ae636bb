/* Register pressure against bit vectors, on random machine functions and after random edits. random_runs() says how
 * many. */
#include "liveoracle.h"
#include "mir/budget.h"
#include "mir/pressure.h"
#include "pass/manager.h"

extern const Pass mirpass_machine_cse, mirpass_extra_machineinstr_printer;

static MirRpa *random_rpa(MirBench *b, MirFunc *f)
{
	return mir_rpa_new(mir_ranges_all(random_flow(f, &b->s.arena), &b->s.arena), &b->s.arena);
}

/* ---- by brute force ---- */

typedef struct Count {
	const MirFunc    *f;
	MirBlockPressure *block;
	const MirSlots   *s;
} Count;

static void count_slot(void *user, MirBlockId b, u32 slot, Bitset live, Bitset reach)
{
	Count      *c = user;
	MirPressure now = {{0}, {0}};
	(void)reach;
	bitset_each(live, r) {
		now.by_class[mir_class(c->f, (MirReg){r})]++;
		now.unit[isa_class_info[mir_class(c->f, (MirReg){r})].file] += isa_class_info[mir_class(c->f, (MirReg){r})].units;
	}
	MirBlockPressure *p = &c->block[b.i];
	if (slot == mir_slot_start(c->s, b))
		p->start = now;
	for (u32 k = 0; k < FILE_COUNT; k++)
		p->peak.unit[k] = PS_MAX(p->peak.unit[k], now.unit[k]);
	for (u32 k = 0; k < RC_COUNT; k++)
		p->peak.by_class[k] = PS_MAX(p->peak.by_class[k], now.by_class[k]);
}

static bool expect_pressure(MirBench *b, MirRpa *p, u32 seed, const char *after)
{
	Arena a;
	arena_init(&a, &b->s.budget);
	MirFunc   *f = p->ranges->f;
	Count      c = {f, arena_array(&a, MirBlockPressure, f->block.n), p->ranges->slots};
	LiveOracle x = live_oracle(f, &a);
	bool       good = true;
	oracle_visit(&x, c.s, count_slot, &c);
	mir_each_block(f, blk)
		good &= !memcmp(&c.block[blk.i], &p->block[blk.i], sizeof c.block[blk.i]);
	EXPECT(good);
	if (!good)
		printf("# seed %u after %s\n", seed, after);
	arena_free(&a);
	return good;
}

TEST(pressure, MRPA_01_MRPA_02_peaks_equal_bit_vectors)
{
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		MirBench *b = mirbench_open(a);
		MirFunc  *f = random_mir(b->m, &(Rng){seed}, seed % 4, 2 + seed % 14);
		bool      good = expect_pressure(b, random_rpa(b, f), seed, "building");
		mirbench_close(b);
		if (!good)
			return;
	}
}

/* ---- edits ---- */

typedef struct Editor {
	MirBench *b;
	MirFunc  *f;
	MirRpa   *p;
	Rng       r;
	VecU32    inst; /* neither phis nor terminators */
} Editor;

static void insert_any(Editor *e)
{
	MirBlockId b;
	MirInstId  before = random_place(e->f, &e->r, &b), i = mir_build(e->f, b, before, ISA_INLINEASM);
	if (rng_below(&e->r, 2))
		mir_add_reg(e->f, i, random_reg(e->f, &e->r), MOF_DEF | (rng_below(&e->r, 4) ? 0u : MOF_EARLY_CLOBBER));
	mir_add_text(e->f, i, strtab_add(&e->b->s.strs, STR("nop;")));
	for (u32 k = rng_below(&e->r, 3); k; k--)
		mir_add_reg(e->f, i, random_reg(e->f, &e->r), 0);
	mir_rpa_insert(e->p, i);
}

/* Two registers of any instructions change places in its operands. */
static void update_any(Editor *e)
{
	u32 regs[2] = {random_reg(e->f, &e->r).i, random_reg(e->f, &e->r).i};
	mir_replace_uses(e->f, (MirReg){regs[0]}, (MirReg){regs[1]});
	mir_rpa_update(e->p, regs, regs[0] == regs[1] ? 1 : 2);
}

static const char *edit(Editor *e)
{
	e->inst.n = 0;
	mir_each_block(e->f, b)
		mir_each_inst(e->f, b, i)
			if (mir_inst(e->f, i)->desc != ISA_PHI && !mir_is(e->f, i, IF_TERMINATOR))
				vec_push(&e->b->s.arena, &e->inst, i.i);
	MirInstId  i = {e->inst.n ? e->inst.p[rng_below(&e->r, e->inst.n)] : 0}, before;
	MirBlockId b;
	switch (i.i ? rng_below(&e->r, 5) : 0) {
	case 0: insert_any(e); return "insert";
	case 1: mir_rpa_erase(e->p, i); return "erase";
	case 2: update_any(e); return "update";
	default:
		before = random_place(e->f, &e->r, &b);
		mir_rpa_move(e->p, i, b, before);
		return "move";
	}
}

static void expect_touched_once(const MirRpa *p)
{
	for (u32 k = 0; k < p->touched.n; k++)
		for (u32 n = 0; n < k; n++)
			EXPECT(p->touched.p[n] != p->touched.p[k]);
}

TEST(pressure, MRPA_03_updates_equal_bit_vectors)
{
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Editor e = {.b = mirbench_open(a), .r = {seed}};
		bool   good = true;
		e.f = random_mir(e.b->m, &e.r, seed % 4, 2 + seed % 10);
		e.p = random_rpa(e.b, e.f);
		for (u32 k = 0; k < 10 && good; k++) {
			good = expect_pressure(e.b, e.p, seed, edit(&e));
			expect_touched_once(e.p);
		}
		EXPECT_EQ(e.p->full, 1); /* MRPA-07 */
		mirbench_close(e.b);
		if (!good)
			return;
	}
}

/* Several edits at once: ranges are right after each, blocks behind the last. */
TEST(pressure, MRPA_03_edits_between_begin_and_end)
{
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Editor e = {.b = mirbench_open(a), .r = {seed}};
		bool   good = true;
		e.f = random_mir(e.b->m, &e.r, seed % 4, 2 + seed % 10);
		e.p = random_rpa(e.b, e.f);
		for (u32 k = 0; k < 4 && good; k++) {
			mir_rpa_begin(e.p);
			for (u32 n = 0; n < 5; n++)
				edit(&e);
			good = mir_ranges_verify(e.p->ranges, NULL);
			mir_rpa_end(e.p);
			EXPECT(good);
			good &= expect_pressure(e.b, e.p, seed, "several");
			expect_touched_once(e.p);
		}
		EXPECT_EQ(e.p->full, 1);
		mirbench_close(e.b);
		if (!good)
			return;
	}
}

/* ---- the tracker ---- */

TEST(pressure, MRPA_03_tracker_finds_the_same_both_ways)
{
	for (u32 seed = 1; seed <= 300; seed++) {
		MirBench *b = mirbench_open(a);
		MirFunc  *f = random_mir(b->m, &(Rng){seed}, seed % 4, 10);
		MirRpa   *p = random_rpa(b, f);
		mir_each_block(f, blk) {
			MirTracker down = mir_track_start(p, blk), first = down;
			while (down.next.i) {
				MirPressure peek = mir_track_peek(&down, down.next), most = down.peak;
				mir_track_advance(&down);
				for (u32 k = 0; k < FILE_COUNT; k++)
					EXPECT_EQ(down.peak.unit[k], PS_MAX(most.unit[k], peek.unit[k]));
			}
			EXPECT(!memcmp(&down.peak, &p->block[blk.i].peak, sizeof down.peak));
			MirTracker up = mir_track_end(p, blk);
			EXPECT(!memcmp(&up.now, &down.now, sizeof up.now));
			while (mir_track_recede(&up))
				;
			EXPECT(!memcmp(&up.now, &first.now, sizeof up.now));
		}
		mirbench_close(b);
	}
}

/* ---- hand-made ---- */

/* bb.0 defines six registers; a far block reads them; nothing else happens in between but in one block. */
TEST(pressure, MRPA_04_an_edit_touches_only_what_it_reaches)
{
	MirBench  *b = mirbench_open(a);
	MirFunc   *f = mir_func_new(b->m, strtab_add(&b->s.strs, STR("f")), 0);
	MirBlockId blk[100];
	MirReg     x = mir_reg_new(f, MIR_B64), y = mir_reg_new(f, MIR_B32), pr = mir_reg_new(f, MIR_PRED);
	for (u32 k = 0; k < PS_COUNT(blk); k++)
		blk[k] = mir_block_new(f, (StrId){0}, ~0u);
	for (u32 k = 0; k + 1 < PS_COUNT(blk); k++)
		mir_edge_add(f, blk[k], blk[k + 1], MIR_PROB_UNKNOWN);
	MirInstId def = mir_build(f, blk[0], (MirInstId){0}, ISA_INLINEASM);
	mir_add_def(f, def, x);
	mir_add_def(f, def, y);
	mir_add_def(f, def, pr);
	MirInstId use = mir_build(f, blk[99], (MirInstId){0}, ISA_INLINEASM);
	mir_add_use(f, use, x);
	mir_add_use(f, use, pr);
	MirRpa *p = random_rpa(b, f);
	EXPECT_EQ(mir_pressure_regs(&p->block[blk[0].i].peak, FILE_R), 3);
	EXPECT_EQ(mir_pressure_regs(&p->block[blk[0].i].peak, FILE_P), 1);
	EXPECT_EQ(mir_pressure_regs(&p->block[blk[50].i].peak, FILE_R), 2);
	MirInstId in_3 = mir_build(f, blk[3], (MirInstId){0}, ISA_INLINEASM);
	mir_add_use(f, in_3, y);
	mir_rpa_insert(p, in_3);
	EXPECT_EQ(p->touched.n, 4);
	EXPECT_EQ(mir_pressure_regs(&p->block[blk[3].i].peak, FILE_R), 3);
	EXPECT_EQ(mir_pressure_regs(&p->block[blk[4].i].peak, FILE_R), 2);
	mir_rpa_erase(p, in_3);
	EXPECT_EQ(p->touched.n, 4);
	EXPECT_EQ(mir_pressure_regs(&p->block[blk[3].i].peak, FILE_R), 2);
	EXPECT_EQ(p->full, 1);
	mirbench_close(b);
}

/* All classes at once in one block: 64 bits are two registers of file R, 128 bits four, 32 and 16 bits one; predicates are
 * counted in file P alone. */
TEST(pressure, MRPA_14_widths_and_files)
{
	static const u8 cls[] = {MIR_B32, MIR_F32, MIR_B64, MIR_F64, MIR_B128, MIR_PRED};
	static const u8 regs[] = {1, 2, 4, 6, 10, 10}, preds[] = {0, 0, 0, 0, 0, 1};
	MirBench       *b = mirbench_open(a);
	MirFunc        *f = mir_func_new(b->m, strtab_add(&b->s.strs, STR("f")), 0);
	MirBlockId      blk = mir_block_new(f, (StrId){0}, ~0u);
	MirInstId       last = mir_build(f, blk, (MirInstId){0}, ISA_INLINEASM);
	MirRpa         *p = random_rpa(b, f);
	for (u32 k = 0; k < PS_COUNT(cls); k++) {
		MirReg    r = mir_reg_new(f, (MirClass)cls[k]);
		MirInstId def = mir_build(f, blk, last, ISA_INLINEASM);
		mir_add_def(f, def, r);
		mir_rpa_insert(p, def);
		mir_add_use(f, last, r);
		mir_rpa_update(p, &r.i, 1);
		EXPECT_EQ(mir_pressure_regs(&p->block[blk.i].peak, FILE_R), regs[k]);
		EXPECT_EQ(mir_pressure_regs(&p->block[blk.i].peak, FILE_P), preds[k]);
	}
	EXPECT(mir_rpa_verify(p, NULL));
	mirbench_close(b);
}

TEST(pressure, MRPA_13_targets_move_within_ten)
{
	static const struct {
		const char *text;
		i64         moved;
		KnobError   result;
	} rows[] = {{"-10", -10, KNOB_OK},      {"0", 0, KNOB_OK},         {"+10", 10, KNOB_OK},
	            {"-11", -10, KNOB_CLAMPED}, {"+11", 10, KNOB_CLAMPED}, {"-999999999", -10, KNOB_CLAMPED},
	            {"3", 3, KNOB_OK},          {"x", 3, KNOB_NOT_INT}};
	MirBench *b = mirbench_open(a);
	MirFunc  *f = mir_func_new(b->m, strtab_add(&b->s.strs, STR("f")), 0);
	EXPECT_EQ(mir_budget(f, FILE_R).target, 70);
	EXPECT_EQ(mir_budget(f, FILE_P).target, 7);
	for (u32 k = 0; k < PS_COUNT(rows); k++) {
		EXPECT_EQ(knob_set(&b->s.knobs, a, KNOB_reg_target_adjust, str_of(rows[k].text)), rows[k].result);
		EXPECT_EQ(mir_budget(f, FILE_R).target, 70 + rows[k].moved);
		EXPECT_EQ(knob_set(&b->s.knobs, a, KNOB_pred_target_adjust, str_of(rows[k].text)), rows[k].result);
		EXPECT_EQ(mir_budget(f, FILE_P).target, PS_MAX(7 + rows[k].moved, 1)); /* there is no target of 0 */
	}
	mirbench_close(b);
}

/* ---- the analysis of the pass manager ---- */

/* Asking, updating and verifying leave every function as it is, instruction by instruction. */
TEST(pressure, MRPA_10_asking_changes_nothing)
{
	for (u32 seed = 1; seed <= 100; seed++) {
		MirBench *b = mirbench_open(a);
		MirFunc  *f = random_mir(b->m, &(Rng){seed}, seed % 4, 10);
		Text      before, after;
		text_init(&before, &b->s.arena);
		text_init(&after, &b->s.arena);
		mir_print_func(&before, f, NULL);
		MirRpa *p = random_rpa(b, f);
		for (u32 r = 1; r < f->vreg.n; r++)
			mir_rpa_update(p, &r, 1);
		EXPECT_EQ(p->edits, f->vreg.n - 1);
		mir_rpa_recompute(p);
		EXPECT(mir_rpa_verify(p, NULL));
		mir_rpa_most(p);
		mir_print_func(&after, f, NULL);
		EXPECT(str_eq(text_str(&before), text_str(&after)));
		mirbench_close(b);
	}
}

typedef struct Managed {
	Manager m;
	Text    dump;
	PassCx  cx;
} Managed;

static void managed_open(Managed *x, MirBench *b)
{
	text_init(&x->dump, &b->s.arena);
	manager_init(&x->m, &b->s, &x->dump);
	x->m.at = PASS_MIR;
	x->cx = (PassCx){.s = &b->s, .scratch = &b->s.arena, .mir = b->m, .func = 1, .manager = &x->m};
}

static bool managed_run(Managed *x, const Pass *p)
{
	bool changed = p->run(&x->cx);
	if (changed)
		pass_invalidate(&x->cx, p->keeps);
	return changed;
}

/* The record of a trace, machine-cse and the printer read one result, computed once and updated in between. With any
 * target it is right after each replacement, whether or not somebody has asked before machine-cse. */
TEST(pressure, MRPA_11_RPCSE_09_passes_share_one_result)
{
	u32 changed = 0, updated = 0;
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		MirBench *b = mirbench_open(a);
		random_mir(b->m, &(Rng){seed}, RANDOM_SSA | RANDOM_PURE, 4 + seed % 10);
		char target[] = {(char)('1' + seed % 9), 0};
		EXPECT_EQ(knob_set(&b->s.knobs, &b->s.arena, KNOB_nv_remat_default_max_reg, str_of(target)), KNOB_OK);
		Managed  x;
		Pressure p;
		managed_open(&x, b);
		MirRpa *first = NULL;
		if (seed % 3) {
			mir_max_pressure(&x.cx, &p);
			first = mir_rpa(&x.cx);
			EXPECT_EQ(first->full, 1);
		}
		changed += managed_run(&x, &mirpass_machine_cse);
		managed_run(&x, &mirpass_extra_machineinstr_printer);
		MirRpa *last = mir_rpa(&x.cx);
		EXPECT_EQ(last->full, 1);
		EXPECT(!first || last == first);
		updated += last->edits > 0;
		bool good = mir_ranges_verify(last->ranges, NULL) && mir_rpa_verify(last, NULL);
		EXPECT(good);
		MirPressure most = mir_rpa_most(last);
		Text        want;
		text_init(&want, &b->s.arena);
		text_f(&want, "Max Live RRegs: %u\tPRegs: %u\nFunction Size: ", mir_pressure_regs(&most, FILE_R),
		       mir_pressure_regs(&most, FILE_P));
		EXPECT(str_starts(text_str(&x.dump), (text_c(&want, 0), want.p))); /* MRPA-12 */
		manager_free(&x.m);
		mirbench_close(b);
		if (!good) {
			printf("# seed %u\n", seed);
			return;
		}
	}
	EXPECT(changed > random_runs() / 20 && updated > random_runs() / 20);
}

/* With rp-aware-mcse no file of any block exceeds the target, nor what it had before; with neither knob some do. Without
 * incremental-update-mcse each replacement computes everything anew. */
TEST(pressure, RPCSE_08_RPCSE_10_machine_cse_stays_below_the_target)
{
	u32 over[2] = {0}, full[2] = {0};
	for (u32 seed = 1; seed <= 2 * random_runs(); seed++) {
		MirBench *b = mirbench_open(a);
		MirFunc  *f = random_mir(b->m, &(Rng){seed / 2}, RANDOM_SSA | RANDOM_PURE, 4 + seed / 2 % 10);
		bool      aware = seed % 2;
		Managed   x;
		Str       target = {"6", 1}, no = {"0", 1};
		knob_set(&b->s.knobs, &b->s.arena, KNOB_nv_remat_default_max_reg, target);
		if (!aware) {
			knob_set(&b->s.knobs, &b->s.arena, KNOB_rp_aware_mcse, no);
			knob_set(&b->s.knobs, &b->s.arena, KNOB_pred_aware_mcse, no);
			knob_set(&b->s.knobs, &b->s.arena, KNOB_incremental_update_mcse, no);
		}
		managed_open(&x, b);
		MirRpa           *p = mir_rpa(&x.cx);
		MirBlockPressure *before = arena_array(a, MirBlockPressure, f->block.n);
		memcpy(before, p->block, sizeof *before * f->block.n);
		managed_run(&x, &mirpass_machine_cse);
		p = mir_rpa(&x.cx);
		mir_each_block(f, blk)
			for (u32 k = 0; k < FILE_COUNT; k++) {
				u32 was = mir_pressure_regs(&before[blk.i].peak, (IsaFile)k);
				u32 is = mir_pressure_regs(&p->block[blk.i].peak, (IsaFile)k);
				over[aware] += is > PS_MAX(was, mir_budget(f, (IsaFile)k).target);
			}
		full[aware] += p->full > 1;
		manager_free(&x.m);
		mirbench_close(b);
	}
	EXPECT_EQ(over[true], 0);
	EXPECT(over[false] > 0);
	EXPECT_EQ(full[true], 0);
	EXPECT(full[false] > 0);
}

/* A fault in the record, as a wrong update would leave it, is reported where it is asked for. */
TEST(pressure, MRPA_05_MRPA_06_MRPA_07_faults_are_reported)
{
	MirBench *b = mirbench_open(a);
	MirFunc  *f = random_mir(b->m, &(Rng){7}, RANDOM_SSA, 6);
	MirRpa   *p = random_rpa(b, f);
	Managed   x;
	PassCx   *cx = &x.cx;
	Text      t;
	managed_open(&x, b);
	text_init(&t, &b->s.arena);
	mir_rpa_check(cx, p);
	EXPECT_EQ(p->full, 1);
	EXPECT(mir_rpa_verify(p, &t));
	EXPECT_STR(text_str(&t), "");
	p->block[f->first_block].peak.unit[FILE_R] += 2 * ISA_UNITS_PER_REG;
	mir_rpa_check(cx, p); /* the knob is off */
	EXPECT_EQ(b->s.diags.errors, 0);
	EXPECT_EQ(p->full, 2);
	EXPECT_EQ(knob_set(&b->s.knobs, &b->s.arena, KNOB_verify_update_mcse, STR("1")), KNOB_OK);
	mir_rpa_check(cx, p);
	EXPECT_EQ(b->s.diags.errors, 1);
	EXPECT_STR(b->s.diags.list.p[0].message, "Incorrect RP info from incremental MRPA update");
	EXPECT_STR(text_str(&x.dump), ""); /* print-verify is off */
	EXPECT_EQ(knob_set(&b->s.knobs, &b->s.arena, KNOB_print_verify, STR("1")), KNOB_OK);
	mir_rpa_check(cx, p);
	EXPECT_EQ(b->s.diags.errors, 2);
	EXPECT(!mir_rpa_verify(p, &t));
	text_c(&t, 0);
	EXPECT(strstr(t.p, "BB#0 class R: incremental ") != NULL);
	EXPECT(strstr(t.p, "class P") == NULL);
	text_c(&x.dump, 0);
	EXPECT_STREQ(str_of(x.dump.p), str_of(t.p));
	manager_free(&x.m);
	mirbench_close(b);
}

UNIT_MAIN
