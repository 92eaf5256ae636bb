// Variables of the device and constants: copied to and from, by address and by template.
#include "check.h"

struct Params {
	float a[4];
	int n;
};
__constant__ Params params;
__constant__ int table[5] = {10, 20, 30, 40, 50};
__device__ double grid[3][4];
__device__ int counter = 7;
static __device__ float hidden;

__global__ void use(float *out, const int *constants)
{
	out[0] = params.a[2] * params.n + table[3];
	out[1] = (float)grid[1][2];
	out[2] = (float)atomicAdd(&counter, 5);
	out[3] = hidden + constants[4]; // a constant by its generic address
}

int main()
{
	Params host = {{1, 2, 3, 4}, 6};
	double rows[3][4] = {}, back[4];
	rows[1][2] = 2.5;
	void *at, *in_table;
	size_t size;
	float f = 0.25f, *out = on_device<float>(4);
	CHECK(cudaMemcpyToSymbol(params, &host, sizeof host));
	CHECK(cudaMemcpyToSymbol(grid, rows[1], sizeof rows[1], sizeof rows[0]));
	CHECK(cudaMemcpyToSymbolAsync(hidden, &f, sizeof f, 0, cudaMemcpyHostToDevice, 0));
	CHECK(cudaGetSymbolAddress(&in_table, table));
	use<<<1, 1>>>(out, (const int *)in_table);
	LAUNCHED();
	std::vector<float> r = on_host(out, 4);
	EXPECT(r[0] == 58 && r[1] == 2.5f && r[2] == 7 && r[3] == 50.25f);
	int n;
	CHECK(cudaMemcpyFromSymbol(&n, counter, sizeof n));
	EXPECT(n == 12);
	CHECK(cudaGetSymbolSize(&size, grid));
	EXPECT(size == sizeof grid);
	CHECK(cudaGetSymbolAddress(&at, grid));
	CHECK(cudaMemcpy(back, (char *)at + sizeof rows[0], sizeof back, cudaMemcpyDeviceToHost));
	EXPECT(back[2] == 2.5);
	GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(counter, &n, 4, 1));
	GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(&n, counter, 4, 0, cudaMemcpyHostToDevice));
	return done();
}
