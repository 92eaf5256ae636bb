/* array.c: CUDA arrays: texels in rows, which programs reach by copies and kernels by texture and surface objects (texture.c).
 *
 * Their memory is in the table of memory under a kind of its own, so copies are checked as all copies are, no kernel has a pointer to it,
 * and it goes with its context. A layer or a plane is height rows; a 1D array's layer is one row. */
#include "cuda/state.h"

static const struct {
	int         format;
	unsigned    bytes;
	const char *type;
} formats[] = {
	{CU_AD_FORMAT_UNSIGNED_INT8, 1, "u8"}, {CU_AD_FORMAT_UNSIGNED_INT16, 2, "u16"}, {CU_AD_FORMAT_UNSIGNED_INT32, 4, "u32"},
	{CU_AD_FORMAT_SIGNED_INT8, 1, "i8"},   {CU_AD_FORMAT_SIGNED_INT16, 2, "i16"},   {CU_AD_FORMAT_SIGNED_INT32, 4, "i32"},
	{CU_AD_FORMAT_HALF, 2, "f16"},         {CU_AD_FORMAT_FLOAT, 4, "f32"},
};

const char *format_type(int format, unsigned *bytes)
{
	for (u32 i = 0; i < PS_COUNT(formats); i++)
		if (formats[i].format == format)
			return *bytes = formats[i].bytes, formats[i].type;
	return NULL;
}

static bool is_array(CUarray a) { return object_is(a, OBJECT_ARRAY); }

/* Do the sizes make one of the shapes that there are? */
static bool has_shape(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	bool layered = d->flags & CUDA_ARRAY3D_LAYERED, cube = d->flags & CUDA_ARRAY3D_CUBEMAP;
	if (!d->width || d->width > 1 << 17 || d->height > 1 << 16 || d->depth > 1 << 14)
		return false;
	if (cube)
		return d->width == d->height && (layered ? d->depth && d->depth % 6 == 0 : d->depth == 6);
	return layered ? d->depth != 0 : !d->depth || d->height != 0;
}

static CUresult create(CUcontext c, CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	unsigned bytes;
	u64      base;
	if (!out || !d || !has_shape(d) || (d->channels != 1 && d->channels != 2 && d->channels != 4) || d->flags & ~0x3fu)
		return CUDA_ERROR_INVALID_VALUE;
	if (!format_type(d->format, &bytes))
		return unsupported("an array of this format");
	u64      row = (u64)d->width * d->channels * bytes;
	CUarray  a = object_new(OBJECT_ARRAY, c, sizeof *a);
	CUresult r = a ? alloc_new(ALLOC_ARRAY, c, row * PS_MAX(d->height, (size_t)1) * PS_MAX(d->depth, (size_t)1), 0, &base)
	               : CUDA_ERROR_OUT_OF_MEMORY;
	if (r != CUDA_SUCCESS) {
		object_free(a);
		return r;
	}
	a->d = *d;
	a->base = base;
	a->row = row;
	a->rows = PS_MAX(d->height, (size_t)1);
	a->slices = PS_MAX(d->depth, (size_t)1);
	*out = a;
	return CUDA_SUCCESS;
}

CUresult cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	DRIVER_CALL(IN_CONTEXT, create(c.context, out, d));
}

static CUresult create_flat(CUcontext c, CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	return create(
		c, out,
		&(CUDA_ARRAY3D_DESCRIPTOR){.width = d->width, .height = d->height, .format = d->format, .channels = d->channels});
}

CUresult cuArrayCreate_v2(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
	DRIVER_CALL(IN_CONTEXT, create_flat(c.context, out, d));
}

void array_destroy(CUarray a)
{
	Alloc *memory = alloc_at(a->base);
	if (memory)
		alloc_release(memory);
	object_free(a);
}

static CUresult destroy(CUarray a)
{
	if (!is_array(a))
		return CUDA_ERROR_INVALID_HANDLE;
	array_destroy(a);
	return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray a) { DRIVER_CALL(IN_CONTEXT, destroy(a)); }

static CUresult describe(CUDA_ARRAY_DESCRIPTOR *flat, CUDA_ARRAY3D_DESCRIPTOR *out, CUarray a)
{
	if (!flat && !out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_array(a))
		return CUDA_ERROR_INVALID_HANDLE;
	if (flat)
		*flat = (CUDA_ARRAY_DESCRIPTOR){a->d.width, a->d.height, a->d.format, a->d.channels};
	if (out)
		*out = a->d;
	return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *out, CUarray a) { DRIVER_CALL(IN_CONTEXT, describe(out, NULL, a)); }
CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray a) { DRIVER_CALL(IN_CONTEXT, describe(NULL, out, a)); }

/* ---- copies of `size` bytes, from or to a place in an array that is given in bytes of its row */

typedef struct Place {
	CUarray array; /* NULL: memory */
	u64     at;
	bool    host;
} Place;

static CUresult copy(CUcontext c, Place to, Place from, size_t size, CUstream s)
{
	unsigned      memory[] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST};
	CUDA_MEMCPY3D p = {.src_type = from.array ? CU_MEMORYTYPE_ARRAY : memory[from.host],
	                   .src_array = from.array,
	                   .src_x = from.array ? from.at : 0,
	                   .src_device = from.at,
	                   .src_host = (const void *)(uintptr_t)from.at,
	                   .dst_type = to.array ? CU_MEMORYTYPE_ARRAY : memory[to.host],
	                   .dst_array = to.array,
	                   .dst_x = to.array ? to.at : 0,
	                   .dst_device = to.at,
	                   .dst_host = (void *)(uintptr_t)to.at,
	                   .width = size,
	                   .height = 1,
	                   .depth = 1};
	Work          w = {.kind = WORK_COPY};
	CUresult      r = copy_box(&p, &w.copy);
	return r == CUDA_SUCCESS ? stream_submit(c, s, &w) : r;
}

#define ARRAY(a, offset) ((Place){.array = (a), .at = (offset)})
#define DEVICE(p)        ((Place){.at = (p)})
#define HOST(p)          ((Place){.at = (u64)(uintptr_t)(p), .host = true})

CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, copy(c.context, ARRAY(to, to_offset), ARRAY(from, from_offset), size, NULL));
}
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, copy(c.context, DEVICE(to), ARRAY(from, offset), size, NULL));
}
CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, copy(c.context, HOST(to), ARRAY(from, offset), size, NULL));
}
CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t size, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, copy(c.context, HOST(to), ARRAY(from, offset), size, s));
}
CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, copy(c.context, ARRAY(to, offset), DEVICE(from), size, NULL));
}
CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, copy(c.context, ARRAY(to, offset), HOST(from), size, NULL));
}
CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t size, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, copy(c.context, ARRAY(to, offset), HOST(from), size, s));
}
