// One function for groups of any kind, as a thread_group.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int sum_of(cg::thread_group group, int *part, int v) {
	int rank = (int)group.thread_rank();
	for (int s = (int)group.size() / 2; s > 0; s /= 2) {
		part[rank] = v;
		group.sync();
		if (rank < s)
			v += part[rank + s];
		group.sync();
	}
	return v;
}
extern "C" __global__ void cg_any_group(const int *x, int *all, int *tiles) {
	__shared__ int part[128];
	auto block = cg::this_thread_block();
	int sum = sum_of(block, part, x[block.thread_rank()]);
	if (block.thread_rank() == 0)
		*all = sum;
	block.sync();
	auto tile = cg::tiled_partition(block, 16);
	sum = sum_of(tile, part + block.thread_rank() / 16 * 16, x[block.thread_rank()]);
	if (tile.thread_rank() == 0)
		tiles[block.thread_rank() / 16] = sum;
}
