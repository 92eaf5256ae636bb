/* ipmsp-libnvvm: each behaviour by its id. */
#include "ir/text.h"
#include "irpass.h"
#include "irpass/ipmsp.h"

#define HEAD                                                                                                            \
	"target triple = \"nvptx64-nvidia-cuda\"\n@sh = internal addrspace(3) global [64 x i32] undef\n@gl = internal " \
	"addrspace(1) global [64 x i32] zeroinitializer\n"                                                              \
	"declare double @llvm.nvvm.wmma.m8n8k4.load.a.row.f64.p0(ptr)\ndeclare i32 @llvm.nvvm.ldu.global.i.i32.p0(ptr, i32)\n"
#define SH                 "ptr addrspacecast (ptr addrspace(3) @sh to ptr)"
#define GL                 "ptr addrspacecast (ptr addrspace(1) @gl to ptr)"
#define GET(linkage, name) "define " linkage " i32 @" name "(ptr %p) {\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n"

typedef struct Knobs {
	const char *name, *value;
} Knobs;

typedef struct Run {
	Bench  *b;
	Libnvvm v;
	bool    changed;
} Run;

static Run *run_with(Arena *a, const char *text, const Knobs *knobs)
{
	Run *r = arena_new(a, Run);
	r->b = bench_open(a, text);
	bench_knob(r->b, "dump-ip-msp", "1");
	for (; knobs && knobs->name; knobs++)
		bench_knob(r->b, knobs->name, knobs->value);
	libnvvm_init(&r->v, &r->b->manager.cx);
	r->changed = libnvvm_run(&r->v);
	u32 before = r->b->s.diags.errors;
	ir_verify(r->b->m);
	EXPECT_EQ(r->b->s.diags.errors, before);
	return r;
}

static Str text_of(const Run *r) { return bench_text(r->b); }
static Str dumped(const Run *r) { return text_str(&r->b->dump); }

#define PLAIN GET("internal", "f") "define void @k() {\n  call i32 @f(" SH ")\n  ret void\n}\n"

TEST(libnvvm, IPLIB_01_phases_and_levels)
{
	Run *r = run_with(a, HEAD PLAIN, NULL);
	EXPECT_HAS(text_of(r), "@f(ptr addrspace(3) %p)");
	EXPECT_EQ(r->v.stats.n_phases, 3);
	EXPECT_EQ(r->v.stats.phases[0], 'A');
	EXPECT_EQ(r->v.stats.phases[1], 'B');
	EXPECT_EQ(r->v.stats.phases[2], 'C');
	EXPECT_HAS(dumped(r), "phase A : level 4\n");
	EXPECT_HAS(dumped(r), "phase B : level 2\n");
	EXPECT_HAS(dumped(r), "phase C : level 2\n");
	bench_close(r->b);
}

#define LEVELS                                                                                                              \
	GET("internal", "own")                                                                                              \
	GET("", "seen")                                                                                                     \
	GET("internal", "taken")                                                                                            \
	"@tab = internal addrspace(1) global ptr @taken\n"                                                                  \
	"define internal void @f(ptr %p, i32 %n) {\n  call void @g(ptr %p, i32 %n)\n  ret "                                 \
	"void\n}\ndefine internal void @g(ptr %p, i32 %n) {\n  call void @f(ptr %p, i32 %n)\n "                             \
	" store i32 1, ptr %p\n  ret void\n}\n"                                                                             \
	"define void @k(i64 %i) {\n  %c = getelementptr i32, " SH ", i64 %i\n  call i32 @own(" SH ")\n  call i32 @seen(" SH \
	")\n  call i32 @taken(" SH ")\n  call void @f(" SH ", i32 3)\n  call i32 @own(ptr %c)\n"                            \
	"  %m = call double @llvm.nvvm.wmma.m8n8k4.load.a.row.f64.p0(" GL                                                   \
	")\n  %l = call i32 @llvm.nvvm.ldu.global.i.i32.p0(" GL ", i32 4)\n  ret void\n}\n"

TEST(libnvvm, levels_of_the_phases)
{
	static const struct {
		const char *knob, *level, *has, *hasnt;
	} row[] = {
		{"ipmsp-libnvvm-collect", "0", "@own(ptr %p)", "addrspace(3) %p"},
		{"ipmsp-libnvvm-collect", "1", "@own(ptr addrspace(3) %p)", "@seen.ipmsp"},
		{"ipmsp-libnvvm-collect", "2", "@seen.ipmsp(ptr addrspace(3) %p)", "@taken.ipmsp"},
		{"ipmsp-libnvvm-collect", "3", "@taken.ipmsp(ptr addrspace(3) %p)", "@f(ptr addrspace(3) %p"},
		{"ipmsp-libnvvm-collect", "4", "@f(ptr addrspace(3) %p", "@f(ptr %p"},
		{"ipmsp-libnvvm-resolve", "0", "@own(ptr %p)", "addrspace(3) %p"},
		{"ipmsp-libnvvm-resolve", "1", "@seen.ipmsp(ptr addrspace(3) %p)", "@own(ptr addrspace(3) %p)"},
		{"ipmsp-libnvvm-resolve", "2", "@own(ptr addrspace(3) %p)", "@own(ptr %p)"},
		{"ipmsp-libnvvm-matrix", "0", "load.a.row.f64.p0(" GL ")", "call i32 @llvm.nvvm.ldu.global.i.i32.p1"},
		{"ipmsp-libnvvm-matrix", "1", "load.a.row.f64.p1(ptr addrspace(1) @gl)",
	         "call i32 @llvm.nvvm.ldu.global.i.i32.p1"},
		{"ipmsp-libnvvm-matrix", "2", "ldu.global.i.i32.p1(ptr addrspace(1) @gl", "load.a.row.f64.p0(" GL},
	};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		Knobs k[] = {{row[i].knob, row[i].level}, {"ipmsp-clone-groups", "0"}, {NULL, NULL}};
		Run  *r = run_with(a, HEAD LEVELS, k);
		EXPECT_HAS(text_of(r), row[i].has);
		EXPECT_HASNT(text_of(r), row[i].hasnt);
		bench_close(r->b);
	}
}

static const char *many_calls(Arena *a, u32 n)
{
	Text t;
	text_init(&t, a);
	text_s(&t, HEAD GET("internal", "f") "define void @k() {\n");
	for (u32 i = 0; i < n; i++)
		text_s(&t, "  call i32 @f(" SH ")\n");
	text_s(&t, "  ret void\n}\n");
	text_c(&t, 0);
	return t.p;
}

/* A loop that steps on n pointers, and passes the last one on. */
static const char *stepping(Arena *a, u32 n)
{
	Text t;
	text_init(&t, a);
	text_s(&t, HEAD GET("internal", "f") "define void @steps(i1 %c) {\ne:\n  br label %l\nl:\n");
	for (u32 i = 0; i < n; i++)
		text_f(&t, "  %%p%u = phi ptr [ addrspacecast (ptr addrspace(3) @sh to ptr), %%e ], [ %%q%u, %%l ]\n", i, i);
	for (u32 i = 0; i < n; i++)
		text_f(&t, "  %%q%u = getelementptr i32, ptr %%p%u, i64 1\n", i, i);
	text_f(&t, "  call i32 @f(ptr %%q%u)\n  br i1 %%c, label %%l, label %%x\nx:\n  ret void\n}\n", n - 1);
	text_c(&t, 0);
	return t.p;
}

TEST(libnvvm, IPLIB_02_limits)
{
	Run *r = run_with(a, many_calls(a, 500), NULL);
	EXPECT_HAS(text_of(r), "@f(ptr addrspace(3) %p)");
	EXPECT_EQ(r->v.stats.left_out, 0);
	bench_close(r->b);
	r = run_with(a, many_calls(a, 501), NULL);
	EXPECT_HAS(text_of(r), "@f(ptr %p)");
	EXPECT_EQ(r->v.stats.left_out, 1);
	EXPECT(bench_remark(r->b, REMARK_MISSED, "'f' has 501 call sites: ipmsp-libnvvm-call-sites allows 500"));
	bench_close(r->b);
	for (u32 n = 5; n <= 6; n++) {
		r = run_with(a, stepping(a, n), NULL);
		EXPECT_HAS(text_of(r), "@f(ptr addrspace(3) %p)"); /* what it finds is the same */
		EXPECT_EQ(r->v.stats.deeper, n == 6);
		EXPECT_EQ(r->v.p.stats.inferred, n == 6 ? 7 : 1); /* each pointer once, and then what is passed */
		bench_close(r->b);
	}
}

TEST(libnvvm, IPLIB_03_loop_message)
{
	Knobs k[] = {{"dump-ip-msp-loops", "1"}, {NULL, NULL}};
	Run  *r = run_with(a, stepping(a, 3), k);
	EXPECT_HAS(dumped(r), "phi maxLoopInd = 3: Function steps\n");
	EXPECT_HAS(dumped(r), "phi maxLoopInd = 0: Function f\n");
	bench_close(r->b);
	r = run_with(a, stepping(a, 3), NULL);
	EXPECT_HASNT(dumped(r), "maxLoopInd");
	bench_close(r->b);
}

#define DISAGREE(unknown)                                                                           \
	GET("internal", "f")                                                                        \
	"define void @k(ptr %u) {\n  call i32 @f(" SH ")\n  call i32 @f(" GL ")\n" unknown "  ret " \
	"void\n}\n"

TEST(libnvvm, IPLIB_04_smallest_of_what_is_proven)
{
	Knobs off[] = {{"ipmsp-clone-groups", "0"}, {NULL, NULL}};
	Knobs on[] = {{"ipmsp-clone-groups", "0"}, {"ipmsp-libnvvm-smallest", "1"}, {NULL, NULL}};
	Run  *r = run_with(a, HEAD DISAGREE(""), off);
	EXPECT_HAS(text_of(r), "@f(ptr %p)");
	EXPECT_HASNT(text_of(r), "ipmsp");
	bench_close(r->b);
	/* The space of the smallest number is chosen for those calls that do pass it. */
	r = run_with(a, HEAD DISAGREE("  call i32 @f(ptr %u)\n"), on);
	EXPECT_HAS(text_of(r), "call i32 @f.ipmsp(ptr addrspace(1) @gl)");
	EXPECT_HAS(text_of(r), "call i32 @f(" SH ")");
	EXPECT_HAS(text_of(r), "call i32 @f(ptr %u)");
	bench_close(r->b);
}

TEST(libnvvm, IPLIB_05_phase_c_runs_twice)
{
	Run *r = run_with(a,
	                  HEAD "define void @k() {\n  %l = call i32 @llvm.nvvm.ldu.global.i.i32.p0(" GL
	                       ", i32 4)\n  %m = call double @llvm.nvvm.wmma.m8n8k4.load.a.row.f64.p0(" GL ")\n  ret void\n}\n",
	                  NULL);
	EXPECT_EQ(r->v.stats.n_modes, 2);
	EXPECT_EQ(r->v.stats.modes[0], 1);
	EXPECT_EQ(r->v.stats.modes[1], 0);
	EXPECT_HAS(text_of(r), "load.a.row.f64.p1(ptr addrspace(1) @gl)");
	EXPECT_HAS(text_of(r), "ldu.global.i.i32.p1(ptr addrspace(1) @gl");
	/* The operand of the tensor cores was first. */
	u32 wmma = 0, ldu = 0;
	for (u32 i = 0; i < r->b->trace.remarks.n; i++) {
		if (str_has(r->b->trace.remarks.p[i].message, "wmma"))
			wmma = i + 1;
		if (str_has(r->b->trace.remarks.p[i].message, "ldu"))
			ldu = i + 1;
	}
	EXPECT(wmma && ldu && wmma < ldu);
	bench_close(r->b);
}

TEST(libnvvm, IPLIB_07_before_and_after)
{
	Knobs k[] = {{"ipmsp-libnvvm-pre-post", "1"}, {NULL, NULL}};
	Run  *r = run_with(a, HEAD PLAIN, k);
	EXPECT_EQ(r->v.stats.hooks, 2);
	EXPECT_HAS(dumped(r), "before : 1 generic arguments, 1 generic accesses\n");
	EXPECT_HAS(dumped(r), "after : 0 generic arguments, 1 generic accesses\n"); /* the access is infer-address-spaces' part */
	bench_close(r->b);
	r = run_with(a, HEAD PLAIN, NULL);
	EXPECT_EQ(r->v.stats.hooks, 0);
	bench_close(r->b);
}

/* ---- the same narrowing ---- */

#define RECURSIVE(l)                                                                                                          \
	"define " l " i32 @f(ptr %p, i32 %n) {\n  %v = call i32 @g(ptr %p, i32 %n)\n  ret i32 %v\n}\n"                        \
	"define internal i32 @g(ptr %p, i32 %n) {\n  %c = icmp eq i32 %n, 0\n  br i1 %c, label %e, label %r\nr:\n  %m = sub " \
	"i32 %n, 1\n"                                                                                                         \
	"  %v = call i32 @f(ptr %p, i32 %m)\n  ret i32 %v\ne:\n  %w = load i32, ptr %p\n  ret i32 %w\n}\n"

static const char *const common[] = {
	HEAD PLAIN,
	HEAD DISAGREE(""),
	HEAD DISAGREE("  call i32 @f(ptr %u)\n"),
	HEAD GET("", "f") "define void @k() {\n  call i32 @f(" GL ")\n  ret void\n}\n",
	HEAD GET("internal", "c") "define internal i32 @b(ptr %p) {\n  %v = call i32 @c(ptr %p)\n  ret i32 %v\n}\n"
				  "define internal i32 @a(ptr %p) {\n  %v = call i32 @b(ptr %p)\n  ret i32 %v\n}\ndefine void "
				  "@k() {\n  call i32 @a(" SH ")\n  call i32 @a(" GL ")\n  ret void\n}\n",
	HEAD RECURSIVE("internal") "define void @k() {\n  call i32 @f(" SH ", i32 3)\n  ret void\n}\n",
	HEAD RECURSIVE("") "define void @k() {\n  call i32 @f(" SH ", i32 3)\n  call i32 @g(" GL ", i32 3)\n  ret void\n}\n",
	HEAD "define internal ptr @f(i64 %i) {\n  %p = getelementptr i32, " SH ", i64 %i\n  ret ptr %p\n}\n" GET(
		"internal", "g") "define void @k() {\n  %x = call ptr @f(i64 1)\n  call i32 @g(ptr %x)\n  ret void\n}\n",
	HEAD GET("internal", "f") "@tab = internal addrspace(1) global ptr @f\ndefine void @k() {\n  call i32 @f(" GL
				  ")\n  ret void\n}\n",
	HEAD LEVELS,
};

/* The narrowed signatures, whatever the clones are called and wherever they stand: a sum over lines. */
static u64 signatures(Bench *b, u32 *n)
{
	u64 sum = 0;
	ir_each_func(b->m, f) {
		Str  name = ir_str(b->m, ir_global(b->m, f->ref)->name);
		Text t;
		text_init(&t, &b->s.arena);
		for (u32 i = 0; i < name.n && name.p[i] != '.'; i++)
			text_c(&t, name.p[i]);
		for (u32 i = 0; i < f->n_args; i++)
			ir_print_type(&t, b->m, ir_type_of(b->m, ir_func_arg(f, i)));
		if (ir_is_decl(f))
			continue;
		u64 h = 1469598103934665603u;
		for (u32 i = 0; i < t.n; i++)
			h = (h ^ (u8)t.p[i]) * 1099511628211u;
		sum += h;
		++*n;
	}
	return sum;
}

TEST(libnvvm, IPLIB_08_both_variants_narrow_the_same)
{
	for (u32 i = 0; i < PS_COUNT(common); i++) {
		u32    n[2] = {0};
		Bench *x = bench_open(a, common[i]), *y = bench_open(a, common[i]);
		bench_run(x, "ipmsp");
		bench_knob(y, "ipmsp-variant", "libnvvm");
		EXPECT(!bench_run(y, "ipmsp")); /* one of the two at a time */
		bench_run(y, "ipmsp-libnvvm");
		u64 one = signatures(x, &n[0]), other = signatures(y, &n[1]);
		EXPECT_EQ(one, other);
		EXPECT_EQ(n[0], n[1]);
		if (one != other)
			printf("# of case %u\n", i);
		bench_close(x);
		bench_close(y);
	}
}

TEST(libnvvm, plain_knobs_are_this_variant_s)
{
	static const struct {
		const char *knob, *body;
	} row[] = {
		{"track-indir-load", "define void @k() {\n  %s = alloca ptr\n  store " SH
	                             ", ptr %s\n  %p = load ptr, ptr %s\n  call i32 @f(ptr %p)\n  ret void\n}\n"},
		{"track-int2ptr", "define void @k() {\n  %i = ptrtoint " SH
	                          " to i64\n  %p = inttoptr i64 %i to ptr\n  call i32 @f(ptr %p)\n  ret void\n}\n"},
		{"param-always-point-to-global", "define ptx_kernel void @k(ptr %p) {\n  call i32 @f(ptr %p)\n  ret void\n}\n"},
		{"strong-global-assumptions", "@t = external addrspace(4) constant ptr\ndefine void @k() {\n  %p = load ptr, ptr "
	                                      "addrspace(4) @t\n  call i32 @f(ptr %p)\n  ret void\n}\n"},
		{"wmma-memory-space-opt",
	         "define void @k() {\n  call i32 @f(ptr undef)\n  %m = call double @llvm.nvvm.wmma.m8n8k4.load.a.row.f64.p0(" GL
	         ")\n  ret void\n}\n"},
	};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		Str text = arena_fmt(a, "%s%s", HEAD GET("internal", "f"), row[i].body);
		Str out[4];
		/* The plain knob changes what this variant does and not what the other does; the ias- one the other way round. */
		for (u32 k = 0; k < 4; k++) {
			Bench *b = bench_open(a, text.p);
			bool   lib = k & 1;
			bench_knob(b, "ipmsp-variant", lib ? "libnvvm" : "new-pm");
			bench_knob(b, k & 2 ? arena_fmt(a, "ias-%s", row[i].knob).p : row[i].knob, "0");
			bench_run(b, lib ? "ipmsp-libnvvm" : "ipmsp");
			out[k] = arena_str(a, bench_text(b));
			bench_close(b);
		}
		EXPECT(!str_eq(out[0], out[1]));
		EXPECT(!str_eq(out[2], out[3]));
		EXPECT_STREQ(out[0], out[3]);
		EXPECT_STREQ(out[1], out[2]);
	}
}

UNIT_MAIN
