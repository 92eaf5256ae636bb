/* Slots, live ranges and their edits against bit vectors, on random machine functions. random_runs() says how many. */
#include "liveoracle.h"

/* ---- comparison ---- */

typedef struct Compare {
	MirRanges *rs;
	u32        wrong, slots;
} Compare;

/* One definition reaches: the value is its own; several: what meets, with no instruction. Where none does, it may be any. */
static bool value_is_right(Compare *c, MirReg r, const MirSegment *s, Bitset reach)
{
	const MirFunc *f = c->rs->f;
	const MirOp   *only = NULL;
	u32            n = 0;
	mir_each_def(f, r, d)
		if (bitset_has(reach, mir_inst(f, (MirInstId){d->inst})->op + mir_op_number(f, d))) {
			n += !only || only->inst != d->inst;
			only = d;
		}
	u32 inst = c->rs->value.p[mir_value(c->rs, s->value)].inst;
	if (!n)
		return true;
	if (n == 1 && mir_inst(f, (MirInstId){only->inst})->desc != ISA_IMPLICIT_DEF)
		return inst == only->inst;
	return inst == 0;
}

static void compare_slot(void *user, MirBlockId b, u32 slot, Bitset live, Bitset reach)
{
	Compare       *c = user;
	const MirFunc *f = c->rs->f;
	c->slots++;
	EXPECT_EQ(mir_ranges_block(c->rs, slot).i, b.i);
	for (u32 r = 1; r < f->vreg.n; r++) {
		const MirRange   *range = mir_range(c->rs, (MirReg){r});
		const MirSegment *s = range ? mir_range_at(c->rs, range, slot) : NULL;
		c->wrong += (s != NULL) != bitset_has(live, r);
		/* In the slots between a read and a write the old value is still the one that reaches. */
		if (s && slot % SLOT_STEP == SLOT_STEP - 1)
			c->wrong += !value_is_right(c, (MirReg){r}, s, reach);
	}
}

static void expect_sorted(const MirRanges *rs, const MirRange *range)
{
	for (u32 k = 0; k < range->seg.n; k++) {
		const MirSegment *s = &range->seg.p[k];
		EXPECT(mir_slot_before(rs->slots, s->start, s->end));
		EXPECT(!k || !mir_slot_before(rs->slots, s->start, s[-1].end));
	}
}

static bool expect_right(MirBench *b, MirRanges *rs, u32 seed, const char *after)
{
	Arena   a;
	Compare c = {rs, 0, 0};
	Text    t;
	arena_init(&a, &b->s.budget);
	text_init(&t, &a);
	EXPECT(mir_slots_are_ordered(rs->f));
	for (u32 r = 1; r < rs->f->vreg.n; r++)
		if (mir_range(rs, (MirReg){r}))
			expect_sorted(rs, mir_range(rs, (MirReg){r}));
	LiveOracle x = live_oracle(rs->f, &a);
	oracle_visit(&x, rs->slots, compare_slot, &c);
	EXPECT_EQ(c.wrong, 0);
	bool good = mir_ranges_verify(rs, &t) && !c.wrong;
	EXPECT_STR(text_str(&t), "");
	if (!good) {
		mir_print_func(&t, rs->f, NULL);
		printf("# seed %u after %s\n%.*s\n", seed, after, STR_ARG(text_str(&t)));
		for (u32 r = 1; r < rs->f->vreg.n; r++)
			for (u32 k = 0; mir_range(rs, (MirReg){r}) && k < mir_range(rs, (MirReg){r})->seg.n; k++) {
				MirSegment s = mir_range(rs, (MirReg){r})->seg.p[k];
				printf("# %%%u [%u, %u) %u\n", r - 1, mir_slot_number(rs->slots, s.start),
				       mir_slot_number(rs->slots, s.end), s.value);
			}
	}
	arena_free(&a);
	return good;
}

TEST(liverange, ANA_02_ranges_equal_bit_vectors)
{
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		MirBench *b = mirbench_open(a);
		MirFunc  *f = random_mir(b->m, &(Rng){seed}, seed % 4, 2 + seed % 14);
		bool      good = expect_right(b, mir_ranges_all(random_flow(f, &b->s.arena), &b->s.arena), seed, "building");
		mirbench_close(b);
		if (!good)
			return;
	}
}

/* ---- random edits ---- */

typedef struct Editor {
	MirBench  *b;
	MirFunc   *f;
	MirRanges *rs;
	Rng        r;
	VecU32     inst; /* neither phis nor terminators */
} Editor;

static void list_insts(Editor *e)
{
	e->inst.n = 0;
	mir_each_block(e->f, b)
		mir_each_inst(e->f, b, i)
			if (mir_inst(e->f, i)->desc != ISA_PHI && !mir_is(e->f, i, IF_TERMINATOR))
				vec_push(&e->b->s.arena, &e->inst, i.i);
}

static void insert_any(Editor *e)
{
	MirBlockId b;
	MirInstId  before = random_place(e->f, &e->r, &b);
	u32        defs = rng_below(&e->r, 2), uses = rng_below(&e->r, 3), asm_ = rng_below(&e->r, 4);
	MirInstId  i = mir_build(e->f, b, before, asm_ ? ISA_INLINEASM : ISA_IMPLICIT_DEF);
	if (!asm_)
		defs = 1, uses = 0;
	for (u32 k = 0; k < defs; k++)
		mir_add_reg(e->f, i, random_reg(e->f, &e->r), MOF_DEF | (asm_ && !rng_below(&e->r, 4) ? MOF_EARLY_CLOBBER : 0u));
	if (asm_)
		mir_add_text(e->f, i, strtab_add(&e->b->s.strs, STR("nop;")));
	for (u32 k = 0; k < uses; k++)
		mir_add_reg(e->f, i, random_reg(e->f, &e->r), rng_below(&e->r, 8) ? 0 : MOF_UNDEF);
	mir_ranges_insert(e->rs, i);
}

static void set_any(Editor *e, MirInstId i)
{
	for (u32 n = 0; n < mir_inst(e->f, i)->n_ops; n++)
		if (mir_op(e->f, i, n)->kind == MO_REG && mir_is_virt(mir_op_reg(mir_op(e->f, i, n))) && !rng_below(&e->r, 2)) {
			mir_ranges_set_reg(e->rs, i, n, random_reg(e->f, &e->r));
			return;
		}
}

/* A part of a block of random length. */
static void split_any(Editor *e, MirInstId at)
{
	MirInstId until = at;
	for (u32 k = rng_below(&e->r, 5); k && until.i && !mir_is(e->f, until, IF_TERMINATOR); k--)
		until = mir_next(e->f, until);
	MirReg r = random_reg(e->f, &e->r), new = mir_ranges_split(e->rs, r, at, until.i == at.i ? (MirInstId){0} : until);
	EXPECT_EQ(mir_class(e->f, new), mir_class(e->f, r));
}

static const char *edit(Editor *e)
{
	list_insts(e);
	MirInstId  i = {e->inst.n ? e->inst.p[rng_below(&e->r, e->inst.n)] : 0}, before;
	MirBlockId b;
	switch (i.i ? rng_below(&e->r, 7) : 0) {
	case 0:
	case 1: insert_any(e); return "insert";
	case 2: mir_ranges_erase(e->rs, i); return "erase";
	case 3:
		before = random_place(e->f, &e->r, &b);
		mir_ranges_move(e->rs, i, b, before);
		return "move";
	case 4: set_any(e, i); return "set_reg";
	case 5: split_any(e, i); return "split";
	default: mir_ranges_replace_uses(e->rs, random_reg(e->f, &e->r), random_reg(e->f, &e->r)); return "replace_uses";
	}
}

TEST(liverange, ANA_02_ranges_follow_random_edits)
{
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Editor e = {.b = mirbench_open(a), .r = {seed}};
		bool   good = true;
		e.f = random_mir(e.b->m, &e.r, seed % 4, 2 + seed % 10);
		e.rs = mir_ranges_all(random_flow(e.f, &e.b->s.arena), &e.b->s.arena);
		for (u32 k = 0; k < 12 && good; k++)
			good = expect_right(e.b, e.rs, seed, edit(&e));
		mirbench_close(e.b);
		if (!good)
			return;
	}
}

/* ---- joins ---- */

static bool is_joinable(const MirFunc *f, MirInstId i)
{
	const MirOp *o = mir_ops(f, i);
	return mir_inst(f, i)->desc == ISA_COPY && !(o[1].flags & MOF_UNDEF) && o[0].ref != o[1].ref &&
	       mir_class(f, mir_op_reg(&o[0])) == mir_class(f, mir_op_reg(&o[1]));
}

/* The coalescer in its simplest form: only this copy is known to make values equal. */
static bool join_copy(MirRanges *rs, MirInstId i)
{
	MirReg        d = mir_op_reg(mir_op(rs->f, i, 0)), s = mir_op_reg(mir_op(rs->f, i, 1));
	MirRange     *to = mir_range(rs, d), *from = mir_range(rs, s);
	MirValuePairs copies = {0}, same = {0};
	u32           slot = mir_slot_of(rs->slots, i);
	MirValuePair  p = {mir_range_value(rs, to, slot + SLOT_DEF), mir_range_value(rs, from, slot)};
	if (p.b == MIR_NO_VALUE || mir_range_at(rs, to, slot + SLOT_DEF)->end == slot + SLOT_DEF + 1) /* undefined, dead */
		return false;
	vec_push(rs->arena, &copies, p);
	if (mir_ranges_collide(rs, to, from, &copies, &same))
		return false;
	mir_ranges_join(rs, to, from, &copies, &same);
	mir_range_add(rs, to, (MirSegment){slot, slot + SLOT_DEF + 1, mir_range_value(rs, to, slot)});
	mir_erase(rs->f, i);
	mir_replace_reg(rs->f, s, d);
	return true;
}

TEST(liverange, ANA_02_joined_ranges_are_those_of_the_joined_register)
{
	u32 joins = 0;
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		MirBench  *b = mirbench_open(a);
		MirFunc   *f = random_mir(b->m, &(Rng){seed}, RANDOM_SSA | seed % 4, 2 + seed % 10);
		MirRanges *rs = mir_ranges_all(random_flow(f, &b->s.arena), &b->s.arena);
		Text       t;
		text_init(&t, &b->s.arena);
		mir_each_block(f, blk)
			mir_each_inst(f, blk, i)
				if (is_joinable(f, i) && join_copy(rs, i)) {
					joins++;
					EXPECT(mir_ranges_verify(rs, &t));
				}
		EXPECT_STR(text_str(&t), "");
		mirbench_close(b);
		if (t.n)
			return;
	}
	EXPECT(joins > random_runs() / 4);
}

/* ---- slots ---- */

TEST(slots, ANA_01_stay_dense_and_increasing)
{
	for (u32 seed = 1; seed <= 200; seed++) {
		MirBench *b = mirbench_open(a);
		Rng       r = {seed};
		MirFunc  *f = random_mir(b->m, &r, seed % 4, 8);
		MirSlots *s = mir_slots(f);
		u32       at = 0;
		mir_each_block(f, blk) {
			EXPECT_EQ(mir_slot_start(s, blk), at += SLOT_STEP);
			mir_each_inst(f, blk, i)
				EXPECT_EQ(mir_slot_of(s, i), at += SLOT_STEP);
		}
		EXPECT_EQ(s->end, at + SLOT_STEP);
		/* Insertions at the ends, in the same place again and again, and anywhere. */
		MirBlockId first = {f->first_block};
		MirInstId  same = mir_first_non_phi(f, first), old = {mir_block(f, first)->last};
		u32        old_slot = old.i ? mir_slot_of(s, old) : 0;
		for (u32 k = 0; k < 500; k++) {
			MirBlockId blk = k % 3 ? first : (MirBlockId){1 + rng_below(&r, f->n_blocks)};
			mir_build(f, blk, k % 3 == 1 ? same : (MirInstId){k % 3 == 2 ? mir_block(f, blk)->first : 0}, ISA_KILL);
		}
		EXPECT(mir_slots(f) == s);
		EXPECT(mir_slots_are_ordered(f));
		EXPECT(!old.i || mir_slot_of(s, old) == old_slot);
		mir_each_block(f, blk)
			EXPECT(mir_slot_before(s, mir_slot_last(f, s, blk), mir_slot_end(f, s, blk)));
		/* Another block ends the numbering. */
		mir_block_new(f, (StrId){0}, ~0u);
		EXPECT(f->slots == NULL);
		EXPECT_EQ(mir_slots(f)->edited, false);
		mirbench_close(b);
	}
}

/* 200,000 insertions in front of one instruction: keys are spread anew, a few of them each time. */
TEST(slots, ANA_01_many_insertions_in_one_place)
{
	MirBench  *b = mirbench_open(a);
	MirFunc   *f = mir_func_new(b->m, strtab_add(&b->s.strs, STR("f")), 0);
	MirBlockId blk = mir_block_new(f, (StrId){0}, ~0u);
	MirInstId  first = mir_build(f, blk, (MirInstId){0}, ISA_KILL), last = mir_build(f, blk, (MirInstId){0}, ISA_KILL);
	mir_slots(f);
	for (u32 k = 0; k < 100000; k++) {
		mir_build(f, blk, last, ISA_KILL);
		mir_build(f, blk, mir_next(f, first), ISA_KILL);
	}
	EXPECT(mir_slots_are_ordered(f));
	mirbench_close(b);
}

UNIT_MAIN
