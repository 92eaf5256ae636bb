// Sums of blocks in shared memory, then of the sums, with every call checked.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                    \
	do {                                                                                           \
		cudaError_t status = (call);                                                           \
		if (status != cudaSuccess) {                                                           \
			std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
			std::exit(1);                                                                  \
		}                                                                                      \
	} while (0)

template <unsigned size> __global__ void sum(const int *in, int *out, int n) {
	__shared__ int part[size];
	int t = threadIdx.x, i = blockIdx.x * size * 2 + t;
	part[t] = (i < n ? in[i] : 0) + (i + size < n ? in[i + size] : 0);
	__syncthreads();
	for (unsigned half = size / 2; half > 32; half >>= 1) {
		if (t < half)
			part[t] += part[t + half];
		__syncthreads();
	}
	if (t < 32) {
		int value = part[t] + part[t + 32];
		for (int offset = 16; offset > 0; offset /= 2)
			value += __shfl_down_sync(0xffffffff, value, offset);
		if (t == 0)
			out[blockIdx.x] = value;
	}
}

int main() {
	const int n = 100000, size = 256;
	int *host = new int[n], expected = 0;
	for (int i = 0; i < n; i++)
		expected += host[i] = i % 97 - 48;
	int *in, *out;
	CHECK(cudaMalloc(&in, n * sizeof(int)));
	CHECK(cudaMalloc(&out, n * sizeof(int)));
	CHECK(cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice));
	int left = n, rounds = 0;
	while (left > 1) {
		int blocks = (left + 2 * size - 1) / (2 * size);
		sum<size><<<blocks, size>>>(in, out, left);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(in, out, blocks * sizeof(int), cudaMemcpyDeviceToDevice));
		left = blocks;
		rounds++;
	}
	int result;
	CHECK(cudaMemcpy(&result, in, sizeof result, cudaMemcpyDeviceToHost));
	std::printf("%d rounds, sum %d, expected %d\n", rounds, result, expected);
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
	delete[] host;
	return result != expected;
}
