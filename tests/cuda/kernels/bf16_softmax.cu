// A softmax over rows of bfloat16, in float.
#include <cuda_bf16.h>
extern "C" __global__ void bf16_softmax(const __nv_bfloat16 *x, float *y) {
	int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
	float v = __bfloat162float(x[i]), most = v;
	for (int by = 16; by; by /= 2)
		most = fmaxf(most, __shfl_xor_sync(~0u, most, by));
	float e = expf(v - most), sum = e;
	for (int by = 16; by; by /= 2)
		sum += __shfl_xor_sync(~0u, sum, by);
	y[i] = e / sum;
}
