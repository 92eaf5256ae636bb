/* Four threads in two contexts: each with streams and memory of its own, all of them at the same time. */
#include "test.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 20, N = 256 };

static CUcontext  context[2];
static CUfunction add[2];

static void *work(void *arg)
{
	int         me = (int)(intptr_t)arg;
	CUstream    s;
	CUdeviceptr a, b;
	CUcontext   now;
	unsigned    n = N;
	float       x[N], y[N];
	OK(cuCtxGetCurrent(&now));
	TRUE(now == NULL);
	OK(cuCtxSetCurrent(context[me % 2]));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	for (int round = 0; round < ROUNDS; round++) {
		void *params[] = {&a, &b, &n};
		OK(cuMemAllocAsync(&a, sizeof x, s));
		OK(cuMemAlloc_v2(&b, sizeof y));
		for (int i = 0; i < N; i++)
			x[i] = (float)(me * i), y[i] = (float)round;
		OK(cuMemcpyHtoDAsync_v2(a, x, sizeof x, s));
		OK(cuMemcpyHtoDAsync_v2(b, y, sizeof y, s));
		OK(cuLaunchKernel(add[me % 2], 2, 1, 1, N / 2, 1, 1, 0, s, params, NULL));
		OK(cuMemcpyDtoHAsync_v2(x, a, sizeof x, s));
		OK(cuStreamSynchronize(s));
		for (int i = 0; i < N; i++)
			TRUE(x[i] == (float)(me * i + round));
		OK(cuMemFreeAsync(a, s));
		OK(cuMemFree_v2(b));
	}
	OK(cuStreamDestroy_v2(s));
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	CUmodule  m;
	int       devices;
	context[0] = begin();
	add[0] = kernel_of(&m, ADD, "add");
	OK(cuDeviceGetCount(&devices));
	TRUE(devices == 2);
	OK(cuCtxCreate_v2(&context[1], 0, 1));
	add[1] = kernel_of(&m, ADD, "add");
	for (int i = 0; i < THREADS; i++)
		TRUE(pthread_create(&t[i], NULL, work, (void *)(intptr_t)i) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	OK(cuCtxDestroy_v2(context[1]));
	OK(cuCtxDestroy_v2(context[0]));
	puts("done");
	return 0;
}
