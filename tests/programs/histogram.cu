// A histogram with atomics in shared memory and then in global memory.
#include <cstdio>
#include <cstring>

const int BINS = 16;

__global__ void histogram(const unsigned char *data, int n, unsigned *bins) {
	__shared__ unsigned own[BINS];
	if (threadIdx.x < BINS)
		own[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&own[data[i] / (256 / BINS)], 1u);
	__syncthreads();
	if (threadIdx.x < BINS)
		atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
	const int n = 1 << 15;
	static unsigned char data[n];
	unsigned expected[BINS] = {}, bins[BINS];
	for (int i = 0; i < n; i++) {
		data[i] = (unsigned char)((i * 2654435761u) >> 13 & (i & 1 ? 255 : 127));
		expected[data[i] * BINS / 256]++;
	}
	unsigned char *d;
	unsigned *db;
	cudaMalloc(&d, n);
	cudaMalloc(&db, sizeof bins);
	cudaMemcpy(d, data, n, cudaMemcpyHostToDevice);
	cudaMemset(db, 0, sizeof bins);
	histogram<<<8, 128>>>(d, n, db);
	cudaMemcpy(bins, db, sizeof bins, cudaMemcpyDeviceToHost);
	unsigned total = 0;
	for (int i = 0; i < BINS; i++)
		total += bins[i];
	printf("%u elements, %s\n", total, std::memcmp(bins, expected, sizeof bins) ? "bins differ" : "bins agree");
	return 0;
}
