/* main.c: fuzz-mutants: mutants of LLVM IR until the count or the time is reached.
 *
 *	fuzz-mutants [--seed=N] [--count=N] [--first=N] [--seconds=N] [--most=N] [--ptxas=PATH] [--save=DIR] [--verbose] SEED.ll…
 *	fuzz-mutants --print --seed=N --first=N SEED.ll…
 *
 * Mutant i of seed S is made from S, i and the list of files alone, and compiled in a process of its own, so that a
 * crash ends only itself. One that fails is reduced and saved with the command that shows it. A file with a launch
 * (SEED.launch.json) has half of its mutants executed at all levels. Status 1: something failed. */
#define _DEFAULT_SOURCE
#include "mutants.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { LIMIT_SECONDS = 20 };
#else
enum { LIMIT_SECONDS = 4 };
#endif

typedef struct Options {
	u64         seed, first, count, seconds;
	u32         most; /* failures until it stops */
	bool        print, verbose;
	const char *save;
	Tools       tools;
} Options;

typedef struct Totals {
	u64 made, invalid, unsupported, compiled, assembled, executed, failed;
} Totals;

/* ---- seeds */

/* The machine that the text's RUN lines name last. */
static u32 written_for(Str text)
{
	static const char word[] = "-mcpu=sm_";
	u32               sm = 0;
	for (u32 i = 0; i + sizeof word < text.n; i++)
		if (memcmp(text.p + i, word, sizeof word - 1) == 0)
			sm = (u32)strtoul(text.p + i + sizeof word - 1, NULL, 10);
	return sm;
}

static Seed read_seed(Arena *arena, const char *path)
{
	Seed s = {.path = path, .text = read_file(arena, path)};
	u32  n = (u32)strlen(path);
	n -= n > 3 && strcmp(path + n - 3, ".ll") == 0 ? 3 : 0;
	n -= n > 3 && memcmp(path + n - 3, ".O0", 3) == 0 ? 3 : 0;
	s.launch = read_file(arena, arena_fmt(arena, "%.*s.launch.json", (int)n, path).p);
	s.sm = written_for(s.text);
	return s;
}

/* ---- a process for each */

typedef void Work(Mutant *x, const Seed *seed, const Options *o, Random *r);

static void make_and_try(Mutant *x, const Seed *seed, const Options *o, Random *r)
{
	snprintf(x->stage, sizeof x->stage, "make");
	make_mutant(x, seed, r);
	if (x->outcome == OUTCOME_NONE && !o->print)
		try_mutant(x, seed, &o->tools);
}

static void only_try(Mutant *x, const Seed *seed, const Options *o, Random *r)
{
	(void)r;
	try_mutant(x, seed, &o->tools);
}

/* What the sanitizers said, in one line. */
static void explain(Mutant *x, const Options *o, Arena *arena, int status)
{
	static const char *const words[] = {"runtime error: ", "ERROR: AddressSanitizer", "Assertion", "SUMMARY: "};
	Str                      said = arena_str(arena, read_file(arena, arena_fmt(arena, "%s/stderr.txt", o->save).p));
	const char              *at = NULL;
	for (u32 i = 0; i < PS_COUNT(words) && !at && said.n; i++)
		at = strstr(said.p, words[i]);
	const char *end = at ? strchr(at, '\n') : NULL;
	x->outcome = OUTCOME_FAILED;
	snprintf(x->message, MESSAGE_SIZE, "%s: %s %d%s%.*s", x->stage, WIFSIGNALED(status) ? "signal" : "exit",
	         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), at ? ": " : "",
	         at ? end ? (int)(end - at) : (int)strlen(at) : 0, at ? at : "");
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		snprintf(x->message, MESSAGE_SIZE, "%s: takes more than %d seconds", x->stage, LIMIT_SECONDS);
}

static void in_process(Work *work, Mutant *x, const Seed *seed, const Options *o, Arena *arena, Random *r)
{
	fflush(stdout);
	x->outcome = OUTCOME_NONE;
	x->message[0] = 0;
	pid_t pid = fork();
	if (pid == 0) {
		int fd = open(arena_fmt(arena, "%s/stderr.txt", o->save).p, O_WRONLY | O_CREAT | O_TRUNC, 0644);
		if (fd >= 0)
			dup2(fd, 2);
		const struct itimerval t = {.it_value = {.tv_sec = LIMIT_SECONDS}};
		setitimer(ITIMER_PROF, &t, NULL);
		work(x, seed, o, r);
		_exit(0);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	if (status)
		explain(x, o, arena, status);
}

/* ---- a failure */

/* Up to the first number or quoted name, so that a smaller module with the same defect counts as the same. */
static Str signature(Str message)
{
	u32 n = 0, colons = 0;
	while (n < message.n && colons < 5 && !(message.p[n] >= '0' && message.p[n] <= '9' && colons > 1) &&
	       message.p[n] != '%' && message.p[n] != '\'' && message.p[n] != '@')
		colons += message.p[n++] == ':';
	return (Str){message.p, n};
}

typedef struct Same {
	Mutant        *x; /* scratch */
	const Seed    *seed;
	const Options *o;
	Arena         *arena;
	Str            want;
} Same;

static bool fails_the_same(void *user, Str text)
{
	Same   *s = user;
	Options o = *s->o;
	if (s->want.n < 5 || memcmp(s->want.p, "ptxas", 5) != 0)
		o.tools.ptxas = NULL;
	if (text.n >= TEXT_SIZE)
		return false;
	memcpy(s->x->text, text.p, text.n);
	s->x->text_n = text.n;
	in_process(only_try, s->x, s->seed, &o, s->arena, NULL);
	Str message = {s->x->message, (u32)strlen(s->x->message)};
	return s->x->outcome == OUTCOME_FAILED && str_eq(signature(message), s->want);
}

static void report(const Options *o, Arena *arena, Mutant *x, const Seed *seed, u64 number)
{
	Str message = arena_fmt(arena, "%s", x->message), whole = arena_str(arena, (Str){x->text, x->text_n}),
	    path = arena_fmt(arena, "%s/mutant-%llu-%llu.ll", o->save, (unsigned long long)o->seed, (unsigned long long)number);
	bool made = strcmp(x->stage, "make") != 0;
	Same same = {x, seed, o, arena, signature(message)};
	save_file(arena_fmt(arena, "%.*s.whole", STR_ARG(path)).p, whole); /* what is made smaller may be less defined */
	Str  small = made ? reduce(arena, whole, 600, fails_the_same, &same) : whole;
	Text t, command;
	text_init(&command, arena);
	text_f(&command, "ptxscope compile");
	for (u32 i = 0; i < x->n_options; i++)
		text_f(&command, " %s", x->option[i]);
	text_init(&t, arena);
	text_f(&t, "; %.*s\n; from %s: mutant %llu of seed %llu\n; %.*s\n", STR_ARG(message), seed->path,
	       (unsigned long long)number, (unsigned long long)o->seed, STR_ARG(text_str(&command)));
	text_add(&t, small);
	save_file(path.p, text_str(&t));
	printf("mutant %llu of %s: %.*s\n  %.*s %.*s\n", (unsigned long long)number, seed->path, STR_ARG(message),
	       STR_ARG(text_str(&command)), STR_ARG(path));
	fflush(stdout);
}

/* ---- the loop */

static void count(Totals *t, const Mutant *x)
{
	t->made++;
	t->invalid += x->outcome == OUTCOME_INVALID;
	t->unsupported += x->outcome == OUTCOME_UNSUPPORTED;
	t->compiled += x->outcome == OUTCOME_COMPILED;
	t->failed += x->outcome == OUTCOME_FAILED;
	t->assembled += x->outcome == OUTCOME_COMPILED && x->assembled;
	t->executed += x->outcome == OUTCOME_COMPILED && x->executed;
}

static void say(const Totals *t)
{
	printf("%llu mutants, %llu failed, %llu compiled, %llu assembled, %llu executed, %llu not supported, %llu not valid\n",
	       (unsigned long long)t->made, (unsigned long long)t->failed, (unsigned long long)t->compiled,
	       (unsigned long long)t->assembled, (unsigned long long)t->executed, (unsigned long long)t->unsupported,
	       (unsigned long long)t->invalid);
	fflush(stdout);
}

static Totals run(const Options *o, const Seed *seeds, u32 n, Mutant *x)
{
	f64    start = now(), said = start;
	Totals t = {0};
	for (u64 number = o->first; number - o->first < o->count && t.failed < o->most; number++) {
		if (o->seconds && now() - start > (f64)o->seconds)
			break;
		if (now() - said > 10) {
			say(&t);
			said = now();
		}
		MemBudget budget = {0};
		Arena     arena;
		Random    r = random_of(o->seed, number);
		arena_init(&arena, &budget);
		x->file = below(&r, n);
		Options here = *o;
		here.tools.traced = number % 4 == 0;
		in_process(make_and_try, x, &seeds[x->file], &here, &arena, &r);
		count(&t, x);
		if (o->verbose && (x->outcome == OUTCOME_UNSUPPORTED || x->outcome == OUTCOME_INVALID))
			printf("%s: %s: %s\n", x->outcome == OUTCOME_INVALID ? "invalid" : "unsupported", seeds[x->file].path,
			       x->message);
		if (o->print) {
			printf("; %s\n;", seeds[x->file].path);
			for (u32 i = 0; i < x->n_options; i++)
				printf(" %s", x->option[i]);
			printf("\n%.*s", (int)x->text_n, x->text);
			arena_free(&arena);
			break;
		}
		if (x->outcome == OUTCOME_FAILED)
			report(&here, &arena, x, &seeds[x->file], number);
		arena_free(&arena);
	}
	return t;
}

int main(int argc, char **argv)
{
	Options   o = {.seed = 1, .count = ~(u64)0, .most = 20, .save = "."};
	MemBudget budget = {0};
	Arena     arena;
	Vec(Seed) seeds = {0};
	arena_init(&arena, &budget);
	for (int i = 1; i < argc; i++) {
		const char *v;
		if (strcmp(argv[i], "--print") == 0)
			o.print = true;
		else if (strcmp(argv[i], "--verbose") == 0)
			o.verbose = true;
		else if ((v = option_value(argv[i], "--seed")))
			o.seed = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--first")))
			o.first = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--count")))
			o.count = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--seconds")))
			o.seconds = strtoull(v, NULL, 10);
		else if ((v = option_value(argv[i], "--most")))
			o.most = (u32)strtoul(v, NULL, 10);
		else if ((v = option_value(argv[i], "--ptxas")))
			o.tools.ptxas = v;
		else if ((v = option_value(argv[i], "--save")))
			o.save = v;
		else if (argv[i][0] == '-') {
			fprintf(stderr, "fuzz-mutants: what is %s?\n", argv[i]);
			return 2;
		} else
			vec_push(&arena, &seeds, read_seed(&arena, argv[i]));
	}
	Mutant *x = mmap(NULL, sizeof *x, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!seeds.n || x == MAP_FAILED)
		return 2;
	o.tools.folder = o.save;
	Totals t = run(&o, seeds.p, seeds.n, x);
	if (!o.print)
		say(&t);
	arena_free(&arena);
	return t.failed ? 1 : 0;
}
