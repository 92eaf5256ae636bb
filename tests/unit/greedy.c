/* The allocator and its analyses: the register matrix against counting, edge bundles and spill placement against answers made by
 * hand, the order of the queue and of evictions, and greedy and regallocfast on random functions within random budgets. */
#include "unit.h"

#include "mir/budget.h"
#include "mir/pressure.h"
#include "mirpass/greedy.h"
#include "pass/manager.h"
#include "randommir.h"

extern const Pass mirpass_greedy, mirpass_regallocfast;

/* ---- live-reg-matrix ---- */

enum { POINTS = 100, OWNERS = 40 };

typedef struct Owner {
	u32  first, n, units;
	bool in;
} Owner;

static void check_matrix(Arena *a, const MirMatrix *m, const Owner *owner, Rng *rng)
{
	u32    pressure[POINTS] = {0}, from = rng_below(rng, POINTS), to = rng_below(rng, POINTS + 1), bound = rng_below(rng, 30);
	u32    most = 0, above = MIR_NO_POINT, at = rng_below(rng, POINTS), here = 0;
	VecU32 there = {0};
	for (u32 k = 0; k < OWNERS; k++)
		for (u32 n = owner[k].first; owner[k].in && n < owner[k].first + owner[k].n; n++)
			for (u32 p = m->seg.p[n].start; p < m->seg.p[n].end; p++)
				pressure[p] += owner[k].units;
	for (u32 p = from; p < to; p++) {
		most = PS_MAX(most, pressure[p]);
		above = above == MIR_NO_POINT && pressure[p] > bound ? p : above;
	}
	EXPECT_EQ(mir_matrix_most(m, from, to), most);
	EXPECT_EQ(mir_matrix_above(m, from, to, bound), above);
	mir_matrix_at(m, at, &there);
	for (u32 k = 0; k < there.n; k++)
		here += owner[there.p[k]].units;
	EXPECT_EQ(here, pressure[at]);
	(void)a;
}

TEST(greedy, ANA_live_reg_matrix_equals_the_sum_of_live_widths)
{
	Rng        rng = {7};
	MirMatrix *m = mir_matrix_new(POINTS, a);
	Owner      owner[OWNERS];
	for (u32 k = 0; k < OWNERS; k++) {
		owner[k] = (Owner){.first = m->seg.n, .units = 1u << rng_below(&rng, 4)};
		for (u32 p = rng_below(&rng, 20); p + 1 < POINTS && owner[k].n < 4; p += 1 + rng_below(&rng, 20)) {
			u32 end = p + 1 + rng_below(&rng, PS_MIN(30, POINTS - p - 1));
			mir_matrix_segment(m, p, end, k);
			owner[k].n++;
			p = end;
		}
	}
	for (u32 k = 0; k < 2000; k++) {
		Owner *o = &owner[rng_below(&rng, OWNERS)];
		if (o->in)
			mir_matrix_withdraw(m, o->first, o->n, o->units);
		else
			mir_matrix_admit(m, o->first, o->n, o->units);
		o->in = !o->in;
		check_matrix(a, m, owner, &rng);
	}
}

/* ---- edge-bundles, spill-code-placement ---- */

static MirBundles *bundles(Arena *a, MirCfg *cfg, u32 n, const GraphEdge *edge, u32 n_edges)
{
	graph_build(&cfg->g, a, n, edge, n_edges);
	return mir_bundles_build(cfg, a);
}

TEST(greedy, ANA_07_edge_bundles_of_a_diamond_and_a_loop)
{
	static const GraphEdge diamond[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, loop[] = {{0, 1}, {1, 1}, {1, 2}};
	static const u32       in_d[] = {0, 1, 1, 2}, out_d[] = {1, 2, 2, 3}, in_l[] = {0, 1, 1}, out_l[] = {1, 1, 2};
	MirCfg                 cfg = {0};
	MirBundles            *b = bundles(a, &cfg, 4, diamond, 4);
	EXPECT_EQ(b->n, 4);
	for (u32 k = 0; k < 4; k++) {
		EXPECT_EQ(b->in[k], in_d[k]);
		EXPECT_EQ(b->out[k], out_d[k]);
	}
	b = bundles(a, &cfg, 3, loop, 3);
	EXPECT_EQ(b->n, 3);
	for (u32 k = 0; k < 3; k++) {
		EXPECT_EQ(b->in[k], in_l[k]);
		EXPECT_EQ(b->out[k], out_l[k]);
	}
}

/* bb.0 defines, bb.1 has no room, bb.2 passes it on, bb.3 reads it in a loop. Is it in a register at bb.3? */
static bool placed(Arena *a, f64 reads)
{
	static const GraphEdge edge[] = {{0, 1}, {1, 2}, {2, 3}, {3, 3}, {3, 4}};
	MirCfg                 cfg = {0};
	MirBundles            *b = bundles(a, &cfg, 5, edge, 5);
	SpillPlace            *p = spill_place_new(b, a);
	spill_place_begin(p);
	spill_place_name(p, b->out[0]);
	spill_place_name(p, b->in[1]);
	spill_place_never(p, 1);
	spill_place_pass(p, 2, 1);
	spill_place_enter(p, 3, reads);
	spill_place_name(p, b->out[3]);
	spill_place_solve(p);
	EXPECT(!spill_place_chosen(p, b->in[1]));
	EXPECT(!spill_place_chosen(p, b->in[2]));
	EXPECT(!spill_place_chosen(p, b->out[4]));
	EXPECT_EQ(spill_place_chosen(p, b->in[3]), spill_place_chosen(p, b->out[2]));
	return spill_place_chosen(p, b->in[3]);
}

TEST(greedy, ANA_07_spill_placement_reloads_in_front_of_a_loop)
{
	EXPECT(placed(a, 100));
	EXPECT(!placed(a, 0.5));
}

/* A diamond, read in one arm and behind it; the other arm has no room and reloads at its end. */
TEST(greedy, ANA_07_spill_placement_in_a_diamond)
{
	static const GraphEdge edge[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
	MirCfg                 cfg = {0};
	MirBundles            *b = bundles(a, &cfg, 4, edge, 4);
	SpillPlace            *p = spill_place_new(b, a);
	for (u32 often = 0; often < 2; often++) {
		spill_place_begin(p);
		spill_place_name(p, b->out[0]);
		spill_place_enter(p, 1, 0.9);
		spill_place_name(p, b->out[1]);
		spill_place_leave(p, 2, often ? 0.1 : 2);
		spill_place_enter(p, 3, 1);
		spill_place_solve(p);
		EXPECT(spill_place_chosen(p, b->out[0]));
		EXPECT_EQ(spill_place_chosen(p, b->in[3]), often);
	}
}

/* ---- regalloc-priority, regalloc-evict ---- */

static Greedy *bench(Arena *a, MirBench *mb, u32 limit)
{
	Greedy  *g = arena_new(a, Greedy);
	MirFunc *f = mir_func_new(mb->m, (StrId){1}, 0);
	*g = (Greedy){.f = f, .arena = a, .file = FILE_R, .limit = limit, .matrix = mir_matrix_new(100, a)};
	g->points = arena_new(a, MirPoints);
	g->points->at = arena_array(a, u32, 100);
	g->named = arena_array(a, u32, 100);
	g->pinned = bitset_new(a, 100);
	return g;
}

static u32 add(Greedy *g, u32 start, u32 end, f64 weight, bool local)
{
	Item i = {.reg = mir_reg_new(g->f, MIR_B32).i, .first = mir_matrix_segment(g->matrix, start, end, g->item.n), .n = 1};
	i.weight = weight;
	i.local = local;
	vec_push(g->arena, &g->item, i);
	return g->item.n - 1;
}

TEST(greedy, ANA_08_priority_large_then_local_then_evicted)
{
	MirBench *mb = mirbench_open(a);
	Greedy   *g = bench(a, mb, 8);
	u32       late = add(g, 50, 60, 1, true), small = add(g, 0, 30, 1, false), evicted = add(g, 1, 99, 1, false);
	u32       early = add(g, 5, 9, 1, true), large = add(g, 20, 80, 1, false);
	g->item.p[evicted].evictions = 1;
	for (u32 k = 0; k < g->item.n; k++)
		greedy_push(g, k);
	u32 want[] = {large, small, early, late, evicted};
	for (u32 k = 0; k < PS_COUNT(want); k++)
		EXPECT_EQ(greedy_pop(g), want[k]);
	mirbench_close(mb);
}

TEST(greedy, ANA_08_the_lightest_makes_room_and_none_that_is_heavier)
{
	MirBench *mb = mirbench_open(a);
	Greedy   *g = bench(a, mb, 6);
	u32       heavy = add(g, 0, 90, 9, false), light = add(g, 10, 90, 1, false), middle = add(g, 10, 80, 2, false);
	u32       next = add(g, 20, 30, 5, true), last = add(g, 25, 28, 0.5, true);
	greedy_admit(g, heavy);
	greedy_admit(g, light);
	greedy_admit(g, middle);
	EXPECT(!greedy_evict(g, last));
	EXPECT(greedy_evict(g, next));
	EXPECT_EQ(g->item.p[light].state, ITEM_QUEUED);
	EXPECT_EQ(g->item.p[middle].state, ITEM_ADMITTED);
	EXPECT_EQ(g->item.p[heavy].state, ITEM_ADMITTED);
	EXPECT_EQ(greedy_pop(g), light);
	mirbench_close(mb);
}

/* ---- both allocators on random functions ---- */

static bool allocate(Arena *a, const Pass *pass, u32 seed, u32 how, u32 budget)
{
	MirBench *b = mirbench_open(a);
	char      value[8];
	Text      errors;
	Manager   manager;
	Arena     scratch;
	snprintf(value, sizeof value, "%u", budget);
	EXPECT_EQ(knob_set(&b->s.knobs, &b->s.arena, KNOB_maxreg, str_of(value)), KNOB_OK);
	MirFunc *f = random_mir(b->m, &(Rng){seed}, how, 4 + seed % 30);
	f->props |= MP_NO_PHIS;
	text_init(&errors, a);
	arena_init(&scratch, &b->s.budget);
	manager_init(&manager, &b->s, &errors);
	manager.at = PASS_MIR;
	PassCx cx = {.s = &b->s, .scratch = &scratch, .mir = b->m, .func = 1, .pass = pass, .manager = &manager};
	u64    hash = mir_hash(f);
	bool   changed = pass->run(&cx);
	EXPECT_EQ(changed, mir_hash(f) != hash);
	EXPECT_EQ(f->within_budget, b->s.diags.list.n == 0);
	EXPECT(mir_verify(f, &errors)); /* looks at the pressure at every point */
	EXPECT_STR(text_str(&errors), "");
	for (u32 k = 0; k < f->frame.n; k++)
		EXPECT_EQ(f->frame.p[k].kind, MIR_FRAME_SPILL);
	bool met = f->within_budget;
	manager_free(&manager);
	arena_free(&scratch);
	mirbench_close(b);
	return met && changed;
}

static void allocate_random(Arena *a, const Pass *pass)
{
	u32 spilled = 0;
	for (u32 seed = 1; seed <= 300; seed++)
		spilled += allocate(a, pass, seed, RANDOM_PURE, 4 + seed % 11);
	EXPECT(spilled > 100);
}

TEST(greedy, ANA_09_random_functions_keep_within_random_budgets) { allocate_random(a, &mirpass_greedy); }

TEST(greedy, STOCK_12_regallocfast_keeps_random_functions_within_random_budgets) { allocate_random(a, &mirpass_regallocfast); }

UNIT_MAIN
