// Seven points in space; planes wander through registers from bottom to top.
extern "C" __global__ void heat3d(const float *in, float *out, int n, float k) {
	int x = threadIdx.x + 1, y = threadIdx.y + 1;
	const int row = n, plane = n * n;
	float below = in[y * row + x], here = in[plane + y * row + x];
	for (int z = 1; z < n - 1; z++) {
		int i = z * plane + y * row + x;
		float above = in[i + plane];
		out[i] = here + k * (in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + below + above - 6 * here);
		below = here;
		here = above;
	}
}
