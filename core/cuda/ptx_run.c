/* ptx_run.c: one call that runs a kernel on the memory of the process, for programs that used gpuocelot.
 *
 * Argument i is a value of 8 bytes, of which parameter i takes its size: a pointer, or a number in a pointer's clothes. Nobody says how
 * large the memory behind a pointer is, so the kernel may access the mapping of the process (a line of /proc/self/maps) that the value
 * points into, with that mapping's rights, and nothing else. All of the heap is one mapping: a kernel that writes at a wrong
 * place there does what any C function does. */
#include "cuda/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Range {
	u64      from, to;
	unsigned rights;
} Range;

/* A line "7f12a000-7f12b000 rw-p …"; false: it is none. */
static bool read_range(const char *line, Range *out)
{
	unsigned long long from, to;
	char               rights[5];
	if (sscanf(line, "%llx-%llx %4s", &from, &to, rights) != 3)
		return false;
	*out = (Range){from, to, (rights[0] == 'r' ? PS_READ : 0) | (rights[1] == 'w' ? PS_WRITE : 0)};
	return true;
}

/* Maps the part of the range that is not the emulator's own copy of the program's variables, which lie between `low` and `high`. */
static void map_range(PsEmulator *e, const Range *r, u64 low, u64 high)
{
	u64 below = PS_MIN(r->to, low), above = PS_MAX(r->from, high);
	if (!(r->rights & PS_READ))
		return;
	if (r->from < below)
		ps_emulator_map(e, (void *)(uintptr_t)r->from, (size_t)(below - r->from), r->rights);
	if (above < r->to)
		ps_emulator_map(e, (void *)(uintptr_t)above, (size_t)(r->to - above), r->rights);
}

/* Maps what one of the arguments points into. */
static void map_arguments(PsEmulator *e, int n, void *const *args)
{
	FILE      *f = fopen("/proc/self/maps", "r");
	char       line[512];
	Range      r = {0};
	u64        low = UINT64_MAX, high = 0;
	PsVariable v;
	for (u32 i = 0; ps_emulator_variable(e, i, &v); i++) {
		low = PS_MIN(low, (u64)(uintptr_t)v.bytes);
		high = PS_MAX(high, (u64)(uintptr_t)v.bytes + v.size);
	}
	while (f && fgets(line, sizeof line, f)) {
		bool wanted = false, known = read_range(line, &r);
		for (int i = 0; i < n; i++)
			wanted |= known && (u64)(uintptr_t)args[i] >= r.from && (u64)(uintptr_t)args[i] < r.to;
		if (wanted)
			map_range(e, &r, low, high);
		while (!strchr(line, '\n') && fgets(line, sizeof line, f))
			; /* the rest of a long line */
	}
	if (f)
		fclose(f);
}

static bool parameters(PsEmulator *e, const char *kernel, int n, void *const *args, u8 *room)
{
	PsKernel k;
	size_t   at, size;
	if (!ps_emulator_kernel_named(e, kernel, &k) || (int)k.n_params != n) {
		say("ptx_run: kernel '%s' takes %u arguments; the call gives %d\n", kernel, k.n_params, n);
		return false;
	}
	for (u32 i = 0; ps_emulator_parameter(e, kernel, i, &at, &size); i++) {
		if (size > sizeof args[i]) {
			say("ptx_run: parameter %u of kernel '%s' has %zu bytes, more than a pointer\n", i, kernel, size);
			return false;
		}
		memcpy(room + at, &args[i], size);
	}
	return true;
}

static void run(PsEmulator *e, PsLaunch *l, int n_args, void *const *args)
{
	u8     room[MOST_PARAMS] = {0};
	size_t n;
	if (!parameters(e, l->kernel, n_args, args, room))
		return;
	map_arguments(e, n_args, args);
	l->params = room;
	l->params_size = sizeof room;
	if (ps_emulator_launch(e, l, 0, NULL) != PS_STATUS_DONE) {
		say("ptx_run: %s", ps_emulator_messages(e));
		return;
	}
	PsRun       ran = ps_emulator_run(e);
	const char *text = ps_emulator_printed(e, &n);
	fwrite(text, 1, n, stdout);
	fflush(stdout);
	PsFault f;
	if (ran != PS_RUN_DONE && ps_emulator_fault(e, &f))
		say("ptx_run: kernel '%s', line %u, block (%u,%u,%u), thread (%u,%u,%u): %s: %s\n", l->kernel, f.line, f.block[0],
		    f.block[1], f.block[2], f.thread[0], f.thread[1], f.thread[2], f.kind, f.message);
	else if (ran != PS_RUN_DONE)
		say("ptx_run: %s", ps_emulator_messages(e));
}

/* More than seven parameters: the signature is gpuocelot's. */
void ptx_run(const char *ptx, int n_args, void *args[], int bx, int by, int bz, int gx, int gy, int gz, int shared_bytes)
{
	PsEmulator *e = ptx && n_args >= 0 && (args || !n_args) ? ps_emulator_new(0) : NULL;
	PsLaunch    l = {.size = sizeof l,
	                 .grid = {(u32)gx, (u32)gy, (u32)gz},
	                 .block = {(u32)bx, (u32)by, (u32)bz},
	                 .shared_bytes = (u32)shared_bytes};
	if (!e) {
		say("ptx_run: PTX and arguments are needed\n");
		return;
	}
	ps_emulator_host_memory(e, true);
	if (ps_emulator_load(e, "ptx_run.ptx", ptx, strlen(ptx), 0, NULL) != PS_STATUS_DONE)
		say("ptx_run: the PTX cannot be loaded\n%s", ps_emulator_messages(e));
	else if (!(l.kernel = ps_emulator_kernel(e, 0)))
		say("ptx_run: the PTX has no kernel\n");
	else
		run(e, &l, n_args, args);
	ps_emulator_free(e);
}
