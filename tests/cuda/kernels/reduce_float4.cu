// Sixteen bytes a load, and a reduction of integers by one instruction per warp.
extern "C" __global__ void reduce_float4(const float4 *x, int *most, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = -1e30f;
	if (i < n) {
		float4 q = x[i];
		v = fmaxf(fmaxf(q.x, q.y), fmaxf(q.z, q.w));
	}
	int best = __reduce_max_sync(~0u, __float2int_rd(v * 1000));
	if (threadIdx.x % 32 == 0)
		atomicMax(most, best);
}
