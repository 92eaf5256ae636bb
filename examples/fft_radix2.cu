// compute: 128-point radix-2 FFT per block, bit-reversed load, twiddles from a table

#define N 128
#define LOGN 7

extern "C" __global__ void fft_radix2(const float2 *__restrict__ in, float2 *__restrict__ out,
                                      const float2 *__restrict__ twiddle) {
  __shared__ float re[N], im[N];
  int t = threadIdx.x;
  for (int i = t; i < N; i += N / 2) {
    int r = __brev((unsigned)i) >> (32 - LOGN);
    float2 v = in[blockIdx.x * N + i];
    re[r] = v.x;
    im[r] = v.y;
  }
  __syncthreads();
  for (int s = 1; s <= LOGN; s++) {
    int half = 1 << (s - 1), k = t & (half - 1), i = ((t >> (s - 1)) << s) + k, j = i + half;
    float2 w = twiddle[k << (LOGN - s)];
    float xr = re[j] * w.x - im[j] * w.y, xi = re[j] * w.y + im[j] * w.x;
    float ur = re[i], ui = im[i];
    re[i] = ur + xr;
    im[i] = ui + xi;
    re[j] = ur - xr;
    im[j] = ui - xi;
    __syncthreads();
  }
  for (int i = t; i < N; i += N / 2) out[blockIdx.x * N + i] = make_float2(re[i], im[i]);
}
