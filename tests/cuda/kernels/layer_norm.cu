// Rows with mean 0 and deviation 1.
extern "C" __global__ void layer_norm(const float *x, const float *scale, const float *shift, float *y) {
	__shared__ float sums[2];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	if (t < 2)
		sums[t] = 0;
	__syncthreads();
	atomicAdd(&sums[0], x[i]);
	__syncthreads();
	float mean = sums[0] / blockDim.x, d = x[i] - mean;
	atomicAdd(&sums[1], d * d);
	__syncthreads();
	y[i] = d * rsqrtf(sums[1] / blockDim.x + 1e-5f) * scale[t] + shift[t];
}
