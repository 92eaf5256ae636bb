/* Addresses that are reserved first and backed later: growing, aliases, rights, and what the driver refuses. */
#include "test.h"

static const char ptx[] =
	".version 8.0\n.target sm_90\n.address_size 64\n"
	".visible .entry bump(.param .u64 p, .param .u64 n) {\n"
	"\t.reg .b64 %rd<4>;\n\t.reg .b32 %r<2>;\n\t.reg .pred %p;\n"
	"\tld.param.u64 %rd1, [p];\n\tld.param.u64 %rd2, [n];\n"
	"L:\tld.global.u32 %r1, [%rd1];\n\tadd.u32 %r1, %r1, 1;\n\tst.global.u32 [%rd1], %r1;\n"
	"\tadd.u64 %rd1, %rd1, 524288;\n\tsub.u64 %rd2, %rd2, 1;\n\tsetp.ne.u64 %p, %rd2, 0;\n\t@%p bra L;\n\tret;\n}\n"
	".visible .entry look(.param .u64 p) {\n"
	"\t.reg .b64 %rd<2>;\n\t.reg .b32 %r<2>;\n\tld.param.u64 %rd1, [p];\n\tld.global.u32 %r1, [%rd1];\n\tret;\n}\n";

static const size_t              unit = 2 << 20;
static const CUmemAllocationProp device = {.type = 1, .location = {1, 0}};
static const CUmemAccessDesc     all = {{1, 0}, 3}, reading = {{1, 0}, 1}, nothing = {{1, 0}, 0};

static CUresult launch(CUfunction f, CUdeviceptr p, size_t n)
{
	void *args[] = {&p, &n};
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
	return cuCtxSynchronize();
}

static CUmemGenericAllocationHandle backed(CUdeviceptr p, size_t size)
{
	CUmemGenericAllocationHandle h;
	OK(cuMemCreate(&h, size, &device, 0));
	OK(cuMemMap(p, size, 0, h, 0));
	OK(cuMemSetAccess(p, size, &all, 1));
	return h;
}

static unsigned word_at(CUdeviceptr p)
{
	unsigned v;
	OK(cuMemcpyDtoH_v2(&v, p, 4));
	return v;
}

/* As a pool grows: chunk behind chunk, with buffers, copies and kernels across them. */
static void growing(CUfunction bump)
{
	CUdeviceptr                  p, base;
	CUmemGenericAllocationHandle h[3], same;
	size_t                       granularity, size, left[2], total;
	unsigned char               *bytes = calloc(1, 3 * unit);
	OK(cuMemGetAllocationGranularity(&granularity, &device, 0));
	TRUE(granularity == unit);
	OK(cuMemGetInfo_v2(&left[0], &total));
	OK(cuMemAddressReserve(&p, (size_t)1 << 36, 0, 0, 0));
	TRUE(p % unit == 0);
	h[0] = backed(p, unit);
	OK(launch(bump, p, 4));
	h[1] = backed(p + unit, unit);
	h[2] = backed(p + 2 * unit, unit);
	OK(cuMemGetInfo_v2(&left[1], &total));
	TRUE(left[0] - left[1] == 3 * unit);
	OK(launch(bump, p, 12));
	TRUE(word_at(p) == 2 && word_at(p + 3 * unit - 524288) == 1);
	OK(cuMemcpyDtoH_v2(bytes, p, 3 * unit));
	TRUE(bytes[0] == 2 && bytes[2 * unit] == 1);
	OK(cuMemsetD8_v2(p + unit - 8, 5, 16));
	TRUE(word_at(p + unit - 4) == 0x05050505 && word_at(p + unit) == 0x05050505);
	OK(cuMemGetAddressRange_v2(&base, &size, p + unit + 7));
	TRUE(base == p && size == 3 * unit);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(bytes, p + unit, 2 * unit + 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy((CUdeviceptr)(size_t)bytes, p + 3 * unit, 4));
	GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange_v2(&base, &size, p + 3 * unit));
	OK(cuMemRetainAllocationHandle(&same, (void *)(size_t)(p + unit + 1)));
	TRUE(same == h[1]);
	OK(cuMemRelease(same));
	for (int i = 0; i < 3; i++)
		OK(cuMemRelease(h[i]));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRelease(h[0]));
	TRUE(word_at(p + unit) == 0x05050505); /* what is mapped stays */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(p, (size_t)1 << 36));
	OK(cuMemUnmap(p + unit, unit));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(bytes, p, 3 * unit));
	OK(cuMemcpyDtoH_v2(bytes, p, unit));
	OK(cuMemUnmap(p, unit));
	OK(cuMemUnmap(p + 2 * unit, unit));
	OK(cuMemGetInfo_v2(&left[1], &total));
	TRUE(left[0] == left[1]);
	OK(cuMemAddressFree(p, (size_t)1 << 36));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(p, (size_t)1 << 36));
	free(bytes);
}

/* The same memory at two places. */
static void aliases(void)
{
	CUdeviceptr                  p, q;
	CUmemGenericAllocationHandle h;
	CUmemAllocationProp          prop;
	unsigned long long           rights;
	OK(cuMemAddressReserve(&p, 2 * unit, 0, 0, 0));
	OK(cuMemAddressReserve(&q, unit, 16 * unit, 0, 0));
	TRUE(q % (16 * unit) == 0);
	h = backed(p + unit, unit);
	OK(cuMemMap(q, unit, 0, h, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(q, 1, 1));
	OK(cuMemSetAccess(q, unit, &reading, 1));
	OK(cuMemsetD32_v2(p + unit + 64, 77, 1));
	TRUE(word_at(q + 64) == 77);
	OK(cuMemGetAccess(&rights, &all.location, p + unit));
	TRUE(rights == 3);
	OK(cuMemGetAccess(&rights, &all.location, q));
	TRUE(rights == 1);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&rights, &all.location, p));
	OK(cuMemGetAllocationPropertiesFromHandle(&prop, h));
	TRUE(prop.type == 1 && prop.location.type == 1 && prop.location.id == 0);
	OK(cuMemUnmap(q, unit));
	OK(cuMemUnmap(p + unit, unit));
	OK(cuMemRelease(h));
	OK(cuMemAddressFree(p, 2 * unit));
	OK(cuMemAddressFree(q, unit));
}

static void refusals(void)
{
	CUdeviceptr                  p;
	CUmemGenericAllocationHandle h, other;
	CUmemAllocationProp          none = device, away = device;
	CUmemAccessDesc              beyond = {{1, 99}, 3}, strange = {{1, 0}, 2};
	none.type = 0;
	away.location.id = 99;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&p, unit + 4096, 0, 0, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&p, unit, 3, 0, 0));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&p, (size_t)1 << 62, 0, 0, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&h, unit - 1, &device, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&h, unit, &none, 0));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&h, unit, &away, 0));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&h, (size_t)1 << 50, &device, 0));
	OK(cuMemAddressReserve(&p, 4 * unit, 0, 0, 0));
	OK(cuMemCreate(&h, 2 * unit, &device, 0));
	OK(cuMemCreate(&other, unit, &device, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(p + 3 * unit, 2 * unit, 0, h, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(p + 4096, 2 * unit, 0, h, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(p, 4 * unit, 0, h, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(p, 2 * unit, 0, 12345, 0));
	OK(cuMemMap(p + unit, 2 * unit, 0, h, 0));
	for (size_t at = 1; at < 3; at++)
		GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(p + at * unit, unit, 0, other, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(p, 2 * unit, 0, h, 0));
	OK(cuMemMap(p, unit, 0, other, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(p + unit, unit)); /* half of a mapping */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(p, 2 * unit, &all, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(p, 4 * unit, &all, 1)); /* a part is not mapped */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(p, 3 * unit, &strange, 1));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemSetAccess(p, 3 * unit, &beyond, 1));
	OK(cuMemSetAccess(p, 3 * unit, &all, 1));
	OK(cuMemsetD32_v2(p, 9, 3 * unit / 4));
	OK(cuMemSetAccess(p, unit, &nothing, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(p, 9, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(p));
	OK(cuMemUnmap(p, 3 * unit));
	OK(cuMemRelease(h));
	OK(cuMemRelease(other));
	OK(cuMemAddressFree(p, 4 * unit));
}

/* Kernels have the rights that were given: writing what may only be read, and what is mapped without rights, ends the context. */
static void rights(const char *which)
{
	CUdeviceptr                  p;
	CUmodule                     m;
	CUcontext                    c = begin();
	CUfunction                   bump = kernel_of(&m, ptx, "bump"), look;
	CUmemGenericAllocationHandle h;
	OK(cuModuleGetFunction(&look, m, "look"));
	OK(cuMemAddressReserve(&p, unit, 0, 0, 0));
	h = backed(p, unit);
	OK(launch(bump, p, 1));
	OK(cuMemSetAccess(p, unit, strcmp(which, "read") == 0 ? &reading : &nothing, 1));
	if (strcmp(which, "read") == 0)
		OK(launch(look, p, 0));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, launch(strcmp(which, "read") == 0 ? bump : look, p, 1));
	OK(cuCtxDestroy_v2(c));
	OK(cuMemUnmap(p, unit));
	OK(cuMemRelease(h));
	OK(cuMemAddressFree(p, unit));
}

int main(void)
{
	CUmodule  m;
	CUcontext c = begin();
	growing(kernel_of(&m, ptx, "bump"));
	aliases();
	refusals();
	OK(cuCtxDestroy_v2(c));
	rights("read");
	rights("none");
	puts("done");
	return 0;
}
