/* Memory of every kind, copies of boxes, fills, and what a pointer is. */
#include "test.h"

static void boxes(void)
{
	CUdeviceptr   p, q;
	size_t        pitch;
	unsigned char in[6][10], out[6][10];
	OK(cuMemAllocPitch_v2(&p, &pitch, 10, 6, 4));
	TRUE(pitch >= 10 && pitch % 512 == 0);
	for (int i = 0; i < 60; i++)
		in[i / 10][i % 10] = (unsigned char)i;
	CUDA_MEMCPY2D to = {.src_type = CU_MEMORYTYPE_HOST,
	                    .src_host = in,
	                    .src_pitch = 10,
	                    .dst_type = CU_MEMORYTYPE_DEVICE,
	                    .dst_device = p,
	                    .dst_pitch = pitch,
	                    .width = 10,
	                    .height = 6};
	OK(cuMemcpy2D_v2(&to));
	/* The middle of it: rows 1 to 4, columns 2 to 7. */
	CUDA_MEMCPY2D from = {.src_x = 2,
	                      .src_y = 1,
	                      .src_type = CU_MEMORYTYPE_UNIFIED,
	                      .src_device = p,
	                      .src_pitch = pitch,
	                      .dst_x = 1,
	                      .dst_type = CU_MEMORYTYPE_HOST,
	                      .dst_host = out,
	                      .dst_pitch = 10,
	                      .width = 6,
	                      .height = 4};
	memset(out, 0xee, sizeof out);
	OK(cuMemcpy2DAsync_v2(&from, NULL));
	TRUE(out[0][0] == 0xee && out[0][1] == 12 && out[0][6] == 17 && out[3][6] == 47 && out[4][1] == 0xee &&
	     out[0][7] == 0xee);
	from.height = 6; /* one row more than there is */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&from));
	from.height = 4, from.src_pitch = 5;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&from));
	OK(cuMemAlloc_v2(&q, 2 * 3 * 8));
	OK(cuMemsetD8_v2(q, 1, 48));
	OK(cuMemsetD2D16_v2(q + 2, 8, 0x0203, 2, 3));
	unsigned char slab[2][3][8], corner[2][2];
	OK(cuMemcpyDtoH_v2(slab, q, sizeof slab));
	TRUE(slab[0][0][1] == 1 && slab[0][0][2] == 3 && slab[0][0][3] == 2 && slab[0][2][5] == 2 && slab[0][2][6] == 1 &&
	     slab[1][0][2] == 1);
	CUDA_MEMCPY3D box = {.src_x = 5,
	                     .src_y = 1,
	                     .src_z = 0,
	                     .src_type = CU_MEMORYTYPE_DEVICE,
	                     .src_device = q,
	                     .src_pitch = 8,
	                     .src_height = 3,
	                     .dst_type = CU_MEMORYTYPE_HOST,
	                     .dst_host = corner,
	                     .width = 2,
	                     .height = 1,
	                     .depth = 2};
	OK(cuMemcpy3D_v2(&box));
	TRUE(corner[0][0] == 2 && corner[0][1] == 1 && corner[1][0] == 1);
	box.dst_host = NULL, box.dst_x = 64; /* a place in no memory */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D_v2(&box));
	OK(cuMemsetD2D16_v2(q, 0, 7, 0, (size_t)1 << 60)); /* rows of nothing take no time */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(q + 2, 0, 1));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(q, 0, 13));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2(q, 0, SIZE_MAX));
	OK(cuMemsetD32_v2(q, 0x01020304, 12));
	OK(cuMemFree_v2(p));
}

static void pointers(CUcontext c)
{
	CUdeviceptr         p, q;
	CUcontext           of;
	void               *host;
	unsigned            type, managed;
	size_t              size;
	int                 own = 0;
	CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT};
	void               *out[] = {&type, &of};
	OK(cuMemAlloc_v2(&p, 1000));
	OK(cuMemGetAddressRange_v2(&q, &size, p + 999));
	TRUE(q == p && size == 1000);
	GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange_v2(&q, &size, (uintptr_t)&own));
	OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
	OK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_CONTEXT, p));
	TRUE(type == CU_MEMORYTYPE_DEVICE && of == c);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)&own));
	OK(cuPointerGetAttributes(2, which, out, (uintptr_t)&own));
	TRUE(type == 0 && of == NULL);
	OK(cuMemHostAlloc(&host, 16, CU_MEMHOSTALLOC_DEVICEMAP));
	OK(cuMemHostGetDevicePointer_v2(&q, host, 0));
	TRUE(q == (uintptr_t)host);
	OK(cuMemHostGetFlags(&type, host));
	TRUE(type == CU_MEMHOSTALLOC_DEVICEMAP);
	OK(cuMemAllocManaged(&q, 64, CU_MEM_ATTACH_GLOBAL));
	*(int *)(uintptr_t)q = 5;
	OK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, q));
	OK(cuMemPrefetchAsync(q, 64, 0, NULL));
	OK(cuMemcpy((uintptr_t)&own, q, sizeof own));
	TRUE(managed && own == 5);
	OK(cuMemFree_v2(q));
	GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(&own));
	OK(cuMemHostRegister_v2(&own, sizeof own, 0));
	GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(&own, sizeof own, 0));
	OK(cuMemHostUnregister(&own));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2((uintptr_t)host));
	OK(cuMemFreeHost(host));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(host));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(p + 4));
	OK(cuMemFree_v2(p));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(p));
	OK(cuMemFree_v2(0));
}

static void pools(void)
{
	CUmemoryPool pool;
	CUdeviceptr  p;
	uint64_t     used = 1, keep = 1 << 20;
	size_t       before, left, total;
	OK(cuDeviceGetDefaultMemPool(&pool, 0));
	OK(cuMemPoolSetAttribute(pool, 4, &keep));
	OK(cuMemGetInfo_v2(&before, &total));
	OK(cuMemAllocAsync(&p, 4096, NULL));
	OK(cuMemPoolGetAttribute(pool, 7, &used));
	OK(cuMemGetInfo_v2(&left, &total));
	TRUE(used == 4096 && before - left == 4096);
	OK(cuMemFreeAsync(p, NULL));
	OK(cuMemPoolGetAttribute(pool, 7, &used));
	TRUE(used == 0);
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&p, total + 1));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&p, SIZE_MAX));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(&p, 0));
	OK(cuMemAlloc_v2(&p, 64 << 20)); /* in pages of its own */
	OK(cuMemsetD8_v2(p + (64 << 20) - 8, 1, 8));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2(p + (64 << 20) - 8, 1, 9));
	OK(cuMemFree_v2(p));
}

/* ---- advice */

static int asked(int which, CUdeviceptr p, size_t size)
{
	int v;
	OK(cuMemRangeGetAttribute(&v, sizeof v, which, p, size));
	return v;
}

static void advice(void)
{
	enum { PAGE = 4096 };
	CUdeviceptr   m, again, plain, two[2];
	CUmemLocation device = {1, 0}, host = {2, 0}, node = {3, 0}, where[2] = {{1, 0}, {2, 0}};
	size_t        sizes[2] = {PAGE, PAGE}, first[2] = {0, 1}, four[] = {4, 12};
	int           list[3], type, which[] = {1, 3};
	void         *out[] = {&type, list};
	CUstream      s;
	CUmemoryPool  pool, now;
	OK(cuStreamCreate(&s, 0));
	OK(cuMemAllocManaged(&m, 4 * PAGE, 1));
	OK(cuMemAlloc_v2(&plain, PAGE));
	TRUE(asked(1, m, PAGE) == 0 && asked(2, m, PAGE) == -2 && asked(4, m, PAGE) == -2 && asked(5, m, PAGE) == 0);
	OK(cuMemAdvise_v2(m + PAGE, PAGE, 1, device));
	TRUE(asked(1, m + PAGE, PAGE) == 1 && asked(1, m, 2 * PAGE) == 0 && asked(1, m + PAGE, PAGE + 1) == 0);
	OK(cuMemAdvise_v2(m, 4 * PAGE, 1, device));
	TRUE(asked(1, m, 4 * PAGE) == 1);
	OK(cuMemAdvise_v2(m + 2 * PAGE, 1, 2, device)); /* the whole page */
	TRUE(asked(1, m, 4 * PAGE) == 0 && asked(1, m + 2 * PAGE, PAGE) == 0 && asked(1, m + 3 * PAGE, PAGE) == 1);
	OK(cuMemAdvise_v2(m, PAGE, 3, device));
	OK(cuMemAdvise(m + PAGE, PAGE, 3, -1));
	OK(cuMemAdvise_v2(m + 2 * PAGE, PAGE, 3, node));
	TRUE(asked(2, m, PAGE) == 0 && asked(5, m, PAGE) == 1 && asked(2, m + PAGE, PAGE) == -1 && asked(5, m + PAGE, PAGE) == 2);
	TRUE(asked(5, m + 2 * PAGE, PAGE) == 3 && asked(6, m + 2 * PAGE, PAGE) == 0 && asked(2, m, 2 * PAGE) == -2);
	OK(cuMemAdvise_v2(m, PAGE, 4, device));
	TRUE(asked(2, m, PAGE) == -2);
	OK(cuMemAdvise_v2(m, 2 * PAGE, 5, device));
	OK(cuMemAdvise_v2(m, PAGE, 5, host));
	OK(cuMemRangeGetAttributes(out, four, which, 2, m, PAGE));
	TRUE(type == 1 && list[0] == -1 && list[1] == 0 && list[2] == -2);
	OK(cuMemRangeGetAttribute(list, sizeof list, 3, m, 2 * PAGE));
	TRUE(list[0] == 0 && list[1] == -2);
	OK(cuMemAdvise_v2(m, PAGE, 6, device));
	OK(cuMemRangeGetAttribute(list, sizeof list, 3, m, 2 * PAGE));
	TRUE(list[0] == -2);
	OK(cuMemPrefetchAsync_v2(m, 4 * PAGE, device, 0, s));
	TRUE(asked(4, m, 4 * PAGE) == 0 && asked(7, m, 4 * PAGE) == 1);
	two[0] = m, two[1] = m + PAGE;
	OK(cuMemPrefetchBatchAsync(two, sizes, 2, where, first, 2, 0, s));
	TRUE(asked(4, m, PAGE) == 0 && asked(4, m + PAGE, PAGE) == -1 && asked(4, m + 2 * PAGE, PAGE) == 0);
	OK(cuMemDiscardBatchAsync(two, sizes, 2, 0, s));
	OK(cuMemDiscardAndPrefetchBatchAsync(two, sizes, 2, where, first, 1, 0, s));
	TRUE(asked(4, m, 2 * PAGE) == 0);

	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(&type, 4, 1, plain, PAGE));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(&type, 8, 1, m, PAGE));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(list, 6, 3, m, PAGE));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(&type, 4, 9, m, PAGE));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(&type, 4, 1, m, 5 * PAGE));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(NULL, 4, 1, m, PAGE));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAdvise_v2(m, PAGE, 7, device));
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemAdvise(m, PAGE, 3, 99));
	OK(cuMemAdvise(m, PAGE, 1, 99)); /* it has no place */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync_v2(m, PAGE, (CUmemLocation){0, 0}, 0, s));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemPrefetchAsync_v2(m, PAGE, device, 0, (CUstream)(void *)list));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(two, sizes, 2, where, first, 2, 0, NULL));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(two, sizes, 2, where, (size_t[]){1, 1}, 2, 0, s));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(two, sizes, 2, where, (size_t[]){0, 0}, 2, 0, s));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchBatchAsync(two, sizes, 1, where, first, 2, 0, s));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemDiscardBatchAsync(&plain, sizes, 1, 0, s));

	/* Other memory at the address has not been advised. */
	OK(cuMemFree_v2(m));
	OK(cuMemAllocManaged(&again, 4 * PAGE, 1));
	TRUE(asked(1, again, PAGE) == 0 && asked(4, again, PAGE) == -2);
	OK(cuMemFree_v2(again));
	OK(cuMemFree_v2(plain));

	OK(cuMemGetDefaultMemPool(&pool, &device, 1));
	OK(cuDeviceGetDefaultMemPool(&now, 0));
	TRUE(pool == now);
	OK(cuMemSetMemPool(&device, 1, pool));
	OK(cuMemGetMemPool(&now, &device, 1));
	TRUE(pool == now);
	OK(cuMemPoolGetAccess(&type, pool, &device));
	TRUE(type == 3);
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAccess(&type, pool, &host));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemGetMemPool(&now, &device, 5));
	OK(cuStreamDestroy_v2(s));
}

/* ---- batches of copies, words that streams wait for */

static void batches(void)
{
	CUdeviceptr        p, to[2], from[2];
	unsigned           a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, back[8];
	size_t             sizes[2] = {16, 8}, first[2] = {0, 1}, fail = 7;
	CUmemcpyAttributes how[2] = {{.order = 1}, {.order = 3}};
	CUstream           s;
	CUarray            array;
	OK(cuStreamCreate(&s, 0));
	OK(cuMemAlloc_v2(&p, sizeof back));
	to[0] = p, to[1] = p + 16, from[0] = (uintptr_t)a, from[1] = (uintptr_t)b;
	OK(cuMemcpyBatchAsync_v2(to, from, sizes, 2, how, first, 2, s));
	OK(cuMemcpyDtoH_v2(back, p, sizeof back));
	TRUE(back[0] == 1 && back[3] == 4 && back[4] == 5 && back[5] == 6);
	sizes[1] = 17;
	b[0] = 99;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyBatchAsync(to, from, sizes, 2, how, first, 1, &fail, s));
	TRUE(fail == 1);
	sizes[1] = 16;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyBatchAsync(to, from, sizes, 2, how, first, 1, &fail, NULL));
	TRUE(fail == SIZE_MAX);
	how[0].order = 0;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyBatchAsync_v2(to, from, sizes, 2, how, first, 1, s));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyBatchAsync_v2(to, from, sizes, 2, how + 1, (size_t[]){1}, 1, s));

	/* Rows of two texels into a corner of an array, and back. */
	CUDA_ARRAY_DESCRIPTOR d = {4, 2, CU_AD_FORMAT_UNSIGNED_INT32, 1};
	OK(cuArrayCreate_v2(&array, &d));
	CUDA_MEMCPY3D_BATCH_OP op = {.src = {1, .pointer = {.p = p}},
	                             .dst = {2, .array = {array, 2, 0, 0}},
	                             .width = 2,
	                             .height = 2,
	                             .depth = 1,
	                             .order = 1},
			       out = {.src = op.dst,
	                              .dst = {1, .pointer = {.p = (uintptr_t)back, .row = 4}},
	                              .width = 2,
	                              .height = 2,
	                              .depth = 1,
	                              .order = 2};
	OK(cuMemcpy3DBatchAsync_v2(1, &op, 0, s));
	memset(back, 0, sizeof back);
	OK(cuMemcpy3DBatchAsync_v2(1, &out, 0, s));
	TRUE(back[0] == 1 && back[1] == 2 && back[2] == 0 && back[4] == 3 && back[5] == 4);
	op.width = 3;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DBatchAsync(1, &op, &fail, 0, s));
	TRUE(fail == 0);
	out.dst.pointer.row = 1;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DBatchAsync_v2(1, &out, 0, s));
	OK(cuArrayDestroy(array));

	CUstreamBatchMemOpParams ops[3] = {{{.operation = 2, .address = p, .value = 40}},
	                                   {{.operation = 1, .address = p, .value = 40, .flags = 1}},
	                                   {{.operation = 5, .address = p + 8, .value = 1ull << 40}}};
	OK(cuStreamBatchMemOp_v2(s, 3, ops, 0));
	OK(cuStreamWaitValue32_v2(s, p, 39, 0));
	OK(cuStreamWaitValue32_v2(s, p, 8, 2));
	OK(cuStreamWaitValue32_v2(s, p, 40, 3));
	OK(cuStreamWaitValue64_v2(s, p + 8, 1ull << 40, 1));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32_v2(s, p, 41, 0));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue64_v2(s, p + 8, 41, 1));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32_v2(s, p, 7, 2));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32_v2(s, p, ~0u, 3));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32_v2(s, p + 2, 41, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32_v2(s, p, 41, 4));
	ops[1].operation = 9;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp_v2(s, 3, ops, 0));
	OK(cuMemFree_v2(p));
	OK(cuStreamDestroy_v2(s));
}

int main(void)
{
	CUcontext c = begin();
	boxes();
	pointers(c);
	pools();
	advice();
	batches();
	OK(cuCtxDestroy_v2(c));
	puts("done");
	return 0;
}
