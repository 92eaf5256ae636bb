// Rows with a pitch and boxes: allocated, filled, copied in two and three dimensions.
#include "check.h"

__global__ void fill(cudaPitchedPtr p, cudaExtent e)
{
	int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
	if (x < e.width && y < e.height)
		((unsigned char *)p.ptr)[(z * p.ysize + y) * p.pitch + x] = (unsigned char)(x + 10 * y + 100 * z);
}

int main()
{
	float *rows, host[5][7], back[5][7];
	size_t pitch;
	for (int i = 0; i < 35; i++)
		host[i / 7][i % 7] = (float)i;
	CHECK(cudaMallocPitch(&rows, &pitch, 7 * sizeof(float), 5));
	EXPECT(pitch >= 7 * sizeof(float) && pitch % 32 == 0);
	CHECK(cudaMemset2D(rows, pitch, 0xff, 7 * sizeof(float), 5));
	CHECK(cudaMemcpy2D(rows, pitch, host, sizeof host[0], 4 * sizeof(float), 5, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy2D(back, sizeof back[0], rows, pitch, 7 * sizeof(float), 5, cudaMemcpyDefault));
	EXPECT(back[4][3] == 31 && back[4][4] != back[4][4]);
	GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(rows, 8, host, sizeof host[0], 28, 5, cudaMemcpyHostToDevice));

	cudaExtent e = make_cudaExtent(6, 4, 3);
	cudaPitchedPtr p;
	CHECK(cudaMalloc3D(&p, e));
	CHECK(cudaMemset3D(p, 0x11, e));
	fill<<<3, dim3(8, 8)>>>(p, make_cudaExtent(5, 4, 3));
	LAUNCHED();
	unsigned char box[2][3][4] = {};
	cudaMemcpy3DParms c = {};
	c.srcPtr = p, c.srcPos = make_cudaPos(2, 1, 1);
	c.dstPtr = make_cudaPitchedPtr(box, 4, 4, 3), c.extent = make_cudaExtent(4, 3, 2), c.kind = cudaMemcpyDeviceToHost;
	CHECK(cudaMemcpy3D(&c));
	EXPECT(box[0][0][0] == 112 && box[1][2][2] == (unsigned char)234 && box[0][0][3] == 0x11);
	c.extent.width = 7;
	GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&c));
	CHECK(cudaFree(rows));
	CHECK(cudaFree(p.ptr));
	return done();
}
