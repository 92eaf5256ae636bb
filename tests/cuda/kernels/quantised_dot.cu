// Rows of bytes, multiplied four at a time.
extern "C" __global__ void quantised_dot(const int *a, const int *b, int *y, int words) {
	int row = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
	for (int k = 0; k < words; k++)
		sum = __dp4a(a[row * words + k], b[k], sum);
	y[row] = sum;
}
