/* missing.c: the functions that are not there. Each says so the first time that it is called. */
#include "cudart/state.h"

#include <stdio.h>

/* Whoever comes first at the same time as another one says it, too. */
static cudaError_t missing(const char *name, bool *told)
{
	if (!*told)
		fprintf(stderr, "ptxscope-cudart: %s is not supported\n", name);
	*told = true;
	return runtime_end(CUDA_ERROR_NOT_SUPPORTED);
}

#define FUNCTION(name, suffix)
#define MISSING(name, suffix)                 \
	cudaError_t name(void);               \
	cudaError_t name(void)                \
	{                                     \
		static bool told;             \
		return missing(#name, &told); \
	}
#include "cudart/functions.def"
