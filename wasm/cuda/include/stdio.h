/* printf of <stdio.h>, on both sides. */
#pragma once

#include <ptxscope/define.h>

extern "C" __host__ __device__ int printf(const char *format, ...);

/* Of host code, which is read and not compiled. */
typedef struct __px_file FILE;
extern "C" FILE *stderr, *stdout;
extern "C" int fprintf(FILE *file, const char *format, ...);
extern "C" int puts(const char *text);

namespace std {
using ::printf;
}
