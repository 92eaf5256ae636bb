// address spaces: functions that return pointers, pointer phis and selects, pointers kept in local memory

static __device__ __noinline__ int *pick(int *a, int *b, int c) { return c ? a : b; }
// derived pointer: same space as its argument
static __device__ __noinline__ int *skip_negative(int *p, int *end) {
  while (p < end && *p < 0) p++;
  return p;
}
// the address of a shared array, returned
static __device__ __noinline__ int *scratch() {
  __shared__ int pad[64];
  return pad;
}

extern "C" __global__ void generic_ret(int *data, int *__restrict__ out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[t] * 2 - 50;
  int *pad = scratch();
  pad[t] = t * t;
  __syncthreads();
  int *p = pick(s, data, t & 1);                 // shared or global
  int *q = pick(pad, s, t & 2);                  // always shared
  int *r = skip_negative(s + t, s + 64);         // always shared
  int *g = skip_negative(data + t, data + n);    // always global
  int acc = 0;
  int *walk = (t & 4) ? p : q;
  int *end = walk + 8;
  while (walk < end) {                           // a pointer phi
    acc += *walk;
    walk += 1 + (acc & 1);
  }
  int *table[4];
  table[0] = s;
  table[1] = data;
  table[2] = pad;
  table[3] = p;
  acc += table[t & 3][(t >> 2) & 15];            // a pointer loaded from local memory
  out[4 * t + 0] = acc;
  out[4 * t + 1] = r < s + 64 ? *r : -1;
  out[4 * t + 2] = g < data + n ? *g : -1;
  out[4 * t + 3] = (int)(r - s) + 100 * (int)(g - data);
}
