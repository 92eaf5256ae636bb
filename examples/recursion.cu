// functions: self-recursive device functions that cannot be inlined (queens, Ackermann)

static __device__ __noinline__ int queens(int n, unsigned cols, unsigned d1, unsigned d2) {
  unsigned all = (1u << n) - 1;
  if (cols == all) return 1;
  int count = 0;
  unsigned free_cols = all & ~(cols | d1 | d2);
  while (free_cols) {
    unsigned bit = free_cols & (0u - free_cols);
    free_cols ^= bit;
    count += queens(n, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
  }
  return count;
}

static __device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

extern "C" __global__ void recursion(int n, int *__restrict__ solutions, int *__restrict__ ack) {
  int t = threadIdx.x;
  unsigned first = 1u << (t % n);
  solutions[t] = queens(n, first, first << 1, first >> 1);
  ack[t] = ackermann(t % 3, t & 3);
}
