/* main.c: the native command line: files, streams and the clock, nothing else. */
#define _POSIX_C_SOURCE 199309L
#include "api/ptxscope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A file that was read lives until the command ends. */
typedef struct ReadFile ReadFile;
struct ReadFile {
	ReadFile *next;
	char     *data;
};

static char *read_stream(FILE *f, size_t *size, const char **error)
{
	size_t n = 0, cap = 1 << 16;
	char  *data = malloc(cap);
	while (data) {
		n += fread(data + n, 1, cap - n, f);
		if (n < cap)
			break;
		char *more = realloc(data, cap * 2);
		if (!more)
			free(data);
		data = more;
		cap *= 2;
	}
	if (!data || ferror(f)) {
		*error = data ? strerror(errno) : "is larger than memory";
		free(data);
		return NULL;
	}
	*size = n;
	return data;
}

static const char *host_read(void *user, const char *path, size_t *size, const char **error)
{
	ReadFile **files = user;
	FILE      *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	ReadFile  *file = f ? malloc(sizeof *file) : NULL;
	if (!file) {
		*error = strerror(errno);
		return NULL;
	}
	*file = (ReadFile){*files, read_stream(f, size, error)};
	*files = file;
	if (f != stdin)
		fclose(f);
	return file->data;
}

static void free_files(ReadFile *file)
{
	while (file) {
		ReadFile *next = file->next;
		free(file->data);
		free(file);
		file = next;
	}
}

static bool host_write(void *user, const char *path, const char *data, size_t size)
{
	(void)user;
	FILE *f = fopen(path, "wb");
	if (!f)
		return false;
	bool good = fwrite(data, 1, size, f) == size;
	good &= fclose(f) == 0;
	if (!good)
		remove(path);
	return good;
}

static void host_print(void *user, PsStream stream, const char *data, size_t size)
{
	(void)user;
	fwrite(data, 1, size, stream == PS_STDOUT ? stdout : stderr);
}

static double host_now_ms(void *user)
{
	(void)user;
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int main(int argc, char **argv)
{
	ReadFile    *files = NULL;
	const PsHost host = {
		.user = &files,
		.read = host_read,
		.write = host_write,
		.print = host_print,
		.now_ms = host_now_ms,
		.memory_cap = (size_t)4 << 30,
	};
	int status = ps_command(argc - 1, (const char *const *)argv + 1, &host);
	free_files(files);
	return fflush(stdout) == 0 ? status : 2;
}
