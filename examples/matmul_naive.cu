// dense: one output element per thread

extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float acc = 0.0f;
  for (int i = 0; i < k; i++) acc += a[row * k + i] * b[i * n + col];
  c[row * n + col] = acc;
}
