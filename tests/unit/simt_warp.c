/* What warps do in one go: atomic operations of lanes that meet at a word, and the coordinates of threads. */
#include "unit.h"

#include "api/ptxscope.h"

#include <string.h>

enum { WORDS = 3, THREADS = 32 };

typedef struct Op {
	const char *name;
	u32         what;
} Op;
enum { ADD, UMIN, UMAX, AND, OR, XOR, EXCH, CAS, SMIN };
static const Op ops[] = {{"add.u32", ADD}, {"min.u32", UMIN},  {"max.u32", UMAX}, {"and.b32", AND}, {"or.b32", OR},
                         {"xor.b32", XOR}, {"exch.b32", EXCH}, {"cas.b32", CAS},  {"min.s32", SMIN}};

static u32 model(u32 what, u32 old, u32 v, u32 swap)
{
	switch (what) {
	case ADD: return old + v;
	case UMIN: return old < v ? old : v;
	case UMAX: return old > v ? old : v;
	case AND: return old & v;
	case OR: return old | v;
	case XOR: return old ^ v;
	case EXCH: return v;
	case CAS: return old == v ? swap : old;
	default: return (i32)old < (i32)v ? old : v;
	}
}

static void run(PsEmulator *e, const char *text, const u32 *block, u32 *out, size_t bytes)
{
	const PsArg arg = ps_pointer("b", 0);
	PsLaunch    l = {.size = sizeof l, .kernel = "k", .grid = {1, 1, 1}, .args = &arg, .n_args = 1};
	memcpy(l.block, block, sizeof l.block);
	EXPECT_EQ(ps_emulator_load(e, "k.ptx", text, strlen(text), 0, NULL), PS_STATUS_DONE);
	EXPECT_STR(str_of(ps_emulator_messages(e)), "");
	EXPECT_EQ(ps_emulator_buffer(e, "b", out, bytes), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	EXPECT_EQ(ps_emulator_read(e, "b", 0, out, bytes), PS_STATUS_DONE);
}

static u32 start_of(u32 word) { return 0x90000007u * (word + 1); }
static u32 value_of(u32 lane) { return lane % 5 ? 0x70000003u * (lane + 1) : start_of(lane % WORDS); }

/* Lanes whose number has not all bits of `skip` take part; in shared or in global memory (behind the results). */
static void atomics(Arena *a, const Op *op, bool shared, u32 skip)
{
	static const u32 block[3] = {THREADS, 1, 1};
	const char      *space = shared ? "shared" : "global";
	u32              out[2 * THREADS + WORDS] = {0}, word[WORDS];
	PsEmulator      *e = ps_emulator_new(0);
	Text             t;
	text_init(&t, a);
	text_f(&t,
	       ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 b)\n{\n"
	       ".reg .pred %%p; .reg .b32 %%r<8>; .reg .b64 %%d<8>; .shared .align 4 .b8 s[%u];\n"
	       "mov.u32 %%r0, %%tid.x; ld.param.u64 %%d0, [b]; mul.wide.u32 %%d1, %%r0, 4; add.u64 %%d1, %%d0, %%d1;\n"
	       "rem.u32 %%r1, %%r0, %u; mul.wide.u32 %%d2, %%r1, 4; ld.global.u32 %%r2, [%%d1];\n",
	       4 * WORDS, WORDS);
	if (shared)
		text_f(&t,
		       "mov.u64 %%d3, s; add.u64 %%d3, %%d3, %%d2; add.u64 %%d4, %%d0, %%d2; ld.global.u32 %%r3, [%%d4+%u];\n"
		       "st.shared.u32 [%%d3], %%r3;\n",
		       8 * THREADS);
	else
		text_f(&t, "add.u64 %%d3, %%d0, %%d2; add.u64 %%d3, %%d3, %u;\n", 8 * THREADS);
	text_f(&t, "and.b32 %%r4, %%r0, %u; setp.eq.u32 %%p, %%r4, %u; @%%p bra $E;\n", skip, skip ? skip : 1);
	text_f(&t, "atom.%s.%s %%r5, [%%d3], %%r2%s;\nst.global.u32 [%%d1+%u], %%r5;\n", space, op->name,
	       op->what == CAS ? ", %r0" : "", 4 * THREADS);
	text_f(&t,
	       "$E: bar.warp.sync 0xffffffff;\nld.%s.u32 %%r6, [%%d3]; add.u64 %%d5, %%d0, %%d2; st.global.u32 [%%d5+%u], "
	       "%%r6;\nret;\n}\n",
	       space, 8 * THREADS);
	text_c(&t, 0);
	for (u32 i = 0; i < THREADS; i++)
		out[i] = value_of(i);
	for (u32 i = 0; i < WORDS; i++)
		out[2 * THREADS + i] = word[i] = start_of(i);
	run(e, t.p, block, out, sizeof out);
	for (u32 i = 0; i < THREADS; i++) {
		bool off = skip && (i & skip) == skip;
		EXPECT_EQ(out[THREADS + i], off ? 0 : word[i % WORDS]);
		if (!off)
			word[i % WORDS] = model(op->what, word[i % WORDS], value_of(i), i);
	}
	for (u32 i = 0; i < WORDS; i++)
		EXPECT_EQ(out[2 * THREADS + i], word[i]);
	ps_emulator_free(e);
}

TEST(simt_warp, atomics_of_lanes_that_meet_are_in_the_order_of_lanes)
{
	for (u32 i = 0; i < PS_COUNT(ops); i++)
		for (u32 k = 0; k < 4; k++)
			atomics(a, &ops[i], k & 1, k & 2 ? 4 : 0);
}

TEST(simt_warp, coordinates_of_threads)
{
	static const u32  blocks[][3] = {{64, 2, 1}, {40, 3, 2}, {7, 5, 3}, {100, 1, 1}, {32, 2, 3}, {1, 1, 64}, {16, 16, 1}};
	static const char text[] =
		".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 b)\n{\n"
		".reg .b32 %r<8>; .reg .b64 %d<4>; mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, "
		"%ntid.x;\n"
		"mov.u32 %r4, %ntid.y; mad.lo.u32 %r5, %r2, %r4, %r1; mad.lo.u32 %r5, %r5, %r3, %r0;\n"
		"ld.param.u64 %d0, [b]; mul.wide.u32 %d1, %r5, 16; add.u64 %d0, %d0, %d1; mov.u32 %r6, %laneid;\n"
		"st.global.v4.u32 [%d0], {%r0, %r1, %r2, %r6}; ret;\n}\n";
	static u32 out[1024][4];
	(void)a;
	for (u32 i = 0; i < PS_COUNT(blocks); i++) {
		const u32  *n = blocks[i];
		PsEmulator *e = ps_emulator_new(0);
		memset(out, 0xff, sizeof out);
		run(e, text, n, out[0], sizeof out);
		for (u32 t = 0; t < n[0] * n[1] * n[2]; t++) {
			EXPECT_EQ(out[t][0], t % n[0]);
			EXPECT_EQ(out[t][1], t / n[0] % n[1]);
			EXPECT_EQ(out[t][2], t / n[0] / n[1]);
			EXPECT_EQ(out[t][3], t % 32);
		}
		ps_emulator_free(e);
	}
}

UNIT_MAIN
