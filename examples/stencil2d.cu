// stencil: nine-point, shared tile with halo loaded by a flattened loop, clamped edges

#define TX 16
#define TY 8

static __device__ __forceinline__ int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

extern "C" __global__ void stencil2d(const float *__restrict__ in, float *__restrict__ out, int w, int h,
                                     float wc, float we, float wd) {
  __shared__ float s[TY + 2][TX + 2];
  int x0 = blockIdx.x * TX, y0 = blockIdx.y * TY;
  for (int i = threadIdx.y * TX + threadIdx.x; i < (TX + 2) * (TY + 2); i += TX * TY) {
    int lx = i % (TX + 2), ly = i / (TX + 2);
    s[ly][lx] = in[clampi(y0 + ly - 1, 0, h - 1) * w + clampi(x0 + lx - 1, 0, w - 1)];
  }
  __syncthreads();
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (x >= w || y >= h) return;
  int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  float edge = s[ly - 1][lx] + s[ly + 1][lx] + s[ly][lx - 1] + s[ly][lx + 1];
  float diag = s[ly - 1][lx - 1] + s[ly - 1][lx + 1] + s[ly + 1][lx - 1] + s[ly + 1][lx + 1];
  out[y * w + x] = wc * s[ly][lx] + we * edge + wd * diag;
}
