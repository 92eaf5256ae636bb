// cuRAND's device generators: moments of their distributions, and subsequences that skipping reaches.
#include "check.h"
#include <curand_kernel.h>

template <class State> __global__ void draw(float *uniform, float *normal, unsigned *bits, int n)
{
	State s;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	curand_init(1234ull, (unsigned long long)i, 0ull, &s);
	for (int k = 0; k < n; k++) {
		uniform[i * n + k] = curand_uniform(&s);
		normal[i * n + k] = curand_normal(&s);
	}
	bits[i] = curand(&s);
}

__global__ void skip(unsigned *out)
{
	curandStatePhilox4_32_10_t a, b;
	curandState c, d;
	curand_init(99, 5, 0, &a);
	curand_init(99, 5, 7, &b);
	curand_init(99, 5, 0, &c);
	curand_init(99, 5, 0, &d);
	skipahead(7ull, &a);
	skipahead(100ull, &c);
	for (int i = 0; i < 100; i++)
		curand(&d);
	out[0] = curand(&a) == curand(&b);
	out[1] = curand(&c) == curand(&d);
	out[2] = curand_poisson(&c, 4.0) < 40;
	double2 n = curand_normal2_double(&d);
	out[3] = n.x == n.x && n.y == n.y;
}

template <class State> static void check(int threads, int n)
{
	float *u = on_device<float>(threads * n), *v = on_device<float>(threads * n);
	unsigned *b = on_device<unsigned>(threads);
	draw<State><<<threads / 64, 64>>>(u, v, b, n);
	LAUNCHED();
	std::vector<float> uniform = on_host(u, threads * n), normal = on_host(v, threads * n);
	std::vector<unsigned> bits = on_host(b, threads);
	double mean = 0, squares = 0, normal_mean = 0, normal_squares = 0;
	for (int i = 0; i < threads * n; i++) {
		EXPECT(uniform[i] > 0 && uniform[i] <= 1);
		mean += uniform[i], squares += uniform[i] * uniform[i];
		normal_mean += normal[i], normal_squares += normal[i] * normal[i];
	}
	double m = threads * n;
	EXPECT(std::fabs(mean / m - 0.5) < 0.02 && std::fabs(squares / m - 1 / 3.0) < 0.02);
	EXPECT(std::fabs(normal_mean / m) < 0.05 && std::fabs(normal_squares / m - 1) < 0.06);
	for (int i = 1; i < threads; i++)
		EXPECT(bits[i] != bits[i - 1]);
}

int main()
{
	check<curandStatePhilox4_32_10_t>(128, 40);
	check<curandStateXORWOW_t>(64, 60);
	check<curandStateMRG32k3a_t>(64, 60);
	unsigned *out = on_device<unsigned>(4);
	skip<<<1, 1>>>(out);
	LAUNCHED();
	std::vector<unsigned> r = on_host(out, 4);
	EXPECT(r[0] && r[1] && r[2] && r[3]);
	return done();
}
