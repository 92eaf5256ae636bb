/* unit.h: the unit test harness of core. One program per file:
 *
 *   TEST(map, keeps_insertion_order) { EXPECT_EQ(m.live, 3); }
 *   UNIT_MAIN
 *
 * Each TEST runs with a fresh arena `a` (a cap of 1 GiB). A failed EXPECT prints file, line and both
 * values and the test goes on; the output is TAP, the exit status 1 where anything failed. A word on
 * the command line runs only the tests whose name contains it. */
#ifndef PS_UNIT_H
#define PS_UNIT_H

#include "base/arena.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct UnitTest UnitTest;
struct UnitTest {
	const char *name;
	void (*run)(Arena *a);
	UnitTest *next;
};

static UnitTest   *unit_first, **unit_last = &unit_first;
static int         unit_failures; /* of the test that runs now */
static const char *unit_name;

#if !defined(__GNUC__)
#error "the harness registers tests with __attribute__((constructor))"
#endif

#define TEST(group, what)                                                                                  \
	static void     unit_run_##group##_##what(Arena *a);                                               \
	static UnitTest unit_test_##group##_##what = {#group ": " #what, unit_run_##group##_##what, NULL}; \
	__attribute__((constructor)) static void unit_add_##group##_##what(void)                           \
	{                                                                                                  \
		*unit_last = &unit_test_##group##_##what;                                                  \
		unit_last = &unit_test_##group##_##what.next;                                              \
	}                                                                                                  \
	static void unit_run_##group##_##what(PS_UNUSED Arena *a)

/* Says where, and counts. */
static inline void unit_fail(const char *file, int line, const char *what)
{
	unit_failures++;
	printf("# %s:%d: %s: %s\n", file, line, unit_name, what);
}

static inline void unit_expect(bool ok, const char *file, int line, const char *text)
{
	if (!ok)
		unit_fail(file, line, text);
}

static inline void unit_expect_eq(u64 got, u64 want, const char *file, int line, const char *text)
{
	if (got == want)
		return;
	unit_fail(file, line, text);
	printf("#   got  %" PRIu64 " (0x%" PRIx64 ")\n#   want %" PRIu64 " (0x%" PRIx64 ")\n", got, got, want, want);
}

static inline void unit_print_bytes(const char *label, Str s)
{
	printf("#   %s \"", label);
	for (u32 i = 0; i < s.n; i++) {
		u8 c = (u8)s.p[i];
		if (c == '\n')
			printf("\\n");
		else if (c < 0x20 || c >= 0x7F)
			printf("\\x%02x", c);
		else
			putchar(c);
	}
	printf("\"\n");
}

static inline void unit_expect_str(Str got, Str want, const char *file, int line, const char *text)
{
	if (str_eq(got, want))
		return;
	unit_fail(file, line, text);
	unit_print_bytes("got ", got);
	unit_print_bytes("want", want);
}

#define EXPECT(cond) unit_expect((cond), __FILE__, __LINE__, #cond)
/* Integers of any width, compared as 64 bits; signed ones are extended. */
#define EXPECT_EQ(got, want)    unit_expect_eq((u64)(got), (u64)(want), __FILE__, __LINE__, #got " == " #want)
#define EXPECT_STR(got, want)   unit_expect_str((got), str_of(want), __FILE__, __LINE__, #got)
#define EXPECT_STREQ(got, want) unit_expect_str((got), (want), __FILE__, __LINE__, #got " == " #want)

static inline void unit_exhausted(PS_UNUSED void *user, u64 wanted)
{
	printf("Bail out! out of memory: %" PRIu64 " bytes more wanted\n", wanted);
	fflush(stdout);
	exit(1);
}

static inline int unit_main(int argc, char **argv)
{
	int n = 0, failed = 0;
	for (UnitTest *t = unit_first; t; t = t->next) {
		if (argc > 1 && !strstr(t->name, argv[1]))
			continue;
		MemBudget budget = {.cap = (u64)1 << 30, .exhausted = unit_exhausted};
		Arena     a;
		arena_init(&a, &budget);
		unit_failures = 0;
		unit_name = t->name;
		t->run(&a);
		arena_free(&a);
		unit_name = t->name;
		unit_expect(budget.used == 0, __FILE__, __LINE__, "every arena gave its memory back");
		failed += unit_failures != 0;
		printf("%sok %d - %s\n", unit_failures ? "not " : "", ++n, t->name);
		fflush(stdout);
	}
	printf("1..%d\n", n);
	return failed != 0;
}

#define UNIT_MAIN \
	int main(int argc, char **argv) { return unit_main(argc, argv); }

#endif
