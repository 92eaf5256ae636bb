// Gauss's elimination with the largest pivot of a column.
extern "C" __global__ void lu_decomposition(double *a, int *pivot, int n) {
	__shared__ int row;
	int t = threadIdx.x;
	for (int k = 0; k < n; k++) {
		if (t == 0) {
			row = k;
			for (int i = k + 1; i < n; i++)
				if (fabs(a[i * n + k]) > fabs(a[row * n + k]))
					row = i;
			pivot[k] = row;
		}
		__syncthreads();
		if (row != k && t < n) {
			double v = a[k * n + t];
			a[k * n + t] = a[row * n + t];
			a[row * n + t] = v;
		}
		__syncthreads();
		if (t > k && t < n) {
			double f = a[t * n + k] = __ddiv_rn(a[t * n + k], a[k * n + k]);
			for (int j = k + 1; j < n; j++)
				a[t * n + j] = __dsub_rn(a[t * n + j], __dmul_rn(f, a[k * n + j]));
		}
		__syncthreads();
	}
}
