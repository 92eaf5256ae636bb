// Tensor maps made on the host: a tiled copy in and out with a box past the edge, a swizzle, im2col, and what the driver refuses.
#include "check.h"
#include <cuda.h>

template <class F> static F *driver(const char *name)
{
	void *p = nullptr;
	cudaDriverEntryPointQueryResult how;
	CHECK(cudaGetDriverEntryPointByVersion(name, &p, 12000, cudaEnableDefault, &how));
	EXPECT(how == cudaDriverEntryPointSuccess && p);
	return (F *)p;
}

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void expect(uint64_t *barrier, unsigned bytes)
{
	asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}

__device__ void wait(uint64_t *barrier)
{
	asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }" ::"r"(shared_address(barrier)) : "memory");
}

const int WIDTH = 24, HEIGHT = 10, BOX_W = 8, BOX_H = 4;

// Moves a box of the one tensor, its elements times 10, to the same place of the other.
__global__ void tiles(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int *seen)
{
	__shared__ alignas(128) int box[BOX_H * BOX_W];
	__shared__ uint64_t barrier;
	int x = blockIdx.x * BOX_W, y = blockIdx.y * BOX_H, i = threadIdx.x;
	if (i == 0) {
		expect(&barrier, sizeof box);
		asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
				     shared_address(box)),
			     "l"(&from), "r"(x), "r"(y), "r"(shared_address(&barrier))
			     : "memory");
	}
	__syncthreads();
	wait(&barrier);
	seen[(blockIdx.y * gridDim.x + blockIdx.x) * BOX_H * BOX_W + i] = box[i];
	box[i] *= 10;
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	__syncthreads();
	if (i == 0) {
		asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to), "r"(x), "r"(y),
			     "r"(shared_address(box))
			     : "memory");
		asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
	}
}

// The swizzled box as it lies in shared memory.
__global__ void swizzled(const __grid_constant__ CUtensorMap from, int *seen)
{
	__shared__ alignas(1024) int box[8 * 32];
	__shared__ uint64_t barrier;
	if (threadIdx.x == 0) {
		expect(&barrier, sizeof box);
		asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
				     shared_address(box)),
			     "l"(&from), "r"(0), "r"(0), "r"(shared_address(&barrier))
			     : "memory");
	}
	__syncthreads();
	wait(&barrier);
	seen[threadIdx.x] = box[threadIdx.x];
}

// The pixels that a 3x3 filter's element (dx, dy) meets, from the upper left corner of a padded image on.
__global__ void columns(const __grid_constant__ CUtensorMap from, unsigned short dx, unsigned short dy, float *seen, int pixels)
{
	__shared__ alignas(128) float box[16 * 4];
	__shared__ uint64_t barrier;
	if (threadIdx.x == 0) {
		expect(&barrier, pixels * 16);
		asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6], "
			     "{%7, %8};" ::"r"(shared_address(box)),
			     "l"(&from), "r"(0), "r"(-1), "r"(-1), "r"(0), "r"(shared_address(&barrier)), "h"(dx), "h"(dy)
			     : "memory");
	}
	__syncthreads();
	wait(&barrier);
	if ((int)threadIdx.x < pixels * 4)
		seen[threadIdx.x] = box[threadIdx.x];
}

static auto tiled = driver<decltype(cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
static auto im2col = driver<decltype(cuTensorMapEncodeIm2col)>("cuTensorMapEncodeIm2col");
static auto replace = driver<decltype(cuTensorMapReplaceAddress)>("cuTensorMapReplaceAddress");

static CUresult flat(CUtensorMap *out, void *p, cuuint64_t width, cuuint64_t height, cuuint32_t box_w, cuuint32_t box_h, CUtensorMapSwizzle swizzle)
{
	cuuint64_t dims[] = {width, height}, strides[] = {width * 4};
	cuuint32_t box[] = {box_w, box_h}, steps[] = {1, 1};
	return tiled(out, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, p, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
		     CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

static void test_tiles()
{
	std::vector<int> v(WIDTH * HEIGHT);
	for (size_t i = 0; i < v.size(); i++)
		v[i] = 3 * (int)i + 1;
	dim3 grid(WIDTH / BOX_W, (HEIGHT + BOX_H - 1) / BOX_H);
	int *in = on_device(v), *other = on_device<int>(WIDTH * HEIGHT), *out = on_device<int>(WIDTH * HEIGHT), *seen = on_device<int>(WIDTH * 12);
	CUtensorMap from, to;
	EXPECT(flat(&from, other, WIDTH, HEIGHT, BOX_W, BOX_H, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_SUCCESS);
	EXPECT(flat(&to, out, WIDTH, HEIGHT, BOX_W, BOX_H, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_SUCCESS);
	EXPECT(replace(&from, in) == CUDA_SUCCESS);
	tiles<<<grid, BOX_W * BOX_H>>>(from, to, seen);
	LAUNCHED();
	auto got = on_host(out, v.size()), boxes = on_host(seen, WIDTH * 12);
	for (size_t i = 0; i < v.size(); i++)
		EXPECT(got[i] == 10 * v[i]);
	for (int i = 0; i < WIDTH * 12; i++) {
		int b = i / (BOX_W * BOX_H), x = b % (int)grid.x * BOX_W + i % BOX_W, y = b / (int)grid.x * BOX_H + i / BOX_W % BOX_H;
		EXPECT(boxes[i] == (y < HEIGHT ? v[y * WIDTH + x] : 0));
	}
}

static void test_swizzle()
{
	std::vector<int> v(8 * 32);
	for (size_t i = 0; i < v.size(); i++)
		v[i] = (int)i;
	int *in = on_device(v), *seen = on_device<int>(v.size());
	CUtensorMap from;
	EXPECT(flat(&from, in, 32, 8, 32, 8, CU_TENSOR_MAP_SWIZZLE_128B) == CUDA_SUCCESS);
	swizzled<<<1, 256>>>(from, seen);
	LAUNCHED();
	auto got = on_host(seen, v.size());
	for (int i = 0; i < 256; i++) // 16 bytes, in row r, are exchanged by the bits of r
		EXPECT(got[i ^ (i / 32 % 8) << 2] == i);
}

static void test_im2col()
{
	const int C = 4, W = 5, H = 3, pixels = 15;
	std::vector<float> v(C * W * H);
	for (size_t i = 0; i < v.size(); i++)
		v[i] = (float)i + 1;
	float *in = on_device(v), *seen = on_device<float>(pixels * C);
	cuuint64_t dims[] = {C, W, H, 1}, strides[] = {C * 4, C * W * 4, C * W * H * 4};
	cuuint32_t steps[] = {1, 1, 1, 1};
	int lower[] = {-1, -1}, upper[] = {-1, -1};
	CUtensorMap from;
	auto make = [&](cuuint32_t channels) {
		return im2col(&from, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, in, dims, strides, lower, upper, channels, pixels, steps,
			      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
			      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	};
	EXPECT(make(C) == CUDA_SUCCESS);
	for (int dy = 0; dy < 3; dy++)
		for (int dx = 0; dx < 3; dx++) {
			columns<<<1, 64>>>(from, (unsigned short)dx, (unsigned short)dy, seen, pixels);
			LAUNCHED();
			auto got = on_host(seen, pixels * C);
			for (int i = 0; i < pixels * C; i++) {
				int x = i / C % W + dx - 1, y = i / C / W + dy - 1;
				EXPECT(got[i] == (x < 0 || x >= W || y < 0 || y >= H ? 0 : v[(y * W + x) * C + i % C]));
			}
		}
	EXPECT(make(3) == CUDA_ERROR_INVALID_VALUE); // 12 bytes of channels
	lower[0] = -129;
	EXPECT(make(C) == CUDA_ERROR_INVALID_VALUE);
}

static void test_refusals()
{
	int *p = on_device<int>(1024);
	alignas(64) CUtensorMap maps[2];
	EXPECT(flat(maps, p, 32, 32, 8, 8, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_SUCCESS);
	EXPECT(flat(maps, p + 1, 32, 32, 8, 8, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);  // the address
	EXPECT(flat(maps, p, 30, 32, 8, 8, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);      // the stride
	EXPECT(flat(maps, p, 32, 0, 8, 8, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(flat(maps, p, 32, 32, 8, 257, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(flat(maps, p, 32, 32, 32, 8, CU_TENSOR_MAP_SWIZZLE_64B) == CUDA_ERROR_INVALID_VALUE);      // a row longer than the swizzle
	EXPECT(flat((CUtensorMap *)((char *)maps + 16), p, 32, 32, 8, 8, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(flat(nullptr, p, 32, 32, 8, 8, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(replace(maps, p + 1) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(replace(maps, p + 4) == CUDA_SUCCESS);
	maps[1] = {};
	EXPECT(replace(maps + 1, p) == CUDA_ERROR_INVALID_VALUE);
}

int main()
{
	test_tiles();
	test_swizzle();
	test_im2col();
	test_refusals();
	return done();
}
