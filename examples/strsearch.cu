// searching: pattern search with an early exit and a skip table in shared memory; counts and first match

#define SPAN 32

extern "C" __global__ void strsearch(const unsigned char *__restrict__ text, int n,
                                     const unsigned char *__restrict__ pat, int m, unsigned *count, int *first,
                                     unsigned char *__restrict__ mark) {
  __shared__ unsigned char skip[256];
  __shared__ unsigned char p[32];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) skip[i] = (unsigned char)m;
  if ((int)threadIdx.x < m) p[threadIdx.x] = pat[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i + 1 < m; i++) skip[p[i]] = (unsigned char)(m - 1 - i);
  __syncthreads();
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * SPAN, end = begin + SPAN;
  int pos = begin;
  unsigned found = 0;
  while (pos < end && pos + m <= n) {
    int k = m - 1;
    while (k >= 0 && text[pos + k] == p[k]) k--;
    if (k < 0) {
      mark[pos] = 1;
      if (found++ == 0) atomicMin(first, pos);
    }
    pos += skip[text[pos + m - 1]];
  }
  if (found) atomicAdd(count, found);
}
