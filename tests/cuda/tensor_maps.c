/* Tensor maps that the host makes, as a parameter of a kernel that copies with them, and what is refused. The program of that name in
 * programs/ has the other kinds. */
#include "test.h"

static const char ptx[] =
	".version 8.0\n.target sm_90\n.address_size 64\n"
	".visible .entry tile(.param .align 64 .b8 map[128], .param .u64 out, .param .u32 x, .param .u32 y) {\n"
	"\t.shared .align 128 .b8 box[128];\n\t.shared .align 8 .b64 bar;\n"
	"\t.reg .b64 %d<6>;\n\t.reg .b32 %r<8>;\n\t.reg .pred %p;\n"
	"\tmov.u32 %r1, bar;\n\tmov.u32 %r2, box;\n\tmov.b64 %d1, map;\n\tcvta.param.u64 %d2, %d1;\n"
	"\tld.param.u64 %d3, [out];\n\tld.param.u32 %r3, [x];\n\tld.param.u32 %r4, [y];\n"
	"\tmov.u32 %r5, %tid.x;\n\tsetp.ne.u32 %p, %r5, 0;\n\t@%p bra W;\n"
	"\tmbarrier.init.shared.b64 [%r1], 1;\n\tmbarrier.arrive.expect_tx.shared.b64 %d4, [%r1], 128;\n"
	"\tcp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%d2, {%r3, %r4}], [%r1];\n"
	"W:\tbar.sync 0;\n"
	"L:\tmbarrier.try_wait.parity.shared.b64 %p, [%r1], 0;\n\t@!%p bra L;\n"
	"\tshl.b32 %r6, %r5, 2;\n\tadd.u32 %r2, %r2, %r6;\n\tld.shared.u32 %r7, [%r2];\n"
	"\tmul.wide.u32 %d5, %r5, 4;\n\tadd.u64 %d3, %d3, %d5;\n\tst.global.u32 [%d3], %r7;\n\tret;\n}\n";

enum { WIDTH = 12, HEIGHT = 6 };
static uint64_t dims[] = {WIDTH, HEIGHT}, strides[] = {WIDTH * 4};
static uint32_t box[] = {8, 4}, steps[] = {1, 1};

static CUresult encode(CUtensorMap *out, CUdeviceptr p, int type, int swizzle)
{
	return cuTensorMapEncodeTiled(out, type, 2, (void *)(uintptr_t)p, dims, strides, box, steps, 0, swizzle, 0, 0);
}

int main(void)
{
	CUmodule    m;
	CUcontext   c = begin();
	CUfunction  f = kernel_of(&m, ptx, "tile");
	CUdeviceptr in, out;
	unsigned    v[WIDTH * HEIGHT], got[32], x = 8, y = 3;
	CUtensorMap map, maps[2];
	OK(cuMemAlloc_v2(&in, sizeof v));
	OK(cuMemAlloc_v2(&out, sizeof got));
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
		v[i] = i + 1;
	OK(cuMemcpyHtoD_v2(in, v, sizeof v));
	OK(encode(&map, out, 2, 0));
	OK(cuTensorMapReplaceAddress(&map, (void *)(uintptr_t)in));
	void *args[] = {&map, &out, &x, &y};
	OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
	OK(cuMemcpyDtoH_v2(got, out, sizeof got));
	for (unsigned i = 0; i < 32; i++) {
		unsigned column = x + i % 8, row = y + i / 8;
		TRUE(got[i] == (column < WIDTH && row < HEIGHT ? v[row * WIDTH + column] : 0));
	}
	GIVES(CUDA_ERROR_INVALID_VALUE, encode(NULL, in, 2, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, encode((CUtensorMap *)(void *)((char *)maps + 8), in, 2, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, encode(maps, in + 4, 2, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, encode(maps, in, 16, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, encode(maps, in, 2, 7));
	box[0] = 257;
	GIVES(CUDA_ERROR_INVALID_VALUE, encode(maps, in, 2, 0));
	box[0] = 16;
	GIVES(CUDA_ERROR_INVALID_VALUE, encode(maps, in, 2, 1)); /* rows of 64 bytes, swizzled by 32 */
	strides[0] = 20;
	GIVES(CUDA_ERROR_INVALID_VALUE, encode(maps, in, 2, 0));
	memset(maps, 0, sizeof maps);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuTensorMapReplaceAddress(maps, (void *)(uintptr_t)in));
	OK(cuCtxDestroy_v2(c));
	puts("done");
	return 0;
}
