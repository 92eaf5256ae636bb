// A program with a mistake that compiles, launches and is not seen in the kernel's own code at first sight: run it, and follow the report
// to its line. The stencil reads one element on each side, and somebody forgot the ends.
#include <cstdio>

__global__ void smooth(const float *in, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float before = in[i - 1];
		float after = in[i + 1];
		out[i] = 0.25f * before + 0.5f * in[i] + 0.25f * after;
	}
}

int main() {
	const int n = 1000;
	float host[n], *in, *out;
	for (int i = 0; i < n; i++)
		host[i] = (float)(i % 10);
	cudaMalloc(&in, sizeof host);
	cudaMalloc(&out, sizeof host);
	cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
	smooth<<<(n + 127) / 128, 128>>>(in, out, n);
	std::printf("launch: %s\n", cudaGetErrorString(cudaGetLastError()));
	cudaError_t error = cudaDeviceSynchronize();
	std::printf("synchronize: %s\n", cudaGetErrorString(error));
	if (error != cudaSuccess)
		return 1;
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	std::printf("host[500] = %g\n", host[500]);
	return 0;
}
