// Structures with pointers as arguments, members that both sides call, templates, functors and function pointers.
#include <cstdio>
#include <string.h>

struct Matrix {
	float *at;
	int rows, columns;
	double scale;
	__host__ __device__ float &operator()(int r, int c) const { return at[r * columns + c]; }
};
struct Small {
	char letter;
	short number;
	long long wide;
	bool flag;
};
template <class T> struct Plus {
	__device__ T operator()(T a, T b) const { return a + b; }
};
struct Times {
	int by;
	__device__ int operator()(int a, int b) const { return (a + b) * by; }
};

__global__ void transpose(Matrix in, Matrix out) {
	int r = threadIdx.y, c = threadIdx.x;
	if (r < in.rows && c < in.columns)
		out(c, r) = in(r, c) * (float)in.scale;
}
template <class T, class F> __global__ void combine(T *x, int n, F f) {
	int i = threadIdx.x;
	if (i < n)
		x[i] = f(x[i], (T)i);
}
__global__ void echo(Small s, char c, bool b, unsigned short h, long long *out) {
	out[0] = s.letter, out[1] = s.number, out[2] = s.wide, out[3] = s.flag, out[4] = c, out[5] = b, out[6] = h, out[7] = sizeof(Small);
}
typedef int (*Operation)(int, int);
__device__ int difference(int a, int b) { return a - b; }
__device__ Operation chosen = difference;
__global__ void indirect(int *x) { x[threadIdx.x] = chosen(x[threadIdx.x], 3); }

int main() {
	float h[6] = {1, 2, 3, 4, 5, 6}, t[6];
	Matrix in = {0, 2, 3, 0.5}, out = {0, 3, 2, 1};
	cudaMalloc(&in.at, sizeof h);
	cudaMalloc(&out.at, sizeof h);
	cudaMemcpy(in.at, h, sizeof h, cudaMemcpyHostToDevice);
	transpose<<<1, dim3(4, 4)>>>(in, out);
	cudaMemcpy(t, out.at, sizeof t, cudaMemcpyDeviceToHost);
	Matrix host = out;
	host.at = t;
	printf("%g %g %g\n", host(0, 1), host(2, 0), host(2, 1));

	int x[4] = {10, 20, 30, 40}, *d;
	cudaMalloc(&d, sizeof x);
	cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
	combine<<<1, 4>>>(d, 4, Plus<int>());
	combine<<<1, 4>>>(d, 4, Times{10});
	indirect<<<1, 4>>>(d);
	cudaMemcpy(x, d, sizeof x, cudaMemcpyDeviceToHost);
	printf("%d %d %d %d\n", x[0], x[1], x[2], x[3]);

	long long *out8, e[8];
	cudaMalloc(&out8, sizeof e);
	echo<<<1, 1>>>(Small{'q', -5, 1LL << 50, true}, -1, true, 65535, out8);
	cudaMemcpy(e, out8, sizeof e, cudaMemcpyDeviceToHost);
	for (long long v : e)
		printf("%lld ", v);
	printf("%s\n", e[7] == sizeof(Small) ? "and both sides agree" : "and the sides differ");
	return 0;
}
