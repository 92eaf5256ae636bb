// Several arrays share one piece of dynamic shared memory.
extern __shared__ __align__(16) unsigned char memory[];
extern "C" __global__ void dynamic_shared(const int *x, double *out, int n) {
	double *d = (double *)memory;
	int *i = (int *)(d + n);
	short *s = (short *)(i + n);
	int t = threadIdx.x;
	i[t] = x[t];
	s[t] = (short)(x[t] >> 2);
	__syncthreads();
	d[t] = i[n - 1 - t] * 0.5 + s[(t + 1) % n];
	__syncthreads();
	out[t] = d[t ^ 1];
}
