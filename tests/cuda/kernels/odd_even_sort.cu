// Neighbours change places, at even and at odd positions in turn, until nobody has to.
extern "C" __global__ void odd_even_sort(short *x, int *rounds, int n) {
	int count = 0;
	for (int done = 0; !done; count++) {
		int swapped = 0;
		for (int phase = 0; phase < 2; phase++) {
			int i = 2 * threadIdx.x + phase;
			if (i + 1 < n && x[i] > x[i + 1]) {
				short t = x[i];
				x[i] = x[i + 1];
				x[i + 1] = t;
				swapped = 1;
			}
			__syncthreads();
		}
		done = !__syncthreads_or(swapped);
	}
	if (threadIdx.x == 0)
		*rounds = count;
}
