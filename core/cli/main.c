/* main.c: the native command line: files, streams and the clock, nothing else. */
#define _GNU_SOURCE /* POSIX, and mremap */
#include "api/ptxscope.h"
#include "threads/threads.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

/* A file that was read lives until the command ends. */
typedef struct ReadFile ReadFile;
struct ReadFile {
	ReadFile *next;
	char     *data;
};

enum { LARGE_PAGE_FROM = 1 << 17 }; /* bytes */

/* Bytes from here to the end that a regular file says it has; 0 of any other stream. */
static uint64_t size_left(FILE *f)
{
	struct stat st;
	off_t       at = ftello(f);
	return fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && at >= 0 && st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
}

/* Memory for a file. The host hands out a large page in the time of some sixty small ones. */
static char *file_memory(size_t size)
{
#if defined(__linux__) && defined(NDEBUG) /* sanitizers are to see the end of it */
	const size_t page = (size_t)2 << 20;
	if (size >= LARGE_PAGE_FROM && size <= SIZE_MAX - page) {
		size_t rounded = (size + page - 1) & ~(page - 1);
		char  *data = aligned_alloc(page, rounded);
		if (data)
			madvise(data, rounded, MADV_HUGEPAGE); /* it may well decline */
		return data;
	}
#endif
	return malloc(size);
}

/* Reads to the end into memory, at once where the file says its size. It is not mapped: a file that shrinks takes the pages of a
 * mapping with it, and the next access to them ends the process. */
static char *read_stream(FILE *f, size_t *size, const char **error)
{
	uint64_t expected = size_left(f);
	size_t   n = 0, cap = expected < 1 << 16 ? 1 << 16 : expected < SIZE_MAX ? (size_t)expected + 1 : SIZE_MAX;
	char    *data = file_memory(cap);
	while (data) {
		n += fread(data + n, 1, cap - n, f);
		if (n < cap)
			break;
		char *more = cap <= SIZE_MAX / 2 ? realloc(data, cap * 2) : NULL;
		if (!more)
			free(data);
		data = more;
		cap *= 2;
	}
	if (!data || ferror(f) || n < expected) {
		*error = !data ? "is larger than memory" : ferror(f) ? strerror(errno) : "shrank while it was read";
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
	*file = (ReadFile){.next = *files, .data = read_stream(f, size, error)};
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

/* A device is not ours to remove. */
static bool is_regular(const char *path)
{
	struct stat s;
	return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static bool host_write(void *user, const char *path, const char *data, size_t size, const char **error)
{
	(void)user;
	FILE *f = fopen(path, "wb");
	bool  opened = f != NULL, good = opened && fwrite(data, 1, size, f) == size;
	if (!good)
		*error = strerror(errno);
	if (opened && fclose(f) != 0 && good) {
		*error = strerror(errno);
		good = false;
	}
	if (opened && !good && is_regular(path))
		remove(path);
	return good;
}

static void host_print(void *user, PsStream stream, const char *data, size_t size)
{
	(void)user;
	fwrite(data, 1, size, stream == PS_STDOUT ? stdout : stderr);
}

static const char *host_variable(void *user, const char *name)
{
	(void)user;
	return getenv(name);
}

static double host_now_ms(void *user)
{
	(void)user;
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#if defined(__linux__) && defined(NDEBUG) /* sanitizers are to see each piece by itself */
static void *host_pages(void *user, void *old, size_t old_size, size_t size)
{
	const size_t page = (size_t)2 << 20;
	(void)user;
	if (!size) {
		munmap(old, old_size);
		return NULL;
	}
	if (old) {
		void *moved = mremap(old, old_size, size, MREMAP_MAYMOVE);
		return moved == MAP_FAILED ? NULL : moved;
	}
	char *p = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	size_t before = (size_t)(-(uintptr_t)p) & (page - 1);
	if (before)
		munmap(p, before);
	munmap(p + before + size, page - before);
	madvise(p + before, size, MADV_HUGEPAGE); /* it may well decline */
	return p + before;
}
#else
#define host_pages NULL
#endif

int main(int argc, char **argv)
{
	ReadFile    *files = NULL;
	Threads     *threads = threads_new();
	const PsHost host = {
		.size = sizeof host,
		.user = &files,
		.read = host_read,
		.write = host_write,
		.print = host_print,
		.now_ms = host_now_ms,
		.variable = host_variable,
		.memory_cap = (size_t)4 << 30,
		.pages = host_pages,
		.threads = threads_host(threads),
	};
	int status = ps_command(argc - 1, (const char *const *)argv + 1, &host);
	threads_free(threads);
	free_files(files);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "ptxscope: standard output: %s\n", strerror(errno));
	return 2;
}
