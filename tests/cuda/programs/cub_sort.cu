// CUB's device-wide radix sort, selection, runs and histogram.
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <map>

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

int main()
{
	const int n = 5000;
	std::vector<unsigned> keys(n);
	std::vector<int> values(n);
	Random random(2);
	for (int i = 0; i < n; i++)
		keys[i] = random.next() % 700, values[i] = i;
	unsigned *in = on_device(keys), *out = on_device<unsigned>(n);
	int *vin = on_device(values), *vout = on_device<int>(n), *count = on_device<int>(n + 1);
	with_memory([&](void *m, size_t &s) { return cub::DeviceRadixSort::SortPairs(m, s, in, out, vin, vout, n); });
	std::vector<unsigned> k = on_host(out, n);
	std::vector<int> v = on_host(vout, n), order(values);
	std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
	for (int i = 0; i < n; i++)
		EXPECT(v[i] == order[i] && k[i] == keys[order[i]]);
	unsigned *unique = on_device<unsigned>(n);
	with_memory([&](void *m, size_t &s) { return cub::DeviceRunLengthEncode::Encode(m, s, out, unique, vout, count, n); });
	int runs = on_host(count, 1)[0];
	std::map<unsigned, int> expected;
	for (unsigned x : keys)
		expected[x]++;
	EXPECT(runs == (int)expected.size());
	std::vector<unsigned> u = on_host(unique, runs);
	std::vector<int> lengths = on_host(vout, runs);
	for (int i = 0; i < runs; i++)
		EXPECT(lengths[i] == expected[u[i]]);
	with_memory([&](void *m, size_t &s) { return cub::DeviceRadixSort::SortKeysDescending(m, s, in, out, n); });
	k = on_host(out, n);
	EXPECT(std::is_sorted(k.rbegin(), k.rend()));
	with_memory([&](void *m, size_t &s) {
		return cub::DeviceSelect::If(m, s, in, out, count, n, [] __device__(unsigned x) { return x % 7 == 0; });
	});
	int selected = on_host(count, 1)[0];
	k = on_host(out, selected);
	size_t i = 0;
	for (unsigned x : keys)
		if (x % 7 == 0)
			EXPECT(i < k.size() && k[i++] == x);
	EXPECT(i == k.size());
	int *bins = on_device<int>(10);
	with_memory([&](void *m, size_t &s) { return cub::DeviceHistogram::HistogramEven(m, s, in, bins, 11, 0u, 700u, n); });
	std::vector<int> b = on_host(bins, 10), counted(10);
	for (unsigned x : keys)
		counted[x / 70]++;
	EXPECT(b == counted);
	return done();
}
