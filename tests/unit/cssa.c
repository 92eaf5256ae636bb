/* Conventional SSA: each behaviour by its id. */
#include "irpass/cssa.h"
#include "irpass.h"

#define DIAMOND "define i32 @f(i1 %c, i32 %a, i32 %b) {\nentry:\n  br i1 %c, label %then, label %else\nthen:\n  br label %join\nelse:\n  br label %join\n" \
                "join:\n  %x = phi i32 [ %a, %then ], [ %b, %else ]\n  ret i32 %x\n}\n"
#define SWAP "define i32 @f(i32 %x, i32 %y, i32 %n) {\ne:\n  br label %l\nl:\n  %a = phi i32 [ %x, %e ], [ %b, %l ]\n  %b = phi i32 [ %y, %e ], [ %a, %l ]\n" \
             "  %i = phi i32 [ 0, %e ], [ %j, %l ]\n  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %n\n  br i1 %c, label %l, label %d\nd:\n  %r = sub i32 %a, %b\n  ret i32 %r\n}\n"
#define LOST_COPY "define i32 @f(i32 %n) {\ne:\n  br label %l\nl:\n  %x = phi i32 [ 1, %e ], [ %y, %l ]\n  %y = add i32 %x, 1\n  %c = icmp ult i32 %y, %n\n  br i1 %c, label %l, label %d\nd:\n  ret i32 %x\n}\n"
#define SELF "define i32 @f(i32 %n) {\npreheader:\n  br label %latch\nlatch:\n  %x = phi i32 [ %update, %latch ], [ 7, %preheader ]\n  %update = mul i32 %x, 3\n  %c = icmp ult i32 %update, %n\n  br i1 %c, label %latch, label %d\nd:\n  ret i32 %update\n}\n"

typedef struct Ran {
	Bench    *b;
	IrFunc   *f;
	CssaState s;
} Ran;

static CssaOptions level(u32 coalesce) { return (CssaOptions){.coalesce = coalesce, .split_edges = true, .span_blocks = true}; }

static Ran open(Arena *a, const char *text)
{
	Ran r = {.b = bench_open(a, text)};
	r.f = ir_func(r.b->m, ir_find_global(r.b->m, STR("f")));
	return r;
}

static bool convert(Ran *r, CssaOptions o)
{
	bool changed = cssa_run(&r->b->manager.cx, r->f, &r->s, o, &r->b->scratch);
	u32  before = r->b->s.diags.errors;
	ir_verify(r->b->m);
	EXPECT_EQ(r->b->s.diags.errors, before);
	return changed;
}

static Ran converted(Arena *a, const char *text, u32 coalesce)
{
	Ran r = open(a, text);
	convert(&r, level(coalesce));
	return r;
}

static Str text_of(Ran *r) { return bench_text(r->b); }
static u32 copies(Ran *r) { return str_count(text_of(r), "copy.8919"); }

TEST(cssa, CSSA_01_diamond)
{
	Ran r = converted(a, DIAMOND, CSSA_SHARE);
	EXPECT_HAS(text_of(&r), "then:                                             ; preds = %entry\n  %pcp = copy.8919 i32 %a\n  br label %join");
	EXPECT_HAS(text_of(&r), "copy.8919 i32 %b\n  br label %join");
	EXPECT_HAS(text_of(&r), "%x = phi i32 [ %pcp, %then ], [ %pcp1, %else ]");
	EXPECT(cssa_check(r.b->m, r.f) == NULL);
	bench_close(r.b);
}

TEST(cssa, CSSA_02_copies_stand_before_the_terminator)
{
	static const char *const text[] = {DIAMOND, SWAP, LOST_COPY, SELF};
	for (u32 i = 0; i < PS_COUNT(text); i++) {
		Ran r = converted(a, text[i], CSSA_SHARE);
		EXPECT(cssa_check(r.b->m, r.f) == NULL);
		bench_close(r.b);
	}
}

TEST(cssa, CSSA_03_opcode)
{
	EXPECT_EQ(CSSA_OPC_DIV_SAFE_COPY, 0x22D7);
	EXPECT_EQ(CSSA_OPC_DIV_SAFE_COPY, 8919);
	EXPECT(strcmp(ir_op_info[IR_PCP].name, "copy.8919") == 0);
}

TEST(cssa, CSSA_06_one_local_map_for_each_block)
{
	Ran r = converted(a, DIAMOND, CSSA_SHARE);
	EXPECT_EQ(r.s.stats.local_maps, 4);
	bench_close(r.b);
}

TEST(cssa, CSSA_07_self_edge)
{
	Ran r = converted(a, SELF, CSSA_SHARE);
	EXPECT_EQ(r.s.stats.producers, 2);
	EXPECT_EQ(r.s.stats.consumers, 1);
	EXPECT_EQ(r.s.stats.steps, 2); /* one for each edge of the one phi */
	bench_close(r.b);
}

TEST(cssa, CSSA_08_without_the_filter_copies_pile_up)
{
	Ran         r = open(a, SELF);
	CssaOptions o = level(CSSA_SHARE);
	o.hooks = CSSA_HOOK_NO_FILTER;
	cssa_run(&r.b->manager.cx, r.f, &r.s, o, &r.b->scratch); /* what comes out is not even SSA */
	EXPECT(r.s.stats.consumers > 1);
	bench_close(r.b);
}

TEST(cssa, CSSA_10_subtargets_differ)
{
	EXPECT(cssa_default_split_edges(80) && !cssa_default_split_edges(75));
	EXPECT(cssa_default_span_blocks(90) && !cssa_default_span_blocks(80));
	Bench *b = bench_open(a, DIAMOND);
	b->s.target.sm = 75;
	EXPECT(!cssa_options(&b->s).split_edges);
	b->s.target.sm = 90;
	EXPECT(cssa_options(&b->s).split_edges);
	bench_knob(b, "join-splitedges", "false");
	EXPECT(!cssa_options(&b->s).split_edges);
	bench_close(b);
}

TEST(cssa, CSSA_11_numbers)
{
	Ran r = open(a, SWAP);
	cssa_number_blocks(r.b->m, r.f, &r.s, a, 0);
	EXPECT_EQ(r.s.preorder[0], 0);
	EXPECT_EQ(r.s.rpo_index[0], 0);
	for (u32 i = 0; i < r.s.n_blocks; i++)
		for (u32 k = i + 1; k < r.s.n_blocks; k++)
			EXPECT(r.s.preorder[i] != r.s.preorder[k] && r.s.rpo_index[i] != r.s.rpo_index[k]);
	bench_close(r.b);
}

TEST(cssa, CSSA_12_unreachable_blocks_have_no_number)
{
	Ran r = open(a, "define i32 @f(i32 %a) {\ne:\n  br label %j\ndead:\n  br label %j\nj:\n  %x = phi i32 [ %a, %e ], [ 0, %dead ]\n  ret i32 %x\n}\n");
	convert(&r, level(CSSA_SHARE));
	EXPECT_EQ(r.s.preorder[1], UINT32_MAX);
	EXPECT_EQ(r.s.rpo_index[1], UINT32_MAX);
	EXPECT_EQ(r.s.preorder[2], 1);
	bench_close(r.b);
}

TEST(cssa, CSSA_13_deeper_than_the_inline_stack)
{
	Text t;
	text_init(&t, a);
	text_s(&t, "define void @f() {\ne:\n  br label %b0\n");
	for (u32 i = 0; i < 100; i++)
		text_f(&t, "b%u:\n  br label %%b%u\n", i, i + 1);
	text_s(&t, "b100:\n  ret void\n}\n");
	text_c(&t, 0);
	Ran r = open(a, t.p);
	cssa_number_blocks(r.b->m, r.f, &r.s, a, 0);
	for (u32 i = 0; i < r.s.n_blocks; i++) {
		EXPECT_EQ(r.s.preorder[i], i);
		EXPECT_EQ(r.s.rpo_index[i], i);
	}
	EXPECT_EQ(r.s.n_blocks, 102);
	bench_close(r.b);
}

TEST(cssa, CSSA_14_second_run_skips_the_numbering)
{
	Ran r = converted(a, DIAMOND, CSSA_SHARE);
	u32 *numbers = r.s.preorder;
	EXPECT_EQ(r.s.next_phi_id, 1);
	cssa_number_blocks(r.b->m, r.f, &r.s, a, 0);
	EXPECT(r.s.preorder == numbers);
	EXPECT_EQ(r.s.next_phi_id, 0);
	bench_close(r.b);
}

TEST(cssa, CSSA_15_declarations)
{
	Ran r = open(a, "declare i32 @f(i32)\n");
	EXPECT(!cssa_run(&r.b->manager.cx, r.f, &r.s, level(1), &r.b->scratch));
	bench_close(r.b);
}

TEST(cssa, CSSA_16_ids_in_order_CSSA_17_only_phis)
{
	Ran r = converted(a, SWAP, CSSA_SHARE);
	u32 want = 0;
	ir_each_block(r.b->m, r.f, b)
		ir_each_inst(r.b->m, b, i) {
			u64 *id = map_get(&r.s.phi_map, cssa_handle(i));
			EXPECT_EQ(id != NULL, ir_inst(r.b->m, i)->op == IR_PHI);
			if (id)
				EXPECT_EQ(*id, want++);
			else
				EXPECT(map_get(&r.s.use_graph, i.i) != NULL);
		}
	EXPECT_EQ(want, 3);
	bench_close(r.b);
}

TEST(cssa, CSSA_22_one_copy_for_each_phi_and_predecessor)
{
	Ran r = converted(a, "define i32 @f(i32 %k, i32 %a, i32 %b) {\ne:\n  switch i32 %k, label %x [ i32 0, label %y\n i32 1, label %z ]\nx:\n  br label %j\ny:\n  br label %j\nz:\n  br label %j\n"
	                     "j:\n  %p = phi i32 [ %a, %x ], [ %b, %y ], [ 0, %z ]\n  %q = phi i32 [ %b, %x ], [ %a, %y ], [ 1, %z ]\n  %r = add i32 %p, %q\n  ret i32 %r\n}\n", CSSA_KEEP_ALL);
	EXPECT_EQ(r.s.stats.producers, 6);
	EXPECT_EQ(r.s.stats.consumers, 2);
	bench_close(r.b);
}

TEST(cssa, CSSA_23_types)
{
	static const char *const type[] = {"i32", "i64", "float", "double", "half", "ptr", "<2 x float>", "{ i32, float }", "i1", "i128"};
	for (u32 i = 0; i < PS_COUNT(type); i++) {
		Str s = arena_fmt(a, "define %s @f(i1 %%c, %s %%a, %s %%b) {\ne:\n  br i1 %%c, label %%t, label %%j\nt:\n  br label %%j\nj:\n  %%x = phi %s [ %%a, %%t ], [ %%b, %%e ]\n  ret %s %%x\n}\n",
		                  type[i], type[i], type[i], type[i], type[i]);
		Ran r = converted(a, s.p, CSSA_SHARE);
		EXPECT_EQ(str_count(text_of(&r), arena_fmt(a, "copy.8919 %s ", type[i]).p), 3);
		EXPECT_EQ(str_count(text_of(&r), "%pcp"), 6);
		bench_close(r.b);
	}
}

TEST(cssa, CSSA_24_constants_are_copied)
{
	Ran r = converted(a, LOST_COPY, CSSA_SHARE);
	EXPECT_HAS(text_of(&r), "copy.8919 i32 1\n");
	bench_close(r.b);
}

TEST(cssa, CSSA_26_switch_that_comes_twice)
{
	Ran r = converted(a, "define i32 @f(i32 %k, i32 %a) {\ne:\n  switch i32 %k, label %d [ i32 0, label %j\n i32 1, label %j ]\nd:\n  br label %j\nj:\n  %x = phi i32 [ %a, %e ], [ %a, %e ], [ 0, %d ]\n  ret i32 %x\n}\n", CSSA_SHARE);
	EXPECT_EQ(r.s.stats.producers, 2);
	EXPECT_HAS(text_of(&r), "phi i32 [ %pcp, %e ], [ %pcp, %e ], [ %pcp1, %d ]");
	bench_close(r.b);
}

TEST(cssa, CSSA_27_readers_see_the_consumer_copy)
{
	Ran r = converted(a, SWAP, CSSA_SHARE);
	EXPECT_EQ(r.s.stats.consumers, 3);
	EXPECT_HASNT(text_of(&r), "sub i32 %a, %b");
	EXPECT(cssa_check(r.b->m, r.f) == NULL);
	bench_close(r.b);
}

TEST(cssa, CSSA_28_control_flow_family)
{
	EXPECT(!cssa_is_control_flow(29) && cssa_is_control_flow(30) && cssa_is_control_flow(40) && !cssa_is_control_flow(41));
	EXPECT_EQ(CSSA_OPC_PHI, 0x54);
}

TEST(cssa, CSSA_29_depth_limit)
{
	EXPECT_EQ(cssa_sort_depth_limit(1), 0);
	EXPECT_EQ(cssa_sort_depth_limit(2), 2);
	EXPECT_EQ(cssa_sort_depth_limit(1000), 18);
	EXPECT_EQ(cssa_sort_depth_limit((u64)1 << 40), 80);
}

TEST(cssa, CSSA_30_copies_are_in_the_use_graph)
{
	Ran r = converted(a, SWAP, CSSA_SHARE);
	ir_each_block(r.b->m, r.f, b)
		ir_each_inst(r.b->m, b, i)
			if (ir_inst(r.b->m, i)->op == IR_PCP)
				EXPECT(map_get(&r.s.use_graph, i.i) != NULL);
	EXPECT_EQ(r.s.cleanup.n, r.s.stats.producers + r.s.stats.consumers);
	bench_close(r.b);
}

TEST(cssa, CSSA_31_only_unread_copies_go)
{
	Ran r = converted(a, SWAP, CSSA_SHARE);
	EXPECT_EQ(r.s.stats.erased, 0);
	EXPECT_EQ(copies(&r), 9);
	bench_close(r.b);
}

TEST(cssa, CSSA_33_pitfall_merge_block_is_caught)
{
	Ran         r = open(a, DIAMOND);
	CssaOptions o = level(CSSA_SHARE);
	o.hooks = CSSA_HOOK_MERGE_BLOCK;
	cssa_run(&r.b->manager.cx, r.f, &r.s, o, &r.b->scratch);
	EXPECT(cssa_check(r.b->m, r.f) != NULL);
	bench_close(r.b);
}

TEST(cssa, CSSA_34_pitfall_blind_coalescing_is_caught)
{
	Ran         r = open(a, LOST_COPY);
	CssaOptions o = level(CSSA_SPAN_BLOCKS);
	o.hooks = CSSA_HOOK_BLIND_COALESCE;
	convert(&r, o);
	/* %y, which lives on past the phi's edge, is read by the phi itself. */
	EXPECT_HAS(text_of(&r), "[ %y, %l ]");
	EXPECT(cssa_check(r.b->m, r.f) != NULL);
	bench_close(r.b);
}

TEST(cssa, CSSA_35_pitfall_uniform_phis_get_copies)
{
	/* A kernel's arguments are uniform, and so is the branch. */
	const char *uniform = "define ptx_kernel void @f(i32 %k, i32 %a, ptr addrspace(1) %o) {\ne:\n  %c = icmp eq i32 %k, 0\n  br i1 %c, label %t, label %j\nt:\n  br label %j\nj:\n"
	                      "  %x = phi i32 [ %a, %t ], [ 1, %e ]\n  store i32 %x, ptr addrspace(1) %o\n  ret void\n}\n";
	Ran r = converted(a, uniform, CSSA_SHARE);
	EXPECT_EQ(copies(&r), 3);
	bench_close(r.b);
	r = open(a, uniform);
	CssaOptions o = level(CSSA_SHARE);
	o.hooks = CSSA_HOOK_SKIP_UNIFORM;
	convert(&r, o);
	EXPECT(cssa_check(r.b->m, r.f) != NULL);
	bench_close(r.b);
}

TEST(cssa, CSSA_37_pitfall_copies_that_nobody_reads)
{
	Ran         r = open(a, SWAP);
	Str         before = text_of(&r);
	CssaOptions o = level(CSSA_KEEP_ALL);
	o.hooks = CSSA_HOOK_NO_REWIRE;
	EXPECT(!convert(&r, o));
	EXPECT_STREQ(text_of(&r), before);
	EXPECT(r.s.stats.erased > 0);
	bench_close(r.b);
}

TEST(cssa, CSSA_38_pitfall_stale_numbers)
{
	for (u32 literal = 0; literal < 2; literal++) {
		Ran         r = converted(a, DIAMOND, CSSA_SHARE);
		CssaOptions o = level(CSSA_SHARE);
		o.hooks = literal ? CSSA_HOOK_LITERAL_LATCH : 0;
		ir_split_edge(r.b->m, r.f->first, 0, STR("new"));
		convert(&r, o);
		EXPECT_EQ(r.s.n_blocks, literal ? 4 : 5);
		bench_close(r.b);
	}
}

#define SHARED "define i32 @f(i1 %c, i1 %d, i32 %v, i32 %w) {\ne:\n  br i1 %c, label %p, label %q\np:\n  br i1 %d, label %x, label %y\nq:\n  br label %x\nx:\n  %a = phi i32 [ %v, %p ], [ %w, %q ]\n  br label %z\n" \
               "y:\n  %b = phi i32 [ %v, %p ]\n  br label %z\nz:\n  %r = phi i32 [ %a, %x ], [ %b, %y ]\n  ret i32 %r\n}\n"

TEST(cssa, CSSA_45_higher_levels_have_no_more_copies)
{
	static const char *const text[] = {DIAMOND, SWAP, LOST_COPY, SELF, SHARED};
	for (u32 i = 0; i < PS_COUNT(text); i++) {
		u32 last = UINT32_MAX;
		for (u32 l = CSSA_KEEP_ALL; l <= CSSA_SPAN_BLOCKS; l++) {
			Ran r = converted(a, text[i], l);
			u32 n = copies(&r);
			EXPECT(n <= last);
			if (l == CSSA_KEEP_ALL)
				EXPECT_EQ(n, r.s.stats.producers + r.s.stats.consumers);
			last = n;
			bench_close(r.b);
		}
	}
}

TEST(cssa, CSSA_46_one_value_for_two_successors)
{
	Ran r = converted(a, SHARED, CSSA_KEEP_ALL);
	EXPECT_EQ(str_count(text_of(&r), "copy.8919 i32 %v"), 2);
	bench_close(r.b);
	r = converted(a, SHARED, CSSA_SHARE);
	EXPECT_EQ(str_count(text_of(&r), "copy.8919 i32 %v"), 1);
	EXPECT_EQ(r.s.stats.shared, 1);
	bench_close(r.b);
}

TEST(cssa, CSSA_47_container_knob)
{
	Bench *b = bench_open(a, DIAMOND);
	EXPECT_EQ(cssa_options(&b->s).coalesce, 1);
	bench_knob(b, "CSSACoalescing", "3");
	EXPECT_EQ(cssa_options(&b->s).coalesce, 3);
	bench_knob(b, "cssa-coalesce", "0");
	EXPECT_EQ(cssa_options(&b->s).coalesce, 0);
	bench_close(b);
}

TEST(cssa, CSSA_48_switched_off)
{
	Bench *b = bench_open(a, SWAP);
	bench_knob(b, "do-cssa", "0");
	EXPECT(!bench_run(b, "cssa"));
	EXPECT_HASNT(bench_text(b), "pcp");
	bench_close(b);
}

TEST(cssa, CSSA_49_dump_before)
{
	Bench *b = bench_open(a, DIAMOND);
	bench_run(b, "cssa");
	EXPECT_EQ(text_str(&b->dump).n, 0);
	bench_close(b);
	b = bench_open(a, DIAMOND);
	Str before = bench_text(b);
	bench_knob(b, "dump-before-cssa", "1");
	bench_run(b, "cssa");
	Text want;
	text_init(&want, a);
	text_s(&want, "IR Module before CSSA:\n");
	text_add(&want, before);
	EXPECT_STREQ(text_str(&b->dump), text_str(&want));
	bench_close(b);
}

TEST(cssa, CSSA_50_verbosity)
{
	Bench *b = bench_open(a, DIAMOND);
	bench_knob(b, "cssa-verbosity", "1");
	bench_run(b, "cssa");
	EXPECT_HAS(text_str(&b->dump), "cssa f: 1 phis, 2 producer copies, 1 consumer copies");
	EXPECT_HASNT(text_str(&b->dump), "copy.8919");
	bench_close(b);
	b = bench_open(a, DIAMOND);
	bench_knob(b, "cssa-verbosity", "2");
	bench_run(b, "cssa");
	EXPECT_EQ(str_count(text_str(&b->dump), "copy.8919"), 3);
	bench_close(b);
}

TEST(cssa, CSSA_54_again_changes_nothing)
{
	static const char *const text[] = {DIAMOND, SWAP, LOST_COPY, SELF};
	for (u32 i = 0; i < PS_COUNT(text); i++) {
		Ran r = converted(a, text[i], CSSA_SHARE);
		Str once = text_of(&r);
		EXPECT(!convert(&r, level(CSSA_SHARE)));
		EXPECT_STREQ(text_of(&r), once);
		bench_close(r.b);
	}
}

TEST(cssa, CSSA_55_place_in_the_pipeline)
{
	const PipelineStep *s;
	u32                 n = pipeline_steps(&s), cssa = 0, isel = 0;
	for (u32 i = 0; i < n; i++) {
		if (strcmp(s[i].pass->id, "cssa") == 0)
			cssa = i + 1;
		if (s[i].pass->level == PASS_DAG)
			isel = i + 1;
	}
	EXPECT(cssa && cssa + 1 == isel);
}

UNIT_MAIN
