// address spaces: non-inlined callees that get shared pointers only, global pointers only, and both

// called with shared and with global pointers: must stay generic or be cloned
static __device__ __noinline__ int sum_span(const int *p, int n, int stride) {
  int s = 0;
  for (int i = 0; i < n; i++) s += p[i * stride];
  return s;
}
// every call site passes shared memory
static __device__ __noinline__ void fill_shared(int *p, int n, int v) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = v * i + 1;
}
// first argument always global, second always shared
static __device__ __noinline__ int dot_mixed(const int *a, const int *b, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
// writes through its result pointer, which is global at every call site
static __device__ __noinline__ void store_pair(int *dst, int a, int b) {
  dst[0] = a;
  dst[1] = b;
}

extern "C" __global__ void generic_as(const int *__restrict__ in, int *__restrict__ out) {
  __shared__ int a[64], b[64];
  int t = threadIdx.x;
  fill_shared(a, 64, 3);
  fill_shared(b, 64, (int)blockIdx.x + 2);
  __syncthreads();
  int s1 = sum_span(a + (t & 7), 8, 7);
  int s2 = sum_span(in + t, 8, 2);
  int d = dot_mixed(in + t, b + (t & 15), 16);
  int base = (blockIdx.x * blockDim.x + t) * 4;
  store_pair(out + base, s1, s2);
  store_pair(out + base + 2, d, sum_span((t & 1) ? b : in, 4, 1));
}
