// Attributes of kernel nodes, copies to and from symbols that change, a changed child, and a graph as text.
#include "check.h"

__device__ int word = 1, other = 2;

__global__ void add(int *p, int by) { atomicAdd(p, by); }

static cudaGraphNode_t add_kernel(cudaGraph_t g, const cudaGraphNode_t *after, int *p, int by)
{
	cudaGraphNode_t n;
	void *args[] = {&p, &by};
	cudaKernelNodeParams k = {(void *)add, dim3(4), dim3(1), 0, args, nullptr};
	CHECK(cudaGraphAddKernelNode(&n, g, after, after != nullptr, &k));
	return n;
}

static void attributes(int *p)
{
	cudaGraph_t g;
	cudaGraphExec_t x;
	CHECK(cudaGraphCreate(&g, 0));
	cudaGraphNode_t a = add_kernel(g, nullptr, p, 1), b = add_kernel(g, &a, p, 10);
	cudaLaunchAttributeValue v = {}, back = {};
	v.clusterDim.x = 2, v.clusterDim.y = v.clusterDim.z = 1;
	CHECK(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeClusterDimension, &v));
	v = {};
	v.priority = -1;
	CHECK(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
	CHECK(cudaGraphKernelNodeCopyAttributes(b, a));
	CHECK(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributeClusterDimension, &back));
	EXPECT(back.clusterDim.x == 2 && back.clusterDim.z == 1);
	CHECK(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributePriority, &back));
	EXPECT(back.priority == -1);
	*p = 0;
	CHECK(cudaGraphInstantiate(&x, g, 0));
	CHECK(cudaGraphLaunch(x, 0));
	CHECK(cudaDeviceSynchronize());
	EXPECT(*p == 44);
	EXPECT(cudaGraphDebugDotPrint(g, "/nowhere/x.dot", 0) == cudaErrorOperatingSystem);
	CHECK(cudaGraphDebugDotPrint(g, "/dev/null", cudaGraphDebugDotFlagsVerbose));
	CHECK(cudaGraphExecDestroy(x));
	CHECK(cudaGraphDestroy(g));
}

static void symbols(int *p)
{
	cudaGraph_t g;
	cudaGraphExec_t x;
	cudaGraphNode_t to, from;
	int three = 3, four = 4, got = 0, more = 0;
	CHECK(cudaGraphCreate(&g, 0));
	CHECK(cudaGraphAddMemcpyNodeToSymbol(&to, g, nullptr, 0, word, &three, sizeof(int), 0, cudaMemcpyHostToDevice));
	CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from, g, &to, 1, &got, word, sizeof(int), 0, cudaMemcpyDeviceToHost));
	cudaMemcpy3DParms c;
	CHECK(cudaGraphMemcpyNodeGetParams(to, &c));
	void *where;
	CHECK(cudaGetSymbolAddress(&where, word));
	EXPECT(c.srcPtr.ptr == &three && c.dstPtr.ptr == where && c.extent.width == 4 && c.kind == cudaMemcpyHostToDevice);
	CHECK(cudaGraphMemcpyNodeSetParams(to, &c)); // as it was
	CHECK(cudaGraphInstantiate(&x, g, 0));
	CHECK(cudaGraphLaunch(x, 0));
	EXPECT(got == 3);
	CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(x, to, other, &four, sizeof(int), 0, cudaMemcpyHostToDevice));
	CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, from, &more, other, sizeof(int), 0, cudaMemcpyDeviceToHost));
	CHECK(cudaGraphLaunch(x, 0));
	EXPECT(got == 3 && more == 4);
	CHECK(cudaGraphExecDestroy(x));
	CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(to, other, &three, sizeof(int), 0, cudaMemcpyHostToDevice));
	CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(from, &more, other, sizeof(int), 0, cudaMemcpyDeviceToHost));
	CHECK(cudaGraphInstantiate(&x, g, 0));
	CHECK(cudaGraphLaunch(x, 0));
	EXPECT(more == 3);
	EXPECT(cudaGraphMemcpyNodeSetParamsToSymbol(to, other, &three, 2 * sizeof(int), 0, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
	EXPECT(cudaGraphMemcpyNodeSetParamsToSymbol(to, &three, &three, sizeof(int), 0, cudaMemcpyHostToDevice) == cudaErrorInvalidSymbol);
	(void)p;
	CHECK(cudaGraphExecDestroy(x));
	CHECK(cudaGraphDestroy(g));
}

static void arrays()
{
	cudaArray_t array;
	cudaChannelFormatDesc d = cudaCreateChannelDesc<float2>();
	cudaGraph_t g;
	cudaGraphNode_t n;
	float texels[6] = {0, 1, 2, 3, 4, 5};
	CHECK(cudaMallocArray(&array, &d, 8, 2));
	CHECK(cudaGraphCreate(&g, 0));
	cudaMemcpy3DParms c = {}, back;
	c.srcPtr = make_cudaPitchedPtr(texels, 24, 3, 1);
	c.dstArray = array;
	c.dstPos = make_cudaPos(2, 1, 0);
	c.extent = make_cudaExtent(3, 1, 1);
	c.kind = cudaMemcpyHostToDevice;
	CHECK(cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &c));
	CHECK(cudaGraphMemcpyNodeGetParams(n, &back));
	EXPECT(back.dstArray == array && !back.dstPtr.ptr && !back.srcArray && back.srcPtr.ptr == texels && back.dstPos.x == 2 &&
	       back.dstPos.y == 1 && back.extent.width == 3 && back.kind == cudaMemcpyHostToDevice);
	CHECK(cudaGraphDestroy(g));
	CHECK(cudaFreeArray(array));
}

static void children(int *p)
{
	cudaGraph_t g, one, two;
	cudaGraphExec_t x;
	cudaGraphNode_t n;
	CHECK(cudaGraphCreate(&g, 0));
	CHECK(cudaGraphCreate(&one, 0));
	CHECK(cudaGraphCreate(&two, 0));
	add_kernel(one, nullptr, p, 1);
	add_kernel(two, nullptr, p, 100);
	CHECK(cudaGraphAddChildGraphNode(&n, g, nullptr, 0, one));
	CHECK(cudaGraphInstantiate(&x, g, 0));
	CHECK(cudaGraphExecChildGraphNodeSetParams(x, n, two));
	*p = 0;
	CHECK(cudaGraphLaunch(x, 0));
	CHECK(cudaDeviceSynchronize());
	EXPECT(*p == 400);
	add_kernel(two, nullptr, p, 100);
	EXPECT(cudaGraphExecChildGraphNodeSetParams(x, n, two) == cudaErrorInvalidValue);
	CHECK(cudaGraphExecDestroy(x));
	CHECK(cudaGraphDestroy(g));
	CHECK(cudaGraphDestroy(one));
	CHECK(cudaGraphDestroy(two));
}

int main()
{
	int *p;
	CHECK(cudaMallocManaged(&p, sizeof *p));
	attributes(p);
	symbols(p);
	arrays();
	children(p);
	CHECK(cudaFree(p));
	return done();
}
