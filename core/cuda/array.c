/* array.c: CUDA arrays: texels in rows, which programs reach by copies and kernels by texture and surface objects (texture.c).
 *
 * Their memory is in the table of memory under a kind of its own, so copies are checked as all copies are, no kernel has a pointer to it,
 * and it goes with its context. A layer or a plane is height rows; a 1D array's layer is one row. */
#include "cuda/state.h"

#include <stdlib.h>

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

static CUresult is_possible(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	unsigned bytes;
	if (!d || !has_shape(d) || (d->channels != 1 && d->channels != 2 && d->channels != 4) || d->flags & ~0x3fu)
		return CUDA_ERROR_INVALID_VALUE;
	return format_type(d->format, &bytes) ? CUDA_SUCCESS : unsupported("an array of this format");
}

static u64 row_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	unsigned bytes;
	format_type(d->format, &bytes);
	return (u64)d->width * d->channels * bytes;
}

static u64 all_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	return row_bytes(d) * PS_MAX(d->height, (size_t)1) * PS_MAX(d->depth, (size_t)1);
}

/* Over memory that is there. */
static CUarray array_new(CUcontext c, const CUDA_ARRAY3D_DESCRIPTOR *d, u64 base)
{
	CUarray a = object_new(OBJECT_ARRAY, c, sizeof *a);
	if (!a)
		return NULL;
	a->d = *d;
	a->base = base;
	a->row = row_bytes(d);
	a->rows = PS_MAX(d->height, (size_t)1);
	a->slices = PS_MAX(d->depth, (size_t)1);
	return a;
}

static CUresult create(CUcontext c, CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	u64      base;
	CUresult r = out ? is_possible(d) : CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		r = alloc_new(ALLOC_ARRAY, c, all_bytes(d), 0, &base);
	if (r != CUDA_SUCCESS)
		return r;
	*out = array_new(c, d, base);
	if (!*out)
		alloc_release(alloc_at(base));
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
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
	Alloc *memory = a->levels ? NULL : alloc_at(a->base);
	if (memory)
		alloc_release(memory);
	object_free(a);
}

static CUresult destroy(CUarray a)
{
	if (!is_array(a) || a->levels) /* a level goes with its mipmapped array */
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

/* ---- mipmapped arrays */

/* The next level's. Layers, and the faces of cubes, are as many in each. */
static CUDA_ARRAY3D_DESCRIPTOR half(CUDA_ARRAY3D_DESCRIPTOR d)
{
	d.width = PS_MAX(d.width / 2, (size_t)1);
	d.height = d.height ? PS_MAX(d.height / 2, (size_t)1) : 0;
	if (d.depth && !(d.flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)))
		d.depth = PS_MAX(d.depth / 2, (size_t)1);
	return d;
}

static unsigned most_levels(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	bool layers = d->flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
	return u64_log2(PS_MAX(PS_MAX(d->width, d->height), layers ? 0 : d->depth)) + 1;
}

void mipmap_destroy(CUmipmappedArray m)
{
	Alloc *memory = alloc_at(m->base);
	for (u32 i = 0; i < m->n; i++)
		object_free(m->level[i]);
	if (memory)
		alloc_release(memory);
	free(m->level);
	object_free(m);
}

static CUresult mipmap_fill(CUcontext c, CUmipmappedArray m, unsigned levels)
{
	CUDA_ARRAY3D_DESCRIPTOR d = m->d;
	for (unsigned i = 0; i < levels; i++, d = half(d))
		m->bytes += all_bytes(&d);
	CUresult r = alloc_new(ALLOC_ARRAY, c, m->bytes, 0, &m->base);
	u64      at = m->base;
	d = m->d;
	for (; r == CUDA_SUCCESS && m->n < levels; m->n++, d = half(d)) {
		m->level[m->n] = array_new(c, &d, at);
		if (!m->level[m->n])
			return CUDA_ERROR_OUT_OF_MEMORY;
		m->level[m->n]->levels = m;
		at += all_bytes(&d);
	}
	return r;
}

static CUresult mipmap_create(CUcontext c, CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
	CUresult r = out ? is_possible(d) : CUDA_ERROR_INVALID_VALUE;
	if (r != CUDA_SUCCESS)
		return r;
	levels = PS_MIN(PS_MAX(levels, 1u), most_levels(d));
	CUmipmappedArray m = object_new(OBJECT_MIPMAP, c, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->d = *d;
	m->level = calloc(levels, sizeof *m->level);
	r = m->level ? mipmap_fill(c, m, levels) : CUDA_ERROR_OUT_OF_MEMORY;
	if (r == CUDA_SUCCESS)
		*out = m;
	else
		mipmap_destroy(m);
	return r;
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
	DRIVER_CALL(IN_CONTEXT, mipmap_create(c.context, out, d, levels));
}

static bool is_mipmap(CUmipmappedArray m) { return object_is(m, OBJECT_MIPMAP); }

static CUresult mipmap_free(CUmipmappedArray m)
{
	if (!is_mipmap(m))
		return CUDA_ERROR_INVALID_HANDLE;
	mipmap_destroy(m);
	return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray m) { DRIVER_CALL(IN_CONTEXT, mipmap_free(m)); }

static CUresult level_of(CUarray *out, CUmipmappedArray m, unsigned level)
{
	if (!is_mipmap(m))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!out || level >= m->n)
		return CUDA_ERROR_INVALID_VALUE;
	*out = m->level[level];
	return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray *out, CUmipmappedArray m, unsigned level)
{
	DRIVER_CALL(IN_CONTEXT, level_of(out, m, level));
}

/* Nothing is sparse, is given memory later, or has planes. */
CUresult cuArrayGetSparseProperties(void *out, CUarray a)
{
	DRIVER_CALL(IN_CONTEXT, ((void)out, is_array(a) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE));
}
CUresult cuMipmappedArrayGetSparseProperties(void *out, CUmipmappedArray m)
{
	DRIVER_CALL(IN_CONTEXT, ((void)out, is_mipmap(m) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE));
}
CUresult cuArrayGetMemoryRequirements(void *out, CUarray a, CUdevice d)
{
	DRIVER_CALL(IN_CONTEXT, ((void)out, (void)d, is_array(a) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE));
}
CUresult cuMipmappedArrayGetMemoryRequirements(void *out, CUmipmappedArray m, CUdevice d)
{
	DRIVER_CALL(IN_CONTEXT, ((void)out, (void)d, is_mipmap(m) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE));
}
CUresult cuArrayGetPlane(CUarray *out, CUarray a, unsigned plane)
{
	DRIVER_CALL(IN_CONTEXT, ((void)out, (void)plane, is_array(a) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE));
}

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
