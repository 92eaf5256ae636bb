// Edges of a picture of bytes.
extern "C" __global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	auto at = [=](int dx, int dy) { return (int)in[min(h - 1, max(0, y + dy)) * w + min(w - 1, max(0, x + dx))]; };
	int gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
	int gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
	out[y * w + x] = min(255, abs(gx) + abs(gy));
}
