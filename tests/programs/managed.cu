// Memory that both sides see: managed by call, pinned and mapped, and a list whose nodes point at each other.
#include <cstdio>

struct Node {
	int value;
	Node *next;
};

__global__ void square(int *x, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] *= x[i];
}
__global__ void sum(const Node *list, int *result) {
	int total = 0;
	for (; list; list = list->next)
		total += list->value;
	*result = total;
}

int main() {
	const int n = 100;
	int *x;
	cudaMallocManaged(&x, n * sizeof(int));
	for (int i = 0; i < n; i++)
		x[i] = i;
	square<<<1, 128>>>(x, n);
	cudaDeviceSynchronize();
	printf("x[99] = %d\n", x[99]);

	Node *first = nullptr;
	for (int i = 1; i <= 10; i++) {
		Node *node;
		cudaMallocManaged(&node, sizeof(Node));
		*node = {i, first};
		first = node;
	}
	int *result, *seen;
	cudaHostAlloc(&result, sizeof(int), cudaHostAllocMapped);
	cudaHostGetDevicePointer(&seen, result, 0);
	sum<<<1, 1>>>(first, seen);
	cudaDeviceSynchronize();
	printf("the list has %d\n", *result);

	cudaPointerAttributes a, b, c;
	int local, *device;
	cudaMalloc(&device, 4);
	cudaPointerGetAttributes(&a, x);
	cudaPointerGetAttributes(&b, device);
	cudaPointerGetAttributes(&c, &local);
	printf("managed %d, device %d, neither %d\n", a.type == cudaMemoryTypeManaged, b.type == cudaMemoryTypeDevice, c.type == cudaMemoryTypeUnregistered);
	for (Node *node = first, *next; node; node = next) {
		next = node->next;
		cudaFree(node);
	}
	cudaFree(x);
	printf("freed twice: %s\n", cudaGetErrorName(cudaFree(x)));
	return 0;
}
