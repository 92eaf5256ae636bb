// A barrier that also waits for copies: what arrives is used in the other direction.
#include <cooperative_groups.h>
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void barrier_copy(const float *x, float *y) {
	__shared__ barrier ready;
	__shared__ alignas(16) float tile[128];
	auto block = cooperative_groups::this_thread_block();
	if (block.thread_rank() == 0)
		init(&ready, block.size());
	block.sync();
	for (int i = 0; i < 3; i++) {
		cuda::memcpy_async(block, tile, x + i * 128, cuda::aligned_size_t<16>(sizeof(tile)), ready);
		barrier::arrival_token token = ready.arrive();
		ready.wait(static_cast<barrier::arrival_token &&>(token));
		y[i * 128 + threadIdx.x] = tile[127 - threadIdx.x];
		ready.arrive_and_wait();
	}
}
