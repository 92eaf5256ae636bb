// graph: all-pairs shortest paths of a 32-vertex graph in one block, with predecessor tracking

#define N 32

extern "C" __global__ void floyd_warshall(int *dist, int *via) {
  __shared__ int d[N][N];
  __shared__ short p[N][N];
  int j = threadIdx.x;
  for (int i = threadIdx.y; i < N; i += blockDim.y) {
    int v = dist[i * N + j];
    d[i][j] = i == j ? 0 : v > 700 ? 1000000 : v;
    p[i][j] = -1;
  }
  for (int k = 0; k < N; k++) {
    __syncthreads();
    for (int i = threadIdx.y; i < N; i += blockDim.y) {
      int t = d[i][k] + d[k][j];
      if (t < d[i][j]) {
        d[i][j] = t;
        p[i][j] = (short)k;
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.y; i < N; i += blockDim.y) {
    dist[i * N + j] = d[i][j];
    via[i * N + j] = p[i][j];
  }
}
