// hashing, long straight-line integer code: SHA-256 of a 32-byte message per thread, fully unrolled

__constant__ unsigned K[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

static __device__ __forceinline__ unsigned ror(unsigned x, int n) { return (x >> n) | (x << (32 - n)); }
static __device__ __forceinline__ unsigned bswap(unsigned x) { return __byte_perm(x, 0, 0x0123); }

extern "C" __global__ void sha256(const unsigned *__restrict__ msg, unsigned *__restrict__ digest, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;
  unsigned w[16];
#pragma unroll
  for (int i = 0; i < 8; i++) w[i] = bswap(msg[id * 8 + i]);
  w[8] = 0x80000000u;
#pragma unroll
  for (int i = 9; i < 15; i++) w[i] = 0;
  w[15] = 256;
  unsigned a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au;
  unsigned e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
  unsigned s0 = a, s1 = b, s2 = c, s3 = d, s4 = e, s5 = f, s6 = g, s7 = h;
#pragma unroll
  for (int i = 0; i < 64; i++) {
    unsigned wi;
    if (i < 16) {
      wi = w[i];
    } else {
      unsigned x = w[(i + 1) & 15], y = w[(i + 14) & 15];
      x = ror(x, 7) ^ ror(x, 18) ^ (x >> 3);
      y = ror(y, 17) ^ ror(y, 19) ^ (y >> 10);
      wi = w[i & 15] += x + w[(i + 9) & 15] + y;
    }
    unsigned t1 = h + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + wi;
    unsigned t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g; g = f; f = e; e = d + t1;
    d = c; c = b; b = a; a = t1 + t2;
  }
  digest[id * 8 + 0] = bswap(s0 + a);
  digest[id * 8 + 1] = bswap(s1 + b);
  digest[id * 8 + 2] = bswap(s2 + c);
  digest[id * 8 + 3] = bswap(s3 + d);
  digest[id * 8 + 4] = bswap(s4 + e);
  digest[id * 8 + 5] = bswap(s5 + f);
  digest[id * 8 + 6] = bswap(s6 + g);
  digest[id * 8 + 7] = bswap(s7 + h);
}
