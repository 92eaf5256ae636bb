// Entries in any order: each adds its product to its row.
extern "C" __global__ void spmv_coo(const int2 *place, const double *value, const double *x, double *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(&y[place[i].x], value[i] * x[place[i].y]);
}
