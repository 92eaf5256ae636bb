/* Unions of live ranges against bit vectors, on random machine functions and after random edits. random_runs() says how
 * many. */
#include "liveoracle.h"
#include "mir/interfere.h"

/* ---- by brute force: what is live in each slot ---- */

typedef struct Slots {
	Arena *a;
	u32    n_regs;
	VecU32 number;
	Vec(Bitset) live;
	const MirSlots *s;
} Slots;

static void keep_slot(void *user, MirBlockId b, u32 slot, Bitset live, Bitset reach)
{
	Slots *s = user;
	(void)b;
	(void)reach;
	vec_push(s->a, &s->number, mir_slot_number(s->s, slot - slot % SLOT_STEP) + slot % SLOT_STEP);
	vec_push(s->a, &s->live, bitset_new(s->a, s->n_regs));
	bitset_copy(vec_last(&s->live), live);
}

typedef struct Bench {
	MirBench  *b;
	MirFunc   *f;
	MirRanges *ranges;
	MirUnion  *u;
	Rng        r;
} Bench;

static u32 height(const MirUnion *u, u32 at)
{
	const UnionNode *n = &u->node.p[at];
	if (!at)
		return 0;
	u32 x = height(u, n->child[0]), y = height(u, n->child[1]);
	EXPECT(x <= y + 1 && y <= x + 1);
	EXPECT_EQ(n->height, PS_MAX(x, y) + 1);
	return n->height;
}

/* A question about every register, member or not, between two slots anywhere. */
static bool expect_in_way(Bench *t)
{
	Arena a;
	arena_init(&a, &t->b->s.budget);
	Slots      s = {.a = &a, .n_regs = t->f->vreg.n, .s = t->ranges->slots};
	LiveOracle x = live_oracle(t->f, &a);
	bool       good = true;
	oracle_visit(&x, s.s, keep_slot, &s);
	height(t->u, t->u->root);
	for (u32 r = 1; r < t->f->vreg.n && good; r++) {
		u32    from = rng_below(&t->r, s.live.n), to = from + rng_below(&t->r, s.live.n - from + 1), n = 0;
		Bitset want = bitset_new(&a, s.n_regs), have = bitset_new(&a, s.n_regs);
		VecU32 found = {0};
		for (u32 k = from; k < to; k++)
			if (bitset_has(s.live.p[k], r))
				bitset_union(want, s.live.p[k]);
		bitset_del(want, r);
		/* The slots of these numbers: the union is asked by slot, whose numbers are keys after an insertion. */
		VecU32 slots = {0};
		mir_each_block(t->f, b) {
			for (u32 k = 0; k < SLOT_STEP; k++)
				vec_push(&a, &slots, mir_slot_start(s.s, b) + k);
			mir_each_inst(t->f, b, i)
				for (u32 k = 0; k < SLOT_STEP && mir_inst(t->f, i)->desc != ISA_PHI; k++)
					vec_push(&a, &slots, mir_slot_of(s.s, i) + k);
		}
		EXPECT_EQ(slots.n, s.live.n);
		vec_push(&a, &slots, s.s->end);
		n = mir_union_in_way(t->u, (MirReg){r}, slots.p[from], slots.p[to], &found);
		EXPECT_EQ(n, found.n);
		for (u32 k = 0; k < n; k++) {
			good &= !bitset_has(have, found.p[k]);
			bitset_add(have, found.p[k]);
		}
		for (u32 k = 1; k < s.n_regs; k++)
			good &= bitset_has(have, k) == (bitset_has(want, k) && mir_union_has(t->u, (MirReg){k}));
	}
	EXPECT(good);
	arena_free(&a);
	return good;
}

static bool in_file(const Bench *t, u32 r) { return isa_class_info[mir_class(t->f, (MirReg){r})].file == t->u->file; }

/* A member goes, another register comes, or an instruction that reads two registers is inserted. */
static void edit(Bench *t)
{
	u32 r = 1 + rng_below(&t->r, t->f->vreg.n - 1);
	if (rng_below(&t->r, 2)) {
		if (mir_union_has(t->u, (MirReg){r}))
			mir_union_remove(t->u, (MirReg){r});
		else if (in_file(t, r))
			mir_union_add(t->u, (MirReg){r});
		return;
	}
	bool       member = mir_union_has(t->u, (MirReg){r});
	MirBlockId b = {1 + rng_below(&t->r, t->f->n_blocks)};
	if (member)
		mir_union_remove(t->u, (MirReg){r});
	MirInstId i = mir_build(t->f, b, mir_first_terminator(t->f, b), ISA_INLINEASM);
	mir_add_text(t->f, i, strtab_add(&t->b->s.strs, STR("nop;")));
	mir_add_reg(t->f, i, (MirReg){r}, 0);
	mir_ranges_insert(t->ranges, i);
	if (member)
		mir_union_add(t->u, (MirReg){r});
}

TEST(interfere, unions_equal_bit_vectors)
{
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Bench t = {.b = mirbench_open(a), .r = {seed}};
		bool  good = true;
		t.f = random_mir(t.b->m, &t.r, seed % 4, 2 + seed % 10);
		if (t.f->vreg.n > 1) {
			t.ranges = mir_ranges_all(random_flow(t.f, &t.b->s.arena), &t.b->s.arena);
			t.u = mir_union_new(t.ranges, seed % 5 ? FILE_R : FILE_P, &t.b->s.arena);
			for (u32 r = 1; r < t.f->vreg.n; r++)
				if (in_file(&t, r) && rng_below(&t.r, 3))
					mir_union_add(t.u, (MirReg){r});
			good = expect_in_way(&t);
			for (u32 k = 0; k < 12 && good; k++) {
				edit(&t);
				good = k % 3 || expect_in_way(&t);
			}
		}
		mirbench_close(t.b);
		if (!good) {
			printf("# seed %u\n", seed);
			return;
		}
	}
}

UNIT_MAIN
