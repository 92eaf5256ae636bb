/* A kernel that faults stops its context and nothing else: every later call there gives the error, another context works. */
#include "test.h"

static const char text[] =
	HEAD ".visible .entry write(.param .u64 p, .param .u64 v) {\n"
	     "	.reg .b64 %rd<3>; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [v]; st.global.u64 [%rd1], %rd2; ret; }\n"
	     ".visible .entry stop() { trap; }\n";

static CUresult outcome(CUdeviceptr p, const char *name)
{
	CUcontext   c = begin(), now;
	CUmodule    m;
	CUfunction  f = kernel_of(&m, text, name);
	uint64_t    v = 77;
	void       *params[] = {&p, &v};
	CUresult    r, again;
	CUdeviceptr q;
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	r = cuCtxSynchronize();
	if (r != CUDA_SUCCESS) {
		GIVES(r, cuMemAlloc_v2(&q, 4));
		GIVES(r, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	}
	again = cuCtxSynchronize();
	TRUE(again == r);
	OK(cuCtxGetCurrent(&now));
	TRUE(now == c);
	OK(cuCtxDestroy_v2(c));
	return r;
}

int main(void)
{
	uint64_t    own[4] = {1, 2, 3, 4};
	CUdeviceptr p, gone;
	void       *pinned;
	CUcontext   c = begin();
	OK(cuMemAlloc_v2(&p, 64));
	OK(cuMemAlloc_v2(&gone, 64));
	OK(cuMemFree_v2(gone));
	OK(cuMemAllocHost_v2(&pinned, 8));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, outcome(0, "write"));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, outcome((uintptr_t)own, "write"));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, outcome(p, "write")); /* memory of another context */
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, outcome(gone, "write"));
	GIVES(CUDA_ERROR_MISALIGNED_ADDRESS, outcome(p + 3, "write"));
	GIVES(CUDA_ERROR_LAUNCH_FAILED, outcome(0, "stop"));
	GIVES(CUDA_SUCCESS, outcome((uintptr_t)pinned, "write"));
	TRUE(*(uint64_t *)pinned == 77 && own[0] == 1);
	OK(cuMemHostRegister_v2(own, sizeof own, 0));
	GIVES(CUDA_SUCCESS, outcome((uintptr_t)&own[1], "write"));
	OK(cuMemHostUnregister(own));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, outcome((uintptr_t)&own[2], "write"));
	TRUE(own[1] == 77 && own[2] == 3);
	/* The context of this thread has seen none of it. */
	CUcontext now;
	OK(cuCtxGetCurrent(&now));
	TRUE(now == c);
	OK(cuCtxSynchronize());
	puts("done");
	return 0;
}
