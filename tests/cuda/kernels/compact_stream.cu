// Keeps what is positive: ranks by ballots within a warp, places by one atomic per warp.
extern "C" __global__ void compact_stream(const int *x, int *kept, unsigned *count, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	bool keep = i < n && x[i] > 0;
	unsigned all = __ballot_sync(~0u, keep), base = 0;
	if (lane == 0 && all)
		base = atomicAdd(count, __popc(all));
	base = __shfl_sync(~0u, base, 0);
	if (keep)
		kept[base + __popc(all & ((1u << lane) - 1))] = x[i];
}
