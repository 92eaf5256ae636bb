// Texture objects over arrays, pitched and linear memory: filters, modes of addressing, normalised values.
#include "check.h"

__global__ void fetch(cudaTextureObject_t t, const float2 *at, float *out, int n)
{
	int i = threadIdx.x;
	if (i < n)
		out[i] = tex2D<float>(t, at[i].x, at[i].y);
}
__global__ void fetch4(cudaTextureObject_t t, float4 *out, float x, float y) { *out = tex2D<float4>(t, x, y); }
__global__ void fetch_u8(cudaTextureObject_t t, unsigned *out, float x) { *out = tex2D<unsigned char>(t, x, 0.5f); }
__global__ void fetch_linear(cudaTextureObject_t t, int *out, int from, int n)
{
	int i = threadIdx.x;
	if (i < n)
		out[i] = tex1Dfetch<int>(t, from + i);
}
__global__ void fetch_1d(cudaTextureObject_t t, float *out, float x) { *out = tex1D<float>(t, x); }

static std::vector<float> fetched(cudaTextureObject_t t, std::vector<float2> at)
{
	float2 *d = on_device(at);
	float *out = on_device<float>(at.size());
	fetch<<<1, 32>>>(t, d, out, (int)at.size());
	LAUNCHED();
	std::vector<float> r = on_host(out, at.size());
	CHECK(cudaFree(d));
	CHECK(cudaFree(out));
	return r;
}

static cudaTextureObject_t object(const cudaResourceDesc &from, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                                  cudaTextureReadMode read, bool normalized)
{
	cudaTextureDesc d = {};
	cudaTextureObject_t t;
	d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
	d.filterMode = filter, d.readMode = read, d.normalizedCoords = normalized;
	d.borderColor[0] = 42;
	CHECK(cudaCreateTextureObject(&t, &from, &d, nullptr));
	return t;
}

int main()
{
	const int w = 8, h = 4;
	float texels[h][w];
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			texels[y][x] = (float)(10 * y + x);
	cudaArray_t array;
	cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
	CHECK(cudaMallocArray(&array, &f32, w, h));
	CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
	cudaResourceDesc from = {};
	from.resType = cudaResourceTypeArray, from.res.array.array = array;

	cudaTextureObject_t point = object(from, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
	std::vector<float> r = fetched(point, {{0, 0}, {3.7f, 2.2f}, {-5, 1.5f}, {100, 100}});
	EXPECT(r[0] == 0 && r[1] == 23 && r[2] == 10 && r[3] == 37);
	cudaTextureObject_t linear = object(from, cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false);
	r = fetched(linear, {{0.5f, 0.5f}, {1.0f, 0.5f}, {2.0f, 2.0f}, {0, 0}});
	EXPECT(r[0] == 0 && r[1] == 0.5f && r[2] == 16.5f && r[3] == 0);
	cudaTextureObject_t wrap = object(from, cudaAddressModeWrap, cudaFilterModePoint, cudaReadModeElementType, true);
	r = fetched(wrap, {{1.0625f, 0.125f}, {-0.0625f, 0.125f}, {0.0625f, 1.25f}});
	EXPECT(r[0] == 0 && r[1] == 7 && r[2] == 10);
	cudaTextureObject_t mirror = object(from, cudaAddressModeMirror, cudaFilterModePoint, cudaReadModeElementType, true);
	r = fetched(mirror, {{1.0625f, 0.125f}, {-0.19f, 0.125f}});
	EXPECT(r[0] == 7 && r[1] == 1);
	cudaTextureObject_t border = object(from, cudaAddressModeBorder, cudaFilterModePoint, cudaReadModeElementType, false);
	r = fetched(border, {{-1, 0}, {7.5f, 3.5f}, {8.0f, 0}});
	EXPECT(r[0] == 42 && r[1] == 37 && r[2] == 42);

	// Bytes: as fractions and as they are, from pitched memory.
	uchar4 bytes[2][3] = {{{0, 51, 102, 255}, {255, 0, 0, 0}, {1, 2, 3, 4}}, {{5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}}};
	uchar4 *rows;
	size_t pitch;
	CHECK(cudaMallocPitch(&rows, &pitch, sizeof bytes[0], 2));
	CHECK(cudaMemcpy2D(rows, pitch, bytes, sizeof bytes[0], sizeof bytes[0], 2, cudaMemcpyHostToDevice));
	cudaResourceDesc pitched = {};
	pitched.resType = cudaResourceTypePitch2D;
	pitched.res.pitch2D.devPtr = rows, pitched.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
	pitched.res.pitch2D.width = 3, pitched.res.pitch2D.height = 2, pitched.res.pitch2D.pitchInBytes = pitch;
	cudaTextureObject_t fraction = object(pitched, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
	float4 *four = on_device<float4>(1);
	fetch4<<<1, 1>>>(fraction, four, 0.5f, 0.5f);
	LAUNCHED();
	float4 v = on_host(four, 1)[0];
	EXPECT(v.x == 0 && std::fabs(v.y - 0.2f) < 1e-6f && std::fabs(v.z - 0.4f) < 1e-6f && v.w == 1);
	fetch4<<<1, 1>>>(fraction, four, 2.5f, 1.5f);
	LAUNCHED();
	EXPECT(std::fabs(on_host(four, 1)[0].w - 16 / 255.0f) < 1e-6f);
	unsigned char line[16];
	for (int i = 0; i < 16; i++)
		line[i] = (unsigned char)(200 + i);
	cudaArray_t small;
	cudaChannelFormatDesc u8 = cudaCreateChannelDesc<unsigned char>();
	CHECK(cudaMallocArray(&small, &u8, 16, 1));
	CHECK(cudaMemcpy2DToArray(small, 0, 0, line, 16, 16, 1, cudaMemcpyHostToDevice));
	from.res.array.array = small;
	cudaTextureObject_t plain = object(from, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
	unsigned *one = on_device<unsigned>(1);
	fetch_u8<<<1, 1>>>(plain, one, 9.5f);
	LAUNCHED();
	EXPECT(on_host(one, 1)[0] == 209);

	// Linear memory has zeros outside.
	std::vector<int> numbers(100);
	for (int i = 0; i < 100; i++)
		numbers[i] = -i * i;
	int *dnumbers = on_device(numbers), *out = on_device<int>(32);
	cudaResourceDesc straight = {};
	straight.resType = cudaResourceTypeLinear;
	straight.res.linear.devPtr = dnumbers, straight.res.linear.desc = cudaCreateChannelDesc<int>();
	straight.res.linear.sizeInBytes = 100 * sizeof(int);
	cudaTextureObject_t fetchable = object(straight, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
	fetch_linear<<<1, 32>>>(fetchable, out, 84, 32);
	LAUNCHED();
	std::vector<int> got = on_host(out, 32);
	for (int i = 0; i < 32; i++)
		EXPECT(got[i] == (84 + i < 100 ? numbers[84 + i] : 0));

	cudaResourceDesc back;
	CHECK(cudaGetTextureObjectResourceDesc(&back, fetchable));
	EXPECT(back.resType == cudaResourceTypeLinear && back.res.linear.devPtr == dnumbers);
	CHECK(cudaDestroyTextureObject(fetchable));
	GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(fetchable));
	cudaArray_t row;
	CHECK(cudaMallocArray(&row, &f32, w));
	CHECK(cudaMemcpyToArray(row, 0, 0, texels[1], w * sizeof(float), cudaMemcpyHostToDevice));
	from.res.array.array = row;
	cudaTextureObject_t one_d = object(from, cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, true);
	float *result = on_device<float>(1);
	fetch_1d<<<1, 1>>>(one_d, result, 0.5f);
	LAUNCHED();
	EXPECT(on_host(result, 1)[0] == 13.5f);
	CHECK(cudaFreeArray(array));
	return done();
}
