// sorting: bitonic network over 256 key/payload pairs per block in shared memory

#define N 256

extern "C" __global__ void bitonic_sort(unsigned *keys, unsigned *vals) {
  __shared__ unsigned k[N], v[N];
  int t = threadIdx.x, base = blockIdx.x * N;
  for (int i = t; i < N; i += blockDim.x) {
    k[i] = keys[base + i];
    v[i] = vals[base + i];
  }
  for (int size = 2; size <= N; size <<= 1)
    for (int stride = size >> 1; stride > 0; stride >>= 1) {
      __syncthreads();
      for (int p = t; p < N / 2; p += blockDim.x) {
        int i = 2 * p - (p & (stride - 1)), j = i + stride;
        bool up = (i & size) == 0;
        unsigned a = k[i], b = k[j];
        if ((a > b) == up) {
          k[i] = b;
          k[j] = a;
          unsigned x = v[i];
          v[i] = v[j];
          v[j] = x;
        }
      }
    }
  __syncthreads();
  for (int i = t; i < N; i += blockDim.x) {
    keys[base + i] = k[i];
    vals[base + i] = v[i];
  }
}
