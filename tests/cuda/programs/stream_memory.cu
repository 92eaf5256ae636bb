// Memory in stream order and from pools.
#include "check.h"

__global__ void iota(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = i;
}

int main()
{
	int supported, *p, n = 1000;
	cudaStream_t s;
	CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
	EXPECT(supported);
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaMallocAsync(&p, n * sizeof(int), s));
	iota<<<8, 128, 0, s>>>(p, n);
	std::vector<int> r(n);
	CHECK(cudaMemcpyAsync(r.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost, s));
	CHECK(cudaFreeAsync(p, s));
	CHECK(cudaStreamSynchronize(s));
	for (int i = 0; i < n; i++)
		EXPECT(r[i] == i);
	cudaMemPool_t pool, current;
	cudaMemPoolProps props = {};
	props.allocType = cudaMemAllocationTypePinned;
	props.location.type = cudaMemLocationTypeDevice, props.location.id = 0;
	CHECK(cudaMemPoolCreate(&pool, &props));
	uint64_t keep = 1 << 20, used;
	CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
	CHECK(cudaMallocFromPoolAsync(&p, 4096, pool, s));
	CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
	EXPECT(used == 4096);
	CHECK(cudaMemsetAsync(p, 1, 4096, s));
	CHECK(cudaFreeAsync(p, s));
	CHECK(cudaDeviceSetMemPool(0, pool));
	CHECK(cudaDeviceGetMemPool(&current, 0));
	EXPECT(current == pool);
	CHECK(cudaMallocAsync(&p, 256, s));
	CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
	EXPECT(used == 256);
	CHECK(cudaFree(p));
	CHECK(cudaMemPoolTrimTo(pool, 0));
	CHECK(cudaMemPoolDestroy(pool));
	GIVES(cudaErrorInvalidValue, cudaFreeAsync(p, s));
	return done();
}
