/* test.h: what the programs of tests/cuda share. Each is a program of the driver API that links libcuda.so.1. */
#ifndef TEST_H
#define TEST_H

#include "cuda/driver.h"
#include "true.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline const char *result_name(CUresult r)
{
	const char *name = "?";
	cuGetErrorName(r, &name);
	return name;
}

/* The call gives this result. */
#define GIVES(expected, call)                                                                                            \
	do {                                                                                                             \
		CUresult result_ = (call);                                                                               \
		if (result_ != (expected)) {                                                                             \
			printf("%s:%d: %s is %s, not %s\n", __FILE__, __LINE__, #call, result_name(result_), #expected); \
			exit(1);                                                                                         \
		}                                                                                                        \
	} while (0)
#define OK(call) GIVES(CUDA_SUCCESS, call)

static inline CUcontext begin(void)
{
	CUcontext c;
	CUdevice  d;
	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	OK(cuCtxCreate_v2(&c, 0, d));
	return c;
}

static inline CUfunction kernel_of(CUmodule *m, const char *ptx, const char *name)
{
	CUfunction f;
	OK(cuModuleLoadData(m, ptx));
	OK(cuModuleGetFunction(&f, *m, name));
	return f;
}

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
/* a[i] += b[i], i < n */
#define ADD                                                                                                        \
	HEAD ".visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n) {\n"                                \
	     "	.reg .b64 %rd<6>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .pred %p;\n"                               \
	     "	ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];\n"                           \
	     "	mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r2, %r2, %r3, %r4;\n" \
	     "	setp.ge.u32 %p, %r2, %r1; @%p ret;\n"                                                               \
	     "	mul.wide.u32 %rd3, %r2, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;\n"                   \
	     "	ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd2]; add.f32 %f3, %f1, %f2;\n"                     \
	     "	st.global.f32 [%rd1], %f3; ret; }\n"

#endif
