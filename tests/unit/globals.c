/* Names, variables, stack slots and kernel arguments: each behaviour by its id. */
#include "irpass.h"

static Str after(Arena *a, const char *text, const char *pass)
{
	Bench *b = bench_open(a, text);
	bench_run(b, pass);
	Str t = arena_str(a, bench_text(b));
	bench_close(b);
	return t;
}

/* ---- generic-to-nvvm ---- */

TEST(globals, G2N_01_clone_in_global_memory)
{
	Str t = after(a,
	              "@g = internal constant [2 x i32] [i32 1, i32 2], align 16\ndefine i32 @f() {\n  %v = load i32, ptr @g\n  "
	              "ret i32 %v\n}\n",
	              "generic-to-nvvm");
	EXPECT_HAS(t, "@g = internal addrspace(1) constant [2 x i32] [i32 1, i32 2], align 16");
	EXPECT_HAS(t, "load i32, ptr addrspacecast (ptr addrspace(1) @g to ptr)");
}

TEST(globals, G2N_02_specific_spaces_stay)
{
	const char *text =
		"@a = addrspace(1) global i32 0\n@b = internal addrspace(3) global i32 undef\n@c = addrspace(4) constant i32 1\n";
	EXPECT_HAS(after(a, text, "generic-to-nvvm"), "@a = addrspace(1) global i32 0\n@b = internal addrspace(3) global i32 "
	                                              "undef\n@c = addrspace(4) constant i32 1\n");
}

TEST(globals, G2N_03_initialisers_of_others)
{
	Str t = after(a, "@x = global i32 7\n@p = global ptr @x\n@q = addrspace(1) global [2 x ptr] [ptr null, ptr @x]\n",
	              "generic-to-nvvm");
	EXPECT_HAS(t, "@p = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @x to ptr)");
	EXPECT_HAS(t, "@q = addrspace(1) global [2 x ptr] [ptr null, ptr addrspacecast (ptr addrspace(1) @x to ptr)]");
}

TEST(globals, G2N_04_changed_or_not)
{
	Bench *b = bench_open(a, "@x = global i32 7\n");
	EXPECT(bench_run(b, "generic-to-nvvm"));
	EXPECT(!bench_run(b, "generic-to-nvvm"));
	bench_close(b);
}

TEST(globals, many_variables)
{
	Text t;
	text_init(&t, a);
	for (u32 i = 0; i < 500; i++)
		text_f(&t, "@g%u = global ptr @g%u\n", i, (i + 1) % 500);
	text_c(&t, 0);
	Str out = after(a, t.p, "generic-to-nvvm");
	EXPECT_EQ(str_count(out, " = addrspace(1) global ptr addrspacecast"), 500);
}

TEST(globals, G2N_06_name_and_place_are_kept)
{
	Str t = after(a, "@first = global i32 1\n@g = global i32 2\n@last = global i32 3\n", "generic-to-nvvm");
	EXPECT_HAS(t, "@first = addrspace(1) global i32 1\n@g = addrspace(1) global i32 2\n@last = addrspace(1) global i32 3\n");
	EXPECT_HASNT(t, "@g.1");
}

TEST(globals, G2N_07_use_in_a_constant_expression)
{
	Str t = after(a,
	              "@g = global [4 x i32] zeroinitializer\ndefine i32 @f() {\n  %v = load i32, ptr getelementptr (i8, ptr @g, "
	              "i64 8)\n  ret i32 %v\n}\n",
	              "generic-to-nvvm");
	EXPECT_HAS(t, "getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @g to ptr), i64 8)");
}

TEST(globals, generic_to_nvvm_keeps_annotations)
{
	Str t = after(a, "@g = global i32 0\n!nvvm.annotations = !{!0}\n!0 = !{ptr @g, !\"managed\", i32 1}\n",
	              "generic-to-nvvm");
	EXPECT_HAS(t, "!{ptr addrspace(1) @g, !\"managed\", i32 1}");
	t = after(a, "@t = global i64 0\n!nvvm.annotations = !{!0}\n!0 = !{ptr @t, !\"texture\", i32 1}\n", "generic-to-nvvm");
	EXPECT_HAS(t, "@t = global i64 0");
}

/* ---- nvptx-assign-valid-global-names ---- */

static Str renamed(Arena *a, const char *text) { return after(a, text, "nvptx-assign-valid-global-names"); }

TEST(globals, GNAME_01_what_ptx_cannot_write)
{
	Str t = renamed(a, "@.str = private constant [1 x i8] zeroinitializer\n@\"a@b\" = private global i32 0\n@\"\\C3\\A4\" = "
	                   "private global i32 0\n@\"9x\" = private global i32 0\n");
	EXPECT_HAS(t, "@\"_$_str\" = private");
	EXPECT_HAS(t, "@\"a_$_b\" = private");
	EXPECT_HAS(t, "@\"_$__$_\" = private");
	EXPECT_HAS(t, "@_9x = private");
}

TEST(globals, GNAME_02_unique)
{
	Str t = renamed(a, "@.s = private global i32 0\n@_$_s = private global i32 1\n@\"-s\" = private global i32 2\n");
	EXPECT_HAS(t, "@\"_$_s1\" = private global i32 0\n");
	EXPECT_HAS(t, "@\"_$_s\" = private global i32 1\n");
	EXPECT_HAS(t, "@\"_$_s2\" = private global i32 2\n");
}

TEST(globals, GNAME_03_legal_names_stay)
{
	Bench *b = bench_open(a, "@abc = private global i32 0\n@_x$9 = private global i32 0\n@$y = global i32 0\ndefine internal "
	                         "void @_Z1fv() {\n  ret void\n}\n");
	EXPECT(!bench_run(b, "nvptx-assign-valid-global-names"));
	bench_close(b);
}

TEST(globals, GNAME_04_visible_symbols_are_not_renamed_in_silence)
{
	static const char *const defined[] = {"@\"a.b\" = global i32 0\n", "define void @\"a.b\"() {\n  ret void\n}\n",
	                                      "@\"a.b\" = weak global i32 0\n"};
	for (u32 i = 0; i < PS_COUNT(defined); i++) {
		Bench *b = bench_open(a, defined[i]);
		bench_run(b, "nvptx-assign-valid-global-names");
		EXPECT_EQ(b->s.diags.list.n, 1);
		EXPECT_EQ(b->s.diags.errors, 0);
		Diag *d = b->s.diags.list.n ? &b->s.diags.list.p[0] : NULL;
		EXPECT(d && d->code == DIAG_NAME_CHANGED);
		EXPECT(d && str_has(d->message, "'a.b'") && str_has(d->message, "'a_$_b'")); /* both names */
		EXPECT_HAS(bench_text(b), "@\"a_$_b\"");
		EXPECT_HASNT(bench_text(b), "a.b");
		bench_close(b);
	}
	/* What only this module sees is nobody else's business. */
	Bench *b = bench_open(a, "@\"a.b\" = internal global i32 0\n@p = global ptr @\"a.b\"\n");
	bench_run(b, "nvptx-assign-valid-global-names");
	EXPECT_EQ(b->s.diags.list.n, 0);
	bench_close(b);
	b = bench_open(a, "declare void @\"a.b\"()\ndefine void @f() {\n  call void @\"a.b\"()\n  ret void\n}\n");
	pass_find(STR("nvptx-assign-valid-global-names"))->run(&b->manager.cx);
	EXPECT_EQ(b->s.diags.errors, 1);
	EXPECT_EQ(b->s.diags.list.p[0].code, DIAG_NAME_NOT_PTX);
	bench_close(b);
}

TEST(globals, GNAME_05_references_follow)
{
	Str t = renamed(a, "@.s = private global i32 0\n@p = global ptr @.s\ndefine ptr @f() {\n  ret ptr @.s\n}\n");
	EXPECT_HAS(t, "@p = global ptr @\"_$_s\"");
	EXPECT_HAS(t, "ret ptr @\"_$_s\"");
	EXPECT_HASNT(t, "@.s");
}

TEST(globals, GNAME_06_dollar)
{
	EXPECT_HAS(renamed(a, "@a$b = private global i32 0\n"), "@\"a$b\" = ");
	Bench *b = bench_open(a, "@a$b = private global i32 0\n@c$d = global i32 0\n");
	bench_knob(b, "strict-seed-names", "1");
	bench_run(b, "nvptx-assign-valid-global-names");
	EXPECT_HAS(bench_text(b), "@a_b = private");
	EXPECT_HAS(bench_text(b), "@\"c$d\" = global");
	bench_close(b);
}

TEST(globals, GNAME_07_functions_variables_aliases)
{
	Str t = renamed(a, "@v.1 = internal global i32 0\n@a.1 = internal alias i32, ptr @v.1\ndefine internal void @f.1() {\n  "
	                   "ret void\n}\n");
	EXPECT_HAS(t, "@\"v_$_1\" = internal global");
	EXPECT_HAS(t, "@\"a_$_1\" = internal alias i32, ptr @\"v_$_1\"");
	EXPECT_HAS(t, "define internal void @\"f_$_1\"()");
}

TEST(globals, numbered_symbols_get_names)
{
	Str t = renamed(a, "@0 = private global i32 0\n@1 = private global ptr @0\n");
	EXPECT_HAS(t, "@__unnamed_1 = private global i32 0\n@__unnamed_2 = private global ptr @__unnamed_1\n");
}

/* ---- alloca-hoisting ---- */

#define LOOPED                                                                                                                \
	"define void @f(i32 %n) {\ne:\n  br label %l\nl:\n  %i = phi i32 [ 0, %e ], [ %j, %l ]\n  %slot = alloca [4 x i32], " \
	"align 16\n  store i32 %i, ptr %slot\n  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %n\n  br i1 %c, label %l, label " \
	"%d\nd:\n  ret void\n}\n"

TEST(globals, ALLOCA_01_ALLOCA_03_hoisted_to_the_entry)
{
	Bench *b = bench_open(a, LOOPED);
	EXPECT(bench_run(b, "alloca-hoisting"));
	EXPECT_HAS(bench_text(b), "e:\n  %slot = alloca [4 x i32], align 16\n  br label %l");
	EXPECT(!bench_run(b, "alloca-hoisting"));
	EXPECT(bench_remark(b, REMARK_PASSED, "alloca is made in the entry block: one object for all iterations of its loop"));
	bench_close(b);
}

TEST(globals, ALLOCA_02_computed_size_stays)
{
	Bench *b = bench_open(a, "define void @f(i32 %n) {\ne:\n  br label %l\nl:\n  %m = add i32 %n, 1\n  %s = alloca i32, i32 "
	                         "%m\n  store i32 0, ptr %s\n  ret void\n}\n");
	EXPECT(!bench_run(b, "alloca-hoisting"));
	EXPECT(bench_remark(b, REMARK_MISSED, "computed size"));
	bench_close(b);
}

TEST(globals, ALLOCA_04_one_place_for_all)
{
	Text t;
	text_init(&t, a);
	text_s(&t, "define void @f() {\ne:\n  br label %b0\n");
	for (u32 i = 0; i < 40; i++)
		text_f(&t, "b%u:\n  %%s%u = alloca i32\n  store i32 %u, ptr %%s%u\n  br label %%b%u\n", i, i, i, i, i + 1);
	text_s(&t, "b40:\n  ret void\n}\n");
	text_c(&t, 0);
	Bench *b = bench_open(a, t.p);
	bench_run(b, "alloca-hoisting");
	IrFunc *f = ir_func(b->m, ir_find_global(b->m, STR("f")));
	ir_each_block(b->m, f, blk)
		ir_each_inst(b->m, blk, i)
			if (ir_inst(b->m, i)->op == IR_ALLOCA)
				EXPECT(ir_same(blk, f->first));
	bench_close(b);
}

/* ---- nvptx-lower-args ---- */

static Str lowered(Arena *a, const char *text) { return after(a, text, "nvptx-lower-args"); }
#define S "%S = type { i32, i32, [2 x i32] }\n"

TEST(globals, ARGS_kernel_pointers_are_global)
{
	Str t = lowered(a, "define ptx_kernel void @k(ptr %p, ptr addrspace(3) %q) {\n  store i32 1, ptr %p\n  store i32 1, ptr "
	                   "addrspace(3) %q\n  ret void\n}\n");
	EXPECT_HAS(t, "%p1 = addrspacecast ptr %p to ptr addrspace(1)\n  %p2 = addrspacecast ptr addrspace(1) %p1 to ptr\n  "
	              "store i32 1, ptr %p2");
	EXPECT_HAS(t, "store i32 1, ptr addrspace(3) %q");
	t = lowered(a, "define void @f(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n");
	EXPECT_HASNT(t, "addrspacecast");
}

TEST(globals, ARGS_pointers_in_arguments_are_global)
{
	Str t = lowered(a, "define ptx_kernel void @k(ptr byval({ i32, ptr }) %s, i64 %i) {\n  %f = getelementptr { i32, ptr }, "
	                   "ptr %s, i64 0, i32 1\n  %p = load ptr, ptr %f\n  store i32 1, ptr %p\n"
	                   "  %q = inttoptr i64 %i to ptr\n  store i32 2, ptr %q\n  ret void\n}\n");
	EXPECT_HAS(t, "addrspacecast ptr %p to ptr addrspace(1)");
	EXPECT_HAS(t, "addrspacecast ptr %q to ptr addrspace(1)");
}

TEST(globals, ARGS_byval_that_is_read_stays_in_param)
{
	Str t = lowered(a, S "define void @f(ptr byval(%S) %s, ptr %o, i64 %i) {\n  %g = getelementptr %S, ptr %s, i64 0, i32 2, "
	                     "i64 %i\n  %v = load i32, ptr %g\n  store i32 %v, ptr %o\n  ret void\n}\n");
	EXPECT_HAS(t, "%s1 = addrspacecast ptr %s to ptr addrspace(101)");
	EXPECT_HAS(t, "getelementptr %S, ptr addrspace(101) %s1, i64 0, i32 2, i64 %i");
	EXPECT_HASNT(t, "alloca");
}

TEST(globals, ARGS_byval_that_is_written_is_copied)
{
	Str t = lowered(a, S "define ptx_kernel void @f(ptr byval(%S) align 8 %s) {\n  store i32 1, ptr %s\n  ret void\n}\n");
	EXPECT_HAS(t, "alloca %S, align 8");
	EXPECT_EQ(str_count(t, "load i32, ptr addrspace(101)"), 4);
	/* With padding, which a union may hold something in: byte for byte. */
	t = lowered(
		a,
		"%P = type { i8, i32 }\ndefine ptx_kernel void @f(ptr byval(%P) %s) {\n  store i32 1, ptr %s\n  ret void\n}\n");
	EXPECT_HAS(t, "call void @llvm.memcpy.p0.p101.i64(");
	/* That of a device function lies in local memory already. */
	t = lowered(a, S "define void @f(ptr byval(%S) align 8 %s) {\n  store i32 1, ptr %s\n  ret void\n}\n");
	EXPECT_HASNT(t, "alloca");
	EXPECT_HAS(t, "addrspacecast ptr %s to ptr addrspace(5)");
}

TEST(globals, ARGS_grid_constant_escapes_by_its_address)
{
	Str t = lowered(a, S "declare void @use(ptr)\ndefine void @k(ptr byval(%S) %s) {\n  call void @use(ptr %s)\n  %v = load "
	                     "i32, ptr %s\n  call void @use(ptr %s)\n  ret void\n}\n"
	                     "!nvvm.annotations = !{!0, !1}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n!1 = !{ptr @k, "
	                     "!\"grid_constant\", !2}\n!2 = !{i32 1}\n");
	EXPECT_HAS(t, "addrspacecast ptr addrspace(101) %s1 to ptr");
	EXPECT_HAS(t, "load i32, ptr addrspace(101) %s1");
	EXPECT_HASNT(t, "alloca");
}

TEST(globals, ARGS_memcpy_from_byval)
{
	Str t = lowered(a,
	                S "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndefine void @f(ptr byval(%S) %s, ptr %o) {\n  "
	                  "call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %s, i64 16, i1 false)\n  ret void\n}\n");
	EXPECT_HAS(t, "call void @llvm.memcpy.p0.p101.i64(ptr align 4 %o, ptr addrspace(101) align 4 %s1, i64 16, i1 false)");
}

UNIT_MAIN
