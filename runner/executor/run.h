/* run.h: loads the PTX of a job, launches its kernel, times it, and writes the answer.
 *
 * The answer is one line of JSON and, where the kernel has ended without a fault, the bytes of all buffers in order:
 *
 *   {"device":{…},"function":{…},"log":"…","times":[ms…],"buffers":[BYTES…]}
 *
 * "refused" stands there instead of "function" where the driver does not take the PTX, "fault" beside it where a call failed: the kernel
 * faulted, or there was not enough memory. After a fault the context is lost; the process ends, and with it what it held.
 *
 * The first launch is the one whose buffers are returned and whose printf text is kept. Launches for timing follow; each begins with the
 * buffers and variables that the job describes, as a kernel may change what it reads. */
#ifndef RUNNER_RUN_H
#define RUNNER_RUN_H

#include "driver.h"
#include "job.h"

#include <stdio.h>

typedef struct Run {
	const Driver *d;
	Job          *job;
	FILE         *out;
	int           device;
	void         *module, *function;
	const char   *call; /* the call that failed, and its result */
	int           result;
	float         ms[1000];
	unsigned      n_ms;
} Run;

/* Calls a function of the driver; false, and remembered, where it fails. */
#define CALL(run, name, ...) run_result((run), #name, (run)->d->name(__VA_ARGS__))
bool run_result(Run *run, const char *call, int result);

/* Runs `job` on the device that it names; false: the driver has no such device. */
bool run_job(const Driver *d, Job *job, FILE *out);

/* The devices as a JSON array. */
bool run_devices(const Driver *d, FILE *out);

/* texture.c: arrays and objects for the job's textures and surfaces, filled from their buffers; and surfaces' arrays back into them. */
bool textures_make(Run *run);
bool textures_fill(Run *run);
bool textures_read_back(Run *run);

#endif
