/* register.c: what a program registers before main: its images of device code, their kernels and variables.
 *
 * An image is loaded into a context when something of it is wanted there for the first time, so a program that launches nothing loads
 * nothing. Entries are found by their address in the program, in a hash table. One lock guards all of it. */
#include "cudart/state.h"

#include <pthread.h>
#include <stdlib.h>

/* An image as it was loaded into a context; contexts are told apart by ids that are given once. */
typedef struct Loaded {
	unsigned long long context;
	CUmodule           module;
} Loaded;

typedef struct Binary {
	void          *image; /* first: the program's handle points here */
	struct Binary *next;
	Loaded        *loaded;
	CUmanagedSet   managed; /* variables that are the same in all contexts */
	u32            n_loaded;
} Binary;

static struct {
	pthread_mutex_t lock;
	Binary         *first;
	Entry         **entry; /* a hash table; a power of two; NULL: free */
	u32             n, room;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- entries */

static u32 slot_of(const void *host)
{
	u64 h = (u64)(uintptr_t)host * 0x9E3779B97F4A7C15u;
	return (u32)(h >> 32) & (all.room - 1);
}

static void put(Entry *e)
{
	u32 at = slot_of(e->host);
	while (all.entry[at])
		at = (at + 1) & (all.room - 1);
	all.entry[at] = e;
}

static bool grow(void)
{
	u32     before = all.room, room = before ? 2 * before : 256;
	Entry **old = all.entry, **table = calloc(room, sizeof *table);
	if (!table)
		return false;
	all.entry = table;
	all.room = room;
	for (u32 i = 0; i < before; i++)
		if (old[i])
			put(old[i]);
	free(old);
	return true;
}

/* Of an address that is there, the newest counts no more than the oldest: one function of several translation units is one. */
static Entry *find(EntryKind kind, const void *host)
{
	for (u32 at = all.room ? slot_of(host) : 0; all.room && all.entry[at]; at = (at + 1) & (all.room - 1))
		if (all.entry[at]->host == host && all.entry[at]->kind == kind)
			return all.entry[at];
	return NULL;
}

Entry *entry_find(EntryKind kind, const void *host)
{
	pthread_mutex_lock(&all.lock);
	Entry *e = find(kind, host);
	pthread_mutex_unlock(&all.lock);
	return e;
}

static void add(Entry e)
{
	pthread_mutex_lock(&all.lock);
	Entry *own = !find(e.kind, e.host) && (2 * (all.n + 1) <= all.room || grow()) ? malloc(sizeof *own) : NULL;
	if (own) {
		*own = e;
		all.n++;
		put(own);
	}
	pthread_mutex_unlock(&all.lock);
}

/* ---- what nvcc calls */

void **__cudaRegisterFatBinary(void *image)
{
	Binary *b = calloc(1, sizeof *b);
	if (!b)
		return NULL;
	pthread_mutex_lock(&all.lock);
	b->image = image;
	b->next = all.first;
	all.first = b;
	pthread_mutex_unlock(&all.lock);
	return &b->image;
}

void __cudaRegisterFatBinaryEnd(void **binary) { (void)binary; }

/* Entries of the image go, too: the library that registered them is being unloaded, or the process ends. */
void __cudaUnregisterFatBinary(void **binary)
{
	Binary *b = (Binary *)(void *)binary, **link = &all.first;
	pthread_mutex_lock(&all.lock);
	while (*link && *link != b)
		link = &(*link)->next;
	if (*link) {
		Entry **old = all.entry;
		u32     before = all.room;
		*link = b->next;
		all.n = 0;
		all.room = before;
		all.entry = calloc(before + 1, sizeof *all.entry);
		for (u32 i = 0; all.entry && i < before; i++)
			if (old[i] && old[i]->binary != b) {
				put(old[i]);
				all.n++;
			} else {
				free(old[i]);
			}
		all.room = all.entry ? before : 0;
		free(old);
		ptxscope_managed_free(b->managed);
		free(b->loaded);
		free(b);
	}
	pthread_mutex_unlock(&all.lock);
}

/* More than seven parameters: the signature is nvcc's. */
void __cudaRegisterFunction(void **binary, const char *host, char *device, const char *name, int threads, void *tid, void *bid,
                            dim3 *block, dim3 *grid, int *warp)
{
	(void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	add((Entry){.kind = ENTRY_KERNEL, .host = host, .name = name, .binary = (Binary *)(void *)binary});
}

/* More than seven parameters: the signature is nvcc's. */
void __cudaRegisterVar(void **binary, char *host, char *device, const char *name, int external, size_t size, int constant,
                       int global)
{
	(void)device, (void)external, (void)constant, (void)global;
	add((Entry){.kind = ENTRY_VARIABLE, .host = host, .name = name, .binary = (Binary *)(void *)binary, .size = size});
}

/* More than seven parameters: the signature is nvcc's. */
void __cudaRegisterManagedVar(void **binary, void **host, char *device, const char *name, int external, size_t size, int constant,
                              int global)
{
	(void)device, (void)external, (void)constant, (void)global;
	add((Entry){.kind = ENTRY_VARIABLE,
	            .host = host,
	            .name = name,
	            .binary = (Binary *)(void *)binary,
	            .size = size,
	            .managed = host});
}

/* Of a variable of the host that kernels could reach on systems with one memory; this is none. */
void __cudaRegisterHostVar(void **binary, const char *name, char *host, size_t size)
{
	(void)binary, (void)name, (void)host, (void)size;
}

/* ---- loading */

/* The program's pointers to managed variables get their values; those that have one keep it. */
static void set_managed(Binary *b, CUmodule m)
{
	for (u32 i = 0; i < all.room; i++) {
		Entry      *e = all.entry[i];
		CUdeviceptr p;
		size_t      size;
		if (e && e->binary == b && e->managed && !*e->managed &&
		    cuModuleGetGlobal_v2(&p, &size, m, e->name) == CUDA_SUCCESS)
			*e->managed = (void *)(uintptr_t)p;
	}
}

/* The image in the current context, whose id this is. */
static CUresult load(Binary *b, unsigned long long context, CUmodule *out)
{
	for (u32 i = 0; i < b->n_loaded; i++)
		if (b->loaded[i].context == context)
			return *out = b->loaded[i].module, CUDA_SUCCESS;
	Loaded *more = realloc(b->loaded, (b->n_loaded + 1) * sizeof *more);
	if (!more)
		return CUDA_ERROR_OUT_OF_MEMORY;
	b->loaded = more;
	CUresult r = ptxscope_module_load(out, b->image, &b->managed);
	if (r != CUDA_SUCCESS)
		return r;
	b->loaded[b->n_loaded++] = (Loaded){context, *out};
	set_managed(b, *out);
	return CUDA_SUCCESS;
}

/* Has the driver anything for this entry here? */
static CUresult function_in(Entry *e, unsigned long long context)
{
	CUmodule m;
	if (e->context == context)
		return CUDA_SUCCESS;
	CUresult r = load(e->binary, context, &m);
	if (r == CUDA_SUCCESS)
		r = cuModuleGetFunction(&e->function, m, e->name);
	if (r == CUDA_SUCCESS)
		e->context = context;
	return r == CUDA_ERROR_NOT_FOUND ? (CUresult)cudaErrorInvalidDeviceFunction : r;
}

static bool is_entry(const void *p)
{
	for (u32 i = 0; i < all.room; i++)
		if (all.entry[i] == p && p)
			return true;
	return false;
}

/* The id of the current context; where there is one, the registrations stay as they are until they are unlocked. */
static CUresult lock_in_context(unsigned long long *context)
{
	CUresult r = cuCtxGetId(NULL, context);
	if (r == CUDA_SUCCESS)
		pthread_mutex_lock(&all.lock);
	return r;
}

CUresult function_of(const void *f, CUfunction *out)
{
	unsigned long long context;
	CUmodule           m;
	CUresult           r = lock_in_context(&context);
	if (r != CUDA_SUCCESS)
		return r;
	Entry *e = find(ENTRY_KERNEL, f);
	if (!e && is_entry(f))
		e = (Entry *)(uintptr_t)f;
	r = e ? function_in(e, context) : CUDA_SUCCESS;
	if (e && r == CUDA_SUCCESS)
		*out = e->function;
	pthread_mutex_unlock(&all.lock);
	if (e)
		return r;
	*out = (CUfunction)(uintptr_t)f;
	return cuFuncGetModule(&m, *out) == CUDA_SUCCESS ? CUDA_SUCCESS : (CUresult)cudaErrorInvalidDeviceFunction;
}

/* Of a managed variable, the program may also name the memory itself. */
static Entry *managed_at(const void *p)
{
	for (u32 i = 0; p && i < all.room; i++)
		if (all.entry[i] && all.entry[i]->managed && *all.entry[i]->managed == p)
			return all.entry[i];
	return NULL;
}

CUresult symbol_of(const void *symbol, CUdeviceptr *out, size_t *size)
{
	unsigned long long context;
	CUmodule           m;
	CUresult           r = lock_in_context(&context);
	if (r != CUDA_SUCCESS)
		return r;
	Entry *e = find(ENTRY_VARIABLE, symbol);
	e = e ? e : managed_at(symbol);
	r = e ? load(e->binary, context, &m) : (CUresult)cudaErrorInvalidSymbol;
	if (r == CUDA_SUCCESS && e->managed && *e->managed) {
		*out = (CUdeviceptr)(uintptr_t)*e->managed;
		*size = e->size;
	} else if (r == CUDA_SUCCESS) {
		r = cuModuleGetGlobal_v2(out, size, m, e->name);
	}
	pthread_mutex_unlock(&all.lock);
	return r == CUDA_ERROR_NOT_FOUND ? (CUresult)cudaErrorInvalidSymbol : r;
}

char __cudaInitModule(void **binary)
{
	unsigned long long context;
	CUmodule           m;
	CUresult           r = runtime_begin();
	if (r == CUDA_SUCCESS)
		r = lock_in_context(&context);
	if (r == CUDA_SUCCESS) {
		r = load((Binary *)(void *)binary, context, &m);
		pthread_mutex_unlock(&all.lock);
	}
	return runtime_end(r) == cudaSuccess;
}
