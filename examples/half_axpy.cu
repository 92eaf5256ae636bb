// narrow types: half precision scalar and packed arithmetic
#include <cuda_fp16.h>

extern "C" __global__ void half_axpy(const __half *__restrict__ x, __half *__restrict__ y, const __half2 *__restrict__ x2,
                                     __half2 *__restrict__ y2, float a, float *__restrict__ sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half ha = __float2half_rn(a), one = __float2half_rn(1.0f);
  __half v = __hfma(ha, x[i], y[i]);
  if (__hlt(v, __float2half_rn(0.0f))) v = __hmul_rn(v, __float2half_rn(0.125f));
  y[i] = __hadd_rn(v, one);
  __half2 a2 = __halves2half2(ha, one);
  __half2 w = __hfma2(a2, x2[i], y2[i]);
  w = __hfma2(w, w, __halves2half2(__high2half(w), __low2half(w)));
  y2[i] = w;
  sums[i] = __half2float(__low2half(w)) + __half2float(v);
}
