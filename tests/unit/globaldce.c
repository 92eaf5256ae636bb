/* globaldce: which definitions go and which stay. */
#include "ir/builder.h"
#include "irpass.h"

#define HEAD "target triple = \"nvptx64-nvidia-cuda\"\n@sh = internal addrspace(3) global [4 x i32] undef\n"
#define SH   "ptr addrspacecast (ptr addrspace(3) @sh to ptr)"
/* A kernel whose two calls of @get pass pointers of two spaces: each gets a clone. */
#define CALLS                                                                                                           \
	"define ptx_kernel void @k(ptr %p) {\n  %g = addrspacecast ptr %p to ptr addrspace(1)\n"                        \
	"  %q = addrspacecast ptr addrspace(1) %g to ptr\n  %a = call i32 @get(" SH ")\n  %b = call i32 @get(ptr %q)\n" \
	"  %c = add i32 %a, %b\n  store i32 %c, ptr %p\n  ret void\n}\n"
#define GET(linkage, rest) "define " linkage " i32 @get(ptr %p) noinline {\n  %x = load i32, ptr %p\n" rest "  ret i32 %x\n}\n"

static Bench *cleaned(Arena *a, const char *mode, const char *text)
{
	Bench *b = bench_open(a, text);
	bench_knob(b, "globaldce", mode);
	bench_run(b, "ipmsp");
	bench_run(b, "globaldce");
	EXPECT(!bench_run(b, "globaldce"));
	return b;
}

static bool defines(Arena *a, const char *mode, const char *text, const char *name)
{
	Bench        *b = cleaned(a, mode, text);
	IrRef         g = ir_find_global(b->m, str_of(name));
	const IrFunc *f = g.i ? ir_func(b->m, g) : NULL;
	bool          there = g.i && (f ? !ir_is_decl(f) : !ir_is_none(ir_global_init(b->m, g)));
	bench_close(b);
	return there;
}

TEST(globaldce, a_function_whose_calls_went_to_clones_goes)
{
	EXPECT(!defines(a, "replaced", HEAD GET("linkonce_odr", "") CALLS, "get"));
	EXPECT(defines(a, "off", HEAD GET("linkonce_odr", "") CALLS, "get"));
	EXPECT(defines(a, "replaced", HEAD GET("linkonce_odr", "") CALLS, "get.ipmsp"));
	Bench *b = cleaned(a, "replaced", HEAD GET("linkonce_odr", "") CALLS);
	EXPECT(bench_remark(b, REMARK_PASSED, "'get' is dropped"));
	bench_close(b);
}

TEST(globaldce, what_others_may_call_stays)
{
	EXPECT(defines(a, "replaced", HEAD GET("", "") CALLS, "get"));
	EXPECT(defines(a, "all", HEAD GET("weak_odr", "") CALLS, "get"));
	Bench *b = cleaned(a, "replaced", HEAD GET("weak_odr", "") CALLS);
	EXPECT(bench_remark(b, REMARK_MISSED, "other modules may call it"));
	bench_close(b);
}

/* ... and the bodies and variables that only it refers to, members of a recursion among them; not what others refer to. */
TEST(globaldce, what_only_the_dead_refer_to_goes_too)
{
	const char *text =
		HEAD "@table = internal addrspace(1) constant i32 5\n@shared = internal addrspace(1) constant i32 6\n"
		     "define internal i32 @again(i32 %x) {\n  %t = load i32, ptr addrspace(1) @table\n  %s = load i32, ptr "
		     "addrspace(1) @shared\n  %u = add i32 %t, %s\n  %y = call i32 @again(i32 %u)\n  ret i32 %y\n}\n"
		     "define internal i32 @idle() {\n  %s = load i32, ptr addrspace(1) @shared\n  ret i32 %s\n}\n";
	text = arena_fmt(a, "%s%s", text, GET("linkonce_odr", "  %y = call i32 @again(i32 %x)\n") CALLS).p;
	EXPECT(!defines(a, "replaced", text, "get"));
	/* the clones still call it */
	EXPECT(defines(a, "replaced", text, "again"));
	/* as if there had been a clone without the call */
	Bench *b = bench_open(a, text);
	ir_global(b->m, ir_find_global(b->m, STR("get")))->flags |= IRGF_REPLACED;
	IrFunc *k = ir_func(b->m, ir_find_global(b->m, STR("k")));
	ir_func_drop_body(b->m, k);
	EXPECT(bench_run(b, "globaldce"));
	Str t = bench_text(b);
	EXPECT_HASNT(t, "@get");
	EXPECT_HASNT(t, "@again");
	EXPECT_HASNT(t, "@table");
	EXPECT_HAS(t, "@shared = internal");
	EXPECT_HAS(t, "define internal i32 @idle");
	bench_close(b);
}

TEST(globaldce, the_input_s_own_unreferenced_definitions_stay_unless_all_is_asked_for)
{
	static const char *const linkages[] = {"internal", "private", "linkonce", "linkonce_odr", "available_externally"};
	for (u32 i = 0; i < PS_COUNT(linkages); i++) {
		const char *text =
			arena_fmt(a, HEAD "define %s i32 @idle(i32 %%x) {\n  %%y = call i32 @idle(i32 %%x)\n  ret i32 %%y\n}\n",
		                  linkages[i])
				.p;
		EXPECT(defines(a, "replaced", text, "idle"));
		EXPECT(!defines(a, "all", text, "idle"));
	}
	const char *variable = HEAD "@v = internal addrspace(1) global i32 1\n@w = addrspace(1) global i32 1\n";
	EXPECT(defines(a, "replaced", variable, "v"));
	EXPECT(!defines(a, "all", variable, "v"));
	EXPECT(defines(a, "all", variable, "w"));
}

TEST(globaldce, llvm_used_aliases_annotations_and_kernels_keep)
{
	const char *used =
		HEAD "@v = internal global i32 1\n@w = internal global i32 1\n@llvm.used = appending global [1 x ptr] [ptr @v], "
		     "section \"llvm.metadata\"\n@llvm.compiler.used = appending global [1 x ptr] [ptr @w], section "
		     "\"llvm.metadata\"\n";
	EXPECT(defines(a, "all", used, "v"));
	EXPECT(defines(a, "all", used, "w"));
	const char *alias =
		HEAD "@f = alias i32 (i32), ptr @g\n@h = internal alias i32 (i32), ptr @i\n"
		     "define internal i32 @g(i32 %x) {\n  ret i32 %x\n}\ndefine internal i32 @i(i32 %x) {\n  ret i32 %x\n}\n";
	EXPECT(defines(a, "all", alias, "g"));
	EXPECT(!defines(a, "all", alias, "i"));
	EXPECT(!defines(a, "all", alias, "h"));
	const char *annotated = HEAD "@t = internal addrspace(1) global i64 0\n!nvvm.annotations = !{!0}\n!0 = !{ptr "
				     "addrspace(1) @t, !\"texture\", i32 1}\n";
	EXPECT(defines(a, "all", annotated, "t"));
	EXPECT(defines(a, "all", HEAD "define internal ptx_kernel void @k() {\n  ret void\n}\n", "k"));
}

TEST(globaldce, one_member_of_a_comdat_keeps_the_others)
{
	const char *text = HEAD "$c = comdat any\n$d = comdat any\ndefine i32 @lead() comdat($c) {\n  ret i32 1\n}\n"
				"define linkonce_odr i32 @mate() comdat($c) {\n  ret i32 2\n}\n"
				"define linkonce_odr i32 @d() comdat($d) {\n  ret i32 3\n}\n";
	EXPECT(defines(a, "all", text, "mate"));
	EXPECT(!defines(a, "all", text, "d"));
}

TEST(globaldce, references_through_constants_and_prefix_data_count)
{
	const char *text = HEAD "@v = internal addrspace(1) global [4 x i32] zeroinitializer\n@p = internal constant i32 3\n"
				"@t = addrspace(1) global ptr addrspacecast (ptr addrspace(1) getelementptr ([4 x i32], ptr "
				"addrspace(1) @v, i64 0, i64 2) to ptr)\n"
				"define void @f() prefix ptr @p {\n  ret void\n}\n";
	EXPECT(defines(a, "all", text, "v"));
	EXPECT(defines(a, "all", text, "p"));
}

UNIT_MAIN
