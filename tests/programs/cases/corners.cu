// What can go wrong in host code, a case by its name.
#include <algorithm>
#include <cuda_bf16.h>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <vector>

__global__ void forever(volatile int *x) {
	while (*x == 0)
		;
}
__global__ void trouble(int *x, int what) {
	if (what == 0)
		assert(threadIdx.x < 3);
	else if (what == 1)
		*(double *)((char *)x + 4) = 1;
	else
		__trap();
}

static void fault(int what) {
	int *x;
	cudaMalloc(&x, 64);
	trouble<<<1, 8>>>(x, what);
	printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	cudaDeviceReset();
	printf("%s\n", cudaGetErrorName(cudaMalloc(&x, 64)));
}

struct Case {
	const char *name;
	int (*run)();
} static const cases[] = {
	{"reads device memory", [] { int *x; cudaMalloc(&x, 4); printf("before\n"); return *x; }},
	{"aborts", [] { printf("before "); abort(); return 0; }},
	{"asserts", [] { assert(2 + 2 == 5); return 0; }},
	{"throws", [] { try { std::vector<int>(3).at(7) = 1; } catch (const std::out_of_range &) { return 4; } return 0; }},
	{"opens a file", [] { return fopen("data.txt", "r") ? 0 : 5; }},
	{"reads input", [] { char line[80]; while (fgets(line, sizeof line, stdin)) printf("<%.*s>", (int)strlen(line) - 1, line); return 0; }},
	{"never ends on the device", [] { int *x; cudaMalloc(&x, 4); forever<<<1, 1>>>(x); printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize())); return 0; }},
	{"asserts on the device", [] { fault(0); return 0; }},
	{"is misaligned", [] { fault(1); return 0; }},
	{"traps", [] { fault(2); return 0; }},
	{"asks for the time", [] { printf("%d %d %s\n", (int)time(nullptr), rand() == rand(), getenv("HOME") ? "home" : "no environment"); return 0; }},
	{"measures itself", [] { clock_t begin = clock(); int *x; cudaMalloc(&x, 4); printf("%d %g %g %d %d\n", clock() >= begin, rsqrtf(4.0f), cospi(1.0), max(3, 4), (int)min(2.5f, 7.0f)); return 0; }},
	{"rounds to bfloat16", [] {
		for (float x : {1.0f, 1.00390625f, 1.01171875f, -3.4e38f, 1e-40f, NAN})
			printf("%04x ", __bfloat16_as_ushort(__float2bfloat16(x)));
		printf("%g\n", __bfloat162float(__hfma(__float2bfloat16(3.0f), __float2bfloat16(0.5f), __float2bfloat16(1.0f))));
		return 0;
	}},
	{"has a large stack", [] { volatile float all[1500000]; all[0] = 1; all[1499999] = 2; printf("%g\n", all[0] + all[1499999]); return 0; }},
	{"leaks", [] { for (;;) { int *x; if (cudaMalloc(&x, 100 << 20) != cudaSuccess) break; } printf("%s\n", cudaGetErrorName(cudaGetLastError())); return 0; }},
	{"exhausts the host", [] { std::vector<void *> all; void *p; while ((p = malloc(64 << 20))) all.push_back(p); printf("%d MiB\n", (int)all.size() * 64); return 0; }},
};

int main(int argc, char **argv) {
	for (const Case &c : cases)
		if (argc > 1 && !strcmp(c.name, argv[1]))
			return c.run();
	return 99;
}
