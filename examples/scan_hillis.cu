// prefix scan: Hillis-Steele, inclusive, double-buffered in shared memory, block totals out

extern "C" __global__ void scan_hillis(const int *__restrict__ in, int *__restrict__ out,
                                       int *__restrict__ totals, int n) {
  __shared__ int buf[2][128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, cur = 0;
  buf[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < (int)blockDim.x; d <<= 1) {
    int v = buf[cur][t];
    if (t >= d) v += buf[cur][t - d];
    buf[cur ^ 1][t] = v;
    cur ^= 1;
    __syncthreads();
  }
  if (i < n) out[i] = buf[cur][t];
  if (t == (int)blockDim.x - 1) totals[blockIdx.x] = buf[cur][t];
}
