// exit: 3
// A kernel that runs over the end of its memory: the launch succeeds, what waits for it fails, and all that follows.
#include <cstdio>

__global__ void fill(int *x, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		x[i] = i;
}

int main() {
	int *x, *y;
	cudaMalloc(&x, 100 * sizeof(int));
	fill<<<1, 128>>>(x, 100);
	printf("launch: %s\n", cudaGetErrorString(cudaGetLastError()));
	cudaError_t error = cudaDeviceSynchronize();
	printf("synchronize: %s (%d)\n", cudaGetErrorString(error), (int)error);
	printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&y, 4)));
	printf("last: %s, and again: %s\n", cudaGetErrorName(cudaGetLastError()), cudaGetErrorName(cudaPeekAtLastError()));
	return error == cudaErrorIllegalAddress ? 3 : 0;
}
