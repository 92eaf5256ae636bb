// Variables of the device: constant memory, a table with a part of it written, a counter.
#include <cstdio>

__constant__ float weights[4];
__constant__ int shift = 10;
__device__ unsigned counter;
__device__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__global__ void apply(float *out) {
	int i = threadIdx.x;
	out[i] = weights[i % 4] * table[i] + shift;
	atomicAdd(&counter, 1u);
}

int main() {
	float w[4] = {1.0f, 0.5f, 0.25f, 2.0f}, two[2] = {30, 40}, h[8];
	cudaMemcpyToSymbol(weights, w, sizeof w);
	cudaMemcpyToSymbol(table, two, sizeof two, 2 * sizeof(float));
	float *out;
	cudaMalloc(&out, sizeof h);
	apply<<<1, 8>>>(out);
	apply<<<1, 8>>>(out);
	cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
	for (float v : h)
		printf("%g ", v);
	unsigned count;
	cudaMemcpyFromSymbol(&count, counter, sizeof count);
	void *address;
	size_t size;
	cudaGetSymbolAddress(&address, table);
	cudaGetSymbolSize(&size, table);
	cudaMemset(address, 0, size);
	apply<<<1, 8>>>(out);
	cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
	printf("\ncounter %u, table %zu bytes, then %g\n", count, size, h[7]);
	printf("too far: %s\n", cudaGetErrorName(cudaMemcpyToSymbol(weights, w, sizeof w, 4)));
	return 0;
}
