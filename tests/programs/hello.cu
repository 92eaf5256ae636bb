// What kernels print comes when the host waits for them, in the order of the launches, between what the host prints.
#include <cstdio>
#include <iostream>

__global__ void hello(const char *name, int launch) {
	printf("block %d, thread %d of launch %d%s%5.2f|%-4d|%x|%c|%lld|%zu\n", blockIdx.x, threadIdx.x, launch, ": ", 1.5 * threadIdx.x, 7, 255, 'x', 1LL << 40, sizeof(void *));
	if (threadIdx.x == 0 && name)
		printf("%s\n", name);
}

int main() {
	printf("host first\n");
	hello<<<2, 2>>>(nullptr, 1);
	std::cout << "launched, nothing to see" << std::endl;
	cudaDeviceSynchronize();
	printf("between");
	char *name;
	cudaMallocManaged(&name, 16);
	sprintf(name, "from %s", "the host");
	hello<<<1, 1>>>(name, 2);
	cudaDeviceSynchronize();
	std::cout << "last\n";
	hello<<<1, 1>>>(name, 3);
	return 0;
}
