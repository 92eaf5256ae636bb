/* read.c: what reading modules takes by itself, without the start of a process: each file, text or bitcode, is read and verified as
 * `ptxscope fmt -disable-output` does, all of them in turns, so that whatever else the machine does touches them alike. Prints the median
 * of each one's processor time in microseconds, a line for each file.
 *   read ROUNDS FILE… */
#define _POSIX_C_SOURCE 200809L
#include "ir/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FILES = 16, MAX_ROUNDS = 1001, MEMORY = 128 << 20 };

/* Memory that a session takes, cleared between two. */
typedef struct Memory {
	char  *p;
	size_t used;
} Memory;

typedef struct Input {
	Str    text;
	double took[MAX_ROUNDS];
} Input;

static Str contents(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END) != 0)
		return (Str){0};
	size_t size = (size_t)ftell(f);
	char  *p = malloc(size + 1);
	rewind(f);
	Str s = {p, p ? (u32)fread(p, 1, size, f) : 0};
	fclose(f);
	return s;
}

static void *host_pages(void *user, void *old, size_t old_size, size_t size)
{
	Memory *m = user;
	if (!size || size > MEMORY - m->used)
		return NULL;
	char *p = m->p + m->used;
	m->used += size;
	if (old)
		memcpy(p, old, old_size < size ? old_size : size);
	return p;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Microseconds; -1: it is not well-formed, or cannot be read function by function. */
static double read_once(Str text, Memory *memory)
{
	static Session s;
	MemBudget      budget = {.cap = MEMORY, .pages = host_pages, .pages_user = memory};
	jmp_buf        out;
	volatile bool  good = false;
	double         from = now();
	if (!session_init_on(&s, &budget))
		return -1;
	s.out = &out;
	if (setjmp(out) == 0) {
		IrModule *m = ir_parse_to_check(&s, text);
		good = m && ir_check_bodies(m) && !s.diags.errors;
	}
	session_free(&s);
	return good ? now() - from : -1;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static Input in[MAX_FILES];
	int          rounds = argc > 2 ? atoi(argv[1]) : 0, n = argc - 2;
	if (rounds < 1 || rounds > MAX_ROUNDS || n > MAX_FILES)
		return 2;
	Memory memory = {.p = aligned_alloc(ARENA_PAGE, MEMORY)};
	if (!memory.p)
		return 1;
	memset(memory.p, 0, MEMORY);
	for (int i = 0; i < n; i++)
		in[i].text = contents(argv[2 + i]);
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < n; i++) {
			in[i].took[round] = read_once(in[i].text, &memory);
			if (in[i].took[round] < 0) {
				fprintf(stderr, "read: %s: not read\n", argv[2 + i]);
				return 1;
			}
			memset(memory.p, 0, memory.used);
			memory.used = 0;
		}
	for (int i = 0; i < n; i++) {
		qsort(in[i].took, (size_t)rounds, sizeof *in[i].took, ascending);
		printf("%.1f\n", in[i].took[rounds / 2]);
	}
	return 0;
}
