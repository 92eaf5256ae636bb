// Shared memory: static, dynamic, and more of it than a launch gets by default.
#include "check.h"

__global__ void transpose(const float *in, float *out, int n)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		if (x < n && y + k < n)
			tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		if (x < n && y + k < n)
			out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

extern __shared__ int dynamic[];
__global__ void reverse(int *p, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		dynamic[i] = p[i];
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		p[i] = dynamic[n - 1 - i];
}

int main()
{
	const int n = 75;
	std::vector<float> in(n * n);
	for (int i = 0; i < n * n; i++)
		in[i] = (float)i;
	float *din = on_device(in), *dout = on_device<float>(n * n);
	transpose<<<dim3(3, 3), dim3(32, 8)>>>(din, dout, n);
	LAUNCHED();
	std::vector<float> out = on_host(dout, n * n);
	for (int i = 0; i < n * n; i++)
		EXPECT(out[i] == in[i % n * n + i / n]);
	int most, big = 20000;
	std::vector<int> numbers(big);
	for (int i = 0; i < big; i++)
		numbers[i] = i;
	int *p = on_device(numbers);
	CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
	EXPECT(most >= big * (int)sizeof(int));
	reverse<<<1, 256, big * sizeof(int)>>>(p, big);
	EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
	CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, big * (int)sizeof(int)));
	reverse<<<1, 256, big * sizeof(int)>>>(p, big);
	LAUNCHED();
	EXPECT(on_host(p, big)[0] == big - 1 && on_host(p, big)[big - 1] == 0);
	GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1));
	cudaFuncAttributes a;
	CHECK(cudaFuncGetAttributes(&a, transpose));
	EXPECT(a.sharedSizeBytes == 32 * 33 * 4 && a.maxThreadsPerBlock == 1024 && a.binaryVersion == 90);
	int blocks, size, grid;
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, 256, big * sizeof(int)));
	EXPECT(blocks == 2);
	CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, transpose, 0, 0));
	EXPECT(size >= 256 && grid > 0);
	return done();
}
