// A sum over the grid in one cooperative launch: blocks meet at grid.sync().
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void total(const int *in, int n, long long *parts, long long *out)
{
	cg::grid_group grid = cg::this_grid();
	cg::thread_block block = cg::this_thread_block();
	__shared__ long long own;
	if (block.thread_rank() == 0)
		own = 0;
	block.sync();
	long long sum = 0;
	for (size_t i = grid.thread_rank(); i < n; i += grid.size())
		sum += in[i];
	auto tile = cg::tiled_partition<32>(block);
	sum = cg::reduce(tile, sum, cg::plus<long long>());
	if (tile.thread_rank() == 0)
		atomicAdd((unsigned long long *)&own, (unsigned long long)sum);
	block.sync();
	if (block.thread_rank() == 0)
		parts[blockIdx.x] = own;
	grid.sync();
	if (grid.thread_rank() == 0) {
		long long all = 0;
		for (unsigned b = 0; b < gridDim.x; b++)
			all += parts[b];
		*out = all;
	}
	grid.sync();
	if (grid.thread_rank() == grid.size() - 1) // every block sees it
		parts[0] = *out;
}

int main()
{
	int supported = 0, per_sm = 0, sms = 0;
	CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
	CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, total, 128, 0));
	EXPECT(supported && per_sm > 0);
	int n = 20000, blocks = std::min(per_sm * sms, 16);
	std::vector<int> in(n);
	long long expected = 0;
	for (int i = 0; i < n; i++)
		expected += in[i] = i * 3 - 7;
	int *d = on_device(in);
	long long *parts = on_device<long long>(blocks), *out = on_device<long long>(1);
	void *args[] = {&d, &n, &parts, &out};
	CHECK(cudaLaunchCooperativeKernel(total, dim3(blocks), dim3(128), args, 0, 0));
	LAUNCHED();
	EXPECT(on_host(out, 1)[0] == expected && on_host(parts, 1)[0] == expected);
	GIVES(cudaErrorCooperativeLaunchTooLarge, cudaLaunchCooperativeKernel(total, dim3(per_sm * sms + 1), dim3(128), args, 0, 0));
	return done();
}
