// Each warp sorts 32 pairs of key and value in registers.
extern "C" __global__ void warp_bitonic(unsigned *keys, float *values) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, key = keys[i];
	float value = values[i];
	for (unsigned size = 2; size <= 32; size *= 2)
		for (unsigned by = size / 2; by; by /= 2) {
			unsigned other = __shfl_xor_sync(~0u, key, by);
			float other_value = __shfl_xor_sync(~0u, value, by);
			bool up = (lane & size) == 0, low = (lane & by) == 0;
			if (low == up ? other < key : other > key) {
				key = other;
				value = other_value;
			}
		}
	keys[i] = key;
	values[i] = value;
}
