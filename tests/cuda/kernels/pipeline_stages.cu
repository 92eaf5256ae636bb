// While one tile is used, the next ones are on their way to shared memory.
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
extern "C" __global__ void pipeline_stages(const int *x, int *sums, int tiles) {
	constexpr int stages = 3;
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
	__shared__ alignas(16) int tile[stages][64];
	auto block = cg::this_thread_block();
	auto pipe = cuda::make_pipeline(block, &state);
	const int *from = x + blockIdx.x * tiles * 64;
	int sum = 0;
	for (int use = 0, fetch = 0; use < tiles; use++) {
		for (; fetch < tiles && fetch < use + stages; fetch++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, tile[fetch % stages], from + fetch * 64, cuda::aligned_size_t<16>(64 * sizeof(int)), pipe);
			pipe.producer_commit();
		}
		pipe.consumer_wait();
		sum = sum * 3 + tile[use % stages][63 - threadIdx.x];
		pipe.consumer_release();
	}
	sums[blockIdx.x * 64 + threadIdx.x] = sum;
}
