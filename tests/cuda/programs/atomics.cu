// Atomic operations of every kind, on global and on shared memory.
#include "check.h"

__device__ double add_by_cas(double *p, double v)
{
	unsigned long long *bits = (unsigned long long *)p, old = *bits, seen;
	do {
		seen = old;
		old = atomicCAS(bits, seen, __double_as_longlong(v + __longlong_as_double((long long)seen)));
	} while (seen != old);
	return __longlong_as_double((long long)old);
}

struct All {
	int sum, least, most, ones, bits, flips, last;
	unsigned wrapped, counted;
	unsigned long long wide;
	float f;
	double d, by_cas;
	int shared;
};

__global__ void run(All *a)
{
	__shared__ int own;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		own = 0;
	__syncthreads();
	atomicAdd(&a->sum, i);
	atomicMin(&a->least, 1000 - i);
	atomicMax(&a->most, i);
	atomicAnd(&a->ones, ~(1 << i % 31));
	atomicOr(&a->bits, 1 << i % 20);
	atomicXor(&a->flips, i);
	atomicExch(&a->last, 77);
	atomicInc(&a->wrapped, 9);
	atomicDec(&a->counted, 100);
	atomicAdd(&a->wide, 1ull << 33);
	atomicAdd(&a->f, 0.5f);
	atomicAdd(&a->d, 0.25);
	add_by_cas(&a->by_cas, 1.5);
	atomicAdd_block(&own, 1);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd_system(&a->shared, own);
}

__global__ void order(unsigned *next, unsigned *ticket)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	ticket[atomicAdd(next, 1u)] = i;
}

int main()
{
	All start = {}, r;
	start.least = 5000, start.ones = -1, start.counted = 5;
	All *a = on_device(std::vector<All>{start});
	run<<<8, 96>>>(a);
	LAUNCHED();
	r = on_host(a, 1)[0];
	const int n = 8 * 96;
	int flips = 0;
	unsigned wrapped = 0, counted = 5;
	for (int i = 0; i < n; i++) {
		flips ^= i;
		wrapped = wrapped >= 9 ? 0 : wrapped + 1;
		counted = counted == 0 || counted > 100 ? 100 : counted - 1;
	}
	EXPECT(r.sum == n * (n - 1) / 2 && r.least == 1000 - (n - 1) && r.most == n - 1);
	EXPECT(r.ones == (int)0x80000000 && r.bits == 0xfffff && r.flips == flips && r.last == 77);
	EXPECT(r.wrapped == wrapped && r.counted == counted && r.wide == (unsigned long long)n << 33);
	EXPECT(r.f == 0.5f * n && r.d == 0.25 * n && r.by_cas == 1.5 * n && r.shared == n);
	unsigned *next = on_device<unsigned>(1), *ticket = on_device<unsigned>(n);
	order<<<8, 96>>>(next, ticket);
	LAUNCHED();
	std::vector<unsigned> t = on_host(ticket, n);
	std::vector<bool> had(n);
	for (unsigned v : t) {
		EXPECT(v < (unsigned)n && !had[v]);
		had[v] = true;
	}
	return done();
}
