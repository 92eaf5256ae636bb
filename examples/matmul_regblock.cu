// dense, register pressure: 64x64 tile by 64 threads, an 8x8 block of the result in registers

#define BM 64
#define BN 64
#define BK 8

extern "C" __global__ void __launch_bounds__(64) matmul_regblock(const float *__restrict__ a,
                                                                 const float *__restrict__ b,
                                                                 float *__restrict__ c, int m, int n, int k) {
  __shared__ float as[BK][BM], bs[BK][BN];
  int t = threadIdx.x, tx = t & 7, ty = t >> 3;
  int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float acc[8][8];
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) acc[i][j] = 0.0f;
  for (int k0 = 0; k0 < k; k0 += BK) {
    // a is row-major m x k: thread t loads the 8 elements of row t of the tile
    const float4 *ap = (const float4 *)(a + (row0 + t) * k + k0);
    float4 a0 = ap[0], a1 = ap[1];
    const float4 *bp = (const float4 *)(b + (k0 + ty) * n + col0 + tx * 8);
    float4 b0 = bp[0], b1 = bp[1];
    as[0][t] = a0.x; as[1][t] = a0.y; as[2][t] = a0.z; as[3][t] = a0.w;
    as[4][t] = a1.x; as[5][t] = a1.y; as[6][t] = a1.z; as[7][t] = a1.w;
    *(float4 *)&bs[ty][tx * 8] = b0;
    *(float4 *)&bs[ty][tx * 8 + 4] = b1;
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; kk++) {
      float ar[8], br[8];
#pragma unroll
      for (int i = 0; i < 8; i++) ar[i] = as[kk][ty * 8 + i];
#pragma unroll
      for (int j = 0; j < 8; j++) br[j] = bs[kk][tx * 8 + j];
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) acc[i][j] += ar[i] * br[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; i++) {
    float4 *cp = (float4 *)(c + (row0 + ty * 8 + i) * n + col0 + tx * 8);
    cp[0] = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
    cp[1] = make_float4(acc[i][4], acc[i][5], acc[i][6], acc[i][7]);
  }
}
