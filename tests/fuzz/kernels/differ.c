/* differ.c: runs a kernel in this process, through the public interface, and says whether all levels agree. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "api/ptxscope.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

typedef struct World {
	Str  kernel, launch;
	Text out, err;
} World;

static const char *world_read(void *user, const char *path, size_t *size, const char **error)
{
	World *w = user;
	Str    s = strcmp(path, "k.launch.json") == 0 ? w->launch : w->kernel;
	(void)error;
	*size = s.n;
	return s.p;
}

static bool world_write(void *user, const char *path, const char *data, size_t size, const char **error)
{
	(void)error;
	(void)user, (void)path, (void)data, (void)size;
	return true;
}

static void world_print(void *user, PsStream stream, const char *data, size_t size)
{
	World *w = user;
	text_add(stream == PS_STDOUT ? &w->out : &w->err, (Str){data, (u32)size});
}

static int command(World *w, Arena *arena, const char *const *argv, int argc)
{
	PsHost host = {.user = w, .read = world_read, .write = world_write, .print = world_print};
	text_init(&w->out, arena);
	text_init(&w->err, arena);
	return ps_command(argc, argv, &host);
}

static bool contains(Str s, const char *what)
{
	u32 n = (u32)strlen(what);
	for (u32 i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, what, n) == 0)
			return true;
	return false;
}

static Str first_line(Str s)
{
	u32 n = 0;
	while (n < s.n && s.p[n] != '\n')
		n++;
	return (Str){s.p, n};
}

/* {"buffers" … up to the statistics, which may differ. Empty: it does not run. */
static Str buffers(World *w, Arena *arena, Str kernel, const char *file, const char *level)
{
	const char *argv[] = {"run", file, "--launch=k.launch.json", level, "--json", "--max-steps=4000000"};
	w->kernel = kernel;
	if (command(w, arena, argv, 6) != 0)
		return (Str){"", 0};
	Str s = text_str(&w->out);
	for (u32 i = 0; i + 8 < s.n; i++)
		if (memcmp(s.p + i, "\"stats\":", 8) == 0)
			return (Str){s.p, i};
	return s;
}

static Str read_file(Arena *arena, const char *path)
{
	FILE *f = fopen(path, "rb");
	Text  t;
	char  buffer[4096];
	text_init(&t, arena);
	for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
		text_add(&t, (Str){buffer, (u32)n});
	if (f)
		fclose(f);
	return text_str(&t);
}

/* llc-19's PTX of the text; empty where it makes none. */
static Str llc_ptx(const Differ *d, Arena *arena, const Case *c)
{
	Str in = arena_fmt(arena, "%s/llc.ll", d->folder), out = arena_fmt(arena, "%s/llc.ptx", d->folder);
	Str cpu = arena_fmt(arena, "-mcpu=sm_%u", c->sm);
	FILE *f = fopen(in.p, "wb");
	if (!f)
		return (Str){"", 0};
	fwrite(c->text.p, 1, c->text.n, f);
	fclose(f);
	remove(out.p);
	char *argv[] = {(char *)(size_t)d->llc, (char *)(size_t)cpu.p, "-mattr=+ptx83", (char *)(size_t)c->level.p, (char *)(size_t)in.p, "-o", (char *)(size_t)out.p, NULL};
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

Str differ(Differ *d, Arena *arena, const Case *c, bool with_llc)
{
	enum { OPTIONS = 40 };
	World       w = {.kernel = c->text, .launch = c->launch};
	const char *argv[OPTIONS + 8] = {"check", "k.ll", "--launch=k.launch.json", "--json", "--max-steps=4000000"};
	int         argc = 5;
	for (u32 i = 0; i < c->option.n && i < OPTIONS; i++)
		argv[argc++] = c->option.p[i].p;
	if (d->with)
		argv[argc++] = d->with;
	if (d->break_after)
		argv[argc++] = arena_fmt(arena, "--break-after=%s", d->break_after).p;
	int status = command(&w, arena, argv, argc);
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
	/* llc-19 knows no target past sm_90, and makes 1 of a true i1 that is signed. */
	if (!with_llc || !d->llc || c->sm > 90 || contains(c->text, "sitofp i1 "))
		return (Str){"", 0};
	Str ptx = llc_ptx(d, arena, c);
	Str want = buffers(&w, arena, c->text, "k.ll", "--level=ir");
	if (!ptx.n || !want.n)
		return (Str){"", 0};
	Str got = buffers(&w, arena, ptx, "k.ptx", "--level=ptx");
	if (!str_eq(want, got))
		return arena_fmt(arena, "llc-19's PTX (%.*s) computes something else than the IR: %.*s", STR_ARG(c->level), STR_ARG(first_line(text_str(&w.err))));
	return (Str){"", 0};
}
