// Managed variables are the same on every device, and in what one device computes after another one; memory of several devices.
// env: PTXSCOPE_DEVICES=3
#include "check.h"

__managed__ int counter = 5;
__managed__ int *place;
__device__ __managed__ float table[3] = {1, 2, 3};
__device__ int own = 7; // each device has its own

__global__ void step(int *seen)
{
	*place += 10;
	table[1] *= 2;
	own++;
	*seen = own;
}

int main()
{
	int devices, *seen;
	CHECK(cudaGetDeviceCount(&devices));
	EXPECT(devices == 3);
	CHECK(cudaMallocManaged(&seen, sizeof *seen));
	place = &counter;
	for (int d = 0; d < devices; d++) {
		CHECK(cudaSetDevice(d));
		step<<<1, 1>>>(seen);
		LAUNCHED();
		EXPECT(counter == 15 + 10 * d && table[1] == 4 << d && *seen == 8);
		void *p;
		CHECK(cudaGetSymbolAddress(&p, counter));
		EXPECT(p == &counter);
		counter += 0; // the host may write it at any time
	}
	cudaPointerAttributes a;
	CHECK(cudaPointerGetAttributes(&a, &counter));
	EXPECT(a.type == cudaMemoryTypeManaged);
	GIVES(cudaErrorInvalidValue, cudaFree(&counter));
	// The device that had it first is gone; the variable is not.
	CHECK(cudaSetDevice(0));
	CHECK(cudaDeviceReset());
	EXPECT(counter == 35);
	CHECK(cudaSetDevice(1));
	int *more;
	CHECK(cudaMallocManaged(&more, sizeof *more));
	step<<<1, 1>>>(more);
	LAUNCHED();
	EXPECT(counter == 45 && *more == 9);
	CHECK(cudaSetDevice(0));
	step<<<1, 1>>>(more);
	LAUNCHED();
	EXPECT(counter == 55 && *more == 8);
	return done();
}
