// The size of the block is a template argument, so that each step is decided when the kernel is compiled.
template <unsigned N> __device__ void warp_sum(volatile int *part, unsigned t) {
	if (N >= 64) part[t] += part[t + 32], __syncwarp();
	if (N >= 32) part[t] += t < 16 ? part[t + 16] : 0, __syncwarp();
	if (N >= 16) part[t] += t < 8 ? part[t + 8] : 0, __syncwarp();
	if (N >= 8) part[t] += t < 4 ? part[t + 4] : 0, __syncwarp();
	if (N >= 4) part[t] += t < 2 ? part[t + 2] : 0, __syncwarp();
	if (N >= 2) part[t] += t < 1 ? part[t + 1] : 0;
}
template <unsigned N> __device__ void block_sum(const int *x, int *sums, unsigned n) {
	__shared__ int part[N];
	unsigned t = threadIdx.x;
	int sum = 0;
	for (unsigned i = blockIdx.x * N * 2 + t; i < n; i += N * 2 * gridDim.x)
		sum += x[i] + (i + N < n ? x[i + N] : 0);
	part[t] = sum;
	__syncthreads();
	if (N >= 128) {
		if (t < 64) part[t] += part[t + 64];
		__syncthreads();
	}
	if (t < 32)
		warp_sum<N>(part, t);
	if (t == 0)
		sums[blockIdx.x] = part[0];
}
extern "C" __global__ void reduce_unrolled(const int *x, int *sums, unsigned n) { block_sum<128>(x, sums, n); }
