/* try.c: one mutant: made, compiled, assembled, executed at all levels. */
#define _POSIX_C_SOURCE 200809L
#include "ir/text.h"
#include "mutants.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- making it */

static void option(Mutant *x, const char *fmt, ...) PS_PRINTF(2, 3);
static void option(Mutant *x, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (x->n_options < OPTIONS_MAX)
		vsnprintf(x->option[x->n_options++], OPTION_SIZE, fmt, ap);
	va_end(ap);
}

static void some_knob(Mutant *x, Random *r)
{
	const KnobInfo *k = &knob_info[1 + below(r, KNOB_COUNT - 1)];
	if (k->kind == KNOB_DEBUG || (x->defined && k->kind != KNOB_EXACT))
		return;
	if (k->type == KNOB_BOOL)
		option(x, "-%s=%u", k->name, below(r, 2));
	else if (knob_is_number(k))
		option(x, "-%s=%lld", k->name,
		       (long long)(one_in(r, 4) ? one_in(r, 2) ? k->min : k->max
		                                : k->min + below(r, (u32)PS_MIN(k->max - k->min + 1, 12))));
	else if (k->type == KNOB_ENUM) {
		const char *v = k->values;
		u32         n = 1;
		for (const char *p = v; *p; p++)
			n += *p == '|';
		for (n = below(r, n); n; v++)
			n -= *v == '|';
		option(x, "-%s=%.*s", k->name, (int)strcspn(v, "|"), v);
	}
}

static void some_target(Mutant *x, const Seed *seed, Random *r)
{
	static const u8 versions[] = {60, 63, 65, 70, 73, 75, 78, 80, 83, 85, 86, 87, 88, 90};
	char            name[16];
	u32             n = 0;
	Target          t = {0};
	while (target_cpu_at(n, name))
		n++;
	do {
		target_cpu_at(below(r, n), name);
		target_set_cpu(&t, (Str){name, (u32)strlen(name)}, false);
	} while (t.sm < seed->sm || (t.sm < 75 && !one_in(r, 4)));
	x->sm = t.sm;
	option(x, "-mcpu=%s", name);
	u32 ptx = pick(r, versions), least = target_default_ptx(t.sm, t.variant);
	if (one_in(r, 2))
		option(x, "-mattr=+ptx%u", PS_MAX(ptx, least));
	else if (one_in(r, 2))
		option(x, "-mattr=+ptx%u", PS_MAX(90u, least));
}

static void some_options(Mutant *x, const Seed *seed, Random *r)
{
	x->n_options = 0;
	option(x, "-O%u", one_in(r, 2) ? 3 : below(r, 4));
	some_target(x, seed, r);
	option(x, "-verify-machineinstrs");
	if (x->defined) {
		option(x, "-nvptx-fma-level=0");
		option(x, "-fp-contract=off");
	} else if (one_in(r, 30))
		option(x, "--nvptx-short-ptr");
	if (one_in(r, 4))
		option(x, "--check-claims");
	for (u32 n = one_in(r, 2) ? 0 : below(r, 5); n; n--)
		some_knob(x, r);
}

void make_mutant(Mutant *x, const Seed *seed, Random *r)
{
	Session *s = malloc(sizeof *s);
	jmp_buf  out;
	x->outcome = OUTCOME_INVALID;
	x->defined = seed->launch.n && one_in(r, 2);
	some_options(x, seed, r);
	session_init(s, 1u << 30);
	s->out = &out;
	if (setjmp(out) == 0) {
		IrModule *m = ir_parse(s, seed->text);
		if (m && !s->diags.errors) {
			Mut mu = {.m = m, .r = r, .defined = x->defined};
			if (x->defined)
				keep_defined(&mu);
			mutate(&mu, 1 + below(r, one_in(r, 3) ? 30 : 6));
			ir_verify(m);
			Text t;
			text_init(&t, &s->arena);
			ir_print_module(&t, m, NULL);
			x->text_n = t.n;
			if (!s->diags.errors && t.n < TEXT_SIZE) {
				memcpy(x->text, t.p, t.n);
				x->outcome = OUTCOME_NONE;
			} else if (s->diags.errors)
				snprintf(x->message, MESSAGE_SIZE, "%.*s", STR_ARG(s->diags.list.p[0].message));
		}
	} else {
		x->outcome = OUTCOME_FAILED;
		snprintf(x->message, MESSAGE_SIZE, "internal error while it was made: %.*s", STR_ARG(s->failure));
	}
	session_free(s);
	free(s);
}

/* ---- commands */

static int command(World *w, const Mutant *x, Arena *arena, const char *first, const char *const *more, u32 n)
{
	const char *argv[OPTIONS_MAX + 8] = {first, "k.ll"};
	int         argc = 2;
	for (u32 i = 0; i < x->n_options; i++)
		argv[argc++] = x->option[i];
	for (u32 i = 0; i < n; i++)
		argv[argc++] = more[i];
	return run_command(w, arena, argv, argc);
}

static void failed(Mutant *x, const char *what, Str text)
{
	Str line = first_line(text);
	x->outcome = OUTCOME_FAILED;
	snprintf(x->message, MESSAGE_SIZE, "%s: %.*s", what, STR_ARG(line));
}

/* ---- ptxas */

/* The first line of what ptxas has to say against it; empty: nothing. */
static Str assemble(const Mutant *x, const Tools *tools, Arena *arena, Str ptx)
{
	Str file = arena_fmt(arena, "%s/mutant-%d.ptx", tools->folder, (int)getpid()), log = arena_fmt(arena, "%s.log", file.p);
	Str arch = arena_fmt(arena, "-arch=%s", x->option[1] + sizeof "-mcpu=" - 1);
	if (!save_file(file.p, ptx))
		return (Str){"", 0};
	char                      *argv[] = {(char *)(size_t)tools->ptxas,
	                                     (char *)(size_t)arch.p,
	                                     "-O0",
	                                     "-c",
	                                     (char *)(size_t)file.p,
	                                     "-o",
	                                     "/dev/null",
	                                     NULL};
	posix_spawn_file_actions_t to_log;
	posix_spawn_file_actions_init(&to_log);
	posix_spawn_file_actions_addopen(&to_log, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&to_log, 2, log.p, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	pid_t pid;
	int   status = 0;
	if (posix_spawn(&pid, tools->ptxas, &to_log, NULL, argv, environ) == 0)
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&to_log);
	Str said = status ? read_file(arena, log.p) : (Str){"", 0};
	remove(file.p);
	remove(log.p);
	const char *all = arena_str(arena, said).p, *at = NULL;
	if (said.n && !(at = strstr(all, "error")))
		at = strstr(all, "fatal");
	return status ? at ? first_line((Str){at, (u32)strlen(at)}) : arena_fmt(arena, "status %d", status) : (Str){"", 0};
}

/* Is the module that the mutant comes from refused as well? Then it is no fault of the mutant's. */
static bool seed_is_refused(const Mutant *x, const Seed *seed, const Tools *tools, Arena *arena)
{
	World w = {.text = seed->text};
	int   status = command(&w, x, arena, "compile", (const char *const[]){"-o", "-"}, 2);
	return status == 0 && assemble(x, tools, arena, text_str(&w.out)).n;
}

/* What ptxas refuses, and crashes on, and an author of IR alone can be blamed for: immediates out of range, intrinsics that
 * were never to be had in this mode or for these types, 32-bit code. */
static bool is_authors_fault(Str said)
{
	static const char *const words[] = {"out of range",
	                                    "32-Bit",
	                                    "32-bit",
	                                    "multiple of warp size",
	                                    "instruction 'tex",
	                                    "Indirect access to",
	                                    "status 11",
	                                    "instruction 'mov'",
	                                    "instruction 'atom'",
	                                    "instruction 'setmaxnreg"};
	for (u32 i = 0; i < PS_COUNT(words); i++)
		if (contains(said, words[i]))
			return true;
	return false;
}

/* ---- all of it */

/* The launch with a grid and blocks of one. */
static Str one_thread(Arena *arena, Str launch)
{
	static const char *const keys[] = {"\"grid\"", "\"block\""};
	char                    *p = arena_alloc(arena, launch.n + 1, 1);
	memcpy(p, launch.p, launch.n);
	for (u32 i = 0; i < PS_COUNT(keys); i++) {
		char *at = strstr(p, keys[i]), *end = at ? strchr(at, ']') : NULL;
		for (at = at ? strchr(at, '[') : NULL; at && at < end; at++)
			if (*at >= '0' && *at <= '9')
				*at = at[-1] == '[' || at[-1] == ' ' || at[-1] == ',' ? '1' : ' ';
	}
	return (Str){p, launch.n};
}

static void check_levels(Mutant *x, const Seed *seed, Arena *arena)
{
	static const char *const more[] = {"--launch=k.launch.json", "--json", "--max-steps=1000000", "--sanitize=init,race"};
	snprintf(x->stage, sizeof x->stage, "check");
	World w = {.text = {x->text, x->text_n}, .launch = seed->launch};
	int   status = command(&w, x, arena, "check", more, PS_COUNT(more));
	Str   out = text_str(&w.out);
	bool  differ = contains(out, "\"pass\":") && !contains(out, "\"fault\":");
	if (status == 3) {
		failed(x, "check", text_str(&w.err));
		return;
	}
	x->executed = status == 0;
	if (!differ)
		return;
	/* Threads of a mutant may race: what differs has to differ for one thread alone, too. */
	Str   said = first_line(text_str(&w.err));
	World again = {.text = w.text, .launch = one_thread(arena, seed->launch)};
	command(&again, x, arena, "check", more, PS_COUNT(more));
	out = text_str(&again.out);
	if (contains(out, "\"pass\":") && !contains(out, "\"fault\":"))
		failed(x, "levels differ", said);
}

void try_mutant(Mutant *x, const Seed *seed, const Tools *tools)
{
	static const char *const to_stdout[] = {"-o", "-"}, *const traced[] = {"-o", "-", "--trace=k.json"};
	MemBudget budget = {0};
	Arena     arena;
	arena_init(&arena, &budget);
	World w = {.text = {x->text, x->text_n}, .launch = seed->launch};
	x->assembled = x->executed = 0;
	snprintf(x->stage, sizeof x->stage, "compile");
	int status = command(&w, x, &arena, "compile", to_stdout, 2);
	Str ptx = text_str(&w.out), err = text_str(&w.err);
	if (status > 1)
		failed(x, "compile", err);
	else if (status == 1 && !contains(err, "error: "))
		failed(x, "compile fails without an error", err);
	else if (status == 1) {
		x->outcome = OUTCOME_UNSUPPORTED;
		snprintf(x->message, MESSAGE_SIZE, "%.*s", STR_ARG(first_line(err)));
	} else {
		x->outcome = OUTCOME_COMPILED;
		snprintf(x->stage, sizeof x->stage, "compile --trace");
		World again = w;
		if (tools->traced &&
		    (command(&again, x, &arena, "compile", traced, 3) != 0 || !str_eq(text_str(&again.out), ptx)))
			failed(x, "--trace changes the output", text_str(&again.err));
		snprintf(x->stage, sizeof x->stage, "ptxas");
		Str said = tools->ptxas && x->sm >= 75 && x->sm != 101 ? assemble(x, tools, &arena, ptx) : (Str){"", 0};
		if (said.n && x->outcome == OUTCOME_COMPILED && !is_authors_fault(said) &&
		    !seed_is_refused(x, seed, tools, &arena))
			failed(x, "ptxas", said);
		x->assembled = said.n == 0 && tools->ptxas && x->sm >= 75;
		if (x->outcome == OUTCOME_COMPILED && x->defined)
			check_levels(x, seed, &arena);
	}
	snprintf(x->stage, sizeof x->stage, "done");
	arena_free(&arena);
}
