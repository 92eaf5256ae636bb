// Points in the unit square by cuRAND's XORWOW; those within the circle are counted.
#include <curand_kernel.h>
extern "C" __global__ void pi_xorwow(unsigned long long seed, int points, unsigned *inside) {
	curandState state;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	curand_init(seed, i, 0, &state);
	unsigned n = 0;
	for (int k = 0; k < points; k++) {
		float x = curand_uniform(&state), y = curand_uniform(&state);
		n += x * x + y * y <= 1;
	}
	inside[i] = n;
}
