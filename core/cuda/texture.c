/* texture.c: texture and surface objects.
 *
 * An object's handle is the one that the emulator gives to object i of a launch (ps_texture_handle), where i is its place in the driver's
 * table; a place is given again when its object is gone. Launches are handed the whole table. Of an object whose memory has been freed
 * the launch is told that there is none, so that a fetch is a fault. */
#include "cuda/state.h"

#include <stdlib.h>

typedef struct ImageObject {
	bool                    used;
	CUcontext               context;
	CUDA_RESOURCE_DESC      from;
	CUDA_TEXTURE_DESC       how;
	CUDA_RESOURCE_VIEW_DESC view;
	PsTexture               image;
	u32                     texel;               /* bytes of one */
	u64                     base, bytes, memory; /* what it stands for, and the id of its allocation */
} ImageObject;

static struct {
	ImageObject *object;
	PsTexture   *image; /* as a launch is given them */
	u32          n, room;
} table;

/* ---- what an object shows */

static bool is_power_of_channels(unsigned n) { return n == 1 || n == 2 || n == 4; }

static CUresult image_of_array(CUarray a, PsTexture *t, u32 *texel)
{
	unsigned bytes;
	if (!object_is(a, OBJECT_ARRAY))
		return CUDA_ERROR_INVALID_HANDLE;
	bool flat = a->d.flags & CUDA_ARRAY3D_LAYERED && !a->d.height;
	t->texels = (void *)(uintptr_t)a->base;
	t->type = format_type(a->d.format, &bytes);
	*texel = bytes * a->d.channels;
	t->channels = (u8)a->d.channels;
	t->width = (u32)a->d.width;
	t->height = (u32)(flat ? a->slices : a->rows);
	t->depth = (u32)(flat ? 1 : a->slices);
	bool layers = a->d.flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
	t->directions = (u8)(!a->d.height ? 1 : !a->d.depth || layers ? 2 : 3);
	return CUDA_SUCCESS;
}

static CUresult image_of_memory(const CUtexels *m, bool rows, PsTexture *t, u32 *texel_bytes)
{
	unsigned bytes;
	t->type = format_type(m->format, &bytes);
	if (!t->type || !is_power_of_channels(m->channels) || !m->device || m->device % 16 || !m->width)
		return CUDA_ERROR_INVALID_VALUE;
	*texel_bytes = bytes * m->channels;
	u64 texel = *texel_bytes, width = rows ? m->width : m->width / texel;
	if (!width || width > 1 << 28 ||
	    (rows && (!m->height || m->height > 1 << 17 || m->pitch < width * texel || m->pitch > 1 << 22)))
		return CUDA_ERROR_INVALID_VALUE;
	t->texels = (void *)(uintptr_t)m->device;
	t->channels = (u8)m->channels;
	t->width = (u32)width;
	t->height = rows ? (u32)m->height : 1;
	t->depth = 1;
	t->row_bytes = rows ? (u32)m->pitch : 0;
	t->directions = rows ? 2 : 1;
	return CUDA_SUCCESS;
}

/* A view may be of some of the levels. */
static CUresult image_of_mipmap(CUmipmappedArray m, const CUDA_RESOURCE_VIEW_DESC *view, PsTexture *t, u32 *texel)
{
	if (!object_is(m, OBJECT_MIPMAP))
		return CUDA_ERROR_INVALID_HANDLE;
	u32 first = view ? view->first_mipmap : 0, last = view ? view->last_mipmap : m->n - 1;
	if (first > last || last >= m->n)
		return CUDA_ERROR_INVALID_VALUE;
	t->levels = last - first + 1;
	return image_of_array(m->level[first], t, texel);
}

static CUresult image_of(const CUDA_RESOURCE_DESC *from, const CUDA_RESOURCE_VIEW_DESC *view, PsTexture *t, u32 *texel)
{
	*t = (PsTexture){.levels = 1};
	switch (from->type) {
	case CU_RESOURCE_TYPE_ARRAY: return image_of_array(from->array, t, texel);
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: return image_of_mipmap(from->mipmap, view, t, texel);
	case CU_RESOURCE_TYPE_LINEAR: return image_of_memory(&from->texels, false, t, texel);
	case CU_RESOURCE_TYPE_PITCH2D: return image_of_memory(&from->texels, true, t, texel);
	default: return CUDA_ERROR_INVALID_VALUE;
	}
}

/* Without normalised coordinates there is nothing to repeat: those modes clamp. Plain memory has zeros outside. */
static CUresult set_sampling(const CUDA_RESOURCE_DESC *from, const CUDA_TEXTURE_DESC *how, PsTexture *t)
{
	static const u8 mode[] = {1, 0, 2, 3};
	if (how->filter < 0 || how->filter > 1 || how->flags & ~0x37u)
		return CUDA_ERROR_INVALID_VALUE;
	if (how->flags & CU_TRSF_SRGB)
		return unsupported("a texture in sRGB");
	t->normalized = how->flags & CU_TRSF_NORMALIZED_COORDINATES;
	if (from->type == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY &&
	    (!t->normalized || how->mipmap_filter < 0 || how->mipmap_filter > 1))
		return CUDA_ERROR_INVALID_VALUE;
	t->level_linear = how->mipmap_filter == 1;
	t->level_bias = how->mipmap_bias;
	t->level_limit[0] = how->min_mipmap;
	t->level_limit[1] = how->max_mipmap;
	t->linear = how->filter == 1;
	for (u32 k = 0; k < 3; k++) {
		if (how->address[k] < 0 || how->address[k] > 3)
			return CUDA_ERROR_INVALID_VALUE;
		u8 m = mode[how->address[k]];
		t->address[k] = from->type == CU_RESOURCE_TYPE_LINEAR ? 3 : !t->normalized && (m == 1 || m == 2) ? 0 : m;
		t->border[k] = from->type == CU_RESOURCE_TYPE_LINEAR ? 0 : how->border[k];
	}
	t->border[3] = from->type == CU_RESOURCE_TYPE_LINEAR ? 0 : how->border[3];
	return CUDA_SUCCESS;
}

/* ---- the table */

/* A free place; ~0: there is no memory. */
static u32 place(void)
{
	for (u32 i = 0; i < table.n; i++)
		if (!table.object[i].used)
			return i;
	if (table.n == table.room) {
		u32          room = table.room ? 2 * table.room : 16;
		ImageObject *objects = realloc(table.object, room * sizeof *objects);
		if (objects)
			table.object = objects;
		PsTexture *images = objects && room <= 1 << 17 ? realloc(table.image, room * sizeof *images) : NULL;
		if (!images)
			return ~0u;
		table.image = images;
		table.room = room;
	}
	return table.n++;
}

static CUresult create(u64 *out, ImageObject o)
{
	const PsTexture *t = &o.image;
	const Alloc     *a = alloc_at((u64)(uintptr_t)t->texels);
	u64              width = (u64)t->width * o.texel, row = t->row_bytes ? t->row_bytes : width;
	o.base = (u64)(uintptr_t)t->texels;
	o.bytes = row * ((u64)t->height * t->depth - 1) + width;
	if (t->levels > 1) /* up to the end of the mipmapped array */
		o.bytes = o.from.mipmap->base + o.from.mipmap->bytes - o.base;
	if (!a || !alloc_holding(o.base, o.bytes))
		return CUDA_ERROR_INVALID_VALUE;
	u32 at = place();
	if (at == ~0u)
		return CUDA_ERROR_OUT_OF_MEMORY;
	o.used = true;
	o.memory = a->id;
	table.object[at] = o;
	*out = ps_texture_handle(at);
	return CUDA_SUCCESS;
}

static ImageObject *object_of(u64 handle, bool surface)
{
	u64 at = (handle - ps_texture_handle(0)) / 64;
	return handle == ps_texture_handle((size_t)at) && at < table.n && table.object[at].used &&
	                       table.object[at].image.surface == surface
	               ? &table.object[at]
	               : NULL;
}

const PsTexture *texture_table(CUcontext c, size_t *n)
{
	for (u32 i = 0; i < table.n; i++) {
		const ImageObject *o = &table.object[i];
		const Alloc       *a = o->used && o->context == c ? alloc_holding(o->base, o->bytes) : NULL;
		table.image[i] = a && a->id == o->memory ? o->image : (PsTexture){0};
	}
	*n = table.n;
	return table.image;
}

void texture_release_context(CUcontext c)
{
	for (u32 i = 0; i < table.n; i++)
		if (table.object[i].context == c)
			table.object[i].used = false;
}

/* ---- calls */

static CUresult create_texture(CUcontext c, CUtexObject *out, const CUDA_RESOURCE_DESC *from, const CUDA_TEXTURE_DESC *how,
                               const CUDA_RESOURCE_VIEW_DESC *view)
{
	if (!out || !from || !how || from->flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (view && view->format)
		return unsupported("a view of a resource in another format");
	ImageObject o = {.context = c, .from = *from, .how = *how};
	if (view)
		o.view = *view;
	CUresult r = image_of(from, view, &o.image, &o.texel);
	if (r == CUDA_SUCCESS)
		r = set_sampling(from, how, &o.image);
	return r == CUDA_SUCCESS ? create(out, o) : r;
}

CUresult cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *from, const CUDA_TEXTURE_DESC *how,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
	DRIVER_CALL(IN_CONTEXT, create_texture(c.context, out, from, how, view));
}

static CUresult destroy(u64 handle, bool surface)
{
	ImageObject *o = object_of(handle, surface);
	if (!handle)
		return CUDA_SUCCESS;
	if (!o)
		return CUDA_ERROR_INVALID_VALUE;
	o->used = false;
	return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject t) { DRIVER_CALL(IN_CONTEXT, destroy(t, false)); }
CUresult cuSurfObjectDestroy(CUsurfObject s) { DRIVER_CALL(IN_CONTEXT, destroy(s, true)); }

static CUresult describe(u64 handle, bool surface, CUDA_RESOURCE_DESC *from, CUDA_TEXTURE_DESC *how,
                         CUDA_RESOURCE_VIEW_DESC *view)
{
	const ImageObject *o = object_of(handle, surface);
	if (!o || (!from && !how && !view))
		return CUDA_ERROR_INVALID_VALUE;
	if (from)
		*from = o->from;
	if (how)
		*how = o->how;
	if (view)
		*view = o->view;
	return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUtexObject t)
{
	DRIVER_CALL(IN_CONTEXT, describe(t, false, out, NULL, NULL));
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, CUtexObject t)
{
	DRIVER_CALL(IN_CONTEXT, describe(t, false, NULL, out, NULL));
}
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *out, CUtexObject t)
{
	DRIVER_CALL(IN_CONTEXT, describe(t, false, NULL, NULL, out));
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUsurfObject s)
{
	DRIVER_CALL(IN_CONTEXT, describe(s, true, out, NULL, NULL));
}

/* Surfaces stand for arrays that were made for it. */
static CUresult create_surface(CUcontext c, CUsurfObject *out, const CUDA_RESOURCE_DESC *from)
{
	if (!out || !from || from->flags || from->type != CU_RESOURCE_TYPE_ARRAY)
		return CUDA_ERROR_INVALID_VALUE;
	ImageObject o = {.context = c, .from = *from};
	CUresult    r = image_of(from, NULL, &o.image, &o.texel);
	if (r == CUDA_SUCCESS && !(from->array->d.flags & CUDA_ARRAY3D_SURFACE_LDST))
		r = CUDA_ERROR_INVALID_VALUE;
	o.image.surface = true;
	return r == CUDA_SUCCESS ? create(out, o) : r;
}

CUresult cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *from)
{
	DRIVER_CALL(IN_CONTEXT, create_surface(c.context, out, from));
}
