// Mipmapped arrays: their levels as arrays and as surfaces, and fetches by level and by gradients.
#include "check.h"

__global__ void by_level(cudaTextureObject_t t, float *out, float x, float y, float lod) { *out = tex2DLod<float>(t, x, y, lod); }
__global__ void by_change(cudaTextureObject_t t, float *out, float x, float y, float2 dx, float2 dy) { *out = tex2DGrad<float>(t, x, y, dx, dy); }
__global__ void plain(cudaTextureObject_t t, float *out, float x, float y) { *out = tex2D<float>(t, x, y); }
__global__ void solid(cudaTextureObject_t t, float *out, float x, float y, float z, float lod) { *out = tex3DLod<float>(t, x, y, z, lod); }
__global__ void line(cudaTextureObject_t t, float *out, float x, int layer, float lod) { *out = tex1DLayeredLod<float>(t, x, layer, lod); }
__global__ void cube(cudaTextureObject_t t, float *out, float x, float y, float z, float lod) { *out = texCubemapLod<float>(t, x, y, z, lod); }
__global__ void half_size(cudaSurfaceObject_t to, cudaTextureObject_t from, int w, int h)
{
	int x = threadIdx.x, y = threadIdx.y;
	if (x < w && y < h)
		surf2Dwrite(tex2D<float>(from, (x + 0.5f) / w, (y + 0.5f) / h), to, x * 4, y);
}

static float *out;
static float result()
{
	LAUNCHED();
	return on_host(out, 1)[0];
}

static cudaTextureDesc how(bool linear)
{
	cudaTextureDesc d = {};
	d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
	d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
	d.mipmapFilterMode = d.filterMode;
	d.normalizedCoords = 1;
	d.maxMipmapLevelClamp = 100;
	return d;
}

static cudaTextureObject_t object(cudaMipmappedArray_t m, const cudaTextureDesc &d, const cudaResourceViewDesc *view = nullptr)
{
	cudaResourceDesc from = {};
	cudaTextureObject_t t;
	from.resType = cudaResourceTypeMipmappedArray, from.res.mipmap.mipmap = m;
	CHECK(cudaCreateTextureObject(&t, &from, &d, view));
	return t;
}

// Every texel of level k is 100 k + its number.
static cudaMipmappedArray_t numbered(cudaExtent size, unsigned levels, unsigned flags)
{
	cudaMipmappedArray_t m;
	cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
	CHECK(cudaMallocMipmappedArray(&m, &f32, size, levels, flags));
	for (unsigned k = 0; k < levels; k++) {
		cudaArray_t a;
		cudaExtent own;
		unsigned own_flags;
		CHECK(cudaGetMipmappedArrayLevel(&a, m, k));
		CHECK(cudaArrayGetInfo(nullptr, &own, &own_flags, a));
		EXPECT(own.width == (size.width >> k ? size.width >> k : 1) && own_flags == flags);
		cudaMemcpy3DParms p = {};
		p.dstArray = a, p.extent = make_cudaExtent(own.width, own.height ? own.height : 1, own.depth ? own.depth : 1);
		std::vector<float> texels(p.extent.width * p.extent.height * p.extent.depth);
		for (size_t i = 0; i < texels.size(); i++)
			texels[i] = 100.0f * k + i;
		p.srcPtr = make_cudaPitchedPtr(texels.data(), p.extent.width * 4, p.extent.width, p.extent.height);
		p.kind = cudaMemcpyHostToDevice;
		CHECK(cudaMemcpy3D(&p));
	}
	return m;
}

static void fetches()
{
	cudaMipmappedArray_t m = numbered(make_cudaExtent(8, 4, 0), 4, 0);
	cudaTextureObject_t point = object(m, how(false)), linear = object(m, how(true));
	const float want[] = {20, 106, 201, 300, 300}; // in the middle
	for (int k = 0; k < 5; k++) {
		by_level<<<1, 1>>>(point, out, 0.5f, 0.5f, (float)k);
		EXPECT(result() == want[k]);
	}
	by_level<<<1, 1>>>(linear, out, 0.5f, 0.5f, 0.5f); // 15.5 and 103.5
	EXPECT(result() == 59.5f);
	by_change<<<1, 1>>>(point, out, 0.5f, 0.5f, make_float2(0.5f, 0), make_float2(0, 0.25f));
	EXPECT(result() == 201);
	by_change<<<1, 1>>>(point, out, 0.5f, 0.5f, make_float2(0, 0), make_float2(0, 0.5f));
	EXPECT(result() == 106);
	plain<<<1, 1>>>(point, out, 0.5f, 0.5f);
	EXPECT(result() == 20);
	cudaTextureDesc d = how(false), back;
	d.mipmapLevelBias = 1, d.minMipmapLevelClamp = 1, d.maxMipmapLevelClamp = 2;
	cudaTextureObject_t limited = object(m, d);
	CHECK(cudaGetTextureObjectTextureDesc(&back, limited));
	EXPECT(back.mipmapLevelBias == 1 && back.minMipmapLevelClamp == 1 && back.maxMipmapLevelClamp == 2);
	const float biased[] = {106, 201, 201};
	for (int k = 0; k < 3; k++) {
		by_level<<<1, 1>>>(limited, out, 0.5f, 0.5f, (float)k);
		EXPECT(result() == biased[k]);
	}
	by_level<<<1, 1>>>(limited, out, 0.5f, 0.5f, -5);
	EXPECT(result() == 106);
	cudaResourceViewDesc view = {};
	view.firstMipmapLevel = 1, view.lastMipmapLevel = 2;
	cudaTextureObject_t part = object(m, how(false), &view);
	by_level<<<1, 1>>>(part, out, 0.5f, 0.5f, 0);
	EXPECT(result() == 106);
	by_level<<<1, 1>>>(part, out, 0.5f, 0.5f, 9);
	EXPECT(result() == 201);
	cudaResourceDesc from = {};
	from.resType = cudaResourceTypeMipmappedArray, from.res.mipmap.mipmap = m;
	view.lastMipmapLevel = 4;
	cudaTextureObject_t t;
	GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &from, &(d = how(false)), &view));
	d.normalizedCoords = 0;
	GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &from, &d, nullptr));
	CHECK(cudaFreeMipmappedArray(m));
}

static void shapes()
{
	cudaTextureDesc d = how(false);
	cudaMipmappedArray_t m = numbered(make_cudaExtent(4, 4, 4), 3, 0);
	solid<<<1, 1>>>(object(m, d), out, 0.9f, 0.1f, 0.9f, 1); // (1, 0, 1) of 2 x 2 x 2
	EXPECT(result() == 105);
	CHECK(cudaFreeMipmappedArray(m));
	m = numbered(make_cudaExtent(8, 0, 3), 4, cudaArrayLayered);
	line<<<1, 1>>>(object(m, d), out, 0.9f, 2, 2); // two texels in each of three layers
	EXPECT(result() == 205);
	CHECK(cudaFreeMipmappedArray(m));
	m = numbered(make_cudaExtent(4, 4, 6), 2, cudaArrayCubemap);
	cube<<<1, 1>>>(object(m, d), out, 0.01f, -1, -0.02f, 1); // the fourth face; x is to the right, -z downward
	EXPECT(result() == 115);
	CHECK(cudaFreeMipmappedArray(m));
}

// Each level from the one before, by surface writes.
static void made_on_device()
{
	cudaMipmappedArray_t m;
	cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
	CHECK(cudaMallocMipmappedArray(&m, &f32, make_cudaExtent(8, 8, 0), 99, cudaArraySurfaceLoadStore)); // as many as there are
	cudaArray_t level[4], none;
	for (unsigned k = 0; k < 4; k++)
		CHECK(cudaGetMipmappedArrayLevel(&level[k], m, k));
	GIVES(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&none, m, 4));
	std::vector<float> texels(64);
	for (int i = 0; i < 64; i++)
		texels[i] = i;
	CHECK(cudaMemcpy2DToArray(level[0], 0, 0, texels.data(), 32, 32, 8, cudaMemcpyHostToDevice));
	for (int k = 1; k < 4; k++) {
		cudaResourceDesc from = {}, to = {};
		cudaTextureDesc d = how(true);
		cudaTextureObject_t t;
		cudaSurfaceObject_t s;
		from.resType = to.resType = cudaResourceTypeArray;
		from.res.array.array = level[k - 1], to.res.array.array = level[k];
		CHECK(cudaCreateTextureObject(&t, &from, &d, nullptr));
		CHECK(cudaCreateSurfaceObject(&s, &to));
		half_size<<<1, dim3(8, 8)>>>(s, t, 8 >> k, 8 >> k);
		LAUNCHED();
		CHECK(cudaDestroyTextureObject(t));
		CHECK(cudaDestroySurfaceObject(s));
	}
	by_level<<<1, 1>>>(object(m, how(false)), out, 0.5f, 0.5f, 3);
	EXPECT(result() == 31.5f);
	GIVES(cudaErrorInvalidResourceHandle, cudaFreeArray(level[1]));
	CHECK(cudaFreeMipmappedArray(m));
	CHECK(cudaFreeMipmappedArray(nullptr));
}

int main()
{
	out = on_device<float>(1);
	fetches();
	shapes();
	made_on_device();
	return done();
}
