// sparse: CSR matrix-vector product, eight lanes per row, sub-warp shuffles

extern "C" __global__ void spmv_csr(int rows, const int *__restrict__ rowptr, const int *__restrict__ col,
                                    const float *__restrict__ val, const float *__restrict__ x,
                                    float *__restrict__ y, float alpha, float beta) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x, row = tid >> 3, lane = tid & 7;
  float acc = 0.0f;
  if (row < rows) {
    int e = rowptr[row + 1];
    for (int i = rowptr[row] + lane; i < e; i += 8) acc += val[i] * __ldg(&x[col[i]]);
  }
  acc += __shfl_xor_sync(0xffffffffu, acc, 4, 8);
  acc += __shfl_xor_sync(0xffffffffu, acc, 2, 8);
  acc += __shfl_xor_sync(0xffffffffu, acc, 1, 8);
  if (row < rows && lane == 0) y[row] = alpha * acc + beta * y[row];
}
