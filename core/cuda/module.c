/* module.c: modules, and libraries, which are modules here.
 *
 * A module is an emulator in host memory mode with one program. Its variables are entries of the table of memory, so copies reach them
 * and kernels of other modules do, too. */
#define _GNU_SOURCE
#include "cuda/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODULE_MEMORY ((size_t)4 << 30)

static bool is_module(CUmodule m) { return object_is(m, OBJECT_MODULE); }

/* ---- logs of the just-in-time compiler */

typedef struct Logs {
	unsigned      n;
	CUjit_option *option;
	void        **value;
} Logs;

static void **option_value(const Logs *l, CUjit_option which)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->option[i] == which)
			return &l->value[i];
	return NULL;
}

/* Into the program's buffer; its size becomes what was written. */
static bool log_text(const Logs *l, CUjit_option buffer, CUjit_option buffer_size, const char *text)
{
	void **to = option_value(l, buffer), **size = option_value(l, buffer_size);
	size_t room = size ? (size_t)(uintptr_t)*size : 0, n = PS_MIN(strlen(text), room ? room - 1 : 0);
	if (!to || !*to || !room)
		return false;
	memcpy(*to, text, n);
	((char *)*to)[n] = 0;
	*size = (void *)(uintptr_t)(n ? n + 1 : 0);
	return true;
}

/* ---- managed variables of several modules: memory of no context, of which the first module gives the values */

typedef struct Managed {
	char *name;
	u64   base, size;
} Managed;
struct CUmanagedSet_st {
	Managed *variable;
	u32      n, room;
};

static void *place(void *user, const char *name, size_t size, bool *fresh)
{
	ManagedSet *s = user;
	for (u32 i = 0; i < s->n; i++)
		if (strcmp(s->variable[i].name, name) == 0 && s->variable[i].size == size) {
			*fresh = false;
			return (void *)(uintptr_t)s->variable[i].base;
		}
	Managed *more = array_grow(s->variable, s->n, &s->room, sizeof *more), v = {.size = size};
	if (!more)
		return NULL;
	s->variable = more;
	v.name = malloc(strlen(name) + 1);
	if (!v.name || !size || alloc_new(ALLOC_MANAGED, NULL, size, CU_MEM_ATTACH_GLOBAL, &v.base) != CUDA_SUCCESS) {
		free(v.name);
		return NULL;
	}
	strcpy(v.name, name);
	alloc_at(v.base)->set = s;
	alloc_all_changed(); /* whose it is was not known before */
	s->variable[s->n++] = v;
	return (void *)(uintptr_t)v.base;
}

static void set_free(ManagedSet *s)
{
	for (u32 i = 0; s && i < s->n; i++) {
		alloc_release(alloc_at(s->variable[i].base));
		free(s->variable[i].name);
	}
	if (s)
		free(s->variable);
	free(s);
}

/* ---- loading */

static CUresult add_variables(CUmodule m)
{
	PsVariable v;
	CUresult   r = CUDA_SUCCESS;
	for (u32 i = 0; r == CUDA_SUCCESS && ps_emulator_variable(m->emulator, i, &v); i++)
		if (v.size && !(m->set && alloc_at((u64)(uintptr_t)v.bytes) && alloc_at((u64)(uintptr_t)v.bytes)->set == m->set))
			r = alloc_add(&(Alloc){.base = (u64)(uintptr_t)v.bytes,
			                       .size = v.size,
			                       .kind = ALLOC_VARIABLE,
			                       .constant = v.constant,
			                       .managed = v.managed,
			                       .context = m->o.context,
			                       .module = m});
	return r;
}

void module_destroy(CUmodule m)
{
	while (m->first) {
		CUfunction f = m->first;
		m->first = f->next;
		free(f->legacy);
		object_free(f);
	}
	for (u32 i = driver.n_alloc; i-- > 0;)
		if (driver.alloc[i].module == m)
			alloc_remove(&driver.alloc[i]);
	ps_emulator_free(m->emulator);
	object_free(m);
}

static CUresult refused(CUmodule m, PsStatus status, const Logs *logs)
{
	const char *why = ps_emulator_messages(m->emulator);
	if (!log_text(logs, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, why))
		say("the PTX cannot be loaded\n%s", why);
	return status == PS_STATUS_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_PTX;
}

static CUresult load_ptx(CUcontext c, CUmodule *out, const Ptx *ptx, const Logs *logs, ManagedSet *set)
{
	CUmodule m = object_new(OBJECT_MODULE, c, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->emulator = ps_emulator_new(MODULE_MEMORY);
	if (!m->emulator) {
		object_free(m);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	ps_emulator_host_memory(m->emulator, true);
	PsThreadHost threads = context_threads(c);
	ps_emulator_thread_host(m->emulator, &threads);
	m->set = set;
	if (set)
		ps_emulator_place_managed(m->emulator, place, set);
	PsStatus status = ps_emulator_load(m->emulator, "module.ptx", ptx->text, ptx->size, 0, NULL);
	CUresult r = status == PS_STATUS_DONE ? add_variables(m) : refused(m, status, logs);
	if (r != CUDA_SUCCESS) {
		module_destroy(m);
		return r;
	}
	log_text(logs, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "");
	log_text(logs, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, "");
	*out = m;
	return CUDA_SUCCESS;
}

static CUresult load_with(CUcontext c, CUmodule *out, const void *image, const Logs *logs, ManagedSet *set)
{
	Ptx ptx;
	if (!out || !image || (logs->n && (!logs->option || !logs->value)))
		return CUDA_ERROR_INVALID_VALUE;
	const void *const *parts = image_parts(image);
	CUresult           r = parts ? link_images(c, parts, &ptx) : image_ptx(image, 0, &ptx);
	if (r == CUDA_SUCCESS)
		r = load_ptx(c, out, &ptx, logs, set);
	free(ptx.own);
	return r;
}

static CUresult load(CUcontext c, CUmodule *out, const void *image, const Logs *logs)
{
	return load_with(c, out, image, logs, NULL);
}

static CUresult load_common(CUcontext c, CUmodule *out, const void *image, CUmanagedSet *set)
{
	if (!*set && !(*set = calloc(1, sizeof **set)))
		return CUDA_ERROR_OUT_OF_MEMORY;
	return load_with(c, out, image, &(Logs){0}, *set);
}

CUresult ptxscope_module_load(CUmodule *out, const void *image, CUmanagedSet *set)
{
	DRIVER_CALL(IN_CONTEXT, load_common(c.context, out, image, set));
}

void ptxscope_managed_free(CUmanagedSet set)
{
	call_lock();
	set_free(set);
	call_unlock();
}

CUresult cuModuleLoadData(CUmodule *out, const void *image) { DRIVER_CALL(IN_CONTEXT, load(c.context, out, image, &(Logs){0})); }
CUresult cuModuleLoadFatBinary(CUmodule *out, const void *image)
{
	DRIVER_CALL(IN_CONTEXT, load(c.context, out, image, &(Logs){0}));
}
CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned n, CUjit_option *options, void **values)
{
	DRIVER_CALL(IN_CONTEXT, load(c.context, out, image, &(Logs){n, options, values}));
}

char *file_text(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	i64   n = -1;
	if (f && fseek(f, 0, SEEK_END) == 0 && (n = (i64)ftello(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0)
		text = calloc(1, (size_t)n + 8); /* a magic number may be looked for */
	if (text && fread(text, 1, (size_t)n, f) != (size_t)n) {
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	*size = (size_t)n;
	return text;
}

static CUresult load_file(CUcontext c, CUmodule *out, const char *path)
{
	size_t size;
	if (!out || !path)
		return CUDA_ERROR_INVALID_VALUE;
	char *text = file_text(path, &size);
	if (!text)
		return CUDA_ERROR_FILE_NOT_FOUND;
	CUresult r = size ? load(c, out, text, &(Logs){0}) : CUDA_ERROR_INVALID_IMAGE;
	free(text);
	return r;
}

CUresult cuModuleLoad(CUmodule *out, const char *path) { DRIVER_CALL(IN_CONTEXT, load_file(c.context, out, path)); }

static CUresult unload(CUmodule m)
{
	if (!is_module(m))
		return CUDA_ERROR_INVALID_HANDLE;
	module_destroy(m);
	return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule m) { DRIVER_CALL(IN_CONTEXT, unload(m)); }

/* ---- what is in a module */

CUresult function_find(CUmodule m, const char *name, CUfunction *out)
{
	PsKernel k;
	for (CUfunction f = m->first; f; f = f->next)
		if (strcmp(f->kernel.name, name) == 0)
			return *out = f, CUDA_SUCCESS;
	if (!ps_emulator_kernel_named(m->emulator, name, &k))
		return CUDA_ERROR_NOT_FOUND;
	CUfunction f = object_new(OBJECT_FUNCTION, m->o.context, sizeof *f);
	if (!f)
		return CUDA_ERROR_OUT_OF_MEMORY;
	f->module = m;
	f->kernel = k;
	f->most_dynamic = k.shared_bytes < 48 << 10 ? (48 << 10) - (int)k.shared_bytes : 0;
	f->carveout = -1;
	f->next = m->first;
	m->first = f;
	*out = f;
	return CUDA_SUCCESS;
}

static CUresult get_function(CUfunction *out, CUmodule m, const char *name)
{
	if (!out || !name || !*name)
		return CUDA_ERROR_INVALID_VALUE;
	return is_module(m) ? function_find(m, name, out) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule m, const char *name)
{
	DRIVER_CALL(IN_CONTEXT, get_function(out, m, name));
}

static CUresult enumerate(unsigned *count, CUfunction *out, unsigned n, CUmodule m)
{
	u32 i = 0;
	if (!count && !out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_module(m))
		return CUDA_ERROR_INVALID_HANDLE;
	for (const char *name; (name = ps_emulator_kernel(m->emulator, i)); i++) {
		CUresult r = out && i < n ? function_find(m, name, &out[i]) : CUDA_SUCCESS;
		if (r != CUDA_SUCCESS)
			return r;
	}
	if (count)
		*count = i;
	return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned *out, CUmodule m) { DRIVER_CALL(IN_CONTEXT, enumerate(out, NULL, 0, m)); }
CUresult cuModuleEnumerateFunctions(CUfunction *out, unsigned n, CUmodule m)
{
	DRIVER_CALL(IN_CONTEXT, enumerate(NULL, out, n, m));
}

static CUresult get_global(CUdeviceptr *out, size_t *size, CUmodule m, const char *name)
{
	PsVariable v;
	if (!name || (!out && !size))
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_module(m))
		return CUDA_ERROR_INVALID_HANDLE;
	for (u32 i = 0; ps_emulator_variable(m->emulator, i, &v); i++)
		if (strcmp(v.name, name) == 0) {
			if (out)
				*out = (u64)(uintptr_t)v.bytes;
			if (size)
				*size = v.size;
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *out, size_t *size, CUmodule m, const char *name)
{
	DRIVER_CALL(IN_CONTEXT, get_global(out, size, m, name));
}

static CUresult loading_mode(int *out)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = 1; /* everything when the module is loaded */
	return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(int *out) { DRIVER_CALL(ON_DEVICE, loading_mode(out)); }

/* ---- libraries: a module of the context that is current when it is loaded */

/* More than seven parameters: the signature is CUDA's. */
CUresult cuLibraryLoadData(CUlibrary *out, const void *image, CUjit_option *options, void **values, unsigned n, void *lib_options,
                           void **lib_values, unsigned n_lib)
{
	(void)lib_options, (void)lib_values, (void)n_lib;
	DRIVER_CALL(IN_CONTEXT, load(c.context, (CUmodule *)(void *)out, image, &(Logs){n, options, values}));
}
/* More than seven parameters: the signature is CUDA's. */
CUresult cuLibraryLoadFromFile(CUlibrary *out, const char *path, CUjit_option *options, void **values, unsigned n,
                               void *lib_options, void **lib_values, unsigned n_lib)
{
	(void)options, (void)values, (void)n, (void)lib_options, (void)lib_values, (void)n_lib;
	DRIVER_CALL(IN_CONTEXT, load_file(c.context, (CUmodule *)(void *)out, path));
}
CUresult cuLibraryUnload(CUlibrary l) { DRIVER_CALL(IN_CONTEXT, unload((CUmodule)(void *)l)); }
CUresult cuLibraryGetKernel(CUkernel *out, CUlibrary l, const char *name)
{
	DRIVER_CALL(IN_CONTEXT, get_function((CUfunction *)(void *)out, (CUmodule)(void *)l, name));
}

static CUresult same_module(CUmodule *out, CUlibrary l)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (CUmodule)(void *)l;
	return is_module(*out) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuLibraryGetModule(CUmodule *out, CUlibrary l) { DRIVER_CALL(IN_CONTEXT, same_module(out, l)); }
CUresult cuLibraryGetGlobal(CUdeviceptr *out, size_t *size, CUlibrary l, const char *name)
{
	DRIVER_CALL(IN_CONTEXT, get_global(out, size, (CUmodule)(void *)l, name));
}

static CUresult get_managed(CUdeviceptr *out, size_t *size, CUmodule m, const char *name)
{
	CUdeviceptr at;
	CUresult    r = get_global(&at, size, m, name);
	if (r == CUDA_SUCCESS && (!alloc_at(at) || !alloc_at(at)->managed))
		return CUDA_ERROR_NOT_FOUND;
	if (r == CUDA_SUCCESS && out)
		*out = at;
	return r;
}

CUresult cuLibraryGetManaged(CUdeviceptr *out, size_t *size, CUlibrary l, const char *name)
{
	DRIVER_CALL(IN_CONTEXT, get_managed(out, size, (CUmodule)(void *)l, name));
}
CUresult cuLibraryGetKernelCount(unsigned *out, CUlibrary l)
{
	DRIVER_CALL(IN_CONTEXT, enumerate(out, NULL, 0, (CUmodule)(void *)l));
}
CUresult cuLibraryEnumerateKernels(CUkernel *out, unsigned n, CUlibrary l)
{
	DRIVER_CALL(IN_CONTEXT, enumerate(NULL, (CUfunction *)(void *)out, n, (CUmodule)(void *)l));
}

static CUresult same_function(CUfunction *out, CUkernel k)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = (CUfunction)(void *)k;
	return object_is(*out, OBJECT_FUNCTION) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelGetFunction(CUfunction *out, CUkernel k) { DRIVER_CALL(IN_CONTEXT, same_function(out, k)); }
