// random numbers: Philox4x32-10 and a 64-bit LCG, Monte-Carlo quarter circle with exact integer tests

static __device__ __forceinline__ uint4 philox(uint4 c, unsigned k0, unsigned k1) {
#pragma unroll
  for (int r = 0; r < 10; r++) {
    unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
    unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
    c = make_uint4(h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

static __device__ __forceinline__ unsigned inside(unsigned x, unsigned y) {
  x >>= 16;
  y >>= 16;
  return (unsigned long long)x * x + (unsigned long long)y * y < 0x100000000ull;
}

extern "C" __global__ void philox_pi(unsigned *hits, unsigned k0, unsigned k1, int rounds, uint4 *__restrict__ first,
                                     unsigned long long *__restrict__ lcg) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned n = 0;
  for (int r = 0; r < rounds; r++) {
    uint4 v = philox(make_uint4(id, (unsigned)r, 0, 0), k0, k1);
    if (r == 0) first[id] = v;
    n += inside(v.x, v.y) + inside(v.z, v.w);
  }
  atomicAdd(&hits[0], n);
  unsigned long long s = id * 0x9E3779B97F4A7C15ull + 1;
  n = 0;
  for (int r = 0; r < rounds; r++) {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    unsigned x = (unsigned)(s >> 32);
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    n += inside(x, (unsigned)(s >> 32));
  }
  lcg[id] = s;
  atomicAdd(&hits[1], n);
}
