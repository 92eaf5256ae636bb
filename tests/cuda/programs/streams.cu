// Streams that copy and compute side by side, ordered by events; callbacks and host functions in stream order.
#include "check.h"

__global__ void add(int *p, int n, int by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] += by;
}

static int called, hosted;
static void CUDART_CB on_stream(cudaStream_t, cudaError_t status, void *user) { called += status == cudaSuccess ? *(int *)user : 1000; }
static void CUDART_CB on_host_side(void *user) { hosted += *(int *)user; }

int main()
{
	const int parts = 4, n = 1000;
	int *host, *device, seven = 7;
	cudaStream_t s[parts];
	cudaEvent_t filled;
	CHECK(cudaHostAlloc(&host, parts * n * sizeof(int), cudaHostAllocDefault));
	CHECK(cudaMalloc(&device, parts * n * sizeof(int)));
	for (int i = 0; i < parts * n; i++)
		host[i] = i;
	CHECK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
	for (int k = 0; k < parts; k++) {
		CHECK(cudaStreamCreateWithFlags(&s[k], k % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
		CHECK(cudaMemcpyAsync(device + k * n, host + k * n, n * sizeof(int), cudaMemcpyHostToDevice, s[k]));
		add<<<(n + 255) / 256, 256, 0, s[k]>>>(device + k * n, n, k);
		CHECK(cudaMemcpyAsync(host + k * n, device + k * n, n * sizeof(int), cudaMemcpyDeviceToHost, s[k]));
	}
	CHECK(cudaEventRecord(filled, s[0]));
	CHECK(cudaStreamWaitEvent(s[1], filled, 0));
	add<<<(n + 255) / 256, 256, 0, s[1]>>>(device, n, 100);
	CHECK(cudaStreamAddCallback(s[1], on_stream, &seven, 0));
	CHECK(cudaLaunchHostFunc(s[1], on_host_side, &seven));
	for (int k = 0; k < parts; k++)
		CHECK(cudaStreamSynchronize(s[k]));
	EXPECT(called == 7 && hosted == 7);
	GIVES(cudaSuccess, cudaStreamQuery(s[1]));
	GIVES(cudaSuccess, cudaEventQuery(filled));
	for (int k = 0; k < parts; k++)
		for (int i = 0; i < n; i++)
			EXPECT(host[k * n + i] == k * n + i + k);
	std::vector<int> after = on_host(device, n);
	for (int i = 0; i < n; i++)
		EXPECT(after[i] == i + 100);
	unsigned flags;
	int priority, least, greatest;
	CHECK(cudaStreamGetFlags(s[1], &flags));
	CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	EXPECT(flags == cudaStreamNonBlocking && greatest <= least);
	cudaStream_t urgent;
	CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
	CHECK(cudaStreamGetPriority(urgent, &priority));
	EXPECT(priority == greatest);
	float ms;
	GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, filled, filled));
	for (int k = 0; k < parts; k++)
		CHECK(cudaStreamDestroy(s[k]));
	CHECK(cudaStreamDestroy(urgent));
	CHECK(cudaFreeHost(host));
	CHECK(cudaFree(device));
	return done();
}
