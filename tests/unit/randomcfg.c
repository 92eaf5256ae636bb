/* Random control flow, reducible or not, through stack slots: each pass leaves valid IR that computes the
 * same for each thread of a warp whose threads take different ways. RANDOMCFG=N in the environment runs N. */
#include "graph_oracle.h"
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
	text_s(t, "target triple = \"nvptx64-nvidia-cuda\"\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndefine ptx_kernel void @k(ptr %out) {\n");
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
			text_f(t, "  %%x%u = load i32, ptr %%v%u\n  %%y%u = load i32, ptr %%v%u\n  %%z%u = %s i32 %%x%u, %%y%u\n  store i32 %%z%u, ptr %%v%u\n", v,
			       rng_below(r, VARS), v, rng_below(r, VARS), v, op[rng_below(r, 5)], v, v, v, rng_below(r, VARS));
			if (rng_below(r, 3) == 0) /* a swap */
				text_f(t, "  %%sa%u = load i32, ptr %%v0\n  %%sb%u = load i32, ptr %%v1\n  store i32 %%sb%u, ptr %%v0\n  store i32 %%sa%u, ptr %%v1\n", v, v, v, v);
		}
		text_f(t, "  %%f%u = load i32, ptr %%fuel\n  %%g%u = add i32 %%f%u, 1\n  store i32 %%g%u, ptr %%fuel\n  %%e%u = icmp ugt i32 %%g%u, 40\n  br i1 %%e%u, label %%exit, label %%c%u\nc%u:\n", b, b, b, b, b, b, b, b, b);
		text_f(t, "  %%w%u = load i32, ptr %%v%u\n", b, rng_below(r, VARS));
		if (rng_below(r, 5) == 0)
			text_f(t, "  switch i32 %%w%u, label %%b%u [ i32 0, label %%b%u\n i32 1, label %%b%u\n i32 3, label %%exit ]\n", b, rng_below(r, n), rng_below(r, n), rng_below(r, n));
		else
			text_f(t, "  %%h%u = and i32 %%w%u, %u\n  %%k%u = icmp eq i32 %%h%u, 0\n  br i1 %%k%u, label %%b%u, label %%b%u\n", b, b, 1 + rng_below(r, 3), b, b, b, rng_below(r, n), rng_below(r, n));
	}
	text_s(t, "exit:\n  %sum0 = load i32, ptr %fuel\n");
	for (u32 i = 0; i < VARS; i++)
		text_f(t, "  %%l%u = load i32, ptr %%v%u\n  %%m%u = mul i32 %%sum%u, 31\n  %%sum%u = add i32 %%m%u, %%l%u\n", i, i, i, i, i + 1, i, i);
	text_f(t, "  %%to = getelementptr i32, ptr %%out, i32 %%tid\n  store i32 %%sum%u, ptr %%to\n  ret void\n}\n", VARS);
	text_c(t, 0);
}

typedef struct Result {
	u32 lane[32];
} Result;

static Result execute(Bench *b)
{
	Result r = {{0}};
	Arena  a;
	arena_init(&a, &b->s.budget);
	SimtLaunch *l = simt_launch_parse(&b->s, &a, STR("{\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[32,1,1],\"buffers\":{\"out\":{\"type\":\"u32\",\"count\":32}},\"args\":[{\"buffer\":\"out\"}]}"));
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
	static const char *const pass[] = {"sroa", "structurizecfg", "instsimplify", "early-cse", "speculative-execution", "unreachableblockelim",
	                                   "nvptx-lower-args", "infer-address-spaces", "dce", "lower-switch", "cssa"};
	Rng  r = {seed};
	Text t;
	text_init(&t, a);
	module(&t, &r);
	Bench *b = bench_open(a, t.p);
	if (seed % 2)
		bench_knob(b, "structurizecfg-mode", "strict");
	Str level = arena_fmt(a, "%u", (u32)(seed / 2 % 4));
	bench_knob(b, "cssa-coalesce", level.p);
	Result want = execute(b);
	for (u32 i = 0; i < PS_COUNT(pass); i++) {
		bool changed = bench_run(b, pass[i]);
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
		Result got = changed ? execute(b) : want;
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

UNIT_MAIN
