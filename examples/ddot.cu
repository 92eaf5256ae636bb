// double precision: compensated dot product (two-product by fma, two-sum), shared tree, atomic add of
// double for a plain copy

static __device__ __forceinline__ void two_sum(double &hi, double &lo, double b) {
  double s = __dadd_rn(hi, b);
  double bb = __dadd_rn(s, -hi);
  double err = __dadd_rn(__dadd_rn(hi, -__dadd_rn(s, -bb)), __dadd_rn(b, -bb));
  hi = s;
  lo = __dadd_rn(lo, err);
}

extern "C" __global__ void ddot(const double *__restrict__ x, const double *__restrict__ y, int n,
                                double *__restrict__ part, double *plain) {
  __shared__ double sh[64], sl[64];
  int t = threadIdx.x;
  double hi = 0.0, lo = 0.0, simple = 0.0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    double p = __dmul_rn(x[i], y[i]);
    double e = __fma_rn(x[i], y[i], -p);
    two_sum(hi, lo, p);
    lo += e;
    simple += x[i] * y[i];
  }
  sh[t] = hi;
  sl[t] = lo;
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (t < k) {
      double h = sh[t], l = sl[t] + sl[t + k];
      two_sum(h, l, sh[t + k]);
      sh[t] = h;
      sl[t] = l;
    }
    __syncthreads();
  }
  if (t == 0) part[blockIdx.x] = sh[0] + sl[0];
  atomicAdd(plain, simple);
}
