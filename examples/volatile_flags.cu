// memory model: volatile shared memory in a warp-synchronous reduction, volatile global words

extern "C" __global__ void volatile_flags(volatile int *flags, const int *__restrict__ in, volatile int *out) {
  __shared__ volatile int s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  if (t < 64) s[t] = s[t] + s[t + 64];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    s[t] = v;
    __syncwarp();
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) {
      v = s[t] + s[(t + o) & 31];
      __syncwarp();
      s[t] = v;
      __syncwarp();
    }
  }
  if (t == 0) {
    int before = flags[blockIdx.x]; // two reads and two writes that must all remain
    flags[blockIdx.x] = before + 1;
    flags[blockIdx.x] = flags[blockIdx.x] * 2;
    out[blockIdx.x] = s[0];
  }
}
