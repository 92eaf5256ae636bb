// functions: indirect calls through a table of device functions and through a selected pointer

typedef int (*binop)(int, int);
static __device__ __noinline__ int op_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
static __device__ __noinline__ int op_sub(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
static __device__ __noinline__ int op_mix(int a, int b) { return (int)((unsigned)a * 31u ^ (unsigned)b); }
static __device__ __noinline__ int op_max(int a, int b) { return a > b ? a : b; }
static __device__ __noinline__ int op_rot(int a, int b) {
  unsigned s = (unsigned)b & 31u;
  return (int)(((unsigned)a << s) | ((unsigned)a >> ((32u - s) & 31u)));
}

__device__ binop op_table[5] = {op_add, op_sub, op_mix, op_max, op_rot};

static __device__ __noinline__ int fold(binop f, const int *v, int n) {
  int acc = v[0];
  for (int i = 1; i < n; i++) acc = f(acc, v[i]);
  return acc;
}

extern "C" __global__ void funcptr(const int *__restrict__ v, int n, const unsigned char *__restrict__ which,
                                   int *__restrict__ out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  binop f = op_table[which[t]];
  int a = fold(f, v + (t & 7), n);
  binop g = (t & 1) ? op_mix : op_sub;
  out[t] = g(a, op_table[(which[t] + 1) % 5](a, t));
}
