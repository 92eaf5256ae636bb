// Sums that start anew at every flag: the operation carries the flag along.
extern "C" __global__ void scan_segmented(const int *x, const unsigned char *head, int *y) {
	int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], f = head[i] || lane == 0;
	for (int by = 1; by < 32; by *= 2) {
		int v0 = __shfl_up_sync(~0u, v, by), f0 = __shfl_up_sync(~0u, f, by);
		if (lane >= by) {
			v = f ? v : v + v0;
			f |= f0;
		}
	}
	y[i] = v;
}
