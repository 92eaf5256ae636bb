/* Memory and events in two processes: this one, and itself started again with what it needs on standard input. */
#define _GNU_SOURCE
#include "test.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 25, LARGE = 1 << 20 };

typedef struct Message {
	CUipcHandle small, large, event, pointer;
	int         memory, pool; /* descriptors */
} Message;

static void write_words(CUdeviceptr p, unsigned n, float first)
{
	float *v = malloc(n * sizeof *v);
	for (unsigned i = 0; i < n; i++)
		v[i] = first + (float)(i % 1000);
	OK(cuMemcpyHtoD_v2(p, v, n * sizeof *v));
	free(v);
}

static void has_words(CUdeviceptr p, unsigned n, float first)
{
	float *v = malloc(n * sizeof *v);
	OK(cuMemcpyDtoH_v2(v, p, n * sizeof *v));
	for (unsigned i = 0; i < n; i++)
		TRUE(v[i] == first + (float)(i % 1000));
	free(v);
}

/* p[i] += p[i], i < n */
static void twice(CUfunction add, CUdeviceptr p, unsigned n)
{
	void *params[] = {&p, &p, &n};
	OK(cuLaunchKernel(add, (n + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
}

static CUdeviceptr mapped(CUmemGenericAllocationHandle h)
{
	CUdeviceptr     p;
	CUmemAccessDesc access = {{1, 0}, 3};
	OK(cuMemAddressReserve(&p, 2 << 20, 0, 0, 0));
	OK(cuMemMap(p, 2 << 20, 0, h, 0));
	OK(cuMemSetAccess(p, 2 << 20, &access, 1));
	return p;
}

static int importer(void)
{
	Message                      m;
	CUdeviceptr                  small, again, large, pointer;
	CUmodule                     module;
	CUevent                      e;
	CUmemGenericAllocationHandle h;
	CUmemoryPool                 pool;
	float                        ms;
	CUcontext                    c = begin();
	CUfunction                   add = kernel_of(&module, ADD, "add");
	TRUE(read(0, &m, sizeof m) == sizeof m);
	OK(cuIpcOpenMemHandle_v2(&small, m.small, 1));
	OK(cuIpcOpenMemHandle_v2(&again, m.small, 1));
	TRUE(small == again);
	OK(cuIpcOpenMemHandle_v2(&large, m.large, 1));
	has_words(small, SMALL, 5);
	has_words(large, LARGE, 7);
	twice(add, large, LARGE);
	write_words(small, SMALL, 50);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(small));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&m.small, small));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(small, &m, 4 * SMALL + 1)); /* no more than there was */
	OK(cuIpcCloseMemHandle(small));
	has_words(small, SMALL, 50); /* it has been opened twice */
	OK(cuIpcCloseMemHandle(small));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(small));
	OK(cuIpcCloseMemHandle(large));
	OK(cuIpcOpenEventHandle(&e, m.event));
	OK(cuEventQuery(e));
	OK(cuStreamWaitEvent(NULL, e, 0));
	OK(cuEventRecord(e, NULL));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, e, e));
	OK(cuEventDestroy_v2(e));

	OK(cuMemImportFromShareableHandle(&h, (void *)(intptr_t)m.memory, 1));
	CUdeviceptr p = mapped(h);
	has_words(p, LARGE / 2, 9);
	twice(add, p, LARGE / 2);
	OK(cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)m.pool, 1, 0));
	OK(cuMemPoolImportPointer(&pointer, pool, &m.pointer));
	has_words(pointer, SMALL, 11);
	twice(add, pointer, SMALL);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&again, 4, pool, NULL));
	OK(cuMemFreeAsync(pointer, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(pointer, &m, 4));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemImportFromShareableHandle(&h, (void *)(intptr_t)m.pool, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)m.memory, 1, 0));

	/* The memory has been freed in between. */
	TRUE(write(1, "1", 1) == 1 && read(0, &m, 1) == 1);
	GIVES(CUDA_ERROR_MAP_FAILED, cuIpcOpenMemHandle_v2(&large, m.large, 1));
	OK(cuCtxDestroy_v2(c));
	return 0;
}

static void misuse(CUdeviceptr p, CUdeviceptr of_pool, CUipcHandle h)
{
	CUipcHandle                  none = {{0}}, out;
	CUdeviceptr                  managed, other;
	CUevent                      e, timed;
	CUmemGenericAllocationHandle plain;
	CUmemAllocationProp          prop = {.type = 1, .location = {1, 0}};
	int                          file;
	OK(cuMemAllocManaged(&managed, 64, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&out, managed));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&out, p + 4));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&out, 4096));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&out, of_pool));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(NULL, p));
	GIVES(CUDA_ERROR_INVALID_CONTEXT, cuIpcOpenMemHandle_v2(&other, h, 1)); /* in the process that it is of */
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuIpcOpenMemHandle_v2(&other, none, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcOpenMemHandle_v2(&other, h, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcOpenMemHandle_v2(NULL, h, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(p));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&e, CU_EVENT_INTERPROCESS));
	OK(cuEventCreate(&timed, 0));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuIpcGetEventHandle(&out, timed));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuIpcOpenEventHandle(&e, none));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuIpcOpenEventHandle(&e, h));
	OK(cuMemCreate(&plain, 2 << 20, &prop, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&file, plain, 1, 0)); /* not asked for when it was made */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemImportFromShareableHandle(&plain, (void *)(intptr_t)0, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(&out, p));
	OK(cuMemRelease(plain));
	OK(cuMemFree_v2(managed));
	OK(cuEventDestroy_v2(timed));
}

int main(int argc, char **argv)
{
	Message             m;
	CUdeviceptr         small, large, pointer;
	CUevent             e;
	CUmemoryPool        pool;
	CUmemAllocationProp prop = {.type = 1, .handle_types = 1, .location = {1, 0}};
	CUmemPoolProps      pool_props = {.type = 1, .handle_types = 1, .location = {1, 0}};
	int                 to[2], from[2], status, v;
	char                byte;
	if (argc > 1)
		return importer();
	CUcontext c = begin();
	OK(cuDeviceGetAttribute(&v, 125, 0));
	TRUE(v == 1);
	OK(cuMemAlloc_v2(&small, 4 * SMALL));
	OK(cuMemAlloc_v2(&large, 4 * LARGE));
	write_words(small, SMALL, 5);
	OK(cuIpcGetMemHandle(&m.small, small));
	OK(cuIpcGetMemHandle(&m.large, large));
	has_words(small, SMALL, 5);
	write_words(large, LARGE, 7); /* after it was exported */
	OK(cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
	OK(cuEventRecord(e, NULL));
	OK(cuIpcGetEventHandle(&m.event, e));
	CUmemGenericAllocationHandle h;
	OK(cuMemCreate(&h, 2 << 20, &prop, 0));
	CUdeviceptr p = mapped(h);
	write_words(p, LARGE / 2, 9);
	OK(cuMemExportToShareableHandle(&m.memory, h, 1, 0));
	OK(cuMemPoolCreate(&pool, &pool_props));
	OK(cuMemAllocFromPoolAsync(&pointer, 4 * SMALL, pool, NULL));
	write_words(pointer, SMALL, 11);
	OK(cuMemPoolExportToShareableHandle(&m.pool, pool, 1, 0));
	OK(cuMemPoolExportPointer(&m.pointer, pointer));
	misuse(small, pointer, m.small);

	TRUE(pipe(to) == 0 && pipe(from) == 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(to[0], 0), dup2(from[1], 1);
		close(to[1]), close(from[0]);
		fcntl(m.memory, F_SETFD, 0), fcntl(m.pool, F_SETFD, 0);
		execl(argv[0], argv[0], "importer", (char *)NULL);
		_exit(127);
	}
	close(to[0]), close(from[1]);
	TRUE(write(to[1], &m, sizeof m) == sizeof m);
	if (read(from[0], &byte, 1) != 1 || byte != '1') { /* it has failed, and says why */
		for (putchar(byte); read(from[0], &byte, 1) == 1;)
			putchar(byte);
		return 1;
	}
	has_words(small, SMALL, 50);
	for (unsigned i = 0; i < LARGE; i += 999) {
		float x;
		OK(cuMemcpyDtoH_v2(&x, large + 4 * i, 4));
		TRUE(x == 2 * (7 + (float)(i % 1000)));
	}
	float x;
	OK(cuMemcpyDtoH_v2(&x, p + 4 * 3, 4));
	TRUE(x == 24);
	OK(cuMemcpyDtoH_v2(&x, pointer + 4 * 3, 4));
	TRUE(x == 28);
	OK(cuMemFree_v2(large));
	TRUE(write(to[1], "1", 1) == 1);
	TRUE(waitpid(child, &status, 0) == child && status == 0);
	OK(cuMemFree_v2(small));
	OK(cuCtxDestroy_v2(c));
	puts("done");
	return 0;
}
