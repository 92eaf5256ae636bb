/* main.c: ptxscope-executor, one process for one job.
 *
 *   ptxscope-executor [LIMITS] run DRIVER       a job (job.h) on standard input; the answer (run.h) on descriptor 3, what the kernel
 *                                               prints on standard output, what the driver says on standard error
 *   ptxscope-executor [LIMITS] devices DRIVER   the devices of a driver, as JSON, on standard output
 *   ptxscope-executor [LIMITS] exec PROGRAM ... that program under the limits
 *
 * LIMITS are --cpu=SECONDS, --memory=BYTES (private memory that can be written), --address-space=BYTES and --file=BYTES.
 *
 * Exit status: 0 there is an answer, 1 there is none (standard error says why), 2 the call or the job is malformed. */
#define _GNU_SOURCE
#include "driver.h"
#include "job.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

static int usage(void)
{
	fputs("usage: ptxscope-executor [--cpu=S] [--memory=B] [--address-space=B] [--file=B] run|devices DRIVER, or exec "
	      "PROGRAM ...\n",
	      stderr);
	return 2;
}

/* One "--NAME=NUMBER"; false: it is none. */
static bool limit(const char *argument)
{
	static const struct {
		const char *name;
		int         resource;
	} limits[] = {
		{"--cpu=", RLIMIT_CPU},
		{"--memory=", RLIMIT_DATA},
		{"--address-space=", RLIMIT_AS},
		{"--file=", RLIMIT_FSIZE},
	};
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		size_t n = strlen(limits[i].name);
		char  *end;
		if (strncmp(argument, limits[i].name, n) != 0)
			continue;
		unsigned long long v = strtoull(argument + n, &end, 10);
		struct rlimit      r = {(rlim_t)v, (rlim_t)v};
		return *end == 0 && end != argument + n && setrlimit(limits[i].resource, &r) == 0;
	}
	return false;
}

static int with_driver(const char *mode, const char *file)
{
	Driver      driver = {0};
	const char *missing = driver_load(&driver, file);
	if (missing) {
		fprintf(stderr, "%s\n", missing);
		return 1;
	}
	if (strcmp(mode, "devices") == 0)
		return run_devices(&driver, stdout) ? 0 : 1;
	static Job  job;
	unsigned    line;
	const char *wrong = job_read(&job, &line);
	if (wrong) {
		fprintf(stderr, "job, line %u: %s\n", line, wrong);
		return 2;
	}
	FILE *out = fdopen(3, "wb");
	if (!out) {
		fputs("descriptor 3 is not open\n", stderr);
		return 2;
	}
	bool done = run_job(&driver, &job, out);
	return fclose(out) == 0 && done ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct rlimit none = {0, 0};
	int           i = 1;
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a job ends with who asked for it */
	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++)
		if (!limit(argv[i]))
			return usage();
	if (argc - i < 2)
		return usage();
	if (strcmp(argv[i], "exec") == 0) {
		execvp(argv[i + 1], argv + i + 1);
		perror(argv[i + 1]);
		return 1;
	}
	if (argc - i != 2 || (strcmp(argv[i], "run") != 0 && strcmp(argv[i], "devices") != 0))
		return usage();
	int status = with_driver(argv[i], argv[i + 1]);
	fflush(stdout);
	_exit(status); /* what the driver would tidy up in its own time, the system does at once */
}
