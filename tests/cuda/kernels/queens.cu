// How many ways eight queens stand on a board: each thread tries the places of the first three.
__device__ int place(unsigned columns, unsigned left, unsigned right, int rows) {
	if (rows == 0)
		return 1;
	int ways = 0;
	for (unsigned free = ~(columns | left | right) & 255; free; free &= free - 1) {
		unsigned bit = free & -free;
		ways += place(columns | bit, (left | bit) << 1, (right | bit) >> 1, rows - 1);
	}
	return ways;
}
extern "C" __global__ void queens(unsigned *ways) {
	unsigned columns = 0, left = 0, right = 0, t = blockIdx.x * blockDim.x + threadIdx.x;
	for (int row = 0; row < 3; row++, t /= 8) {
		unsigned bit = 1u << t % 8;
		if ((columns | left | right) & bit)
			return;
		columns |= bit;
		left = (left | bit) << 1;
		right = (right | bit) >> 1;
	}
	atomicAdd(ways, place(columns, left, right, 5));
}
