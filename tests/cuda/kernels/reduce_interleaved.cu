// Neighbours are added at growing distances: half of the threads of every warp idle.
extern "C" __global__ void reduce_interleaved(const int *x, int *sums) {
	extern __shared__ int part[];
	unsigned t = threadIdx.x;
	part[t] = x[blockIdx.x * blockDim.x + t];
	__syncthreads();
	for (unsigned s = 1; s < blockDim.x; s *= 2) {
		if (t % (2 * s) == 0)
			part[t] += part[t + s];
		__syncthreads();
	}
	if (t == 0)
		sums[blockIdx.x] = part[0];
}
