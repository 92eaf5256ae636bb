// What goes wrong is reported where CUDA reports it: at once, at the next synchronisation, or until the device is reset.
// err: kernel '_Z5storePii'.*out-of-bounds: 4-byte write at 0x10.*misaligned
#include "check.h"
#include <string>

__global__ void store(int *p, int v) { *p = v; }
__global__ void __launch_bounds__(64) small(int *p) { *p = threadIdx.x; }

int main()
{
	int *p = on_device<int>(4), n = 0, host;
	store<<<1, 2000>>>(p, 1);
	EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
	EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
	store<<<0, 32>>>(p, 1);
	EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
	store<<<1, 32, 1 << 20>>>(p, 1);
	EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
	small<<<1, 65>>>(p);
	EXPECT(cudaGetLastError() != cudaSuccess);
	GIVES(cudaErrorInvalidDevice, cudaSetDevice(99));
	GIVES(cudaErrorInvalidValue, cudaFree((void *)16));
	GIVES(cudaErrorInvalidValue, cudaMemcpy(p, &host, 17, cudaMemcpyHostToDevice));
	GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, &host, 4, (cudaMemcpyKind)9));
	GIVES(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 45));
	GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)&host));
	GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol((const void *)&host, &n, 4));
	cudaFuncAttributes a;
	GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, (const void *)&host));
	CHECK(cudaFuncGetAttributes(&a, small));
	EXPECT(a.maxThreadsPerBlock == 64);
	EXPECT(std::string(cudaGetErrorName(cudaErrorNoDevice)) == "cudaErrorNoDevice");

	store<<<1, 1>>>((int *)16, 1); // is given to the device without an error
	EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
	EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
	EXPECT(cudaMalloc(&p, 16) == cudaErrorIllegalAddress); // and so on, until
	CHECK(cudaDeviceReset());
	cudaGetLastError(); // what was remembered before
	p = on_device<int>(4);
	store<<<1, 1>>>(p, 5);
	LAUNCHED();
	EXPECT(on_host(p, 1)[0] == 5);
	store<<<1, 1>>>((int *)((char *)p + 2), 1);
	EXPECT(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
	CHECK(cudaDeviceReset());
	return done();
}
