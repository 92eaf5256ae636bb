// One generation on a torus, one byte a cell.
extern "C" __global__ void game_of_life(const unsigned char *now, unsigned char *next, int w, int h) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	int around = 0;
#pragma unroll
	for (int dy = -1; dy <= 1; dy++)
#pragma unroll
		for (int dx = -1; dx <= 1; dx++)
			if (dx || dy)
				around += now[(y + dy + h) % h * w + (x + dx + w) % w];
	next[y * w + x] = around == 3 || (around == 2 && now[y * w + x]);
}
