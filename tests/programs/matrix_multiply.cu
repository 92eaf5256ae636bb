// C = A B by tiles in shared memory, compared with the host's result.
#include <cstdio>
#include <cstdlib>
#include <cmath>

constexpr int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner, int columns) {
	__shared__ float ta[TILE][TILE], tb[TILE][TILE];
	int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	float sum = 0;
	for (int at = 0; at < inner; at += TILE) {
		ta[threadIdx.y][threadIdx.x] = row < rows && at + threadIdx.x < inner ? a[row * inner + at + threadIdx.x] : 0;
		tb[threadIdx.y][threadIdx.x] = at + threadIdx.y < inner && column < columns ? b[(at + threadIdx.y) * columns + column] : 0;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
		__syncthreads();
	}
	if (row < rows && column < columns)
		c[row * columns + column] = sum;
}

static float *filled(int n, unsigned seed) {
	float *p = (float *)std::malloc(n * sizeof(float));
	for (int i = 0; i < n; i++) {
		seed = seed * 1664525u + 1013904223u;
		p[i] = (float)(seed >> 24) / 256.0f - 0.5f;
	}
	return p;
}

int main() {
	const int rows = 70, inner = 45, columns = 100;
	float *a = filled(rows * inner, 1), *b = filled(inner * columns, 2), *c = (float *)std::calloc(rows * columns, sizeof(float));
	float *da, *db, *dc;
	cudaMalloc(&da, rows * inner * sizeof(float));
	cudaMalloc(&db, inner * columns * sizeof(float));
	cudaMalloc(&dc, rows * columns * sizeof(float));
	cudaMemcpy(da, a, rows * inner * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(db, b, inner * columns * sizeof(float), cudaMemcpyHostToDevice);
	dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
	multiply<<<grid, block>>>(da, db, dc, rows, inner, columns);
	cudaMemcpy(c, dc, rows * columns * sizeof(float), cudaMemcpyDeviceToHost);
	double worst = 0;
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++) {
			double sum = 0;
			for (int k = 0; k < inner; k++)
				sum += (double)a[i * inner + k] * b[k * columns + j];
			worst = std::fmax(worst, std::fabs(sum - c[i * columns + j]));
		}
	std::printf("grid %u x %u, %s\n", grid.x, grid.y, worst < 1e-5 ? "PASS" : "FAIL");
	return worst < 1e-5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
