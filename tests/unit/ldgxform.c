/* ldgxform on IR: each behaviour by its id. What selection prints for the loads is in tests/opt/ldgxform.ll. */
#include "irpass.h"

#define HEAD "target triple = \"nvptx64-nvidia-cuda\"\n"
#define P    "ptr addrspace(1) noalias readonly %p"
#define O    "ptr addrspace(1) %o"

static Bench *transformed(Arena *a, const char *text)
{
	Bench *b = bench_open(a, text);
	bench_run(b, "ldgxform");
	return b;
}

/* A kernel that loads `type` from %p by `load` and has `rest`. */
static Bench *kernel(Arena *a, const char *arguments, const char *body)
{
	return transformed(
		a, arena_fmt(a, HEAD "declare void @use(ptr addrspace(1))\ndefine ptx_kernel void @k(%s) {\n%s  ret void\n}\n",
	                     arguments, body)
			   .p);
}

TEST(ldgxform, LDG_01_loads_of_read_only_memory_are_marked)
{
	Bench *b = kernel(a, P ", " O, "  %v = load i32, ptr addrspace(1) %p\n  store i32 %v, ptr addrspace(1) %o\n");
	EXPECT_HAS(bench_text(b), "%v = load i32, ptr addrspace(1) %p, !invariant.load !0");
	EXPECT(bench_remark(b, REMARK_PASSED, "ld.global.nc"));
	EXPECT(!bench_run(b, "ldgxform"));
	bench_close(b);
	/* constant variables in any function */
	b = transformed(
		a, HEAD
		"@c = addrspace(1) constant [4 x i32] zeroinitializer\ndefine i32 @f(i64 %i) {\n"
		"  %q = getelementptr i32, ptr addrspace(1) @c, i64 %i\n  %v = load i32, ptr addrspace(1) %q\n  ret i32 %v\n}\n");
	EXPECT_HAS(bench_text(b), "!invariant.load");
	bench_close(b);
}

TEST(ldgxform, LDG_02_volatile_and_atomic_loads_stay)
{
	Bench *b = kernel(a, P,
	                  "  %v = load volatile i32, ptr addrspace(1) %p\n  %w = load atomic i32, ptr addrspace(1) %p monotonic, "
	                  "align 4\n");
	EXPECT_HASNT(bench_text(b), "!invariant.load");
	bench_close(b);
}

TEST(ldgxform, LDG_03_what_may_be_written_stays)
{
	static const char *const arguments[] = {
		"ptr addrspace(1) readonly %p",                /* another pointer may write it */
		"ptr addrspace(1) noalias %p",                 /* and here the kernel does */
		"ptr addrspace(1) noalias readonly %q, i64 %i" /* from an integer */
	};
	static const char *const address[] = {"", "  store i32 7, ptr addrspace(1) %p\n",
	                                      "  %p = inttoptr i64 %i to ptr addrspace(1)\n"};
	for (u32 k = 0; k < PS_COUNT(arguments); k++) {
		Bench *b = kernel(a, arguments[k], arena_fmt(a, "%s  %%v = load i32, ptr addrspace(1) %%p\n", address[k]).p);
		EXPECT_HASNT(bench_text(b), "!invariant.load");
		EXPECT(bench_remark(b, REMARK_MISSED, "not ld.global.nc"));
		bench_close(b);
	}
	Bench *b = transformed(a, HEAD "define i32 @f(" P ") {\n  %v = load i32, ptr addrspace(1) %p\n  ret i32 %v\n}\n");
	EXPECT_HASNT(bench_text(b), "!invariant.load");
	EXPECT(bench_remark(b, REMARK_MISSED, "no kernel"));
	bench_close(b);
}

TEST(ldgxform, LDG_04_other_address_spaces_stay)
{
	static const char *const spaces[] = {"ptr", "ptr addrspace(3)", "ptr addrspace(4)", "ptr addrspace(5)"};
	for (u32 k = 0; k < PS_COUNT(spaces); k++) {
		Bench *b = kernel(a, arena_fmt(a, "%s noalias readonly %%p", spaces[k]).p,
		                  arena_fmt(a, "  %%v = load <8 x float>, %s %%p\n", spaces[k]).p);
		EXPECT_HASNT(bench_text(b), "!invariant.load");
		EXPECT_HASNT(bench_text(b), "splitVec");
		bench_close(b);
	}
}

TEST(ldgxform, LDG_05_wide_integers_are_loaded_in_pieces)
{
	Bench *b = kernel(a, P ", " O, "  %x = load i256, ptr addrspace(1) %p, align 8\n  store i256 %x, ptr addrspace(1) %o\n");
	Str    t = bench_text(b);
	EXPECT_HAS(t, "%x.load = load i64, ptr addrspace(1) %p, align 8, !invariant.load");
	EXPECT_HAS(t, "%x.ldgsplit = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8\n"
	              "  %x.load1 = load i64, ptr addrspace(1) %x.ldgsplit, align 8, !invariant.load");
	EXPECT_HAS(t, "%x.ldgsplitinsert = insertelement <4 x i64> poison, i64 %x.load, i32 0\n"
	              "  %x.ldgsplitinsert1 = insertelement <4 x i64> %x.ldgsplitinsert, i64 %x.load1, i32 1\n");
	EXPECT_HAS(t, "%vecBitCast = bitcast <4 x i64> %x.ldgsplitinsert3 to i256\n  store i256 %vecBitCast");
	EXPECT_HASNT(t, "load i256");
	bench_close(b);
	b = kernel(a, P ", " O, "  %x = load i128, ptr addrspace(1) %p, align 16\n  store i128 %x, ptr addrspace(1) %o\n");
	EXPECT_HAS(bench_text(b), "load i128");
	bench_close(b);
}

TEST(ldgxform, LDG_06_128_bits_are_one_load)
{
	Bench *b = kernel(a, P ", " O,
	                  "  %x = load <4 x float>, ptr addrspace(1) %p, align 16\n"
	                  "  store <4 x float> %x, ptr addrspace(1) %o\n");
	EXPECT_HAS(bench_text(b), "%x = load <4 x float>, ptr addrspace(1) %p, align 16, !invariant.load");
	bench_close(b);
}

TEST(ldgxform, LDG_07_pieces_are_as_wide_as_the_alignment_allows)
{
	Bench *b = kernel(a, P ", " O,
	                  "  %x = load <8 x i32>, ptr addrspace(1) %p, align 8\n"
	                  "  store <8 x i32> %x, ptr addrspace(1) %o\n");
	EXPECT_EQ(str_count(bench_text(b), "load <2 x i32>"), 4);
	EXPECT_HASNT(bench_text(b), "load <4 x i32>");
	bench_close(b);
	b = kernel(a, P ", " O,
	           "  %x = load <8 x i32>, ptr addrspace(1) %p, align 2\n"
	           "  store <8 x i32> %x, ptr addrspace(1) %o\n");
	EXPECT_HAS(bench_text(b), "%x = load <8 x i32>, ptr addrspace(1) %p, align 2, !invariant.load"); /* selection's */
	bench_close(b);
}

TEST(ldgxform, LDG_08_lanes_keep_their_order)
{
	Bench *b = kernel(a, P ", " O,
	                  "  %x = load <8 x float>, ptr addrspace(1) %p, align 32\n"
	                  "  store <8 x float> %x, ptr addrspace(1) %o\n");
	Str    t = bench_text(b);
	EXPECT_HAS(t, "%splitVec = load <4 x float>, ptr addrspace(1) %p, align 32, !invariant.load");
	EXPECT_HAS(t, "%splitVec1 = load <4 x float>, ptr addrspace(1) %splitVecGEP, align 16, !invariant.load");
	EXPECT_HAS(t, "%extractSplitVec3 = extractelement <4 x float> %splitVec, i32 3\n"
	              "  %insertSplitVec3 = insertelement <8 x float> %insertSplitVec2, float %extractSplitVec3, i32 3\n"
	              "  %extractSplitVec4 = extractelement <4 x float> %splitVec1, i32 0\n"
	              "  %insertSplitVec4 = insertelement <8 x float> %insertSplitVec3, float %extractSplitVec4, i32 4\n");
	EXPECT_HAS(t, "store <8 x float> %insertSplitVec7");
	bench_close(b);
	b = kernel(a, P ", " O,
	           "  %x = load <6 x float>, ptr addrspace(1) %p, align 16\n"
	           "  store <6 x float> %x, ptr addrspace(1) %o\n");
	EXPECT_HAS(bench_text(b), "%splitVec1 = load <2 x float>");
	EXPECT_HAS(bench_text(b), "float %extractSplitVec5, i32 5");
	bench_close(b);
}

TEST(ldgxform, LDG_09_casts_of_a_split_vector_are_casts_of_its_pieces)
{
	Bench *b = kernel(a, P ", " O,
	                  "  %x = load <16 x half>, ptr addrspace(1) %p, align 32\n"
	                  "  %c = bitcast <16 x half> %x to <8 x i32>\n"
	                  "  %e = extractelement <8 x i32> %c, i32 6\n  store i32 %e, ptr addrspace(1) %o\n");
	Str    t = bench_text(b);
	EXPECT_EQ(str_count(t, "load <8 x half>"), 2);
	EXPECT_HAS(t, "%vecBitCast1 = bitcast <8 x half> %splitVec1 to <4 x i32>");
	EXPECT_HAS(t, "= extractelement <4 x i32> %vecBitCast1, i32 2\n");
	EXPECT_HASNT(t, "<16 x half>");
	bench_close(b);
	/* where a lane of the result lies in two pieces the vector is put together */
	b = kernel(a, P ", " O,
	           "  %x = load <8 x i32>, ptr addrspace(1) %p, align 4\n"
	           "  %c = bitcast <8 x i32> %x to <4 x i64>\n  store <4 x i64> %c, ptr addrspace(1) %o\n");
	EXPECT_HAS(bench_text(b), "bitcast <8 x i32> %insertSplitVec7 to <4 x i64>");
	bench_close(b);
}

TEST(ldgxform, LDG_10_extracts_and_inserts_work_on_the_pieces)
{
	Bench *b = kernel(a, P ", " O ", float %z",
	                  "  %x = load <8 x float>, ptr addrspace(1) %p, align 32\n"
	                  "  %w = insertelement <8 x float> %x, float %z, i32 6\n"
	                  "  %n = extractelement <8 x float> %w, i32 6\n"
	                  "  %m = extractelement <8 x float> %w, i32 1\n"
	                  "  %l = extractelement <8 x float> %x, i32 6\n"
	                  "  %s = fadd float %n, %m\n  %t = fadd float %s, %l\n  store float %t, ptr addrspace(1) %o\n");
	Str    t = bench_text(b);
	EXPECT_HAS(t, "%insertSplitVec = insertelement <4 x float> %splitVec1, float %z, i32 2\n");
	EXPECT_HAS(t, "= extractelement <4 x float> %insertSplitVec, i32 2\n"); /* %n */
	EXPECT_HAS(t, "= extractelement <4 x float> %splitVec, i32 1\n");       /* %m */
	EXPECT_HAS(t, "= extractelement <4 x float> %splitVec1, i32 2\n");      /* %l: before the insertion */
	EXPECT_HASNT(t, "<8 x float>");
	bench_close(b);
	/* an index that is not known asks for the whole vector, one that is out of range gives poison */
	b = kernel(a, P ", " O ", i32 %i",
	           "  %x = load <8 x float>, ptr addrspace(1) %p, align 32\n"
	           "  %n = extractelement <8 x float> %x, i32 %i\n  store float %n, ptr addrspace(1) %o\n");
	EXPECT_HAS(bench_text(b), "%n = extractelement <8 x float> %insertSplitVec7, i32 %i");
	bench_close(b);
}

TEST(ldgxform, LDG_11_addresses_of_pieces_are_their_byte_offsets)
{
	Bench *b = kernel(a, P ", " O,
	                  "  %x = load <8 x double>, ptr addrspace(1) %p, align 16\n"
	                  "  store <8 x double> %x, ptr addrspace(1) %o\n");
	Str    t = bench_text(b);
	EXPECT_HAS(t, "%splitVecGEP = getelementptr inbounds i8, ptr addrspace(1) %p, i64 16\n");
	EXPECT_HAS(t, "%splitVecGEP1 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 32\n");
	EXPECT_HAS(t, "%splitVecGEP2 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 48\n");
	bench_close(b);
}

TEST(ldgxform, LDG_12_targets_without_the_instruction)
{
	Bench *b = bench_open(a, HEAD "define ptx_kernel void @k(" P
	                              ") {\n  %v = load <8 x i32>, ptr addrspace(1) %p\n  ret void\n}\n");
	b->s.target.sm = 30;
	EXPECT(!bench_run(b, "ldgxform"));
	b->s.target.sm = 35;
	EXPECT(bench_run(b, "ldgxform"));
	bench_close(b);
}

TEST(ldgxform, LDG_14_stores_and_atomics_stay)
{
	const char *body = "  %v = atomicrmw add ptr addrspace(1) %o, i32 1 seq_cst\n"
			   "  store <8 x float> zeroinitializer, ptr addrspace(1) %o, align 32\n";
	Bench *b = bench_open(a, arena_fmt(a, "%s%s  ret void\n}\n", HEAD "define ptx_kernel void @k(" P ", " O ") {\n", body).p);
	EXPECT(!bench_run(b, "ldgxform"));
	EXPECT_HAS(bench_text(b), "store <8 x float> zeroinitializer, ptr addrspace(1) %o, align 32\n");
	bench_close(b);
}

/* ---- where read-only pointers come from: INVL behaviours of the same analysis are in mir_pass.c ---- */

static bool is_marked(Arena *a, const char *arguments, const char *body)
{
	Bench *b = kernel(a, arguments, body);
	bool   marked = str_has(bench_text(b), "!invariant.load");
	bench_close(b);
	return marked;
}

/* %q is a pointer that a loop counts up from %p; the loop's entry may come from elsewhere. */
static const char *loop(Arena *a, const char *start, const char *next)
{
	return arena_fmt(a,
	                 "  br label %%loop\nloop:\n  %%q = phi ptr addrspace(1) [ %s, %%0 ], [ %%n, %%loop ]\n"
	                 "  %%n = getelementptr i8, ptr addrspace(1) %s, i64 4\n  %%v = load i32, ptr addrspace(1) %%q\n"
	                 "  %%c = icmp eq i32 %%v, 0\n  br i1 %%c, label %%loop, label %%done\ndone:\n",
	                 start, next)
	        .p;
}

TEST(ldgxform, a_pointer_that_a_loop_advances_is_as_read_only_as_its_base)
{
	EXPECT(is_marked(a, P, loop(a, "%p", "%q")));
	EXPECT(is_marked(a, P ", ptr addrspace(1) noalias readonly %r", loop(a, "%p", "%r")));
	EXPECT(!is_marked(a, P ", " O, loop(a, "%o", "%q")));
	EXPECT(!is_marked(a, P ", " O, loop(a, "%p", "%o")));
}

TEST(ldgxform, both_sides_of_a_select_count)
{
	const char *body =
		"  %s = select i1 %c, ptr addrspace(1) %p, ptr addrspace(1) %r\n  %v = load i32, ptr addrspace(1) %s\n";
	EXPECT(is_marked(a, P ", i1 %c, ptr addrspace(1) noalias readonly %r", body));
	EXPECT(!is_marked(a, P ", i1 %c, ptr addrspace(1) noalias %r, i32 %x",
	                  arena_fmt(a, "%s  store i32 %%x, ptr addrspace(1) %%r\n", body).p));
	EXPECT(!is_marked(a, P ", i1 %c, ptr addrspace(1) readonly %r", body));
}

/* Two loops of which one starts where the other ends, a bad pointer joining in the second: the first is not concerned. */
TEST(ldgxform, a_bad_root_spreads_to_what_is_computed_from_it_alone)
{
	Bench *b =
		kernel(a, P ", " O,
	               "  br label %l1\nl1:\n  %q = phi ptr addrspace(1) [ %p, %0 ], [ %n, %l1 ]\n"
	               "  %n = getelementptr i8, ptr addrspace(1) %q, i64 4\n  %c = icmp eq ptr addrspace(1) %n, %o\n"
	               "  br i1 %c, label %l1, label %l2\nl2:\n  %r = phi ptr addrspace(1) [ %n, %l1 ], [ %o, %l2 ]\n"
	               "  %v = load i32, ptr addrspace(1) %r\n  %w = load i32, ptr addrspace(1) %q\n  %d = icmp eq i32 %v, %w\n"
	               "  br i1 %d, label %l2, label %done\ndone:\n");
	EXPECT_HAS(bench_text(b), "%v = load i32, ptr addrspace(1) %r\n");
	EXPECT_HAS(bench_text(b), "%w = load i32, ptr addrspace(1) %q, !invariant.load");
	bench_close(b);
}

UNIT_MAIN
