// CUB's device-wide reductions and scans.
#include "check.h"
#include <cub/cub.cuh>

// Calls it twice, as CUB wants: for the size of its memory, then with it.
template <class F> static void with_memory(F call)
{
	size_t size = 0;
	void *memory;
	CHECK(call(nullptr, size));
	CHECK(cudaMalloc(&memory, size));
	CHECK(call(memory, size));
	LAUNCHED();
	CHECK(cudaFree(memory));
}

struct Longest {
	__host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

int main()
{
	const int n = 7777;
	std::vector<int> v(n);
	Random random(1);
	for (int &x : v)
		x = (int)(random.next() % 2001) - 1000;
	int *in = on_device(v), *out = on_device<int>(n);
	long long expected = 0;
	int least = v[0], at = 0;
	for (int i = 0; i < n; i++) {
		expected += v[i];
		if (v[i] > v[at])
			at = i;
		least = std::min(least, v[i]);
	}
	with_memory([&](void *m, size_t &s) { return cub::DeviceReduce::Sum(m, s, in, out, n); });
	EXPECT(on_host(out, 1)[0] == expected);
	with_memory([&](void *m, size_t &s) { return cub::DeviceReduce::Min(m, s, in, out, n); });
	EXPECT(on_host(out, 1)[0] == least);
	with_memory([&](void *m, size_t &s) { return cub::DeviceReduce::Reduce(m, s, in, out, n, Longest(), -5000); });
	EXPECT(on_host(out, 1)[0] == v[at]);
	with_memory([&](void *m, size_t &s) { return cub::DeviceScan::InclusiveSum(m, s, in, out, n); });
	std::vector<int> r = on_host(out, n);
	int sum = 0;
	for (int i = 0; i < n; i++)
		EXPECT(r[i] == (sum += v[i]));
	with_memory([&](void *m, size_t &s) { return cub::DeviceScan::ExclusiveScan(m, s, in, out, Longest(), -2000, n); });
	r = on_host(out, n);
	int longest = -2000;
	for (int i = 0; i < n; i++) {
		EXPECT(r[i] == longest);
		longest = std::max(longest, v[i]);
	}
	return done();
}
