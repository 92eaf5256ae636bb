// cuda::atomic_ref over ordinary memory, with an operation for each kind.
#include <cuda/atomic>
extern "C" __global__ void atomic_scopes(int *x, float *f, unsigned char *bytes) {
	int t = threadIdx.x;
	cuda::atomic_ref<int, cuda::thread_scope_block>(x[0]).fetch_max(t * 3);
	cuda::atomic_ref<int, cuda::thread_scope_device>(x[1]).fetch_min(-t, cuda::memory_order_relaxed);
	cuda::atomic_ref<int, cuda::thread_scope_system>(x[2]).fetch_xor(t, cuda::memory_order_acq_rel);
	cuda::atomic_ref<float, cuda::thread_scope_device>(f[0]).fetch_add(0.5f, cuda::memory_order_relaxed);
	cuda::atomic_ref<unsigned char, cuda::thread_scope_device> byte(bytes[t % 4]);
	byte.fetch_add((unsigned char)t, cuda::memory_order_relaxed);
	cuda::atomic_ref<int, cuda::thread_scope_device> times(x[3]);
	int seen = times.load();
	while (!times.compare_exchange_weak(seen, seen * 3 + 1)) {
	}
}
