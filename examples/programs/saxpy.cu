// A whole program: host code and a kernel, as a CUDA textbook begins. "Run program" compiles both sides and runs them here.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, float a, const float *x, float *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * x[i] + y[i];
}

int main() {
	const int n = 1 << 16;
	std::vector<float> x(n, 1.0f), y(n, 2.0f);

	float *dx, *dy;
	cudaMalloc(&dx, n * sizeof(float));
	cudaMalloc(&dy, n * sizeof(float));
	cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);

	cudaEvent_t start, stop;
	cudaEventCreate(&start);
	cudaEventCreate(&stop);
	cudaEventRecord(start);
	saxpy<<<(n + 255) / 256, 256>>>(n, 3.0f, dx, dy);
	cudaEventRecord(stop);
	if (cudaError_t error = cudaEventSynchronize(stop)) {
		std::fprintf(stderr, "saxpy: %s\n", cudaGetErrorString(error));
		return 1;
	}

	cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
	float worst = 0.0f;
	for (float v : y)
		worst = std::max(worst, std::abs(v - 5.0f));
	float ms = 0.0f;
	cudaEventElapsedTime(&ms, start, stop);
	std::printf("%d elements, largest error %g\n", n, worst);
	std::printf("%.1f us by the model of time: %.0f GB/s\n", ms * 1e3, 3.0 * n * sizeof(float) / ms / 1e6);
	cudaFree(dx);
	cudaFree(dy);
	return 0;
}
