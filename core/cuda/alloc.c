/* alloc.c: the table of memory that the driver knows, by address and without overlaps. Kernels get their view of it from here (launch.c),
 * and every copy is checked against it. Finding is a binary search; adding and removing move what lies above.
 *
 * Device memory is memory of the process, zeroed, on addresses that are multiples of 512. */
#define _GNU_SOURCE
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 512, LARGE = 1 << 20 };

/* The first that ends above the address. */
static u32 above(u64 address)
{
	u32 lo = 0, hi = driver.n_alloc;
	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (driver.alloc[mid].base + driver.alloc[mid].size <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

Alloc *alloc_at(u64 address)
{
	u32 i = above(address);
	return i < driver.n_alloc && driver.alloc[i].base <= address ? &driver.alloc[i] : NULL;
}

Alloc *alloc_holding(u64 address, u64 size)
{
	Alloc *a = alloc_at(address);
	bool   usable = a && (a->kind != ALLOC_MAPPED || a->readers);
	return usable && size <= a->size - (address - a->base) ? a : NULL;
}

/* For modules, which take over changes of the table one by one (launch.c). */
static void changed(const Alloc *a, bool added)
{
	driver.version++;
	driver.change[driver.version % MOST_CHANGES] = (AllocChange){.alloc = *a, .added = added};
}

void alloc_all_changed(void) { driver.version += MOST_CHANGES + 1; }

CUresult alloc_add(const Alloc *a)
{
	u32 i = above(a->base);
	if (i < driver.n_alloc && driver.alloc[i].base < a->base + a->size)
		return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	Alloc *more = array_grow(driver.alloc, driver.n_alloc, &driver.room_alloc, sizeof *more);
	if (!more)
		return CUDA_ERROR_OUT_OF_MEMORY;
	driver.alloc = more;
	memmove(driver.alloc + i + 1, driver.alloc + i, (driver.n_alloc - i) * sizeof *driver.alloc);
	driver.alloc[i] = *a;
	driver.alloc[i].id = a->id ? a->id : ++driver.next_id;
	driver.n_alloc++;
	changed(a, true);
	return CUDA_SUCCESS;
}

void alloc_remove(Alloc *a)
{
	u32 i = (u32)(a - driver.alloc);
	changed(a, false);
	memmove(a, a + 1, (driver.n_alloc - i - 1) * sizeof *a);
	driver.n_alloc--;
}

static bool is_own(AllocKind kind)
{
	return kind == ALLOC_DEVICE || kind == ALLOC_HOST || kind == ALLOC_MANAGED || kind == ALLOC_ARRAY;
}

static void bytes_free(u64 base, u64 size, bool whole_pages)
{
	void *p = (void *)(uintptr_t)base;
	if (whole_pages)
		munmap(p, (size_t)size);
	else
		free(p);
}

CUresult alloc_new(AllocKind kind, CUcontext c, u64 size, unsigned flags, u64 *out)
{
	/* Device memory has pages of its own, as it may have to become another process's, too (ipc.c), and managed memory, as pages are what
	 * is advised of (managed.c). */
	bool  own_pages = kind == ALLOC_DEVICE || kind == ALLOC_MANAGED;
	Alloc a = {.size = size, .kind = kind, .flags = flags, .context = c, .whole_pages = own_pages || size >= LARGE};
	if (size > driver.memory - driver.memory_used)
		return CUDA_ERROR_OUT_OF_MEMORY;
	size_t room = (size_t)((size + ALIGNMENT - 1) & ~(u64)(ALIGNMENT - 1));
	void  *p = a.whole_pages
	                   ? mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
	                   : aligned_alloc(ALIGNMENT, room);
	if (!p || p == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (!a.whole_pages)
		memset(p, 0, room);
	a.base = (u64)(uintptr_t)p;
	CUresult r = alloc_add(&a);
	if (r != CUDA_SUCCESS) {
		bytes_free(a.base, size, a.whole_pages);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	driver.memory_used += size;
	*out = a.base;
	return CUDA_SUCCESS;
}

void alloc_release(Alloc *a)
{
	Alloc gone = *a;
	alloc_remove(a);
	if (gone.kind == ALLOC_IMPORTED)
		alloc_unmap_imported(&gone);
	if (gone.file)
		close(gone.file - 1);
	if (!is_own(gone.kind))
		return;
	driver.memory_used -= gone.size;
	if (gone.graph) {
		graph_memory_freed(gone.graph);
		return;
	}
	bytes_free(gone.base, gone.size, gone.whole_pages);
}

void alloc_release_context(CUcontext c)
{
	for (u32 i = driver.n_alloc; i-- > 0;)
		if (driver.alloc[i].context == c)
			alloc_release(&driver.alloc[i]);
}
