// shared and global atomics: byte histogram, four bytes per load

extern "C" __global__ void histogram(const unsigned *__restrict__ words, int nwords, unsigned *bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nwords; i += gridDim.x * blockDim.x) {
    unsigned w = words[i];
    atomicAdd(&local[w & 255], 1u);
    atomicAdd(&local[(w >> 8) & 255], 1u);
    atomicAdd(&local[(w >> 16) & 255], 1u);
    atomicAdd(&local[w >> 24], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i]) atomicAdd(&bins[i], local[i]);
}
