/* graph_memory.c: nodes that allocate and free.
 *
 * An allocation's address is known when its node is added, so it is reserved then; the memory is in the table of memory from the run of
 * the node until it is freed: by another node, or by the program. What has a GraphMemory are works (nodes, steps of executable graphs),
 * and the table while the memory is there. */
#define _GNU_SOURCE
#include "cuda/graph.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct GraphMemory {
	GraphMemory *next;
	CUcontext    context;
	u64          context_id;
	CUdevice     device;
	u64          base, size;
	u32          users;
	bool         live; /* in the table */
};

/* Bytes of graphs, of a device: used and kept, now and at most. */
typedef struct Footprint {
	u64 used, most_used, kept, most_kept;
} Footprint;
static Footprint    footprint[MOST_DEVICES];
static GraphMemory *first;

const GraphMemory *graph_memory_at(u64 address)
{
	const GraphMemory *m = first;
	while (m && address - m->base >= m->size)
		m = m->next;
	return m;
}

const GraphMemory *graph_memory_holding(u64 address, u64 size)
{
	const GraphMemory *m = graph_memory_at(address);
	return m && size <= m->size - (address - m->base) ? m : NULL;
}

GraphMemory *graph_memory_new(CUcontext c, u64 size)
{
	GraphMemory *m = malloc(sizeof *m);
	void        *p = size > driver.memory
	                         ? MAP_FAILED
	                         : mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!m || p == MAP_FAILED) {
		if (p != MAP_FAILED)
			munmap(p, (size_t)size);
		free(m);
		return NULL;
	}
	*m = (GraphMemory){.next = first,
	                   .context = c,
	                   .context_id = c->o.id,
	                   .device = c->device,
	                   .base = (u64)(uintptr_t)p,
	                   .size = size,
	                   .users = 1};
	first = m;
	return m;
}

u64  graph_memory_base(const GraphMemory *m) { return m->base; }
void graph_memory_keep(GraphMemory *m) { m->users++; }

void graph_memory_drop(GraphMemory *m)
{
	if (--m->users)
		return;
	GraphMemory **link = &first;
	while (*link != m)
		link = &(*link)->next;
	*link = m->next;
	munmap((void *)(uintptr_t)m->base, (size_t)m->size);
	free(m);
}

CUresult graph_memory_run(GraphMemory *m)
{
	if (m->live || !object_is(m->context, OBJECT_CONTEXT) || m->context->o.id != m->context_id)
		return CUDA_ERROR_INVALID_VALUE;
	if (m->size > driver.memory - driver.memory_used)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUresult r =
		alloc_add(&(Alloc){.base = m->base, .size = m->size, .kind = ALLOC_DEVICE, .context = m->context, .graph = m});
	if (r != CUDA_SUCCESS)
		return r;
	m->live = true;
	graph_memory_keep(m);
	driver.memory_used += m->size;
	Footprint *f = &footprint[m->device];
	f->used += m->size;
	f->most_used = PS_MAX(f->most_used, f->used);
	f->kept = PS_MAX(f->kept, f->used);
	f->most_kept = PS_MAX(f->most_kept, f->kept);
	return CUDA_SUCCESS;
}

/* The next run finds zeros, as if it were other memory. */
void graph_memory_freed(GraphMemory *m)
{
	madvise((void *)(uintptr_t)m->base, (size_t)m->size, MADV_DONTNEED);
	m->live = false;
	footprint[m->device].used -= m->size;
	graph_memory_drop(m);
}

void graph_memory_reclaim(GraphMemory *m)
{
	if (m->live)
		alloc_release(alloc_at(m->base));
}

/* ---- nodes */

CUresult graph_add_alloc(CUcontext c, CUgraphNode *out, CUgraph g, AFTER, CUDA_MEM_ALLOC_NODE_PARAMS *p)
{
	if (!out || !is_graph(g) || (n && !after) || !p || !p->size || p->pool.type != 1 || p->pool.location.type != 1 ||
	    p->pool.handle_types)
		return CUDA_ERROR_INVALID_VALUE;
	if (p->pool.location.id != c->device)
		return p->pool.location.id < 0 || p->pool.location.id >= driver.n_devices
		               ? CUDA_ERROR_INVALID_DEVICE
		               : unsupported("a node that allocates on a device that is not the current one");
	GraphMemory *m = graph_memory_new(c, p->size);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUresult r = graph_add(g, after, n, &(Work){.kind = WORK_ALLOC, .memory = m}, out);
	if (r == CUDA_SUCCESS) {
		(*out)->alloc = *p;
		(*out)->alloc.access = NULL;
		(*out)->alloc.n_access = 0;
		(*out)->alloc.address = p->address = m->base;
	}
	graph_memory_drop(m);
	return r;
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph g, AFTER, CUDA_MEM_ALLOC_NODE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, graph_add_alloc(c.context, out, g, after, n, p));
}

static CUresult alloc_of(CUgraphNode n, CUDA_MEM_ALLOC_NODE_PARAMS *out)
{
	if (!is_node(n, WORK_ALLOC) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = n->alloc;
	out->pool.type = out->pool.location.type = 1;
	out->pool.location.id = n->work.memory->device;
	out->size = n->work.memory->size;
	out->address = n->work.memory->base;
	return CUDA_SUCCESS;
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode n, CUDA_MEM_ALLOC_NODE_PARAMS *out)
{
	DRIVER_CALL(IN_CONTEXT, alloc_of(n, out));
}

CUresult graph_add_free(CUgraphNode *out, CUgraph g, AFTER, CUdeviceptr p)
{
	return !out || !is_graph(g) || (n && !after) || !p ? CUDA_ERROR_INVALID_VALUE
	                                                   : graph_add(g, after, n, &(Work){.kind = WORK_FREE, .freed = p}, out);
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph g, AFTER, CUdeviceptr p)
{
	DRIVER_CALL(IN_CONTEXT, graph_add_free(out, g, after, n, p));
}

static CUresult free_of(CUgraphNode n, CUdeviceptr *out)
{
	if (!is_node(n, WORK_FREE) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = n->work.freed;
	return CUDA_SUCCESS;
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode n, CUdeviceptr *out) { DRIVER_CALL(IN_CONTEXT, free_of(n, out)); }

/* ---- what graphs use of a device */

static CUresult trim(CUdevice d)
{
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	footprint[d].kept = footprint[d].used;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGraphMemTrim(CUdevice d) { DRIVER_CALL(ON_DEVICE, trim(d)); }

/* 0 and 1: used, now and at most; 2 and 3: kept. The maxima may be set to 0. */
static CUresult attribute(CUdevice d, int which, u64 *value, bool set)
{
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!value || which < 0 || which > 3 || (set && (which % 2 == 0 || *value)))
		return CUDA_ERROR_INVALID_VALUE;
	Footprint *f = &footprint[d];
	u64       *of[] = {&f->used, &f->most_used, &f->kept, &f->most_kept};
	if (set)
		*of[which] = *of[which - 1];
	else
		*value = *of[which];
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice d, int which, void *value)
{
	DRIVER_CALL(ON_DEVICE, attribute(d, which, value, false));
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice d, int which, void *value)
{
	DRIVER_CALL(ON_DEVICE, attribute(d, which, value, true));
}
