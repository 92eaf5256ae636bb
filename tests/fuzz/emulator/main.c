/* main.c: what turns one of the generators into a program.
 *
 * Built with -DPS_LIBFUZZER it is a target of libFuzzer, which keeps the bytes that reach new code. Otherwise:
 *
 *	fuzz-NAME [--seed=N] [--count=N] [--seconds=N] [--show]     random bytes: case i of seed S depends on S and i alone
 *	fuzz-NAME [--show] FILE…                                    the bytes of these files
 *
 * and its last line is "N cases, N failed": N cases of which so many ran, faulted, … A case that fails ends the program; the
 * line before says which one it was. FUZZ_SHOW=1 in the environment is --show under libFuzzer. */
#define _DEFAULT_SOURCE
#include "emulator.h"

#include "base/redzone.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Outcome run_case(const u8 *bytes, size_t n, bool show)
{
	MemBudget budget = {0};
	Arena     arena;
	arena_init(&arena, &budget);
	Case k = {.c = {bytes, n}, .arena = &arena, .show = show};
	text_init(&k.text, &arena);
	text_init(&k.launch, &arena);
	Outcome o = fuzz_case(&k);
	arena_free(&arena);
	budget_free(&budget);
	return o;
}

void fuzz_die(Case *k, const char *why, Str said)
{
	fprintf(stderr, "%s: %.*s\n---- text\n%.*s\n---- launch\n%.*s\n", why, STR_ARG(said), STR_ARG(text_str(&k->text)),
	        STR_ARG(text_str(&k->launch)));
	abort();
}

Outcome fuzz_run(Case *k, const char *const *options, u32 n)
{
	static const char *const fixed[] = {"--launch=k.launch.json", "--max-memory=48", "--max-steps=3000", "--json"};
	const char              *argv[32] = {k->command ? k->command : "run", "k.txt"};
	int                      argc = 2;
	World                    w = {.text = text_str(&k->text), .launch = text_str(&k->launch)};
	for (u32 i = 0; i < PS_COUNT(fixed); i++)
		argv[argc++] = fixed[i];
	for (u32 i = 0; i < n; i++)
		argv[argc++] = options[i];
	if (k->show) {
		printf("---- text\n%.*s\n---- launch\n%.*s\n---- ptxscope", STR_ARG(w.text), STR_ARG(w.launch));
		for (int i = 0; i < argc; i++)
			printf(" %s", argv[i]);
		printf("\n");
		fflush(stdout);
	}
	int status = run_command(&w, k->arena, argv, argc);
	Str said = text_str(&w.err);
	if (k->show)
		printf("---- status %d\n%.*s%.*s\n", status, STR_ARG(said), STR_ARG(text_str(&w.out)));
	if (status == 0)
		return OUTCOME_RAN;
	if (status == 4)
		return OUTCOME_MEMORY;
	if (status == 1 && contains(said, " in thread "))
		return OUTCOME_FAULT;
	if (status == 1 && contains(said, "error: "))
		return OUTCOME_ERROR;
	fuzz_die(k, status == 1 ? "fails without an error" : status == 2 ? "usage" : "internal error", said);
	return OUTCOME_ERROR;
}

#ifdef PS_LIBFUZZER

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	run_case(data, size, getenv("FUZZ_SHOW") != NULL);
	return 0;
}

#else

typedef struct Totals {
	u64 n, of[OUTCOME_COUNT];
} Totals;

static void add_case(Totals *t, Outcome o)
{
	t->n++;
	t->of[o]++;
}

static void say(const Totals *t)
{
	printf("%llu cases, 0 failed (%llu ran, %llu faulted, %llu refused, %llu without memory)\n", (unsigned long long)t->n,
	       (unsigned long long)t->of[OUTCOME_RAN], (unsigned long long)t->of[OUTCOME_FAULT],
	       (unsigned long long)t->of[OUTCOME_ERROR], (unsigned long long)t->of[OUTCOME_MEMORY]);
}

/* What runs, to be named where it ends the program. */
typedef struct Running {
	u64 seed, number;
} Running;
static Running running;

static void name_case(void)
{
	fprintf(stderr, "fuzz: that was case %llu of seed %llu (--seed=%llu --first=%llu --count=1 --show)\n",
	        (unsigned long long)running.number, (unsigned long long)running.seed, (unsigned long long)running.seed,
	        (unsigned long long)running.number);
}

#ifdef PS_ASAN
static void watch(void) { __sanitizer_set_death_callback(name_case); }
#else
static void on_signal(int number)
{
	name_case();
	signal(number, SIG_DFL);
	raise(number);
}
static void watch(void)
{
	signal(SIGSEGV, on_signal);
	signal(SIGABRT, on_signal);
}
#endif

/* Case `i` of the seed. */
static Outcome random_case(u64 seed, u64 i, bool show)
{
	enum { MOST = 3000 };
	u8     bytes[MOST];
	Random r = random_of(seed, i);
	u32    n = 1 + below(&r, MOST - 1);
	for (u32 k = 0; k < n; k++)
		bytes[k] = (u8)rnd(&r);
	return run_case(bytes, n, show);
}

int main(int argc, char **argv)
{
	u64    seed = 1, first = 0, count = 1000, seconds = 0;
	bool   show = false, files = false;
	Totals t = {0};
	for (int i = 1; i < argc; i++) {
		const char *v;
		if (strcmp(argv[i], "--show") == 0)
			show = true;
		else if ((v = option_value(argv[i], "--seed")))
			seed = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--first")))
			first = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--count")))
			count = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--seconds")))
			seconds = strtoull(v, NULL, 10);
		else {
			MemBudget budget = {0};
			Arena     arena;
			arena_init(&arena, &budget);
			Str s = read_file(&arena, argv[i]);
			files = true;
			add_case(&t, run_case((const u8 *)s.p, s.n, show));
			arena_free(&arena);
			budget_free(&budget);
		}
	}
	watch();
	f64 end = now() + (f64)seconds;
	for (u64 i = first; !files && (seconds ? now() < end : i < first + count); i++) {
		running = (Running){seed, i};
		add_case(&t, random_case(seed, i, show));
	}
	say(&t);
	return 0;
}

#endif
