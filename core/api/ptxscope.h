/* ptxscope.h: the only public header. The command line, the WASM module and embedders call this.
 *
 * One call runs one command, exactly as it would be typed: what the command line can do, every
 * embedder can do, with the same bytes as the result. Nothing is kept between calls, and calls on
 * different hosts may run at the same time.
 *
 *	const char *argv[] = {"compile", "kernel.ll", "-mcpu=sm_90", "-o", "-"};
 *	int status = ps_command(5, argv, &host);
 *
 * status: 0 done, 1 the input is at fault, 2 usage, 3 internal error. */
#ifndef PTXSCOPE_H
#define PTXSCOPE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum PsStream { PS_STDOUT = 1, PS_STDERR = 2 } PsStream;

/* What a command needs of the world around it. `user` is handed to every callback. */
typedef struct PsHost {
	void *user;
	/* The whole file `path` ("-": standard input). Returns NULL where it cannot be read, with a
	 * short reason in *error. The bytes stay the host's and must live until the command ends. */
	const char *(*read)(void *user, const char *path, size_t *size, const char **error);
	/* Writes a whole file; false where that failed. Called at most once per path, and only when the
	 * command succeeded. */
	bool (*write)(void *user, const char *path, const char *data, size_t size);
	/* Appends to a stream. */
	void (*print)(void *user, PsStream stream, const char *data, size_t size);
	double (*now_ms)(void *user); /* for times in reports; NULL: they are 0 */
	size_t memory_cap;            /* bytes; 0: 1 GiB */
} PsHost;

int ps_command(int argc, const char *const *argv, const PsHost *host);

const char *ps_version(void); /* "0.1.0" */
const char *ps_commit(void);  /* hash, or "unknown" */

#ifdef __cplusplus
}
#endif

#endif
