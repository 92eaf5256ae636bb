// integer: 64-bit division, remainder, high products, variable shifts, conversions to and from floating point

extern "C" __global__ void int64_arith(const long long *__restrict__ a, const long long *__restrict__ b,
                                       long long *__restrict__ out, double *__restrict__ fout, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long x = a[i], y = b[i];
  unsigned long long ux = (unsigned long long)x, uy = (unsigned long long)y;
  long long *o = out + i * 12;
  long long d = y == 0 ? 1 : y;
  o[0] = (d == -1) ? (long long)(0 - ux) : x / d;
  o[1] = (d == -1) ? 0 : x % d;
  o[2] = (long long)(ux / (unsigned long long)d);
  o[3] = (long long)(ux % (unsigned long long)d);
  o[4] = __mul64hi(x, y);
  o[5] = (long long)__umul64hi(ux, uy);
  o[6] = (long long)(ux << (uy & 63));
  o[7] = x >> (uy & 63);
  o[8] = (long long)(ux / 1000000007ull);
  o[9] = (x >> 20) / 10 - (x >> 40) % 7;
  o[10] = (long long)((ux * 0x9E3779B97F4A7C15ull ^ (ux >> 29)) + (unsigned long long)(x < y ? x : y));
  o[11] = (long long)((double)(x >> 12) * 0.375) + (long long)(float)(int)(y >> 33);
  fout[i] = (double)ux / (double)(1ull << 20) + (double)y;
}
