// A program as NVIDIA documents them: its own header, its own compiler, the driver API. nvcc_driver FATBIN
#include <cuda.h>
#include <stdio.h>
#include <vector>

extern "C" __global__ void scale(float *p, float by) { p[threadIdx.x] *= by; }

extern "C" __global__ void histogram(const unsigned char *text, int n, unsigned *bins)
{
	__shared__ unsigned own[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		own[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&own[text[i]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		atomicAdd(&bins[i], own[i]);
	if (blockIdx.x == 0 && threadIdx.x == 0)
		printf("%d bytes in %d blocks\n", n, (int)gridDim.x);
}

#define CHECK(call) do { CUresult r = (call); if (r) { const char *s; cuGetErrorName(r, &s); printf("%s: %s\n", #call, s); return 1; } } while (0)

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction function;
	CUdeviceptr text, bins;
	CUstream stream;
	CUevent from, to;
	float ms;
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&context, device));
	CHECK(cuCtxSetCurrent(context));
	CHECK(cuModuleLoad(&module, argv[1]));
	CHECK(cuModuleGetFunction(&function, module, "histogram"));
	std::vector<unsigned char> bytes(10000);
	for (size_t i = 0; i < bytes.size(); i++)
		bytes[i] = (unsigned char)(i * i % 251);
	std::vector<unsigned> expected(256), counted(256);
	for (unsigned char b : bytes)
		expected[b]++;
	int n = (int)bytes.size();
	CHECK(cuMemAlloc(&text, bytes.size()));
	CHECK(cuMemAlloc(&bins, 256 * sizeof(unsigned)));
	CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	CHECK(cuEventCreate(&from, CU_EVENT_DEFAULT));
	CHECK(cuEventCreate(&to, CU_EVENT_DEFAULT));
	CHECK(cuMemsetD32Async(bins, 0, 256, stream));
	CHECK(cuMemcpyHtoDAsync(text, bytes.data(), bytes.size(), stream));
	CHECK(cuEventRecord(from, stream));
	void *arguments[] = {&text, &n, &bins};
	CUlaunchConfig config = {};
	config.gridDimX = 4, config.gridDimY = 1, config.gridDimZ = 1;
	config.blockDimX = 128, config.blockDimY = 1, config.blockDimZ = 1;
	config.hStream = stream;
	CHECK(cuLaunchKernelEx(&config, function, arguments, nullptr));
	CHECK(cuEventRecord(to, stream));
	CHECK(cuMemcpyDtoHAsync(counted.data(), bins, 256 * sizeof(unsigned), stream));
	CHECK(cuStreamSynchronize(stream));
	CHECK(cuEventElapsedTime(&ms, from, to));
	CUDA_MEMCPY2D copy = {};
	copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = bins, copy.srcPitch = 64;
	std::vector<unsigned> column(16);
	copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = column.data(), copy.dstPitch = 4;
	copy.WidthInBytes = 4, copy.Height = 16;
	CHECK(cuMemcpy2D(&copy));
	for (int i = 0; i < 16; i++)
		if (column[i] != expected[16 * i])
			return printf("column %d\n", i), 1;
	CUgraph graph;
	CUgraphExec exec;
	CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CHECK(cuLaunchKernel(function, 4, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
	CHECK(cuStreamEndCapture(stream, &graph));
	CHECK(cuGraphInstantiate(&exec, graph, 0));
	CHECK(cuGraphLaunch(exec, stream));
	std::vector<unsigned> twice(256);
	CHECK(cuMemcpyDtoH(twice.data(), bins, 256 * sizeof(unsigned)));
	for (int i = 0; i < 256; i++)
		if (counted[i] != expected[i] || twice[i] != 2 * expected[i])
			return printf("bin %d: %u, %u, not %u\n", i, counted[i], twice[i], expected[i]), 1;
	CHECK(cuModuleUnload(module));
	CHECK(cuDevicePrimaryCtxRelease(device));
	puts(ms >= 0 ? "done" : "time goes back");
	return 0;
}
