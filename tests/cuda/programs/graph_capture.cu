// Work of two streams captured into a graph, which is launched again and again.
#include "check.h"

__global__ void scale(float *p, int n, float by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] *= by;
}

__global__ void sum(float *out, const float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = a[i] + b[i];
}

int main()
{
	const int n = 500;
	std::vector<float> a(n), b(n), out(n);
	for (int i = 0; i < n; i++)
		a[i] = (float)i, b[i] = (float)(n - i);
	float *da = on_device(a), *db = on_device(b), *dout = on_device<float>(n);
	cudaStream_t s, t;
	cudaEvent_t fork, join;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(cudaEventCreate(&fork));
	CHECK(cudaEventCreate(&join));
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CHECK(cudaEventRecord(fork, s));
	CHECK(cudaStreamWaitEvent(t, fork));
	scale<<<4, 128, 0, s>>>(da, n, 2.0f);
	scale<<<4, 128, 0, t>>>(db, n, 3.0f);
	cudaStreamCaptureStatus status;
	CHECK(cudaStreamIsCapturing(t, &status));
	EXPECT(status == cudaStreamCaptureStatusActive);
	CHECK(cudaEventRecord(join, t));
	CHECK(cudaStreamWaitEvent(s, join));
	sum<<<4, 128, 0, s>>>(dout, da, db, n);
	CHECK(cudaMemcpyAsync(out.data(), dout, n * sizeof(float), cudaMemcpyDeviceToHost, s));
	CHECK(cudaStreamEndCapture(s, &graph));
	size_t nodes = 0;
	CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
	EXPECT(nodes == 4 && out[5] == 0);
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	for (int k = 1; k <= 3; k++) {
		CHECK(cudaGraphLaunch(exec, s));
		CHECK(cudaStreamSynchronize(s));
		for (int i = 0; i < n; i++)
			EXPECT(out[i] == a[i] * std::pow(2.0f, k) + b[i] * std::pow(3.0f, k));
	}
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
	GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
	GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
	return done();
}
