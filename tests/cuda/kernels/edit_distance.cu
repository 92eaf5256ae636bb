// Levenshtein's distance along diagonals, whose cells do not depend on each other.
extern "C" __global__ void edit_distance(const char *a, int n, const char *b, int m, int *result) {
	__shared__ int line[3][65];
	int i = threadIdx.x;
	for (int d = 0; d <= n + m; d++) {
		int *now = line[d % 3], *one = line[(d + 2) % 3], *two = line[(d + 1) % 3], j = d - i;
		if (i <= n && j >= 0 && j <= m)
			now[i] = i == 0 ? j : j == 0 ? i : min(min(one[i - 1], one[i]) + 1, two[i - 1] + (a[i - 1] != b[j - 1]));
		__syncthreads();
	}
	if (i == n)
		*result = line[(n + m) % 3][n];
}
