// Vector arithmetic, timed by events.
#include "check.h"

__global__ void saxpy(int n, float a, const float *x, float *y)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = a * x[i] + y[i];
}

int main()
{
	const int n = 10007;
	std::vector<float> x(n), y(n);
	for (int i = 0; i < n; i++)
		x[i] = (float)i, y[i] = 0.5f * i;
	float *dx = on_device(x), *dy = on_device(y), ms = -1;
	cudaEvent_t from, to;
	CHECK(cudaEventCreate(&from));
	CHECK(cudaEventCreate(&to));
	CHECK(cudaEventRecord(from));
	saxpy<<<dim3(7), dim3(128)>>>(n, 2.0f, dx, dy);
	CHECK(cudaEventRecord(to));
	CHECK(cudaEventSynchronize(to));
	CHECK(cudaEventElapsedTime(&ms, from, to));
	EXPECT(ms >= 0);
	std::vector<float> r = on_host(dy, n);
	for (int i = 0; i < n; i++)
		EXPECT(r[i] == std::fmaf(2.0f, x[i], y[i]));
	CHECK(cudaFree(dx));
	CHECK(cudaFree(dy));
	CHECK(cudaEventDestroy(from));
	CHECK(cudaEventDestroy(to));
	return done();
}
