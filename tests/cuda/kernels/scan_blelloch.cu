// Blelloch's scan: sums up a tree, then down again. Padding keeps the banks apart.
#define PAD(i) ((i) + ((i) >> 5))
extern "C" __global__ void scan_blelloch(const int *x, int *y, int n) {
	__shared__ int tree[PAD(256) + 1];
	int t = threadIdx.x, step = 1;
	tree[PAD(2 * t)] = x[2 * t];
	tree[PAD(2 * t + 1)] = x[2 * t + 1];
	for (int d = n / 2; d > 0; d /= 2, step *= 2) {
		__syncthreads();
		if (t < d)
			tree[PAD(step * (2 * t + 2) - 1)] += tree[PAD(step * (2 * t + 1) - 1)];
	}
	if (t == 0)
		tree[PAD(n - 1)] = 0;
	for (int d = 1; d < n; d *= 2) {
		step /= 2;
		__syncthreads();
		if (t < d) {
			int left = tree[PAD(step * (2 * t + 1) - 1)];
			tree[PAD(step * (2 * t + 1) - 1)] = tree[PAD(step * (2 * t + 2) - 1)];
			tree[PAD(step * (2 * t + 2) - 1)] += left;
		}
	}
	__syncthreads();
	y[2 * t] = tree[PAD(2 * t)];
	y[2 * t + 1] = tree[PAD(2 * t + 1)];
}
