// The Mandelbrot set in letters: a grid in two dimensions writes characters, the host prints the rows.
#include <cstdio>
#include <cstdlib>
#include <string>

struct View {
	double left, top, width, height;
};

__global__ void mandelbrot(char *out, int columns, int rows, View view, int most) {
	int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c >= columns || r >= rows)
		return;
	double x0 = view.left + view.width * c / columns, y0 = view.top - view.height * r / rows, x = 0, y = 0;
	int n = 0;
	for (; n < most && x * x + y * y < 4; n++) {
		double next = x * x - y * y + x0;
		y = 2 * x * y + y0;
		x = next;
	}
	out[r * columns + c] = n == most ? '#' : " .:-=+*%"[n * 8 / most];
}

int main(int argc, char **argv) {
	const int columns = 72, rows = 24, most = argc > 1 ? std::atoi(argv[1]) : 40;
	char *picture;
	cudaMallocManaged(&picture, columns * rows);
	dim3 block(16, 8), grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
	mandelbrot<<<grid, block>>>(picture, columns, rows, View{-2.2, 1.2, 3.2, 2.4}, most);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int r = 0; r < rows; r++)
		std::puts(std::string(picture + r * columns, columns).c_str());
	cudaFree(picture);
	return 0;
}
