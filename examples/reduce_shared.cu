// reduction: shared-memory tree, dynamic shared memory, two loads per thread

extern "C" __global__ void reduce_shared(const float *__restrict__ in, float *__restrict__ out, int n) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x, bd = blockDim.x;
  unsigned i = blockIdx.x * bd * 2 + t;
  float v = 0.0f;
  if (i < (unsigned)n) v = in[i];
  if (i + bd < (unsigned)n) v += in[i + bd];
  s[t] = v;
  __syncthreads();
  for (unsigned k = bd / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
