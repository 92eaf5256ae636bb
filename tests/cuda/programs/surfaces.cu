// Surfaces: kernels write arrays and read them back, also through textures; what lies outside.
#include "check.h"

__global__ void paint(cudaSurfaceObject_t s, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < w && y < h)
		surf2Dwrite(make_uchar4((unsigned char)x, (unsigned char)y, (unsigned char)(x + y), 255), s, x * (int)sizeof(uchar4), y);
}

__global__ void flip(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w)
{
	int x = threadIdx.x, y = blockIdx.x;
	uchar4 v;
	surf2Dread(&v, from, (w - 1 - x) * (int)sizeof v, y);
	surf2Dwrite(v, to, x * (int)sizeof v, y);
}

__global__ void outside(cudaSurfaceObject_t s, unsigned *out)
{
	out[0] = surf2Dread<unsigned>(s, -4, 0, cudaBoundaryModeZero);
	out[1] = surf2Dread<unsigned>(s, 10000, 1, cudaBoundaryModeClamp);
	surf2Dwrite(7u, s, 0, 5000, cudaBoundaryModeZero);
}

__global__ void fill(cudaSurfaceObject_t s)
{
	int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
	surf3Dwrite((float)(x + 10 * y + 100 * z), s, x * (int)sizeof(float), y, z);
}

__global__ void fetch(cudaTextureObject_t t, float *out) { *out = tex3D<float>(t, 2.5f, 1.5f, 3.5f); }

static cudaSurfaceObject_t surface(cudaArray_t a)
{
	cudaResourceDesc d = {};
	cudaSurfaceObject_t s;
	d.resType = cudaResourceTypeArray, d.res.array.array = a;
	CHECK(cudaCreateSurfaceObject(&s, &d));
	return s;
}

int main()
{
	const int w = 48, h = 20;
	cudaChannelFormatDesc u8x4 = cudaCreateChannelDesc<uchar4>(), f32 = cudaCreateChannelDesc<float>();
	cudaArray_t a, b, plain, solid;
	CHECK(cudaMallocArray(&a, &u8x4, w, h, cudaArraySurfaceLoadStore));
	CHECK(cudaMallocArray(&b, &u8x4, w, h, cudaArraySurfaceLoadStore));
	CHECK(cudaMallocArray(&plain, &u8x4, w, h));
	cudaSurfaceObject_t sa = surface(a), sb = surface(b);
	paint<<<dim3(3, 3), dim3(16, 8)>>>(sa, w, h);
	flip<<<h, w>>>(sa, sb, w);
	LAUNCHED();
	std::vector<uchar4> r(w * h);
	CHECK(cudaMemcpy2DFromArray(r.data(), w * sizeof(uchar4), b, 0, 0, w * sizeof(uchar4), h, cudaMemcpyDeviceToHost));
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			EXPECT(r[y * w + x].x == w - 1 - x && r[y * w + x].y == y && r[y * w + x].w == 255);
	unsigned *out = on_device<unsigned>(2);
	outside<<<1, 1>>>(sa, out);
	LAUNCHED();
	std::vector<unsigned> o = on_host(out, 2);
	EXPECT(o[0] == 0 && o[1] == (47u | 1u << 8 | 48u << 16 | 255u << 24));
	CHECK(cudaMemcpy2DArrayToArray(a, 4 * 4, 2, b, 0, 0, 8 * 4, 2, cudaMemcpyDeviceToDevice));
	CHECK(cudaMemcpy2DFromArray(r.data(), 8 * 4, a, 4 * 4, 2, 8 * 4, 2, cudaMemcpyDeviceToHost));
	EXPECT(r[0].x == w - 1 && r[9].x == w - 2 && r[9].y == 1);
	cudaResourceDesc d = {};
	cudaSurfaceObject_t none;
	d.resType = cudaResourceTypeArray, d.res.array.array = plain;
	GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(&none, &d));

	CHECK(cudaMalloc3DArray(&solid, &f32, make_cudaExtent(4, 4, 4), cudaArraySurfaceLoadStore));
	fill<<<1, dim3(4, 4, 4)>>>(surface(solid));
	d.res.array.array = solid;
	cudaTextureDesc how = {};
	cudaTextureObject_t t;
	CHECK(cudaCreateTextureObject(&t, &d, &how, nullptr));
	float *f = on_device<float>(1);
	fetch<<<1, 1>>>(t, f);
	LAUNCHED();
	EXPECT(on_host(f, 1)[0] == 312);
	CHECK(cudaDestroySurfaceObject(sa));
	CHECK(cudaFreeArray(a));
	return done();
}
