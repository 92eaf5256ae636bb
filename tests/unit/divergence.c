/* Divergence: what is called uniform is the same for all threads of a warp that are there. */
#include "analysis/divergence.h"
#include "irpass.h"

typedef struct Facts {
	Bench      *b;
	IrFunc     *f;
	IrCfg      *cfg;
	Divergence *d;
} Facts;

static Facts facts(Arena *a, const char *text)
{
	Facts x = {.b = bench_open(a, text)};
	x.f = ir_func(x.b->m, ir_find_global(x.b->m, STR("f")));
	x.cfg = ir_cfg_build(x.b->m, x.f, a);
	DomTree dom = dom_build(&x.cfg->graph, a, 0), postdom = postdom_build(&x.cfg->graph, a, 0);
	Loops   loops = loops_build(&x.cfg->graph, &x.cfg->order, &dom, a);
	x.d = divergence_build(x.b->m, x.f, x.cfg, &postdom, &loops, a);
	return x;
}

static bool divergent(Facts *x, const char *name)
{
	ir_each_block(x->b->m, x->f, b)
		ir_each_inst(x->b->m, b, i)
			if (str_eq(ir_str(x->b->m, ir_info(x->b->m, i)->name), str_of(name)))
				return is_divergent(x->d, i);
	unit_fail(__FILE__, __LINE__, name);
	return false;
}

#define TID          "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
#define KERNEL(body) TID "define ptx_kernel void @f(i32 %n, i32 %m, ptr addrspace(1) %o) {\n" body "}\n"

TEST(divergence, sources_and_operands)
{
	Facts x = facts(
		a,
		KERNEL("  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n  "
	               "%a = add i32 %t, %n\n  %u = add i32 %c, %n\n  %l = load i32, ptr addrspace(1) %o\n  ret void\n"));
	EXPECT(divergent(&x, "t") && divergent(&x, "a"));
	EXPECT(!divergent(&x, "c") && !divergent(&x, "u") && !divergent(&x, "l"));
	bench_close(x.b);
}

TEST(divergence, a_phi_differs_where_paths_of_a_divergent_branch_meet)
{
	static const struct {
		const char *cond;
		bool        differs;
	} row[] = {{"%t", true}, {"%n", false}};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		Str text = arena_fmt(
			a,
			TID "define ptx_kernel void @f(i32 %%n, i32 %%m) {\ne:\n  %%t = call i32 "
			    "@llvm.nvvm.read.ptx.sreg.tid.x()\n  %%c = icmp eq i32 %s, 3\n  br i1 %%c, label %%x, label %%y\n"
			    "x:\n  br label %%j\ny:\n  br label %%j\nj:\n  %%p = phi i32 [ 1, %%x ], [ 2, %%y ]\n  %%q = phi i32 "
			    "[ %%m, %%x ], [ %%m, %%y ]\n  br label %%k\nk:\n  %%s = phi i32 [ %%p, %%j ]\n  ret void\n}\n",
			row[i].cond);
		Facts x = facts(a, text.p);
		EXPECT_EQ(divergent(&x, "p"), row[i].differs);
		EXPECT_EQ(divergent(&x, "s"), row[i].differs);
		EXPECT(!divergent(&x, "q"));
		bench_close(x.b);
	}
}

/* Threads leave in different rounds: within the loop %i is the same for all that are there, behind it no more. */
TEST(divergence, values_differ_behind_a_loop_that_threads_leave_one_by_one)
{
	const char *text = KERNEL("e:\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %l\nl:\n  %i = phi i32 [ 0, "
	                          "%e ], [ %j, %l ]\n  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %t\n"
	                          "  br i1 %c, label %l, label %d\nd:\n  %r = add i32 %i, 1\n  %u = add i32 %n, 1\n  ret void\n");
	Facts       x = facts(a, text);
	EXPECT(!divergent(&x, "i") && !divergent(&x, "j"));
	EXPECT(divergent(&x, "c") && divergent(&x, "r"));
	EXPECT(!divergent(&x, "u"));
	bench_close(x.b);
}

/* The join lies behind an inner branch, and another around a back edge. */
TEST(divergence, joins_further_on)
{
	Facts x = facts(
		a, KERNEL("e:\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %c = icmp eq i32 %t, 0\n  %u = icmp eq i32 "
	                  "%n, 0\n  br label %h\nh:\n  %i = phi i32 [ 0, %e ], [ %i1, %z ]\n  br i1 %c, label %x, label %y\n"
	                  "x:\n  br i1 %u, label %w, label %y\nw:\n  br label %z\ny:\n  %p = phi i32 [ 1, %h ], [ 2, %x ]\n  br "
	                  "label %z\nz:\n  %q = phi i32 [ 3, %w ], [ 4, %y ]\n"
	                  "  %i1 = add i32 %i, 1\n  %g = icmp ult i32 %i1, %m\n  br i1 %g, label %h, label %d\nd:\n  %r = add "
	                  "i32 %i, %m\n  ret void\n"));
	EXPECT(divergent(&x, "p") && divergent(&x, "q"));
	EXPECT(!divergent(&x, "i") && !divergent(&x, "g"));
	EXPECT(!divergent(&x, "r")); /* all leave at once */
	bench_close(x.b);
}

/* No successor of the divergent branch is outside of the loop, and yet some threads leave it earlier than others: by the
 * uniform branch of %x. What the loop computes differs behind it, for a branch there too. */
TEST(divergence, a_loop_that_is_left_behind_a_divergent_branch_in_it)
{
	Facts x = facts(
		a, KERNEL("e:\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %h\nh:\n  %i = phi i32 [ 0, %e ], [ "
	                  "%j, %z ]\n"
	                  "  %j = add i32 %i, 1\n  %s = add i32 %t, %i\n  %b = and i32 %s, 1\n  %c = icmp eq i32 %b, 0\n"
	                  "  %g = icmp eq i32 %j, %m\n  br i1 %c, label %x, label %y\nx:\n  br i1 %g, label %d, label %z\ny:\n"
	                  "  br label %z\nz:\n  br label %h\nd:\n  %r = add i32 %i, 1\n  br i1 %g, label %v, label %w\nv:\n"
	                  "  br label %w\nw:\n  %p = phi i32 [ 1, %d ], [ 2, %v ]\n  ret void\n"));
	EXPECT(divergent(&x, "r") && divergent(&x, "p"));
	EXPECT(!divergent(&x, "i") && !divergent(&x, "g"));
	bench_close(x.b);
}

/* 2,000 divergent branches one behind the other: each is looked at up to its own post-dominator. */
TEST(divergence, many_branches)
{
	Text t;
	text_init(&t, a);
	text_s(&t, TID "define ptx_kernel void @f(i32 %n) {\ne:\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %c = icmp "
	               "eq i32 %t, 0\n  br label %h0\n");
	for (u32 i = 0; i < 2000; i++)
		text_f(&t, "h%u:\n  br i1 %%c, label %%x%u, label %%h%u\nx%u:\n  br label %%h%u\n", i, i, i + 1, i, i + 1);
	text_s(&t, "h2000:\n  %p = phi i32 [ 1, %h1999 ], [ 2, %x1999 ]\n  ret void\n}\n");
	text_c(&t, 0);
	Facts x = facts(a, t.p);
	EXPECT_EQ(bitset_count(x.d->control.branch), 2000);
	EXPECT_EQ(bitset_count(x.d->control.join), 2000);
	EXPECT(divergent(&x, "p"));
	bench_close(x.b);
}

/* One call of each family, with the registers that threads differ in and the ones they do not; %t differs, %n does not. */
TEST(divergence, calls_of_each_family)
{
	static const struct {
		const char *decl, *call;
		bool        differs;
	} row[] = {
		{"i32 @llvm.nvvm.read.ptx.sreg.laneid()", "i32 @llvm.nvvm.read.ptx.sreg.laneid()", true},
		{"i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()", "i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()", true},
		{"i32 @llvm.nvvm.read.ptx.sreg.clock()", "i32 @llvm.nvvm.read.ptx.sreg.clock()", true},
		{"i32 @llvm.nvvm.read.ptx.sreg.warpid()", "i32 @llvm.nvvm.read.ptx.sreg.warpid()", true},
		{"i32 @llvm.nvvm.read.ptx.sreg.ntid.y()", "i32 @llvm.nvvm.read.ptx.sreg.ntid.y()", false},
		{"i32 @llvm.nvvm.read.ptx.sreg.warpsize()", "i32 @llvm.nvvm.read.ptx.sreg.warpsize()", false},
		{"i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()", "i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()", false},
		{"i32 @llvm.nvvm.redux.sync.add(i32, i32)", "i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1)", false},
		{"i32 @llvm.nvvm.redux.sync.add(i32, i32)", "i32 @llvm.nvvm.redux.sync.add(i32 %n, i32 %t)", true},
		{"i1 @llvm.nvvm.vote.any.sync(i32, i1)", "i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %b)", false},
		{"i1 @llvm.nvvm.vote.any.sync(i32, i1)", "i1 @llvm.nvvm.vote.any.sync(i32 %t, i1 true)", true},
		{"i1 @llvm.nvvm.vote.any(i1)", "i1 @llvm.nvvm.vote.any(i1 %b)", false},
		{"i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)",
	         "i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31)", true},
		{"i32 @llvm.nvvm.activemask()", "i32 @llvm.nvvm.activemask()", true},
		{"i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1), i32)",
	         "i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1) %o, i32 4)", false},
		{"i32 @llvm.ctpop.i32(i32)", "i32 @llvm.ctpop.i32(i32 %t)", true},
		{"i32 @llvm.ctpop.i32(i32)", "i32 @llvm.ctpop.i32(i32 %n)", false},
	};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		Str   text = arena_fmt(a,
		                       TID "declare %s\ndefine ptx_kernel void @f(i32 %%n, ptr addrspace(1) %%o) {\n"
		                             "  %%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %%b = icmp eq i32 %%t, 0\n"
		                             "  %%r = call %s\n  ret void\n}\n",
		                       row[i].decl, row[i].call);
		Facts x = facts(a, text.p);
		if (divergent(&x, "r") != row[i].differs)
			unit_fail(__FILE__, __LINE__, row[i].call);
		bench_close(x.b);
	}
}

UNIT_MAIN
