#define _GNU_SOURCE
#include "driver.h"

#include <dlfcn.h>
#include <string.h>

/* dlsym gives a pointer to data; its bytes are those of the pointer to the function. */
static bool symbol(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);
	memcpy(function, &found, sizeof found);
	return found != NULL;
}

const char *driver_load(Driver *d, const char *file)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return dlerror();
#define DRIVER(name, id, parameters)         \
	if (!symbol(library, #id, &d->name)) \
		return "the driver has no " #id;
#define OPTIONAL(name, id, parameters) symbol(library, #id, &d->name);
#include "driver.def"
	return NULL;
}

const char *driver_error_name(const Driver *d, int result)
{
	const char *text = NULL;
	return d->error_name(result, &text) == 0 && text ? text : "CUDA_ERROR_UNKNOWN";
}

const char *driver_error_text(const Driver *d, int result)
{
	const char *text = NULL;
	return d->error_text(result, &text) == 0 && text ? text : "unknown error";
}
