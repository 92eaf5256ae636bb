// Thrust: transform, reduce, scans, iterators that compute.
#include "check.h"
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

struct Square {
	__host__ __device__ double operator()(double x) const { return x * x; }
};
struct Axpy {
	float a;
	__host__ __device__ float operator()(thrust::tuple<float, float> t) const { return a * thrust::get<0>(t) + thrust::get<1>(t); }
};

int main()
{
	const int n = 3000;
	thrust::device_vector<int> v(n);
	thrust::sequence(v.begin(), v.end(), 1);
	EXPECT(thrust::reduce(v.begin(), v.end(), 0LL) == (long long)n * (n + 1) / 2);
	EXPECT(thrust::count_if(v.begin(), v.end(), [] __host__ __device__(int x) { return x % 3 == 0; }) == 1000);
	thrust::device_vector<double> d(v.begin(), v.end());
	double norm = std::sqrt(thrust::transform_reduce(d.begin(), d.end(), Square(), 0.0, thrust::plus<double>()));
	double expected = std::sqrt((double)n * (n + 1) * (2.0 * n + 1) / 6);
	EXPECT(std::fabs(norm - expected) < 1e-9 * expected);
	thrust::device_vector<float> x(n, 2.0f), y(n, 1.0f), z(n);
	thrust::transform(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin())),
	                  thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end())), z.begin(), Axpy{3.0f});
	thrust::host_vector<float> h = z;
	for (float f : h)
		EXPECT(f == 7.0f);
	thrust::device_vector<int> s(n);
	thrust::exclusive_scan(v.begin(), v.end(), s.begin());
	thrust::host_vector<int> hs = s;
	for (int i = 0; i < n; i++)
		EXPECT(hs[i] == i * (i + 1) / 2);
	EXPECT(thrust::inner_product(v.begin(), v.begin() + 10, v.begin(), 0) == 385);
	EXPECT(thrust::reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(100), 0, thrust::maximum<int>()) == 99);
	v[5] = -1;
	EXPECT(v[5] == -1 && thrust::reduce(v.begin(), v.end(), 0, thrust::minimum<int>()) == -1);
	return done();
}
