// A fair lock: everyone draws a number and waits for it.
#include <cuda/atomic>
struct Lock {
	cuda::atomic<unsigned, cuda::thread_scope_device> next, serving;
	__device__ void take() {
		unsigned mine = next.fetch_add(1, cuda::memory_order_relaxed);
		while (serving.load(cuda::memory_order_acquire) != mine) {
		}
	}
	__device__ void give() { serving.fetch_add(1, cuda::memory_order_release); }
};
__device__ Lock lock;
extern "C" __global__ void ticket_lock(long long *account, int times) {
	for (int i = 0; i < times; i++) {
		lock.take();
		account[0] += blockIdx.x * blockDim.x + threadIdx.x;
		account[1] -= 1;
		lock.give();
	}
}
