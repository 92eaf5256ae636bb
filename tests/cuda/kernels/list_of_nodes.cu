// A list grows at its head without a lock, and one thread walks it.
struct Node { int value; Node *next; };
__device__ Node *head;
extern "C" __global__ void list_of_nodes(const int *x, long long *result) {
	Node *node = (Node *)malloc(sizeof(Node));
	node->value = x[threadIdx.x];
	unsigned long long *at = (unsigned long long *)&head, seen = *(volatile unsigned long long *)at, old;
	do {
		old = seen;
		node->next = (Node *)old;
		__threadfence();
		seen = atomicCAS(at, old, (unsigned long long)node);
	} while (seen != old);
	__syncthreads();
	if (threadIdx.x == 0) {
		long long sum = 0, count = 0;
		for (Node *n = head; n;) {
			Node *next = n->next;
			sum += n->value;
			count++;
			free(n);
			n = next;
		}
		result[0] = sum;
		result[1] = count;
	}
}
