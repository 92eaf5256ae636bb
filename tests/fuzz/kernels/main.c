/* main.c: fuzz-kernels: random kernels until the count or the time is reached.
 *
 *	fuzz-kernels [--seed=N] [--first=N] [--count=N] [--seconds=N] [--llc=PATH] [--save=DIR] [--break-after=PASS] [--most=N]
 *	             [--with=OPTION]           an option that each check gets
 *	             [--sanitize=LIST]         these sanitizers have nothing to report: kernels have no races
 *	fuzz-kernels --print --seed=N          the kernel of a seed
 *
 * Kernel i of seed S is made from S and i alone. --llc: one kernel in sixteen goes through that llc. A kernel
 * that fails is reduced, and saved with its launch file and the command that shows it. What crashes or hangs
 * this process is saved by a signal handler. Status 1: something failed. */
#define _DEFAULT_SOURCE
#include "fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { HANG_SECONDS = 60, LLC_EVERY = 16 };

typedef struct Options {
	u64         seed, first, count, seconds;
	u32         most; /* failures until it stops */
	const char *llc, *save, *break_after, *with, *sanitize;
	bool        print;
} Options;

/* For the signal handler. */
static Str  running;
static char crash_path[512];

static void on_signal(int number)
{
	static const char said[] =
		"fuzz-kernels: the compiler crashed or hung on a kernel; saved beside the others as crash.ll\n";
	int fd = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd >= 0) {
		ssize_t n = write(fd, running.p, running.n);
		(void)n;
		close(fd);
	}
	ssize_t n = write(2, said, sizeof said - 1);
	(void)n;
	signal(number, SIG_DFL);
	raise(number);
}

/* In processor time: a busy machine is no hang. */
static void watch_for_hangs(void)
{
	const struct itimerval t = {.it_value = {.tv_sec = HANG_SECONDS}};
	setitimer(ITIMER_PROF, &t, NULL);
}

static bool read_options(Options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *v;
		if (strcmp(argv[i], "--print") == 0)
			o->print = true;
		else if ((v = option_value(argv[i], "--seed")))
			o->seed = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--first")))
			o->first = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--count")))
			o->count = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--seconds")))
			o->seconds = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--most")))
			o->most = (u32)strtoul(v, NULL, 10);
		else if ((v = option_value(argv[i], "--llc")))
			o->llc = v;
		else if ((v = option_value(argv[i], "--save")))
			o->save = v;
		else if ((v = option_value(argv[i], "--break-after")))
			o->break_after = v;
		else if ((v = option_value(argv[i], "--with")))
			o->with = v;
		else if ((v = option_value(argv[i], "--sanitize")))
			o->sanitize = v;
		else {
			fprintf(stderr, "fuzz-kernels: what is %s?\n", argv[i]);
			return false;
		}
	}
	return true;
}

/* ---- a failure */

/* Up to the first number, so that a smaller kernel with the same defect counts as the same. */
static Str signature(Str message)
{
	static const char head[] = "k.ll: error: ";
	u32               n = 0, skip = sizeof head - 1;
	if (message.n > skip && memcmp(message.p, head, skip) == 0)
		message = (Str){message.p + skip, message.n - skip};
	while (n < message.n && !(message.p[n] >= '0' && message.p[n] <= '9') && message.p[n] != ':')
		n++;
	return (Str){message.p, n};
}

typedef struct Same {
	Differ     *d;
	const Case *c;
	bool        with_llc;
	Str         want;
} Same;

static bool fails_the_same(void *user, Str text)
{
	Same     *s = user;
	Case      c = *s->c;
	MemBudget budget = {0};
	Arena     a;
	arena_init(&a, &budget);
	c.text = text;
	running = text;
	watch_for_hangs();
	Differ d = *s->d;
	Str    message = differ(&d, &a, &c, s->with_llc);
	bool   same = message.n && str_eq(signature(message), s->want);
	arena_free(&a);
	budget_free(&budget);
	return same;
}

static void report(const Options *o, Differ *d, Arena *a, const Case *c, u64 number, Str message, bool with_llc)
{
	Same s = {d, c, with_llc, signature(message)};
	Str  small = reduce(a, c->text, 4000, fails_the_same, &s),
	    name = arena_fmt(a, "%s/%llu-%llu", o->save, (unsigned long long)o->seed, (unsigned long long)number);
	Text t, command;
	text_init(&command, a);
	text_s(&command, "ptxscope check");
	for (u32 i = 0; i < c->option.n; i++)
		text_f(&command, " %.*s", STR_ARG(c->option.p[i]));
	if (o->with)
		text_f(&command, " %s", o->with);
	if (o->break_after)
		text_f(&command, " --break-after=%s", o->break_after);
	text_f(&command, " --launch=%.*s.launch.json %.*s.ll", STR_ARG(name), STR_ARG(name));
	text_init(&t, a);
	text_f(&t, "; %.*s\n; %.*s\n", STR_ARG(message), STR_ARG(text_str(&command)));
	text_add(&t, small);
	save_file(arena_fmt(a, "%.*s.ll", STR_ARG(name)).p, text_str(&t));
	save_file(arena_fmt(a, "%.*s.launch.json", STR_ARG(name)).p, c->launch);
	printf("kernel %llu: %.*s\n  %u instructions reduced to %u: %.*s\n", (unsigned long long)number, STR_ARG(message),
	       count_instructions(c->text), count_instructions(small), STR_ARG(text_str(&command)));
	fflush(stdout);
}

/* ---- the loop */

static u32 run(const Options *o, Differ *d)
{
	f64 start = now(), said = start;
	u64 number = o->first, end = o->count < ~o->first ? o->first + o->count : ~(u64)0;
	u32 failed = 0;
	for (; number < end && failed < o->most; number++) {
		f64 t = now();
		if (o->seconds && t - start > (f64)o->seconds)
			break;
		if (t - said > 10) {
			printf("%llu kernels, %u failed, %.0f each second\n", (unsigned long long)(number - o->first), failed,
			       (f64)(number - o->first) / (t - start));
			fflush(stdout);
			said = t;
		}
		MemBudget budget = {0};
		Arena     a;
		Case      c;
		Random    r = random_of(o->seed, number);
		arena_init(&a, &budget);
		generate(&c, &a, &r);
		running = c.text;
		watch_for_hangs();
		bool with_llc = o->llc && number % LLC_EVERY == 0;
		Str  message = differ(d, &a, &c, with_llc);
		if (message.n) {
			failed++;
			report(o, d, &a, &c, number, message, with_llc);
		}
		if (d->why.n) {
			printf("kernel %llu is not supported: %.*s\n", (unsigned long long)number, STR_ARG(d->why));
			d->why.n = 0;
		}
		arena_free(&a);
		budget_free(&budget);
	}
	printf("%llu kernels, %u failed, %llu not supported, %.0f seconds\n", (unsigned long long)(number - o->first), failed,
	       (unsigned long long)d->unsupported, now() - start);
	return failed;
}

int main(int argc, char **argv)
{
	Options o = {.seed = 1, .count = ~(u64)0, .most = 20, .save = "."};
	if (!read_options(&o, argc, argv))
		return 2;
	if (o.print) {
		MemBudget budget = {0};
		Arena     a;
		Case      c;
		Random    r = random_of(o.seed, o.count == ~(u64)0 ? 0 : o.count);
		arena_init(&a, &budget);
		generate(&c, &a, &r);
		printf(";");
		for (u32 i = 0; i < c.option.n; i++)
			printf(" %.*s", STR_ARG(c.option.p[i]));
		printf("\n; %.*s\n%.*s", STR_ARG(c.launch), STR_ARG(c.text));
		arena_free(&a);
		budget_free(&budget);
		return 0;
	}
	snprintf(crash_path, sizeof crash_path, "%s/crash.ll", o.save);
	static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGPROF};
	for (u32 i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], on_signal);
	Differ d = {.llc = o.llc, .with = o.with, .break_after = o.break_after, .sanitize = o.sanitize, .folder = o.save};
	return run(&o, &d) ? 1 : 0;
}
