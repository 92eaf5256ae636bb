/* work.c: copies and fills: their checks, and doing any work. */
#include "cuda/state.h"

#include <string.h>

/* ---- copies */

/* From the first byte to behind the last. */
static u64 extent(size_t pitch, size_t slice, const Box *b)
{
	return (u64)slice * (b->depth - 1) + (u64)pitch * (b->height - 1) + b->width;
}

/* Memory that the driver knows must hold all of it; other memory is the program's own. What nodes of graphs allocate need not be there
 * before the copy is done. */
static bool holds(u64 p, u64 size, bool of_device, bool now)
{
	if (alloc_at(p))
		return alloc_holding(p, size) != NULL;
	return graph_memory_at(p) ? !now && graph_memory_holding(p, size) : !of_device && p != 0;
}

static bool size_fits(size_t a, size_t b) { return !b || a <= ((size_t)1 << 62) / b; }

typedef struct Side {
	size_t   x, y, z;
	unsigned type;
	u64      host, device;
	size_t   pitch, height;
	CUarray  array;
} Side;

/* x and the width are bytes. */
static CUresult side_of_array(const Side *s, const CUDA_MEMCPY3D *c, u64 *start, size_t *pitch, size_t *slice)
{
	const CUarray a = s->array;
	if (!object_is(a, OBJECT_ARRAY))
		return CUDA_ERROR_INVALID_VALUE;
	if (s->x > a->row || c->width > a->row - s->x || s->y > a->rows || c->height > a->rows - s->y || s->z > a->slices ||
	    c->depth > a->slices - s->z)
		return CUDA_ERROR_INVALID_VALUE;
	*pitch = (size_t)a->row;
	*slice = (size_t)a->row * a->rows;
	*start = a->base + *slice * s->z + *pitch * s->y + s->x;
	return CUDA_SUCCESS;
}

static CUresult side(const Side *s, const CUDA_MEMCPY3D *c, u64 *start, size_t *pitch, size_t *slice)
{
	if (s->type == CU_MEMORYTYPE_ARRAY)
		return side_of_array(s, c, start, pitch, slice);
	if (s->type < CU_MEMORYTYPE_HOST || s->type > CU_MEMORYTYPE_UNIFIED ||
	    !(s->type == CU_MEMORYTYPE_HOST ? s->host : s->device))
		return CUDA_ERROR_INVALID_VALUE;
	bool   rows = c->height > 1 || c->depth > 1 || s->y || s->z;
	size_t height = s->height ? s->height : c->height;
	*pitch = s->pitch ? s->pitch : c->width;
	if ((rows && (*pitch < c->width || *pitch - c->width < s->x)) || !size_fits(*pitch, height) ||
	    !size_fits(*pitch * height, s->z + c->depth))
		return CUDA_ERROR_INVALID_VALUE;
	*slice = *pitch * height;
	*start = (s->type == CU_MEMORYTYPE_HOST ? s->host : s->device) + *slice * s->z + *pitch * s->y + s->x;
	return CUDA_SUCCESS;
}

CUresult copy_box(const CUDA_MEMCPY3D *c, Box *out)
{
	if (!c || c->src_reserved || c->dst_reserved || c->src_lod || c->dst_lod)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (Box){.width = c->width, .height = c->height, .depth = c->depth};
	if (!c->width || !c->height || !c->depth)
		return out->width = 0, CUDA_SUCCESS;
	Side     from = {c->src_x,      c->src_y,     c->src_z,      c->src_type, (u64)(uintptr_t)c->src_host,
	                 c->src_device, c->src_pitch, c->src_height, c->src_array};
	Side     to = {c->dst_x,      c->dst_y,     c->dst_z,      c->dst_type, (u64)(uintptr_t)c->dst_host,
	               c->dst_device, c->dst_pitch, c->dst_height, c->dst_array};
	CUresult r = side(&from, c, &out->from, &out->from_pitch, &out->from_slice);
	if (r == CUDA_SUCCESS)
		r = side(&to, c, &out->to, &out->to_pitch, &out->to_slice);
	if (r != CUDA_SUCCESS)
		return r;
	bool ok = holds(out->from, extent(out->from_pitch, out->from_slice, out), from.type == CU_MEMORYTYPE_DEVICE, false) &&
	          holds(out->to, extent(out->to_pitch, out->to_slice, out), to.type == CU_MEMORYTYPE_DEVICE, false);
	return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult copy_run(const Box *b)
{
	if (!b->width)
		return CUDA_SUCCESS;
	/* Again, as a graph may run when the memory is gone. */
	if (!holds(b->from, extent(b->from_pitch, b->from_slice, b), false, true) ||
	    !holds(b->to, extent(b->to_pitch, b->to_slice, b), false, true))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t z = 0; z < b->depth; z++)
		for (size_t y = 0; y < b->height; y++)
			memmove((u8 *)(uintptr_t)(b->to + z * b->to_slice + y * b->to_pitch),
			        (const u8 *)(uintptr_t)(b->from + z * b->from_slice + y * b->from_pitch), b->width);
	return CUDA_SUCCESS;
}

/* ---- fills */

static u64 fill_size(const FillWork *f) { return (u64)f->pitch * (f->height - 1) + f->width * f->element; }

CUresult fill_work(const FillWork *f)
{
	bool known = f->element == 1 || f->element == 2 || f->element == 4;
	if (!known || f->to % f->element || !size_fits(f->width, f->element) ||
	    (f->height > 1 && f->pitch < f->width * f->element))
		return CUDA_ERROR_INVALID_VALUE;
	if (!f->width || !f->height)
		return CUDA_SUCCESS;
	if (!size_fits(f->pitch, f->height))
		return CUDA_ERROR_INVALID_VALUE;
	return holds(f->to, fill_size(f), true, false) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult fill_run(const FillWork *f)
{
	CUresult r = fill_work(f);
	if (r == CUDA_SUCCESS && f->width && f->height && !holds(f->to, fill_size(f), true, true))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t y = 0; r == CUDA_SUCCESS && f->width && y < f->height; y++) {
		u8 *row = (u8 *)(uintptr_t)(f->to + y * f->pitch);
		if (f->element == 1)
			memset(row, (int)(f->value & 0xff), f->width);
		for (size_t x = 0; x < f->width && f->element > 1; x++)
			memcpy(row + x * f->element, &f->value, f->element); /* the low bytes come first */
	}
	return r;
}

/* ---- any */

CUresult host_run(const HostWork *h)
{
	call_unlock();
	if (h->callback)
		h->callback(h->stream, CUDA_SUCCESS, h->user);
	else
		h->fn(h->user);
	call_lock();
	return CUDA_SUCCESS;
}

CUresult work_run(CUcontext c, const Work *w)
{
	switch (w->kind) {
	case WORK_KERNEL: return kernel_run(c, &w->kernel);
	case WORK_COPY: return copy_run(&w->copy);
	case WORK_FILL: return fill_run(&w->fill);
	case WORK_HOST: return host_run(&w->host);
	case WORK_RECORD: return event_happens(w->event);
	case WORK_ALLOC: return graph_memory_run(w->memory);
	case WORK_FREE: return memory_free(w->freed);
	case WORK_CONDITIONAL:
	case WORK_GRAPH:
	case WORK_EMPTY:
	case WORK_WAIT: break;
	}
	return CUDA_SUCCESS;
}
