// Memory and variables that host and device share: a list built by the host and walked by a kernel.
#include "check.h"

struct Node {
	int value;
	Node *next;
};
__managed__ int counter = 3;
__managed__ Node *head;
__device__ __managed__ float table[4] = {1, 2, 3, 4};

__global__ void walk()
{
	for (Node *n = head; n; n = n->next) {
		n->value *= 2;
		counter++;
	}
	table[0] += table[3];
}

int main()
{
	Node *nodes;
	CHECK(cudaMallocManaged(&nodes, 10 * sizeof(Node)));
	EXPECT(counter == 3 && table[2] == 3);
	for (int i = 0; i < 10; i++)
		nodes[i] = {i, i < 9 ? &nodes[i + 1] : nullptr};
	head = nodes;
	walk<<<1, 1>>>();
	LAUNCHED();
	EXPECT(counter == 13 && table[0] == 5);
	for (int i = 0; i < 10; i++)
		EXPECT(nodes[i].value == 2 * i);
	cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
	CHECK(cudaMemAdvise(nodes, 10 * sizeof(Node), cudaMemAdviseSetReadMostly, here));
	CHECK(cudaMemPrefetchAsync(nodes, 10 * sizeof(Node), here, 0, 0));
	cudaPointerAttributes a;
	CHECK(cudaPointerGetAttributes(&a, nodes + 3));
	EXPECT(a.type == cudaMemoryTypeManaged && a.hostPointer == nodes + 3 && a.devicePointer == nodes + 3);
	CHECK(cudaPointerGetAttributes(&a, &counter));
	EXPECT(a.type == cudaMemoryTypeManaged);
	int local, *device = on_device<int>(1);
	CHECK(cudaPointerGetAttributes(&a, &local));
	EXPECT(a.type == cudaMemoryTypeUnregistered);
	CHECK(cudaPointerGetAttributes(&a, device));
	EXPECT(a.type == cudaMemoryTypeDevice && a.device == 0);
	counter = 8;
	CHECK(cudaMemcpyFromSymbol(&local, counter, sizeof local));
	EXPECT(local == 8);
	CHECK(cudaFree(nodes));
	return done();
}
