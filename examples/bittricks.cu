// integer: population count, reversal, leading zeros, byte permutes, funnel shifts, Morton and Gray codes

static __device__ __forceinline__ unsigned spread(unsigned x) { // 16 bits to even positions
  x &= 0xffffu;
  x = (x | (x << 8)) & 0x00ff00ffu;
  x = (x | (x << 4)) & 0x0f0f0f0fu;
  x = (x | (x << 2)) & 0x33333333u;
  return (x | (x << 1)) & 0x55555555u;
}

extern "C" __global__ void bittricks(const unsigned *__restrict__ in, unsigned *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = in[i], y = in[(i + 1) % n];
  unsigned long long w = ((unsigned long long)y << 32) | x;
  unsigned *o = out + i * 16;
  o[0] = __popc(x);
  o[1] = __brev(x);
  o[2] = (unsigned)__clz((int)x);
  o[3] = (unsigned)__ffs((int)x);
  o[4] = (unsigned)__popcll(w) | (unsigned)__clzll((long long)w) << 8 | (unsigned)__ffsll((long long)w) << 16;
  o[5] = (unsigned)(__brevll(w) >> 17);
  o[6] = __byte_perm(x, y, 0x7315);
  o[7] = __byte_perm(x, y, y & 0x7777);
  o[8] = __funnelshift_l(x, y, x & 63);
  o[9] = __funnelshift_r(x, y, y & 63);
  o[10] = spread(x) | (spread(y) << 1);
  o[11] = x ^ (x >> 1);
  unsigned c = x & (0u - x), r = x + c; // next number with the same population
  o[12] = c ? (((r ^ x) >> 2) / c) | r : 0;
  o[13] = (x & ~y) | (~x & y & 0x00ffff00u);
  o[14] = (x >> (y & 31)) | (x << ((32 - (y & 31)) & 31));
  o[15] = (unsigned)((int)x >> 7) + ((x << 5) >> 20) + (unsigned)((int)(x << 11) >> 23);
}
