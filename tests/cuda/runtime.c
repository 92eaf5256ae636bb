/* The runtime API without nvcc: what nvcc puts into a program is called by hand. */
#include "cudart/runtime.h"
#include "true.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIVES(expected, call)                                                                              \
	do {                                                                                               \
		cudaError_t result_ = (call);                                                              \
		if (result_ != (expected)) {                                                               \
			printf("%s:%d: %s is %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(result_)); \
			exit(1);                                                                           \
		}                                                                                          \
	} while (0)
#define OK(call) GIVES(cudaSuccess, call)

/* Two kernels that each have more than half of a block's shared memory, and one whose lanes reduce in groups of their own. */
static const char ptx[] =
	".version 8.0\n.target sm_90\n.address_size 64\n"
	".visible .global .align 4 .u32 counter = 5;\n"
	".visible .global .attribute(.managed) .align 4 .u32 both = 9;\n"
	".visible .const .align 4 .u32 factor = 3;\n"
	".visible .entry scale(.param .u64 p) {\n"
	"	.shared .align 4 .b8 room[150000]; .reg .b64 %rd<4>; .reg .b32 %r<8>;\n"
	"	ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;\n"
	"	mov.u32 %r2, room; shl.b32 %r3, %r1, 2; add.s32 %r2, %r2, %r3;\n"
	"	ld.global.u32 %r4, [%rd1]; ld.const.u32 %r5, [factor]; mul.lo.s32 %r4, %r4, %r5;\n"
	"	st.shared.u32 [%r2+140000], %r4; ld.shared.u32 %r6, [%r2+140000]; st.global.u32 [%rd1], %r6;\n"
	"	ld.global.u32 %r7, [both]; add.s32 %r7, %r7, 1; st.global.u32 [both], %r7; ret; }\n"
	".visible .entry groups(.param .u64 p) {\n"
	"	.shared .align 4 .b8 other[150000]; .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %q;\n"
	"	ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;\n"
	"	rem.u32 %r2, %r1, 3; match.any.sync.b32 %r3, %r2, -1; redux.sync.max.u32 %r4, %r1, %r3;\n"
	"	st.global.u32 [%rd1], %r4; ret; }\n"
	".visible .entry stray(.param .u64 p) { .reg .b64 %rd<2>;\n"
	"	ld.param.u64 %rd1, [p]; st.global.u64 [%rd1], %rd1; ret; }\n";

static char  scale, groups, stray, counter, factor; /* their addresses are the names */
static void *both;

static cudaError_t launch(const void *stub, unsigned grid, unsigned block, void *p)
{
	cudaKernel_t k;
	cudaStream_t s;
	dim3         g, b;
	size_t       shared;
	void        *args[] = {&p};
	OK(__cudaGetKernel(&k, stub));
	if (__cudaPushCallConfiguration((dim3){grid, 1, 1}, (dim3){block, 1, 1}, 0, NULL))
		return cudaErrorUnknown;
	OK(__cudaPopCallConfiguration(&g, &b, &shared, &s));
	return __cudaLaunchKernel(k, g, b, args, shared, s);
}

static void kernels(void)
{
	unsigned in[32], out[32], v = 7;
	void    *p;
	for (unsigned i = 0; i < 32; i++)
		in[i] = i;
	OK(cudaMalloc(&p, sizeof in));
	OK(cudaMemcpy(p, in, sizeof in, cudaMemcpyHostToDevice));
	OK(launch(&scale, 1, 32, p));
	OK(cudaMemcpy(out, p, sizeof out, cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < 32; i++)
		TRUE(out[i] == 3 * i);
	TRUE(*(unsigned *)both == 10);
	OK(launch(&groups, 1, 32, p));
	OK(cudaMemcpy(out, p, sizeof out, cudaMemcpyDefault));
	for (unsigned i = 0; i < 32; i++)
		TRUE(out[i] == 31 - (31 - i % 3) % 3);
	OK(cudaMemcpyToSymbol(&factor, &v, sizeof v, 0, cudaMemcpyHostToDevice));
	OK(launch(&scale, 1, 1, p));
	OK(cudaMemcpyFromSymbol(&v, &counter, sizeof v, 0, cudaMemcpyDeviceToHost));
	TRUE(v == 5);
	GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(&counter, &v, 4, 1, cudaMemcpyHostToDevice));
	GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(&scale, &v, 4, 0, cudaMemcpyHostToDevice));
	GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&counter, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL));
	GIVES(cudaErrorInvalidConfiguration, launch(&scale, 1, 1025, p));
	TRUE(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
	cudaFuncAttributes a;
	OK(cudaFuncGetAttributes(&a, &groups));
	TRUE(a.sharedSizeBytes >= 150000 && a.sharedSizeBytes < 150100);
	OK(launch(&stray, 1, 1, (void *)8));
	GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
	TRUE(cudaGetLastError() == cudaErrorIllegalAddress && cudaPeekAtLastError() == cudaErrorIllegalAddress);
	OK(cudaDeviceReset());
	cudaGetLastError();
	OK(cudaMalloc(&p, sizeof in));
	OK(launch(&scale, 1, 1, p));
	OK(cudaDeviceSynchronize());
}

static void missing(void)
{
	cudaError_t cudaImportExternalMemory(void *, void *);
	for (int i = 0; i < 2; i++)
		GIVES(cudaErrorNotSupported, cudaImportExternalMemory(NULL, NULL));
}

int main(void)
{
	void         **binary = __cudaRegisterFatBinary((void *)(uintptr_t)ptx);
	cudaDeviceProp prop;
	int            n;
	__cudaRegisterFunction(binary, &scale, "scale", "scale", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(binary, &groups, "groups", "groups", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(binary, &stray, "stray", "stray", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(binary, &counter, "counter", "counter", 0, 4, 0, 0);
	__cudaRegisterVar(binary, &factor, "factor", "factor", 0, 4, 1, 0);
	__cudaRegisterManagedVar(binary, &both, "both", "both", 0, 4, 0, 0);
	__cudaRegisterFatBinaryEnd(binary);
	TRUE(__cudaInitModule(binary) && both && *(unsigned *)both == 9);
	OK(cudaGetDeviceCount(&n));
	OK(cudaGetDeviceProperties(&prop, 0));
	TRUE(n == 1 && prop.major == 9 && prop.warpSize == 32 && prop.maxGridSize[1] == 65535 && strstr(prop.name, "ptxscope"));
	kernels();
	missing();
	__cudaUnregisterFatBinary(binary);
	puts("done");
	return 0;
}
