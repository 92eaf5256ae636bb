/* The machine schedulers on random blocks: every order follows the dependences, and the pressure that is predicted for it is what
 * live ranges say of the code once it has that order. random_runs() says how many. */
#include "randommir.h"

#include "mirpass/sched.h"
#include "pass/manager.h"

typedef struct Bench {
	MirBench *b;
	MirFunc  *f;
	Rng       r;
	Manager   manager; /* that nobody asks for remarks */
	PassCx    cx;
	Sched     s;
	u32       orders, lower; /* looked at; with a lower peak than the source */
	/* of the region that keeps an order */
	MirRegionPeak predicted;
	u32           kept; /* 1 + its number */
	u32           region;
	bool          good;
} Bench;

static const u8 spaces[] = {TOK_space_global, TOK_space_shared, TOK_space_local};

static MirReg plain_reg(Bench *t, MirClass cls)
{
	for (;;) {
		MirReg r = {1 + rng_below(&t->r, t->f->vreg.n - 1)};
		if (mir_class(t->f, r) == cls)
			return r;
	}
}

/* A load, a store, some of them volatile, a barrier of a warp, or arithmetic. */
static void add_inst(Bench *t, MirBlockId b, u32 kind)
{
	Session  *s = &t->b->s;
	u8        space = spaces[rng_below(&t->r, PS_COUNT(spaces))];
	PtxOpc    op = kind < 4 ? ptx_opc(ld, TY(u32)) : ptx_opc(st, TY(u32));
	MirInstId i;
	if (kind < 7) {
		op.slot[SLOT_space] = space;
		op.slot[SLOT_sem] = rng_below(&t->r, 4) ? 0 : TOK_sem_volatile;
		i = mir_build(t->f, b, (MirInstId){0}, isa_intern(s, op));
		if (kind < 4)
			mir_add_def(t->f, i, plain_reg(t, MIR_B32));
		mir_add_use(t->f, i, plain_reg(t, MIR_B64));
		mir_add_imm(t->f, i, rng_below(&t->r, 4) * 4);
		if (kind >= 4)
			mir_add_use(t->f, i, plain_reg(t, MIR_B32));
	} else if (kind == 7) {
		i = mir_build(t->f, b, (MirInstId){0}, isa_intern(s, ptx_opc(bar_warp_sync)));
		mir_add_imm(t->f, i, -1);
	} else {
		bool wide = kind == 8;
		i = mir_build(t->f, b, (MirInstId){0}, isa_intern(s, wide ? ptx_opc(add, TY(u64)) : ptx_opc(add, TY(u32))));
		mir_add_def(t->f, i, plain_reg(t, wide ? MIR_B64 : MIR_B32));
		mir_add_use(t->f, i, plain_reg(t, wide ? MIR_B64 : MIR_B32));
		mir_add_use(t->f, i, plain_reg(t, wide ? MIR_B64 : MIR_B32));
	}
}

static void rpa(Bench *t)
{
	Arena  *a = &t->b->s.arena;
	MirCfg *cfg = mir_cfg_build(t->f, a);
	MirFlow flow = {t->f, cfg, NULL};
	t->s.rpa = mir_rpa_new(mir_ranges_all(flow, a), a);
}

static void bench_open(Bench *t, u32 seed, Arena *a)
{
	*t = (Bench){.b = mirbench_open(a), .r = {seed}, .good = true};
	t->f = mir_func_new(t->b->m, strtab_add(&t->b->s.strs, STR("f")), 0);
	t->f->props = MP_NO_PHIS;
	for (u32 n = 0, words = 3 + rng_below(&t->r, 20); n < words + 4; n++)
		mir_reg_new(t->f, n < words ? MIR_B32 : MIR_B64);
	MirBlockId entry = mir_block_new(t->f, (StrId){0}, ~0u), next = mir_block_new(t->f, (StrId){0}, ~0u);
	for (u32 r = 1; r < t->f->vreg.n; r += 1 + rng_below(&t->r, 2))
		mir_add_def(t->f, mir_build(t->f, entry, (MirInstId){0}, ISA_IMPLICIT_DEF), (MirReg){r});
	for (u32 n = 2 + rng_below(&t->r, 60); n--;)
		add_inst(t, entry, rng_below(&t->r, 40) ? rng_below(&t->r, 14) : 7);
	mir_edge_add(t->f, entry, next, MIR_PROB_UNKNOWN);
	for (u32 n = rng_below(&t->r, 12); n--;) /* readers of what lives out */
		add_inst(t, next, 4);
	mir_build(t->f, next, (MirInstId){0}, isa_intern(&t->b->s, ptx_opc(ret)));
	t->cx = (PassCx){
		.s = &t->b->s, .scratch = &t->b->s.arena, .mir = t->b->m, .func = t->b->m->func.n, .manager = &t->manager};
	t->s = (Sched){.cx = &t->cx, .f = t->f, .machine = isa_machine(90)};
	t->s.current = arena_array(&t->b->s.arena, u32, t->f->vreg.n);
	rpa(t);
}

/* Do two instructions have to keep their order? From their text alone. */
static bool must_stay(const MirFunc *f, MirInstId x, MirInstId y)
{
	for (u32 m = 0; m < mir_inst(f, x)->n_ops; m++)
		for (u32 n = 0; n < mir_inst(f, y)->n_ops; n++) {
			const MirOp *p = mir_op(f, x, m), *q = mir_op(f, y, n);
			if (p->kind == MO_REG && q->kind == MO_REG && p->ref == q->ref && (p->flags | q->flags) & MOF_DEF)
				return true;
		}
	return mir_is_ordered(f, x, y);
}

static bool expect_order(const SchedRegion *x, const u32 *order)
{
	u32 *place = arena_array(&x->s->arena, u32, x->r.n);
	bool good = mir_region_is_order(x->deps, order, &x->s->arena);
	for (u32 k = 0; good && k < x->r.n; k++)
		place[order[k]] = k;
	for (u32 i = 0; good && i < x->r.n; i++)
		for (u32 j = i + 1; good && j < x->r.n; j++)
			good = place[i] < place[j] || !must_stay(x->s->f, x->deps->inst[i], x->deps->inst[j]);
	EXPECT(good);
	return good;
}

static u32 *order_of(Bench *t, const SchedRegion *x, u32 which)
{
	if (which == 0)
		return sched_for_latency(x);
	if (which == 1)
		return sched_in_cycles(x);
	return sched_for_pressure(x, (SchedPolicy)(which % 2), which < 4 ? 0 : rng_below(&t->r, 40));
}

/* The peak between the ends of the region, from live ranges. */
static MirRegionPeak tracked(const Sched *s, const MirRegion *r)
{
	MirTracker    t = mir_track_start(s->rpa, r->block);
	MirRegionPeak p;
	while (t.next.i != r->first.i)
		mir_track_advance(&t);
	t.peak = t.now;
	for (bool last = false; !last;) {
		last = t.next.i == r->last.i;
		mir_track_advance(&t);
	}
	memcpy(p.unit, t.peak.unit, sizeof p.unit);
	return p;
}

static void look(SchedRegion *x, void *user)
{
	Bench        *t = user;
	MirRegionPeak now = tracked(x->s, &x->r);
	t->region++;
	EXPECT(!memcmp(&now, &x->peak, sizeof now));
	t->good &= !memcmp(&now, &x->peak, sizeof now);
	if (t->kept == t->region) /* the second time: with the order that it was given */
		t->good &= !memcmp(&now, &t->predicted, sizeof now);
	EXPECT(t->good);
	for (u32 which = 0; t->good && !t->kept && which < 6; which++) {
		u32 *order = order_of(t, x, which);
		if (!order)
			continue;
		t->good &= expect_order(x, order);
		t->orders++;
		t->predicted = mir_region_peak(x->live, order, &x->s->arena);
		t->lower += t->predicted.unit[FILE_R] < x->peak.unit[FILE_R];
		if (rng_below(&t->r, 12) == 0) {
			sched_keep(x, order);
			t->kept = t->region;
		}
	}
}

TEST(sched, LIVE_02_orders_follow_dependences_and_have_the_pressure_that_is_predicted)
{
	u32 orders = 0, lower = 0, kept = 0;
	for (u32 seed = 1; seed <= random_runs() / 4; seed++) {
		Bench t;
		bench_open(&t, seed, a);
		sched_block(&t.s, (MirBlockId){t.f->first_block}, look, &t);
		if (sched_close(&t.s)) {
			u32 region = t.kept;
			rpa(&t);
			expect_good_mir(t.b, t.f);
			t.region = 0;
			sched_block(&t.s, (MirBlockId){t.f->first_block}, look, &t);
			EXPECT(t.region >= region);
			kept++;
		}
		orders += t.orders;
		lower += t.lower;
		mirbench_close(t.b);
		if (!t.good) {
			printf("# seed %u\n", seed);
			return;
		}
	}
	EXPECT(lower > orders / 20 && kept > random_runs() / 50);
}

/* ---- groups ---- */

/* Sums that all of the block adds to, of words that are loaded from shared memory; some stores, volatile loads, and addresses that
 * are computed on the way. */
typedef struct Sums {
	MirReg base[3], sum[12], word[40];
	u32    n_sums, n_words;
} Sums;

static void load_word(Bench *t, MirBlockId b, Sums *s)
{
	MirReg    base = s->base[rng_below(&t->r, 3)], word = mir_reg_new(t->f, MIR_B32);
	bool      is_volatile = rng_below(&t->r, 12) == 0, computed = rng_below(&t->r, 8) == 0;
	MirInstId i;
	if (computed) {
		i = mir_build(t->f, b, (MirInstId){0}, isa_intern(&t->b->s, ptx_opc(add, TY(s64))));
		mir_add_def(t->f, i, mir_reg_new(t->f, MIR_B64));
		mir_add_use(t->f, i, base);
		mir_add_use(t->f, i, s->base[0]);
		base = mir_op_reg(mir_op(t->f, i, 0));
	}
	PtxOpc o = ptx_opc(ld, PS(space, shared), TY(u32));
	o.slot[SLOT_sem] = is_volatile ? TOK_sem_volatile : 0;
	i = mir_build(t->f, b, (MirInstId){0}, isa_intern(&t->b->s, o));
	mir_add_def(t->f, i, word);
	mir_add_use(t->f, i, base);
	mir_add_imm(t->f, i, 4 * rng_below(&t->r, 16));
	s->word[s->n_words < PS_COUNT(s->word) ? s->n_words++ : rng_below(&t->r, PS_COUNT(s->word))] = word;
}

static void store_sum(Bench *t, MirBlockId b, Sums *s)
{
	MirInstId i = mir_build(t->f, b, (MirInstId){0}, isa_intern(&t->b->s, ptx_opc(st, PS(space, shared), TY(u32))));
	mir_add_use(t->f, i, s->base[rng_below(&t->r, 3)]);
	mir_add_imm(t->f, i, 4 * rng_below(&t->r, 16));
	mir_add_use(t->f, i, s->sum[rng_below(&t->r, s->n_sums)]);
}

static void add_word(Bench *t, MirBlockId b, Sums *s)
{
	MirReg    sum = s->sum[rng_below(&t->r, s->n_sums)], two = s->word[rng_below(&t->r, s->n_words)];
	MirInstId i = mir_build(t->f, b, (MirInstId){0}, isa_intern(&t->b->s, ptx_opc(add, TY(u32))));
	mir_add_def(t->f, i, sum);
	mir_add_use(t->f, i, rng_below(&t->r, 30) ? sum : s->sum[0]);
	mir_add_use(t->f, i, two);
}

static void sums_open(Bench *t, u32 seed, Arena *a)
{
	bench_open(t, seed, a);
	Sums       s = {.n_sums = 4 + rng_below(&t->r, 9)};
	MirBlockId b = {mir_block(t->f, (MirBlockId){t->f->first_block})->next};
	MirInstId  ret = {mir_block(t->f, b)->last};
	mir_erase(t->f, ret);
	for (u32 k = 0; k < PS_COUNT(s.base) + s.n_sums; k++) {
		MirReg *r = k < PS_COUNT(s.base) ? &s.base[k] : &s.sum[k - PS_COUNT(s.base)];
		*r = mir_reg_new(t->f, k < PS_COUNT(s.base) ? MIR_B64 : MIR_B32);
		mir_add_def(t->f, mir_build(t->f, (MirBlockId){t->f->first_block}, (MirInstId){0}, ISA_IMPLICIT_DEF), *r);
	}
	u32 stores = rng_below(&t->r, 2) ? 0 : 20; /* one instruction of so many */
	load_word(t, b, &s);
	for (u32 n = 30 + rng_below(&t->r, 60); n--;)
		if (stores && rng_below(&t->r, stores) == 0)
			store_sum(t, b, &s);
		else if (rng_below(&t->r, 4) == 0)
			load_word(t, b, &s);
		else
			add_word(t, b, &s);
	MirBlockId end = mir_block_new(t->f, (StrId){0}, ~0u);
	mir_edge_add(t->f, b, end, MIR_PROB_UNKNOWN);
	for (u32 k = 0; k < s.n_sums; k++) {
		MirInstId i = mir_build(t->f, end, (MirInstId){0}, isa_intern(&t->b->s, ptx_opc(st, PS(space, global), TY(u32))));
		mir_add_use(t->f, i, s.base[1]);
		mir_add_imm(t->f, i, 4 * k);
		mir_add_use(t->f, i, s.sum[k]);
	}
	mir_build(t->f, end, (MirInstId){0}, isa_intern(&t->b->s, ptx_opc(ret)));
	t->s.current = arena_array(&t->b->s.arena, u32, t->f->vreg.n);
	t->s.n_regs = t->f->vreg.n;
	rpa(t);
}

/* Only plain loads of shared memory occur twice; everything else keeps in front of it what has to be, and loads every time. */
static bool expect_sequence(const SchedRegion *x, const SchedSequence *q)
{
	u32 *first = arena_array(&x->s->arena, u32, x->r.n), *last = arena_array(&x->s->arena, u32, x->r.n);
	bool good = true;
	for (u32 k = 0; k < q->n; k++) {
		first[q->p[k]] = first[q->p[k]] ? first[q->p[k]] : k + 1;
		last[q->p[k]] = k + 1;
	}
	for (u32 i = 0; good && i < x->r.n; i++) {
		const IsaDesc *d = mir_desc(x->s->f, x->deps->inst[i]);
		good = first[i] && (first[i] == last[i] ||
		                    (d->eval == EV_ld && d->opc.slot[SLOT_space] == TOK_space_shared && !d->opc.slot[SLOT_sem]));
		for (u32 j = i + 1; good && j < x->r.n; j++)
			if (must_stay(x->s->f, x->deps->inst[i], x->deps->inst[j])) {
				bool read = mir_is(x->s->f, x->deps->inst[j], IF_STORE) && first[i] != last[i];
				good = first[i] < first[j] && !read;
			}
	}
	EXPECT(good);
	return good;
}

static void look_at_groups(SchedRegion *x, void *user)
{
	Bench *t = user;
	u32    live = 0, limit = 8 + 2 * rng_below(&t->r, 10), all[2048];
	for (u32 v = 0; v < x->live->n_values; v++)
		live += x->live->value[v].def == GRAPH_NONE || x->live->value[v].live_out
		                ? sched_weight(&x->live->value[v], FILE_R)
		                : 0;
	for (u32 k = 0; k < x->r.n; k++)
		all[k] = k;
	/* with registers for all: at most what lives in is loaded, and what is written and lives out stored */
	t->good &= sched_traffic(x, all, x->r.n, 1u << 20) <= live;
	t->good &= sched_traffic(x, all, x->r.n, limit) >= sched_traffic(x, all, x->r.n, 1u << 20);
	EXPECT(t->good);
	SchedSequence q = sched_in_groups(x, NULL, limit);
	if (!q.p)
		return;
	t->good &= expect_sequence(x, &q) && q.after < q.before && q.after == sched_traffic(x, q.p, q.n, limit);
	EXPECT(t->good);
	t->orders++;
	t->lower += q.n > x->r.n;
	sched_keep_sequence(x, q.p, q.n);
}

static void store_word(Bench *t, MirBlockId b, MirReg base, MirReg word)
{
	MirInstId i = mir_build(t->f, b, (MirInstId){0}, isa_intern(&t->b->s, ptx_opc(st, PS(space, shared), TY(u32))));
	mir_add_use(t->f, i, base);
	mir_add_imm(t->f, i, 0);
	mir_add_use(t->f, i, word);
}

static void count_traffic(SchedRegion *x, void *user)
{
	const u32 once[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, twice[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 8};
	u32      *regions = user;
	/* The base takes 4 units and each word 2. Three words live in, and none comes again. */
	EXPECT(x->r.n == 9);
	EXPECT(sched_traffic(x, once, 9, 100) == 4 + 3 * 2);
	EXPECT(sched_traffic(x, twice, 10, 100) == 4 + 3 * 2 + 2);
	/* With room for three words the one that the block loads leaves, as it is read last: it is stored, and loaded again. */
	EXPECT(sched_traffic(x, once, 9, 4 + 3 * 2) == 4 + 3 * 2 + 2 * 2);
	++*regions;
}

TEST(sched, traffic_is_what_leaves_the_registers_that_are_read_last)
{
	Bench t;
	u32   regions = 0;
	bench_open(&t, 1, a);
	MirBlockId entry = {t.f->first_block}, b = mir_block_new(t.f, (StrId){0}, ~0u);
	MirReg     base = mir_reg_new(t.f, MIR_B64), loaded = mir_reg_new(t.f, MIR_B32), word[3];
	mir_add_def(t.f, mir_build(t.f, entry, (MirInstId){0}, ISA_IMPLICIT_DEF), base);
	for (u32 k = 0; k < 3; k++) {
		word[k] = mir_reg_new(t.f, MIR_B32);
		mir_add_def(t.f, mir_build(t.f, entry, (MirInstId){mir_block(t.f, entry)->first}, ISA_IMPLICIT_DEF), word[k]);
	}
	MirInstId i = mir_build(t.f, b, (MirInstId){0}, isa_intern(&t.b->s, ptx_opc(ld, PS(space, shared), TY(u32))));
	mir_add_def(t.f, i, loaded);
	mir_add_use(t.f, i, base);
	mir_add_imm(t.f, i, 0);
	const u32 reads[] = {0, 1, 2, 1, 2, 1, 0};
	for (u32 k = 0; k < PS_COUNT(reads); k++)
		store_word(&t, b, base, word[reads[k]]);
	store_word(&t, b, base, loaded);
	mir_build(t.f, b, (MirInstId){0}, isa_intern(&t.b->s, ptx_opc(ret)));
	t.s.current = arena_array(&t.b->s.arena, u32, t.f->vreg.n);
	rpa(&t);
	sched_block(&t.s, b, count_traffic, &regions);
	EXPECT(regions == 1);
	mirbench_close(t.b);
}

TEST(sched, groups_repeat_only_loads_of_shared_memory_that_nothing_writes_behind)
{
	u32 orders = 0, repeated = 0;
	for (u32 seed = 1; seed <= random_runs() / 4; seed++) {
		Bench t;
		sums_open(&t, seed, a);
		mir_each_block(t.f, b)
			sched_block(&t.s, b, look_at_groups, &t);
		if (sched_close(&t.s)) {
			rpa(&t);
			expect_good_mir(t.b, t.f);
		}
		orders += t.orders;
		repeated += t.lower;
		mirbench_close(t.b);
		if (!t.good) {
			printf("# seed %u\n", seed);
			return;
		}
	}
	EXPECT(orders > random_runs() / 40 && repeated > random_runs() / 50);
}

UNIT_MAIN
