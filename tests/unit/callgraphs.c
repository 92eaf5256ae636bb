/* Random call graphs: recursion, calls through pointers, spaces that agree and that do not. Narrowing
 * ends, is valid IR, and the program computes what it did before; a wrong space would fault.
 * CALLGRAPHS=20000 in the environment runs that many, from CALLGRAPHS_SEED on; the default is a sample. */
#include "graph_oracle.h"
#include "irpass.h"
#include "simt/simt.h"

typedef struct Gen {
	Rng  r;
	Text t;
	u32  n;     /* functions */
	u32  value; /* last temporary */
	bool plain; /* internal functions, pointers to two spaces or to one of two: everything has a clone */
} Gen;

static u32 below(Gen *g, u32 n) { return rng_below(&g->r, n); }

/* Writes what makes a pointer and returns its number: %pN. */
static u32 pointer(Gen *g, bool in_kernel)
{
	u32 v = ++g->value;
	switch (g->plain ? below(g, 5) % 4 : below(g, in_kernel ? 4 : 9)) {
	case 0:
		text_f(&g->t, "  %%p%u = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @sh to ptr), i64 %u\n", v,
		       below(g, 4));
		break;
	case 1:
		text_f(&g->t, "  %%p%u = getelementptr i32, ptr addrspacecast (ptr addrspace(1) @gl to ptr), i64 %u\n", v,
		       below(g, 4));
		break;
	case 2:
		if (g->plain) {
			text_f(&g->t,
			       "  %%p%u = select i1 %%c, ptr addrspacecast (ptr addrspace(3) @sh to ptr), ptr addrspacecast (ptr "
			       "addrspace(1) @gl to ptr)\n",
			       v);
			break;
		}
		text_f(&g->t, "  %%p%u = getelementptr i32, ptr %%slot, i64 %u\n", v, below(g, 4));
		break;
	case 3: {
		if (g->plain) {
			text_f(&g->t, "  %%p%u = getelementptr i32, ptr addrspacecast (ptr addrspace(1) @gl to ptr), i64 %u\n", v,
			       below(g, 4));
			break;
		}
		u32 a = pointer(g, true), b = below(g, 3) ? a : pointer(g, true);
		text_f(&g->t, "  %%p%u = select i1 %%c, ptr %%p%u, ptr %%p%u\n", v, a, b);
		break;
	}
	case 4:
	case 5: text_f(&g->t, "  %%p%u = getelementptr i32, ptr %%a, i64 %u\n", v, below(g, 2)); break;
	case 6: text_f(&g->t, "  %%p%u = getelementptr i32, ptr %%b, i64 %u\n", v, below(g, 2)); break;
	case 7: text_f(&g->t, "  store ptr %%a, ptr %%keep\n  %%p%u = load ptr, ptr %%keep\n", v); break;
	default: text_f(&g->t, "  %%i%u = ptrtoint ptr %%b to i64\n  %%p%u = inttoptr i64 %%i%u to ptr\n", v, v, v); break;
	}
	return v;
}

/* A call to a random function; adds its result to the running sum %sN, returns the new N. */
static u32 call(Gen *g, u32 sum, bool in_kernel)
{
	u32  f = below(g, g->n), x = pointer(g, in_kernel), y = g->plain ? 0 : pointer(g, in_kernel), v = ++g->value;
	bool indirect = !g->plain && below(g, 12) == 0;
	if (g->plain) {
		y = ++g->value;
		text_f(&g->t, "  %%p%u = getelementptr i32, ptr addrspacecast (ptr addrspace(1) @gl to ptr), i64 1\n", y);
	}
	if (indirect) {
		text_f(&g->t,
		       "  %%t%u = getelementptr ptr, ptr addrspace(1) @table, i64 %u\n  %%f%u = load ptr, ptr addrspace(1) "
		       "%%t%u\n",
		       v, below(g, 4), v, v);
		text_f(&g->t, "  %%r%u = call i32 %%f%u(ptr %%p%u, ptr %%p%u, i32 %%m)\n", v, v, x, y);
	} else if (f % 5 == 4) {
		text_f(&g->t, "  %%q%u = call ptr @f%u(ptr %%p%u, ptr %%p%u, i32 %%m)\n  %%r%u = load i32, ptr %%q%u\n", v, f, x,
		       y, v, v);
	} else {
		text_f(&g->t, "  %%r%u = call i32 @f%u(ptr %%p%u, ptr %%p%u, i32 %%m)\n", v, f, x, y);
	}
	text_f(&g->t, "  %%s%u = add i32 %%s%u, %%r%u\n", v, sum, v);
	return v;
}

/* Every fifth function returns a pointer, the others a sum. */
static void function(Gen *g, u32 f)
{
	static const char *const linkage[] = {"internal ", "internal ", "", "weak_odr ", "linkonce_odr "};
	bool                     ptr = f % 5 == 4;
	u32                      sum = ++g->value, calls = below(g, 3);
	text_f(&g->t, "define %s%s @f%u(ptr %%a, ptr %%b, i32 %%n) {\n  %%slot = alloca [8 x i32]\n  %%keep = alloca ptr\n",
	       linkage[g->plain ? 0 : below(g, 5)], ptr ? "ptr" : "i32", f);
	text_s(&g->t, "  store [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8], ptr %slot\n");
	text_f(&g->t,
	       "  %%c = icmp ugt i32 %%n, 1\n  %%x = load i32, ptr %%a\n  %%y = load i32, ptr %%b\n  %%s%u = mul i32 %%x, %u\n  "
	       "%%z = icmp eq i32 %%n, 0\n  br i1 %%z, label %%done, label %%more\nmore:\n  %%m = sub i32 %%n, 1\n",
	       sum, 3 + below(g, 9));
	u32 last = sum;
	for (u32 i = 0; i < calls; i++)
		last = call(g, last, false);
	if (below(g, 2))
		text_f(&g->t, "  store i32 %%s%u, ptr %%b\n", last);
	u32 p = pointer(g, false);
	/* What lives on the stack is gone afterwards: only arguments are returned. */
	(void)p;
	text_f(&g->t, "  br label %%done\ndone:\n  %%w = phi i32 [ %%s%u, %%0 ], [ %%s%u, %%more ]\n", sum, last);
	if (ptr)
		text_f(&g->t, "  %%pick = select i1 %%z, ptr %%a, ptr %s\n  ret ptr %%pick\n}\n", below(g, 2) ? "%a" : "%b");
	else
		text_s(&g->t, "  %v = add i32 %w, %y\n  ret i32 %v\n}\n");
}

static void module(Gen *g)
{
	text_s(&g->t, "target triple = \"nvptx64-nvidia-cuda\"\n@sh = internal addrspace(3) global [64 x i32] undef\n@gl = "
	              "internal addrspace(1) global [64 x i32] zeroinitializer\n");
	/* Functions that return sums only: 0, 1, 2, 3. */
	if (!g->plain)
		text_f(&g->t, "@table = internal addrspace(1) global [4 x ptr] [ptr @f0, ptr @f%u, ptr @f%u, ptr @f%u]\n",
		       1 % g->n, 2 % g->n, 3 % g->n);
	for (u32 f = 0; f < g->n; f++)
		function(g, f);
	u32 sum = ++g->value;
	text_f(&g->t,
	       "define ptx_kernel void @k(ptr %%out) {\n  %%slot = alloca [8 x i32]\n  store [8 x i32] [i32 9, i32 2, i32 3, i32 "
	       "4, i32 5, i32 6, i32 7, i32 8], ptr %%slot\n"
	       "  store [8 x i32] [i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18], ptr addrspace(3) @sh\n"
	       "  store [8 x i32] [i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28], ptr addrspace(1) @gl\n"
	       "  %%c = icmp ne ptr %%out, null\n  %%m = add i32 0, 3\n  %%s%u = add i32 0, 0\n",
	       sum);
	for (u32 i = 0; i < 3; i++)
		sum = call(g, sum, true);
	text_f(&g->t, "  store i32 %%s%u, ptr %%out\n  ret void\n}\n", sum);
	text_c(&g->t, 0);
}

static const char *const launch_text = "{\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[1,1,1],\"buffers\":{\"out\":{\"type\":"
				       "\"u32\",\"count\":1}},\"args\":[{\"buffer\":\"out\"}]}";

/* The result, or all ones where it faulted: offsets may run past a slot after many calls, alike in both. */
static u64 execute(Bench *b)
{
	Arena a;
	u64   result = ~(u64)0;
	arena_init(&a, &b->s.budget);
	SimtLaunch  *l = simt_launch_parse(&b->s, &a, str_of(launch_text));
	SimtProgram *p = simt_from_ir(&b->s, &a, b->m);
	SimtOptions  o = {.max_steps = 2000000};
	SimtMachine *m = l && p ? simt_new(p, l, &o) : NULL;
	EXPECT(m != NULL);
	if (m) {
		while (simt_run(m, 1000000) == SIMT_RUNNING)
			;
		u32 v;
		memcpy(&v, simt_buffer(m, 0), 4);
		if (!simt_fault(m))
			result = v;
		simt_free(m);
	}
	arena_free(&a);
	return result;
}

static u32 narrowed, executed, split, removed;

static void one_case(Arena *a, u64 seed, u32 max_functions)
{
	Gen g = {.r = {seed}};
	text_init(&g.t, a);
	g.plain = seed % 5 == 0;
	g.n = 4 + below(&g, max_functions);
	if (g.n % 5 == 0)
		g.n++; /* the table holds 0 .. 3 */
	module(&g);
	Bench *b = bench_open(a, g.t.p);
	u64    want = execute(b);
	bool   libnvvm = seed % 4 == 0;
	bench_knob(b, "ipmsp-variant", libnvvm ? "libnvvm" : "new-pm");
	narrowed += bench_run(b, libnvvm ? "ipmsp-libnvvm" : "ipmsp");
	bench_run(b, "memory-space-opt:first-time");
	bench_run(b, "infer-address-spaces");
	u64 got = execute(b);
	executed += want != ~(u64)0;
	split += bench_remark(b, REMARK_PASSED, "is split");
	removed += bench_remark(b, REMARK_PASSED, "is removed");
	EXPECT_EQ(got, want);
	if (got != want) {
		printf("# seed %u, %u functions\n%s\n", (u32)seed, g.n, g.t.p);
		exit(1);
	}
	bench_close(b);
}

TEST(ipmsp, IPMSP_28_random_call_graphs)
{
	const char *more = getenv("CALLGRAPHS");
	u32         cases = more ? (u32)strtoul(more, NULL, 10) : 150;
	const char *from = getenv("CALLGRAPHS_SEED");
	u64         seed = from ? strtoull(from, NULL, 10) : 1;
	for (u32 i = 0; i < cases; i++) {
		Arena c;
		arena_init(&c, a->budget);
		one_case(&c, seed + i, i % 25 == 24 ? 196 : 12);
		arena_free(&c);
	}
	EXPECT(narrowed * 2 > cases);
	EXPECT(executed * 2 > cases);
	EXPECT(split > 0 && removed > 0);
	printf("# %u cases, %u narrowed, %u ran to the end, %u split calls, %u removed functions\n", cases, narrowed, executed,
	       split, removed);
}

UNIT_MAIN
