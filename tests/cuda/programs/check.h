// What the programs of this folder share. Each is a whole program of CUDA's runtime or driver API that checks its own results and prints
// "done" where they hold; tests/tools/programs.mjs builds them with nvcc and runs them.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                       \
	do {                                                                                              \
		cudaError_t error_ = (call);                                                              \
		if (error_ != cudaSuccess) {                                                              \
			printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
			exit(1);                                                                          \
		}                                                                                         \
	} while (0)

// The call gives this error, which is then forgotten.
#define GIVES(expected, call)                                                                                                \
	do {                                                                                                                 \
		cudaError_t error_ = (call);                                                                                 \
		if (error_ != (expected)) {                                                                                  \
			printf("%s:%d: %s is %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(error_), #expected); \
			exit(1);                                                                                             \
		}                                                                                                            \
		cudaGetLastError();                                                                                          \
	} while (0)

#define EXPECT(condition)                                                          \
	do {                                                                       \
		if (!(condition)) {                                                \
			printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                   \
		}                                                                  \
	} while (0)

// The kernels that were launched have ended well.
#define LAUNCHED()                              \
	do {                                    \
		CHECK(cudaGetLastError());      \
		CHECK(cudaDeviceSynchronize()); \
	} while (0)

inline int done()
{
	puts("done");
	return 0;
}

// Device memory with the contents of a vector.
template <class T> T *on_device(const std::vector<T> &v)
{
	T *p;
	CHECK(cudaMalloc(&p, v.size() * sizeof(T)));
	CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
	return p;
}

template <class T> T *on_device(size_t n)
{
	T *p;
	CHECK(cudaMalloc(&p, n * sizeof(T)));
	CHECK(cudaMemset(p, 0, n * sizeof(T)));
	return p;
}

template <class T> std::vector<T> on_host(const T *p, size_t n)
{
	std::vector<T> v(n);
	CHECK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
	return v;
}

// The same numbers on every host.
struct Random {
	uint64_t state;
	explicit Random(uint64_t seed) : state(seed) {}
	uint32_t next()
	{
		state = state * 6364136223846793005u + 1442695040888963407u;
		return (uint32_t)(state >> 33);
	}
	float unit() { return (float)(next() & 0xffffff) / 16777216.0f; }
};
