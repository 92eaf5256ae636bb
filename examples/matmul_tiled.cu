// dense: 16x16 shared tiles with ragged edges, alpha and beta

#define T 16

extern "C" __global__ void matmul_tiled(const float *__restrict__ a, const float *__restrict__ b,
                                        float *__restrict__ c, int m, int n, int k, float alpha, float beta) {
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int p = 0; p < (k + T - 1) / T; p++) {
    int ka = p * T + tx, kb = p * T + ty;
    as[ty][tx] = (row < m && ka < k) ? a[row * k + ka] : 0.0f;
    bs[ty][tx] = (kb < k && col < n) ? b[kb * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; i++) acc += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = alpha * acc + beta * c[row * n + col];
}
