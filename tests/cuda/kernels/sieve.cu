// Primes by the sieve of Eratosthenes, a bit a number.
extern "C" __global__ void sieve(unsigned *bits, unsigned *count, int n) {
	for (int i = threadIdx.x; i < n / 32; i += blockDim.x)
		bits[i] = i == 0 ? ~3u : ~0u;
	__syncthreads();
	for (int p = 2; p * p < n; p++) {
		if (bits[p / 32] >> p % 32 & 1)
			for (int k = p * p + (int)threadIdx.x * p; k < n; k += blockDim.x * p)
				atomicAnd(&bits[k / 32], ~(1u << k % 32));
		__syncthreads();
	}
	unsigned mine = 0;
	for (int i = threadIdx.x; i < n / 32; i += blockDim.x)
		mine += __popc(bits[i]);
	atomicAdd(count, mine);
}
