/* copy.c: cuMemcpy… and cuMemset…: calls become boxes and fills (work.c). A copy may be given to a stream; it is done at once, too. */
#include "cuda/state.h"

static CUresult submit_box(CUcontext c, const CUDA_MEMCPY3D *p, CUstream s)
{
	Work     w = {.kind = WORK_COPY};
	CUresult r = copy_box(p, &w.copy);
	return r == CUDA_SUCCESS ? stream_submit(c, s, &w) : r;
}

/* `size` bytes; each side is memory of a type (CU_MEMORYTYPE_…). */
static CUresult linear(CUcontext c, u64 to, unsigned to_type, u64 from, unsigned from_type, size_t size, CUstream s)
{
	CUDA_MEMCPY3D p = {.src_type = from_type,
	                   .src_host = (const void *)(uintptr_t)from,
	                   .src_device = from,
	                   .dst_type = to_type,
	                   .dst_host = (void *)(uintptr_t)to,
	                   .dst_device = to,
	                   .width = size,
	                   .height = 1,
	                   .depth = 1};
	return submit_box(c, &p, s);
}

enum { HOST = CU_MEMORYTYPE_HOST, DEVICE = CU_MEMORYTYPE_DEVICE, ANY = CU_MEMORYTYPE_UNIFIED };
#define AT(p) ((u64)(uintptr_t)(p))

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, linear(c.context, to, ANY, from, ANY, size, NULL));
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, linear(c.context, to, ANY, from, ANY, size, s));
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, linear(c.context, to, DEVICE, AT(from), HOST, size, NULL));
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, linear(c.context, to, DEVICE, AT(from), HOST, size, s));
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, linear(c.context, AT(to), HOST, from, DEVICE, size, NULL));
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, linear(c.context, AT(to), HOST, from, DEVICE, size, s));
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, linear(c.context, to, DEVICE, from, DEVICE, size, NULL));
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, linear(c.context, to, DEVICE, from, DEVICE, size, s));
}

static CUresult peer(CUcontext now, u64 to, CUcontext to_c, u64 from, CUcontext from_c, size_t size, CUstream s)
{
	if (!object_is(to_c, OBJECT_CONTEXT) || !object_is(from_c, OBJECT_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	return linear(now, to, DEVICE, from, DEVICE, size, s);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_c, CUdeviceptr from, CUcontext from_c, size_t size)
{
	DRIVER_CALL(IN_CONTEXT, peer(c.context, to, to_c, from, from_c, size, NULL));
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_c, CUdeviceptr from, CUcontext from_c, size_t size, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, peer(c.context, to, to_c, from, from_c, size, s));
}

/* ---- boxes */

static CUresult rectangle(CUcontext c, const CUDA_MEMCPY2D *p, CUstream s)
{
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_MEMCPY3D box = {.src_x = p->src_x,
	                     .src_y = p->src_y,
	                     .src_type = p->src_type,
	                     .src_host = p->src_host,
	                     .src_device = p->src_device,
	                     .src_array = p->src_array,
	                     .src_pitch = p->src_pitch,
	                     .dst_x = p->dst_x,
	                     .dst_y = p->dst_y,
	                     .dst_type = p->dst_type,
	                     .dst_host = p->dst_host,
	                     .dst_device = p->dst_device,
	                     .dst_array = p->dst_array,
	                     .dst_pitch = p->dst_pitch,
	                     .width = p->width,
	                     .height = p->height,
	                     .depth = 1};
	return submit_box(c, &box, s);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *p) { DRIVER_CALL(IN_CONTEXT, rectangle(c.context, p, NULL)); }
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *p) { DRIVER_CALL(IN_CONTEXT, rectangle(c.context, p, NULL)); }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *p, CUstream s) { DRIVER_CALL(IN_CONTEXT, rectangle(c.context, p, s)); }
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *p) { DRIVER_CALL(IN_CONTEXT, submit_box(c.context, p, NULL)); }
/* The contexts of both sides are where the other description has nothing; memory is found by its address. */
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D *p) { DRIVER_CALL(IN_CONTEXT, submit_box(c.context, p, NULL)); }
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D *p, CUstream s) { DRIVER_CALL(IN_CONTEXT, submit_box(c.context, p, s)); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *p, CUstream s) { DRIVER_CALL(IN_CONTEXT, submit_box(c.context, p, s)); }

/* ---- fills */

static CUresult fill(CUcontext c, FillWork f, CUstream s)
{
	CUresult r = fill_work(&f);
	return r == CUDA_SUCCESS ? stream_submit(c, s, &(Work){.kind = WORK_FILL, .fill = f}) : r;
}

static FillWork row(u64 p, unsigned element, unsigned v, size_t n)
{
	return (FillWork){.to = p, .width = n, .height = 1, .value = v, .element = element};
}

CUresult cuMemsetD8_v2(CUdeviceptr p, unsigned char v, size_t n)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, row(p, 1, v, n), NULL));
}
CUresult cuMemsetD16_v2(CUdeviceptr p, unsigned short v, size_t n)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, row(p, 2, v, n), NULL));
}
CUresult cuMemsetD32_v2(CUdeviceptr p, unsigned v, size_t n) { DRIVER_CALL(IN_CONTEXT, fill(c.context, row(p, 4, v, n), NULL)); }
CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char v, size_t n, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, row(p, 1, v, n), s));
}
CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short v, size_t n, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, row(p, 2, v, n), s));
}
CUresult cuMemsetD32Async(CUdeviceptr p, unsigned v, size_t n, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, row(p, 4, v, n), s));
}

/* p, pitch, bytes of an element, value, width, height */
#define ROWS(e) ((FillWork){.to = p, .pitch = pitch, .width = width, .height = height, .value = v, .element = (e)})

CUresult cuMemsetD2D8_v2(CUdeviceptr p, size_t pitch, unsigned char v, size_t width, size_t height)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, ROWS(1), NULL));
}
CUresult cuMemsetD2D16_v2(CUdeviceptr p, size_t pitch, unsigned short v, size_t width, size_t height)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, ROWS(2), NULL));
}
CUresult cuMemsetD2D32_v2(CUdeviceptr p, size_t pitch, unsigned v, size_t width, size_t height)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, ROWS(4), NULL));
}
CUresult cuMemsetD2D8Async(CUdeviceptr p, size_t pitch, unsigned char v, size_t width, size_t height, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, ROWS(1), s));
}
CUresult cuMemsetD2D16Async(CUdeviceptr p, size_t pitch, unsigned short v, size_t width, size_t height, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, ROWS(2), s));
}
CUresult cuMemsetD2D32Async(CUdeviceptr p, size_t pitch, unsigned v, size_t width, size_t height, CUstream s)
{
	DRIVER_CALL(IN_CONTEXT, fill(c.context, ROWS(4), s));
}
