/* threads.c: make threads: two emulators, two compilations, and one of each, in two threads at once, and launches that several jobs
 * execute, with ThreadSanitizer watching.
 *
 *	threads FOLDER NAME…     FOLDER/NAME.ll and FOLDER/NAME.launch.json, two kernels at least
 *
 * Each thread works on another kernel than the other one at the time, with other options; what it gets must be what it got alone, and of
 * several jobs what one made. A race ends the program with ThreadSanitizer's report; the last line is "N jobs in pairs, all as alone". */
#include "api/ptxscope.h"
#include "threads/threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct File {
	char  *text;
	size_t size;
} File;

typedef struct Kernel {
	const char *name;
	File        ir, launch;
} Kernel;

typedef enum What { RUN_PLAIN, RUN_IR, RUN_SANITIZED, RUN_SCHEDULED, RUN_JOBS, COMPILE_O3, COMPILE_O0, WHATS } What;

typedef struct Job {
	const Kernel *kernel;
	What          what;
	char         *got; /* the result as JSON, the PTX, or the messages */
} Job;

static void die(const char *why, const char *what)
{
	fprintf(stderr, "threads: %s: %s\n", why, what);
	exit(1);
}

static File read_file(const char *folder, const char *name, const char *ending)
{
	char  path[512];
	File  f = {0};
	FILE *in;
	snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
	in = fopen(path, "rb");
	if (!in || fseek(in, 0, SEEK_END) != 0)
		die("cannot be read", path);
	f.size = (size_t)ftell(in);
	f.text = calloc(1, f.size + 1);
	rewind(in);
	if (!f.text || fread(f.text, 1, f.size, in) != f.size)
		die("cannot be read", path);
	fclose(in);
	return f;
}

static char *copy(const char *text, size_t n)
{
	char *p = calloc(1, n + 1);
	if (!p)
		die("no memory", "");
	return memcpy(p, text, n);
}

static char *run(const Kernel *k, What what)
{
	static const char *const plain[] = {"-mcpu=sm_90"}, *const ir[] = {"--level=ir"}, *const sanitized[] = {"--sanitize=all"};
	static const char *const scheduled[] = {"--sanitize=race", "--schedule=seed:7"}, *const jobs[] = {"--jobs=3",
	                                                                                                  "--jobs-after=1"};
	const char *const *load = what == RUN_IR ? ir : what == RUN_SANITIZED ? sanitized : plain;
	const char *const *launch = what == RUN_SANITIZED ? sanitized : what == RUN_JOBS ? jobs : scheduled;
	PsEmulator        *e = ps_emulator_new(0);
	size_t             n = 0;
	Threads           *threads = threads_new();
	PsThreadHost       host = threads_host(threads);
	ps_emulator_thread_host(e, &host);
	if (ps_emulator_load(e, "k.ll", k->ir.text, k->ir.size, 1, load) != PS_STATUS_DONE ||
	    ps_emulator_launch_json(e, k->launch.text, k->launch.size,
	                            what == RUN_SANITIZED                       ? 1
	                            : what == RUN_SCHEDULED || what == RUN_JOBS ? 2
	                                                                        : 0,
	                            launch) != PS_STATUS_DONE)
		die(k->name, ps_emulator_messages(e));
	while (ps_emulator_step(e, 5000) == PS_RUN_UNDONE)
		;
	const char *json = ps_emulator_result(e, &n);
	char       *got = copy(json, n);
	ps_emulator_free(e);
	threads_free(threads);
	return got;
}

static char *compile(const Kernel *k, What what)
{
	PsCompileOptions o = {.size = sizeof o,
	                      .text = k->ir.text,
	                      .text_size = k->ir.size,
	                      .target = what == COMPILE_O0 ? "sm_75" : "sm_90",
	                      .level = what == COMPILE_O0 ? PS_O0 : PS_O3,
	                      .stages = what == COMPILE_O0};
	PsCompilation   *c;
	size_t           n = 0;
	PsStatus         s = ps_compile(&o, &c);
	if (s != PS_STATUS_DONE)
		die(k->name, ps_compilation_messages(c));
	const char *ptx = ps_compilation_ptx(c, &n);
	char       *got = copy(ptx, n);
	ps_compilation_free(c);
	return got;
}

static void *work(void *job)
{
	Job *j = job;
	j->got = j->what < COMPILE_O3 ? run(j->kernel, j->what) : compile(j->kernel, j->what);
	return NULL;
}

static void pair(Job *a, Job *b, const char *const *alone_a, const char *const *alone_b)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, work, a) != 0)
		die("no thread", "");
	work(b);
	pthread_join(thread, NULL);
	if (strcmp(a->got, alone_a[a->what]) != 0 || strcmp(b->got, alone_b[b->what]) != 0)
		die("another result than alone", a->kernel->name);
	free(a->got);
	free(b->got);
}

int main(int argc, char **argv)
{
	static Kernel      kernel[32];
	static const char *alone[32][WHATS];
	int                n = argc - 2, pairs = 0;
	if (n < 2 || n > 32)
		return 2;
	for (int i = 0; i < n; i++) {
		kernel[i] = (Kernel){argv[2 + i], read_file(argv[1], argv[2 + i], ".ll"),
		                     read_file(argv[1], argv[2 + i], ".launch.json")};
		for (What what = 0; what < WHATS; what++) {
			Job j = {&kernel[i], what, NULL};
			work(&j);
			alone[i][what] = j.got;
		}
		if (strcmp(alone[i][RUN_JOBS], alone[i][RUN_PLAIN]) != 0)
			die("another result of several jobs", kernel[i].name);
	}
	for (int i = 0; i < n; i++)
		for (What what = 0; what < WHATS; what++, pairs++) {
			int other = (i + 1 + (int)what) % n == i ? (i + 1) % n : (i + 1 + (int)what) % n;
			Job a = {&kernel[i], what, NULL}, b = {&kernel[other], (What)((int)what + i) % WHATS, NULL};
			pair(&a, &b, alone[i], alone[other]);
		}
	printf("%d jobs in pairs, all as alone\n", 2 * pairs);
	return 0;
}
