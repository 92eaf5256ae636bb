// compute, divergent loop: escape-time iteration with explicitly rounded operations (exact counts)

extern "C" __global__ void mandelbrot(int *__restrict__ iters, int w, int h, float x0, float y0, float dx, float dy,
                                      int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  float cx = __fmaf_rn((float)px, dx, x0), cy = __fmaf_rn((float)py, dy, y0);
  float zx = 0.0f, zy = 0.0f;
  int it = 0;
  while (it < limit) {
    float x2 = __fmul_rn(zx, zx), y2 = __fmul_rn(zy, zy);
    if (__fadd_rn(x2, y2) > 4.0f) break;
    zy = __fmaf_rn(__fadd_rn(zx, zx), zy, cy);
    zx = __fadd_rn(__fsub_rn(x2, y2), cx);
    it++;
  }
  iters[py * w + px] = it;
}
