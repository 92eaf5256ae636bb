// A scan over blocks in one launch: each block publishes its sum, then its prefix, and adds what those before it have published.
#include <cuda/atomic>
using flag = cuda::atomic<unsigned, cuda::thread_scope_device>;
struct Partition { flag state; int sum, prefix; };
__device__ Partition partitions[16];
__device__ unsigned ticket;
extern "C" __global__ void scan_lookback(const int *x, int *y) {
	__shared__ int warps[4], before;
	__shared__ unsigned part;
	if (threadIdx.x == 0)
		part = atomicAdd(&ticket, 1);
	__syncthreads();
	int i = part * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, v = x[i], sum = v;
	for (int by = 1; by < 32; by *= 2) {
		int below = __shfl_up_sync(~0u, sum, by);
		sum += lane >= by ? below : 0;
	}
	if (lane == 31)
		warps[threadIdx.x / 32] = sum;
	__syncthreads();
	for (int w = 0; w < threadIdx.x / 32; w++)
		sum += warps[w];
	if (threadIdx.x == blockDim.x - 1) {
		Partition &mine = partitions[part];
		mine.sum = sum;
		mine.state.store(1, cuda::memory_order_release);
		int prefix = 0;
		for (int p = (int)part - 1; p >= 0; p--) {
			unsigned state;
			do state = partitions[p].state.load(cuda::memory_order_acquire);
			while (state == 0);
			prefix += state == 2 ? partitions[p].prefix : partitions[p].sum;
			if (state == 2)
				break;
		}
		mine.prefix = prefix + sum;
		mine.state.store(2, cuda::memory_order_release);
		before = prefix;
	}
	__syncthreads();
	y[i] = before + sum;
}
