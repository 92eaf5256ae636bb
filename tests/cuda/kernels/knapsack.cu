// Dynamic programming over weights: two rows in turn.
extern "C" __global__ void knapsack(const int *weight, const int *value, int items, int *best) {
	__shared__ int row[2][257];
	int w = threadIdx.x;
	row[0][w] = 0;
	__syncthreads();
	for (int k = 0; k < items; k++) {
		int *from = row[k % 2], *to = row[(k + 1) % 2], v = from[w];
		if (w >= weight[k])
			v = max(v, from[w - weight[k]] + value[k]);
		to[w] = v;
		__syncthreads();
	}
	best[w] = row[items % 2][w];
}
