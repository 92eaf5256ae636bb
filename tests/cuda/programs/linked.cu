// Separate compilation: nvcc -rdc=true leaves the device code of two files to be linked when the program starts.
// nvcc: -rdc=true tests/cuda/programs/parts/linked.cu
#include "check.h"

extern __device__ int                counter, scale(int);
extern __constant__ int              offsets[4];
extern __device__ int              (*chosen)(int);
static __device__ int                own = 5; /* the other file has one of that name */
void                                 add_in_other_file(int *p, int n);

__global__ void fill(int *p)
{
	int i = (int)threadIdx.x;
	p[i] = scale(i) + offsets[i % 4] + own;
	atomicAdd(&counter, chosen(1));
}

int main()
{
	const int n = 64;
	int      *p, h[n], seen = 0, table[4] = {1, 2, 3, 4};
	CHECK(cudaMalloc(&p, sizeof h));
	CHECK(cudaMemcpyToSymbol(offsets, table, sizeof table));
	fill<<<1, n>>>(p);
	CHECK(cudaGetLastError());
	add_in_other_file(p, n);
	CHECK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpyFromSymbol(&seen, counter, sizeof seen));
	for (int i = 0; i < n; i++)
		EXPECT(h[i] == 3 * i + 1 + i % 4 + 5 + 7000);
	EXPECT(seen == 100 + n * 11);
	printf("done\n");
	return 0;
}
