// One step of page ranks: what each page gives away is gathered by those it links to.
extern "C" __global__ void pagerank(const int *start, const int *source, const int *degree, const double *rank, double *next, int n, double damping) {
	int v = blockIdx.x * blockDim.x + threadIdx.x;
	if (v >= n)
		return;
	double sum = 0;
	for (int e = start[v]; e < start[v + 1]; e++)
		sum += rank[source[e]] / degree[source[e]];
	next[v] = (1 - damping) / n + damping * sum;
}
