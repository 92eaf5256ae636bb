// Two halves at a time.
#include <cuda_fp16.h>
extern "C" __global__ void half_polynomial(const half2 *x, half2 *y) {
	int i = threadIdx.x;
	half2 v = x[i], r = __hfma2(v, __float2half2_rn(0.5f), __floats2half2_rn(1, -1));
	r = __hmul2(r, v);
	y[i] = __hgt2(v, __float2half2_rn(0)).x == __half(1.0f) ? r : __hneg2(r);
}
