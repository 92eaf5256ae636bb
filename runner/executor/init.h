/* init.h: the initial contents of buffers, as the format of launch files defines them (examples/README.md).
 *
 * Integers are computed modulo 2^64 and cut to their width; floats in binary64, each operation rounded on its own, and then converted
 * once to their width, to nearest even. */
#ifndef RUNNER_INIT_H
#define RUNNER_INIT_H

#include "job.h"

typedef enum InitKind { INIT_ZERO, INIT_CONSTANT, INIT_LINEAR, INIT_RANDOM } InitKind;

typedef struct Init {
	InitKind kind;
	uint64_t value[3]; /* job.h: what the words of INIT are */
} Init;

void init_fill(uint8_t *to, ElementType type, uint64_t count, const Init *init);

#endif
