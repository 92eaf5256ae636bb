#define _POSIX_C_SOURCE 200809L
#include "shared.h"

#include "api/ptxscope.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

Random random_of(u64 seed, u64 number)
{
	Random r = {(seed * 0x9E3779B97F4A7C15u) ^ (number + 1) * 0xBF58476D1CE4E5B9u};
	rnd(&r);
	rnd(&r);
	return r;
}

/* ---- ptxscope in this process */

static const char *world_read(void *user, const char *path, size_t *size, const char **error)
{
	World *w = user;
	Str    s = strcmp(path, "k.launch.json") == 0 ? w->launch : w->text;
	(void)error;
	*size = s.n;
	return s.p;
}

static bool world_write(void *user, const char *path, const char *data, size_t size, const char **error)
{
	(void)user, (void)path, (void)data, (void)size, (void)error;
	return true;
}

static void world_print(void *user, PsStream stream, const char *data, size_t size)
{
	World *w = user;
	text_add(stream == PS_STDOUT ? &w->out : &w->err, (Str){data, (u32)size});
}

int run_command(World *w, Arena *arena, const char *const *argv, int argc)
{
	PsHost host = {.size = sizeof host, .user = w, .read = world_read, .write = world_write, .print = world_print};
	text_init(&w->out, arena);
	text_init(&w->err, arena);
	return ps_command(argc, argv, &host);
}

/* ---- text, files, time */

bool contains(Str s, const char *what)
{
	u32 n = (u32)strlen(what);
	for (u32 i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, what, n) == 0)
			return true;
	return false;
}

Str first_line(Str s)
{
	u32 n = 0;
	while (n < s.n && s.p[n] != '\n')
		n++;
	return (Str){s.p, n};
}

Str read_file(Arena *arena, const char *path)
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

bool save_file(const char *path, Str text)
{
	FILE *f = fopen(path, "wb");
	if (!f)
		return false;
	bool ok = fwrite(text.p, 1, text.n, f) == text.n;
	return fclose(f) == 0 && ok;
}

f64 now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (f64)t.tv_sec + (f64)t.tv_nsec * 1e-9;
}

const char *option_value(const char *arg, const char *name)
{
	size_t n = strlen(name);
	return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}
