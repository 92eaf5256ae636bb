/* structurizecfg: what each mode makes of a graph, and what it leaves alone. */
#include "irpass.h"
#include "analysis/cfg.h"
#include "mir/cfg.h"
#include "structured.h"

static Bench *run_mode(Arena *a, const char *text, const char *mode, bool *changed)
{
	Bench *b = bench_open(a, text);
	bench_knob(b, "structurizecfg-mode", mode);
	*changed = bench_run(b, "structurizecfg");
	return b;
}

static IrCfg *cfg_of(Bench *b) { return ir_cfg_build(b->m, ir_func(b->m, ir_find_global(b->m, STR("f"))), &b->scratch); }

static bool reducible(Bench *b)
{
	IrCfg  *cfg = cfg_of(b);
	DomTree dom = dom_build(&cfg->graph, &b->scratch, 0);
	return graph_is_reducible(&cfg->graph, &cfg->order, &dom);
}

/* %t is reached from the branch and from its one arm, and so is %z. */
#define SHARED_TAIL                                                                                                         \
	"define i32 @f(i32 %n, i1 %c, i1 %d) {\nb:\n  br i1 %c, label %x, label %t\nx:\n  %m = mul i32 %n, 3\n  br i1 %d, " \
	"label %t, label %z\n"                                                                                              \
	"t:\n  %p = phi i32 [ %n, %b ], [ %m, %x ]\n  br label %z\nz:\n  %r = phi i32 [ %p, %t ], [ 7, %x ]\n  ret i32 %r\n}\n"
#define TWO_ENTRIES                                                                                                              \
	"define i32 @f(i32 %n, i1 %c) {\ne:\n  br i1 %c, label %a, label %b\na:\n  %x = phi i32 [ %n, %e ], [ %y1, %b ]\n  %x1 " \
	"= add i32 %x, 1\n  %g = icmp ult i32 %x1, 50\n"                                                                         \
	"  br i1 %g, label %b, label %d\nb:\n  %y = phi i32 [ 3, %e ], [ %x1, %a ]\n  %y1 = mul i32 %y, 2\n  br label %a\nd:\n " \
	" ret i32 %x1\n}\n"
/* Left from the middle; what %v holds is used behind. */
#define BREAK                                                                                                                    \
	"define i32 @f(i32 %n, i32 %k) {\ne:\n  br label %h\nh:\n  %i = phi i32 [ 0, %e ], [ %j, %l ]\n  %v = mul i32 %i, %i\n " \
	" %c = icmp ult i32 %i, %n\n  br i1 %c, label %m, label %d\n"                                                            \
	"m:\n  %w = xor i32 %v, 5\n  %q = icmp eq i32 %w, %k\n  br i1 %q, label %d, label %l\nl:\n  %j = add i32 %i, 1\n  br "   \
	"label %h\nd:\n  %r = add i32 %v, %i\n  ret i32 %r\n}\n"
#define STRUCTURED                                                                                                               \
	"define i32 @f(i32 %n, i1 %c) {\ne:\n  br i1 %c, label %x, label %y\nx:\n  br label %h\ny:\n  br i1 %c, label %u, "      \
	"label %h\nu:\n  unreachable\n"                                                                                          \
	"h:\n  %i = phi i32 [ 0, %x ], [ 1, %y ], [ %j, %l ]\n  %g = icmp ult i32 %i, %n\n  br i1 %g, label %m, label %d\nm:\n " \
	" br i1 %c, label %l, label %o\no:\n  br label %l\n"                                                                     \
	"l:\n  %j = add i32 %i, 1\n  br label %h\nd:\n  ret i32 %i\n}\n"

TEST(structurizecfg, CFG_01_branch_into_a_shared_tail)
{
	bool   changed;
	Bench *b = bench_open(a, SHARED_TAIL);
	EXPECT(!is_structured(&cfg_of(b)->graph, &b->scratch));
	bench_close(b);
	b = run_mode(a, SHARED_TAIL, "strict", &changed);
	EXPECT(changed);
	EXPECT(is_structured(&cfg_of(b)->graph, &b->scratch));
	EXPECT(bench_remark(b, REMARK_PASSED, "which tells 2 ways apart"));
	bench_close(b);
	/* The default asks for reducible graphs and no more. */
	b = run_mode(a, SHARED_TAIL, "reducible", &changed);
	EXPECT(!changed);
	bench_close(b);
}

TEST(structurizecfg, CFG_01_a_loop_left_from_the_middle)
{
	bool   changed;
	Bench *b = run_mode(a, BREAK, "strict", &changed);
	EXPECT(changed);
	EXPECT(is_structured(&cfg_of(b)->graph, &b->scratch));
	EXPECT_HASNT(bench_text(b), "alloca"); /* slots on the way are gone */
	EXPECT(bench_remark(b, REMARK_PASSED, "the loop goes on and is left in one block"));
	bench_close(b);
}

TEST(structurizecfg, CFG_02_two_entries_get_one_header)
{
	static const char *const mode[] = {"reducible", "strict", "off"};
	for (u32 i = 0; i < PS_COUNT(mode); i++) {
		bool   changed;
		Bench *b = run_mode(a, TWO_ENTRIES, mode[i], &changed);
		EXPECT_EQ(changed, i < 2);
		EXPECT_EQ(reducible(b), i < 2);
		if (i < 2)
			EXPECT(bench_remark(b, REMARK_PASSED, "a cycle with 2 entries gets one header"));
		bench_close(b);
	}
}

/* Both ways of %a lead into the cycle or out of it; %e's two ways are one edge with a select. */
TEST(structurizecfg, a_branch_both_of_whose_ways_are_turned_selects)
{
	bool   changed;
	Bench *b = run_mode(a, TWO_ENTRIES, "reducible", &changed);
	EXPECT_HAS(bench_text(b), "select i1 %c, i32 0, i32 1");
	EXPECT_HAS(bench_text(b), "select i1 %c, i32 %n, i32 3"); /* one phi for %x and %y */
	EXPECT_EQ(str_count(bench_text(b), ".moved = phi"), 1);
	EXPECT_HASNT(bench_text(b), "irr.edge");
	bench_close(b);
}

TEST(structurizecfg, CFG_03_what_is_structured_stays)
{
	static const char *const mode[] = {"reducible", "strict", "off"};
	for (u32 i = 0; i < PS_COUNT(mode); i++) {
		bool   changed;
		Bench *b = bench_open(a, STRUCTURED);
		Str    before = bench_text(b);
		EXPECT(is_structured(&cfg_of(b)->graph, &b->scratch));
		bench_knob(b, "structurizecfg-mode", mode[i]);
		changed = bench_run(b, "structurizecfg");
		EXPECT(!changed);
		EXPECT_STREQ(bench_text(b), before);
		bench_close(b);
	}
}

TEST(structurizecfg, several_returns_become_one)
{
	bool   changed;
	Bench *b = run_mode(
		a, "define i32 @f(i1 %c, i32 %n) {\ne:\n  br i1 %c, label %x, label %y\nx:\n  ret i32 %n\ny:\n  ret i32 2\n}\n",
		"strict", &changed);
	EXPECT(changed);
	EXPECT_HAS(bench_text(b), "phi i32 [ %n, %x ], [ 2, %y ]");
	EXPECT_EQ(str_count(bench_text(b), "ret i32"), 1);
	bench_close(b);
}

/* The check that goes with it: machine code that was reducible may not stop being so. */
TEST(structurizecfg, PTXC_04_the_machine_verifier_sees_a_second_header)
{
	Session s;
	session_init(&s, 0);
	MirModule *m =
		mir_parse(&s,
	                  STR("---\nname: f\nregisters:\n  - { id: 0, class: int1regs }\nbody: |\n  bb.0:\n    successors: "
	                      "%bb.1, %bb.2\n    %0:int1regs = IMPLICIT_DEF\n    CBranch %0, %bb.2\n    GOTO_uni %bb.1\n"
	                      "  bb.1:\n    successors: %bb.3\n    GOTO_uni %bb.3\n  bb.2:\n    successors: %bb.1, %bb.3\n    "
	                      "CBranch %0, %bb.1\n    GOTO_uni %bb.3\n  bb.3:\n    Return\n...\n"),
	                  &(struct IrModule *){NULL});
	EXPECT(m && !s.diags.errors);
	if (!m)
		return;
	MirFunc *f = m->func.p[0];
	Text     errors;
	text_init(&errors, a);
	EXPECT(f->props & MP_REDUCIBLE);
	EXPECT(mir_verify(f, &errors));
	/* bb.1 goes on to bb.2, not to bb.3: both are headers of one cycle now. */
	MirBlockId b[4];
	u32        n = 0;
	mir_each_block(f, x)
		b[n++] = x;
	mir_edge_redirect(f, b[1], b[3], b[2]);
	mir_op_set_block(f, (MirInstId){mir_block(f, b[1])->last}, 0, b[2]);
	EXPECT(!mir_verify(f, &errors));
	EXPECT_HAS(text_str(&errors), "a cycle has several headers: the control flow was reducible before");
	session_free(&s);
}

UNIT_MAIN
