/* batch.c: many copies by one call, and operations of streams on words of memory.
 *
 * A stream that waits for a value has it already, or waits for something that the host does later, which work that is done when it is given
 * cannot (state.h): that is not supported. */
#include "cuda/state.h"

#include <string.h>

/* ---- copies */

enum { MOST_ORDER = 3, OVERLAP = 1 };

typedef struct Lines {
	const CUdeviceptr        *to, *from;
	const size_t             *size;
	size_t                    n;
	const CUmemcpyAttributes *how; /* of copy k and those behind it, up to the next one's, as first[k] says */
	const size_t             *first;
	size_t                    n_how;
} Lines;

static CUresult may_batch(CUcontext c, CUstream handle)
{
	CUstream s;
	return !handle || handle == CU_STREAM_LEGACY ? CUDA_ERROR_INVALID_VALUE : stream_of(c, handle, &s);
}

static CUresult line_box(const void *of, size_t i, Box *out)
{
	const Lines *l = of;
	return copy_box(&(CUDA_MEMCPY3D){.src_type = CU_MEMORYTYPE_UNIFIED,
	                                 .src_device = l->from[i],
	                                 .dst_type = CU_MEMORYTYPE_UNIFIED,
	                                 .dst_device = l->to[i],
	                                 .width = l->size[i],
	                                 .height = 1,
	                                 .depth = 1},
	                out);
}

typedef CUresult BoxOf(const void *of, size_t i, Box *out);

/* Nothing is copied where one of the `n` cannot be; *wrong is then which one. */
static CUresult copy_all(CUcontext c, CUstream s, size_t n, BoxOf *box, const void *of, size_t *wrong)
{
	Work     w = {.kind = WORK_COPY};
	CUresult r = CUDA_SUCCESS;
	for (size_t i = 0; i < n; i++)
		if ((r = box(of, i, &w.copy)) != CUDA_SUCCESS)
			return *wrong = i, r;
	for (size_t i = 0; r == CUDA_SUCCESS && i < n; i++)
		if ((r = box(of, i, &w.copy)) == CUDA_SUCCESS)
			r = stream_submit(c, s, &w);
	return r;
}

/* *wrong: which copy cannot be, or ~0 where it is the call. */
static CUresult lines(CUcontext c, const Lines *l, size_t *wrong, CUstream s)
{
	CUresult r = may_batch(c, s);
	*wrong = SIZE_MAX;
	if (r != CUDA_SUCCESS)
		return r;
	if (!l->to || !l->from || !l->size || !l->n || !l->how || !l->first || !l->n_how || l->n_how > l->n || l->first[0])
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t k = 0; k < l->n_how; k++)
		if (l->first[k] >= l->n || (k && l->first[k] <= l->first[k - 1]) || l->how[k].order < 1 ||
		    l->how[k].order > MOST_ORDER || l->how[k].flags & ~(unsigned)OVERLAP)
			return CUDA_ERROR_INVALID_VALUE;
	return copy_all(c, s, l->n, line_box, l, wrong);
}

/* More than seven parameters: the signature is CUDA's. */
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *size, size_t n, CUmemcpyAttributes *how, size_t *first,
                               size_t n_how, CUstream s)
{
	size_t wrong;
	DRIVER_CALL(IN_CONTEXT, lines(c.context, &(Lines){to, from, size, n, how, first, n_how}, &wrong, s));
}
/* More than seven parameters: the signature is CUDA's. */
CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *size, size_t n, CUmemcpyAttributes *how, size_t *first,
                            size_t n_how, size_t *fail, CUstream s)
{
	size_t wrong;
	DRIVER_CALL(IN_CONTEXT, lines(c.context, &(Lines){to, from, size, n, how, first, n_how}, fail ? fail : &wrong, s));
}

enum { OPERAND_POINTER = 1, OPERAND_ARRAY };

/* Bytes of an element, which a pointer alone has one of. */
static CUresult element_of(const CUmemcpy3DOperand *o, size_t *out)
{
	unsigned bytes;
	if (o->type == OPERAND_POINTER)
		return CUDA_SUCCESS;
	if (o->type != OPERAND_ARRAY || !object_is(o->array.array, OBJECT_ARRAY))
		return CUDA_ERROR_INVALID_VALUE;
	format_type(o->array.array->d.format, &bytes);
	size_t own = (size_t)bytes * o->array.array->d.channels;
	if (*out && *out != own)
		return CUDA_ERROR_INVALID_VALUE;
	*out = own;
	return CUDA_SUCCESS;
}

static bool is_packed(const CUmemcpy3DOperand *o, const CUDA_MEMCPY3D_BATCH_OP *p)
{
	return o->type != OPERAND_POINTER ||
	       ((!o->pointer.row || o->pointer.row >= p->width) && (!o->pointer.layer || o->pointer.layer >= p->height) &&
	        o->pointer.row < SIZE_MAX / 64);
}

/* One side of a copy, in bytes, as CUDA_MEMCPY3D has it. */
typedef struct Side {
	unsigned    type;
	CUarray     array;
	CUdeviceptr p;
	size_t      x, y, z, pitch, height;
} Side;

static Side side_of(const CUmemcpy3DOperand *o, size_t element)
{
	if (o->type == OPERAND_ARRAY)
		return (Side){.type = CU_MEMORYTYPE_ARRAY,
		              .array = o->array.array,
		              .x = o->array.x > SIZE_MAX / 64 ? SIZE_MAX : o->array.x * element,
		              .y = o->array.y,
		              .z = o->array.z};
	return (Side){
		.type = CU_MEMORYTYPE_UNIFIED, .p = o->pointer.p, .pitch = o->pointer.row * element, .height = o->pointer.layer};
}

static CUresult operation_box(const void *of, size_t i, Box *out)
{
	const CUDA_MEMCPY3D_BATCH_OP *p = (const CUDA_MEMCPY3D_BATCH_OP *)of + i;
	size_t                        element = 0;
	CUresult                      r = element_of(&p->src, &element);
	if (r == CUDA_SUCCESS)
		r = element_of(&p->dst, &element);
	if (r != CUDA_SUCCESS)
		return r;
	element = element ? element : 1;
	if (!p->width || !p->height || !p->depth || p->width > SIZE_MAX / 64 || p->order < 1 || p->order > MOST_ORDER ||
	    p->flags & ~(unsigned)OVERLAP || !is_packed(&p->src, p) || !is_packed(&p->dst, p))
		return CUDA_ERROR_INVALID_VALUE;
	Side from = side_of(&p->src, element), to = side_of(&p->dst, element);
	return copy_box(&(CUDA_MEMCPY3D){.src_type = from.type,
	                                 .src_array = from.array,
	                                 .src_device = from.p,
	                                 .src_x = from.x,
	                                 .src_y = from.y,
	                                 .src_z = from.z,
	                                 .src_pitch = from.pitch,
	                                 .src_height = from.height,
	                                 .dst_type = to.type,
	                                 .dst_array = to.array,
	                                 .dst_device = to.p,
	                                 .dst_x = to.x,
	                                 .dst_y = to.y,
	                                 .dst_z = to.z,
	                                 .dst_pitch = to.pitch,
	                                 .dst_height = to.height,
	                                 .width = p->width * element,
	                                 .height = p->height,
	                                 .depth = p->depth},
	                out);
}

static CUresult boxes(CUcontext c, size_t n, const CUDA_MEMCPY3D_BATCH_OP *p, size_t *wrong, u64 flags, CUstream s)
{
	CUresult r = may_batch(c, s);
	*wrong = SIZE_MAX;
	if (r != CUDA_SUCCESS || !n || !p || flags)
		return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
	return copy_all(c, s, n, operation_box, p, wrong);
}

CUresult cuMemcpy3DBatchAsync_v2(size_t n, CUDA_MEMCPY3D_BATCH_OP *p, unsigned long long flags, CUstream s)
{
	size_t wrong;
	DRIVER_CALL(IN_CONTEXT, boxes(c.context, n, p, &wrong, flags, s));
}
CUresult cuMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *p, size_t *fail, unsigned long long flags, CUstream s)
{
	size_t wrong;
	DRIVER_CALL(IN_CONTEXT, boxes(c.context, n, p, fail ? fail : &wrong, flags, s));
}

/* ---- words */

enum { GREATER_OR_EQUAL, EQUAL, AND, NOR, FLUSH = 1 << 30 };
enum { WAIT_32 = 1, WRITE_32, FLUSH_WRITES, WAIT_64, WRITE_64, BARRIER };

static bool holds(u64 now, u64 value, unsigned bytes, unsigned how)
{
	u64 mask = bytes == 4 ? UINT32_MAX : UINT64_MAX;
	switch (how) {
	case GREATER_OR_EQUAL: return bytes == 4 ? (i32)(u32)(now - value) >= 0 : (i64)(now - value) >= 0;
	case EQUAL: return now == value;
	case AND: return (now & value) != 0;
	default: return (~(now | value) & mask) != 0;
	}
}

static CUresult wait_value(CUcontext c, CUstream handle, u64 p, u64 value, unsigned bytes, unsigned flags)
{
	CUstream s;
	u64      now = 0;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS)
		return r;
	if (flags & ~(unsigned)(NOR | FLUSH) || p % bytes || !alloc_holding(p, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (stream_captures(s))
		return unsupported("waiting for a value in a stream that is captured");
	memcpy(&now, (const void *)(uintptr_t)p, bytes);
	return holds(now, bytes == 4 ? (u32)value : value, bytes, flags & NOR)
	               ? CUDA_SUCCESS
	               : unsupported("a stream that waits for a value that is not there yet");
}

CUresult cuStreamWaitValue32_v2(CUstream s, CUdeviceptr p, uint32_t value, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, wait_value(c.context, s, p, value, 4, flags));
}
CUresult cuStreamWaitValue64_v2(CUstream s, CUdeviceptr p, uint64_t value, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, wait_value(c.context, s, p, value, 8, flags));
}

static CUresult operations(CUcontext c, CUstream s, unsigned n, const CUstreamBatchMemOpParams *p, unsigned flags)
{
	CUresult r = flags || (n && !p) || n > 256 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
	for (unsigned i = 0; r == CUDA_SUCCESS && i < n; i++)
		switch (p[i].operation) {
		case WAIT_32: r = wait_value(c, s, p[i].address, p[i].value, 4, p[i].flags); break;
		case WAIT_64: r = wait_value(c, s, p[i].address, p[i].value, 8, p[i].flags); break;
		case WRITE_32: r = write_value(c, s, p[i].address, (u32)p[i].value, 4, p[i].flags); break;
		case WRITE_64: r = write_value(c, s, p[i].address, p[i].value, 8, p[i].flags); break;
		case FLUSH_WRITES:
		case BARRIER: break; /* everything has been written */
		default: r = CUDA_ERROR_INVALID_VALUE;
		}
	return r;
}

CUresult cuStreamBatchMemOp_v2(CUstream s, unsigned n, CUstreamBatchMemOpParams *p, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, operations(c.context, s, n, p, flags));
}
