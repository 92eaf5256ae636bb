/* context.c: contexts: created, primary, current in a thread. */
#include "cuda/state.h"

#include <stdlib.h>

/* The contexts of a thread, the current one last. An id tells a context from a later one at the same address. */
enum { MOST_CURRENT = 64, LIMIT_MALLOC = 2 };
static _Thread_local struct {
	struct {
		CUcontext context;
		u64       id;
	} at[MOST_CURRENT];
	u32 n;
} stack;

static struct CUctx_st destroyed; /* in place of one that is no more */

static bool is_context(CUcontext c) { return object_is(c, OBJECT_CONTEXT); }

CUcontext context_current(void)
{
	if (!stack.n)
		return NULL;
	CUcontext c = stack.at[stack.n - 1].context;
	return !c || (is_context(c) && c->o.id == stack.at[stack.n - 1].id) ? c : &destroyed;
}

static CUresult push(CUcontext c)
{
	if (stack.n == MOST_CURRENT)
		return CUDA_ERROR_OUT_OF_MEMORY;
	stack.at[stack.n].context = c;
	stack.at[stack.n++].id = c ? c->o.id : 0;
	return CUDA_SUCCESS;
}

static CUcontext context_new(CUdevice d, unsigned flags)
{
	CUcontext c = object_new(OBJECT_CONTEXT, NULL, sizeof *c);
	if (!c)
		return NULL;
	c->device = d;
	c->flags = flags;
	c->limit[0] = 1024;               /* of the stack of a thread */
	c->limit[1] = 1 << 20;            /* of printf */
	c->limit[LIMIT_MALLOC] = 8 << 20; /* as ps_heap_new has it */
	c->limit[5] = 64;                 /* of an access to the L2 cache */
	return c;
}

static bool peer_remove(CUcontext c, CUcontext peer);

PsHeap *context_heap(CUcontext c)
{
	if (!c->heap)
		c->heap = ps_heap_new();
	return c->heap;
}

PsThreadHost context_threads(CUcontext c)
{
	if (!c->threads)
		c->threads = threads_new();
	return threads_host(c->threads);
}

static void tell_leak(void *unused, const PsLeak *x)
{
	(void)unused;
	say("kernel '%s', block (%u,%u,%u), thread (%u,%u,%u): leak: "
	    "%llu bytes of malloc in %llu %s, the first at 0x%llx, are never freed\n",
	    x->kernel, x->block[0], x->block[1], x->block[2], x->thread[0], x->thread[1], x->thread[2],
	    (unsigned long long)x->bytes, (unsigned long long)x->blocks, x->blocks == 1 ? "block" : "blocks",
	    (unsigned long long)x->address);
	say("  line %u of the PTX\n", x->line);
}

/* Most programs end without destroying their contexts. */
__attribute__((destructor)) static void tell_leaks(void)
{
	for (u32 i = 0; i < driver.room_object; i++)
		if (driver.object[i] && driver.object[i]->kind == OBJECT_CONTEXT)
			ps_heap_leaks(((CUcontext)(void *)driver.object[i])->heap, tell_leak, NULL);
}

void context_free(CUcontext c)
{
	static const ObjectKind order[] = {OBJECT_EXEC,   OBJECT_GRAPH,  OBJECT_LINK,   OBJECT_EVENT,
	                                   OBJECT_STREAM, OBJECT_MODULE, OBJECT_MIPMAP, OBJECT_ARRAY};
	for (u32 i = 0; i < PS_COUNT(order); i++)
		object_each(c, order[i], object_destroy);
	texture_release_context(c);
	alloc_release_context(c);
	for (u32 i = 0; i < driver.room_object; i++)
		if (driver.object[i] && driver.object[i]->kind == OBJECT_CONTEXT)
			peer_remove((CUcontext)(void *)driver.object[i], c);
	free(c->peer);
	ps_heap_leaks(c->heap, tell_leak, NULL);
	ps_heap_free(c->heap); /* after the modules, whose launches it was for */
	threads_free(c->threads);
	object_free(c);
}

static CUresult create(CUcontext *out, unsigned flags, CUdevice d)
{
	if (!out || flags & ~(unsigned)CU_CTX_FLAGS)
		return CUDA_ERROR_INVALID_VALUE;
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	CUcontext c = context_new(d, flags);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUresult r = push(c);
	if (r != CUDA_SUCCESS)
		object_free(c);
	else
		*out = c;
	return r;
}

CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice d) { DRIVER_CALL(ON_DEVICE, create(out, flags, d)); }
/* A context for part of the multiprocessors is for clients of MPS alone, and one that shares the GPU with graphics for D3D12. */
static CUresult create_with(CUcontext *out, const CUctxCreateParams *p, unsigned flags, CUdevice d)
{
	if (p && p->numExecAffinityParams)
		return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
	if (p && p->cigParams)
		return unsupported("cuCtxCreate for a graphics context");
	return create(out, flags, d);
}

CUresult cuCtxCreate_v3(CUcontext *out, void *affinity, int n, unsigned flags, CUdevice d)
{
	const CUctxCreateParams params = {.execAffinityParams = affinity, .numExecAffinityParams = n};
	DRIVER_CALL(ON_DEVICE, create_with(out, &params, flags, d));
}
CUresult cuCtxCreate_v4(CUcontext *out, const CUctxCreateParams *params, unsigned flags, CUdevice d)
{
	DRIVER_CALL(ON_DEVICE, create_with(out, params, flags, d));
}

static CUresult destroy(CUcontext c)
{
	if (!is_context(c) || c->primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (context_current() == c)
		stack.n--;
	context_free(c);
	return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext context) { DRIVER_CALL(ON_DEVICE, destroy(context)); }

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
	DRIVER_CALL(ON_DEVICE, is_context(context) ? push(context) : CUDA_ERROR_INVALID_CONTEXT);
}

static CUresult pop(CUcontext *out)
{
	CUcontext c = context_current();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	stack.n--;
	if (out)
		*out = c == &destroyed ? NULL : c;
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *out) { DRIVER_CALL(ON_DEVICE, pop(out)); }

static CUresult set_current(CUcontext c)
{
	if (c && !is_context(c))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (stack.n)
		stack.n--;
	return c ? push(c) : CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) { DRIVER_CALL(ON_DEVICE, set_current(context)); }

static CUresult get_current(CUcontext now, CUcontext *out)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (now == &destroyed)
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	*out = now;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *out) { DRIVER_CALL(ON_DEVICE, get_current(c.context, out)); }

static CUresult set_unsigned(unsigned *out, unsigned v)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = v;
	return CUDA_SUCCESS;
}

static CUresult set_int(int *out, int v)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = v;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *out) { DRIVER_CALL(IN_CONTEXT, set_int(out, c.context->device)); }
CUresult cuCtxGetDevice_v2(CUdevice *out, CUcontext context)
{
	DRIVER_CALL(ON_DEVICE, is_context(context ? context : c.context) ? set_int(out, (context ? context : c.context)->device)
	                                                                 : CUDA_ERROR_INVALID_CONTEXT);
}
static CUresult set_context_flags(CUcontext c, unsigned flags)
{
	if (flags & ~(unsigned)CU_CTX_FLAGS)
		return CUDA_ERROR_INVALID_VALUE;
	c->flags = flags;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags) { DRIVER_CALL(IN_CONTEXT, set_context_flags(c.context, flags)); }
/* There is no cache to reset. */
CUresult cuCtxResetPersistingL2Cache(void) { DRIVER_CALL(IN_CONTEXT, CUDA_SUCCESS); }
CUresult cuCtxGetFlags(unsigned *out) { DRIVER_CALL(IN_CONTEXT, set_unsigned(out, c.context->flags)); }

static CUresult get_id(CUcontext c, CUcontext now, unsigned long long *out)
{
	c = c ? c : now;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_context(c))
		return CUDA_ERROR_INVALID_CONTEXT;
	*out = c->o.id;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *out) { DRIVER_CALL(ON_DEVICE, get_id(context, c.context, out)); }

static CUresult api_version(CUcontext c, CUcontext now, unsigned *out)
{
	return is_context(c ? c : now) ? set_unsigned(out, 3020) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *out) { DRIVER_CALL(ON_DEVICE, api_version(context, c.context, out)); }

CUresult cuCtxSynchronize(void) { DRIVER_CALL(IN_CONTEXT, CUDA_SUCCESS); }

CUresult cuCtxSynchronize_v2(CUcontext context)
{
	DRIVER_CALL(ON_DEVICE, is_context(context ? context : c.context) ? (context ? context : c.context)->failed
	                                                                 : CUDA_ERROR_INVALID_CONTEXT);
}

static bool has_limit(int i) { return i >= 0 && i < LIMITS && i != 3 && i != 4 && i != 7; }

static CUresult set_limit(CUcontext c, int i, size_t v)
{
	if (!has_limit(i))
		return i < 0 || i > 9 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_UNSUPPORTED_LIMIT;
	if (i == LIMIT_MALLOC && !context_heap(c))
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (i == LIMIT_MALLOC && !ps_heap_limit(c->heap, v)) /* kernels have had some of it */
		return CUDA_ERROR_INVALID_VALUE;
	c->limit[i] = v;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(int limit, size_t value) { DRIVER_CALL(IN_CONTEXT, set_limit(c.context, limit, value)); }

static CUresult get_limit(CUcontext c, int i, size_t *out)
{
	if (!out || i < 0 || i > 9)
		return CUDA_ERROR_INVALID_VALUE;
	if (!has_limit(i))
		return CUDA_ERROR_UNSUPPORTED_LIMIT;
	*out = c->limit[i];
	return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *out, int limit) { DRIVER_CALL(IN_CONTEXT, get_limit(c.context, limit, out)); }

/* Kept and without effect. */
CUresult cuCtxGetCacheConfig(int *out) { DRIVER_CALL(IN_CONTEXT, set_int(out, c.context->cache_config)); }
CUresult cuCtxSetCacheConfig(int config)
{
	DRIVER_CALL(IN_CONTEXT, config < 0 || config > 3 ? CUDA_ERROR_INVALID_VALUE : set_int(&c.context->cache_config, config));
}
CUresult cuCtxGetSharedMemConfig(int *out) { DRIVER_CALL(IN_CONTEXT, set_int(out, c.context->shared_config)); }
CUresult cuCtxSetSharedMemConfig(int config)
{
	DRIVER_CALL(IN_CONTEXT, config < 0 || config > 2 ? CUDA_ERROR_INVALID_VALUE : set_int(&c.context->shared_config, config));
}

static CUresult priorities(int *least, int *greatest)
{
	if (least)
		*least = 0;
	if (greatest)
		*greatest = -5;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) { DRIVER_CALL(IN_CONTEXT, priorities(least, greatest)); }

/* There is nothing that profiles from outside. */
CUresult cuProfilerStart(void) { DRIVER_CALL(IN_CONTEXT, CUDA_SUCCESS); }
CUresult cuProfilerStop(void) { DRIVER_CALL(IN_CONTEXT, CUDA_SUCCESS); }

/* ---- peers: contexts whose memory kernels of this one may access */

u32 peer_find(CUcontext c, CUcontext peer)
{
	for (u32 i = 0; i < c->n_peers; i++)
		if (c->peer[i] == peer)
			return i;
	return ~0u;
}

static bool peer_remove(CUcontext c, CUcontext peer)
{
	u32 i = peer_find(c, peer);
	if (i == ~0u)
		return false;
	c->peer[i] = c->peer[--c->n_peers];
	alloc_all_changed();
	return true;
}

static CUresult enable_peer(CUcontext c, CUcontext peer, unsigned flags)
{
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_context(peer) || peer == c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (peer->device == c->device)
		return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
	if (peer_find(c, peer) != ~0u)
		return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
	CUcontext *more = realloc(c->peer, (c->n_peers + 1) * sizeof *more);
	if (!more)
		return CUDA_ERROR_OUT_OF_MEMORY;
	c->peer = more;
	c->peer[c->n_peers++] = peer;
	alloc_all_changed();
	return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) { DRIVER_CALL(IN_CONTEXT, enable_peer(c.context, peer, flags)); }

static CUresult disable_peer(CUcontext c, CUcontext peer)
{
	if (!is_context(peer))
		return CUDA_ERROR_INVALID_CONTEXT;
	return peer_remove(c, peer) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) { DRIVER_CALL(IN_CONTEXT, disable_peer(c.context, peer)); }

/* ---- the primary context of a device */

static CUresult retain(CUcontext *out, CUdevice d)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	CUcontext *c = &driver.primary[d];
	if (!*c && !(*c = context_new(d, driver.primary_flags[d])))
		return CUDA_ERROR_OUT_OF_MEMORY;
	(*c)->primary = true;
	driver.retained[d]++;
	*out = *c;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice d) { DRIVER_CALL(ON_DEVICE, retain(out, d)); }

static CUresult release(CUdevice d, bool all)
{
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!driver.primary[d])
		return all ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
	driver.retained[d] = all ? 0 : driver.retained[d] - 1;
	if (driver.retained[d] == 0) {
		context_free(driver.primary[d]);
		driver.primary[d] = NULL;
	}
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d) { DRIVER_CALL(ON_DEVICE, release(d, false)); }
CUresult cuDevicePrimaryCtxReset_v2(CUdevice d) { DRIVER_CALL(ON_DEVICE, release(d, true)); }

static CUresult set_flags(CUdevice d, unsigned flags)
{
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	if (flags & ~(unsigned)CU_CTX_FLAGS)
		return CUDA_ERROR_INVALID_VALUE;
	driver.primary_flags[d] = flags;
	if (driver.primary[d])
		driver.primary[d]->flags = flags;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice d, unsigned flags) { DRIVER_CALL(ON_DEVICE, set_flags(d, flags)); }

static CUresult primary_state(CUdevice d, unsigned *flags, int *active)
{
	if (d < 0 || d >= driver.n_devices)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!flags || !active)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = driver.primary_flags[d];
	*active = driver.primary[d] != NULL;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned *flags, int *active)
{
	DRIVER_CALL(ON_DEVICE, primary_state(d, flags, active));
}
