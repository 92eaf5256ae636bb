// address spaces: conflicting call sites at the second level of a call chain; local, shared, global and
// constant pointers meet in one callee, and atomics on a generic pointer

__constant__ int c_words[16] = {5, 3, 8, 1, 9, 2, 7, 4, 6, 11, 13, 12, 15, 10, 14, 16};

static __device__ __noinline__ int leaf(const int *p, int i) { return p[i] + p[i ^ 1]; }
static __device__ __noinline__ int via_shared(const int *p, int i) { return leaf(p, i) * 3; }
static __device__ __noinline__ int via_global(const int *p, int i) { return leaf(p, i) * 5 + p[0]; }
static __device__ __noinline__ void bump(int *p, int by) { *p += by; }
static __device__ __noinline__ void bump_atomic(int *p, int by) { atomicAdd(p, by); }

extern "C" __global__ void generic_conflict(const int *__restrict__ in, int *__restrict__ out, int *total) {
  __shared__ int s[32];
  __shared__ int block_total;
  int t = threadIdx.x;
  int mine[4];
  for (int i = 0; i < 4; i++) mine[i] = in[(t + i) & 31] ^ i;
  s[t] = in[t] + t;
  if (t == 0) block_total = 0;
  __syncthreads();
  int a = via_shared(s, t & 30);
  int b = via_global(in, t);
  int c = leaf(mine, t & 3);
  int d = leaf(c_words, t & 15);
  __syncthreads();
  bump(&mine[t & 3], a);        // local
  bump(&s[t], b);               // shared
  bump(&out[8 * t + 5], c + d); // global
  bump_atomic(&block_total, a & 7);
  bump_atomic(total, b & 7);
  __syncthreads();
  out[8 * t + 0] = a;
  out[8 * t + 1] = b;
  out[8 * t + 2] = c;
  out[8 * t + 3] = d;
  out[8 * t + 4] = mine[0] + mine[1] + mine[2] + mine[3];
  out[8 * t + 6] = s[t ^ 1];
  out[8 * t + 7] = block_total;
}
