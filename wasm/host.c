/* host.c: the C half of wasm/index.js. A command's world (files, streams, the clock) is what the page or Node hands in as imported
 * functions; the other half calls ps_alloc, writes the arguments there and calls ps_run. */
#include "api/ptxscope.h"

#include <stdint.h>
#include <stdlib.h>

#define HOST(name) __attribute__((import_module("host"), import_name(name)))

/* The file's bytes in memory from ps_alloc, with its size in *size; or 0 and the reason's text in *error. */
HOST("read") const char *host_read(const char *path, size_t *size, const char **error);
HOST("write") int32_t host_write(const char *path, const char *data, size_t size, const char **error);
HOST("print") void host_print(int32_t stream, const char *data, size_t size);
HOST("now") double host_now(void);
/* PsCodeHost's. A host that makes no code returns 0; then nobody calls the other. */
HOST("makeCode") uint32_t host_make_code(const uint8_t *module, size_t size, uint32_t functions);
HOST("dropCode") void host_drop_code(uint32_t first, uint32_t functions);
HOST("progress") int32_t host_progress(double part, const char *what);

void       *ps_alloc(size_t size);
void        ps_free(void *p);
int         ps_run(int argc, const char *const *argv, size_t memory_cap);
PsEmulator *emulator_new(size_t memory_cap);
PsStatus    emulator_aim(PsEmulator *e, const uint32_t *goal, const uint32_t *lines, size_t n_lines);
PsRun       emulator_step(PsEmulator *e, double budget);
double      emulator_steps(const PsEmulator *e);
PsStatus    emulator_map(PsEmulator *e, uint32_t address, void *bytes, size_t size);
PsStatus    emulator_launch(PsEmulator *e, const char *kernel, const uint32_t *shape, const void *params, size_t size, int argc,
                            const char *const *argv);

void *ps_alloc(size_t size) { return malloc(size); }

void ps_free(void *p) { free(p); }

static const char *read_file(void *user, const char *path, size_t *size, const char **error)
{
	(void)user;
	return host_read(path, size, error);
}

static bool write_file(void *user, const char *path, const char *data, size_t size, const char **error)
{
	(void)user;
	return host_write(path, data, size, error) != 0;
}

static void print(void *user, PsStream stream, const char *data, size_t size)
{
	(void)user;
	host_print((int32_t)stream, data, size);
}

static double now_ms(void *user)
{
	(void)user;
	return host_now();
}

static bool progress(void *user, double part, const char *what)
{
	(void)user;
	return host_progress(part, what) != 0;
}

static uint32_t make_code(void *user, const uint8_t *module, size_t size, uint32_t functions)
{
	(void)user;
	return host_make_code(module, size, functions);
}

static void drop_code(void *user, uint32_t first, uint32_t functions)
{
	(void)user;
	host_drop_code(first, functions);
}

int ps_run(int argc, const char *const *argv, size_t memory_cap)
{
	const PsHost host = {
		.size = sizeof host,
		.read = read_file,
		.write = write_file,
		.print = print,
		.now_ms = now_ms,
		.progress = progress,
		.memory_cap = memory_cap,
		.code = {.make = make_code, .drop = drop_code},
	};
	return ps_command(argc, argv, &host);
}

/* ---- the emulator: what takes structures or 64 bits; the rest of ptxscope.h is exported as it is */

/* wasm/emulator.js reads these structures from memory. */
_Static_assert(sizeof(PsPlace) == 40 && offsetof(PsPlace, function) == 36, "nine words and a pointer");
_Static_assert(sizeof(PsWarp) == 12, "three words");
_Static_assert(sizeof(PsFault) == 40 && offsetof(PsFault, thread) == 8, "two pointers and eight words");
_Static_assert(offsetof(PsRegister, name) == 512 && offsetof(PsRegister, kind) == 520 && sizeof(PsRegister) == 528,
               "32 lanes, twice");

PsEmulator *emulator_new(size_t memory_cap)
{
	PsEmulator *e = ps_emulator_new(memory_cap);
	ps_emulator_code_host(e, &(PsCodeHost){.make = make_code, .drop = drop_code});
	return e;
}

/* goal: kind, focused, block, warp, count, of_input. */
PsStatus emulator_aim(PsEmulator *e, const uint32_t *goal, const uint32_t *lines, size_t n_lines)
{
	const PsGoal to = {
		.size = sizeof to,
		.kind = (PsGoalKind)goal[0],
		.focused = goal[1] != 0,
		.block = goal[2],
		.warp = goal[3],
		.count = goal[4],
		.of_input = goal[5] != 0,
		.lines = lines,
		.n_lines = n_lines,
	};
	return ps_emulator_aim(e, &to);
}

PsRun emulator_step(PsEmulator *e, double budget)
{
	return ps_emulator_step(e, budget >= 1e18 ? (uint64_t)1 << 60 : (uint64_t)budget);
}

double emulator_steps(const PsEmulator *e) { return (double)ps_emulator_steps(e); }

/* ---- programs whose host code runs beside this module: host memory mode with 32-bit addresses */

_Static_assert(sizeof(PsKernel) == 40 && offsetof(PsKernel, n_params) == 16, "a pointer, padding, 64 bits, six words");
_Static_assert(sizeof(PsVariable) == 24 && offsetof(PsVariable, address) == 16, "four words and 64 bits");

PsStatus emulator_map(PsEmulator *e, uint32_t address, void *bytes, size_t size)
{
	return ps_emulator_map_at(e, address, bytes, size, PS_READ | PS_WRITE);
}

/* shape: grid and block in x, y, z, bytes of dynamic shared memory. */
PsStatus emulator_launch(PsEmulator *e, const char *kernel, const uint32_t *shape, const void *params, size_t size, int argc,
                         const char *const *argv)
{
	const PsLaunch launch = {
		.size = sizeof launch,
		.kernel = kernel,
		.grid = {shape[0], shape[1], shape[2]},
		.block = {shape[3], shape[4], shape[5]},
		.shared_bytes = shape[6],
		.params = params,
		.params_size = size,
	};
	return ps_emulator_launch(e, &launch, argc, argv);
}
