/* ipc.c: memory and events of one process in another one on the same machine.
 *
 * Memory that is exported is moved into a file in memory, at the address that it has; the handle names the file as the exporting process
 * has it open (/proc/PID/fd/N), and tells it from a later file of the same number. So nothing is left over when a process ends, and a
 * handle is good as long as the memory is there. An event needs no memory: all work is done when it is given (state.h), so an event of
 * another process has always happened. Atomic operations of kernels are atomic within their process alone.
 *
 * Pools are shared by descriptors of empty files, and their memory as other memory is. */
#define _GNU_SOURCE
#include "cuda/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HANDLE_MEMORY = 1, HANDLE_EVENT, HANDLE_POINTER };
enum { LAZY_ENABLE_PEER_ACCESS = 1 };

/* What a handle of 64 bytes holds. */
typedef struct Handle {
	char magic[8];
	u32  kind;
	i32  process, file;
	u32  unused;
	u64  device, inode; /* of the file */
	u64  size, id;
} Handle;
_Static_assert(sizeof(Handle) <= sizeof(CUipcHandle), "a handle has 64 bytes");

static const char magic[8] = "ptxscope";

static void handle_put(CUipcHandle *out, Handle h)
{
	memset(out, 0, sizeof *out);
	memcpy(h.magic, magic, sizeof magic);
	h.process = getpid();
	memcpy(out, &h, sizeof h);
}

static bool handle_get(const CUipcHandle *from, u32 kind, Handle *h)
{
	memcpy(h, from, sizeof *h);
	return memcmp(h->magic, magic, sizeof magic) == 0 && h->kind == kind;
}

/* ---- memory */

static size_t whole(u64 size) { return (size_t)((size + 4095) & ~(u64)4095); }

/* The allocation becomes one of a file; other processes may map that. */
static CUresult share(Alloc *a)
{
	size_t size = whole(a->size);
	int    file = a->file ? -1 : memfd_create("ptxscope", MFD_CLOEXEC);
	if (a->file)
		return CUDA_SUCCESS;
	void *p = file >= 0 && ftruncate(file, (off_t)size) == 0 ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
	                                                         : MAP_FAILED;
	if (p == MAP_FAILED) {
		if (file >= 0)
			close(file);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	memcpy(p, (const void *)(uintptr_t)a->base, (size_t)a->size);
	if (mremap(p, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(uintptr_t)a->base) == MAP_FAILED) {
		munmap(p, size);
		close(file);
		return CUDA_ERROR_MAP_FAILED;
	}
	a->file = file + 1;
	return CUDA_SUCCESS;
}

static CUresult export_memory(CUipcHandle *out, Alloc *a, u32 kind)
{
	struct stat s;
	CUresult    r = share(a);
	if (r == CUDA_SUCCESS && fstat(a->file - 1, &s))
		r = CUDA_ERROR_MAP_FAILED;
	if (r == CUDA_SUCCESS)
		handle_put(out, (Handle){.kind = kind,
		                         .file = a->file - 1,
		                         .device = (u64)s.st_dev,
		                         .inode = (u64)s.st_ino,
		                         .size = a->size,
		                         .id = a->id});
	return r;
}

static CUresult get_memory(CUipcHandle *out, u64 p)
{
	Alloc *a = alloc_at(p);
	if (!out || !a || a->base != p || a->kind != ALLOC_DEVICE || a->pool || a->graph)
		return CUDA_ERROR_INVALID_VALUE;
	return export_memory(out, a, HANDLE_MEMORY);
}

CUresult cuIpcGetMemHandle(CUipcHandle *out, CUdeviceptr p) { DRIVER_CALL(IN_CONTEXT, get_memory(out, p)); }

/* The file that the handle names; < 0: it is gone, or this process may not open it. */
static int handle_file(const Handle *h)
{
	char        path[64];
	struct stat s;
	snprintf(path, sizeof path, "/proc/%d/fd/%d", h->process, h->file);
	int file = open(path, O_RDWR | O_CLOEXEC);
	if (file >= 0 &&
	    (fstat(file, &s) || (u64)s.st_dev != h->device || (u64)s.st_ino != h->inode || (u64)s.st_size != whole(h->size))) {
		close(file);
		return -1;
	}
	return file;
}

static CUresult import_memory(CUcontext c, u64 *out, const Handle *h, CUmemoryPool pool)
{
	for (u32 i = 0; i < driver.n_alloc; i++) {
		Alloc *a = &driver.alloc[i];
		if (a->kind == ALLOC_IMPORTED && a->context == c && a->origin.file_device == h->device &&
		    a->origin.inode == h->inode) {
			a->origin.opened++;
			return *out = a->base, CUDA_SUCCESS;
		}
	}
	if (!h->size || h->size > driver.memory)
		return CUDA_ERROR_INVALID_HANDLE;
	int   file = handle_file(h);
	void *p = file < 0 ? MAP_FAILED : mmap(NULL, whole(h->size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (file >= 0)
		close(file);
	if (p == MAP_FAILED)
		return CUDA_ERROR_MAP_FAILED;
	*out = (u64)(uintptr_t)p;
	CUresult r = alloc_add(&(Alloc){.base = *out,
	                                .size = h->size,
	                                .kind = ALLOC_IMPORTED,
	                                .context = c,
	                                .pool = pool,
	                                .origin = {.file_device = h->device, .inode = h->inode, .opened = 1}});
	if (r != CUDA_SUCCESS)
		munmap(p, whole(h->size));
	return r;
}

static CUresult open_memory(CUcontext c, u64 *out, const CUipcHandle *from, unsigned flags)
{
	Handle h;
	if (!out || flags != LAZY_ENABLE_PEER_ACCESS)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_get(from, HANDLE_MEMORY, &h))
		return CUDA_ERROR_INVALID_HANDLE;
	return h.process == getpid() ? CUDA_ERROR_INVALID_CONTEXT : import_memory(c, out, &h, NULL);
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *out, CUipcHandle h, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, open_memory(c.context, out, &h, flags));
}
CUresult cuIpcOpenMemHandle(CUdeviceptr *out, CUipcHandle h, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, open_memory(c.context, out, &h, flags));
}

static CUresult close_memory(CUcontext c, u64 p)
{
	Alloc *a = alloc_at(p);
	if (!a || a->base != p || a->kind != ALLOC_IMPORTED || a->pool || a->context != c)
		return CUDA_ERROR_INVALID_VALUE;
	if (!--a->origin.opened)
		alloc_release(a);
	return CUDA_SUCCESS;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr p) { DRIVER_CALL(IN_CONTEXT, close_memory(c.context, p)); }

void alloc_unmap_imported(const Alloc *a) { munmap((void *)(uintptr_t)a->base, whole(a->size)); }

/* ---- events */

static CUresult get_event(CUipcHandle *out, CUevent e)
{
	unsigned flags;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!event_flags(e, &flags) || !(flags & CU_EVENT_INTERPROCESS))
		return CUDA_ERROR_INVALID_HANDLE;
	handle_put(out, (Handle){.kind = HANDLE_EVENT});
	return CUDA_SUCCESS;
}

CUresult cuIpcGetEventHandle(CUipcHandle *out, CUevent e) { DRIVER_CALL(IN_CONTEXT, get_event(out, e)); }

static CUresult open_event(CUcontext c, CUevent *out, const CUipcHandle *from)
{
	Handle h;
	if (!handle_get(from, HANDLE_EVENT, &h))
		return CUDA_ERROR_INVALID_HANDLE;
	return event_create(c, out, CU_EVENT_DISABLE_TIMING);
}

CUresult cuIpcOpenEventHandle(CUevent *out, CUipcHandle h) { DRIVER_CALL(IN_CONTEXT, open_event(c.context, out, &h)); }

/* ---- pools: of descriptors, whose files say by their name which device they are of */

static const char pool_name[] = "ptxscope-pool-";

int shared_file(const char *name, int device, u64 size)
{
	char text[64];
	snprintf(text, sizeof text, "%s%d", name, device);
	int file = memfd_create(text, MFD_CLOEXEC);
	if (file >= 0 && ftruncate(file, (off_t)size)) {
		close(file);
		return -1;
	}
	return file;
}

int shared_file_device(int file, const char *name, u64 *size)
{
	char        path[64], text[96];
	struct stat s;
	size_t      n = strlen(name);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	ssize_t got = readlink(path, text, sizeof text - 1);
	if (got <= 0 || fstat(file, &s))
		return -1;
	text[got] = 0;
	const char *p = text;
	if (strncmp(p, "/memfd:", 7) != 0 || strncmp(p + 7, name, n) != 0 || p[7 + n] < '0' || p[7 + n] > '9')
		return -1;
	int device = 0;
	for (p += 7 + n; *p >= '0' && *p <= '9' && device < MOST_DEVICES; p++)
		device = 10 * device + *p - '0';
	*size = (u64)s.st_size;
	return device;
}

static CUresult export_pool(int *out, CUmemoryPool p, int type, u64 flags)
{
	int device;
	if (!out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || !pool_is_shared(p, &device))
		return CUDA_ERROR_INVALID_VALUE;
	*out = shared_file(pool_name, device, 0);
	return *out < 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuMemPoolExportToShareableHandle(void *out, CUmemoryPool p, int type, unsigned long long flags)
{
	DRIVER_CALL(ON_DEVICE, export_pool(out, p, type, flags));
}

static CUresult import_pool(CUmemoryPool *out, int file, int type, u64 flags)
{
	u64 size;
	if (!out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
		return CUDA_ERROR_INVALID_VALUE;
	int device = shared_file_device(file, pool_name, &size);
	return device < 0 || device >= driver.n_devices ? CUDA_ERROR_INVALID_VALUE : pool_imported(out, device);
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *out, void *handle, int type, unsigned long long flags)
{
	DRIVER_CALL(ON_DEVICE, import_pool(out, (int)(intptr_t)handle, type, flags));
}

static CUresult export_pointer(CUipcHandle *out, u64 p)
{
	int    device;
	Alloc *a = alloc_at(p);
	if (!out || !a || a->base != p || a->kind != ALLOC_DEVICE || !a->pool || !pool_is_shared(a->pool, &device))
		return CUDA_ERROR_INVALID_VALUE;
	return export_memory(out, a, HANDLE_POINTER);
}

CUresult cuMemPoolExportPointer(CUipcHandle *out, CUdeviceptr p) { DRIVER_CALL(ON_DEVICE, export_pointer(out, p)); }

static CUresult import_pointer(CUcontext c, u64 *out, CUmemoryPool pool, const CUipcHandle *from)
{
	Handle h;
	if (!out || !from || !pool_is_imported(pool) || !handle_get(from, HANDLE_POINTER, &h))
		return CUDA_ERROR_INVALID_VALUE;
	return h.process == getpid() ? CUDA_ERROR_INVALID_CONTEXT : import_memory(c, out, &h, pool);
}

CUresult cuMemPoolImportPointer(CUdeviceptr *out, CUmemoryPool pool, CUipcHandle *from)
{
	DRIVER_CALL(IN_CONTEXT, import_pointer(c.context, out, pool, from));
}
