// Launches that cannot be: each is an error at once, nothing runs, and the next launch is as good as ever.
#include <cstdio>

__global__ void touch(int *x) { x[blockIdx.x] = 1 + threadIdx.x; }
__global__ void __launch_bounds__(64) narrow(int *x) { x[0] = 7; }
__global__ void large(int *x) {
	extern __shared__ int memory[];
	memory[threadIdx.x] = threadIdx.x;
	__syncthreads();
	x[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

static void say(const char *what) { printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError())); }

int main() {
	int *x, h[32] = {};
	cudaMalloc(&x, sizeof h);
	cudaMemset(x, 0, sizeof h);
	touch<<<1, 2048>>>(x);
	say("2048 threads");
	touch<<<0, 32>>>(x);
	say("no blocks");
	touch<<<dim3(1, 70000), 32>>>(x);
	say("70000 rows");
	narrow<<<1, 128>>>(x);
	say("beyond its bounds");
	large<<<1, 32, 100 << 10>>>(x);
	say("100 KiB of shared memory");
	cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
	printf("x[0] = %d\n", h[0]);
	large<<<1, 32, 40 << 10>>>(x);
	cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
	say("40 KiB");
	printf("x[0] = %d\n", h[0]);
	printf("60 KiB by attribute: %s\n", cudaGetErrorName(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 << 10)));
	large<<<1, 32, 60 << 10>>>(x);
	say("60 KiB");
	return cudaDeviceSynchronize();
}
