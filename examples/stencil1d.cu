// stencil: radius-3 with a shared halo

#define R 3
#define B 64

extern "C" __global__ void stencil1d(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[B + 2 * R];
  int g = blockIdx.x * B + threadIdx.x, l = threadIdx.x + R;
  s[l] = g < n ? in[g] : 0.0f;
  if (threadIdx.x < R) {
    int left = g - R, right = g + B;
    s[l - R] = left >= 0 ? in[left] : 0.0f;
    s[l + B] = right < n ? in[right] : 0.0f;
  }
  __syncthreads();
  if (g >= n) return;
  float acc = 0.0f;
#pragma unroll
  for (int d = -R; d <= R; d++) acc += s[l + d] * (1.0f / (float)(1 + (d < 0 ? -d : d)));
  out[g] = acc;
}
