// SSA destruction: the swap problem, values that rotate round a loop, phis that read each other

extern "C" __global__ void swap_loop(const unsigned *__restrict__ in, unsigned *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = in[2 * i], y = in[2 * i + 1];
  // plain swap for a data-dependent number of turns
  unsigned a = x, b = y;
  for (unsigned k = 0; k < (x & 15) + 1; k++) {
    unsigned t = a;
    a = b;
    b = t;
  }
  // rotation of four values, only one of which changes
  unsigned p = x, q = y, r = x ^ y, s = x + y;
  for (unsigned k = 0; k < (y & 15) + 2; k++) {
    unsigned t = p;
    p = q;
    q = r;
    r = s;
    s = t + (k & 1);
  }
  // greatest common divisor: both phis are replaced by functions of the other
  unsigned u = (x & 0xffff) + 1, v = (y & 0xffff) + 1;
  while (v) {
    unsigned t = u % v;
    u = v;
    v = t;
  }
  // Fibonacci-like recurrence with a conditional swap
  unsigned f = 0, g = 1, h = 2;
  for (unsigned k = 0; k < (x >> 28) + 3; k++) {
    unsigned t = f + g;
    if ((y >> k) & 1) {
      f = g;
      g = h;
      h = t;
    } else {
      unsigned w = g;
      g = f;
      f = h;
      h = w;
    }
  }
  out[8 * i + 0] = a;
  out[8 * i + 1] = b;
  out[8 * i + 2] = p;
  out[8 * i + 3] = q ^ (r << 1);
  out[8 * i + 4] = s;
  out[8 * i + 5] = u;
  out[8 * i + 6] = f + 3 * g;
  out[8 * i + 7] = h;
}
