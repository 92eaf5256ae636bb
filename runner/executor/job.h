/* job.h: what the executor is asked to do.
 *
 * A job is text with counted bytes in it, read from standard input; src/launch.js writes it. Words are separated by single blanks, HEX is a
 * number of 64 bits, BYTES a count of bytes that follow the line's end, and one line's end follows them:
 *
 *   ptxscope-job 1
 *   device 0                      ordinal
 *   repeat 2 5 500                launches to warm up, launches to time, milliseconds after which no further launch is begun
 *   ptx BYTES
 *   kernel NAME
 *   grid 4 1 1
 *   block 256 1 1
 *   shared 0                      bytes of dynamic shared memory
 *   buffer TYPE COUNT INIT        i8 … f64; buffers are numbered from 0
 *   symbol NAME TYPE COUNT INIT   a variable of the module
 *   texture DIM TYPE CHANNELS WIDTH HEIGHT DEPTH BUFFER ADDRESS FILTER NORMALIZED
 *   surface DIM TYPE CHANNELS WIDTH HEIGHT DEPTH BUFFER
 *   params BYTES                  parameter memory, as the entry declares it
 *   patch OFFSET buffer INDEX ADDEND     the address of a buffer goes there
 *   patch OFFSET texture INDEX           the handle of a texture or surface
 *   end
 *
 * INIT is `zero`, `constant HEX` (the element's bits), `linear HEX HEX` (start and step: the integers modulo 2^64, or binary64),
 * `random HEX HEX HEX` (seed, least, greatest: likewise) or `bytes BYTES`. */
#ifndef RUNNER_JOB_H
#define RUNNER_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_BUFFERS = 256, MOST_TEXTURES = 256, MOST_PATCHES = 4096, NAME_BYTES = 1024 };

typedef enum ElementType { E_I8, E_U8, E_I16, E_U16, E_I32, E_U32, E_I64, E_U64, E_F16, E_F32, E_F64, E_COUNT } ElementType;
size_t element_bytes(ElementType type);
bool   element_is_float(ElementType type);

/* A buffer in global memory, or (with a name) a variable of the module. */
typedef struct Memory {
	char        name[NAME_BYTES];
	ElementType type;
	uint64_t    count;
	size_t      bytes;
	uint8_t    *initial;
	uint64_t    address;
} Memory;

typedef struct Texture {
	bool        surface, normalized;
	unsigned    dim, channels, address, filter;
	ElementType type;
	uint64_t    width, height, depth;
	unsigned    buffer;
	void       *array;
	uint64_t    object;
} Texture;

typedef struct Patch {
	size_t   offset;
	bool     texture;
	unsigned index;
	uint64_t addend;
} Patch;

typedef struct Job {
	int      device;
	unsigned warmup, launches, budget_ms;
	char    *ptx; /* with a 0 behind it */
	char     kernel[NAME_BYTES];
	unsigned grid[3], block[3], shared;
	Memory   buffer[MOST_BUFFERS], symbol[MOST_BUFFERS];
	unsigned n_buffers, n_symbols;
	Texture  texture[MOST_TEXTURES];
	unsigned n_textures;
	uint8_t *params;
	size_t   params_bytes;
	Patch    patch[MOST_PATCHES];
	unsigned n_patches;
} Job;

/* Reads all of standard input. Static text: what is wrong with it; NULL: nothing. `line` counts lines outside of counted bytes. */
const char *job_read(Job *job, unsigned *line);

#endif
