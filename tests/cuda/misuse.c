/* Calls that make no sense give the results that the documentation names. */
#include "test.h"

int main(void)
{
	CUdevice    d;
	CUcontext   c, other, now;
	CUmodule    m;
	CUdeviceptr p;
	const char *text;
	int         v;
	float       x[4];
	void       *f_address;
	GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&v));
	GIVES(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc_v2(&p, 4));
	OK(cuDriverGetVersion(&v));
	TRUE(v >= 12000);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuInit(1));
	OK(cuInit(0));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc_v2(&p, 4));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&d, 5));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate_v2(&c, 0, 7));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(NULL, 0, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(&c, 0x1000, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&v, 9999, 0));
	OK(cuDeviceGetAttribute(&v, 10, 0));
	TRUE(v == 32);
	OK(cuCtxGetCurrent(&now));
	TRUE(now == NULL);
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent_v2(&now));

	c = begin();
	CUfunction f = kernel_of(&m, ADD, "add");
	unsigned   n = 4;
	void      *params[] = {&p, &p, &n}, *hole[] = {&p, NULL, &n}, *extra[] = {NULL};
	OK(cuMemAlloc_v2(&p, sizeof x));
#define LAUNCH(gx, gy, bx, by, bz, shared) cuLaunchKernel(f, gx, gy, 1, bx, by, bz, shared, NULL, params, NULL)
	OK(LAUNCH(1, 1, 4, 1, 1, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, LAUNCH(0, 1, 4, 1, 1, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, LAUNCH(1, 65536, 4, 1, 1, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, LAUNCH(1, 1, 1025, 1, 1, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, LAUNCH(1, 1, 32, 33, 1, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, LAUNCH(1, 1, 1, 1, 65, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, LAUNCH(1, 1, 1, 1, 1, 49153));
	OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
	OK(LAUNCH(1, 1, 1, 1, 1, 100000));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300000));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, hole, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, extra));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel((CUfunction)(void *)x, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, (CUstream)(void *)x, params, NULL));
	GIVES(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, cuLaunchCooperativeKernel(f, 65, 1, 1, 1, 1, 1, 0, NULL, params));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(p, x, sizeof x + 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2((uintptr_t)x, x, 4)); /* no device memory */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(p, NULL, 4));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(p, x, SIZE_MAX));
	OK(cuMemcpyHtoD_v2(p, x, 0));

	/* What CUDA 13's cuCtxCreate is given: nothing in particular, a part of the multiprocessors, a graphics context. */
	OK(cuCtxCreate_v4(&other, &(CUctxCreateParams){0}, 0, 0));
	OK(cuCtxDestroy_v2(other));
	GIVES(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxCreate_v4(&other, &(CUctxCreateParams){x, 1, NULL}, 0, 0));
	GIVES(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxCreate_v3(&other, x, 1, 0, 0));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuCtxCreate_v4(&other, &(CUctxCreateParams){NULL, 0, x}, 0, 0));

	/* Another context: its modules, streams and functions are not this one's. */
	OK(cuCtxCreate_v2(&other, 0, 0));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxPopCurrent_v2(&now));
	TRUE(now == other);
	OK(LAUNCH(1, 1, 4, 1, 1, 0));
	OK(cuCtxDestroy_v2(other));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(other));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent_v2(other));
	OK(cuModuleUnload(m));
	GIVES(CUDA_ERROR_INVALID_HANDLE, LAUNCH(1, 1, 4, 1, 1, 0));

	/* The primary context. */
	CUcontext primary, again;
	int       same = 0;
	unsigned  flags;
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
	OK(cuDevicePrimaryCtxRetain(&primary, 0));
	OK(cuDevicePrimaryCtxRetain(&again, 0));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &v));
	TRUE(primary == again && v == 1);
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(primary));
	OK(cuDevicePrimaryCtxRelease_v2(0));
	OK(cuCtxSetCurrent(primary));
	OK(cuDevicePrimaryCtxRelease_v2(0));
	GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
	GIVES(CUDA_ERROR_UNSUPPORTED_LIMIT, (cuCtxSetCurrent(NULL), cuCtxCreate_v2(&c, 0, 0), cuCtxSetLimit(3, 5)));

	/* A context below the current one is destroyed; a later one at its address is not taken for it. The C library
	 * gives the address again once it has enough spare blocks of the size. */
	for (int i = 0; i < 10; i++) {
		OK(cuCtxCreate_v2(&again, 0, 0));
		OK(cuCtxDestroy_v2(again));
	}
	OK(cuCtxCreate_v2(&c, 0, 0));
	OK(cuCtxCreate_v2(&other, 0, 0));
	OK(cuCtxDestroy_v2(c));
	OK(cuCtxPopCurrent_v2(&now));
	GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
	for (int i = 0; i < 8; i++) {
		OK(cuCtxCreate_v2(&again, 0, 0));
		same |= again == c;
		OK(cuCtxPopCurrent_v2(&now));
		GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
	}
	printf("the address %s given again\n", same ? "was" : "was not");

	/* Names, and what is not there. */
	OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
	TRUE(strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorString((CUresult)12345, &text));
	TRUE(text == NULL);
	OK(cuGetProcAddress_v2("cuMemAlloc", &f_address, 12000, 0, &v));
	TRUE(f_address == (void *)(uintptr_t)cuMemAlloc_v2 && v == 0);
	OK(cuGetProcAddress_v2("cuCtxCreate", &f_address, 11000, 0, &v));
	TRUE(f_address == (void *)(uintptr_t)cuCtxCreate_v2);
	OK(cuGetProcAddress_v2("cuCtxCreate", &f_address, 13000, 0, &v));
	TRUE(f_address == (void *)(uintptr_t)cuCtxCreate_v4);
	OK(cuGetProcAddress_v2("cuMemAllocAsync", &f_address, 10000, 0, &v));
	TRUE(!f_address && v == 2);
	GIVES(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNothing", &f_address, 12000, 0));
	CUresult (*missing)(void);
	OK(cuGetProcAddress("cuImportExternalMemory", (void **)&missing, 12000, 0));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, missing());
	GIVES(CUDA_ERROR_NOT_SUPPORTED, missing());
	/* NVIDIA's runtime asks for this table and calls what it has; NVRTC asks for others and looks at their sizes. */
	static const CUuuid of_runtime = {
		{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9}};
	static const CUuuid of_nvrtc = {
		{0xda, 0x91, 0x51, 0xd3, 0x3a, 0xe6, 0xcc, 0x41, 0xa5, 0xc0, 0x4f, 0x26, 0xd5, 0x33, 0xe3, 0x28}};
	const void *table = "";
	GIVES(CUDA_ERROR_NOT_FOUND, cuGetExportTable(&table, &of_runtime));
	TRUE(!table);
	OK(cuGetExportTable(&table, &of_nvrtc));
	TRUE(*(const size_t *)table == sizeof(size_t));
	puts("done");
	return 0;
}
