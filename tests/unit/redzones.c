/* Red zones (base/redzone.h): in builds under AddressSanitizer, an access beside an allocation of an arena or an object of
 * the emulator ends the program with a report. Each stray is made in a process of its own. */
#include "unit.h"

#include "base/redzone.h"

#ifndef PS_ASAN

TEST(redzone, skipped)
{
	EXPECT_EQ(RED_ZONE, 0);
	printf("# skipped: strays are reported in builds under AddressSanitizer alone (make unit MODE=asan)\n");
}

#else

#include "api/emulator.h"
#include "simt/machine.h"

#include <sys/wait.h>
#include <unistd.h>

typedef void (*Stray)(Arena *a);

/* What the process that strays prints to stderr; *status: how it ended. */
static Str report_of(Arena *a, Stray stray, int *status)
{
	int  ends[2];
	Text said;
	char part[4096];
	text_init(&said, a);
	fflush(stdout);
	if (pipe(ends) != 0)
		return STR("no pipe");
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], 2);
		close(ends[0]);
		stray(a);
		_exit(0);
	}
	close(ends[1]);
	for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;)
		text_add(&said, (Str){part, (u32)n});
	close(ends[0]);
	waitpid(child, status, 0);
	return text_str(&said);
}

static bool contains(Str s, const char *what)
{
	u32 n = (u32)strlen(what);
	for (u32 i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, what, n) == 0)
			return true;
	return false;
}

static void expect_report(Arena *a, Stray stray)
{
	int status = 0;
	Str said = report_of(a, stray, &status);
	EXPECT(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
	EXPECT(contains(said, "AddressSanitizer: use-after-poison"));
}

/* A test that passes when `...` is reported; `a` is an arena. */
#define STRAY(group, what, ...)                                                                          \
	static void stray_##group##_##what(PS_UNUSED Arena *a) __VA_ARGS__ TEST(redzone, group##_##what) \
	{                                                                                                \
		expect_report(a, stray_##group##_##what);                                                \
	}

static void touch(volatile u8 *p) { *p = 1; }

/* ---- arenas */

TEST(redzone, what_is_handed_out_can_be_used)
{
	for (u32 i = 0; i < 3000; i++) {
		u32 size = i % 67;
		u8 *p = arena_alloc(a, size, (size_t)1 << i % 7);
		memset(p, 1, size);
		p = arena_grow(a, p, size, size + i % 5, 1);
		memset(p, 2, size + i % 5);
	}
	u8 *bytes = NULL;
	for (u64 n = 0; n < 4 << 20; n = 2 * n + 100) {
		bytes = arena_grow_bytes(a, bytes, n, 2 * n + 100);
		memset(bytes, 3, 2 * n + 100);
	}
}

STRAY(arena, past_the_end, {
	u8 *p = arena_alloc(a, 24, 8);
	arena_alloc(a, 24, 8);
	touch(p + 24);
})
STRAY(arena, past_the_end_of_odd_bytes, { touch((u8 *)arena_alloc(a, 13, 1) + 13 + RED_ZONE / 2); })
STRAY(arena, before_the_start, {
	arena_alloc(a, 24, 8);
	touch((u8 *)arena_alloc(a, 24, 8) - 1);
})
STRAY(arena, past_what_grew_in_place, {
	u8 *p = arena_alloc(a, 16, 8);
	touch((u8 *)arena_grow(a, p, 16, 40, 8) + 40);
})
STRAY(arena, past_bytes_of_a_chunk_of_their_own, {
	Arena own;
	arena_init(&own, a->budget);
	u8 *p = arena_grow_bytes(&own, NULL, 0, 3 << 20);
	p = arena_grow_bytes(&own, p, 3 << 20, 5 << 20);
	touch(p + (5 << 20));
})

/* Chunks cut from a host's large pages are never given back to malloc. */
static void *host_pages(PS_UNUSED void *user, void *old, PS_UNUSED size_t old_size, size_t size)
{
	void *p = size ? aligned_alloc(ARENA_PAGE, size) : NULL;
	if (p)
		memset(p, 0, size);
	if (!size)
		free(old);
	return p;
}
STRAY(arena, after_it_was_freed, {
	MemBudget budget = {.pages = host_pages};
	Arena     own;
	(void)a;
	arena_init(&own, &budget);
	u8 *p = arena_alloc(&own, 64, 8);
	arena_free(&own);
	touch(p);
})

/* ---- the emulator, in the middle of a kernel */

static const char kernel[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			     ".global .align 4 .b32 g[3];\n"
			     ".func f() { .reg .b32 %r<5>; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, %r1; ret; }\n"
			     ".visible .entry k(.param .u64 p)\n{\n"
			     " .shared .align 4 .b8 s[20]; .local .align 4 .b8 l[12]; .reg .b32 %r<3>;\n"
			     " mov.u32 %r1, 7; st.shared.u32 [s], %r1; st.local.u32 [l], %r1;\n"
			     " call f, ();\n bar.sync 0;\n ret;\n}\n";

/* Its machine, stopped at the barrier; never freed, as the process ends. */
static SimtMachine *running(void)
{
	static const u8 bytes[5];
	PsEmulator     *e = ps_emulator_new(0);
	PsArg           arg = ps_pointer("b", 0);
	PsLaunch        l = {.size = sizeof l, .kernel = "k", .grid = {1, 1, 1}, .block = {64, 1, 1}, .args = &arg, .n_args = 1};
	PsGoal          barrier = {.size = sizeof barrier, .kind = PS_TO_BARRIER};
	ps_emulator_load(e, "k.ptx", kernel, sizeof kernel - 1, 0, NULL);
	ps_emulator_buffer(e, "b", bytes, sizeof bytes);
	ps_emulator_launch(e, &l, 0, NULL);
	ps_emulator_aim(e, &barrier);
	if (ps_emulator_step(e, 1000) != PS_RUN_STOPPED)
		_exit(0);
	return e->machine;
}

static Warp  *a_warp(void) { return &running()->block.p[0]->warp[0]; }
static Frame *a_frame(const Warp *w) { return &w->frame.p[w->path.p[0].frame]; }

STRAY(emulator, past_a_buffer, { touch(simt_buffer(running(), 0) + 5); })
STRAY(emulator, before_a_buffer, { touch(simt_buffer(running(), 0) - 1); })
STRAY(emulator, past_a_variable, {
	SimtMachine *m = running();
	touch(m->region.p[0].host + m->region.p[0].size);
})
STRAY(emulator, past_the_parameters, {
	SimtMachine *m = running();
	touch(m->param + m->param_size);
})
STRAY(emulator, past_shared_memory, {
	SimtMachine *m = running();
	touch(m->block.p[0]->shared + m->shared_size);
})
STRAY(emulator, before_shared_memory, { touch(running()->block.p[0]->shared + SHARED_START - 1); })
STRAY(emulator, past_local_memory, {
	Warp *w = a_warp();
	touch(w->local + (size_t)w->local_size * LANES);
})
STRAY(emulator, into_local_memory_of_the_next_lane, {
	Warp *w = a_warp();
	touch(w->local + w->local_size);
})
STRAY(emulator, past_the_rows_of_a_frame, {
	SimtMachine *m = running();
	Frame       *f = a_frame(&m->block.p[0]->warp[0]);
	touch((u8 *)(f->row + (size_t)m->p->func.p[f->func].rows * LANES));
})
STRAY(emulator, before_the_rows_of_a_frame, { touch((u8 *)a_frame(a_warp())->row - 1); })
STRAY(emulator, rows_of_a_function_that_has_returned, {
	SimtMachine *m = running();
	for (u32 k = 0; k < PS_COUNT(m->free_rows); k++)
		if (m->free_rows[k])
			touch((u8 *)m->free_rows[k]);
})
STRAY(emulator, past_the_result_of_some_lanes, { touch((u8 *)(running()->scratch + 4 * LANES)); })

/* ---- malloc of kernels */

static u8 *heap_block(SimtMachine *m, u32 *rows, u64 size)
{
	const Frame    f = {.row = rows};
	const SimtInsn i = {.a = 0, .d = 2};
	Region         at;
	set_lane64(rows, 0, size);
	if (!heap_malloc(m, &f, &i, 1) || !heap_at(m, lane64(rows + 2 * LANES, 0), &at))
		_exit(0);
	return at.host;
}

STRAY(emulator, past_a_block_of_malloc, {
	static u64 rows[4 * LANES];
	touch(heap_block(running(), (u32 *)rows, 24) + 24);
})
STRAY(emulator, a_block_after_free, {
	static u64     rows[4 * LANES];
	SimtMachine   *m = running();
	u8            *p = heap_block(m, (u32 *)rows, 24);
	const Frame    f = {.row = (u32 *)rows};
	const SimtInsn i = {.a = 2};
	heap_free(m, &f, &i, 1);
	touch(p);
})

#endif

UNIT_MAIN
