/* main.c: the native command line: files, streams and the clock, nothing else. */
#define _GNU_SOURCE /* POSIX, and mremap */
#include "api/ptxscope.h"

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
	size_t    mapped; /* bytes; 0: it is in allocated memory */
};

enum { MAP_FROM = 1 << 16 }; /* bytes: below, a copy costs less than a mapping */

/* A larger file is mapped, not copied. */
static bool map_file(FILE *f, ReadFile *file, size_t *size)
{
	struct stat st;
	int         fd = fileno(f);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < MAP_FROM || (unsigned long long)st.st_size > SIZE_MAX)
		return false;
	void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return false;
	file->data = data;
	*size = file->mapped = (size_t)st.st_size;
	return true;
}

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
	*file = (ReadFile){.next = *files};
	if (f == stdin || !map_file(f, file, size))
		file->data = read_stream(f, size, error);
	*files = file;
	if (f != stdin)
		fclose(f);
	return file->data;
}

static void free_files(ReadFile *file)
{
	while (file) {
		ReadFile *next = file->next;
		if (file->mapped)
			munmap(file->data, file->mapped);
		else
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
	const PsHost host = {
		.size = sizeof host,
		.user = &files,
		.read = host_read,
		.write = host_write,
		.print = host_print,
		.now_ms = host_now_ms,
		.memory_cap = (size_t)4 << 30,
		.pages = host_pages,
	};
	int status = ps_command(argc - 1, (const char *const *)argv + 1, &host);
	free_files(files);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "ptxscope: standard output: %s\n", strerror(errno));
	return 2;
}
