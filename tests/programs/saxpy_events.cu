// SAXPY, timed with events: the time is that of a model, so only its order is checked.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = fmaf(a, x[i], y[i]);
}

int main() {
	const int n = 1 << 16;
	std::vector<float> x(n, 1.0f), y(n, 2.0f);
	float *dx, *dy;
	cudaMalloc(&dx, n * sizeof(float));
	cudaMalloc(&dy, n * sizeof(float));
	cudaEvent_t start, stop;
	cudaEventCreate(&start);
	cudaEventCreate(&stop);
	cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
	cudaEventRecord(start);
	saxpy<<<32, 256>>>(n, 3.0f, dx, dy);
	cudaEventRecord(stop);
	float ms = -1;
	if (cudaEventElapsedTime(&ms, start, stop) == cudaErrorNotReady)
		std::printf("not ready yet\n");
	cudaEventSynchronize(stop);
	cudaEventElapsedTime(&ms, start, stop);
	cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
	float worst = 0;
	for (float v : y)
		worst = std::max(worst, std::abs(v - 5.0f));
	std::printf("max error: %f\n%s\n", worst, ms > 0 && ms < 10 ? "the kernel took some time" : "the time is wrong");
	cudaEventDestroy(start);
	cudaEventDestroy(stop);
	cudaFree(dx);
	cudaFree(dy);
	return 0;
}
