// Welford's means and variances, joined pairwise in a tree.
struct Moments { double n, mean, m2; };
__device__ Moments join(Moments a, Moments b) {
	double n = a.n + b.n, d = b.mean - a.mean;
	return n == 0 ? a : Moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
}
extern "C" __global__ void mean_variance(const double *x, double *result, int n) {
	__shared__ Moments all[64];
	Moments m = {0, 0, 0};
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		m = join(m, {1, x[i], 0});
	all[threadIdx.x] = m;
	for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
		__syncthreads();
		if (threadIdx.x < s)
			all[threadIdx.x] = join(all[threadIdx.x], all[threadIdx.x + s]);
	}
	if (threadIdx.x == 0)
		result[0] = all[0].mean, result[1] = all[0].m2 / (all[0].n - 1);
}
