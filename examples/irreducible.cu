// control flow: irreducible loops, entered in the middle by goto

extern "C" __global__ void irreducible(const unsigned *__restrict__ in, unsigned *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = in[i], acc = 1, fuel = 60;
  if (x & 1) goto odd;
  if (x & 2) goto middle;
even:
  acc = acc * 5 + (x & 0xff);
  x >>= 1;
  if (--fuel == 0) goto out_label;
  if (x & 1) goto odd;
middle:
  acc ^= x << 3;
  x += 0x01010101u;
  if (--fuel == 0) goto out_label;
  if ((acc & 3) == 0) goto even;
odd:
  acc += x ^ 0x5bd1e995u;
  x = x * 3 + 1;
  if (--fuel == 0) goto out_label;
  if (acc & 0x10) goto middle;
  if (x > 0x40) goto even;
out_label:
  out[2 * i] = acc;
  out[2 * i + 1] = fuel;
}
