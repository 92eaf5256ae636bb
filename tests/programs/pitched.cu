// Rows with padding, copied in two dimensions; memory of the kernel's heap; local arrays; double precision.
#include <cstdio>

__global__ void rows(float *x, size_t pitch, int width, int height, double *sums) {
	int y = threadIdx.x;
	if (y >= height)
		return;
	float *row = (float *)((char *)x + y * pitch);
	double *copy = (double *)malloc(width * sizeof(double));
	int order[8];
	for (int i = 0; i < width; i++) {
		copy[i] = row[i];
		order[i] = width - 1 - i;
	}
	double sum = 0;
	for (int i = 0; i < width; i++)
		sum += copy[order[i]] / (i + 1);
	sums[y] = sum;
	row[0] = -1;
	free(copy);
}

int main() {
	const int width = 5, height = 3;
	float h[height][width], back[height][width];
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			h[y][x] = 10 * y + x;
	float *d;
	size_t pitch;
	double *sums, s[height];
	cudaMallocPitch(&d, &pitch, width * sizeof(float), height);
	cudaMalloc(&sums, sizeof s);
	cudaMemset2D(d, pitch, 0, width * sizeof(float), height);
	cudaMemcpy2D(d, pitch, h, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
	rows<<<1, 32>>>(d, pitch, width, height, sums);
	cudaMemcpy2D(back, width * sizeof(float), d, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
	cudaMemcpy(s, sums, sizeof s, cudaMemcpyDeviceToHost);
	printf("pitch %zu\n", pitch);
	for (int y = 0; y < height; y++)
		printf("%g %g %.6f\n", back[y][0], back[y][4], s[y]);
	int blocks, grid, block;
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rows, 512, 0);
	cudaOccupancyMaxPotentialBlockSize(&grid, &block, rows, 0, 0);
	cudaFuncAttributes attributes;
	cudaFuncGetAttributes(&attributes, rows);
	printf("%d blocks of 512, best %d, at most %d\n", blocks, block, attributes.maxThreadsPerBlock);
	return 0;
}
