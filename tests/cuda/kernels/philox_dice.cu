// Dice: Philox gives each throw its own counter, so that the throws do not depend on how many threads there are.
#include <curand_kernel.h>
extern "C" __global__ void philox_dice(unsigned long long seed, unsigned *faces, int throws) {
	__shared__ unsigned count[6];
	if (threadIdx.x < 6)
		count[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < throws; i += gridDim.x * blockDim.x) {
		curandStatePhilox4_32_10_t state;
		curand_init(seed, i, 0, &state);
		atomicAdd(&count[__umulhi(curand(&state), 6)], 1);
	}
	__syncthreads();
	if (threadIdx.x < 6)
		atomicAdd(&faces[threadIdx.x], count[threadIdx.x]);
}
