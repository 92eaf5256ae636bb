/* libFuzzer target: any text goes through `ptxscope compile`: PTX, or errors, and nothing else. Level and target are
 * taken from the text's checksum.
 * Build and run: make fuzz-compile (tests/fuzz/fuzz.mk). */
#define _GNU_SOURCE
#include "api/ptxscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct World {
	const char *text;
	size_t      size;
	bool        error; /* something was said to be one */
} World;

static const char *world_read(void *user, const char *path, size_t *size, const char **error)
{
	World *w = user;
	(void)path, (void)error;
	*size = w->size;
	return w->text;
}

static bool world_write(void *user, const char *path, const char *data, size_t size, const char **error)
{
	(void)user, (void)path, (void)data, (void)size, (void)error;
	return true;
}

static void world_print(void *user, PsStream stream, const char *data, size_t size)
{
	World *w = user;
	if (stream == PS_STDERR)
		w->error |= size > 5 && memmem(data, size, "error", 5) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const levels[] = {"-O3", "-O0", "-O1", "-O2"}, *const targets[] = {"-mcpu=sm_90", "-mcpu=sm_20",
	                                                                                      "-mcpu=sm_75", "-mcpu=sm_120a"};
	uint32_t sum = 2166136261u;
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ data[i]) * 16777619u;
	World       w = {.text = (const char *)data, .size = size};
	PsHost      host = {.size = sizeof host,
	                    .user = &w,
	                    .read = world_read,
	                    .write = world_write,
	                    .print = world_print,
	                    .memory_cap = (size_t)512 << 20};
	const char *argv[] = {
		"compile", "k.ll", levels[sum >> 8 & 3], targets[sum >> 16 & 3], "-mattr=+ptx87", "-verify-machineinstrs",
		"-o",      "-"};
	int status = ps_command(8, argv, &host);
	if (status > PS_STATUS_INPUT || (status == PS_STATUS_INPUT && !w.error))
		abort();
	return 0;
}
