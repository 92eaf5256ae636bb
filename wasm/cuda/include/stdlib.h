/* <stdlib.h>: the kernel's heap, and what host code next to kernels calls, which is read and not compiled. */
#pragma once

#include <ptxscope/define.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

extern "C" __host__ __device__ void *malloc(size_t bytes);
extern "C" __host__ __device__ void free(void *memory);
extern "C" __host__ void exit(int status) __attribute__((noreturn));
extern "C" __host__ void *calloc(size_t count, size_t bytes);
extern "C" __host__ int rand();
extern "C" __host__ void srand(unsigned seed);
extern "C" __host__ int atoi(const char *text);
extern "C" __host__ double atof(const char *text);
