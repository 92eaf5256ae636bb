// Threads with equal labels find each other, count and sum.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void cg_labels(const int *label, const int *x, int *sum, int *rank) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	auto peers = cg::labeled_partition(warp, label[i]);
	sum[i] = cg::reduce(peers, x[i], cg::plus<int>());
	rank[i] = (int)(peers.thread_rank() * 100 + peers.size());
}
