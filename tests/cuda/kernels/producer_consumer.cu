// One warp fills a buffer, the others use it; two barriers tell who may go on.
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void producer_consumer(const int *x, int *y, int rounds) {
	__shared__ barrier full, empty;
	__shared__ int buffer[32];
	if (threadIdx.x == 0) {
		init(&full, blockDim.x);
		init(&empty, blockDim.x);
	}
	__syncthreads();
	int sum = 0;
	if (threadIdx.x < 32) {
		for (int r = 0; r < rounds; r++) {
			empty.arrive_and_wait();
			buffer[threadIdx.x] = x[r * 32 + threadIdx.x];
			(void)full.arrive();
		}
	} else {
		for (int r = 0; r < rounds; r++) {
			(void)empty.arrive();
			full.arrive_and_wait();
			sum += buffer[(threadIdx.x + r) % 32] * (int)(threadIdx.x / 32);
		}
		y[threadIdx.x - 32] = sum;
	}
}
