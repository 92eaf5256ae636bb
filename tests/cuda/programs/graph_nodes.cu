// A graph built node by node, changed, cloned, nested and launched.
#include "check.h"

__global__ void add(int *p, int by) { p[threadIdx.x] += by; }

static int seen;
static void CUDART_CB look(void *user) { seen = *(int *)user; }

int main()
{
	int *device = on_device<int>(32), host[32] = {}, by = 5;
	cudaGraph_t graph;
	cudaGraphNode_t fill, kernel, copy, look_at;
	cudaGraphExec_t exec;
	CHECK(cudaGraphCreate(&graph, 0));
	cudaMemsetParams zero = {};
	zero.dst = device, zero.elementSize = 4, zero.width = 32, zero.height = 1, zero.value = 3;
	CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
	void *args[] = {&device, &by};
	cudaKernelNodeParams k = {};
	k.func = (void *)add, k.gridDim = dim3(1), k.blockDim = dim3(32), k.kernelParams = args;
	CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &k));
	CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, device, sizeof host, cudaMemcpyDeviceToHost));
	cudaHostNodeParams h = {look, host + 31};
	CHECK(cudaGraphAddHostNode(&look_at, graph, &copy, 1, &h));
	cudaGraphNodeType type;
	CHECK(cudaGraphNodeGetType(kernel, &type));
	EXPECT(type == cudaGraphNodeTypeKernel);
	size_t n = 0, edges = 0;
	CHECK(cudaGraphGetRootNodes(graph, nullptr, &n));
	CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
	EXPECT(n == 1 && edges == 3);
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	by = 100; // was copied when the node was added
	CHECK(cudaGraphLaunch(exec, 0));
	CHECK(cudaDeviceSynchronize());
	EXPECT(seen == 8 && host[0] == 8);
	by = 50;
	CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
	CHECK(cudaGraphLaunch(exec, 0));
	CHECK(cudaDeviceSynchronize());
	EXPECT(seen == 53);
	CHECK(cudaGraphExecDestroy(exec));

	by = 7;
	CHECK(cudaGraphKernelNodeSetParams(kernel, &k));
	zero.value = 1;
	CHECK(cudaGraphMemsetNodeSetParams(fill, &zero));
	cudaGraph_t copied, outer;
	CHECK(cudaGraphClone(&copied, graph));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaGraphCreate(&outer, 0));
	cudaGraphNode_t first, second, end;
	CHECK(cudaGraphAddChildGraphNode(&first, outer, nullptr, 0, copied));
	CHECK(cudaGraphAddKernelNode(&second, outer, nullptr, 0, &k));
	CHECK(cudaGraphAddDependencies(outer, &first, &second, nullptr, 1));
	CHECK(cudaGraphAddEmptyNode(&end, outer, &second, 1));
	CHECK(cudaGraphInstantiate(&exec, outer, 0));
	CHECK(cudaGraphLaunch(exec, 0));
	CHECK(cudaDeviceSynchronize());
	EXPECT(seen == 8 && on_host(device, 32)[3] == 15);

	by = 20;
	CHECK(cudaGraphKernelNodeSetParams(second, &k));
	cudaGraphExecUpdateResultInfo updated;
	CHECK(cudaGraphExecUpdate(exec, outer, &updated));
	EXPECT(updated.result == cudaGraphExecUpdateSuccess);
	CHECK(cudaGraphLaunch(exec, 0));
	EXPECT(on_host(device, 32)[3] == 28);
	CHECK(cudaGraphAddEmptyNode(&end, outer, nullptr, 0));
	GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, outer, &updated));
	EXPECT(updated.result == cudaGraphExecUpdateErrorTopologyChanged);
	CHECK(cudaGraphDestroyNode(end));
	CHECK(cudaGraphExecUpdate(exec, outer, &updated));
	CHECK(cudaGraphAddDependencies(outer, &second, &first, nullptr, 1));
	GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, outer, 0)); // a cycle
	CHECK(cudaGraphDestroy(outer));
	CHECK(cudaGraphDestroy(copied));
	return done();
}
