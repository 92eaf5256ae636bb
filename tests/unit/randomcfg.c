/* Random control flow, reducible or not, through stack slots: each pass leaves valid IR that computes the
 * same for each thread of a warp whose threads take different ways. RANDOMCFG=N in the environment runs N. */
#include "graph_oracle.h"
#include "ir/builder.h"
#include "ir/text.h"
#include "irpass.h"
#include "irpass/cssa.h"
#include "simt/simt.h"
#include "structured.h"
#include "webs.h"

enum { VARS = 5 };

/* Blocks of random arithmetic on VARS slots; random branches; a budget in slot `fuel` ends it. */
static void module(Text *t, Rng *r)
{
	u32 n = 2 + rng_below(r, 9), v = 0;
	text_s(t, "target triple = \"nvptx64-nvidia-cuda\"\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndefine ptx_kernel void "
	          "@k(ptr %out) {\n");
	for (u32 i = 0; i < VARS; i++)
		text_f(t, "  %%v%u = alloca i32\n", i);
	text_s(t, "  %fuel = alloca i32\n  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  store i32 0, ptr %fuel\n");
	for (u32 i = 0; i < VARS; i++)
		text_f(t, "  %%i%u = mul i32 %%tid, %u\n  store i32 %%i%u, ptr %%v%u\n", i, 3 * i + 1, i, i);
	text_s(t, "  br label %b0\n");
	for (u32 b = 0; b < n; b++) {
		text_f(t, "b%u:\n", b);
		for (u32 k = 0, ops = rng_below(r, 5); k < ops; k++, v++) {
			static const char *const op[] = {"add", "sub", "mul", "xor", "and"};
			text_f(t,
			       "  %%x%u = load i32, ptr %%v%u\n  %%y%u = load i32, ptr %%v%u\n  %%z%u = %s i32 %%x%u, %%y%u\n  "
			       "store i32 %%z%u, ptr %%v%u\n",
			       v, rng_below(r, VARS), v, rng_below(r, VARS), v, op[rng_below(r, 5)], v, v, v, rng_below(r, VARS));
			if (rng_below(r, 3) == 0) /* a swap */
				text_f(t,
				       "  %%sa%u = load i32, ptr %%v0\n  %%sb%u = load i32, ptr %%v1\n  store i32 %%sb%u, ptr "
				       "%%v0\n  store i32 %%sa%u, ptr %%v1\n",
				       v, v, v, v);
		}
		text_f(t,
		       "  %%f%u = load i32, ptr %%fuel\n  %%g%u = add i32 %%f%u, 1\n  store i32 %%g%u, ptr %%fuel\n  %%e%u = "
		       "icmp ugt i32 %%g%u, 40\n  br i1 %%e%u, label %%exit, label %%c%u\nc%u:\n",
		       b, b, b, b, b, b, b, b, b);
		text_f(t, "  %%w%u = load i32, ptr %%v%u\n", b, rng_below(r, VARS));
		if (rng_below(r, 5) == 0)
			text_f(t,
			       "  switch i32 %%w%u, label %%b%u [ i32 0, label %%b%u\n i32 1, label %%b%u\n i32 3, label %%exit "
			       "]\n",
			       b, rng_below(r, n), rng_below(r, n), rng_below(r, n));
		else
			text_f(t,
			       "  %%h%u = and i32 %%w%u, %u\n  %%k%u = icmp eq i32 %%h%u, 0\n  br i1 %%k%u, label %%b%u, label "
			       "%%b%u\n",
			       b, b, 1 + rng_below(r, 3), b, b, b, rng_below(r, n), rng_below(r, n));
	}
	text_s(t, "exit:\n  %sum0 = load i32, ptr %fuel\n");
	for (u32 i = 0; i < VARS; i++)
		text_f(t, "  %%l%u = load i32, ptr %%v%u\n  %%m%u = mul i32 %%sum%u, 31\n  %%sum%u = add i32 %%m%u, %%l%u\n", i,
		       i, i, i, i + 1, i, i);
	text_f(t, "  %%to = getelementptr i32, ptr %%out, i32 %%tid\n  store i32 %%sum%u, ptr %%to\n  ret void\n}\n", VARS);
	text_c(t, 0);
}

typedef struct Result {
	u32 lane[32];
} Result;

static Result execute(Bench *b, u32 threads)
{
	Result r = {{0}};
	Arena  a;
	arena_init(&a, &b->s.budget);
	Str          text = arena_fmt(&a,
	                              "{\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[%u,1,1],\"buffers\":{\"out\":{\"type\":\"u32\","
	                                       "\"count\":32}},\"args\":[{\"buffer\":\"out\"}]}",
	                              threads);
	SimtLaunch  *l = simt_launch_parse(&b->s, &a, text);
	SimtProgram *p = simt_from_ir(&b->s, &a, b->m);
	SimtOptions  o = {.max_steps = 4000000};
	SimtMachine *m = l && p ? simt_new(p, l, &o) : NULL;
	EXPECT(m != NULL);
	if (m) {
		while (simt_run(m, 1000000) == SIMT_RUNNING)
			;
		EXPECT(simt_fault(m) == NULL);
		memcpy(r.lane, simt_buffer(m, 0), sizeof r.lane);
		simt_free(m);
	}
	arena_free(&a);
	return r;
}

static u32 irreducible;

static void one_case(Arena *a, u64 seed)
{
	static const char *const pass[] = {"sroa",
	                                   "structurizecfg",
	                                   "instsimplify",
	                                   "early-cse",
	                                   "speculative-execution",
	                                   "unreachableblockelim",
	                                   "nvptx-lower-args",
	                                   "infer-address-spaces",
	                                   "dce",
	                                   "lower-switch",
	                                   "cssa"};
	Rng                      r = {seed};
	Text                     t;
	text_init(&t, a);
	module(&t, &r);
	Bench *b = bench_open(a, t.p);
	if (seed % 2)
		bench_knob(b, "structurizecfg-mode", "strict");
	Str level = arena_fmt(a, "%u", (u32)(seed / 2 % 4));
	bench_knob(b, "cssa-coalesce", level.p);
	u32    threads = 1 + (u32)(seed * 7 % 32); /* which lanes of the warp run */
	Result want = execute(b, threads);
	for (u32 i = 0; i < PS_COUNT(pass); i++) {
		bool    changed = bench_run(b, pass[i]);
		IrFunc *f = ir_func(b->m, ir_find_global(b->m, STR("k")));
		if (i == 1) {
			IrCfg  *cfg = ir_cfg_build(b->m, f, a);
			DomTree dom = dom_build(&cfg->graph, a, 0);
			EXPECT(graph_is_reducible(&cfg->graph, &cfg->order, &dom));
			irreducible += changed;
			if (seed % 2)
				EXPECT(is_structured(&cfg->graph, a));
			EXPECT(!bench_run(b, pass[i])); /* again: nothing to do */
		}
		if (i + 1 == PS_COUNT(pass)) {
			if (seed / 2 % 4 < CSSA_SPLIT_EDGES)
				EXPECT(cssa_check(b->m, f) == NULL);
			EXPECT_STREQ(webs_interference(b->m, f, &b->scratch), STR(""));
		}
		Result got = changed || i + 1 == PS_COUNT(pass) ? execute(b, threads) : want;
		if (memcmp(&got, &want, sizeof got) != 0 || unit_failures) {
			unit_fail(__FILE__, __LINE__, pass[i]);
			printf("# seed %u\n%s\n", (u32)seed, t.p);
			exit(1);
		}
	}
	bench_close(b);
}

/* CSSA-51, CSSA-52: webs without interference (as structure), results equal lane by lane. */
TEST(cfg, CSSA_51_CSSA_52_CFG_02_random_control_flow)
{
	const char *more = getenv("RANDOMCFG");
	u32         cases = more ? (u32)strtoul(more, NULL, 10) : 120;
	for (u32 i = 0; i < cases; i++) {
		Arena c;
		arena_init(&c, a->budget);
		one_case(&c, i + 1);
		arena_free(&c);
	}
	EXPECT(irreducible * 8 > cases);
	printf("# %u cases, structurizecfg changed %u\n", cases, irreducible);
}

/* ---- what divergence calls uniform is so ---- */

static void arithmetic(Text *t, Rng *r, u32 *v)
{
	static const char *const op[] = {"add", "sub", "mul", "xor", "and"};
	for (u32 n = 1 + rng_below(r, 3); n; n--, ++*v)
		text_f(t,
		       "  %%x%u = load i32, ptr %%v%u\n  %%y%u = load i32, ptr %%v%u\n  %%z%u = %s i32 %%x%u, %%y%u\n  store i32 "
		       "%%z%u, ptr %%v%u\n",
		       *v, rng_below(r, VARS), *v, rng_below(r, VARS), *v, op[rng_below(r, 5)], *v, *v, *v, rng_below(r, VARS));
}

/* Branches and loops one behind the other, so that threads meet again behind each. Slots 0 to 2 start with what all
 * threads have in common, the others with what they have not. */
static void regions(Text *t, Rng *r)
{
	u32 v = 0;
	text_s(t, "target triple = \"nvptx64-nvidia-cuda\"\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 "
	          "@llvm.nvvm.read.ptx.sreg.ntid.x()\ndefine ptx_kernel void @k(ptr %out) {\n  %i = alloca i32\n");
	for (u32 i = 0; i < VARS; i++)
		text_f(t, "  %%v%u = alloca i32\n", i);
	text_s(t, "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %same = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n");
	for (u32 i = 0; i < VARS; i++)
		text_f(t, "  %%s%u = add i32 %%%s, %u\n  store i32 %%s%u, ptr %%v%u\n", i, i < 3 ? "same" : "tid", i, i, i);
	text_s(t, "  br label %r0\n");
	for (u32 k = 0, n = 2 + rng_below(r, 7); k <= n; k++) {
		text_f(t, "r%u:\n", k);
		if (k == n)
			break;
		arithmetic(t, r, &v);
		text_f(t, "  %%w%u = load i32, ptr %%v%u\n  %%h%u = and i32 %%w%u, %u\n", k, rng_below(r, VARS), k, k,
		       1 + rng_below(r, 3));
		if (rng_below(r, 2)) {
			text_f(t, "  %%k%u = icmp eq i32 %%h%u, 0\n  br i1 %%k%u, label %%a%u, label %%b%u\na%u:\n", k, k, k, k,
			       k, k);
			arithmetic(t, r, &v);
			text_f(t, "  br label %%r%u\nb%u:\n", k + 1, k);
			if (rng_below(r, 2))
				arithmetic(t, r, &v);
			text_f(t, "  br label %%r%u\n", k + 1);
		} else {
			text_f(t, "  store i32 0, ptr %%i\n  br label %%l%u\nl%u:\n", k, k);
			arithmetic(t, r, &v);
			text_f(t,
			       "  %%i%u = load i32, ptr %%i\n  %%j%u = add i32 %%i%u, 1\n  store i32 %%j%u, ptr %%i\n  %%k%u = "
			       "icmp ult i32 %%j%u, %%h%u\n  br i1 %%k%u, label %%l%u, label %%r%u\n",
			       k, k, k, k, k, k, k, k, k, k + 1);
		}
	}
	text_s(t, "  %use = load i32, ptr %i\n  %to = getelementptr i32, ptr %out, i32 %tid\n  store i32 %use, ptr %to\n  ret "
	          "void\n}\n");
	text_c(t, 0);
}

/* Each value thought uniform is compared, where it is made, with what the first of the threads there has. */
static u32 watch_uniform(Bench *b, IrFunc *f, Arena *a)
{
	IrModule   *m = b->m;
	IrCfg      *cfg = ir_cfg_build(m, f, a);
	DomTree     dom = dom_build(&cfg->graph, a, 0), postdom = postdom_build(&cfg->graph, a, 0);
	Loops       loops = loops_build(&cfg->graph, &cfg->order, &dom, a);
	Divergence *d = divergence_build(m, f, cfg, &postdom, &loops, a);
	VecU32      values = {0};
	IrType      i32 = IR_TYPE(I32);
	ir_each_block(m, f, blk)
		ir_each_inst(m, blk, i)
			if (ir_type_same(ir_inst(m, i)->type, i32) && !is_divergent(d, i))
				vec_push(a, &values, i.i);
	IrBuilder e = build_at_entry(m, f);
	IrRef     bad = ir_b_alloca(&e, i32, 0, 4);
	ir_b_store(&e, ir_const_int(m, i32, 0), bad, 4);
	for (u32 k = 0; k < values.n; k++) {
		IrRef     v = {values.p[k]}, none[1] = {0};
		IrBuilder w = build_after(m, v);
		IrRef     here = ir_b_intrinsic(&w, STR("llvm.nvvm.activemask"), i32, none, 0);
		IrRef     ctz[] = {here, ir_const_int(m, IR_TYPE(I1), 0)};
		IrRef     lane = ir_b_intrinsic(&w, STR("llvm.cttz.i32"), i32, ctz, 2);
		IrRef     shfl[] = {here, v, lane, ir_const_int(m, i32, 31)};
		IrRef     first = ir_b_intrinsic(&w, STR("llvm.nvvm.shfl.sync.idx.i32"), i32, shfl, 4);
		IrRef     differs = ir_b_cast(&w, IR_ZEXT, ir_b_cmp(&w, IRP_I_NE, first, v), i32);
		IrRef     old = ir_b_load(&w, i32, bad, 4);
		ir_b_store(&w, ir_b_bin(&w, IR_OR, old, differs, 0), bad, 4);
	}
	ir_each_block(m, f, blk) {
		if (!is_inst(m, ir_term(m, blk), IR_RET))
			continue;
		IrBuilder w = ir_build_before(m, ir_term(m, blk));
		IrRef     last = ir_inst(m, ir_term(m, blk))->prev; /* the store of the sum */
		IrRef     seen = ir_b_load(&w, i32, bad, 4);
		ir_b_store(&w, seen, ir_op(m, last, 1), 4);
	}
	return values.n;
}

TEST(cfg, uniform_values_are_the_same_for_all_threads_there)
{
	u32 watched = 0;
	for (u64 seed = 1; seed <= 300; seed++) {
		Rng  r = {seed};
		Text t;
		text_init(&t, a);
		regions(&t, &r);
		Bench *b = bench_open(a, t.p);
		bench_run(b, "unreachableblockelim");
		bench_run(b, "sroa");
		watched += watch_uniform(b, ir_func(b->m, ir_find_global(b->m, STR("k"))), &b->scratch);
		u32 before = b->s.diags.errors;
		ir_verify(b->m);
		EXPECT_EQ(b->s.diags.errors, before);
		Result got = execute(b, 32);
		for (u32 lane = 0; lane < 32; lane++)
			if (got.lane[lane]) {
				unit_fail(__FILE__, __LINE__, "a value called uniform differs");
				printf("# seed %u\n%s\n", (u32)seed, t.p);
				return;
			}
		bench_close(b);
	}
	EXPECT(watched > 1000);
	printf("# %u values watched\n", watched);
}

UNIT_MAIN
