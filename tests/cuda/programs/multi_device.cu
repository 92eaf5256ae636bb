// Two devices: memory and variables of each, copies between them, and kernels that read each other's memory.
// env: PTXSCOPE_DEVICES=2
#include "check.h"

__device__ int own = 1;

__global__ void set(int v) { own = v; }
__global__ void take(int *to, const int *from, int n)
{
	if (threadIdx.x < n)
		to[threadIdx.x] = from[threadIdx.x] + own;
}

int main()
{
	int n = 0, can = 0, v;
	CHECK(cudaGetDeviceCount(&n));
	EXPECT(n == 2);
	cudaDeviceProp a, b;
	CHECK(cudaGetDeviceProperties(&a, 0));
	CHECK(cudaGetDeviceProperties(&b, 1));
	EXPECT(a.major == 9 && a.warpSize == 32 && a.maxThreadsPerBlock == 1024 && a.pciBusID != b.pciBusID && a.totalGlobalMem > 0);
	int *on[2];
	for (int d = 0; d < 2; d++) {
		CHECK(cudaSetDevice(d));
		on[d] = on_device(std::vector<int>(16, 100 * (d + 1)));
		set<<<1, 1>>>(10 + d);
		LAUNCHED();
	}
	for (int d = 0; d < 2; d++) {
		CHECK(cudaSetDevice(d));
		CHECK(cudaMemcpyFromSymbol(&v, own, sizeof v));
		EXPECT(v == 10 + d);
	}
	CHECK(cudaMemcpyPeer(on[1], 1, on[0], 0, 8 * sizeof(int)));
	std::vector<int> r = on_host(on[1], 16);
	EXPECT(r[7] == 100 && r[8] == 200);
	cudaPointerAttributes where;
	CHECK(cudaPointerGetAttributes(&where, on[1]));
	EXPECT(where.device == 1);
	CHECK(cudaDeviceCanAccessPeer(&can, 1, 0));
	EXPECT(can);
	CHECK(cudaDeviceEnablePeerAccess(0, 0));
	GIVES(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(0, 0));
	take<<<1, 16>>>(on[1], on[0], 16);
	LAUNCHED();
	EXPECT(on_host(on[1], 16)[15] == 111);
	CHECK(cudaDeviceDisablePeerAccess(0));
	GIVES(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaSetDevice(0));
	int current, of_stream;
	CHECK(cudaGetDevice(&current));
	CHECK(cudaFree(on[0]));
	CHECK(cudaSetDevice(1));
	CHECK(cudaStreamGetDevice(s, &of_stream));
	EXPECT(current == 0 && of_stream == 1);
	return done();
}
