// compute, very divergent: Collatz step counts and peaks in 64 bits

extern "C" __global__ void collatz(const unsigned *__restrict__ start, int n, int *__restrict__ steps,
                                   unsigned long long *__restrict__ peak) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long v = start[i], top = v;
  int s = 0;
  while (v > 1) {
    if (v & 1) {
      v = 3 * v + 1;
      s++;
      if (v > top) top = v;
    } else {
      int z = __ffsll((long long)v) - 1;
      v >>= z;
      s += z;
    }
  }
  steps[i] = s;
  peak[i] = top;
}
