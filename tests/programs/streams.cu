// Work in streams: copies of one stream go on beside kernels of another, which takes less time than one after the other.
#include <cstdio>

__global__ void work(float *x, int n, int rounds) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		for (int k = 0; k < rounds; k++)
			x[i] = x[i] * 0.5f + 1.0f;
}

static float run(float *host, float *device, int n, int parts, cudaStream_t *streams, int n_streams) {
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	int size = n / parts;
	cudaEventRecord(begin, 0);
	for (int p = 0; p < parts; p++) {
		cudaStream_t s = streams[p % n_streams];
		int at = p * size;
		cudaMemcpyAsync(device + at, host + at, size * sizeof(float), cudaMemcpyHostToDevice, s);
		work<<<(size + 127) / 128, 128, 0, s>>>(device + at, size, 4);
		cudaMemcpyAsync(host + at, device + at, size * sizeof(float), cudaMemcpyDeviceToHost, s);
	}
	cudaEventRecord(end, 0);
	cudaEventSynchronize(end);
	float ms = 0;
	cudaEventElapsedTime(&ms, begin, end);
	cudaEventDestroy(begin);
	cudaEventDestroy(end);
	return ms;
}

static int wrong(const float *x, int n) {
	int bad = 0;
	for (int i = 0; i < n; i++)
		bad += x[i] != 2.0f;
	return bad;
}

static void CUDART_CB say(void *text) { printf("callback: %s\n", (const char *)text); }

int main() {
	const int n = 1 << 14, parts = 4;
	float *host, *device;
	cudaMallocHost(&host, n * sizeof(float));
	cudaMalloc(&device, n * sizeof(float));
	for (int i = 0; i < n; i++)
		host[i] = 2.0f;
	cudaStream_t streams[parts];
	for (cudaStream_t &s : streams)
		cudaStreamCreate(&s);
	float one = run(host, device, n, parts, streams, 1), all = run(host, device, n, parts, streams, parts);
	printf("%d wrong\n", wrong(host, n));
	printf("%s\n", all < one ? "streams overlap" : "streams do not overlap");

	cudaEvent_t done;
	cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
	work<<<1, 32, 0, streams[0]>>>(device, 32, 1);
	cudaEventRecord(done, streams[0]);
	cudaStreamWaitEvent(streams[1], done, 0);
	cudaLaunchHostFunc(streams[1], say, (void *)"behind the event");
	printf("event: %s\n", cudaGetErrorName(cudaEventQuery(done)));
	for (cudaStream_t s : streams)
		cudaStreamDestroy(s);
	printf("destroyed twice: %s\n", cudaGetErrorName(cudaStreamDestroy(streams[0])));
	cudaFreeHost(host);
	return 0;
}
