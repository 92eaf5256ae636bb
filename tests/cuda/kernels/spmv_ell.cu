// A sparse matrix of at most K entries a row, stored by columns so that neighbours read neighbours.
extern "C" __global__ void spmv_ell(const int *column, const float *value, const float *x, float *y, int rows, int k) {
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	if (r >= rows)
		return;
	float sum = 0;
	for (int j = 0; j < k; j++) {
		int c = column[j * rows + r];
		if (c >= 0)
			sum = __fadd_rn(sum, __fmul_rn(value[j * rows + r], __ldg(&x[c])));
	}
	y[r] = sum;
}
