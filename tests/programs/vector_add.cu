// Two vectors are added on the device, and every sum is checked on the host.
#include <stdio.h>
#include <stdlib.h>

__global__ void add(const float *a, const float *b, float *c, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

int main() {
	const int n = 50000;
	size_t bytes = n * sizeof(float);
	float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
	for (int i = 0; i < n; i++) {
		a[i] = i * 0.5f;
		b[i] = i * 0.25f;
	}
	float *da = NULL, *db = NULL, *dc = NULL;
	cudaMalloc((void **)&da, bytes);
	cudaMalloc((void **)&db, bytes);
	cudaMalloc((void **)&dc, bytes);
	cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
	int threads = 256, blocks = (n + threads - 1) / threads;
	printf("launch of %d blocks of %d threads\n", blocks, threads);
	add<<<blocks, threads>>>(da, db, dc, n);
	cudaError_t error = cudaGetLastError();
	if (error != cudaSuccess) {
		fprintf(stderr, "launch failed: %s\n", cudaGetErrorString(error));
		exit(EXIT_FAILURE);
	}
	cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		if (c[i] != a[i] + b[i]) {
			fprintf(stderr, "element %d is wrong\n", i);
			return EXIT_FAILURE;
		}
	printf("passed, c[%d] = %g\n", n - 1, c[n - 1]);
	cudaFree(da);
	cudaFree(db);
	cudaFree(dc);
	free(a);
	free(b);
	free(c);
	return 0;
}
