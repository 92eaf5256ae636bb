// An atomic counter that the threads which are together take only once.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int take(int *counter) {
	cg::coalesced_group active = cg::coalesced_threads();
	int first = 0;
	if (active.thread_rank() == 0)
		first = atomicAdd(counter, (int)active.size());
	return active.shfl(first, 0) + (int)active.thread_rank();
}
extern "C" __global__ void cg_aggregate(const int *x, int *kept, int *counter) {
	int v = x[blockIdx.x * blockDim.x + threadIdx.x];
	if (v % 3 == 0)
		kept[take(counter)] = v;
}
