// elementwise: vector add with a grid-stride loop

extern "C" __global__ void vecadd_gridstride(const float *__restrict__ a, const float *__restrict__ b,
                                             float *__restrict__ c, unsigned n) {
  unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i];
}
