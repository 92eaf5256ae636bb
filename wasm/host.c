/* host.c: the C half of wasm/index.js. A command's world (files, streams, the clock) is what the page or Node hands in as four
 * imported functions; the other half calls ps_alloc, writes the arguments there and calls ps_run. */
#include "api/ptxscope.h"

#include <stdint.h>
#include <stdlib.h>

#define HOST(name) __attribute__((import_module("host"), import_name(name)))

/* The file's bytes in memory from ps_alloc, with its size in *size; or 0 and the reason's text in *error. */
HOST("read") const char *host_read(const char *path, size_t *size, const char **error);
HOST("write") int32_t host_write(const char *path, const char *data, size_t size);
HOST("print") void host_print(int32_t stream, const char *data, size_t size);
HOST("now") double host_now(void);

void *ps_alloc(size_t size);
void  ps_free(void *p);
int   ps_run(int argc, const char *const *argv, size_t memory_cap);

void *ps_alloc(size_t size)
{
	return malloc(size);
}

void ps_free(void *p)
{
	free(p);
}

static const char *read_file(void *user, const char *path, size_t *size, const char **error)
{
	(void)user;
	return host_read(path, size, error);
}

static bool write_file(void *user, const char *path, const char *data, size_t size)
{
	(void)user;
	return host_write(path, data, size) != 0;
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

int ps_run(int argc, const char *const *argv, size_t memory_cap)
{
	const PsHost host = {
		.read = read_file, .write = write_file, .print = print, .now_ms = now_ms, .memory_cap = memory_cap,
	};
	return ps_command(argc, argv, &host);
}
