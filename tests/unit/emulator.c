/* The emulator's part of the public header, where it could go wrong. */
#include "unit.h"

#include "api/emulator.h"
#include "api/ptxscope.h"

#include <stdlib.h>
#include <string.h>

static const char add[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			  ".visible .global .u32 total;\n"
			  ".visible .entry add(.param .u64 p, .param .u32 n)\n"
			  "{\n"
			  "	.reg .b32 %r<4>; .reg .b64 %rd<3>;\n"
			  "	ld.param.u64 %rd1, [p];\n"
			  "	ld.param.u32 %r1, [n];\n"
			  "	atom.global.add.u32 %r2, [%rd1], %r1;\n"
			  "	mov.u64 %rd2, total;\n"
			  "	atom.global.add.u32 %r3, [%rd2], 1;\n"
			  "	ret;\n"
			  "}\n"
			  ".visible .entry wild() { .reg .b64 %rd<2>; mov.u64 %rd1, 64; st.global.u32 [%rd1], 7; ret; }\n";

static PsEmulator *loaded(void)
{
	PsEmulator *e = ps_emulator_new(0);
	EXPECT_EQ(ps_emulator_load(e, "add.ptx", add, sizeof add - 1, 0, NULL), PS_STATUS_DONE);
	return e;
}

static PsStatus launch(PsEmulator *e, const char *kernel, const char *buffer, u32 n, u32 threads)
{
	const PsArg    args[] = {ps_pointer(buffer, 4), ps_value(&n, sizeof n)};
	const PsLaunch l = {.size = sizeof l,
	                    .kernel = kernel,
	                    .grid = {1, 1, 1},
	                    .block = {threads, 1, 1},
	                    .args = args,
	                    .n_args = strcmp(kernel, "wild") ? 2 : 0};
	return ps_emulator_launch(e, &l, 0, NULL);
}

static u32 word(PsEmulator *e, const char *buffer, size_t at)
{
	u32 v = 0xdead;
	EXPECT_EQ(ps_emulator_read(e, buffer, at, &v, 4), PS_STATUS_DONE);
	return v;
}

TEST(emulator, buffers_and_variables_live_from_launch_to_launch)
{
	PsEmulator *e = loaded();
	size_t      size;
	(void)a;
	EXPECT_EQ(ps_emulator_buffer(e, "b", NULL, 8), PS_STATUS_DONE);
	for (u32 i = 1; i <= 3; i++) {
		EXPECT_EQ(launch(e, "add", "b", i, 10), PS_STATUS_DONE);
		EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	}
	EXPECT_EQ(word(e, "b", 4), 10 * (1 + 2 + 3));
	EXPECT_EQ(word(e, "b", 0), 0);
	u32         total;
	const void *bytes = ps_emulator_memory(e, PS_MEMORY_SYMBOL, "total", 0, 0, &size);
	EXPECT_EQ(size, 4);
	memcpy(&total, bytes, 4);
	EXPECT_EQ(total, 30);
	ps_emulator_free(e);
}

TEST(emulator, buffers_can_be_written_between_and_replaced)
{
	PsEmulator *e = loaded();
	u32         v = 100;
	(void)a;
	ps_emulator_buffer(e, "b", NULL, 8);
	launch(e, "add", "b", 1, 1);
	EXPECT_EQ(ps_emulator_write(e, "b", 4, &v, 4), PS_STATUS_DONE); /* before it runs */
	ps_emulator_run(e);
	EXPECT_EQ(word(e, "b", 4), 101);
	const u32 fresh[4] = {1, 2, 3, 4};
	ps_emulator_buffer(e, "b", fresh, sizeof fresh);
	EXPECT_EQ(word(e, "b", 12), 4);
	EXPECT_EQ(launch(e, "add", "b", 1, 1), PS_STATUS_DONE);
	ps_emulator_run(e);
	EXPECT_EQ(word(e, "b", 4), 3);
	EXPECT_EQ(ps_emulator_read(e, "b", 13, &v, 4), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_read(e, "c", 0, &v, 4), PS_STATUS_USAGE);
	ps_emulator_free(e);
}

TEST(emulator, a_fault_is_told_and_the_next_launch_is_free_of_it)
{
	PsEmulator *e = loaded();
	PsFault     f;
	PsPlace     at;
	(void)a;
	ps_emulator_buffer(e, "b", NULL, 8);
	EXPECT_EQ(launch(e, "wild", "b", 0, 1), PS_STATUS_DONE);
	EXPECT(!ps_emulator_fault(e, &f));
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_FAULTED);
	EXPECT(ps_emulator_fault(e, &f));
	EXPECT_EQ(f.line, 15);
	EXPECT(strstr(f.message, "0x40") != NULL);
	EXPECT(ps_emulator_place(e, &at));
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_FAULTED);
	EXPECT_EQ(launch(e, "add", "b", 5, 1), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	EXPECT(!ps_emulator_fault(e, &f));
	EXPECT_EQ(word(e, "b", 4), 5);
	ps_emulator_free(e);
}

TEST(emulator, what_is_out_of_order_is_refused_with_a_message)
{
	PsEmulator *e = ps_emulator_new(0);
	PsGoal      goal = {.size = sizeof goal, .kind = PS_TO_END};
	PsPlace     at;
	PsRegister  r;
	size_t      size;
	(void)a;
	EXPECT_EQ(ps_emulator_buffer(e, "b", NULL, 8), PS_STATUS_USAGE);
	EXPECT(ps_emulator_messages(e)[0] != 0);
	EXPECT_EQ(ps_emulator_aim(e, &goal), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_step(e, 1), PS_RUN_UNDONE);
	EXPECT(!ps_emulator_place(e, &at));
	EXPECT_EQ(ps_emulator_blocks(e, NULL, 0), 0);
	EXPECT(ps_emulator_memory(e, PS_MEMORY_PARAM, NULL, 0, 0, &size) == NULL);
	EXPECT(ps_emulator_kernel(e, 0) == NULL);
	EXPECT_EQ(ps_emulator_load(e, "bad.ptx", ".version 7.0\nnonsense", 21, 0, NULL), PS_STATUS_INPUT);
	EXPECT(strstr(ps_emulator_messages(e), "bad.ptx:2:") != NULL);
	EXPECT(strstr(ps_emulator_diagnostics(e), "\"line\":2") != NULL);
	EXPECT_EQ(ps_emulator_load(e, "add.ptx", add, sizeof add - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_messages(e)[0], 0);
	EXPECT_EQ(launch(e, "add", "none", 1, 1), PS_STATUS_INPUT);
	ps_emulator_buffer(e, "b", NULL, 8);
	EXPECT_EQ(launch(e, "nobody", "b", 1, 1), PS_STATUS_INPUT);
	EXPECT_EQ(launch(e, "add", "b", 1, 1025), PS_STATUS_INPUT);
	EXPECT_EQ(launch(e, "add", "b", 1, 0), PS_STATUS_INPUT);
	EXPECT_EQ(ps_emulator_launch(e, &(PsLaunch){.kernel = "add", .grid = {1, 1, 1}, .block = {1, 1, 1}}, 0, NULL),
	          PS_STATUS_USAGE);
	EXPECT_STR(str_of(ps_emulator_messages(e)), "PsLaunch.size is not that of a PsLaunch\n");
	const char *const wrong[] = {"--no-such-option"};
	EXPECT_EQ(ps_emulator_launch_json(e, "{}", 2, 1, wrong), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_launch_json(e, "{}", 2, 0, NULL), PS_STATUS_INPUT);
	EXPECT_EQ(launch(e, "add", "b", 1, 1), PS_STATUS_DONE);
	EXPECT(ps_emulator_place(e, &at));
	EXPECT(!ps_emulator_register(e, &at, 1000, &r));
	at.warp = 77;
	EXPECT(!ps_emulator_register(e, &at, 0, &r));
	goal.size = offsetof(PsGoal, kind);
	EXPECT_EQ(ps_emulator_aim(e, &goal), PS_STATUS_USAGE);
	goal.size = sizeof goal;
	goal.kind = (PsGoalKind)99;
	EXPECT_EQ(ps_emulator_aim(e, &goal), PS_STATUS_USAGE);
	ps_emulator_free(e);
	ps_emulator_free(NULL);
}

TEST(emulator, out_of_memory_ends_a_call_and_a_load_begins_anew)
{
	PsEmulator *e = ps_emulator_new(8 << 20);
	(void)a;
	EXPECT_EQ(ps_emulator_load(e, "add.ptx", add, sizeof add - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_buffer(e, "big", NULL, 64 << 20), PS_STATUS_MEMORY);
	EXPECT(strstr(ps_emulator_messages(e), "memory") != NULL);
	EXPECT(ps_emulator_kernel(e, 0) == NULL);
	EXPECT_EQ(launch(e, "add", "big", 1, 1), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_load(e, "add.ptx", add, sizeof add - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_buffer(e, "b", NULL, 8), PS_STATUS_DONE);
	EXPECT_EQ(launch(e, "add", "b", 1, 1), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	ps_emulator_free(e);
}

TEST(emulator, a_limit_below_all_reason_is_a_limit_still)
{
	PsEmulator *e = ps_emulator_new(1);
	(void)a;
	EXPECT_EQ(ps_emulator_load(e, "add.ptx", add, sizeof add - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_buffer(e, "b", NULL, 8 << 20), PS_STATUS_MEMORY);
	ps_emulator_free(e);
}

TEST(emulator, null_pointers_are_usage_errors)
{
	PsEmulator *e = loaded();
	PsGoal      goal = {.size = sizeof goal, .kind = PS_TO_LINES, .n_lines = 1};
	u32         v = 0;
	(void)a;
	EXPECT_EQ(ps_emulator_load(NULL, "k.ptx", add, sizeof add - 1, 0, NULL), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_buffer(NULL, "b", NULL, 8), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_buffer(e, NULL, NULL, 8), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_buffer(e, "b", NULL, 8), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_read(e, NULL, 0, &v, 4), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_read(e, "b", 0, NULL, 4), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_write(e, "b", 0, NULL, 4), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_launch(e, NULL, 0, NULL), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_launch_json(e, NULL, 0, 0, NULL), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_launch_json(e, "{}", 2, 1, NULL), PS_STATUS_USAGE);
	EXPECT_EQ(launch(e, "add", "b", 1, 1), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_aim(e, NULL), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_aim(e, &goal), PS_STATUS_USAGE);
	EXPECT(!ps_emulator_place(e, NULL) && !ps_emulator_warp(e, 0, 0, NULL) && !ps_emulator_path(e, 0, 0, 0, NULL));
	EXPECT(!ps_emulator_register(e, NULL, 0, NULL) && !ps_emulator_fault(e, NULL) && !ps_emulator_blocks(e, NULL, 4));
	EXPECT(ps_emulator_memory(e, PS_MEMORY_BUFFER, NULL, 0, 0, NULL) == NULL);
	EXPECT(ps_emulator_result(e, NULL) && ps_emulator_text(e, NULL) && !ps_emulator_messages(NULL)[0]);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	EXPECT_EQ(ps_emulator_load(e, "k.ptx", NULL, 4, 0, NULL), PS_STATUS_USAGE);
	ps_emulator_free(e);
}

TEST(emulator, buffers_may_be_empty)
{
	const char  text[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) { ret; }\n";
	PsEmulator *e = ps_emulator_new(0);
	PsArg       arg = ps_pointer("none", 0);
	PsLaunch    l = {.size = sizeof l, .kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .args = &arg, .n_args = 1};
	u8          byte = 7;
	EXPECT_EQ(ps_emulator_load(e, "k.ptx", text, sizeof text - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_buffer(e, "none", NULL, 0), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	EXPECT_EQ(ps_emulator_buffer(e, "none", &byte, 0), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	ps_emulator_free(e);
}

TEST(emulator, an_old_message_does_not_stand_after_a_success)
{
	PsEmulator *e = loaded();
	u32         v = 0;
	(void)a;
	EXPECT_EQ(ps_emulator_buffer(e, "b", NULL, 8), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_read(e, "b", 8, &v, 4), PS_STATUS_USAGE);
	EXPECT(ps_emulator_messages(e)[0] != 0);
	EXPECT_EQ(ps_emulator_read(e, "b", 4, &v, 4), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_messages(e)[0], 0);
	EXPECT_EQ(ps_emulator_write(e, "none", 0, &v, 4), PS_STATUS_USAGE);
	EXPECT_EQ(ps_emulator_write(e, "b", 0, &v, 4), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_messages(e)[0], 0);
	ps_emulator_free(e);
}

TEST(emulator, looking_and_launching_often_does_not_grow)
{
	PsEmulator *e = ps_emulator_new(16 << 20);
	PsPlace     at;
	PsRegister  r;
	size_t      size;
	(void)a;
	EXPECT_EQ(ps_emulator_load(e, "add.ptx", add, sizeof add - 1, 0, NULL), PS_STATUS_DONE);
	ps_emulator_buffer(e, "b", NULL, 65536);
	for (u32 i = 0; i < 2000; i++) {
		EXPECT_EQ(launch(e, "add", "b", 1, 64), PS_STATUS_DONE);
		ps_emulator_step(e, 3);
		EXPECT(ps_emulator_place(e, &at));
		for (u32 k = 0; ps_emulator_register(e, &at, k, &r); k++)
			EXPECT_EQ(r.name[0], '%');
		EXPECT(ps_emulator_result(e, &size)[0] == '{');
		EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	}
	EXPECT_EQ(word(e, "b", 4), 64 * 2000);
	ps_emulator_free(e);
}

/* Kernels that take memory of every kind: rows and local memory of calls, malloc, printf, a store to shared memory; and one that
 * faults with all of it taken. */
static const char hungry[] = "@format = private constant [7 x i8] c\"%d %d\\0a\\00\"\n"
			     "@tile = internal addrspace(3) global [256 x i32] undef\n"
			     "declare ptr @malloc(i64)\n"
			     "declare void @free(ptr)\n"
			     "declare i32 @vprintf(ptr, ptr)\n"
			     "define i32 @down(i32 %n) noinline {\n"
			     "  %end = icmp eq i32 %n, 0\n"
			     "  br i1 %end, label %stop, label %more\n"
			     "more:\n"
			     "  %slot = alloca [8 x i32]\n"
			     "  store i32 %n, ptr %slot\n"
			     "  %less = sub i32 %n, 1\n"
			     "  %r = call i32 @down(i32 %less)\n"
			     "  %v = load i32, ptr %slot\n"
			     "  %sum = add i32 %r, %v\n"
			     "  ret i32 %sum\n"
			     "stop:\n"
			     "  ret i32 0\n"
			     "}\n"
			     "define ptx_kernel void @take(ptr %p, i32 %n, i32 %wild) {\n"
			     "  %depth = and i32 %n, 7\n"
			     "  %sum = call i32 @down(i32 %depth)\n"
			     "  %wide = zext i32 %n to i64\n"
			     "  %block = call ptr @malloc(i64 %wide)\n"
			     "  %args = alloca [2 x i32]\n"
			     "  store i32 %sum, ptr %args\n"
			     "  %second = getelementptr i32, ptr %args, i32 1\n"
			     "  store i32 %n, ptr %second\n"
			     "  %said = call i32 @vprintf(ptr @format, ptr %args)\n"
			     "  store i32 %sum, ptr addrspace(3) @tile\n"
			     "  store i32 %sum, ptr %p\n"
			     "  %fault = icmp ne i32 %wild, 0\n"
			     "  br i1 %fault, label %bad, label %good\n"
			     "bad:\n"
			     "  store i32 1, ptr inttoptr (i64 64 to ptr)\n"
			     "  ret void\n"
			     "good:\n"
			     "  call void @free(ptr %block)\n"
			     "  ret void\n"
			     "}\n";

static u32 next_random(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* `n` random launches, then one that is always the same; the bytes that the emulator then holds. */
static u64 held_after(PsEmulator *e, u32 n, u32 seed)
{
	for (u32 i = 0; i <= n; i++) {
		u32 r = i < n ? next_random(&seed) : 0, size = i < n ? 4 + r % 5000 : 64, wild = r % 7 == 1;
		u32 amount = i < n ? next_random(&seed) % 3000 : 16, threads = i < n ? 1 + next_random(&seed) % 200 : 64;
		EXPECT_EQ(ps_emulator_buffer(e, i % 3 ? "a" : "b", NULL, size), PS_STATUS_DONE);
		const PsArg    args[] = {ps_pointer(i % 3 ? "a" : "b", 0), ps_value(&amount, 4), ps_value(&wild, 4)};
		const PsLaunch l = {.size = sizeof l,
		                    .kernel = "take",
		                    .grid = {1 + r % 3, 1, 1},
		                    .block = {threads, 1, 1},
		                    .args = args,
		                    .n_args = 3};
		EXPECT_EQ(ps_emulator_launch(e, &l, 0, NULL), PS_STATUS_DONE);
		if (r % 11 == 2)
			ps_emulator_step(e, 1 + r % 50); /* given up in the middle */
		else
			EXPECT_EQ(ps_emulator_run(e), wild ? PS_RUN_FAULTED : PS_RUN_DONE);
	}
	return e->c.s.arena.used + e->held.used + e->args.used + e->scratch.used;
}

/* UNIT_LAUNCHES: how many. */
TEST(emulator, random_launches_end_with_the_memory_they_began_with)
{
	const char *wanted = getenv("UNIT_LAUNCHES");
	u32         n = wanted ? (u32)strtoul(wanted, NULL, 10) : 300;
	PsEmulator *e = ps_emulator_new(64 << 20);
	(void)a;
	EXPECT_EQ(ps_emulator_load(e, "hungry.ll", hungry, sizeof hungry - 1, 0, NULL), PS_STATUS_DONE);
	for (const char *name = "ab"; *name; name++) /* room for the largest, which later ones reuse */
		EXPECT_EQ(ps_emulator_buffer(e, (char[]){*name, 0}, NULL, 5004), PS_STATUS_DONE);
	held_after(e, 6, 1);
	u64 before = held_after(e, 6, 1), chunks = e->c.s.budget.used;
	EXPECT_EQ(held_after(e, n / 6 * 6, 2), before);
	EXPECT(e->c.s.budget.used <= chunks + (1 << 20));
	ps_emulator_free(e);
}

UNIT_MAIN
