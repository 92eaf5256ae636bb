// malloc and free in kernels, new and delete, virtual functions, recursion, function pointers, printf.
#include "check.h"

struct Shape {
	__device__ virtual float area() const = 0;
	__device__ virtual ~Shape() {}
};
struct Square : Shape {
	float a;
	__device__ Square(float a) : a(a) {}
	__device__ float area() const override { return a * a; }
};
struct Circle : Shape {
	float r;
	__device__ Circle(float r) : r(r) {}
	__device__ float area() const override { return 3.0f * r * r; }
};

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
__device__ int (*const functions[2])(int) = {twice, thrice};

__global__ void run(float *areas, int *numbers)
{
	int i = threadIdx.x;
	Shape *s = i % 2 ? (Shape *)new Square((float)i) : (Shape *)new Circle((float)i);
	areas[i] = s->area();
	delete s;
	int *own = (int *)malloc((i + 1) * sizeof(int));
	for (int k = 0; k <= i; k++)
		own[k] = k;
	int sum = 0;
	for (int k = 0; k <= i; k++)
		sum += own[k];
	free(own);
	numbers[i] = functions[i % 2](sum) + fibonacci(i % 10);
	if (i == 3)
		printf("thread %d: %.2f %s %c %lld %x\n", i, areas[i], "text", 'c', 1ll << 40, 255u);
}

int main()
{
	const int n = 40;
	float *areas = on_device<float>(n);
	int *numbers = on_device<int>(n);
	CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
	run<<<1, n>>>(areas, numbers);
	LAUNCHED();
	std::vector<float> a = on_host(areas, n);
	std::vector<int> r = on_host(numbers, n);
	int fibonacci[10] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
	for (int i = 0; i < n; i++) {
		EXPECT(a[i] == (i % 2 ? 1.0f : 3.0f) * i * i);
		EXPECT(r[i] == (2 + i % 2) * (i * (i + 1) / 2) + fibonacci[i % 10]);
	}
	size_t heap;
	CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
	EXPECT(heap == 16 << 20);
	return done();
}
