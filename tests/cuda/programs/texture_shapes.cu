// Layered, three-dimensional and cube textures, gathers.
#include "check.h"

__global__ void layered(cudaTextureObject_t t, float *out, float x, float y, int layer) { *out = tex2DLayered<float>(t, x, y, layer); }
__global__ void layered_1d(cudaTextureObject_t t, float *out, float x, int layer) { *out = tex1DLayered<float>(t, x, layer); }
__global__ void solid(cudaTextureObject_t t, float *out, float x, float y, float z) { *out = tex3D<float>(t, x, y, z); }
__global__ void cube(cudaTextureObject_t t, float *out, float x, float y, float z) { *out = texCubemap<float>(t, x, y, z); }
__global__ void gather(cudaTextureObject_t t, float4 *out, float x, float y) { *out = tex2Dgather<float4>(t, x, y, 0); }

static cudaTextureObject_t object(cudaArray_t a, bool linear, bool normalized)
{
	cudaResourceDesc from = {};
	cudaTextureDesc how = {};
	cudaTextureObject_t t;
	from.resType = cudaResourceTypeArray, from.res.array.array = a;
	how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
	how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
	how.normalizedCoords = normalized;
	CHECK(cudaCreateTextureObject(&t, &from, &how, nullptr));
	return t;
}

static cudaArray_t filled(size_t w, size_t h, size_t d, unsigned flags)
{
	cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
	cudaArray_t a;
	size_t rows = h ? h : 1, slices = d ? d : 1;
	std::vector<float> texels(w * rows * slices);
	for (size_t i = 0; i < texels.size(); i++)
		texels[i] = (float)(i % w + 10 * (i / w % rows) + 100 * (i / w / rows));
	CHECK(cudaMalloc3DArray(&a, &f32, make_cudaExtent(w, h, d), flags));
	cudaMemcpy3DParms p = {};
	p.srcPtr = make_cudaPitchedPtr(texels.data(), w * sizeof(float), w, rows);
	p.dstArray = a, p.extent = make_cudaExtent(w, rows, slices), p.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&p));
	return a;
}

static float *out;
static float result()
{
	LAUNCHED();
	return on_host(out, 1)[0];
}

int main()
{
	out = on_device<float>(4);
	cudaArray_t layers = filled(4, 3, 5, cudaArrayLayered);
	cudaTextureObject_t t = object(layers, false, false);
	layered<<<1, 1>>>(t, out, 2.5f, 1.5f, 3);
	EXPECT(result() == 312);
	layered<<<1, 1>>>(t, out, 9, -1, 99); // the last layer
	EXPECT(result() == 403);
	cudaExtent size;
	unsigned flags;
	cudaChannelFormatDesc d;
	CHECK(cudaArrayGetInfo(&d, &size, &flags, layers));
	EXPECT(d.x == 32 && d.y == 0 && d.f == cudaChannelFormatKindFloat && size.depth == 5 && flags == cudaArrayLayered);
	layered_1d<<<1, 1>>>(object(filled(8, 0, 3, cudaArrayLayered), true, false), out, 2.0f, 2);
	EXPECT(result() == 201.5f);
	cudaTextureObject_t box = object(filled(4, 4, 4, 0), true, false);
	solid<<<1, 1>>>(box, out, 1.5f, 2.5f, 3.5f);
	EXPECT(result() == 321);
	solid<<<1, 1>>>(box, out, 2.0f, 2.0f, 2.0f);
	EXPECT(result() == 166.5f);
	cudaTextureObject_t sky = object(filled(4, 4, 6, cudaArrayCubemap), false, true);
	cube<<<1, 1>>>(sky, out, 1, 0.1f, -0.1f);
	EXPECT((int)result() / 100 == 0);
	cube<<<1, 1>>>(sky, out, 0, -1, 0.1f);
	EXPECT((int)result() / 100 == 3);
	cube<<<1, 1>>>(sky, out, 0.2f, 0.3f, -2);
	EXPECT((int)result() / 100 == 5);
	float4 *four = on_device<float4>(1);
	gather<<<1, 1>>>(object(filled(4, 4, 0, cudaArrayTextureGather), false, false), four, 2.0f, 2.0f);
	LAUNCHED();
	float4 v = on_host(four, 1)[0];
	EXPECT(v.x == 21 && v.y == 22 && v.z == 12 && v.w == 11);
	return done();
}
