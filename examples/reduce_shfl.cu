// reduction: grid-stride accumulation of float4, warp shuffles, one shared slot per warp

static __device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}

extern "C" __global__ void reduce_shfl(const float4 *__restrict__ in, float *__restrict__ out, int n4) {
  __shared__ float part[32];
  float acc = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
    float4 v = in[i];
    acc += (v.x + v.y) + (v.z + v.w);
  }
  acc = warp_sum(acc);
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) part[warp] = acc;
  __syncthreads();
  if (warp == 0) {
    acc = lane < (int)(blockDim.x >> 5) ? part[lane] : 0.0f;
    acc = warp_sum(acc);
    if (lane == 0) out[blockIdx.x] = acc;
  }
}
