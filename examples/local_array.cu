// local memory: dynamically indexed per-thread arrays (insertion sort, digit counts, an explicit stack)

extern "C" __global__ void local_array(const int *__restrict__ in, int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int a[16];
  for (int i = 0; i < 16; i++) a[i] = in[(t * 5 + i * 3) % n];
  for (int i = 1; i < 16; i++) {
    int v = a[i], j = i - 1;
    while (j >= 0 && a[j] > v) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = v;
  }
  unsigned char digit[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 16; i++) {
    unsigned v = (unsigned)(a[i] < 0 ? -a[i] : a[i]);
    do {
      digit[v % 10]++;
      v /= 10;
    } while (v);
  }
  // binary search with an explicit stack of ranges
  short stack[8];
  int sp = 0, lo = 0, hi = 15, want = a[t & 15];
  while (lo <= hi && sp < 8) {
    int mid = (lo + hi) >> 1;
    stack[sp++] = (short)(mid | lo << 4 | hi << 8);
    if (a[mid] == want) break;
    if (a[mid] < want) lo = mid + 1;
    else hi = mid - 1;
  }
  int trace = 0;
  while (sp > 0) trace = trace * 7 + stack[--sp];
  out[4 * t + 0] = a[0] + a[t & 15] * 3 + a[15];
  out[4 * t + 1] = digit[t % 10] | digit[(t + 3) % 10] << 8;
  out[4 * t + 2] = trace;
  out[4 * t + 3] = a[7];
}
