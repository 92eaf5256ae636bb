// The driver API with a kernel that NVRTC compiles while the program runs, and two texts that the linker joins.
// nvcc: -lnvrtc -lcuda
#include <cuda.h>
#include <nvrtc.h>
#include "check.h"
#include <cstring>
#include <string>

#define DRIVER(call)                                                                \
	do {                                                                        \
		CUresult r_ = (call);                                               \
		const char *name_ = "?";                                            \
		if (r_ != CUDA_SUCCESS) {                                           \
			cuGetErrorName(r_, &name_);                                 \
			printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_); \
			exit(1);                                                    \
		}                                                                   \
	} while (0)

static std::string compiled(const char *text, const char *architecture, bool separate)
{
	nvrtcProgram p;
	size_t n;
	const char *options[] = {architecture, "-rdc=true"};
	bool machine = strstr(architecture, "=sm_");
	EXPECT(nvrtcCreateProgram(&p, text, "text.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
	EXPECT(nvrtcCompileProgram(p, separate ? 2 : 1, options) == NVRTC_SUCCESS);
	EXPECT(nvrtcGetCUBINSize(p, &n) == NVRTC_SUCCESS && (n > 0) == machine); /* there is none for a virtual architecture */
	EXPECT(machine || nvrtcGetPTXSize(p, &n) == NVRTC_SUCCESS);
	std::string code(n, 0);
	EXPECT((machine ? nvrtcGetCUBIN : nvrtcGetPTX)(p, &code[0]) == NVRTC_SUCCESS);
	nvrtcDestroyProgram(&p);
	return code;
}

static const char real[] = "--gpu-architecture=sm_90", virtual_one[] = "--gpu-architecture=compute_90";
static const char whole[] = "extern \"C\" __global__ void polynomial(const double *x, double *y, int n)\n"
                            "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 3 * x[i] * x[i] - 2 * x[i] + 1; }\n";
static const char user[] = "extern __device__ int base; extern __device__ int square(int);\n"
                           "static __device__ int own(int x) { return x + 1; }\n"
                           "extern \"C\" __global__ void run(int *p) { p[threadIdx.x] = base + square(own(threadIdx.x)); }\n";
static const char library[] = "__device__ int base = 1000; static __device__ int own(int x) { return x * x; }\n"
                              "__device__ int square(int x) { return own(x); }\n";

int main()
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction f;
	DRIVER(cuInit(0));
	DRIVER(cuDeviceGet(&device, 0));
	DRIVER(cuDevicePrimaryCtxRetain(&context, device));
	DRIVER(cuCtxSetCurrent(context));
	int n = 300;
	std::vector<double> x(n);
	for (int i = 0; i < n; i++)
		x[i] = i * 0.5;
	double *dx = on_device(x);
	for (const std::string &image : {compiled(whole, virtual_one, false), compiled(whole, real, false)}) {
		DRIVER(cuModuleLoadData(&module, image.c_str()));
		DRIVER(cuModuleGetFunction(&f, module, "polynomial"));
		double *dy = on_device<double>(n);
		void *args[] = {&dx, &dy, &n};
		DRIVER(cuLaunchKernel(f, 3, 1, 1, 128, 1, 1, 0, nullptr, args, nullptr));
		DRIVER(cuCtxSynchronize());
		std::vector<double> y = on_host(dy, n);
		for (int i = 0; i < n; i++)
			EXPECT(y[i] == 3 * x[i] * x[i] - 2 * x[i] + 1);
		DRIVER(cuModuleUnload(module));
	}

	std::string a = compiled(user, virtual_one, true), b = compiled(library, real, true);
	CUlinkState link;
	void *image;
	size_t size;
	DRIVER(cuLinkCreate(0, nullptr, nullptr, &link));
	DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)a.c_str(), a.size() + 1, "user", 0, nullptr, nullptr));
	DRIVER(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, (void *)b.c_str(), b.size(), "library", 0, nullptr, nullptr));
	DRIVER(cuLinkComplete(link, &image, &size));
	DRIVER(cuModuleLoadData(&module, image));
	DRIVER(cuLinkDestroy(link));
	DRIVER(cuModuleGetFunction(&f, module, "run"));
	int *p = on_device<int>(32);
	void *one[] = {&p};
	DRIVER(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, nullptr, one, nullptr));
	DRIVER(cuCtxSynchronize());
	std::vector<int> r = on_host(p, 32);
	for (int i = 0; i < 32; i++)
		EXPECT(r[i] == 1000 + (i + 1) * (i + 1));
	return done();
}
