/* image.c: arrays, copies from and to them, texture and surface objects: descriptions of the runtime become the driver's. */
#include "cudart/state.h"

#include <string.h>

/* ---- formats: of a channel of so many bits and a kind */

static const struct {
	int bits, kind, format;
} formats[] = {
	{8, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT8},
	{16, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT16},
	{32, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT32},
	{8, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT8},
	{16, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT16},
	{32, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT32},
	{16, cudaChannelFormatKindFloat, CU_AD_FORMAT_HALF},
	{32, cudaChannelFormatKindFloat, CU_AD_FORMAT_FLOAT},
};

/* Channels are alike and come in the order x, y, z, w; there are one, two or four. */
static CUresult format_of(const cudaChannelFormatDesc *d, int *format, unsigned *channels)
{
	const int bits[] = {d->x, d->y, d->z, d->w};
	unsigned  n = 0;
	while (n < 4 && bits[n] == d->x)
		n++;
	for (unsigned i = n; i < 4; i++)
		if (bits[i])
			return (CUresult)cudaErrorInvalidChannelDescriptor;
	*channels = n;
	for (u32 i = 0; i < PS_COUNT(formats); i++)
		if (formats[i].bits == d->x && formats[i].kind == d->f)
			return *format = formats[i].format, n == 3 ? (CUresult)cudaErrorInvalidChannelDescriptor : CUDA_SUCCESS;
	return (CUresult)cudaErrorInvalidChannelDescriptor;
}

static cudaChannelFormatDesc desc_of(int format, unsigned channels)
{
	cudaChannelFormatDesc d = {.f = cudaChannelFormatKindNone};
	for (u32 i = 0; i < PS_COUNT(formats); i++)
		if (formats[i].format == format) {
			int b = formats[i].bits;
			d = (cudaChannelFormatDesc){b, channels > 1 ? b : 0, channels > 2 ? b : 0, channels > 3 ? b : 0,
			                            formats[i].kind};
		}
	return d;
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
	return (cudaChannelFormatDesc){x, y, z, w, kind};
}

/* ---- arrays */

static CUresult array_new(cudaArray_t *out, const cudaChannelFormatDesc *d, cudaExtent size, unsigned flags)
{
	if (!out || !d)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_ARRAY3D_DESCRIPTOR a = {.width = size.width, .height = size.height, .depth = size.depth, .flags = flags};
	CUresult                r = format_of(d, &a.format, &a.channels);
	return r == CUDA_SUCCESS ? cuArray3DCreate_v2(out, &a) : r;
}

cudaError_t cudaMallocArray(cudaArray_t *out, const cudaChannelFormatDesc *d, size_t width, size_t height, unsigned flags)
{
	RUNTIME_CALL(array_new(out, d, (cudaExtent){width, height, 0}, flags));
}
cudaError_t cudaMalloc3DArray(cudaArray_t *out, const cudaChannelFormatDesc *d, cudaExtent size, unsigned flags)
{
	RUNTIME_CALL(array_new(out, d, size, flags));
}
cudaError_t cudaFreeArray(cudaArray_t a) { RUNTIME_CALL(a ? cuArrayDestroy(a) : CUDA_SUCCESS); }

static CUresult info(cudaChannelFormatDesc *d, cudaExtent *size, unsigned *flags, cudaArray_t a)
{
	CUDA_ARRAY3D_DESCRIPTOR own;
	CUresult                r = cuArray3DGetDescriptor_v2(&own, a);
	if (r != CUDA_SUCCESS)
		return r;
	if (d)
		*d = desc_of(own.format, own.channels);
	if (size)
		*size = (cudaExtent){own.width, own.height, own.depth};
	if (flags)
		*flags = own.flags;
	return CUDA_SUCCESS;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *d, cudaExtent *size, unsigned *flags, cudaArray_t a)
{
	RUNTIME_CALL(info(d, size, flags, a));
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *out, cudaArray_t a)
{
	RUNTIME_CALL(out ? info(out, NULL, NULL, a) : CUDA_ERROR_INVALID_VALUE);
}

static CUresult mipmap_new(cudaMipmappedArray_t *out, const cudaChannelFormatDesc *d, cudaExtent size, unsigned levels,
                           unsigned flags)
{
	if (!out || !d)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_ARRAY3D_DESCRIPTOR a = {.width = size.width, .height = size.height, .depth = size.depth, .flags = flags};
	CUresult                r = format_of(d, &a.format, &a.channels);
	return r == CUDA_SUCCESS ? cuMipmappedArrayCreate(out, &a, levels) : r;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out, const cudaChannelFormatDesc *d, cudaExtent size, unsigned levels,
                                     unsigned flags)
{
	RUNTIME_CALL(mipmap_new(out, d, size, levels, flags));
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m) { RUNTIME_CALL(m ? cuMipmappedArrayDestroy(m) : CUDA_SUCCESS); }
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_t m, unsigned level)
{
	RUNTIME_CALL(cuMipmappedArrayGetLevel(out, m, level));
}
cudaError_t cudaArrayGetSparseProperties(void *out, cudaArray_t a) { RUNTIME_CALL(cuArrayGetSparseProperties(out, a)); }
cudaError_t cudaMipmappedArrayGetSparseProperties(void *out, cudaMipmappedArray_t m)
{
	RUNTIME_CALL(cuMipmappedArrayGetSparseProperties(out, m));
}
cudaError_t cudaArrayGetMemoryRequirements(void *out, cudaArray_t a, int d)
{
	RUNTIME_CALL(cuArrayGetMemoryRequirements(out, a, d));
}
cudaError_t cudaMipmappedArrayGetMemoryRequirements(void *out, cudaMipmappedArray_t m, int d)
{
	RUNTIME_CALL(cuMipmappedArrayGetMemoryRequirements(out, m, d));
}
cudaError_t cudaArrayGetPlane(cudaArray_t *out, cudaArray_t a, unsigned plane) { RUNTIME_CALL(cuArrayGetPlane(out, a, plane)); }

/* ---- copies; x and widths are bytes */

/* One side: an array and a place in it, or memory with a pitch. */
typedef struct Side {
	cudaArray_t array;
	const void *p;
	size_t      pitch, x, y;
} Side;

static CUresult copy(Side to, Side from, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t s)
{
	CUDA_MEMCPY3D c;
	if ((unsigned)kind > cudaMemcpyDefault)
		return (CUresult)cudaErrorInvalidMemcpyDirection;
	CUresult r = copy_line((void *)(uintptr_t)to.p, from.p, width, kind, &c);
	c.src_array = from.array;
	c.src_type = from.array ? CU_MEMORYTYPE_ARRAY : c.src_type;
	c.src_x = from.x, c.src_y = from.y, c.src_pitch = from.pitch;
	c.dst_array = to.array;
	c.dst_type = to.array ? CU_MEMORYTYPE_ARRAY : c.dst_type;
	c.dst_x = to.x, c.dst_y = to.y, c.dst_pitch = to.pitch;
	c.height = height;
	return r == CUDA_SUCCESS ? cuMemcpy3DAsync_v2(&c, s) : r;
}

/* `size` bytes from a place on, row after row: what is left of the first row, whole rows, and the beginning of the last. */
static CUresult run(Side at, void *p, size_t size, bool to_array, cudaMemcpyKind kind, cudaStream_t s)
{
	cudaArray_t             array = at.array;
	size_t                  x = at.x, y = at.y;
	CUDA_ARRAY3D_DESCRIPTOR d = {0};
	CUresult                r = cuArray3DGetDescriptor_v2(&d, array);
	cudaChannelFormatDesc   c = r == CUDA_SUCCESS ? desc_of(d.format, d.channels) : (cudaChannelFormatDesc){0};
	size_t                  row = d.width * (size_t)(c.x + c.y + c.z + c.w) / 8;
	if (r == CUDA_SUCCESS && x > row)
		r = CUDA_ERROR_INVALID_VALUE;
	while (size && r == CUDA_SUCCESS) {
		bool   whole = x == 0 && size >= row;
		size_t rows = whole ? size / row : 1, width = whole ? row : PS_MIN(size, row - x);
		Side   texels = {.array = array, .x = x, .y = y}, bytes = {.p = p, .pitch = width};
		r = copy(to_array ? texels : bytes, to_array ? bytes : texels, width, rows, kind, s);
		p = (char *)p + width * rows;
		size -= width * rows;
		x = 0;
		y += rows;
	}
	return r;
}

#define ARRAY(a, x, y)   ((Side){(a), NULL, 0, (x), (y)})
#define MEMORY(p, pitch) ((Side){NULL, (p), (pitch), 0, 0})

/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                                cudaMemcpyKind kind)
{
	RUNTIME_CALL(copy(ARRAY(to, x, y), MEMORY(from, pitch), width, height, kind, NULL));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t s)
{
	RUNTIME_CALL(copy(ARRAY(to, x, y), MEMORY(from, pitch), width, height, kind, s));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width, size_t height,
                                  cudaMemcpyKind kind)
{
	RUNTIME_CALL(copy(MEMORY(to, pitch), ARRAY(from, x, y), width, height, kind, NULL));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t s)
{
	RUNTIME_CALL(copy(MEMORY(to, pitch), ARRAY(from, x, y), width, height, kind, s));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind)
{
	RUNTIME_CALL(copy(ARRAY(to, to_x, to_y), ARRAY(from, x, y), width, height, kind, NULL));
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind)
{
	RUNTIME_CALL(run(ARRAY(to, x, y), (void *)(uintptr_t)from, size, true, kind, NULL));
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind,
                                   cudaStream_t s)
{
	RUNTIME_CALL(run(ARRAY(to, x, y), (void *)(uintptr_t)from, size, true, kind, s));
}
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind)
{
	RUNTIME_CALL(run(ARRAY(from, x, y), to, size, false, kind, NULL));
}
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind,
                                     cudaStream_t s)
{
	RUNTIME_CALL(run(ARRAY(from, x, y), to, size, false, kind, s));
}

/* ---- objects */

static CUresult resource(const cudaResourceDesc *from, CUDA_RESOURCE_DESC *out)
{
	if (!from)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (CUDA_RESOURCE_DESC){.type = from->resType};
#if PS_CUDART >= 13
	out->flags = from->flags;
#endif
	if (from->resType != CU_RESOURCE_TYPE_LINEAR && from->resType != CU_RESOURCE_TYPE_PITCH2D) {
		out->array = from->res.array;
		return CUDA_SUCCESS;
	}
	bool rows = from->resType == CU_RESOURCE_TYPE_PITCH2D;
	out->texels = (CUtexels){.device = (CUdeviceptr)(uintptr_t)from->res.memory.devPtr,
	                         .width = from->res.memory.size,
	                         .height = rows ? from->res.memory.height : 0,
	                         .pitch = rows ? from->res.memory.pitch : 0};
	return format_of(&from->res.memory.desc, &out->texels.format, &out->texels.channels);
}

static void resource_back(const CUDA_RESOURCE_DESC *from, cudaResourceDesc *out)
{
	*out = (cudaResourceDesc){.resType = from->type};
	if (from->type != CU_RESOURCE_TYPE_LINEAR && from->type != CU_RESOURCE_TYPE_PITCH2D) {
		out->res.array = from->array;
		return;
	}
	const CUtexels *t = &from->texels;
	out->res.memory.devPtr = (void *)(uintptr_t)t->device;
	out->res.memory.desc = desc_of(t->format, t->channels);
	out->res.memory.size = t->width;
	out->res.memory.height = t->height;
	out->res.memory.pitch = t->pitch;
}

static CUresult texture_new(CUtexObject *out, const cudaResourceDesc *from, const cudaTextureDesc *how,
                            const cudaResourceViewDesc *view)
{
	CUDA_RESOURCE_DESC      r;
	CUDA_RESOURCE_VIEW_DESC v = {0};
	if (!how)
		return CUDA_ERROR_INVALID_VALUE;
	if (view)
		memcpy(&v, view, sizeof *view); /* what CUDA 13 has more is behind it */
	CUDA_TEXTURE_DESC t = {.address = {how->addressMode[0], how->addressMode[1], how->addressMode[2]},
	                       .filter = how->filterMode,
	                       .flags = (how->readMode ? 0u : CU_TRSF_READ_AS_INTEGER) |
	                                (how->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
	                                (how->sRGB ? CU_TRSF_SRGB : 0u),
	                       .max_anisotropy = how->maxAnisotropy,
	                       .mipmap_filter = how->mipmapFilterMode,
	                       .mipmap_bias = how->mipmapLevelBias,
	                       .min_mipmap = how->minMipmapLevelClamp,
	                       .max_mipmap = how->maxMipmapLevelClamp};
	memcpy(t.border, how->borderColor, sizeof t.border);
	CUresult result = resource(from, &r);
	return result == CUDA_SUCCESS ? cuTexObjectCreate(out, &r, &t, view ? &v : NULL) : result;
}

cudaError_t cudaCreateTextureObject(CUtexObject *out, const cudaResourceDesc *from, const cudaTextureDesc *how,
                                    const cudaResourceViewDesc *view)
{
	RUNTIME_CALL(texture_new(out, from, how, view));
}
cudaError_t cudaDestroyTextureObject(CUtexObject t) { RUNTIME_CALL(cuTexObjectDestroy(t)); }

static CUresult resource_of(u64 object, bool surface, cudaResourceDesc *out)
{
	CUDA_RESOURCE_DESC d;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = surface ? cuSurfObjectGetResourceDesc(&d, object) : cuTexObjectGetResourceDesc(&d, object);
	if (r == CUDA_SUCCESS)
		resource_back(&d, out);
	return r;
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *out, CUtexObject t) { RUNTIME_CALL(resource_of(t, false, out)); }
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *out, CUsurfObject s) { RUNTIME_CALL(resource_of(s, true, out)); }

static CUresult texture_of(CUtexObject object, cudaTextureDesc *out)
{
	CUDA_TEXTURE_DESC t;
	CUresult          r = out ? cuTexObjectGetTextureDesc(&t, object) : CUDA_ERROR_INVALID_VALUE;
	if (r != CUDA_SUCCESS)
		return r;
	*out = (cudaTextureDesc){.addressMode = {t.address[0], t.address[1], t.address[2]},
	                         .filterMode = t.filter,
	                         .readMode = !(t.flags & CU_TRSF_READ_AS_INTEGER),
	                         .sRGB = (t.flags & CU_TRSF_SRGB) != 0,
	                         .normalizedCoords = (t.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
	                         .maxAnisotropy = t.max_anisotropy,
	                         .mipmapFilterMode = t.mipmap_filter,
	                         .mipmapLevelBias = t.mipmap_bias,
	                         .minMipmapLevelClamp = t.min_mipmap,
	                         .maxMipmapLevelClamp = t.max_mipmap};
	memcpy(out->borderColor, t.border, sizeof t.border);
	return CUDA_SUCCESS;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *out, CUtexObject t) { RUNTIME_CALL(texture_of(t, out)); }

static CUresult view_of(CUtexObject object, cudaResourceViewDesc *out)
{
	CUDA_RESOURCE_VIEW_DESC v;
	CUresult                r = out ? cuTexObjectGetResourceViewDesc(&v, object) : CUDA_ERROR_INVALID_VALUE;
	if (r == CUDA_SUCCESS)
		memcpy(out, &v, sizeof *out);
	return r;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *out, CUtexObject t) { RUNTIME_CALL(view_of(t, out)); }

static CUresult surface_new(CUsurfObject *out, const cudaResourceDesc *from)
{
	CUDA_RESOURCE_DESC r;
	CUresult           result = resource(from, &r);
	return result == CUDA_SUCCESS ? cuSurfObjectCreate(out, &r) : result;
}

cudaError_t cudaCreateSurfaceObject(CUsurfObject *out, const cudaResourceDesc *from) { RUNTIME_CALL(surface_new(out, from)); }
cudaError_t cudaDestroySurfaceObject(CUsurfObject s) { RUNTIME_CALL(cuSurfObjectDestroy(s)); }
