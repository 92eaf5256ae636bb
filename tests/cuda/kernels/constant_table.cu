// Polynomials whose coefficients are constants, chosen per thread.
struct Row { float c[4]; };
__constant__ Row rows[3] = {{{1, 2, 3, 4}}, {{0.5f, 0, -1, 0}}, {{0, 0, 0, 1}}};
extern "C" __global__ void constant_table(const float *x, float *y) {
	int i = threadIdx.x;
	const Row &r = rows[i % 3];
	float sum = 0;
#pragma unroll
	for (int k = 3; k >= 0; k--)
		sum = __fmaf_rn(sum, x[i], r.c[k]);
	y[i] = sum;
}
