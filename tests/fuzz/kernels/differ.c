/* differ.c: runs a kernel in this process, through the public interface, and says whether all levels agree. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* {"buffers" … up to the statistics, which may differ. Empty: it does not run. */
static Str buffers(World *w, Arena *arena, Str kernel, const char *file, const char *level)
{
	const char *argv[] = {"run", file, "--launch=k.launch.json", level, "--json", "--max-steps=4000000"};
	w->text = kernel;
	if (run_command(w, arena, argv, 6) != 0)
		return (Str){"", 0};
	Str s = text_str(&w->out);
	for (u32 i = 0; i + 8 < s.n; i++)
		if (memcmp(s.p + i, "\"stats\":", 8) == 0)
			return (Str){s.p, i};
	return s;
}

/* llc's PTX of the text; empty where it makes none. */
static Str llc_ptx(const Differ *d, Arena *arena, const Case *c)
{
	Str in = arena_fmt(arena, "%s/llc.ll", d->folder), out = arena_fmt(arena, "%s/llc.ptx", d->folder);
	Str cpu = arena_fmt(arena, "-mcpu=sm_%u", c->sm);
	if (!save_file(in.p, c->text))
		return (Str){"", 0};
	remove(out.p);
	char                      *argv[] = {(char *)(size_t)d->llc, (char *)(size_t)cpu.p,
	                                     "-mattr=+ptx83",        (char *)(size_t)c->level.p,
	                                     (char *)(size_t)in.p,   "-o",
	                                     (char *)(size_t)out.p,  NULL};
	posix_spawn_file_actions_t quiet;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", 1, 0);
	pid_t pid;
	int   status = -1;
	if (posix_spawn(&pid, d->llc, &quiet, NULL, argv, environ) == 0)
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&quiet);
	return status == 0 ? read_file(arena, out.p) : (Str){"", 0};
}

/* What a sanitizer says of the kernel, which has nothing to be reported, as IR or as PTX; empty: nothing. */
static Str reported(const Differ *d, Arena *arena, const Case *c, const char *level)
{
	enum { OPTIONS = 40 };
	World       w = {.text = c->text, .launch = c->launch};
	const char *argv[OPTIONS + 8] = {"run", "k.ll", "--launch=k.launch.json", "--max-steps=4000000", level};
	int         argc = 5;
	argv[argc++] = arena_fmt(arena, "--sanitize=%s", d->sanitize).p;
	for (u32 i = 0; i < c->option.n && i < OPTIONS; i++)
		argv[argc++] = c->option.p[i].p;
	if (run_command(&w, arena, argv, argc) == 0)
		return (Str){"", 0};
	return arena_fmt(arena, "--sanitize=%s %s: %.*s", d->sanitize, level, STR_ARG(first_line(text_str(&w.err))));
}

Str differ(Differ *d, Arena *arena, const Case *c, bool with_llc)
{
	enum { OPTIONS = 40 };
	World       w = {.text = c->text, .launch = c->launch};
	const char *argv[OPTIONS + 8] = {"check", "k.ll", "--launch=k.launch.json", "--json", "--max-steps=4000000"};
	int         argc = 5;
	for (u32 i = 0; i < c->option.n && i < OPTIONS; i++)
		argv[argc++] = c->option.p[i].p;
	if (d->with)
		argv[argc++] = d->with;
	if (d->break_after)
		argv[argc++] = arena_fmt(arena, "--break-after=%s", d->break_after).p;
	int status = run_command(&w, arena, argv, argc);
	Str out = text_str(&w.out), err = first_line(text_str(&w.err));
	if (status == 3)
		return arena_fmt(arena, "check: %.*s", STR_ARG(err));
	if (contains(out, "\"fault\":"))
		return arena_fmt(arena, "the kernel itself is at fault: %.*s", STR_ARG(out));
	if (contains(out, "\"pass\":"))
		return arena_str(arena, err);
	if (status != 0) {
		d->unsupported++;
		d->why = err;
		return (Str){"", 0};
	}
	for (u32 k = 0; k < 2 && d->sanitize; k++) {
		Str said = reported(d, arena, c, k ? "--level=ptx" : "--level=ir");
		if (said.n)
			return said;
	}
	/* llc-19 knows no target past sm_90, and makes 1 of a true i1 that is signed. */
	if (!with_llc || !d->llc || c->sm > 90 || contains(c->text, "sitofp i1 "))
		return (Str){"", 0};
	Str ptx = llc_ptx(d, arena, c);
	Str want = buffers(&w, arena, c->text, "k.ll", "--level=ir");
	if (!ptx.n || !want.n)
		return (Str){"", 0};
	Str got = buffers(&w, arena, ptx, "k.ptx", "--level=ptx");
	if (!str_eq(want, got))
		return arena_fmt(arena, "llc's PTX (%.*s) computes something else than the IR: %.*s", STR_ARG(c->level),
		                 STR_ARG(first_line(text_str(&w.err))));
	return (Str){"", 0};
}
