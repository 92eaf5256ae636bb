/* The inference of address spaces, and memory-space-opt: each behaviour by its id. */
#include "analysis/memspace.h"
#include "irpass.h"

#define HEAD                                                                                                            \
	"target triple = \"nvptx64-nvidia-cuda\"\n@sh = internal addrspace(3) global [64 x i32] undef\n@gl = internal " \
	"addrspace(1) global [64 x i32] zeroinitializer\n"                                                              \
	"declare void @llvm.assume(i1)\ndeclare i1 @llvm.nvvm.isspacep.global(ptr)\ndeclare i1 "                        \
	"@llvm.nvvm.isspacep.shared(ptr)\ndeclare i1 @llvm.nvvm.isspacep.const(ptr)\ndeclare i1 "                       \
	"@llvm.nvvm.isspacep.local(ptr)\n"                                                                              \
	"declare ptr @ext()\n"
#define SH "addrspacecast (ptr addrspace(3) @sh to ptr)"
#define GL "addrspacecast (ptr addrspace(1) @gl to ptr)"

static const SpaceRules all_rules = {true, true, true, true, true, true, true};

typedef struct Asked {
	bool      ok;
	u32       space;
	SpaceWalk walk;
} Asked;

static IrRef named(Bench *b, const char *func, const char *name)
{
	IrFunc *f = ir_func(b->m, ir_find_global(b->m, str_of(func)));
	for (u32 i = 0; i < f->n_args; i++)
		if (str_is(ir_str(b->m, ir_name(b->m, ir_func_arg(f, i))), name))
			return ir_func_arg(f, i);
	ir_each_block(b->m, f, blk)
		ir_each_inst(b->m, blk, i)
			if (str_is(ir_str(b->m, ir_name(b->m, i)), name))
				return i;
	EXPECT(false);
	return IR_NO_REF;
}

/* Asks for %p of @f, used at the function's last instruction of the entry block. */
static Asked ask_with(Bench *b, SpaceRules rules, const SpaceFacts *facts)
{
	Asked      r = {0};
	IrFunc    *f = ir_func(b->m, ir_find_global(b->m, STR("f")));
	SpaceQuery q = {b->m, &rules, facts, &b->scratch, ir_term(b->m, f->first), IR_NO_REF};
	space_walk_init(&r.walk, &b->scratch);
	r.ok = space_of(&q, named(b, "f", "p"), &r.walk, &r.space);
	return r;
}

static u32 ask(Arena *a, const char *body, SpaceRules rules)
{
	Text t;
	text_init(&t, a);
	text_s(&t, HEAD);
	text_s(&t, body);
	text_c(&t, 0);
	Bench *b = bench_open(a, t.p);
	Asked  r = ask_with(b, rules, NULL);
	bench_close(b);
	return r.ok ? r.space : 0;
}

TEST(memspace, INFER_01_specific_is_resolved)
{
	EXPECT_EQ(ask(a, "define void @f(ptr addrspace(5) %p) {\n  ret void\n}\n", (SpaceRules){0}), 5);
}

TEST(memspace, INFER_02_through_geps)
{
	EXPECT_EQ(ask(a,
	              "define void @f(i64 %i) {\n  %q = getelementptr i8, ptr " SH
	              ", i64 %i\n  %p = getelementptr i8, ptr %q, i64 4\n  ret void\n}\n",
	              (SpaceRules){0}),
	          3);
}

TEST(memspace, INFER_03_cast_from_specific)
{
	EXPECT_EQ(ask(a,
	              "define void @f(ptr addrspace(4) %q) {\n  %p = addrspacecast ptr addrspace(4) %q to ptr\n  ret void\n}\n",
	              (SpaceRules){0}),
	          4);
}

TEST(memspace, INFER_04_loop_phi)
{
	EXPECT_EQ(ask(a,
	              "define void @f(i1 %c) {\ne:\n  br label %l\nl:\n  %p = phi ptr [ " SH
	              ", %e ], [ %n, %l ]\n  %n = getelementptr i8, ptr %p, i64 4\n  br i1 %c, label %l, label %x\nx:\n  ret "
	              "void\n}\n",
	              (SpaceRules){0}),
	          3);
}

TEST(memspace, INFER_05_select)
{
	EXPECT_EQ(ask(a,
	              "define void @f(i1 %c, ptr addrspace(3) %s) {\n  %g = addrspacecast ptr addrspace(3) %s to ptr\n  %p = "
	              "select i1 %c, ptr %g, ptr " SH "\n  ret void\n}\n",
	              (SpaceRules){0}),
	          3);
	EXPECT_EQ(
		ask(a, "define void @f(i1 %c) {\n  %p = select i1 %c, ptr " GL ", ptr " SH "\n  ret void\n}\n", (SpaceRules){0}),
		0);
}

TEST(memspace, INFER_06_call_by_return_map)
{
	Bench *b = bench_open(a, HEAD "define void @f() {\n  %p = call ptr @ext()\n  ret void\n}\n");
	Map    returns;
	EXPECT(!ask_with(b, all_rules, NULL).ok);
	map_init(&returns, a);
	map_set(&returns, ir_find_global(b->m, STR("ext")).i, 3);
	SpaceFacts facts = {.returns = &returns};
	Asked      r = ask_with(b, all_rules, &facts);
	EXPECT(r.ok && r.space == 3);
	bench_close(b);
}

#define THROUGH_SLOT "define void @f() {\n  %s = alloca ptr\n  store ptr " SH ", ptr %s\n  %p = load ptr, ptr %s\n  ret void\n}\n"

TEST(memspace, INFER_07_load_of_known_stores)
{
	EXPECT_EQ(ask(a, THROUGH_SLOT, (SpaceRules){.indir_load = true}), 3);
	EXPECT_EQ(ask(a, THROUGH_SLOT, (SpaceRules){0}), 0);
	/* Written by somebody else as well. */
	EXPECT_EQ(ask(a,
	              "declare void @g(ptr)\ndefine void @f() {\n  %s = alloca ptr\n  store ptr " SH
	              ", ptr %s\n  call void @g(ptr %s)\n  %p = load ptr, ptr %s\n  ret void\n}\n",
	              all_rules),
	          0);
}

TEST(memspace, INFER_08_pointer_kept_in_shared_memory_is_not_shared)
{
	EXPECT_EQ(
		ask(a, "define void @f(ptr addrspace(3) %q) {\n  %p = load ptr, ptr addrspace(3) %q\n  ret void\n}\n", all_rules),
		0);
}

#define THROUGH_INT                                   \
	"define void @f() {\n  %i = ptrtoint ptr " SH \
	" to i64\n  %j = add i64 %i, 16\n  %p = inttoptr i64 %j to ptr\n  ret void\n}\n"

TEST(memspace, INFER_09_through_integers)
{
	EXPECT_EQ(ask(a, THROUGH_INT, (SpaceRules){.int2ptr = true}), 3);
	EXPECT_EQ(ask(a, THROUGH_INT, (SpaceRules){0}), 0);
	EXPECT_EQ(ask(a,
	              "define void @f(i64 %k) {\n  %i = ptrtoint ptr " SH
	              " to i64\n  %j = add i64 %i, %k\n  %p = inttoptr i64 %j to ptr\n  ret void\n}\n",
	              all_rules),
	          0);
}

TEST(memspace, INFER_10_stack_slots)
{
	EXPECT_EQ(ask(a, "define void @f() {\n  %p = alloca i32\n  ret void\n}\n", (SpaceRules){.alloca_local = true}), 5);
	EXPECT_EQ(ask(a, "define void @f() {\n  %p = alloca i32\n  ret void\n}\n", (SpaceRules){0}), 0);
}

TEST(memspace, INFER_11_argument_by_map)
{
	Bench *b = bench_open(a, HEAD "define internal void @f(ptr %p) {\n  ret void\n}\n");
	Map    args;
	EXPECT(!ask_with(b, all_rules, NULL).ok);
	map_init(&args, a);
	map_set(&args, named(b, "f", "p").i, 1);
	SpaceFacts facts = {.args = &args};
	Asked      r = ask_with(b, all_rules, &facts);
	EXPECT(r.ok && r.space == 1);
	bench_close(b);
}

TEST(memspace, INFER_12_kernel_parameters_are_global)
{
	EXPECT_EQ(ask(a, "define ptx_kernel void @f(ptr %p) {\n  ret void\n}\n", (SpaceRules){.param_global = true}), 1);
	EXPECT_EQ(ask(a, "define ptx_kernel void @f(ptr %p) {\n  ret void\n}\n", (SpaceRules){0}), 0);
	EXPECT_EQ(ask(a, "define void @f(ptr %p) {\n  ret void\n}\n", all_rules), 0);
}

TEST(memspace, INFER_13_assumptions)
{
	static const struct {
		const char *name;
		u32         space;
	} row[] = {{"global", 1}, {"shared", 3}, {"const", 4}, {"local", 5}};
	for (u32 i = 0; i < PS_COUNT(row); i++) {
		Str s = arena_fmt(a,
		                  "define void @f(ptr %%p) {\n  %%c = call i1 @llvm.nvvm.isspacep.%s(ptr %%p)\n  call void "
		                  "@llvm.assume(i1 %%c)\n  ret void\n}\n",
		                  row[i].name);
		EXPECT_EQ(ask(a, s.p, (SpaceRules){.builtin_assume = true}), row[i].space);
		EXPECT_EQ(ask(a, s.p, (SpaceRules){0}), 0);
	}
	/* Not assumed where it is asked. */
	EXPECT_EQ(ask(a,
	              "define void @f(ptr %p, i1 %b) {\ne:\n  br i1 %b, label %x, label %y\nx:\n  %c = call i1 "
	              "@llvm.nvvm.isspacep.shared(ptr %p)\n  call void @llvm.assume(i1 %c)\n  br label %y\ny:\n  ret void\n}\n",
	              all_rules),
	          0);
}

TEST(memspace, INFER_14_one_opaque_source_spoils)
{
	EXPECT_EQ(ask(a,
	              "define void @f(i1 %c) {\n  %q = call ptr @ext()\n  %p = select i1 %c, ptr %q, ptr " SH "\n  ret void\n}\n",
	              all_rules),
	          0);
	EXPECT_EQ(ask(a, "define void @f(i1 %c) {\n  %p = select i1 %c, ptr null, ptr " SH "\n  ret void\n}\n", all_rules), 0);
	EXPECT_EQ(ask(a, "define void @f(i1 %c) {\n  %p = select i1 %c, ptr undef, ptr " SH "\n  ret void\n}\n", all_rules), 3);
}

TEST(memspace, INFER_15_pointers_in_constant_memory)
{
	EXPECT_EQ(ask(a,
	              "@t = external addrspace(4) constant [4 x ptr]\ndefine void @f() {\n  %p = load ptr, ptr addrspace(4) @t\n "
	              " ret void\n}\n",
	              all_rules),
	          1);
	EXPECT_EQ(ask(a,
	              "@t = external addrspace(4) constant [4 x ptr]\ndefine void @f() {\n  %p = load ptr, ptr addrspace(4) @t\n "
	              " ret void\n}\n",
	              (SpaceRules){.indir_load = true}),
	          0);
}

TEST(memspace, INFER_16_wmma_operands_stay_what_they_are)
{
	EXPECT_EQ(ask(a, "define ptx_kernel void @f(ptr %p) {\n  ret void\n}\n", all_rules), 1);
}

TEST(memspace, INFER_17_vectors_in_visiting_order)
{
	/* Two slots of pointers, and a call between the second and what is stored there. */
	Bench *b = bench_open(
		a, HEAD "declare ptr @llvm.ptrmask.p0.i64(ptr, i64)\ndefine void @f() {\n  %s = alloca ptr\n  %t = alloca "
			"ptr\n  %q = getelementptr i8, ptr " SH
			", i64 4\n  %c = call ptr @llvm.ptrmask.p0.i64(ptr %q, i64 -4)\n  store ptr %c, ptr %t\n  %m = load "
			"ptr, ptr %t\n  %g = getelementptr i8, ptr %m, i64 8\n  store ptr %g, ptr %s\n  %l = load ptr, ptr "
			"%s\n  %p = getelementptr i8, ptr %l, i64 4\n  ret void\n}\n");
	Asked r = ask_with(b, all_rules, NULL);
	EXPECT(r.ok && r.space == 3);
	static const char *const gep[] = {"p", "g", "q"}, *const load[] = {"l", "m"};
	EXPECT_EQ(r.walk.geps.n, 3);
	for (u32 i = 0; i < 3 && i < r.walk.geps.n; i++)
		EXPECT_EQ(r.walk.geps.p[i], named(b, "f", gep[i]).i);
	EXPECT_EQ(r.walk.loads.n, 2);
	for (u32 i = 0; i < 2 && i < r.walk.loads.n; i++)
		EXPECT_EQ(r.walk.loads.p[i], named(b, "f", load[i]).i);
	EXPECT_EQ(r.walk.calls.n, 1);
	EXPECT_EQ(r.walk.calls.n ? r.walk.calls.p[0] : 0, named(b, "f", "c").i);
	bench_close(b);
}

TEST(memspace, INFER_18_variables)
{
	EXPECT_EQ(ask(a, "define void @f() {\n  %p = getelementptr i8, ptr " SH ", i64 0\n  ret void\n}\n", (SpaceRules){0}), 3);
	EXPECT_EQ(ask(a, "@g0 = global i32 0\ndefine void @f() {\n  %p = getelementptr i8, ptr @g0, i64 4\n  ret void\n}\n",
	              (SpaceRules){0}),
	          1);
}

TEST(memspace, INFER_19_long_walks)
{
	for (u32 n = 1; n < 200; n = n * 3 + 1) {
		Text t;
		text_init(&t, a);
		text_s(&t, "define void @f(i1 %c) {\n  %q0 = getelementptr i8, ptr " SH ", i64 1\n");
		for (u32 i = 0; i < n; i++)
			text_f(&t, "  %%q%u = select i1 %%c, ptr %%q%u, ptr " SH "\n", i + 1, i);
		text_f(&t, "  %%p = getelementptr i8, ptr %%q%u, i64 1\n  ret void\n}\n", n);
		text_c(&t, 0);
		EXPECT_EQ(ask(a, t.p, (SpaceRules){0}), 3);
	}
}

/* ---- memory-space-opt ---- */

static u32 place(const char *id)
{
	const PipelineStep *s;
	u32                 n = pipeline_steps(&s);
	for (u32 i = 0; i < n; i++)
		if (strcmp(s[i].pass->id, id) == 0)
			return i + 1;
	return 0;
}

TEST(memspace, MSOPT_01_order)
{
	EXPECT(place("ipmsp") && place("ipmsp") < place("memory-space-opt:first-time"));
	EXPECT(place("memory-space-opt:first-time") + 1 < place("memory-space-opt:second-time"));
}

#define ASKS                                                                  \
	"define i1 @f() {\n  %c = call i1 @llvm.nvvm.isspacep.shared(ptr " SH \
	")\n  %d = call i1 @llvm.nvvm.isspacep.global(ptr " SH ")\n  %r = xor i1 %c, %d\n  ret i1 %r\n}\n"

TEST(memspace, MSOPT_02_isspacep_is_answered_the_second_time)
{
	Bench *b = bench_open(a, HEAD ASKS);
	bench_run(b, "memory-space-opt:first-time");
	EXPECT_HAS(bench_text(b), "call i1 @llvm.nvvm.isspacep.shared");
	bench_run(b, "memory-space-opt:second-time");
	EXPECT_HASNT(bench_text(b), "call i1 @llvm.nvvm.isspacep");
	EXPECT_HAS(bench_text(b), "xor i1 true, false");
	bench_close(b);
}

TEST(memspace, MSOPT_03_dumps)
{
	Bench *b = bench_open(a, HEAD ASKS);
	bench_knob(b, "dump-ir-before-memory-space-opt", "1");
	bench_knob(b, "dump-ir-after-memory-space-opt", "1");
	bench_run(b, "memory-space-opt:second-time");
	Str t = text_str(&b->dump);
	EXPECT_HAS(t, "IR before memory-space-opt (second-time):\n");
	EXPECT_HAS(t, "IR after memory-space-opt (second-time):\n");
	EXPECT_EQ(str_count(t, "@llvm.nvvm.isspacep.shared"), 1);
	bench_close(b);
}

#define LOADED                                                  \
	"define i32 @f() {\n  %s = alloca ptr\n  store ptr " SH \
	", ptr %s\n  %p = load ptr, ptr %s\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n"

TEST(memspace, MSOPT_04_both_algorithms)
{
	static const char *const alg[] = {"2", "1", "0"};
	for (u32 i = 0; i < PS_COUNT(alg); i++) {
		Bench *b = bench_open(a, HEAD LOADED);
		bench_knob(b, "mem-space-alg", alg[i]);
		bench_run(b, "memory-space-opt:first-time");
		bench_run(b, "infer-address-spaces");
		EXPECT_HAS(bench_text(b), "%v = load i32, ptr addrspace(3)");
		bench_close(b);
	}
}

/* The masks that go forward do not come out of blocks that nothing reaches; the backward walk asks there too. */
TEST(memspace, MSOPT_04_the_knob_chooses_the_algorithm)
{
	static const char *const alg[] = {NULL, "2", "1", "0"};
	for (u32 i = 0; i < PS_COUNT(alg); i++) {
		Bench *b = bench_open(
			a, HEAD
			"define i1 @f(ptr %x) {\ne:\n  br label %j\ndead:\n  %l = load ptr, ptr %x\n  %q = getelementptr i8, "
			"ptr %l, i64 4\n  br label %j\nj:\n  %p = phi ptr [ " SH
			", %e ], [ %q, %dead ]\n  %c = call i1 @llvm.nvvm.isspacep.shared(ptr %p)\n  ret i1 %c\n}\n");
		if (alg[i])
			bench_knob(b, "mem-space-alg", alg[i]);
		bench_run(b, "memory-space-opt:second-time");
		EXPECT_EQ(str_has(bench_text(b), "ret i1 true"), i < 2);
		bench_close(b);
	}
}

TEST(memspace, pointers_that_stay_generic_say_why)
{
	Bench *b =
		bench_open(a, HEAD "define i32 @f(i1 %c) {\n  %p = call ptr @ext()\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n");
	bench_run(b, "memory-space-opt:first-time");
	EXPECT(!bench_remark(b, REMARK_MISSED, "stays generic")); /* more may come to light */
	bench_run(b, "memory-space-opt:second-time");
	EXPECT(bench_remark(b, REMARK_MISSED, "pointer stays generic: it is returned by a function whose result is not known"));
	bench_close(b);
}

TEST(memspace, MSOPT_05_disabled)
{
	Bench *b = bench_open(a, HEAD LOADED);
	bench_knob(b, "disable-MemorySpaceOptPass", "1");
	EXPECT(!bench_run(b, "memory-space-opt:first-time"));
	EXPECT(!bench_run(b, "infer-address-spaces"));
	EXPECT_HAS(bench_text(b), "%v = load i32, ptr %p");
	bench_close(b);
	/* What each of the two would narrow alone. */
	static const char *const alone[] = {"memory-space-opt:first-time", "infer-address-spaces"};
	for (u32 off = 0; off < 2; off++)
		for (u32 i = 0; i < 2; i++) {
			b = bench_open(a, i ? HEAD "define i32 @f() {\n  %p = getelementptr i8, ptr " SH
			                           ", i64 4\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n"
			                    : HEAD LOADED);
			bench_knob(b, "disable-MemorySpaceOptPass", off ? "1" : "0");
			EXPECT_EQ(bench_run(b, alone[i]), !off);
			bench_close(b);
		}
}

TEST(memspace, MSOPT_06_knobs_are_listed)
{
	static const char *const name[] = {"msp-for-wmma",          "dump-process-builtin-assume",
	                                   "wmma-memory-space-opt", "process-builtin-assume",
	                                   "mem-space-alg",         "process-alloca-always"};
	for (u32 i = 0; i < PS_COUNT(name); i++)
		EXPECT(knob_find(str_of(name[i])) != KNOB_NONE);
	Bench *b = bench_open(a, HEAD "define void @f(ptr %p) {\n  %c = call i1 @llvm.nvvm.isspacep.shared(ptr %p)\n  call void "
	                              "@llvm.assume(i1 %c)\n  store i32 1, ptr %p\n  ret void\n}\n");
	bench_knob(b, "dump-process-builtin-assume", "1");
	bench_run(b, "memory-space-opt:first-time");
	EXPECT_HAS(text_str(&b->dump), "is in address space 3");
	bench_run(b, "infer-address-spaces");
	EXPECT_HAS(bench_text(b), "store i32 1, ptr addrspace(3)");
	bench_close(b);
}

UNIT_MAIN
