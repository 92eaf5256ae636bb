/* Layout of blocks on random functions with random profiles, and repeats in random texts, against answers by definition. */
#include "randommir.h"

#include "base/repeats.h"
#include "graph/layout.h"
#include "mir/freq.h"
#include "pass/manager.h"

extern const Pass mirpass_block_placement, mirpass_tailduplication, mirpass_branch_folder;

/* ---- repeats ---- */

static bool same_run(const u32 *text, u32 n, u32 x, u32 y, u32 length)
{
	return x + length <= n && y + length <= n && !memcmp(text + x, text + y, length * sizeof(u32));
}

static u32 places_of(const u32 *text, u32 n, u32 at, u32 length)
{
	u32 count = 0;
	for (u32 k = 0; k < n; k++)
		count += same_run(text, n, k, at, length);
	return count;
}

/* A run that occurs twice at least, for the first time at `at`, and not always in front of the same number. */
static bool is_repeat(const u32 *text, u32 n, u32 at, u32 length)
{
	u32 count = places_of(text, n, at, length);
	for (u32 k = 0; k < at; k++)
		if (same_run(text, n, k, at, length))
			return false;
	return count > 1 && (at + length == n || places_of(text, n, at, length + 1) < count);
}

static u32 check_repeats(Arena *a, const u32 *text, u32 n, u32 least)
{
	u32     expected = 0;
	Repeats r = repeats_find(text, n, least, a);
	for (u32 at = 0; at < n; at++)
		for (u32 length = least; at + length <= n; length++)
			expected += is_repeat(text, n, at, length);
	EXPECT_EQ(r.list.n, expected);
	for (u32 k = 0; k < r.list.n; k++) {
		const Repeat *x = &r.list.p[k];
		const u32    *place = r.place + x->first;
		u32           first = place[0];
		EXPECT_EQ(x->n, places_of(text, n, place[0], x->length));
		for (u32 j = 0; j < x->n; j++) {
			EXPECT(same_run(text, n, place[j], place[0], x->length));
			first = PS_MIN(first, place[j]);
			for (u32 i = 0; i < j; i++)
				EXPECT(place[i] != place[j]);
		}
		EXPECT(is_repeat(text, n, first, x->length));
	}
	return r.list.n;
}

TEST(repeats, OUTL_08_repeats_of_random_texts_are_those_that_comparing_all_pairs_finds)
{
	u32       found = 0;
	MemBudget budget = {0};
	for (u32 seed = 1; seed <= random_runs() / 4; seed++) {
		Rng   rng = {seed};
		Arena scratch;
		u32   n = 2 + rng_below(&rng, 30), letters = 1 + rng_below(&rng, 4), text[32];
		arena_init(&scratch, &budget);
		for (u32 k = 0; k < n; k++)
			text[k] = rng_below(&rng, 8) ? rng_below(&rng, letters) : UINT32_MAX - k;
		found += check_repeats(&scratch, text, n, 1 + seed % 3);
		arena_free(&scratch);
	}
	EXPECT(found > random_runs());
	(void)a;
}

/* ---- placement ---- */

typedef struct Placed {
	MirBench *b;
	MirFunc  *f;
	Manager   manager;
	PassCx    cx;
	Arena     scratch;
} Placed;

static void open_function(Placed *p, Arena *a, u32 seed, u32 size)
{
	Rng rng = {seed};
	p->b = mirbench_open(a);
	p->f = random_mir(p->b->m, &rng, 0, size);
	mir_each_block(p->f, b) {
		u64 weight[2] = {1 + rng_below(&rng, 9), rng_below(&rng, 3) ? 1 : 90};
		u32 prob[2], k = 0, n = mir_block(p->f, b)->n_succs;
		if (!n || !mir_prob_of_weights(weight, n, prob))
			continue;
		mir_each_succ(p->f, b, e)
			e->prob = prob[k++];
	}
	mir_note_reducible(p->f, &p->b->s.arena);
	manager_init(&p->manager, &p->b->s, NULL);
	p->manager.at = PASS_MIR;
	arena_init(&p->scratch, &p->b->s.budget);
	p->cx = (PassCx){.s = &p->b->s, .scratch = &p->scratch, .mir = p->b->m, .func = 1, .manager = &p->manager};
}

static void close_function(Placed *p)
{
	arena_free(&p->scratch);
	manager_free(&p->manager);
	mirbench_close(p->b);
}

static f64 score_now(Placed *p)
{
	MirCfg        *cfg = mir_cfg_build(p->f, &p->scratch);
	DomTree       *dom = dom_new(&cfg->g, &p->scratch), *postdom = postdom_new(&cfg->g, &p->scratch);
	Loops         *loops = loops_new(&cfg->g, &cfg->order, dom, &p->scratch);
	const MirFreq *freq = mir_freq_build(p->f, cfg, postdom, loops, &p->scratch);
	u32            n = cfg->g.n, *order = arena_array(&p->scratch, u32, n), *bytes = arena_array(&p->scratch, u32, n);
	f64           *of = arena_array(&p->scratch, f64, n), *weight = arena_array(&p->scratch, f64, cfg->g.succ.at[n] + 1);
	for (u32 v = 0; v < n; v++) {
		MirBlockId b = {cfg->block[v]};
		u32        k = cfg->g.succ.at[v];
		order[v] = v;
		of[v] = freq->block[b.i];
		for (MirInstId i = {mir_block(p->f, b)->first}; i.i; i = mir_next(p->f, i))
			bytes[v] += mir_is(p->f, i, IF_META | IF_BRANCH) ? 0 : 16;
		for (u32 e = mir_block(p->f, b)->succ; e; e = mir_edge(p->f, (MirEdgeId){e})->next_succ)
			weight[k++] = of[v] * freq->prob[e] / (f64)MIR_PROB_ONE;
	}
	LayoutGraph l = {&cfg->g, &cfg->order, loops, of, weight, bytes};
	return layout_score(&l, order, &p->scratch);
}

/* Where control goes behind `b` when the guards of its branches hold, or do not. */
static u32 goes_to(const MirFunc *f, MirBlockId b, bool holds)
{
	for (MirInstId i = mir_first_terminator(f, b); i.i; i = mir_next(f, i)) {
		u32 guard = mir_desc(f, i)->opc.slot[SLOT_guard];
		if (mir_desc(f, i)->opc.op != ISA_bra)
			return UINT32_MAX; /* ret */
		if (!guard || (guard == 1) == holds)
			return mir_op(f, i, mir_inst(f, i)->n_ops - 1u)->ref;
	}
	return mir_block(f, b)->next;
}

static bool is_in_one_piece(const MirCfg *cfg, const Loops *loops, u32 l)
{
	Nodes nodes = loop_nodes(loops, l);
	u32   first = UINT32_MAX, last = 0;
	for (u32 k = 0; k < nodes.n; k++) {
		first = PS_MIN(first, nodes.p[k]); /* nodes are numbered along the layout */
		last = PS_MAX(last, nodes.p[k]);
	}
	(void)cfg;
	return last - first + 1 == nodes.n;
}

TEST(block_placement, BPLACE_01_BPLACE_04_BPLACE_09_random_functions_with_random_profiles)
{
	u32 changed = 0, better = 0, whole = 0;
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Placed p;
		open_function(&p, a, seed, 2 + seed % 14);
		u32 entry = p.f->first_block, n = p.f->n_blocks, *to = arena_array(&p.scratch, u32, 2 * p.f->block.n);
		f64 before = score_now(&p);
		mir_each_block(p.f, b)
			for (u32 k = 0; k < 2; k++)
				to[2 * b.i + k] = goes_to(p.f, b, k);
		bool did = mirpass_block_placement.run(&p.cx);
		expect_good_mir(p.b, p.f);
		EXPECT_EQ(p.f->first_block, entry);
		u32 blocks = 0;
		mir_each_block(p.f, b) {
			blocks++;
			for (u32 k = 0; k < 2; k++)
				EXPECT_EQ(goes_to(p.f, b, k), to[2 * b.i + k]);
			MirInstId last = {mir_block(p.f, b)->last};
			if (did && last.i && mir_desc(p.f, last)->opc.op == ISA_bra && !mir_desc(p.f, last)->opc.slot[SLOT_guard])
				EXPECT(mir_op(p.f, last, mir_inst(p.f, last)->n_ops - 1u)->ref != mir_block(p.f, b)->next);
		}
		EXPECT_EQ(blocks, n);
		f64 after = score_now(&p);
		EXPECT(after >= before * (1 - 1e-6));
		if (did) {
			MirCfg  *cfg = mir_cfg_build(p.f, &p.scratch);
			DomTree *dom = dom_new(&cfg->g, &p.scratch);
			Loops   *loops = loops_new(&cfg->g, &cfg->order, dom, &p.scratch);
			for (u32 l = 0; l < loops->n; l++, whole++)
				EXPECT(is_in_one_piece(cfg, loops, l));
		}
		changed += did;
		better += after > before * 1.01;
		close_function(&p);
	}
	EXPECT(changed > random_runs() / 4 && better > random_runs() / 4 && whole > random_runs() / 20);
}

UNIT_MAIN
