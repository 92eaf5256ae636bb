// A value and where it is, in one word: the value's bits above, so that one atomic finds both. Of equals the first wins.
__device__ unsigned long long packed(float v, unsigned i) {
	unsigned bits = __float_as_uint(v);
	bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
	return (unsigned long long)bits << 32 | (0xffffffffu - i);
}
extern "C" __global__ void argmax(const float *x, unsigned long long *best, int n) {
	unsigned long long mine = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		mine = max(mine, packed(x[i], i));
	for (int by = 16; by; by /= 2)
		mine = max(mine, __shfl_xor_sync(~0u, mine, by));
	if (threadIdx.x % 32 == 0)
		atomicMax(best, mine);
}
