/* nvptx-remat-block on MIR text: what is pulled in, what is not, and what the pass says. */
#include "unit.h"

#include "mir/pressure.h"
#include "mir/remat.h"
#include "pass/manager.h"
#include "randommir.h"

extern const Pass mirpass_nvptx_remat_block;

/* ---- running it ---- */

typedef struct Result {
	Session    s;
	jmp_buf    out;
	MirFunc   *f;
	Text       body, dump;
	bool       changed;
	u32        full; /* how often pressure was computed as a whole */
	MirRanges *ranges;
} Result;

/* "name=value name=value" */
static void set_knobs(Session *s, const char *knobs)
{
	while (*knobs) {
		const char *eq = strchr(knobs, '='), *end = eq + strcspn(eq, " ");
		Knob        k = knob_find((Str){knobs, (u32)(eq - knobs)});
		EXPECT(k != KNOB_NONE);
		EXPECT_EQ(knob_set(&s->knobs, &s->arena, k, (Str){eq + 1, (u32)(end - eq - 1)}), KNOB_OK);
		knobs = *end ? end + 1 : end;
	}
}

/* Internal errors end the program: nobody comes back here. */
static void open_session(Result *r, const char *knobs)
{
	unit_session(&r->s, &r->out);
	set_knobs(&r->s, knobs);
}

static void run_pass(Result *r, MirModule *m)
{
	Text    errors;
	Manager manager;
	Arena   scratch;
	text_init(&errors, &r->s.arena);
	text_init(&r->dump, &r->s.arena);
	text_init(&r->body, &r->s.arena);
	manager_init(&manager, &r->s, &r->dump);
	manager.at = PASS_MIR;
	arena_init(&scratch, &r->s.budget);
	r->f = m->func.p[0];
	PassCx cx = {
		.s = &r->s, .scratch = &scratch, .mir = m, .func = 1, .pass = &mirpass_nvptx_remat_block, .manager = &manager};
	MirPressure before = mir_rpa_most(mir_rpa(&cx));
	u64         hash = mir_hash(r->f);
	r->changed = mirpass_nvptx_remat_block.run(&cx);
	EXPECT_EQ(r->changed, mir_hash(r->f) != hash);
	MirRpa     *rpa = mir_rpa(&cx);
	MirPressure after = mir_rpa_most(rpa);
	r->full = rpa->full;
	for (u32 k = 0; k < FILE_COUNT; k++)
		EXPECT(after.unit[k] <= before.unit[k]);
	EXPECT(mir_ranges_verify(rpa->ranges, &errors));
	EXPECT(mir_rpa_verify(rpa, &errors));
	EXPECT(mir_verify(r->f, &errors));
	EXPECT_STR(text_str(&errors), "");
	arena_free(&scratch);
	manager_free(&manager);
	mir_print_func(&r->body, r->f, NULL);
	text_c(&r->body, 0);
	text_c(&r->dump, 0);
}

static void run_text(Result *r, const char *knobs, const char *body)
{
	Text             t;
	struct IrModule *ir;
	open_session(r, knobs);
	text_init(&t, &r->s.arena);
	text_f(&t, "---\nname: f\nkernel: true\nisSSA: false\nnoPhis: true\nbody: |\n%s...\n", body);
	text_c(&t, 0);
	MirModule *m = mir_parse(&r->s, str_of(t.p), &ir);
	for (u32 i = 0; i < r->s.diags.list.n; i++)
		printf("# %u: %.*s\n", r->s.diags.list.p[i].at.line, STR_ARG(r->s.diags.list.p[i].message));
	EXPECT(m != NULL);
	if (m)
		run_pass(r, m);
}

static void done(Result *r)
{
	mir_func_free(r->f);
	session_free(&r->s);
}

/* Does the block `bb.N` have the text? */
static bool block_has(const Result *r, u32 number, const char *text)
{
	char head[16];
	snprintf(head, sizeof head, "  bb.%u", number);
	const char *at = strstr(r->body.p, head), *next = at ? strstr(at + 1, "  bb.") : NULL,
		   *found = at ? strstr(at, text) : NULL;
	return found && (!next || found < next);
}

static u32 count(const char *text, const char *word)
{
	u32 n = 0;
	for (const char *p = text; (p = strstr(p, word)) != NULL; p++)
		n++;
	return n;
}

#define EXPECT_DUMP(r, want) EXPECT_STR(str_of((r)->dump.p), want)

/* ---- functions ----
 *
 * bb.0 defines values and bb.1 reads them. %20 and %21 cannot be computed again: they are loaded from memory that may be
 * written. */
#define LOAD(reg)        "    " reg ":int32regs = LD_global_u32 64, 0 :: (load (s32), addrspace 1)\n"
#define STORE(reg)       "    ST_global_u32 64, 0, " reg " :: (store (s32), addrspace 1)\n"
#define STORE64(reg)     "    ST_global_u64 64, 0, " reg " :: (store (s64), addrspace 1)\n"
#define BB0              "  bb.0:\n    successors: %bb.1\n"
#define BB1              "  bb.1:\n"
#define RET              "    Return\n"
#define TWO_LOADS        LOAD("%20") LOAD("%21")
#define TWO_STORES       STORE("%20") STORE("%21")
#define AROUND(def, use) BB0 TWO_LOADS def BB1 use TWO_STORES RET

static const char seven[] = AROUND("    %1:int32regs = MOVu32i 7\n", STORE("%1"));

/* What the pass says of `body`, which is looked at as a whole. */
static void expect(const char *knobs, const char *body, const char *dump, bool changed)
{
	Result r;
	char   all[400];
	snprintf(all, sizeof all, "nv-dump-remat-block=1 %s", knobs);
	run_text(&r, all, body);
	if (r.changed != changed || strcmp(r.dump.p, dump) != 0)
		printf("# %s\n%s", knobs, r.body.p);
	EXPECT_EQ(r.changed, changed);
	EXPECT_DUMP(&r, dump);
	done(&r);
}

TEST(remat_block, BREMAT_01_MRPA_11_a_cheap_value_is_computed_at_its_reader)
{
	Result r;
	run_text(&r, "maxreg=2", seven);
	EXPECT(r.changed);
	EXPECT(!block_has(&r, 0, "MOVu32i 7"));
	EXPECT(block_has(&r, 1, "MOVu32i 7"));
	EXPECT_EQ(r.full, 1); /* computed as a whole once, for whoever asked before and asks afterwards: MRPA-11 */
	done(&r);
	expect("maxreg=2", seven,
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\n"
	       "Max-Live-Function(2) = 2\n",
	       true);
}

TEST(remat_block, BREMAT_02_within_the_target_nothing_changes)
{
	expect("maxreg=3", seven, "Max-Live-Function(2) = 3\n", false);
	expect("maxreg=4", seven, "Max-Live-Function(2) = 3\n", false);
	expect("", seven, "Max-Live-Function(2) = 3\n", false);
}

#define ONE_BLOCK "  bb.0:\n    %1:int32regs = MOVu32i 7\n" TWO_LOADS TWO_STORES STORE("%1") RET

TEST(remat_block, BREMAT_03_functions_of_one_block_stay) { expect("maxreg=1", ONE_BLOCK, "", false); }

TEST(remat_block, BREMAT_04_named_functions_are_skipped)
{
	const char *said = "Skip machine-instruction rematerialization on f\n";
	expect("maxreg=2 no-mi-remat=f", seven, said, false);
	expect("maxreg=2 no-mi-remat=g,f,h", seven, said, false);
	Result r;
	run_text(&r, "maxreg=2 no-mi-remat=ff,g", seven);
	EXPECT(r.changed);
	done(&r);
	run_text(&r, "maxreg=2 no-mi-remat=f", seven);
	EXPECT(!r.changed);
	EXPECT_DUMP(&r, "");
	done(&r);
}

TEST(remat_block, BREMAT_05_the_dump_of_a_round)
{
	Result r;
	run_text(&r, "maxreg=2", seven);
	EXPECT_DUMP(&r, "");
	done(&r);
	expect("maxreg=1", seven,
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\n"
	       "Max-Live-Function(2) = 2\nPullable: 0\nTotal Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       true);
}

/* ---- the second chance ---- */

/* %1 is computed from %20, which cannot be repeated, but is live where %1 is read. */
#define SUM AROUND("    %1:int32regs = ADDs32ri %20, 5\n", STORE("%1"))

TEST(remat_block, BREMAT_06_a_second_chance_where_too_few_are_pullable)
{
	expect("maxreg=2", SUM,
	       "Max-Live-Function(2) = 3\nPullable: 0\nADD 1 candidates from second-chance\n"
	       "Total Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\nMax-Live-Function(2) = 2\n",
	       true);
	/* what is pullable suffices: nothing is looked at again */
	expect("maxreg=3 nv-remat-max-times=1",
	       AROUND("    %1:int32regs = ADDs32ri %20, 5\n    %2:int32regs = MOVu32i 7\n", STORE("%1") STORE("%2")),
	       "Max-Live-Function(2) = 4\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\n",
	       true);
	/* a promotion helps a candidate that was looked at before */
	expect("maxreg=1 nv-remat-max-times=1",
	       BB0 LOAD("%20") "    %2:int32regs = ADDs32ri %20, 5\n    %1:int32regs = ADDs32ri %2, 1\n"
	                       "  bb.1:\n    successors: %bb.2\n" STORE("%2") "  bb.2:\n" STORE("%1") STORE("%20") RET,
	       "Max-Live-Function(3) = 3\nPullable: 0\nADD 2 candidates from second-chance\n"
	       "Total Pullable before considering cost: 2\nReally Final Pull-in: 2 (3)\n",
	       true);
}

TEST(remat_block, BREMAT_07_hopeless_candidates_are_given_up)
{
	/* %22 is dead where the two are read */
	expect("maxreg=2",
	       AROUND(LOAD("%22") "    %1:int32regs = ADDs32ri %22, 5\n    %2:int32regs = ADDs32ri %22, 6\n",
	              STORE("%1") STORE("%2")),
	       "Max-Live-Function(2) = 4\nPullable: 0\nADD 0 candidates from second-chance\n"
	       "Total Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       false);
}

/* ---- rounds ---- */

/* n constants, each read in bb.1. */
static const char *constants(Arena *a, u32 n)
{
	Text t;
	text_init(&t, a);
	text_s(&t, BB0 TWO_LOADS);
	for (u32 k = 1; k <= n; k++)
		text_f(&t, "    %%%u:int32regs = MOVu32i %u\n", 100 + k, k);
	text_s(&t, BB1 TWO_STORES);
	for (u32 k = 1; k <= n; k++)
		text_f(&t, "    ST_global_u32 64, 0, %%%u :: (store (s32), addrspace 1)\n", 100 + k);
	text_s(&t, RET);
	text_c(&t, 0);
	return t.p;
}

TEST(remat_block, BREMAT_08_at_most_so_many_rounds)
{
	static const struct {
		const char *knobs;
		u32         rounds;
	} rows[] = {{"", 10}, {"nv-remat-max-times=1", 1}, {"nv-remat-max-times=3", 3}, {"nv-remat-max-times=0", 0}};
	for (u32 k = 0; k < PS_COUNT(rows); k++) {
		Result r;
		char   knobs[200]; /* one value a round */
		snprintf(knobs, sizeof knobs, "nv-dump-remat-block=1 maxreg=2 nv-remat-block-max-cost=1 %s", rows[k].knobs);
		run_text(&r, knobs, constants(a, 20));
		EXPECT_EQ(count(r.dump.p, "Max-Live-Function(2)"), rows[k].rounds);
		EXPECT_EQ(count(r.dump.p, "Really Final Pull-in: 1 (1)"), rows[k].rounds);
		done(&r);
	}
}

TEST(remat_block, BREMAT_28_a_round_without_a_pull_is_the_last)
{
	expect("maxreg=1", BB0 TWO_LOADS BB1 TWO_STORES RET,
	       "Max-Live-Function(2) = 2\nPullable: 0\nTotal Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       false);
}

/* ---- costs and selection ---- */

/* A value %<to> that takes so many instructions: a constant and additions to it. */
static void add_chain(Text *t, u32 to, u32 length)
{
	for (u32 k = 1; k <= length; k++) {
		u32 reg = k == length ? to : 1000 * to + k;
		if (k == 1)
			text_f(t, "    %%%u:int32regs = MOVu32i %u\n", reg, to);
		else
			text_f(t, "    %%%u:int32regs = ADDs32ri %%%u, 1\n", reg, 1000 * to + k - 1);
	}
}

static const char *chains(Arena *a, const u32 *length, u32 n)
{
	Text t;
	text_init(&t, a);
	text_s(&t, BB0 TWO_LOADS);
	for (u32 k = 0; k < n; k++)
		add_chain(&t, k + 1, length[k]);
	text_s(&t, BB1 TWO_STORES);
	for (u32 k = 0; k < n; k++)
		text_f(&t, "    ST_global_u32 64, 0, %%%u :: (store (s32), addrspace 1)\n", k + 1);
	text_s(&t, RET);
	text_c(&t, 0);
	return t.p;
}

#define ANY_CHAIN "nv-remat-block-map-size-limit=1000 nv-remat-max-times=1"

TEST(remat_block, BREMAT_09_cheapest_first_until_one_costs_too_much)
{
	const u32 length[] = {11, 7, 3};
	expect("maxreg=2 " ANY_CHAIN, chains(a, length, 3),
	       "Max-Live-Function(2) = 5\nPullable: 3\nTotal Pullable before considering cost: 3\nReally Final Pull-in: 2 (10)\n",
	       true);
	expect("maxreg=4 " ANY_CHAIN, chains(a, length, 3),
	       "Max-Live-Function(2) = 5\nPullable: 3\nTotal Pullable before considering cost: 3\nReally Final Pull-in: 1 (3)\n",
	       true);
	/* the sum is bounded, too */
	expect("maxreg=2 nv-remat-block-max-cost=9 " ANY_CHAIN, chains(a, length, 3),
	       "Max-Live-Function(2) = 5\nPullable: 3\nTotal Pullable before considering cost: 3\nReally Final Pull-in: 1 (3)\n",
	       true);
}

TEST(remat_block, BREMAT_10_a_cost_at_the_limit_is_accepted)
{
	const u32 length[] = {10};
	expect("maxreg=2 " ANY_CHAIN, chains(a, length, 1),
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (10)\n",
	       true);
	expect("maxreg=2 nv-remat-block-single-cost=9 " ANY_CHAIN, chains(a, length, 1),
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 0 (0)\n",
	       false);
	/* by default a chain has six instructions at most */
	expect("maxreg=2", chains(a, length, 1),
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 0 (0)\n",
	       false);
}

#define PARAM "    %1:int32regs = LD_param_u32 &f_param_0, 0 :: (invariant load (s32), addrspace 101)\n"

TEST(remat_block, BREMAT_11_a_cost_of_0_is_never_taken)
{
	expect("maxreg=2 nv-remat-max-times=1 nv-remat-block-load-cost=0", AROUND(PARAM, STORE("%1")),
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 0 (0)\n",
	       false);
	expect("maxreg=2 nv-remat-max-times=1 nv-remat-block-load-cost=1", AROUND(PARAM, STORE("%1")),
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\n",
	       true);
}

TEST(remat_block, BREMAT_12_64_bits_count_and_cost_twice)
{
	expect("maxreg=2 nv-remat-max-times=1", AROUND("    %1:int64regs = MOVu64i 7\n", STORE64("%1")),
	       "Max-Live-Function(2) = 4\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (2)\n",
	       true);
}

TEST(remat_block, BREMAT_13_selection_stops_at_the_excess)
{
	expect("maxreg=6 nv-remat-max-times=1", constants(a, 6),
	       "Max-Live-Function(2) = 8\nPullable: 6\nTotal Pullable before considering cost: 6\nReally Final Pull-in: 2 (2)\n",
	       true);
	expect("maxreg=4 nv-remat-max-times=1",
	       AROUND("    %1:int64regs = MOVu64i 7\n    %2:int64regs = MOVu64i 8\n", STORE64("%1") STORE64("%2")),
	       "Max-Live-Function(2) = 6\nPullable: 2\nTotal Pullable before considering cost: 2\nReally Final Pull-in: 1 (2)\n",
	       true);
}

TEST(remat_block, BREMAT_14_chains_of_50_and_51)
{
	static const u32 length[] = {50, 51};
	expect("maxreg=2 nv-remat-block-single-cost=100 " ANY_CHAIN, chains(a, length, 1),
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (50)\n",
	       true);
	expect("maxreg=2 nv-remat-block=10 nv-remat-block-single-cost=100 " ANY_CHAIN, chains(a, length + 1, 1),
	       "Max-Live-Function(2) = 3\nPullable: 0\nTotal Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       false);
}

/* A loop reads %1, which is computed in front of it. */
#define IN_LOOP                                                                                               \
	BB0 TWO_LOADS "    %1:int32regs = MOVu32i 7\n"                                                        \
		      "  bb.1:\n    successors: %bb.1, %bb.2\n" STORE("%1")                                   \
			      LOAD("%30") "    %31:int1regs = SETP_lt_s32ri %30, 5\n    CBranch %31, %bb.1\n" \
					  "  bb.2:\n" TWO_STORES RET

TEST(remat_block, BREMAT_21_places_in_a_loop_cost_20_times)
{
	expect("maxreg=2 nv-remat-max-times=1", IN_LOOP,
	       "Max-Live-Function(3) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 0 (0)\n"
	       "Pullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 0 (0)\n",
	       false);
	expect("maxreg=2 nv-remat-max-times=1 nv-remat-block-single-cost=20", IN_LOOP,
	       "Max-Live-Function(3) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (20)\n",
	       true);
	expect("maxreg=2 nv-remat-max-times=1 nv-remat-block-loop-cost-factor=10", IN_LOOP,
	       "Max-Live-Function(3) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (10)\n",
	       true);
}

/* n blocks in a row: %1, of two instructions, is live at the ends of `live` of them, %2, a constant, of one. */
static const char *row_of_blocks(Arena *a, u32 n, u32 live)
{
	Text t;
	text_init(&t, a);
	text_s(&t, BB0 TWO_LOADS);
	add_chain(&t, 1, 2);
	text_s(&t, "    %2:int32regs = MOVu32i 9\n");
	for (u32 k = 1; k < n; k++) {
		text_f(&t, "  bb.%u:\n", k);
		if (k + 1 < n)
			text_f(&t, "    successors: %%bb.%u\n", k + 1);
		text_s(&t, k == 1 ? TWO_STORES STORE("%2") : "");
		text_s(&t, k == live ? STORE("%1") : "");
	}
	text_s(&t, RET);
	text_c(&t, 0);
	return t.p;
}

TEST(remat_block, BREMAT_22_long_lived_values_come_first)
{
	static const struct {
		u32         n, live;
		const char *knobs, *pulled;
	} rows[] = {
		{10, 7, "maxreg=3", "(2)"},
		{13, 9, "maxreg=3", "(1)"},
		{10, 6, "maxreg=3", "(1)"},
		{10, 7, "maxreg=3 nv-remat-block-liveout-min-percentage=71", "(1)"},
		{13, 9, "maxreg=3 nv-remat-block-liveout-min-percentage=69", "(2)"},
	};
	for (u32 k = 0; k < PS_COUNT(rows); k++) {
		Result r;
		char   knobs[200], want[60];
		snprintf(knobs, sizeof knobs, "nv-dump-remat-block=1 nv-remat-max-times=1 %s", rows[k].knobs);
		snprintf(want, sizeof want, "Really Final Pull-in: 1 %s\n", rows[k].pulled);
		run_text(&r, knobs, row_of_blocks(a, rows[k].n, rows[k].live));
		EXPECT_EQ(count(r.dump.p, want), 1);
		EXPECT_EQ(block_has(&r, 0, "MOVu32i 9"), rows[k].pulled[1] == '2');
		done(&r);
	}
}

/* ---- what may be computed again ---- */

/* Is %1, defined so in bb.0 and stored in bb.1, pullable? */
static bool pullable(Arena *a, const char *knobs, const char *def, const char *use)
{
	Result r;
	Text   all, body;
	text_init(&all, a);
	text_init(&body, a);
	text_f(&all, "nv-dump-remat-block=1 maxreg=2 nv-remat-max-times=1 nv-remat-block=10 %s", knobs);
	text_f(&body, "%s%s%s%s%s%s%s", BB0, TWO_LOADS, def, BB1, use, TWO_STORES, RET);
	text_c(&all, 0);
	text_c(&body, 0);
	run_text(&r, all.p, body.p);
	bool yes = count(r.dump.p, "Pullable: 1\n") == 1;
	EXPECT_EQ(count(r.dump.p, "Pullable: 0\n"), yes ? 0 : 1);
	EXPECT_EQ(r.changed, yes);
	done(&r);
	return yes;
}

#define PULLABLE(def)   pullable(a, "", "    " def "\n", STORE("%1"))
#define PULLABLE64(def) pullable(a, "nv-remat-block-single-cost=100", "    " def "\n", STORE64("%1"))

TEST(remat_block, BREMAT_15_several_definitions)
{
	EXPECT(PULLABLE("%1:int32regs = MOVu32i 7"));
	EXPECT(!PULLABLE("%1:int32regs = MOVu32i 7\n" STORE("%1") "    %1:int32regs = MOVu32i 8"));
	/* the first is dead, as nobody reads it */
	EXPECT(PULLABLE("dead %1:int32regs = MOVu32i 8\n    %1:int32regs = MOVu32i 7"));
	EXPECT(PULLABLE("dead %1:int32regs = LD_global_u32 64, 8 :: (load (s32), addrspace 1)\n    %1:int32regs = MOVu32i 7"));
}

TEST(remat_block, BREMAT_16_effects_and_pseudos)
{
	EXPECT(!PULLABLE("INLINEASM &\"mov.u32 $0, 7;\", 1, def %1:int32regs"));
	EXPECT(!PULLABLE("%1:int32regs = SHFL_sync_bfly_b32rrii %20, %20, 31, -1"));
	EXPECT(!PULLABLE("%1:int32regs = VOTE_sync_ballot_b32ii 1, -1"));
	EXPECT(!PULLABLE("%1:int32regs = SREGu32_clock"));
	EXPECT(!PULLABLE("%1:int32regs = ARITH_FENCE %20"));
	EXPECT(!PULLABLE("%1:int32regs = LD_volatile_param_u32 &f_param_0, 0 :: (volatile load (s32), addrspace 101)"));
	EXPECT(pullable(a, "nv-remat-threshold-for-spec-reg=0", "    %1:int32regs = SREGu32_tid_x\n", STORE("%1")));
}

/* A definition in a debug record is none. */
TEST(remat_block, BREMAT_15_debug_definitions_do_not_count)
{
	Result r;
	Arena  scratch;
	run_text(&r, "", seven);
	arena_init(&scratch, &r.s.budget);
	MirReg    one = mir_op_reg(mir_op(r.f, (MirInstId){mir_block(r.f, (MirBlockId){r.f->last_block})->first}, 2));
	MirInstId record = mir_build(r.f, (MirBlockId){r.f->last_block},
	                             (MirInstId){mir_block(r.f, (MirBlockId){r.f->last_block})->last}, ISA_DBG_VALUE);
	mir_add_def(r.f, record, one);
	EXPECT_EQ(mir_vreg(r.f, one)->n_defs, 2);
	set_knobs(&r.s, "maxreg=2");
	run_pass(&r, r.f->module);
	EXPECT(r.changed && block_has(&r, 1, "MOVu32i 7"));
	arena_free(&scratch);
	done(&r);
}

/* Of each class that may not be repeated its plainest and its largest form; and what is beside them. */
TEST(remat_block, BREMAT_17_classes_of_instructions)
{
	static const struct {
		const char *text;
		MirRepeat   repeat;
	} rows[] = {
		{"ld.volatile.global.u32", MIR_REPEAT_NEVER},
		{"ld.acquire.gpu.global.u32", MIR_REPEAT_NEVER},
		{"ld.global.u32", MIR_REPEAT_UNWRITTEN},
		{"ld.shared.f64", MIR_REPEAT_UNWRITTEN},
		{"ld.local.u32", MIR_REPEAT_UNWRITTEN},
		{"ld.u32", MIR_REPEAT_UNWRITTEN},
		{"ld.global.nc.u32", MIR_REPEAT_ANYWHERE},
		{"ld.const.u32", MIR_REPEAT_ANYWHERE},
		{"tex.1d.v4.s32.s32", MIR_REPEAT_NEVER},
		{"tld4.a.2d.v4.f32.f32", MIR_REPEAT_NEVER},
		{"suld.b.1d.b8.clamp", MIR_REPEAT_NEVER},
		{"suld.b.3d.v4.b32.zero", MIR_REPEAT_NEVER},
		{"atom.global.add.u32", MIR_REPEAT_NEVER},
		{"atom.acq_rel.sys.shared.cas.b64", MIR_REPEAT_NEVER},
		{"bar.red.popc.u32", MIR_REPEAT_NEVER},
		{"barrier.red.popc.u32", MIR_REPEAT_NEVER},
		{"shfl.sync.up.b32", MIR_REPEAT_NEVER},
		{"match.any.sync.b64", MIR_REPEAT_NEVER},
		{"activemask.b32", MIR_REPEAT_NEVER},
		{"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", MIR_REPEAT_NEVER},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", MIR_REPEAT_NEVER},
		{"add.cc.u32", MIR_REPEAT_NEVER},
		{"mov.u32", MIR_REPEAT_ANYWHERE},
		{"cvta.to.global.u64", MIR_REPEAT_ANYWHERE},
		{"prmt.b32", MIR_REPEAT_ANYWHERE},
		{"rcp.rn.f64", MIR_REPEAT_ANYWHERE},
		{"dp4a.s32.s32", MIR_REPEAT_ANYWHERE},
	};
	MirBench  *b = mirbench_open(a);
	MirFunc   *f = mir_func_new(b->m, strtab_add(&b->s.strs, STR("f")), 0);
	MirBlockId blk = mir_block_new(f, (StrId){0}, ~0u);
	for (u32 k = 0; k < PS_COUNT(rows); k++) {
		PtxOpc        o;
		IsaParseError error;
		bool          read = isa_parse_mnemonic(&b->s, str_of(rows[k].text), &o, &error);
		EXPECT(read);
		MirInstId i = mir_build(f, blk, (MirInstId){0}, read ? isa_intern(&b->s, o) : ISA_COPY);
		mir_add_def(f, i, mir_reg_new(f, MIR_B32));
		EXPECT_EQ(mir_repeat(f, i), rows[k].repeat);
		if (!read || mir_repeat(f, i) != rows[k].repeat)
			printf("# %s\n", rows[k].text);
	}
	mirbench_close(b);
	EXPECT(!PULLABLE("%1:int32regs = ATOM_relaxed_gpu_global_add_u32 64, 0, 1 :: (load store monotonic (s32), addrspace 1)"));
	EXPECT(!PULLABLE("%3:int64regs = MOVu64i 8\n    %1:int32regs = SULD_1D_I32_TRAP_R %3, 0"));
	EXPECT(!PULLABLE("%9:int1regs = SETP_lt_s32ri %20, 5\n    %1:int32regs = BAR_red_popcu32ir 0, %9"));
	EXPECT(PULLABLE("%1:int32regs = MOVu32i 1"));
}

TEST(remat_block, BREMAT_18_tied_operands)
{
	Result            r;
	static const char sum[] = AROUND("    %2:int32regs = MOVu32i 7\n    %1:int32regs = ADDs32ri %2, 5\n", STORE("%1"));
	EXPECT(PULLABLE("%2:int32regs = MOVu32i 7\n    %1:int32regs = ADDs32ri %2, 5"));
	run_text(&r, "", sum);
	mir_each_block(r.f, b)
		mir_each_inst(r.f, b, i)
			if (mir_inst(r.f, i)->n_ops == 3 && mir_op(r.f, i, 2)->kind == MO_IMM && mir_op(r.f, i, 2)->imm == 5)
				mir_op_tie(r.f, i, 0, 1);
	set_knobs(&r.s, "maxreg=2 nv-dump-remat-block=1");
	run_pass(&r, r.f->module);
	EXPECT_EQ(count(r.dump.p, "Pullable: 0\n"), 1);
	EXPECT(!r.changed);
	done(&r);
}

TEST(remat_block, BREMAT_19_invariant_loads)
{
	static const char param[] = AROUND(PARAM, STORE("%1"));
	expect("maxreg=2 nv-remat-max-times=1", param,
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (10)\n",
	       true);
	expect("maxreg=2 nv-remat-max-times=1 load-remat=0", param,
	       "Max-Live-Function(2) = 3\nPullable: 0\nTotal Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       false);
}

TEST(remat_block, BREMAT_20_memory_that_may_be_written)
{
	EXPECT(!PULLABLE("%1:int32regs = LD_global_u32 64, 4 :: (load (s32), addrspace 1)"));
	EXPECT(!PULLABLE("%1:int32regs = LD_shared_u32 64, 4 :: (load (s32), addrspace 3)"));
	EXPECT(!PULLABLE("%1:int32regs = LD_u32 64, 4 :: (load (s32))"));
	EXPECT(PULLABLE("%1:int32regs = LD_global_nc_u32 64, 4 :: (load (s32), addrspace 1)"));
	EXPECT(PULLABLE("%1:int32regs = LD_global_u32 64, 4 :: (invariant load (s32), addrspace 1)"));
	EXPECT(PULLABLE("%1:int32regs = LD_const_u32 64, 4 :: (load (s32), addrspace 4)"));
}

TEST(remat_block, BREMAT_23_dead_definitions_go_in_a_cascade)
{
	static const u32 length[] = {4};
	for (u32 rounds = 0; rounds < 2; rounds++) {
		Result r;
		run_text(&r, rounds ? "maxreg=2" : "maxreg=2 nv-remat-block=6", chains(a, length, 1));
		EXPECT(r.changed);
		EXPECT_EQ(block_has(&r, 0, "MOVu32i 1"), !rounds);
		EXPECT_EQ(block_has(&r, 0, "ADDs32ri"), !rounds);
		EXPECT(block_has(&r, 1, "MOVu32i 1") && block_has(&r, 1, "ADDs32ri"));
		done(&r);
	}
}

/* Of random functions: ranges and pressure are right afterwards, and no more is live at once than before (run_pass). */
TEST(remat_block, BREMAT_24_random_functions)
{
	u32 changed = 0;
	for (u32 seed = 1; seed <= random_runs(); seed++) {
		Result r;
		open_session(&r, "nv-remat-block=15 nv-remat-block-single-cost=1000000 nv-remat-block-max-cost=100000000 "
		                 "nv-remat-threshold-for-spec-reg=0");
		char target[2] = {(char)('1' + seed % 9), 0}, in_block[2] = {(char)('0' + seed / 9 % 2), 0};
		EXPECT_EQ(knob_set(&r.s.knobs, &r.s.arena, KNOB_maxreg, str_of(target)), KNOB_OK);
		EXPECT_EQ(knob_set(&r.s.knobs, &r.s.arena, KNOB_nv_remat_check_internal_live, str_of(in_block)), KNOB_OK);
		MirModule *m = mir_module_new(&r.s, NULL, &r.s.arena);
		MirFunc   *f = random_mir(m, &(Rng){seed}, seed % 2 ? RANDOM_PURE : 0, 4 + seed % 12);
		f->props |= MP_NO_PHIS;
		u32 failures = (u32)unit_failures;
		run_pass(&r, m);
		changed += r.changed;
		done(&r);
		if ((u32)unit_failures != failures) {
			printf("# seed %u\n", seed);
			return;
		}
	}
	EXPECT(changed > random_runs() / 50);
}

/* %1 is made from two values of 64 bits: where it is read, there is no room for them. */
TEST(remat_block, BREMAT_24_chains_whose_intermediate_results_do_not_fit)
{
	static const char body[] =
		BB0 "    %2:int64regs = MOVu64i 3\n    %3:int64regs = MOVu64i 4\n"
		    "    %4:int64regs = ADDs64rr %2, %3\n    %1:int32regs = CVT_u32_u64 %4\n" TWO_LOADS LOAD("%22") LOAD("%23")
			    BB1 STORE("%1") TWO_STORES STORE("%22") STORE("%23") RET;
	expect("maxreg=4", body,
	       "Max-Live-Function(2) = 5\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 0 (0)\n",
	       false);
}

/* Without bit 2 nothing is taken that is pullable at once, without bit 4 none gets a second chance, without bit 8 there is one
 * round and dead definitions stay; bit 1 looks at functions of one block. */
TEST(remat_block, BREMAT_25_each_mode)
{
	static const char first[] =
		"Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\n";
	Result r;
	expect("maxreg=2 nv-remat-block=14", seven,
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 "
	       "(1)\nMax-Live-Function(2) = 2\n",
	       true);
	expect("maxreg=2 nv-remat-block=6", seven, first, true);
	expect("maxreg=2 nv-remat-block=2", seven, first, true);
	expect("maxreg=2 nv-remat-block=8", seven,
	       "Max-Live-Function(2) = 3\nPullable: 0\nTotal Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       false);
	expect("maxreg=2 nv-remat-block=4", seven,
	       "Max-Live-Function(2) = 3\nPullable: 0\nADD 1 candidates from second-chance\nTotal Pullable before considering "
	       "cost: 1\n"
	       "Really Final Pull-in: 1 (1)\n",
	       true);
	expect("maxreg=2 nv-remat-block=10", SUM,
	       "Max-Live-Function(2) = 3\nPullable: 0\nTotal Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       false);
	run_text(&r, "maxreg=2 nv-remat-block=6", seven);
	EXPECT(block_has(&r, 0, "MOVu32i 7") && block_has(&r, 1, "MOVu32i 7"));
	done(&r);
	expect("maxreg=2 nv-remat-block=14", ONE_BLOCK, "", false);
	expect("maxreg=2 nv-remat-block=15", ONE_BLOCK,
	       "Max-Live-Function(1) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\n"
	       "Max-Live-Function(1) = 2\n",
	       true);
	run_text(&r, "maxreg=2 nv-remat-block=15", ONE_BLOCK);
	EXPECT(r.changed && strstr(r.body.p, "MOVu32i 7") > strstr(r.body.p, "ST_global"));
	done(&r);
}

/* Between the loads and the stores four registers are live, at the end of bb.0 one. */
TEST(remat_block, BREMAT_26_peaks_inside_of_blocks)
{
	static const char inside[] = BB0 "    %1:int32regs = MOVu32i 7\n" LOAD("%20") LOAD("%21") LOAD("%22") STORE("%20")
		STORE("%21") STORE("%22") BB1 STORE("%1") RET;
	expect("maxreg=3", inside, "Max-Live-Function(2) = 1\n", false);
	expect("maxreg=3 nv-remat-check-internal-live=1", inside,
	       "Max-Live-Function(2) = 4\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\n"
	       "Max-Live-Function(2) = 3\n",
	       true);
}

/* An operand that has several definitions, is read from memory, or is not live at the reader: also where all modes are on. */
TEST(remat_block, BREMAT_27_operands)
{
	static const char *const def[] = {
		"    %2:int32regs = MOVu32i 7\n" STORE("%2") "    %2:int32regs = MOVu32i 8\n    %1:int32regs = ADDs32ri %2, 5\n",
		LOAD("%2") "    %1:int32regs = ADDs32ri %2, 5\n",
		"    %2:int32regs = SHFL_sync_bfly_b32rrii %20, %20, 31, -1\n    %1:int32regs = ADDs32ri %2, 5\n",
	};
	for (u32 k = 0; k < PS_COUNT(def); k++)
		for (u32 all = 0; all < 2; all++) {
			EXPECT(!pullable(a, all ? "nv-remat-block=14" : "", def[k], STORE("%1")));
			/* live at the reader, only one that has several definitions is refused */
			Result r;
			Text   body;
			text_init(&body, a);
			text_f(&body, "%s%s%s%s%s%s%s%s", BB0, TWO_LOADS, def[k], BB1, STORE("%1"), STORE("%2"), TWO_STORES, RET);
			text_c(&body, 0);
			run_text(&r, all ? "maxreg=3" : "maxreg=3 nv-remat-block=10", body.p);
			EXPECT_EQ(r.changed, all && k);
			done(&r);
		}
	EXPECT(PULLABLE("%2:int32regs = MOVu32i 7\n    %1:int32regs = ADDs32ri %2, 5"));
}

/* What bb.1 stores is the sum that the iteration before has computed, from another %5. */
TEST(remat_block, BREMAT_27_an_earlier_iterations_value)
{
	static const char body[] = BB0 TWO_LOADS "  bb.1:\n    successors: %bb.1, %bb.2\n" LOAD("%5")
		STORE("%1") "    %1:int32regs = ADDs32ri %5, 1\n    %31:int1regs = SETP_lt_s32ri %1, 5\n    CBranch %31, %bb.1\n"
			    "  bb.2:\n" TWO_STORES RET;
	expect("maxreg=2", body,
	       "Max-Live-Function(3) = 3\nPullable: 0\nADD 0 candidates from second-chance\n"
	       "Total Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n"
	       "Pullable: 0\nADD 0 candidates from second-chance\n"
	       "Total Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       false);
}

#define CVTA "    %2:int64regs = MOVu64i 64\n    %1:int64regs = CVTA_to_global_u64 %2\n"

TEST(remat_block, BREMAT_29_volatile_and_conversions_of_addresses)
{
	EXPECT(pullable(a, "", CVTA, STORE64("%1")));
	EXPECT(!pullable(a, "vasp-fix1=1", CVTA, STORE64("%1")));
	EXPECT(!pullable(a, "vasp-fix1=1",
	                 "    %1:int32regs = LD_volatile_const_u32 64, 0 :: (volatile load (s32), addrspace 4)\n", STORE("%1")));
}

/* ---- special registers ---- */

TEST(remat_block, C_18_special_registers_from_an_excess_of_20_on)
{
	static const char tid[] = AROUND("    %1:int32regs = SREGu32_tid_x\n", STORE("%1"));
	expect("maxreg=2 nv-remat-threshold-for-spec-reg=2 nv-remat-block=10", tid,
	       "Max-Live-Function(2) = 3\nPullable: 0\nTotal Pullable before considering cost: 0\nReally Final Pull-in: 0 (0)\n",
	       false);
	expect("maxreg=2 nv-remat-threshold-for-spec-reg=1 nv-remat-block=10 nv-remat-max-times=1", tid,
	       "Max-Live-Function(2) = 3\nPullable: 1\nTotal Pullable before considering cost: 1\nReally Final Pull-in: 1 (1)\n",
	       true);
}

UNIT_MAIN
