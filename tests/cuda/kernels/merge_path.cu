// Two sorted lists become one: each thread finds its part by bisecting a diagonal.
extern "C" __global__ void merge_path(const int *a, int na, const int *b, int nb, int *out) {
	const int each = 4;
	int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * each;
	if (diagonal >= na + nb)
		return;
	int low = max(0, diagonal - nb), high = min(diagonal, na);
	while (low < high) {
		int middle = (low + high) / 2;
		if (a[middle] <= b[diagonal - 1 - middle])
			low = middle + 1;
		else
			high = middle;
	}
	int i = low, j = diagonal - low;
	for (int k = 0; k < each && diagonal + k < na + nb; k++)
		out[diagonal + k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}
