/* texture.c: textures and surfaces are arrays of the driver, as CUDA has no surface on linear memory. An array is filled from its buffer
 * before a launch, and what stores to a surface left in it goes back into the buffer behind the launch. */
#include "run.h"

#include <string.h>

static unsigned format_of(ElementType type)
{
	static const unsigned format[E_COUNT] = {
		[E_U8] = 1, [E_U16] = 2, [E_U32] = 3, [E_I8] = 8, [E_I16] = 9, [E_I32] = 10, [E_F16] = 0x10, [E_F32] = 0x20,
	};
	return format[type];
}

static bool missing(Run *run, const char *what) { return run_result(run, what, CUDA_NOT_SUPPORTED); }

static bool make(Run *run, Texture *t)
{
	const Driver   *d = run->d;
	ArrayDescriptor a = {.width = t->width,
	                     .height = t->dim > 1 ? t->height : 0,
	                     .depth = t->dim > 2 ? t->depth : 0,
	                     .format = format_of(t->type),
	                     .channels = t->channels,
	                     .flags = t->surface ? ARRAY_SURFACE : 0};
	if (!d->array_create || !d->copy_box || !d->texture_create || !d->surface_create || !a.format)
		return missing(run, "array_create");
	if (!CALL(run, array_create, &t->array, &a))
		return false;
	ResourceDescriptor resource = {.kind = 0, .of.array = t->array};
	if (t->surface)
		return CALL(run, surface_create, &t->object, &resource);
	TextureDescriptor texture = {.address = {t->address, t->address, t->address},
	                             .filter = t->filter,
	                             .flags = (element_is_float(t->type) ? 0 : (unsigned)TEXTURE_AS_INTEGER) |
	                                      (t->normalized ? (unsigned)TEXTURE_NORMALIZED : 0)};
	return CALL(run, texture_create, &t->object, &resource, &texture, NULL);
}

bool textures_make(Run *run)
{
	for (unsigned i = 0; i < run->job->n_textures; i++)
		if (!make(run, &run->job->texture[i]))
			return false;
	return true;
}

static bool copy(Run *run, const Texture *t, bool back)
{
	size_t   row = t->width * t->channels * element_bytes(t->type);
	CopySide array = {.type = MEMORY_ARRAY, .array = t->array};
	CopySide buffer = {
		.type = MEMORY_DEVICE, .device = run->job->buffer[t->buffer].address, .pitch = row, .height = t->height};
	CopyBox box = {
		.from = back ? array : buffer, .to = back ? buffer : array, .width = row, .height = t->height, .depth = t->depth};
	return CALL(run, copy_box, &box);
}

bool textures_fill(Run *run)
{
	for (unsigned i = 0; i < run->job->n_textures; i++)
		if (!copy(run, &run->job->texture[i], false))
			return false;
	return true;
}

bool textures_read_back(Run *run)
{
	for (unsigned i = 0; i < run->job->n_textures; i++)
		if (run->job->texture[i].surface && !copy(run, &run->job->texture[i], true))
			return false;
	return true;
}
