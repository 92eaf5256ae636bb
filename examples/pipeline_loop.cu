// loops: software-pipelined global loads into double-buffered shared tiles, plus a recurrence loop with
// independent loads ahead of use

#define B 64

extern "C" __global__ void pipeline_loop(const float *__restrict__ in, const float *__restrict__ coef,
                                         float *__restrict__ out, int tiles, float decay) {
  __shared__ float tile[2][B];
  int t = threadIdx.x;
  const float *src = in + blockIdx.x * tiles * B;
  float next = src[t], acc = 0.0f;
  for (int k = 0; k < tiles; k++) {
    tile[k & 1][t] = next;
    if (k + 1 < tiles) next = src[(k + 1) * B + t]; // prefetch while the tile is used
    __syncthreads();
    float s = 0.0f;
#pragma unroll 8
    for (int j = 0; j < 16; j++) s += tile[k & 1][(t + j * 4) & (B - 1)] * coef[j];
    acc = acc * decay + s;
  }
  // first-order recurrence: the load of the next step does not depend on the current one
  float a0 = coef[0], a1 = coef[1], y = acc;
#pragma unroll 1
  for (int k = 0; k < tiles * 2; k++) {
    float c = a0;
    a0 = a1;
    a1 = coef[(k + 2) & 15];
    y = y * 0.5f + c;
  }
  out[(blockIdx.x * B + t) * 2] = acc;
  out[(blockIdx.x * B + t) * 2 + 1] = y;
}
