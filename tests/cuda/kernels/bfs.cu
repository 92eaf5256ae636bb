// Breadth first from vertex 0: one round of the block a level, the frontier as a flag per vertex.
extern "C" __global__ void bfs(const int *start, const int *edge, int *level, int n) {
	int v = threadIdx.x;
	level[v] = v == 0 ? 0 : -1;
	__syncthreads();
	for (int depth = 0;; depth++) {
		int found = 0;
		if (level[v] == depth)
			for (int e = start[v]; e < start[v + 1]; e++)
				found |= atomicCAS(&level[edge[e]], -1, depth + 1) == -1;
		if (!__syncthreads_or(found))
			break;
	}
}
