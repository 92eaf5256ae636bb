/* ipmsp: each behaviour by its id. */
#include "irpass/ipmsp.h"
#include "irpass.h"

#define HEAD                                                                                                            \
	"target triple = \"nvptx64-nvidia-cuda\"\n@sh = internal addrspace(3) global [64 x i32] undef\n@gl = internal " \
	"addrspace(1) global [64 x i32] zeroinitializer\n@co = internal addrspace(4) constant [4 x i32] zeroinitializer\n"
#define SH                 "ptr addrspacecast (ptr addrspace(3) @sh to ptr)"
#define GL                 "ptr addrspacecast (ptr addrspace(1) @gl to ptr)"
#define GET(linkage, name) "define " linkage " i32 @" name "(ptr %p) {\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n"

static Bench *ran(Arena *a, const char *text)
{
	Bench *b = bench_open(a, text);
	bench_knob(b, "dump-ip-msp", "1");
	bench_run(b, "ipmsp");
	return b;
}

/* As the documents have it: where calls disagree the argument stays generic. */
static Bench *ran_without_groups(Arena *a, const char *text)
{
	Bench *b = bench_open(a, text);
	bench_knob(b, "dump-ip-msp", "1");
	bench_knob(b, "ipmsp-clone-groups", "0");
	bench_run(b, "ipmsp");
	return b;
}

static Str dumped(Bench *b) { return text_str(&b->dump); }

TEST(ipmsp, IPMSP_01_internal_function_is_narrowed_in_place)
{
	Bench *b = ran(a, HEAD GET("internal", "f") "define void @k(ptr %o) {\n  %x = call i32 @f(" SH ")\n  %y = call i32 @f(" SH
	                                            ")\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "define internal i32 @f(ptr addrspace(3) %p)");
	EXPECT_HAS(bench_text(b), "call i32 @f(ptr addrspace(3) @sh)");
	bench_run(b, "infer-address-spaces");
	EXPECT_HAS(bench_text(b), "load i32, ptr addrspace(3) %p");
	EXPECT(bench_remark(b, REMARK_PASSED, "argument 0 of 'f' points to address space 3"));
	bench_close(b);
}

TEST(ipmsp, IPMSP_02_external_function_is_cloned)
{
	Bench *b = ran(a, HEAD GET("", "f") "define void @k() {\n  %x = call i32 @f(" GL ")\n  %y = call i32 @f(" GL
	                                    ")\n  ret void\n}\n");
	Str    t = bench_text(b);
	EXPECT_HAS(t, "define i32 @f(ptr %p)");
	EXPECT_HAS(t, "define internal i32 @f.ipmsp(ptr addrspace(1) %p)");
	EXPECT_EQ(str_count(t, "call i32 @f.ipmsp(ptr addrspace(1) @gl)"), 2);
	bench_close(b);
}

TEST(ipmsp, IPMSP_03_disagreement_stays_generic)
{
	Bench *b = ran_without_groups(a, HEAD GET("internal", "f") "define void @k() {\n  %x = call i32 @f(" GL
	                                                           ")\n  %y = call i32 @f(" SH ")\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "define internal i32 @f(ptr %p)");
	EXPECT(bench_remark(b, REMARK_MISSED, "calls pass address spaces 1 and 3") ||
	       bench_remark(b, REMARK_MISSED, "calls pass address spaces 3 and 1"));
	bench_close(b);
}

#define TWO "define internal void @f(ptr %p, ptr %q) {\n  %v = load i32, ptr %p\n  store i32 %v, ptr %q\n  ret void\n}\n"

TEST(ipmsp, IPMSP_04_one_argument_agrees)
{
	Bench *b = ran_without_groups(a, HEAD TWO "define void @k() {\n  call void @f(" GL ", " GL ")\n  call void @f(" GL ", " SH
	                                          ")\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "define internal void @f(ptr addrspace(1) %p, ptr %q)");
	bench_close(b);
}

TEST(ipmsp, IPMSP_05_not_eligible)
{
	Bench *b = bench_open(a, HEAD "declare i32 @decl(ptr)\n" GET("available_externally", "ae") GET("weak", "wk")
	                                 GET("linkonce", "lo") GET("internal", "unused")
	                                         GET("internal", "used") "define void @k() {\n  call i32 @decl(" GL
	                                                                 ")\n  call i32 @ae(" GL ")\n  call i32 @wk(" GL ")\n"
	                                                                 "  call i32 @lo(" GL ")\n  call i32 @used(" GL
	                                                                 ")\n  ret void\n}\n");
	Ipmsp  p;
	ipmsp_init(&p, &b->manager.cx, space_rules_ias(&b->s));
	ir_each_func(b->m, f) {
		Str name = ir_str(b->m, ir_global(b->m, f->ref)->name);
		EXPECT_EQ(ipmsp_should_process(&p, f), str_is(name, "used"));
	}
	bench_close(b);
}

TEST(ipmsp, IPMSP_06_pointer_return_alone_is_eligible)
{
	Bench *b =
		bench_open(a, HEAD "define internal ptr @f(i32 %i) {\n  ret " SH
	                           "\n}\ndefine void @k() {\n  %x = call ptr @f(i32 1)\n  store i32 0, ptr %x\n  ret void\n}\n");
	Ipmsp p;
	ipmsp_init(&p, &b->manager.cx, space_rules_ias(&b->s));
	EXPECT(ipmsp_should_process(&p, ir_func(b->m, ir_find_global(b->m, STR("f")))));
	bench_close(b);
}

TEST(ipmsp, IPMSP_07_work_list_message)
{
	const char *text = HEAD GET("internal", "f") GET("internal", "g") "define void @k() {\n  call i32 @f(" GL
									  ")\n  call i32 @g(" GL ")\n  ret void\n}\n";
	Bench *b = ran(a, text);
	EXPECT_HAS(dumped(b), "Initial work list size : 2\n");
	bench_close(b);
	b = bench_open(a, text);
	bench_run(b, "ipmsp");
	EXPECT_EQ(dumped(b).n, 0);
	bench_close(b);
}

TEST(ipmsp, IPMSP_08_argument_message)
{
	Bench *b = ran(a, HEAD TWO "define void @k() {\n  call void @f(" GL ", " SH ")\n  ret void\n}\n");
	EXPECT_HAS(dumped(b), "f : changed in argument memory space (2 arguments)\n");
	bench_close(b);
}

TEST(ipmsp, IPMSP_09_clone_message)
{
	Bench *b = ran(a, HEAD GET("", "f") "define void @k() {\n  call i32 @f(" GL ")\n  ret void\n}\n");
	EXPECT_HAS(dumped(b), "f is cloned\n");
	bench_close(b);
}

TEST(ipmsp, IPMSP_10_nothing_to_clone_for)
{
	Bench *b = ran(a, HEAD GET("", "f") "define void @k(ptr %p) {\n  call i32 @f(ptr %p)\n  ret void\n}\n");
	EXPECT_HAS(dumped(b), "avoid cloning of f\n");
	EXPECT_HASNT(dumped(b), "is cloned");
	bench_close(b);
}

#define CHAIN                                                                             \
	GET("internal", "c")                                                              \
	"define internal i32 @b(ptr %p) {\n  %v = call i32 @c(ptr %p)\n  ret i32 %v\n}\n" \
	"define internal i32 @a(ptr %p) {\n  %v = call i32 @b(ptr %p)\n  ret i32 %v\n}\n"

TEST(ipmsp, IPMSP_11_callees_message)
{
	Bench *b = ran(a, HEAD CHAIN "define void @k() {\n  call i32 @a(" SH ")\n  ret void\n}\n");
	EXPECT_HAS(dumped(b), "1 callees are affected\n");
	EXPECT_HAS(dumped(b), "0 callees are affected\n");
	bench_close(b);
}

#define RETURNS                                                                                         \
	"define internal ptr @f(i64 %i) {\n  %p = getelementptr i32, " SH ", i64 %i\n  ret ptr %p\n}\n" \
	"define void @k() {\n  %x = call ptr @f(i64 1)\n  store i32 0, ptr %x\n  ret void\n}\n"

TEST(ipmsp, IPMSP_12_return_message)
{
	Bench *b = ran(a, HEAD RETURNS);
	EXPECT_HAS(dumped(b), "f : return memory space is resolved : 3\n");
	bench_close(b);
}

TEST(ipmsp, IPMSP_13_chains_resolve)
{
	Bench *b = ran(a, HEAD CHAIN "define void @k() {\n  call i32 @a(" SH ")\n  ret void\n}\n");
	Str    t = bench_text(b);
	EXPECT_HAS(t, "@a(ptr addrspace(3) %p)");
	EXPECT_HAS(t, "@b(ptr addrspace(3) %p)");
	EXPECT_HAS(t, "@c(ptr addrspace(3) %p)");
	bench_close(b);
}

TEST(ipmsp, IPMSP_14_returns_reach_callers)
{
	Bench *b = ran(a, HEAD RETURNS);
	bench_run(b, "infer-address-spaces");
	EXPECT_HAS(bench_text(b), "store i32 0, ptr addrspace(3)");
	bench_close(b);
	b = ran(a, HEAD "define internal ptr @f(i1 %c) {\n  br i1 %c, label %x, label %y\nx:\n  ret " SH "\ny:\n  ret " GL "\n}\n"
	                "define void @k() {\n  %x = call ptr @f(i1 1)\n  store i32 0, ptr %x\n  ret void\n}\n");
	EXPECT_HASNT(dumped(b), "return memory space");
	EXPECT(bench_remark(b, REMARK_MISSED, "what 'f' returns stays generic: it returns address spaces 3 and 1"));
	bench_close(b);
}

TEST(ipmsp, IPMSP_15_self_recursion_passes_through)
{
	Bench *b = ran(a, HEAD
	               "define internal i32 @f(ptr %p, i32 %n) {\n  %c = icmp eq i32 %n, 0\n  br i1 %c, label %e, label %r\nr:\n"
	               "  %q = getelementptr i32, ptr %p, i64 1\n  %m = sub i32 %n, 1\n  %v = call i32 @f(ptr %q, i32 %m)\n  ret "
	               "i32 %v\n"
	               "e:\n  %w = load i32, ptr %p\n  ret i32 %w\n}\ndefine void @k() {\n  call i32 @f(" GL
	               ", i32 3)\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "define internal i32 @f(ptr addrspace(1) %p, i32 %n)");
	bench_close(b);
}

#define MUTUAL(l)                                                                                                             \
	"define " l " i32 @f(ptr %p, i32 %n) {\n  %v = call i32 @g(ptr %p, i32 %n)\n  ret i32 %v\n}\n"                        \
	"define internal i32 @g(ptr %p, i32 %n) {\n  %c = icmp eq i32 %n, 0\n  br i1 %c, label %e, label %r\nr:\n  %m = sub " \
	"i32 %n, 1\n"                                                                                                         \
	"  %v = call i32 @f(ptr %p, i32 %m)\n  ret i32 %v\ne:\n  %w = load i32, ptr %p\n  ret i32 %w\n}\n"

TEST(ipmsp, IPMSP_16_mutual_recursion)
{
	Bench *b = ran(a, HEAD MUTUAL("internal") "define void @k() {\n  call i32 @f(" SH ", i32 3)\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "@f(ptr addrspace(3) %p, i32 %n)");
	EXPECT_HAS(bench_text(b), "@g(ptr addrspace(3) %p, i32 %n)");
	bench_close(b);
	b = ran_without_groups(a, HEAD MUTUAL("internal") "define void @k() {\n  call i32 @f(" SH ", i32 3)\n  call i32 @g(" GL
	                                                  ", i32 3)\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "@f(ptr %p, i32 %n)");
	EXPECT_HAS(bench_text(b), "@g(ptr %p, i32 %n)");
	bench_close(b);
}

#define THREE                \
	GET("", "f")         \
	GET("", "g")         \
	GET("internal", "h") \
	"define void @k() {\n  call i32 @f(" GL ")\n  call i32 @g(" GL ")\n  call i32 @h(" GL ")\n  ret void\n}\n"

#define THREE                \
	GET("", "f")         \
	GET("", "g")         \
	GET("internal", "h") \
	"define void @k() {\n  call i32 @f(" GL ")\n  call i32 @g(" GL ")\n  call i32 @h(" GL ")\n  ret void\n}\n"

TEST(ipmsp, IPMSP_17_clone_limit)
{
	static const struct {
		const char *limit;
		u32         clones;
	} row[] = {{"0", 0}, {"1", 1}, {"2", 2}, {"-1", 2}};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		Bench *b = bench_open(a, HEAD THREE);
		bench_knob(b, "dump-ip-msp", "1");
		bench_knob(b, "do-clone-for-ip-msp", row[i].limit);
		bench_run(b, "ipmsp");
		EXPECT_EQ(str_count(dumped(b), " is cloned"), row[i].clones);
		EXPECT_EQ(str_count(dumped(b), "avoid cloning of"), 2 - row[i].clones);
		EXPECT_HAS(bench_text(b), "@h(ptr addrspace(1) %p)");
		bench_close(b);
	}
}

TEST(ipmsp, IPMSP_18_clone_has_internal_linkage_and_entry_casts)
{
	Bench *b = ran(a, HEAD GET("", "f") "define void @k() {\n  call i32 @f(" GL ")\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b),
	           "define internal i32 @f.ipmsp(ptr addrspace(1) %p) {\n  %p.gen = addrspacecast ptr addrspace(1) %p to ptr\n");
	bench_run(b, "infer-address-spaces");
	EXPECT_HASNT(bench_text(b), "addrspacecast ptr addrspace(1) %p");
	bench_close(b);
}

TEST(ipmsp, IPMSP_19_calls_that_do_not_match_keep_the_original)
{
	/* The original's call to itself passes what its own callers pass. */
	Bench *b = ran(a, HEAD "define i32 @f(ptr %p, i32 %n) {\n  %v = call i32 @f(ptr %p, i32 %n)\n  ret i32 %v\n}\n"
	                       "define void @k() {\n  call i32 @f(" GL ", i32 3)\n  ret void\n}\n");
	Str    t = bench_text(b);
	EXPECT_HAS(t, "call i32 @f(ptr %p, i32 %n)");
	EXPECT_HAS(t, "call i32 @f.ipmsp(ptr addrspace(1) @gl, i32 3)");
	EXPECT_HAS(t, "call i32 @f.ipmsp(ptr addrspace(1) %p, i32 %n)");
	bench_close(b);
}

TEST(ipmsp, IPMSP_20_address_taken_is_not_narrowed_in_place)
{
	Bench *b = ran(
		a, HEAD GET("internal", "f") "@tab = internal addrspace(1) global ptr @f\ndefine void @k() {\n  call i32 @f(" GL
					     ")\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "define internal i32 @f(ptr %p)");
	EXPECT_HAS(bench_text(b), "call i32 @f.ipmsp(ptr addrspace(1) @gl)");
	bench_close(b);
}

TEST(ipmsp, IPMSP_21_kernels_keep_their_signature)
{
	Bench *b = ran(a, HEAD "define ptx_kernel void @f(ptr %p) {\n  store i32 0, ptr %p\n  ret void\n}\n@tab = internal "
	                       "addrspace(1) global ptr @f\n");
	EXPECT_HAS(bench_text(b), "@f(ptr %p)");
	EXPECT_HAS(dumped(b), "Initial work list size : 0");
	bench_close(b);
}

TEST(ipmsp, IPMSP_22_switched_off)
{
	static const char *const off[][2] = {{"do-ip-msp", "0"}, {"emit-optix-ir", "1"}, {"disable-MemorySpaceOptPass", "1"}};
	for (u32 i = 0; i < PS_COUNT(off); i++) {
		Bench *b = bench_open(a, HEAD CHAIN "define void @k() {\n  call i32 @a(" SH ")\n  ret void\n}\n");
		Str    before = bench_text(b);
		bench_knob(b, off[i][0], off[i][1]);
		EXPECT(!bench_run(b, "ipmsp"));
		EXPECT_STREQ(bench_text(b), before);
		bench_close(b);
	}
}

TEST(ipmsp, IPMSP_23_states_of_arguments)
{
	Bench *b = bench_open(a, HEAD "define internal void @f(ptr %none, ptr %one, ptr %two, ptr %bad, i32 %int, ptr "
	                              "addrspace(1) %done) {\n  ret void\n}\n"
	                              "define void @k(ptr %u) {\n  call void @f(ptr undef, " GL ", " SH ", " SH
	                              ", i32 1, ptr addrspace(1) @gl)\n"
	                              "  call void @f(ptr undef, ptr undef, " SH ", " GL
	                              ", i32 1, ptr addrspace(1) @gl)\n  ret void\n}\n");
	Ipmsp  p;
	u32    s[6];
	ipmsp_init(&p, &b->manager.cx, space_rules_ias(&b->s));
	EXPECT_EQ(ipmsp_analyze(&p, ir_func(b->m, ir_find_global(b->m, STR("f"))), s), 2);
	EXPECT_EQ(s[0], SPACE_UNSEEN);
	EXPECT_EQ(s[1], 1);
	EXPECT_EQ(s[2], 3);
	EXPECT_EQ(s[3], SPACE_SKIP);
	EXPECT_EQ(s[4], SPACE_SKIP);
	EXPECT_EQ(s[5], SPACE_SKIP);
	EXPECT_EQ(SPACE_UNSEEN, 1000);
	EXPECT_EQ(SPACE_SKIP, 2000);
	bench_close(b);
}

TEST(ipmsp, IPMSP_24_work_list_is_a_stack_in_pages_of_64)
{
	WorkList w = {.arena = a};
	for (u32 i = 1; i <= 64; i++)
		work_push(&w, i);
	EXPECT_EQ(work_pages(&w), 1);
	EXPECT_EQ(w.page.n, 1);
	work_push(&w, 65);
	EXPECT_EQ(work_pages(&w), 2);
	EXPECT_EQ(w.page.n, 2);
	for (u32 i = 65; i > 0; i--)
		EXPECT_EQ(work_pop(&w), i);
}

TEST(ipmsp, IPMSP_25_linkages)
{
	static const bool want[IRL_COUNT] = {
		[IRL_EXTERNAL] = true,     [IRL_PRIVATE] = true,  [IRL_INTERNAL] = true,
		[IRL_LINKONCE_ODR] = true, [IRL_WEAK_ODR] = true,
	};
	for (u32 l = 0; l < IRL_COUNT; l++)
		EXPECT_EQ(ipmsp_linkage_allows((IrLinkage)l), want[l]);
}

TEST(ipmsp, IPMSP_26_argument_without_call_site)
{
	/* Used, but not called. */
	Bench *b = ran(a, HEAD GET("internal", "f") "@tab = internal addrspace(1) global ptr @f\n");
	EXPECT_HAS(bench_text(b), "define internal i32 @f(ptr %p)");
	EXPECT_HASNT(dumped(b), "changed in argument");
	bench_close(b);
}

TEST(ipmsp, IPMSP_27_second_query_hits_the_cache)
{
	Bench *b = bench_open(
		a, HEAD GET("internal", "f")
			   GET("internal", "g") "define void @k(i64 %i) {\n  %p = getelementptr i32, " SH
						", i64 %i\n  call i32 @f(ptr %p)\n  call i32 @g(ptr %p)\n  ret void\n}\n");
	Ipmsp p;
	ipmsp_init(&p, &b->manager.cx, space_rules_ias(&b->s));
	EXPECT(ipmsp_run(&p));
	EXPECT_EQ(p.stats.inferred, 1);
	EXPECT_EQ(p.stats.cache_hits, 1);
	bench_close(b);
}

TEST(ipmsp, IPMSP_29_same_module_same_result)
{
	Bench *x = ran(a, HEAD THREE CHAIN), *y = ran(a, HEAD THREE CHAIN);
	EXPECT_STREQ(bench_text(x), bench_text(y));
	EXPECT_STREQ(dumped(x), dumped(y));
	bench_close(x);
	bench_close(y);
}

TEST(ipmsp, IPMSP_31_all_spaces)
{
	static const char *const space[] = {"1", "3", "4", "5", "101", "7"};
	for (u32 i = 0; i < PS_COUNT(space); i++) {
		Text t;
		text_init(&t, a);
		text_s(&t, GET("internal", "f"));
		text_f(&t,
		       "define void @k(ptr addrspace(%s) %%q) {\n  %%g = addrspacecast ptr addrspace(%s) %%q to ptr\n  call i32 "
		       "@f(ptr %%g)\n  ret void\n}\n",
		       space[i], space[i]);
		text_c(&t, 0);
		Bench *b = ran(a, t.p);
		Str    want = arena_fmt(a, "define internal i32 @f(ptr addrspace(%s) %%p)", space[i]);
		EXPECT_HAS(bench_text(b), want.p);
		EXPECT_HAS(bench_text(b), "call i32 @f(ptr addrspace(");
		bench_close(b);
	}
}

#define INDIRECT                                             \
	GET("internal", "f")                                 \
	"define void @k() {\n  %s = alloca ptr\n  store " SH \
	", ptr %s\n  %p = load ptr, ptr %s\n  call i32 @f(ptr %p)\n  ret void\n}\n"

TEST(ipmsp, IPMSP_32_ias_knobs_are_this_variant_s)
{
	Bench *b = ran(a, HEAD INDIRECT);
	EXPECT_HAS(bench_text(b), "@f(ptr addrspace(3) %p)");
	bench_close(b);
	b = bench_open(a, HEAD INDIRECT);
	bench_knob(b, "ias-track-indir-load", "0");
	bench_run(b, "ipmsp");
	EXPECT_HAS(bench_text(b), "@f(ptr %p)");
	bench_close(b);
	b = bench_open(a, HEAD INDIRECT);
	bench_knob(b, "track-indir-load", "0");
	bench_run(b, "ipmsp");
	EXPECT_HAS(bench_text(b), "@f(ptr addrspace(3) %p)");
	bench_close(b);
}

#define DISAGREE                                                                                                   \
	GET("internal", "f")                                                                                       \
	"define void @k(ptr %u) {\n  %x = call i32 @f(" GL ")\n  %y = call i32 @f(" SH ")\n  %z = call i32 @f(" GL \
	")\n  ret void\n}\n"

TEST(ipmsp, groups_get_a_clone_each)
{
	Bench *b = ran(a, HEAD DISAGREE);
	Str    t = bench_text(b);
	EXPECT_EQ(str_count(t, "call i32 @f.ipmsp(ptr addrspace(1) @gl)"), 2);
	EXPECT_EQ(str_count(t, "call i32 @f.ipmsp.1(ptr addrspace(3) @sh)"), 1);
	EXPECT_HASNT(t, "@f(");
	EXPECT_EQ(str_count(dumped(b), "f is cloned\n"), 2);
	EXPECT(bench_remark(b, REMARK_PASSED,
	                    "argument 0 of 'f' points to address space 3: in a clone for the calls that agree"));
	EXPECT(bench_remark(b, REMARK_PASSED, "'f' is removed: its clones serve all its calls"));
	bench_close(b);
}

TEST(ipmsp, groups_leave_the_original_to_others)
{
	Bench *b = ran(a, HEAD GET("internal", "f") "define void @k(ptr %u) {\n  %x = call i32 @f(" GL
	                                            ")\n  %y = call i32 @f(ptr %u)\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "call i32 @f.ipmsp(ptr addrspace(1) @gl)");
	EXPECT_HAS(bench_text(b), "call i32 @f(ptr %u)");
	EXPECT_HAS(bench_text(b), "define internal i32 @f(ptr %p)");
	bench_close(b);
}

TEST(ipmsp, groups_are_limited)
{
	Bench *b = bench_open(a, HEAD DISAGREE);
	bench_knob(b, "ipmsp-clone-groups", "1");
	bench_run(b, "ipmsp");
	EXPECT_HAS(bench_text(b), "call i32 @f.ipmsp(ptr addrspace(1) @gl)");
	EXPECT(bench_remark(b, REMARK_MISSED, "no clone of 'f' for this call: ipmsp-clone-groups allows no more"));
	/* What is left agrees. */
	EXPECT_HAS(bench_text(b), "call i32 @f(ptr addrspace(3) @sh)");
	bench_close(b);
	b = bench_open(a, HEAD DISAGREE);
	bench_knob(b, "do-clone-for-ip-msp", "0");
	bench_knob(b, "dump-ip-msp", "1");
	EXPECT(!bench_run(b, "ipmsp"));
	EXPECT_HAS(dumped(b), "avoid cloning of f\n");
	bench_close(b);
}

/* A clone for an argument that is only compared would be code for nothing. */
TEST(ipmsp, groups_only_for_what_leads_to_memory)
{
	Bench *b = ran(a, HEAD "define internal i1 @f(ptr %p, ptr %q) {\n  %g = getelementptr i8, ptr %q, i64 4\n  %c = icmp eq "
	                       "ptr %p, %g\n  ret i1 %c\n}\n"
	                       "define void @k() {\n  call i1 @f(" GL ", " SH ")\n  call i1 @f(" SH ", " GL ")\n  ret void\n}\n");
	EXPECT_HASNT(bench_text(b), "ipmsp");
	bench_close(b);
}

TEST(ipmsp, groups_in_recursion)
{
	Bench *b = ran(a, HEAD MUTUAL("internal") "define void @k() {\n  call i32 @f(" SH ", i32 3)\n  call i32 @g(" GL
	                                          ", i32 3)\n  ret void\n}\n");
	Str    t = bench_text(b);
	EXPECT_HASNT(t, "(ptr %");
	EXPECT_EQ(str_count(t, "define internal i32 @f."), 2);
	EXPECT_EQ(str_count(t, "define internal i32 @g."), 2);
	EXPECT_HASNT(t, "define internal i32 @f(");
	EXPECT_HASNT(t, "define internal i32 @g(");
	bench_close(b);
}

#define EITHER(attr, more)                                                                                                      \
	"define internal i32 @f(ptr %p) " attr "{\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n"                                  \
	"define i32 @k(i1 %c) {\n  %x = call i32 @f(" GL ")\n  %y = call i32 @f(" SH ")\n  %p = select i1 %c, " GL ", " SH "\n" \
	"  %z = call i32 @f(ptr %p)\n" more "  %s = add i32 %z, 1\n  ret i32 %s\n}\n"

TEST(ipmsp, calls_of_one_of_two_pointers_are_split)
{
	Bench *b = ran(a, HEAD EITHER("", ""));
	Str    t = bench_text(b);
	EXPECT_HAS(t, "br i1 %c, label %split.true, label %split.false");
	EXPECT_HAS(t, "split.true:");
	EXPECT_HAS(t, "%z = phi i32 [ %1, %split.true ], [ %2, %split.false ]");
	EXPECT_EQ(str_count(t, "@f.ipmsp(ptr addrspace(1) @gl)"), 2);
	EXPECT_EQ(str_count(t, "@f.ipmsp.1(ptr addrspace(3) @sh)"), 2);
	EXPECT_HASNT(t, "@f(");
	EXPECT_HASNT(t, "select");
	EXPECT(bench_remark(b, REMARK_PASSED, "call of 'f' is split: its pointer is in address space 1 or 3"));
	bench_close(b);
}

TEST(ipmsp, calls_are_not_split_where_it_is_wrong_or_useless)
{
	static const struct {
		const char *text, *knob;
	} row[] = {
		{HEAD EITHER("convergent ", ""), NULL}, /* a barrier inside would be met by half of the threads */
		{HEAD EITHER("", "  %u = inttoptr i64 7 to ptr\n  %w = call i32 @f(ptr %u)\n"),
	         NULL}, /* the original stays anyway */
		{HEAD EITHER("", ""), "ipmsp-split-calls"},
	};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		Bench *b = bench_open(a, row[i].text);
		if (row[i].knob)
			bench_knob(b, row[i].knob, "0");
		bench_run(b, "ipmsp");
		EXPECT_HAS(bench_text(b), "call i32 @f(ptr %p)");
		EXPECT_HASNT(bench_text(b), "split");
		if (i == 0)
			EXPECT(bench_remark(b, REMARK_MISSED, "call of 'f' is not split: it is convergent"));
		bench_close(b);
	}
}

/* Address 0 of shared memory is a place like any other. */
TEST(ipmsp, nonnull_goes_with_the_generic_pointer)
{
	Bench *b = ran(a, HEAD "define internal i32 @f(ptr nonnull align 4 %p) {\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n"
	                       "define void @k() {\n  %x = call i32 @f(ptr nonnull align 4 addrspacecast (ptr addrspace(3) @sh "
	                       "to ptr))\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "@f(ptr addrspace(3) align 4 %p)");
	EXPECT_HAS(bench_text(b), "call i32 @f(ptr addrspace(3) align 4 @sh)");
	bench_close(b);
}

TEST(ipmsp, musttail_and_varargs_are_left_alone)
{
	Bench *b = ran(a, HEAD GET("internal",
	                           "f") "define internal i32 @g(ptr %p) {\n  %v = musttail call i32 @f(ptr %p)\n  ret i32 %v\n}\n"
	                                "define void @k() {\n  call i32 @g(" GL ")\n  call i32 @f(" GL ")\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "musttail call i32 @f(ptr %p");
	bench_close(b);
}

TEST(ipmsp, null_is_no_evidence)
{
	Bench *b = ran(a, HEAD GET("internal", "f") "define void @k() {\n  call i32 @f(" SH
	                                            ")\n  call i32 @f(ptr null)\n  ret void\n}\n");
	EXPECT_HAS(bench_text(b), "@f(ptr %p)");
	bench_close(b);
}

/* f is visible, so others may call it with anything; g, which only f and @k call, hands that back to f. A
 * clone of f for g's call would be given it. (Found by random call graphs.) */
TEST(ipmsp, cycle_through_an_external_function)
{
	Bench *b = ran_without_groups(a, HEAD MUTUAL("") "define void @k() {\n  call i32 @g(" SH ", i32 3)\n  ret void\n}\n");
	EXPECT_HASNT(bench_text(b), "f.ipmsp");
	EXPECT_HAS(bench_text(b), "@g(ptr %p, i32 %n)");
	bench_close(b);
}

UNIT_MAIN
