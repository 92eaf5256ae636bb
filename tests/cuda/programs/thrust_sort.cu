// Thrust: sorts, runs of equal keys, searches and sets.
#include "check.h"
#include <algorithm>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/functional.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

struct Pair {
	int key;
	float value;
};
struct ByKey {
	__host__ __device__ bool operator()(const Pair &a, const Pair &b) const { return a.key < b.key; }
};

int main()
{
	const int n = 2500;
	std::vector<int> keys(n);
	Random random(3);
	for (int &k : keys)
		k = (int)(random.next() % 400) - 200;
	thrust::device_vector<int> k(keys.begin(), keys.end()), order(n);
	for (int i = 0; i < 1; i++)
		thrust::sort(k.begin(), k.end());
	std::vector<int> sorted = keys, got(n);
	std::sort(sorted.begin(), sorted.end());
	thrust::copy(k.begin(), k.end(), got.begin());
	EXPECT(got == sorted);
	thrust::sort(k.begin(), k.end(), thrust::greater<int>());
	thrust::copy(k.begin(), k.end(), got.begin());
	EXPECT(std::is_sorted(got.rbegin(), got.rend()));

	// A sort by comparison: structures have no radix.
	std::vector<Pair> pairs(600);
	for (size_t i = 0; i < pairs.size(); i++)
		pairs[i] = {keys[i] % 20, (float)i};
	thrust::device_vector<Pair> p(pairs.begin(), pairs.end());
	thrust::stable_sort(p.begin(), p.end(), ByKey());
	thrust::host_vector<Pair> hp = p;
	std::stable_sort(pairs.begin(), pairs.end(), ByKey());
	for (size_t i = 0; i < pairs.size(); i++)
		EXPECT(hp[i].key == pairs[i].key && hp[i].value == pairs[i].value);

	thrust::device_vector<int> s(sorted.begin(), sorted.end()), ones(n, 1), unique(n), counts(n);
	auto end = thrust::reduce_by_key(s.begin(), s.end(), ones.begin(), unique.begin(), counts.begin());
	int groups = (int)(end.first - unique.begin());
	EXPECT(thrust::reduce(counts.begin(), counts.begin() + groups) == n);
	auto last = thrust::unique(s.begin(), s.end());
	EXPECT(last - s.begin() == groups);
	thrust::host_vector<int> hu(s.begin(), last);
	thrust::device_vector<int> ask(3), where(3);
	ask[0] = hu[0], ask[1] = hu[groups / 2], ask[2] = 5000;
	thrust::lower_bound(s.begin(), last, ask.begin(), ask.end(), where.begin());
	EXPECT(where[0] == 0 && where[1] == groups / 2 && where[2] == groups);
	thrust::device_vector<int> a(50), b(50), both(50);
	thrust::sequence(a.begin(), a.end(), 0);
	thrust::sequence(b.begin(), b.end(), 25);
	auto in_both = thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), both.begin());
	EXPECT(in_both - both.begin() == 25 && both[0] == 25);
	auto middle = thrust::stable_partition(a.begin(), a.end(), [] __host__ __device__(int x) { return x % 2 == 0; });
	EXPECT(middle - a.begin() == 25 && a[24] == 48 && a[25] == 1);
	return done();
}
