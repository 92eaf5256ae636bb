/* Vector addition: parameters one by one, in a buffer, with attributes; asynchronous copies; occupancy. */
#include "test.h"

enum { N = 1000 };

int main(void)
{
	CUcontext   c = begin();
	CUmodule    m;
	CUfunction  f = kernel_of(&m, ADD, "add");
	CUdeviceptr a, b;
	CUstream    s;
	float       x[N], y[N];
	unsigned    n = N;
	void       *params[] = {&a, &b, &n};
	OK(cuMemAlloc_v2(&a, sizeof x));
	OK(cuMemAlloc_v2(&b, sizeof y));
	for (int i = 0; i < N; i++)
		x[i] = (float)i, y[i] = 0.5f;
	OK(cuMemcpyHtoD_v2(a, x, sizeof x));
	OK(cuMemcpyHtoD_v2(b, y, sizeof y));
	OK(cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, NULL, params, NULL));

	struct {
		CUdeviceptr a, b;
		unsigned    n;
	} packed = {a, b, N};
	size_t size = sizeof packed;
	void  *extra[] = {(void *)CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, (void *)CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
	                  (void *)CU_LAUNCH_PARAM_END};
	OK(cuStreamCreate(&s, 0));
	OK(cuLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, s, NULL, extra));

	CUlaunchAttribute at = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value = {1, 1, 1}};
	CUlaunchConfig    config = {.grid = {8, 1, 1}, .block = {128, 1, 1}, .stream = s, .attrs = &at, .n_attrs = 1};
	OK(cuLaunchKernelEx(&config, f, params, NULL));
	OK(cuLaunchCooperativeKernel(f, 1, 1, 1, 1000, 1, 1, 0, s, params));
	OK(cuMemcpyDtoHAsync_v2(y, a, sizeof y, s));
	OK(cuStreamSynchronize(s));
	for (int i = 0; i < N; i++)
		TRUE(y[i] == (float)i + 2);

	int grid, block, v;
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
	TRUE(block == 1024 && grid >= 8);
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, 256, 0));
	TRUE(v == 8);
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, 32, 200 << 10));
	TRUE(v == 1);
	OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
	TRUE(v == 1024);
	size_t offset;
	OK(cuFuncGetParamInfo(f, 2, &offset, &size));
	TRUE(offset == 16 && size == 4);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(f, 3, &offset, &size));

	/* As before CUDA 4: the function keeps what its launch takes. */
	CUcontext same;
	OK(cuFuncSetBlockShape(f, 128, 1, 1));
	OK(cuFuncSetSharedSize(f, 0));
	OK(cuParamSetv(f, 0, &a, sizeof a));
	OK(cuParamSetv(f, 8, &b, sizeof b));
	OK(cuParamSeti(f, 16, N));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(f, 8, 1)); /* without the size of the parameters */
	OK(cuParamSetSize(f, 20));
	OK(cuLaunchGrid(f, 8, 1));
	OK(cuMemcpyDtoH_v2(y, a, sizeof y));
	for (int i = 0; i < N; i++)
		TRUE(y[i] == (float)i + 2.5f);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(f, -1, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSetv(f, 4090, y, 8));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSetSize(f, 4097));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(f, 0, 1, 1));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncSetBlockShape((CUfunction)(void *)y, 1, 1, 1));
	OK(cuCtxAttach(&same, 0));
	TRUE(same == c);
	OK(cuCtxDetach(c)); /* one user less; it is still there */
	OK(cuStreamDestroy_v2(s));
	OK(cuMemFree_v2(a));
	OK(cuMemFree_v2(b));
	OK(cuModuleUnload(m));
	OK(cuCtxDestroy_v2(c));
	puts("done");
	return 0;
}
