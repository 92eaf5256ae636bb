/* Stack objects on random machine functions: their places by brute force, and what sharing and promoting them does to what a
 * walk through the function computes. random_runs() says how many. */
#include "randommir.h"

#include "mir/frame.h"
#include "mir/slotlive.h"
#include "pass/manager.h"

extern const Pass mirpass_prologepilog, mirpass_stack_slot_coloring, mirpass_nvptx_mem2reg, mirpass_stack_coloring;

/* Runs a pass on the function; what it changed is verified. */
static bool run_pass(MirBench *b, MirFunc *f, const Pass *pass)
{
	Manager manager;
	Arena   scratch;
	Text    errors;
	manager_init(&manager, &b->s, NULL);
	manager.at = PASS_MIR;
	arena_init(&scratch, &b->s.budget);
	text_init(&errors, &scratch);
	PassCx cx = {.s = &b->s, .scratch = &scratch, .mir = b->m, .func = b->m->func.n, .pass = pass, .manager = &manager};
	u64    before = mir_hash(f);
	bool   changed = pass->run(&cx);
	EXPECT_EQ(changed, mir_hash(f) != before);
	EXPECT(mir_verify(f, &errors));
	EXPECT_STR(text_str(&errors), "");
	arena_free(&scratch);
	manager_free(&manager);
	return changed;
}

/* ---- places ---- */

static MirFunc *random_frame(MirBench *b, Rng *r)
{
	MirFunc   *f = mir_func_new(b->m, (StrId){0}, 0);
	MirBlockId block = mir_block_new(f, (StrId){0}, ~0u);
	u32        n = 1 + rng_below(r, 12), local = 0;
	for (u32 k = 0; k < n; k++) {
		u32 align = rng_below(r, 7);
		u64 size = rng_below(r, 4) ? 1 + rng_below(r, 40) : 8 * rng_below(r, 500) + 1;
		u32 o = mir_frame_new(f, (StrId){0}, size, align, (MirFrameKind)rng_below(r, MIR_FRAME_KINDS));
		f->frame.p[o].category = (u8)rng_below(r, MIR_CATEGORIES);
		f->frame.p[o].is_dead = rng_below(r, 6) == 0;
		if (f->frame.p[o].kind == MIR_FRAME_CALLEE_SAVED && !rng_below(r, 3))
			f->frame.p[o].size = MIR_FRAME_UNSAVED;
		if (f->frame.p[o].kind == MIR_FRAME_LOCAL && !rng_below(r, 4)) { /* as localstackalloc lays them out */
			local = (u32)align_up(local, (u64)1 << align);
			f->frame.p[o].local_offset = local + 1;
			local += (u32)size;
		}
		if (f->frame.p[o].is_dead || f->frame.p[o].kind == MIR_FRAME_VARIABLE || f->frame.p[o].size == MIR_FRAME_UNSAVED)
			continue;
		MirInstId i = mir_build(f, block, (MirInstId){0}, ISA_FRAME_ADDR_LOCAL);
		mir_add_def(f, i, mir_reg_new(f, MIR_B64));
		mir_add_frame(f, i, o, 0);
		i = mir_build(f, block, (MirInstId){0}, isa_intern(&b->s, ptx_opc(st, PS(space, local), TY(u8))));
		mir_add_frame(f, i, o, 0);
		mir_add_imm(f, i, 0);
		mir_add_imm(f, i, 1);
	}
	mir_build(f, block, (MirInstId){0}, isa_intern(&b->s, ptx_opc(ret)));
	return f;
}

static void expect_places(const MirFunc *f, bool down)
{
	i64 size = (i64)f->frame_size, low = down ? -size : 0;
	EXPECT_EQ(f->frame_size & (((u64)1 << f->frame_align_log2) - 1), 0);
	for (u32 x = 0; x < f->frame.n; x++) {
		const MirFrameObj *o = &f->frame.p[x];
		if (o->is_dead || o->kind == MIR_FRAME_VARIABLE || o->size == MIR_FRAME_UNSAVED)
			continue;
		EXPECT(o->align_log2 <= f->frame_align_log2);
		EXPECT_EQ((u64)o->offset & (((u64)1 << o->align_log2) - 1), 0);
		EXPECT(o->offset >= low && o->offset + (i64)o->size <= low + size);
		for (u32 y = 0; y < x; y++) {
			const MirFrameObj *p = &f->frame.p[y];
			if (!p->is_dead && p->kind != MIR_FRAME_VARIABLE && p->size != MIR_FRAME_UNSAVED)
				EXPECT(o->offset + (i64)o->size <= p->offset || p->offset + (i64)p->size <= o->offset);
		}
	}
	mir_each_block(f, b)
		mir_each_inst(f, b, i)
			for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
				EXPECT(mir_op(f, i, n)->kind != MO_FRAME);
}

TEST(frame, PEI_01_PEI_07_PEI_12_PEI_18_objects_are_aligned_and_apart)
{
	for (u32 seed = 1; seed <= random_runs() * 4; seed++) {
		MirBench *b = mirbench_open(a);
		Rng       r = {seed};
		bool      down = seed % 2;
		b->s.knobs.value[KNOB_frame_grows] = down;
		MirFunc *f = random_frame(b, &r);
		run_pass(b, f, &mirpass_prologepilog);
		expect_places(f, down);
		EXPECT_EQ(mir_frame_grows_down(f), down && f->frame_size);
		mirbench_close(b);
	}
}

/* ---- walks ---- */

enum { OBJECTS = 6, BYTES = 8, STEPS = 40 };

typedef struct Byte {
	u64 value; /* 0: undefined */
	u32 at, size;
} Byte;

typedef struct Walk {
	const MirFunc *f;
	u64           *reg;
	Byte           memory[OBJECTS][BYTES];
	Vec(u64) seen; /* what was stored to global memory; 0: undefined */
} Walk;

static u64 mix(u64 h, u64 x) { return (h ^ x) * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u; }

static u64 value_of(const Walk *w, const MirOp *o) { return o->kind == MO_REG ? w->reg[o->ref] : mix(o->kind, (u64)o->imm) | 1; }

static u64 load(const Walk *w, u32 object, u32 at, u32 size)
{
	const Byte *b = &w->memory[object][at];
	u64         h = 7;
	bool        one = true;
	for (u32 k = 0; k < size; k++) {
		if (!b[k].value)
			return 0;
		one &= b[k].value == b->value && b[k].at == k && b[k].size == size;
		h = mix(mix(h, b[k].value), b[k].at);
	}
	return one ? b->value : h | 1;
}

static void execute(Walk *w, MirInstId i, Arena *a)
{
	const MirFunc *f = w->f;
	const IsaDesc *d = mir_desc(f, i);
	const MirInst *x = mir_inst(f, i);
	u32  at = mir_address_operand(f, i), size = d->opc.slot[SLOT_type] ? isa_type(d->opc.slot[SLOT_type])->bits / 8 : 0;
	bool frame = at != ~0u && mir_op(f, i, at)->kind == MO_FRAME;
	u32  object = frame ? mir_op(f, i, at)->ref : 0, offset = frame ? (u32)mir_op(f, i, at + 1)->imm : 0;
	if (frame && !x->n_defs) {
		for (u32 k = 0; k < size; k++)
			w->memory[object][offset + k] = (Byte){value_of(w, mir_op(f, i, at + 2)), k, size};
		return;
	}
	if (at != ~0u && !x->n_defs) {
		vec_push(a, &w->seen, value_of(w, mir_op(f, i, at + 2)));
		return;
	}
	if (x->n_defs == 0)
		return;
	u64  h = x->desc == ISA_IMPLICIT_DEF ? mix(x->op, mir_op(f, i, 0)->ref) : x->desc;
	bool defined = true;
	for (u32 n = x->n_defs; n < x->n_ops; n++) {
		u64 v = value_of(w, mir_op(f, i, n));
		defined &= v != 0;
		h = x->desc == ISA_COPY ? v : mix(h, v);
	}
	if (x->desc != ISA_COPY)
		h |= 1;
	w->reg[mir_op(f, i, 0)->ref] = frame ? load(w, object, offset, size) : defined ? h : 0;
}

static void phis(Walk *w, MirBlockId from, MirBlockId to, Arena *a)
{
	Vec(u64) in = {0};
	u32 at = 0;
	for (u32 pass = 0; pass < 2; pass++)
		for (MirInstId i = {mir_block(w->f, to)->first}; i.i && mir_inst(w->f, i)->desc == ISA_PHI; i = mir_next(w->f, i))
			for (u32 n = 1; n < mir_inst(w->f, i)->n_ops; n += 2) {
				if (mir_op(w->f, i, n + 1)->ref != from.i)
					continue;
				if (pass)
					w->reg[mir_op(w->f, i, 0)->ref] = in.p[at++];
				else
					vec_push(a, &in, value_of(w, mir_op(w->f, i, n)));
			}
}

/* What a walk sees; the way that it takes depends on `seed` alone. */
static Walk walk(const MirFunc *f, u32 seed, Arena *a)
{
	Walk       w = {.f = f, .reg = arena_array(a, u64, f->vreg.n + 1)};
	Rng        r = {seed};
	MirBlockId b = {f->first_block};
	for (u32 n = 1; n < f->vreg.n; n++)
		w.reg[n] = mix(seed, n) | 1;
	for (u32 step = 0; step < STEPS && b.i; step++) {
		for (MirInstId i = {mir_block(f, b)->first}; i.i; i = mir_next(f, i))
			if (mir_inst(f, i)->desc != ISA_PHI)
				execute(&w, i, a);
		u32        n = mir_block(f, b)->n_succs, k = n ? rng_below(&r, n) : 0;
		MirBlockId to = {0};
		mir_each_succ(f, b, e)
			if (k-- == 0)
				to.i = e->to;
		if (to.i)
			phis(&w, b, to, a);
		b = to;
	}
	return w;
}

static void random_access(MirFunc *f, Session *s, Rng *r, MirBlockId b, MirInstId before)
{
	static const struct {
		u8  type;
		u8  cls;
		u32 bytes;
	} forms[] = {
		{TOK_type_u32, MIR_B32, 4}, {TOK_type_u64, MIR_B64, 8}, {TOK_type_u32, MIR_B32, 4}, {TOK_type_f32, MIR_F32, 4}};
	u32    k = rng_below(r, PS_COUNT(forms)), object = rng_below(r, f->frame.n), kind = rng_below(r, 5);
	PtxOpc o = {.op = kind < 2 || kind == 4 ? ISA_st : ISA_ld};
	MirReg x = {0};
	o.slot[SLOT_space] = kind == 4 ? TOK_space_global : TOK_space_local;
	o.slot[SLOT_type] = forms[k].type;
	for (u32 n = f->vreg.n, at = rng_below(r, n), c = 0; c + 1 < n && !x.i; c++)
		if (mir_class(f, (MirReg){1 + (at + c) % (n - 1)}) == forms[k].cls)
			x.i = 1 + (at + c) % (n - 1);
	if (!x.i || (kind != 4 && forms[k].bytes > f->frame.p[object].size))
		return;
	bool      load = o.op == ISA_ld;
	MirInstId i = mir_build(f, b, before, isa_intern(s, o));
	if (load)
		mir_add_def(f, i, rng_below(r, 2) ? mir_reg_new(f, forms[k].cls) : x);
	if (kind == 4)
		mir_add_imm(f, i, 64);
	else
		mir_add_frame(f, i, object, 0);
	mir_add_imm(f, i, kind < 4 && forms[k].bytes == 4 && f->frame.p[object].size == 8 && rng_below(r, 4) == 0 ? 4 : 0);
	if (!load)
		mir_add_use(f, i, x);
}

static MirFunc *random_spills(MirBench *b, Rng *r)
{
	MirFunc *f = random_mir(b->m, r, RANDOM_PURE, 2 + rng_below(r, 8));
	u32      n = 2 + rng_below(r, OBJECTS - 1);
	for (u32 k = 0; k < n; k++)
		mir_frame_new(f, (StrId){0}, rng_below(r, 3) ? 4 : 8, 3, MIR_FRAME_SPILL);
	mir_each_block(f, block)
		for (u32 k = rng_below(r, 8); k; k--) {
			MirInstId before = mir_first_terminator(f, block);
			for (u32 up = rng_below(r, 6); up && before.i && mir_prev(f, before).i; up--)
				before = mir_prev(f, before);
			random_access(f, &b->s, r, block, before);
		}
	return f;
}

/* Does a walk see the same behind the passes, but for what was undefined in front of them? How often they changed something. */
static u32 expect_same_walks(Arena *a, const Pass *const *passes)
{
	u32 changed = 0;
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Arena own; /* of one function, as there are many */
		arena_init(&own, a->budget);
		MirBench *b = mirbench_open(&own);
		Rng       r = {seed};
		MirFunc  *f = random_spills(b, &r);
		Walk      before[4];
		bool      good = true;
		for (u32 k = 0; k < PS_COUNT(before); k++)
			before[k] = walk(f, seed + k, &b->s.arena);
		for (const Pass *const *p = passes; *p; p++)
			changed += run_pass(b, f, *p);
		for (u32 k = 0; k < PS_COUNT(before); k++) {
			Walk after = walk(f, seed + k, &b->s.arena);
			good &= after.seen.n == before[k].seen.n;
			for (u32 n = 0; good && n < after.seen.n; n++)
				good = !before[k].seen.p[n] || before[k].seen.p[n] == after.seen.p[n];
		}
		mirbench_close(b);
		arena_free(&own);
		EXPECT(good);
		if (!good) {
			printf("# seed %u\n", seed);
			break;
		}
	}
	return changed;
}

TEST(frame, STOCK_13_slots_that_share_hold_what_each_of_them_held)
{
	EXPECT(expect_same_walks(a, (const Pass *const[]){&mirpass_stack_slot_coloring, NULL}) > random_runs() / 32);
}

TEST(frame, M2R_11_promoted_slots_hold_what_was_stored)
{
	EXPECT(expect_same_walks(a, (const Pass *const[]){&mirpass_nvptx_mem2reg, NULL}) > random_runs() / 32);
}

TEST(frame, M2R_11_both_one_behind_the_other)
{
	expect_same_walks(a, (const Pass *const[]){&mirpass_stack_slot_coloring, &mirpass_nvptx_mem2reg, NULL});
}

UNIT_MAIN
