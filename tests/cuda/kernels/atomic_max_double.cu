// What the hardware lacks is made of compare and swap.
__device__ double atomic_max(double *at, double v) {
	unsigned long long *word = (unsigned long long *)at, old = *word, seen;
	do {
		seen = old;
		if (__longlong_as_double((long long)seen) >= v)
			break;
		old = atomicCAS(word, seen, (unsigned long long)__double_as_longlong(v));
	} while (old != seen);
	return __longlong_as_double((long long)old);
}
extern "C" __global__ void atomic_max_double(const double *x, double *most, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomic_max(&most[i % 4], x[i]);
}
