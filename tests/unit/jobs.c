/* Launches that several jobs execute, on a host whose threads are one: it calls the first job's task alone, or all of them one after the
 * other, so that what happens does not depend on the moment. */
#include "unit.h"

#include "api/emulator.h"

#include <string.h>

static const char text[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
	".global .b8 format[4] = {37, 117, 32, 0};\n"
	/* prints its block; those from `from` on write where nothing is, the lower ones later. The first one takes longer than the time for
	 * which the first job is alone. */
	".visible .entry k(.param .u64 p, .param .u32 from)\n"
	"{\n"
	"	.reg .pred %p<4>; .reg .b32 %r<6>; .reg .b64 %rd<6>; .local .align 8 .b8 args[8];\n"
	"	ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [from];\n"
	"	mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;\n"
	"	mov.u64 %rd2, args; cvta.local.u64 %rd3, %rd2; mov.u64 %rd4, format; cvta.global.u64 %rd4, %rd4;\n"
	"	st.local.u32 [%rd2], %r2;\n"
	"	{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd4; st.param.b64 [a], %rd3;\n"
	"	call.uni (r), vprintf, (f, a); }\n"
	"	sub.u32 %r4, %r3, %r2; mul.lo.u32 %r4, %r4, 50;\n"
	"	setp.eq.u32 %p3, %r2, 0; @%p3 add.u32 %r4, %r4, 3000;\n"
	"$L:	sub.u32 %r4, %r4, 1; setp.ne.u32 %p1, %r4, 0; @%p1 bra $L;\n"
	"	red.global.add.u32 [%rd1], %r2;\n"
	"	setp.lt.u32 %p2, %r2, %r1; @%p2 bra $E;\n"
	"	st.global.u32 [%rd1+4096], %r2;\n"
	"$E:	ret;\n"
	"}\n"
	".visible .entry short(.param .u64 p, .param .u32 from)\n"
	"{\n"
	"	.reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
	"	ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; red.global.add.u32 [%rd1], %r1;\n"
	"	ret;\n"
	"}\n"
	".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
	".visible .entry heap()\n"
	"{\n"
	"	.reg .pred %p; .reg .b32 %r<2>; .reg .b64 %rd<4>; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 777; add.u64 "
	"%rd1, %rd1, 16;\n"
	"	{ .param .b64 n; .param .b64 r; st.param.b64 [n], %rd1; call.uni (r), malloc, (n); ld.param.b64 %rd2, [r]; }\n"
	"	setp.eq.u64 %p, %rd2, 0; @%p ret; st.u64 [%rd2], %rd1;\n"
	"	{ .param .b64 p; st.param.b64 [p], %rd2; call.uni free, (p); }\n"
	"	ret;\n"
	"}\n"
	".visible .entry large(.param .u64 p, .param .u32 from)\n"
	"{\n"
	"	.reg .b64 %rd<3>; .local .align 8 .b8 room[500000];\n"
	"	mov.u64 %rd1, room; st.local.u32 [%rd1], 1;\n"
	"	ret;\n"
	"}\n";

static u32 one_thread(void *user, u32 n, void (*task)(void *arg, u32 i), void *arg)
{
	(void)n;
	++*(u32 *)user;
	task(arg, 0);
	return 1;
}

static void no_pause(void *user) { (void)user; }

static PsEmulator *launched(const char *kernel, u32 from, size_t memory, u32 *calls)
{
	static const char *const jobs[] = {"--jobs=3"};
	const PsThreadHost       host = {.user = calls, .run = one_thread, .pause = no_pause};
	PsEmulator              *e = ps_emulator_new(memory);
	const PsArg              args[] = {ps_pointer("b", 0), ps_value(&from, sizeof from)};
	const PsLaunch l = {.size = sizeof l, .kernel = kernel, .grid = {9, 1, 1}, .block = {1, 1, 1}, .args = args, .n_args = 2};
	ps_emulator_thread_host(e, &host);
	EXPECT_EQ(ps_emulator_load(e, "k.ptx", text, sizeof text - 1, 0, NULL), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_buffer(e, "b", NULL, 8), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_launch(e, &l, 1, jobs), PS_STATUS_DONE);
	return e;
}

static PsRun run_in_steps(PsEmulator *e, u64 budget)
{
	PsRun r = PS_RUN_UNDONE;
	for (u32 i = 0; r == PS_RUN_UNDONE && i < 100000; i++)
		r = ps_emulator_step(e, budget);
	return r;
}

TEST(jobs, small_budgets_and_missing_threads_change_nothing)
{
	static const u64 budgets[] = {1, 7, 100, 1000, UINT64_MAX};
	u64              steps = 0;
	(void)a;
	for (u32 i = 0; i < PS_COUNT(budgets); i++) {
		u32         calls = 0, sum = 0;
		size_t      n;
		PsEmulator *e = launched("k", 9, 0, &calls);
		EXPECT_EQ(run_in_steps(e, budgets[i]), PS_RUN_DONE);
		EXPECT(calls > 0);
		EXPECT_EQ(ps_emulator_read(e, "b", 0, &sum, 4), PS_STATUS_DONE);
		EXPECT_EQ(sum, 36);
		EXPECT(ps_emulator_progress(e) == 1);
		EXPECT_STR(str_of(ps_emulator_printed(e, &n)), "0 1 2 3 4 5 6 7 8 ");
		EXPECT(!i || steps == ps_emulator_steps(e));
		steps = ps_emulator_steps(e);
		ps_emulator_free(e);
	}
}

TEST(jobs, the_fault_is_that_of_the_lowest_block_whoever_came_first)
{
	(void)a;
	for (u64 budget = 1; budget < 30000; budget = budget * 3 / 2 + 1) {
		u32         calls = 0;
		size_t      n;
		PsFault     f;
		PsEmulator *e = launched("k", 4, 0, &calls);
		EXPECT_EQ(run_in_steps(e, budget), PS_RUN_FAULTED);
		EXPECT(ps_emulator_fault(e, &f));
		EXPECT_EQ(f.block[0], 4);
		EXPECT(strstr(f.message, "past the end of b") != NULL);
		EXPECT(strcmp(ps_emulator_printed(e, &n), "0 1 2 3 4 ") == 0);
		EXPECT_EQ(ps_emulator_run(e), PS_RUN_FAULTED);
		ps_emulator_free(e);
	}
}

TEST(jobs, stepping_is_for_one_job)
{
	const PsGoal one = {.size = sizeof one, .kind = PS_INSTRUCTIONS};
	u32          calls = 0;
	PsPlace      at;
	PsEmulator  *e = launched("k", 9, 0, &calls);
	(void)a;
	EXPECT_EQ(ps_emulator_step(e, 100), PS_RUN_UNDONE);
	EXPECT_EQ(calls, 0);
	EXPECT(!ps_emulator_place(e, &at));
	EXPECT_EQ(ps_emulator_step(e, 9000), PS_RUN_UNDONE);
	EXPECT_EQ(calls, 1);
	EXPECT_EQ(ps_emulator_aim(e, &one), PS_STATUS_USAGE);
	EXPECT(strstr(ps_emulator_messages(e), "several jobs") != NULL);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	ps_emulator_free(e);
	/* Whoever looks before it runs has one job. */
	calls = 0;
	e = launched("k", 9, 0, &calls);
	EXPECT(ps_emulator_place(e, &at));
	EXPECT_EQ(ps_emulator_aim(e, &one), PS_STATUS_DONE);
	EXPECT_EQ(ps_emulator_step(e, 100), PS_RUN_STOPPED);
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	EXPECT_EQ(calls, 0);
	ps_emulator_free(e);
}

TEST(jobs, out_of_memory_in_a_job_ends_the_call)
{
	u32         calls = 0;
	PsEmulator *e = launched("large", 9, (size_t)12 << 20, &calls);
	(void)a;
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_FAULTED);
	EXPECT(strstr(ps_emulator_messages(e), "out of memory") != NULL);
	EXPECT_EQ(ps_emulator_load(e, "k.ptx", text, sizeof text - 1, 0, NULL), PS_STATUS_DONE);
	ps_emulator_free(e);
}

typedef struct Tasks {
	u32 begun, ended;
} Tasks;

static u32 counted(void *user, u32 n, void (*task)(void *arg, u32 i), void *arg)
{
	Tasks *t = user;
	for (u32 i = 0; i < n; i++) {
		t->begun++;
		task(arg, i);
		t->ended++;
	}
	return n;
}

/* The heap of several launches has memory of its own. To leave a task by a jump would be to leave its thread. */
TEST(jobs, a_job_that_finds_no_memory_for_the_heap_ends_its_task)
{
	static const char *const argv[] = {"--jobs=3", "--jobs-after=1"};
	(void)a;
	for (u32 cap = 1; cap < 400000; cap = cap * 5 / 4 + 1000) {
		Tasks              tasks = {0};
		PsHeap            *heap = ps_heap_new();
		PsEmulator        *e = ps_emulator_new(0);
		const PsThreadHost host = {.user = &tasks, .run = counted, .pause = no_pause};
		const PsLaunch     l = {
			    .size = sizeof l, .kernel = "heap", .grid = {9, 1, 1}, .block = {32, 1, 1}, .params = "", .heap = heap};
		ps_emulator_thread_host(e, &host);
		EXPECT_EQ(ps_emulator_load(e, "k.ptx", text, sizeof text - 1, 0, NULL), PS_STATUS_DONE);
		EXPECT_EQ(ps_emulator_launch(e, &l, 2, argv), PS_STATUS_DONE);
		heap->budget.cap = heap->budget.used + cap;
		if (ps_emulator_run(e) == PS_RUN_FAULTED)
			EXPECT(strstr(ps_emulator_messages(e), "out of memory") != NULL);
		EXPECT(tasks.begun > 0);
		EXPECT_EQ(tasks.begun, tasks.ended);
		heap->budget.cap = 0; /* and the heap can be used by others */
		EXPECT_EQ(ps_emulator_load(e, "k.ptx", text, sizeof text - 1, 0, NULL), PS_STATUS_DONE);
		EXPECT_EQ(ps_emulator_launch(e, &l, 2, argv), PS_STATUS_DONE);
		EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
		ps_emulator_free(e);
		ps_heap_free(heap);
	}
}

/* Of one block, and of many that together are too short for others: the caller's thread does it. */
TEST(jobs, short_launches_have_no_other_thread)
{
	u32         calls = 0, sum = 0;
	PsEmulator *e = launched("short", 9, 0, &calls);
	(void)a;
	EXPECT_EQ(ps_emulator_run(e), PS_RUN_DONE);
	EXPECT_EQ(calls, 0);
	EXPECT_EQ(ps_emulator_read(e, "b", 0, &sum, 4), PS_STATUS_DONE);
	EXPECT_EQ(sum, 36);
	EXPECT_EQ(ps_emulator_steps(e), 9 * 4);
	ps_emulator_free(e);
}

UNIT_MAIN
