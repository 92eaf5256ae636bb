// Threads of a warp that have the same bin agree on one of them to count for all.
extern "C" __global__ void histogram_match(const unsigned char *x, unsigned *bins, int n) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned bin = x[i] >> 3, same = __match_any_sync(__activemask(), bin);
		if (threadIdx.x % 32 == __ffs(same) - 1)
			atomicAdd(&bins[bin], __popc(same));
	}
}
