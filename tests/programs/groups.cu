// Cooperative groups: sums of tiles, of what is left of a warp, and of a block.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(const int *x, int *tiles, int *total, int n) {
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<16>(block);
	int i = block.group_index().x * block.size() + block.thread_rank();
	int sum = cg::reduce(tile, i < n ? x[i] : 0, cg::plus<int>());
	if (tile.thread_rank() == 0)
		tiles[i / 16] = sum;
	if (i % 3 == 0 && i < n) {
		auto active = cg::coalesced_threads();
		if (active.thread_rank() == 0)
			atomicAdd(total, (int)active.size());
	}
}

int main() {
	const int n = 128;
	int h[n], t[n / 16], thirds = 0, *x, *tiles, *total;
	for (int i = 0; i < n; i++)
		h[i] = i;
	cudaMalloc(&x, sizeof h);
	cudaMalloc(&tiles, sizeof t);
	cudaMalloc(&total, sizeof(int));
	cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
	cudaMemcpy(total, &thirds, sizeof(int), cudaMemcpyHostToDevice);
	void *args[] = {&x, &tiles, &total, (void *)&n};
	cudaError_t error = cudaLaunchCooperativeKernel((void *)sums, dim3(2), dim3(64), args, 0, 0);
	cudaMemcpy(t, tiles, sizeof t, cudaMemcpyDeviceToHost);
	cudaMemcpy(&thirds, total, sizeof(int), cudaMemcpyDeviceToHost);
	printf("%s:", cudaGetErrorName(error));
	for (int v : t)
		printf(" %d", v);
	printf("\n%d multiples of three\n", thirds);
	error = cudaLaunchCooperativeKernel(sums, dim3(100000), dim3(64), args);
	printf("100000 blocks: %s\n", cudaGetErrorName(error));
	return 0;
}
