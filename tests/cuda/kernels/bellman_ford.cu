// Shortest distances by relaxing every edge until nothing changes.
struct Edge { int from, to; unsigned length; };
extern "C" __global__ void bellman_ford(const Edge *edges, int m, unsigned *distance) {
	for (int changed = 1; changed;) {
		changed = 0;
		for (int e = threadIdx.x; e < m; e += blockDim.x) {
			unsigned d = *(volatile unsigned *)&distance[edges[e].from];
			if (d != ~0u && atomicMin(&distance[edges[e].to], d + edges[e].length) > d + edges[e].length)
				changed = 1;
		}
		changed = __syncthreads_or(changed);
	}
}
