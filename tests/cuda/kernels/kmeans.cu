// Points find the nearest of four centres, which move to the middle of theirs.
extern "C" __global__ void kmeans(const float2 *point, float2 *centre, int *nearest, int rounds) {
	__shared__ float sum[4][3];
	int i = threadIdx.x;
	for (int r = 0; r < rounds; r++) {
		if (i < 12)
			sum[i / 3][i % 3] = 0;
		__syncthreads();
		int best = 0;
		float least = 1e30f;
		for (int c = 0; c < 4; c++) {
			float dx = point[i].x - centre[c].x, dy = point[i].y - centre[c].y, d = dx * dx + dy * dy;
			if (d < least)
				least = d, best = c;
		}
		nearest[i] = best;
		atomicAdd(&sum[best][0], point[i].x);
		atomicAdd(&sum[best][1], point[i].y);
		atomicAdd(&sum[best][2], 1);
		__syncthreads();
		if (i < 4 && sum[i][2] > 0)
			centre[i] = make_float2(sum[i][0] / sum[i][2], sum[i][1] / sum[i][2]);
		__syncthreads();
	}
}
