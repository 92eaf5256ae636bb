// functions: structures by value as kernel parameters, as arguments of a call and as a result

struct Vec3 { float x, y, z; };
struct Config {
  int n;
  float scale;
  Vec3 dir;
  short tag[5];
  double bias;
  const float *src;
  unsigned char flag;
  float table[8];
};
struct Pair { int lo, hi; };
struct Result { Vec3 v; double total; int index; };

static __device__ __noinline__ Result evaluate(Config c, int i) {
  Result r;
  float s = c.src[i % c.n] * c.scale;
  r.v.x = c.dir.x * s;
  r.v.y = c.dir.y * s + c.table[i & 7];
  r.v.z = c.dir.z - s;
  c.table[i & 7] = s; // the callee's copy changes, the caller's does not
  r.total = c.bias + (double)c.table[(i + 1) & 7] + (double)c.table[i & 7];
  r.index = c.tag[i % 5] + (c.flag ? i : -i);
  return r;
}

extern "C" __global__ void struct_param(Config cfg, Pair range, float *__restrict__ out, double *__restrict__ totals,
                                        int *__restrict__ index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < range.lo || i >= range.hi) return;
  Result r = evaluate(cfg, i);
  cfg.dir.x = 0.5f; // writes to the kernel's own copy of its parameter
  out[4 * i + 0] = r.v.x + cfg.dir.x;
  out[4 * i + 1] = r.v.y;
  out[4 * i + 2] = r.v.z;
  out[4 * i + 3] = cfg.table[(i * 3) & 7];
  totals[i] = r.total;
  index[i] = r.index;
}
