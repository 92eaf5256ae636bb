/* libFuzzer target: any text is read as PTX, and its kernels run for a few thousand warp instructions: a result, a fault or an error,
 * and nothing else. Parameters of 8 bytes are the address of a buffer, others small numbers; the sanitizers of `run` are on for a quarter
 * of the texts, by their checksum. Lines are what is mutated half of the time, and what texts exchange.
 * Build and run: make fuzz-ptx (tests/fuzz/fuzz.mk). */
#define _GNU_SOURCE
#include "api/ptxscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 4096, MOST_PARAMS = 16, MOST_BYTES = 1 << 16, STEPS = 3000 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static uint32_t checksum(const uint8_t *data, size_t size)
{
	uint32_t sum = 2166136261u;
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ data[i]) * 16777619u;
	return sum;
}

static void expect(PsEmulator *e, PsStatus s, const char *what)
{
	if (s == PS_STATUS_DONE || s == PS_STATUS_MEMORY || (s == PS_STATUS_INPUT && strstr(ps_emulator_messages(e), "error: ")))
		return;
	fprintf(stderr, "%s: status %d: %s\n", what, (int)s, ps_emulator_messages(e));
	abort();
}

/* False: nothing is loaded any more. */
static bool run_kernel(PsEmulator *e, const char *name, uint32_t sum)
{
	static const char *const checked[] = {"--sanitize=all", "--schedule=seed:5"};
	static const uint8_t     number[16] = {7};
	PsKernel                 kernel;
	PsArg                    args[MOST_PARAMS];
	if (!ps_emulator_kernel_named(e, name, &kernel) || kernel.n_params > MOST_PARAMS || kernel.params_size > MOST_BYTES)
		return true;
	uint8_t *bytes = calloc(1, kernel.params_size + 1);
	for (uint32_t i = 0; i < kernel.n_params; i++) {
		size_t offset, size;
		if (!bytes || !ps_emulator_parameter(e, name, i, &offset, &size))
			abort();
		args[i] = size == 8 ? ps_pointer("b", 0) : size <= sizeof number ? ps_value(number, size) : ps_value(bytes, size);
	}
	PsLaunch launch = {.size = sizeof launch,
	                   .kernel = name,
	                   .grid = {1 + sum % 2, 1, 1},
	                   .block = {32 + sum / 2 % 2 * 16, 1, 1},
	                   .shared_bytes = 1024,
	                   .args = args,
	                   .n_args = kernel.n_params};
	PsStatus s = ps_emulator_launch(e, &launch, sum / 4 % 4 ? 0 : 2, checked);
	free(bytes);
	expect(e, s, "launch");
	if (s != PS_STATUS_DONE)
		return s == PS_STATUS_INPUT;
	PsRun  run = ps_emulator_step(e, STEPS);
	size_t size;
	return (run == PS_RUN_DONE || run == PS_RUN_FAULTED || run == PS_RUN_UNDONE) && ps_emulator_result(e, &size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	PsEmulator *e = ps_emulator_new((size_t)192 << 20);
	uint32_t    sum = checksum(data, size);
	const char *sanitize[] = {"--sanitize=all"}, *name;
	PsStatus    s = ps_emulator_load(e, "k.ptx", (const char *)data, size, sum / 4 % 4 ? 0 : 1, sanitize);
	expect(e, s, "load");
	if (s == PS_STATUS_DONE) {
		ps_emulator_buffer(e, "b", NULL, BUFFER);
		for (uint32_t i = 0; i < 3 && (name = ps_emulator_kernel(e, i)) != NULL; i++)
			if (!run_kernel(e, name, sum))
				break;
	}
	ps_emulator_free(e);
	return 0;
}

/* ---- lines */

typedef struct Span {
	size_t at, n;
} Span;

static uint32_t next(uint32_t *random) { return (*random = *random * 1664525u + 1013904223u) >> 8; }

/* One to four lines from one that is chosen on. */
static Span lines(const uint8_t *data, size_t size, uint32_t *random)
{
	size_t at = size ? next(random) % size : 0, end;
	while (at && data[at - 1] != '\n')
		at--;
	end = at;
	for (uint32_t i = 0, n = 1 + next(random) % 4; i < n; i++)
		while (end < size && data[end++] != '\n')
			;
	return (Span){at, end - at};
}

/* `size` bytes at data with `n` more at `at`; the size then. */
static size_t insert(uint8_t *data, size_t size, size_t most, size_t at, const uint8_t *from, size_t n)
{
	if (size + n > most)
		return size;
	memmove(data + at + n, data + at, size - at);
	memcpy(data + at, from, n);
	return size + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	uint32_t random = seed;
	if (!size || next(&random) % 2)
		return LLVMFuzzerMutate(data, size, most);
	Span     from = lines(data, size, &random);
	uint8_t *copy = malloc(from.n + 1);
	if (!copy)
		return size;
	memcpy(copy, data + from.at, from.n);
	bool again = next(&random) % 2;
	if (!again) {
		memmove(data + from.at, data + from.at + from.n, size - from.at - from.n);
		size -= from.n;
	}
	if (again || next(&random) % 2)
		size = insert(data, size, most, lines(data, size, &random).at, copy, from.n);
	free(copy);
	return size;
}

/* The first text with some lines of the second. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, uint8_t *out, size_t most,
                                 unsigned seed)
{
	uint32_t random = seed;
	if (na > most)
		return 0;
	memcpy(out, a, na);
	Span from = lines(b, nb, &random);
	return insert(out, na, most, lines(out, na, &random).at, b + from.at, from.n);
}
