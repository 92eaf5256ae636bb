// exit: 9
// Calls that are wrong return an error, which cudaGetLastError gives once.
#include <cstdio>
#include <cstdlib>

static void said(const char *what, cudaError_t error) { printf("%-22s %s\n", what, cudaGetErrorName(error)); }

int main() {
	int h[4] = {}, *d, *huge, count, value;
	cudaMalloc(&d, sizeof h);
	said("copy from the host", cudaMemcpy(d, d, 16, cudaMemcpyHostToDevice));
	said("copy too much", cudaMemcpy(d, h, 100, cudaMemcpyHostToDevice));
	said("copy of no kind", cudaMemcpy(d, h, 16, (cudaMemcpyKind)9));
	said("copy by default", cudaMemcpy(d, h, 16, cudaMemcpyDefault));
	said("free within", cudaFree(d + 1));
	said("free of the host", cudaFree(h));
	said("free of nothing", cudaFree(nullptr));
	said("too much memory", cudaMalloc(&huge, 3u << 30));
	said("last", cudaGetLastError());
	said("and now", cudaGetLastError());
	said("device 7", cudaSetDevice(7));
	said("no attribute", cudaDeviceGetAttribute(&value, (cudaDeviceAttr)5000, 0));
	said("no event", cudaEventRecord((cudaEvent_t)1234));
	said("no stream", cudaStreamSynchronize((cudaStream_t)1234));
	cudaGetDeviceCount(&count);
	printf("%d device, \"%s\", \"%s\"\n", count, cudaGetErrorString(cudaErrorInvalidValue), cudaGetErrorString((cudaError_t)4711));
	cudaDeviceProp properties;
	cudaGetDeviceProperties(&properties, 0);
	printf("warps of %d, blocks of %d, grids of %d x %d\n", properties.warpSize, properties.maxThreadsPerBlock, properties.maxGridSize[0], properties.maxGridSize[1]);
	exit(9);
}
