/* copy.c: cudaMemcpy… and cudaMemset…: each becomes one call of the driver with the kinds of memory that its direction names. */
#include "cudart/state.h"

#define AT(p) ((CUdeviceptr)(uintptr_t)(p))

/* The kinds of memory of both sides. */
static CUresult sides(cudaMemcpyKind kind, unsigned *from, unsigned *to)
{
	static const u8 type[][2] = {
		[cudaMemcpyHostToHost] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST},
		[cudaMemcpyHostToDevice] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE},
		[cudaMemcpyDeviceToHost] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST},
		[cudaMemcpyDeviceToDevice] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE},
		[cudaMemcpyDefault] = {CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED},
	};
	if ((unsigned)kind >= PS_COUNT(type))
		return (CUresult)cudaErrorInvalidMemcpyDirection;
	*from = type[kind][0];
	*to = type[kind][1];
	return CUDA_SUCCESS;
}

/* ---- lines and rectangles */

typedef struct Rows {
	void       *to;
	const void *from;
	size_t      to_pitch, from_pitch, width, height;
} Rows;

static CUresult rows_params(const Rows *p, cudaMemcpyKind kind, CUDA_MEMCPY3D *out)
{
	*out = (CUDA_MEMCPY3D){.src_host = p->from,
	                       .src_device = AT(p->from),
	                       .src_pitch = p->from_pitch,
	                       .dst_host = p->to,
	                       .dst_device = AT(p->to),
	                       .dst_pitch = p->to_pitch,
	                       .width = p->width,
	                       .height = p->height,
	                       .depth = 1};
	if (p->height > 1 && (p->from_pitch < p->width || p->to_pitch < p->width))
		return (CUresult)cudaErrorInvalidPitchValue;
	return sides(kind, &out->src_type, &out->dst_type);
}

CUresult copy_line(void *to, const void *from, size_t size, cudaMemcpyKind kind, CUDA_MEMCPY3D *out)
{
	return rows_params(&(Rows){to, from, size, size, size, 1}, kind, out);
}

static CUresult rows(Rows p, cudaMemcpyKind kind, cudaStream_t s)
{
	CUDA_MEMCPY3D c;
	CUresult      r = rows_params(&p, kind, &c);
	return r == CUDA_SUCCESS ? cuMemcpy3DAsync_v2(&c, s) : r;
}

static CUresult line(void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t s)
{
	return rows((Rows){to, from, size, size, size, 1}, kind, s);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind)
{
	RUNTIME_CALL(line(to, from, size, kind, NULL));
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t s)
{
	RUNTIME_CALL(line(to, from, size, kind, s));
}
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind)
{
	RUNTIME_CALL(rows((Rows){to, from, to_pitch, from_pitch, width, height}, kind, NULL));
}
/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t s)
{
	RUNTIME_CALL(rows((Rows){to, from, to_pitch, from_pitch, width, height}, kind, s));
}

static CUresult peer(void *to, int to_device, const void *from, int from_device, size_t size, cudaStream_t s)
{
	int      n;
	CUresult r = cuDeviceGetCount(&n);
	if (r != CUDA_SUCCESS)
		return r;
	if (to_device < 0 || to_device >= n || from_device < 0 || from_device >= n)
		return CUDA_ERROR_INVALID_DEVICE;
	return line(to, from, size, cudaMemcpyDeviceToDevice, s);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
	RUNTIME_CALL(peer(to, to_device, from, from_device, size, NULL));
}
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size, cudaStream_t s)
{
	RUNTIME_CALL(peer(to, to_device, from, from_device, size, s));
}

/* ---- boxes */

static size_t format_bytes(int format)
{
	return format == CU_AD_FORMAT_UNSIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT8                                     ? 1
	       : format == CU_AD_FORMAT_UNSIGNED_INT32 || format == CU_AD_FORMAT_SIGNED_INT32 || format == CU_AD_FORMAT_FLOAT ? 4
	                                                                                                                      : 2;
}

/* Bytes of a texel of the array; widths and places are in texels where an array takes part. */
static CUresult texel_of(cudaArray_t array, size_t *out)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	CUresult                r = array ? cuArray3DGetDescriptor_v2(&d, array) : CUDA_SUCCESS;
	if (array && r == CUDA_SUCCESS)
		*out = (size_t)d.channels * format_bytes(d.format);
	return r;
}

CUresult copy_params(const cudaMemcpy3DParms *p, CUDA_MEMCPY3D *out)
{
	size_t texel = 1;
	if (!p || (p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr))
		return CUDA_ERROR_INVALID_VALUE;
	*out = (CUDA_MEMCPY3D){.src_x = p->srcPos.x,
	                       .src_y = p->srcPos.y,
	                       .src_z = p->srcPos.z,
	                       .src_host = p->srcPtr.ptr,
	                       .src_device = AT(p->srcPtr.ptr),
	                       .src_array = p->srcArray,
	                       .src_pitch = p->srcPtr.pitch,
	                       .src_height = p->srcPtr.ysize,
	                       .dst_x = p->dstPos.x,
	                       .dst_y = p->dstPos.y,
	                       .dst_z = p->dstPos.z,
	                       .dst_host = p->dstPtr.ptr,
	                       .dst_device = AT(p->dstPtr.ptr),
	                       .dst_array = p->dstArray,
	                       .dst_pitch = p->dstPtr.pitch,
	                       .dst_height = p->dstPtr.ysize,
	                       .width = p->extent.width,
	                       .height = p->extent.height,
	                       .depth = p->extent.depth};
	CUresult r = sides(p->kind, &out->src_type, &out->dst_type);
	if (r == CUDA_SUCCESS)
		r = texel_of(p->srcArray, &texel);
	if (r == CUDA_SUCCESS)
		r = texel_of(p->dstArray, &texel);
	if (p->srcArray)
		out->src_type = CU_MEMORYTYPE_ARRAY, out->src_x *= texel;
	if (p->dstArray)
		out->dst_type = CU_MEMORYTYPE_ARRAY, out->dst_x *= texel;
	if (p->srcArray || p->dstArray)
		out->width *= texel;
	return r;
}

static cudaPitchedPtr pitched(unsigned type, const void *host, CUdeviceptr device, size_t pitch, size_t height)
{
	void *p = type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)host : (void *)(uintptr_t)device;
	return type == CU_MEMORYTYPE_ARRAY ? (cudaPitchedPtr){0} : (cudaPitchedPtr){p, pitch, pitch, height};
}

/* What copy_params has made of it. */
CUresult copy_params_back(const CUDA_MEMCPY3D *c, cudaMemcpy3DParms *out)
{
	bool     any = c->src_type == CU_MEMORYTYPE_UNIFIED || c->dst_type == CU_MEMORYTYPE_UNIFIED;
	bool     from_array = c->src_type == CU_MEMORYTYPE_ARRAY, to_array = c->dst_type == CU_MEMORYTYPE_ARRAY;
	size_t   texel = 1;
	CUresult r = from_array ? texel_of(c->src_array, &texel) : to_array ? texel_of(c->dst_array, &texel) : CUDA_SUCCESS;
	if (r != CUDA_SUCCESS)
		return r;
	*out = (cudaMemcpy3DParms){.srcArray = from_array ? c->src_array : NULL,
	                           .srcPos = {c->src_x / (from_array ? texel : 1), c->src_y, c->src_z},
	                           .srcPtr = pitched(c->src_type, c->src_host, c->src_device, c->src_pitch, c->src_height),
	                           .dstArray = to_array ? c->dst_array : NULL,
	                           .dstPos = {c->dst_x / (to_array ? texel : 1), c->dst_y, c->dst_z},
	                           .dstPtr = pitched(c->dst_type, c->dst_host, c->dst_device, c->dst_pitch, c->dst_height),
	                           .extent = {c->width / texel, c->height, c->depth},
	                           .kind = any                                 ? cudaMemcpyDefault
	                                   : c->src_type != CU_MEMORYTYPE_HOST ? c->dst_type != CU_MEMORYTYPE_HOST
	                                                                                 ? cudaMemcpyDeviceToDevice
	                                                                                 : cudaMemcpyDeviceToHost
	                                   : c->dst_type != CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice
	                                                                       : cudaMemcpyHostToHost};
	return CUDA_SUCCESS;
}

static CUresult box(const cudaMemcpy3DParms *p, cudaStream_t s)
{
	CUDA_MEMCPY3D c;
	CUresult      r = copy_params(p, &c);
	return r == CUDA_SUCCESS ? cuMemcpy3DAsync_v2(&c, s) : r;
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) { RUNTIME_CALL(box(p, NULL)); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t s) { RUNTIME_CALL(box(p, s)); }

static CUresult peer_box(const cudaMemcpy3DPeerParms *p, cudaStream_t s)
{
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	return box(&(cudaMemcpy3DParms){p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos, p->dstPtr, p->extent,
	                                cudaMemcpyDefault},
	           s);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p) { RUNTIME_CALL(peer_box(p, NULL)); }
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p, cudaStream_t s) { RUNTIME_CALL(peer_box(p, s)); }

/* More than seven parameters: the signature is CUDA's. */
cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *size, size_t n, CUmemcpyAttributes *how,
                                 size_t *first, size_t n_how, cudaStream_t s)
{
	RUNTIME_CALL(cuMemcpyBatchAsync_v2((CUdeviceptr *)(uintptr_t)to, (CUdeviceptr *)(uintptr_t)from,
	                                   (size_t *)(uintptr_t)size, n, how, first, n_how, s));
}
cudaError_t cudaMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *p, unsigned long long flags, cudaStream_t s)
{
	RUNTIME_CALL(cuMemcpy3DBatchAsync_v2(n, p, flags, s));
}

/* ---- symbols */

/* The place in the symbol, if `size` bytes from there on are in it. */
static CUresult in_symbol(const void *symbol, size_t offset, size_t size, void **out)
{
	CUdeviceptr p;
	size_t      there;
	CUresult    r = symbol_of(symbol, &p, &there);
	if (r == CUDA_SUCCESS && (offset > there || size > there - offset))
		r = CUDA_ERROR_INVALID_VALUE;
	*out = r == CUDA_SUCCESS ? (void *)(uintptr_t)(p + offset) : NULL;
	return r;
}

static CUresult to_symbol(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t s)
{
	void *to;
	if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		return (CUresult)cudaErrorInvalidMemcpyDirection;
	CUresult r = in_symbol(symbol, offset, size, &to);
	return r == CUDA_SUCCESS ? line(to, from, size, kind, s) : r;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind)
{
	RUNTIME_CALL(to_symbol(symbol, from, size, offset, kind, NULL));
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t s)
{
	RUNTIME_CALL(to_symbol(symbol, from, size, offset, kind, s));
}

static CUresult from_symbol(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t s)
{
	void *from;
	if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		return (CUresult)cudaErrorInvalidMemcpyDirection;
	CUresult r = in_symbol(symbol, offset, size, &from);
	return r == CUDA_SUCCESS ? line(to, from, size, kind, s) : r;
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind)
{
	RUNTIME_CALL(from_symbol(to, symbol, size, offset, kind, NULL));
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t s)
{
	RUNTIME_CALL(from_symbol(to, symbol, size, offset, kind, s));
}

/* ---- fills */

cudaError_t cudaMemset(void *p, int value, size_t size) { RUNTIME_CALL(cuMemsetD8_v2(AT(p), (unsigned char)value, size)); }
cudaError_t cudaMemsetAsync(void *p, int value, size_t size, cudaStream_t s)
{
	RUNTIME_CALL(cuMemsetD8Async(AT(p), (unsigned char)value, size, s));
}
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
	RUNTIME_CALL(cuMemsetD2D8_v2(AT(p), pitch, (unsigned char)value, width, height));
}
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t s)
{
	RUNTIME_CALL(cuMemsetD2D8Async(AT(p), pitch, (unsigned char)value, width, height, s));
}

static CUresult fill_box(cudaPitchedPtr p, int value, cudaExtent size, cudaStream_t s)
{
	CUresult r = p.ysize < size.height ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
	for (size_t z = 0; z < size.depth && r == CUDA_SUCCESS; z++)
		r = cuMemsetD2D8Async(AT(p.ptr) + z * p.pitch * p.ysize, p.pitch, (unsigned char)value, size.width, size.height,
		                      s);
	return r;
}

cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent size) { RUNTIME_CALL(fill_box(p, value, size, NULL)); }
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent size, cudaStream_t s)
{
	RUNTIME_CALL(fill_box(p, value, size, s));
}
