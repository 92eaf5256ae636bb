/* ipmsp: calls of functions without a body, each behaviour by its id. */
#include "graph_oracle.h"
#include "ir/text.h"
#include "irpass.h"
#include "irpass/ipmsp.h"

#define HEAD                                                                                                                   \
	"target triple = \"nvptx64-nvidia-cuda\"\n@sh = internal addrspace(3) global [64 x i32] undef\n@gl = internal "        \
	"addrspace(1) global [64 x i32] zeroinitializer\n"                                                                     \
	"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare " \
	"i32 @llvm.nvvm.ldu.global.i.i32.p0(ptr, i32)\n"                                                                       \
	"declare i64 @llvm.nvvm.ldu.global.i.i64.p0(ptr, i32)\ndeclare void @llvm.nvvm.mbarrier.inval(ptr)\ndeclare void "     \
	"@fixed(ptr)\n"                                                                                                        \
	"declare double @llvm.nvvm.wmma.m8n8k4.load.a.row.f64.p0(ptr)\n"
#define SH                  "ptr addrspacecast (ptr addrspace(3) @sh to ptr)"
#define GL                  "ptr addrspacecast (ptr addrspace(1) @gl to ptr)"
#define LDG(name, p, align) "  %" name " = call i32 @llvm.nvvm.ldu.global.i.i32.p0(" p ", i32 " align ")\n"

typedef struct Match {
	Bench  *b;
	Ipmsp   p;
	Matcher t;
} Match;

/* A matcher for @f. */
static Match *open_match(Arena *a, const char *text)
{
	Match *x = arena_new(a, Match);
	x->b = bench_open(a, text);
	ipmsp_init(&x->p, &x->b->manager.cx, space_rules_ias(&x->b->s));
	matcher_init(&x->t, &x->p, ir_func(x->b->m, ir_find_global(x->b->m, STR("f"))));
	return x;
}

static void close_match(Match *x)
{
	u32 before = x->b->s.diags.errors;
	ir_verify(x->b->m);
	EXPECT_EQ(x->b->s.diags.errors, before);
	bench_close(x->b);
}

static IrRef found(const Match *x, const char *name) { return ir_find_global(x->b->m, str_of(name)); }

static LeafMatch best_of(Match *x, const char *callee)
{
	matcher_collect(&x->t, MATCH_OTHERS | MATCH_MATRIX);
	return matcher_best(&x->t, found(x, callee));
}

static LeafMatch best_ldg(Arena *a, const char *text)
{
	Match    *x = open_match(a, text);
	LeafMatch m = best_of(x, "llvm.nvvm.ldu.global.i.i32.p0");
	close_match(x);
	return m;
}

TEST(ipmsp_match, MATCH_01_settled_in_the_order_of_callees)
{
	Match *x =
		open_match(a, HEAD "define void @f() {\n" LDG(
				      "a", GL, "4") "  %b = call i64 @llvm.nvvm.ldu.global.i.i64.p0(" GL ", i32 4)\n"
	                                            "  call void @llvm.memset.p0.i64(" SH ", i8 0, i64 4, i1 false)\n" LDG(
							    "c", GL, "8") "  call void @llvm.nvvm.mbarrier.inval(" SH
	                                                                  ")\n  %d = call i64 @llvm.nvvm.ldu.global.i.i64.p0(" GL
	                                                                  ", i32 8)\n  ret void\n}\n");
	Rng r = {7};
	matcher_collect(&x->t, MATCH_OTHERS);
	EXPECT_EQ(x->t.users.n, 6);
	for (u32 i = x->t.users.n; i > 1; i--) {
		u32      k = rng_below(&r, i);
		LeafCall l = x->t.users.p[i - 1];
		x->t.users.p[i - 1] = x->t.users.p[k];
		x->t.users.p[k] = l;
	}
	EXPECT(matcher_merge(&x->t));
	EXPECT_EQ(x->t.merged.n, 4);
	for (u32 i = 1; i < x->t.merged.n; i++)
		EXPECT(x->t.merged.p[i] < x->t.merged.p[i - 1]); /* the list is sorted and taken from its end */
	EXPECT_EQ(x->t.stats.specialized, 6);
	close_match(x);
}

/* Whoever stands in the entry block dominates all others, so "the other is the entry block's first
 * instruction" can only be said of the one that dominates. */
#define APART(first)                                                                                                       \
	HEAD "define void @f(ptr %p, i1 %c) {\n" first LDG("a", "ptr %p", "4") "  br i1 %c, label %x, label %y\nx:\n" LDG( \
		"b", "ptr %p", "4") "  br label %y\ny:\n  ret void\n}\n"

TEST(ipmsp_match, MATCH_02_one_block_or_the_first_instruction)
{
	EXPECT_EQ(best_ldg(a, HEAD "define void @f(ptr %p) {\n  %n = add i32 1, 1\n" LDG("a", "ptr %p", "4")
	                              LDG("b", "ptr %p", "4") "  ret void\n}\n")
	                  .score,
	          2);
	EXPECT_EQ(best_ldg(a, APART("  %n = add i32 1, 1\n")).score, 0);
	EXPECT_EQ(best_ldg(a, APART("")).score, 2);
}

#define LOOPED(p, q)                                                                                                            \
	HEAD "define void @f(ptr %p, ptr %q, i1 %c, i1 %d) {\ne:\n  br label %l\nl:\n  br i1 %c, label %x, label %y\nx:\n" LDG( \
		"a", "ptr " p,                                                                                                  \
		"4") "  br label %z\ny:\n" LDG("b", "ptr " q,                                                                   \
	                                       "4") "  br label %z\nz:\n  br i1 %d, label %l, label %o\no:\n  ret void\n}\n"

TEST(ipmsp_match, MATCH_03_one_loop_and_a_score_above_one)
{
	EXPECT_EQ(best_ldg(a, LOOPED("%p", "%p")).score, 2);
	EXPECT_EQ(best_ldg(a, LOOPED("%p", "%q")).score, 0);
	/* The same without the loop. */
	EXPECT_EQ(best_ldg(a, HEAD "define void @f(ptr %p, i1 %c) {\ne:\n  br i1 %c, label %x, label %y\nx:\n" LDG(
				      "a", "ptr %p", "4") "  ret void\ny:\n" LDG("b", "ptr %p", "4") "  ret void\n}\n")
	                  .score,
	          0);
}

TEST(ipmsp_match, MATCH_04_flags_that_forbid_it)
{
	EXPECT_EQ(
		best_ldg(a,
	                 HEAD "define void @f(ptr %p) {\n" LDG(
				 "a", "ptr %p",
				 "4") "  %b = call i32 @llvm.nvvm.ldu.global.i.i32.p0(ptr %p, i32 4) nobuiltin\n  ret void\n}\n")
			.score,
		0);
	Match *x = open_match(a, HEAD "define void @f(ptr %p) {\n  musttail call void @fixed(ptr %p)\n  ret void\n}\n");
	ir_each_block(x->b->m, x->t.f, b)
		EXPECT(!matcher_is_legal(x->b->m, ir_block(x->b->m, b)->first));
	close_match(x);
}

TEST(ipmsp_match, MATCH_05_best_score_first_calls)
{
	/* Scores: 0-1: 1, 0-2: 2, 0-3: 2, 1-2: 1, 1-3: 1, 2-3: 2. */
	LeafMatch m = best_ldg(a, HEAD "define void @f(ptr %p, ptr %q) {\n" LDG("a", "ptr %p", "4") LDG("b", "ptr %q", "4")
	                                  LDG("c", "ptr %p", "4") LDG("d", "ptr %p", "4") "  ret void\n}\n");
	EXPECT_EQ(m.score, 2);
	EXPECT_EQ(m.a, 0);
	EXPECT_EQ(m.b, 2);
	/* A better one later wins; equal computations count as equal operands. */
	m = best_ldg(
		a,
		HEAD "define void @f(ptr %p, ptr %q, i64 %i) {\n" LDG("a", "ptr %p", "4") LDG(
			"b", "ptr %q",
			"4") "  %g = getelementptr i32, ptr %p, i64 %i\n  %h = getelementptr i32, ptr %p, i64 %i\n" LDG("c",
	                                                                                                                "ptr %g",
	                                                                                                                "8")
			LDG("d", "ptr %h", "8") "  ret void\n}\n");
	EXPECT_EQ(m.score, 2);
	EXPECT_EQ(m.a, 2);
	EXPECT_EQ(m.b, 3);
}

TEST(ipmsp_match, MATCH_06_without_a_match_each_counts_for_itself)
{
	Match *x = open_match(a, HEAD "define void @f(i1 %c) {\ne:\n  br i1 %c, label %x, label %y\nx:\n" LDG(
					 "a", GL, "4") "  ret void\ny:\n" LDG("b", GL, "8") "  ret void\n}\n");
	EXPECT(matcher_visit(&x->t, MATCH_OTHERS));
	EXPECT_EQ(x->t.stats.matched, 0);
	EXPECT_EQ(x->t.stats.alone, 1);
	EXPECT_EQ(str_count(bench_text(x->b), "call i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1) @gl"), 2);
	close_match(x);
}

TEST(ipmsp_match, MATCH_07_single_call)
{
	Match *x = open_match(a, HEAD "define void @f() {\n" LDG("a", GL, "4") "  ret void\n}\n");
	EXPECT(matcher_visit(&x->t, MATCH_OTHERS));
	EXPECT_EQ(x->t.stats.single, 1);
	EXPECT_EQ(x->t.merged.n, 0);
	EXPECT_EQ(x->t.stats.specialized, 1);
	close_match(x);
}

TEST(ipmsp_match, MATCH_08_depth_limit)
{
	const char *text = HEAD "define void @f() {\n" LDG("a", GL, "4") LDG("b", GL, "4") LDG("c", GL, "4") "  ret void\n}\n";
	for (u32 limit = 2; limit <= 3; limit++) {
		Match *x = open_match(a, text);
		x->t.depth_limit = limit;
		EXPECT_EQ(matcher_visit(&x->t, MATCH_OTHERS), limit == 3);
		EXPECT_EQ(x->t.stats.specialized, limit == 3 ? 3 : 0);
		EXPECT_EQ(bench_remark(x->b, REMARK_MISSED,
		                       "'f' has 3 calls of functions without a body: ipmsp-depth-limit allows 2"),
		          limit == 2);
		close_match(x);
	}
	Bench *b = bench_open(a, text);
	bench_knob(b, "ipmsp-depth-limit", "2");
	EXPECT(!bench_run(b, "ipmsp"));
	bench_close(b);
}

TEST(ipmsp_match, MATCH_09_specialised_call_takes_the_place)
{
	Match *x = open_match(
		a, HEAD "define i32 @f() {\n  %n = add i32 1, 1\n" LDG("a", GL, "4") "  %s = add i32 %a, %n\n  ret i32 %s\n}\n");
	IrRef callee = found(x, "llvm.nvvm.ldu.global.i.i32.p0");
	EXPECT(matcher_visit(&x->t, MATCH_OTHERS));
	EXPECT_HAS(bench_text(x->b), "%n = add i32 1, 1\n  %a = call i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1) @gl, "
	                             "i32 4)\n  %s = add i32 %a, %n");
	EXPECT(!ir_has_uses(x->b->m, callee));
	EXPECT_EQ(x->t.inst_space.live, 1);
	ir_each_block(x->b->m, x->t.f, b)
		ir_each_inst(x->b->m, b, i)
			EXPECT_EQ(map_or(&x->t.inst_space, i.i, 0), ir_inst(x->b->m, i)->op == IR_CALL ? 1 : 0);
	EXPECT_EQ(map_or(&x->t.callee_result, callee.i, 0), 1);
	EXPECT_EQ(map_or(&x->t.edge_weight, callee.i, 0), 1);
	EXPECT(bench_remark(x->b, REMARK_PASSED, "argument 0 of 'llvm.nvvm.ldu.global.i.i32.p0' is in address space 1"));
	close_match(x);
}

TEST(ipmsp_match, MATCH_10_leaves_and_those_that_wait)
{
	Match *x = open_match(a, HEAD "define internal void @body(ptr %p) {\n  ret void\n}\ndefine void @f(ptr %p) {\n  call "
	                              "void @body(ptr %p)\n  call void @fixed(ptr %p)\n"
	                              "  call void @body(ptr %p)\n  call void @fixed(ptr %p)\n  ret void\n}\n");
	matcher_collect(&x->t, MATCH_OTHERS);
	EXPECT_EQ(x->t.leaves.n, 1);
	EXPECT_EQ(x->t.leaves.p[0], found(x, "fixed").i);
	EXPECT_EQ(x->t.waiting.n, 1);
	EXPECT_EQ(x->t.waiting.p[0], found(x, "body").i);
	EXPECT_EQ(x->t.users.n, 2);
	close_match(x);
}

TEST(ipmsp_match, MATCH_11_only_the_first_visit_starts_from_nothing)
{
	Match *x = open_match(a, HEAD "define internal void @f(ptr %p) {\n" LDG("a", "ptr %p", "4") "  ret void\n}\n");
	vec_push(a, &x->t.users, ((LeafCall){0})); /* of somebody before */
	EXPECT(!matcher_visit(&x->t, MATCH_OTHERS));
	EXPECT_EQ(x->t.users.n, 1); /* nothing is known of %p yet */
	map_set(&x->p.arg_space, ir_func_arg(x->t.f, 0).i, 1);
	EXPECT(matcher_visit(&x->t, MATCH_MATRIX));
	EXPECT_EQ(x->t.users.n, 0);
	EXPECT_HAS(bench_text(x->b), "@llvm.nvvm.ldu.global.i.i32.p1(");
	close_match(x);
}

/* Of a pair that matches, what is known at the first call holds at the second, but not the other way round. */
TEST(ipmsp_match, matched_calls_share_what_is_known)
{
	for (u32 known = 0; known < 2; known++) {
		Match *x = open_match(a, HEAD "define void @f(ptr %p) {\n" LDG("a", "ptr %p", "4")
		                                 LDG("b", "ptr %p", "4") "  ret void\n}\n");
		matcher_collect(&x->t, MATCH_OTHERS);
		x->t.users.p[known].space[0] = 1;
		EXPECT(matcher_merge(&x->t));
		EXPECT_EQ(x->t.stats.specialized, known ? 1 : 2);
		EXPECT_HAS(bench_text(x->b), known ? "%a = call i32 @llvm.nvvm.ldu.global.i.i32.p0(ptr %p, i32 4)"
		                                   : "%b = call i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1) %");
		close_match(x);
	}
}

#define DBG                                                                                                                   \
	"!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, "    \
	"emissionKind: LineTablesOnly)\n!1 = !DIFile(filename: \"a.cu\", directory: \"/\")\n"                                 \
	"!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n!3 = distinct !DISubprogram(name: \"f\", file: !1, line: 3, unit: "   \
	"!0)\n!4 = !DILocation(line: 4, column: 7, scope: !3)\n!5 = !DILocation(line: 5, column: 9, scope: !3)\n"             \
	"!6 = distinct !DISubprogram(name: \"k\", file: !1, line: 8, unit: !0)\n!7 = !DILocation(line: 9, column: 2, scope: " \
	"!6)\n"

static u32 line_of(const Bench *b, const char *func, u32 op)
{
	const IrFunc *f = ir_func(b->m, ir_find_global(b->m, str_of(func)));
	ir_each_block(b->m, f, blk)
		ir_each_inst(b->m, blk, i)
			if (ir_inst(b->m, i)->op == op)
				return ir_dbg_line(b->m, ir_info(b->m, i)->dbg);
	return 0;
}

TEST(ipmsp_match, IPMSP_30_debug_locations_are_kept)
{
	Bench *b = bench_open(
		a, HEAD "define i32 @f(ptr %p) !dbg !3 {\n  %v = load i32, ptr %p, !dbg !4\n  %w = call i32 "
			"@llvm.nvvm.ldu.global.i.i32.p0(ptr %p, i32 4), !dbg !5\n"
			"  %s = add i32 %v, %w, !dbg !5\n  ret i32 %s\n}\ndefine void @k(i1 %c) !dbg !6 {\n  call i32 @f(" GL
			"), !dbg !7\n  ret void\n}\n" DBG);
	bench_run(b, "ipmsp");
	EXPECT_HAS(bench_text(b), "@f.ipmsp(ptr addrspace(1) %p)");
	/* In the clone, at the call that was sent to it, at the specialised instruction. */
	EXPECT_EQ(line_of(b, "f.ipmsp", IR_LOAD), 4);
	EXPECT_EQ(line_of(b, "f.ipmsp", IR_CALL), 5);
	EXPECT_HAS(bench_text(b), "@llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1) %p, i32 4), !dbg");
	EXPECT_EQ(line_of(b, "k", IR_CALL), 9);
	bench_close(b);
}

TEST(ipmsp_match, IPMSP_33_volatile_and_fixed_types_are_refused)
{
	Match *x = open_match(a, HEAD "define void @f() {\n  call void @llvm.memset.p0.i64(" SH
	                              ", i8 0, i64 4, i1 true)\n  call void @fixed(" SH ")\n"
	                              "  call void @llvm.memset.p0.i64(" SH ", i8 0, i64 4, i1 false)\n  ret void\n}\n");
	EXPECT(matcher_visit(&x->t, MATCH_OTHERS));
	EXPECT_EQ(x->t.stats.specialized, 1);
	EXPECT_EQ(x->t.stats.refused, 2);
	EXPECT_HAS(bench_text(x->b), "@llvm.memset.p0.i64(" SH ", i8 0, i64 4, i1 true)");
	EXPECT_HAS(bench_text(x->b), "@fixed(" SH ")");
	EXPECT_HAS(bench_text(x->b), "@llvm.memset.p3.i64(ptr addrspace(3) @sh, i8 0, i64 4, i1 false)");
	EXPECT(bench_remark(x->b, REMARK_MISSED, "in address space 3: the access is volatile"));
	EXPECT(bench_remark(x->b, REMARK_MISSED, "in address space 3: the type of the function is fixed"));
	close_match(x);
}

TEST(ipmsp_match, ias_wmma_memory_space_opt_decides_over_matrix_operands)
{
	const char *text = HEAD "define void @f(ptr %o) {\n  %a = call double @llvm.nvvm.wmma.m8n8k4.load.a.row.f64.p0(" GL
				")\n  ret void\n}\n";
	Bench *b = bench_open(a, text);
	bench_run(b, "ipmsp");
	EXPECT_HAS(bench_text(b), "load.a.row.f64.p1(ptr addrspace(1) @gl)");
	bench_close(b);
	b = bench_open(a, text);
	bench_knob(b, "ias-wmma-memory-space-opt", "0");
	EXPECT(!bench_run(b, "ipmsp"));
	bench_close(b);
}

UNIT_MAIN
