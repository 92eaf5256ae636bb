// A blur along rows, then along columns, in one block with the rows in shared memory.
__constant__ float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
extern "C" __global__ void conv_separable(const float *in, float *out) {
	__shared__ float rows[16][16];
	int x = threadIdx.x, y = threadIdx.y;
	float sum = 0;
	for (int k = -2; k <= 2; k++)
		sum += weights[k + 2] * in[y * 16 + min(15, max(0, x + k))];
	rows[y][x] = sum;
	__syncthreads();
	sum = 0;
	for (int k = -2; k <= 2; k++)
		sum += weights[k + 2] * rows[min(15, max(0, y + k))][x];
	out[y * 16 + x] = sum;
}
