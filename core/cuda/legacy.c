/* legacy.c: how kernels were launched before CUDA 4: a function keeps the shape of its blocks and its parameters, which a launch takes. */
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>

struct Legacy {
	unsigned block[3], shared, size;
	u8       params[4096];
};

/* NULL: it is no function, or there is no memory. */
static Legacy *legacy_of(CUfunction f)
{
	if (!object_is(f, OBJECT_FUNCTION))
		return NULL;
	if (!f->legacy && (f->legacy = calloc(1, sizeof *f->legacy)))
		f->legacy->block[0] = f->legacy->block[1] = f->legacy->block[2] = 1;
	return f->legacy;
}

static CUresult set_shape(CUfunction f, int x, int y, int z)
{
	Legacy *l = legacy_of(f);
	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if (x <= 0 || y <= 0 || z <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	l->block[0] = (unsigned)x, l->block[1] = (unsigned)y, l->block[2] = (unsigned)z;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z) { DRIVER_CALL(IN_CONTEXT, set_shape(f, x, y, z)); }

static CUresult set_shared(CUfunction f, unsigned bytes)
{
	Legacy *l = legacy_of(f);
	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	l->shared = bytes;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction f, unsigned bytes) { DRIVER_CALL(IN_CONTEXT, set_shared(f, bytes)); }

static CUresult set_size(CUfunction f, unsigned bytes)
{
	Legacy *l = legacy_of(f);
	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if (bytes > sizeof l->params)
		return CUDA_ERROR_INVALID_VALUE;
	l->size = bytes;
	return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction f, unsigned bytes) { DRIVER_CALL(IN_CONTEXT, set_size(f, bytes)); }

static CUresult set_bytes(CUfunction f, int at, const void *p, unsigned bytes)
{
	Legacy *l = legacy_of(f);
	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if (at < 0 || !p || bytes > sizeof l->params || (size_t)at > sizeof l->params - bytes)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(l->params + at, p, bytes);
	return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction f, int at, unsigned value) { DRIVER_CALL(IN_CONTEXT, set_bytes(f, at, &value, sizeof value)); }
CUresult cuParamSetf(CUfunction f, int at, float value) { DRIVER_CALL(IN_CONTEXT, set_bytes(f, at, &value, sizeof value)); }
CUresult cuParamSetv(CUfunction f, int at, void *p, unsigned bytes) { DRIVER_CALL(IN_CONTEXT, set_bytes(f, at, p, bytes)); }

/* By the function of today, with what was set as one buffer. */
static CUresult launch(CUfunction f, int w, int h, CUstream s)
{
	call_lock();
	Legacy *l = driver.ready ? legacy_of(f) : NULL, now = l ? *l : (Legacy){0};
	call_unlock();
	size_t size = now.size;
	void  *extra[] = {(void *)(uintptr_t)CU_LAUNCH_PARAM_BUFFER_POINTER, now.params,
	                  (void *)(uintptr_t)CU_LAUNCH_PARAM_BUFFER_SIZE, &size, (void *)(uintptr_t)CU_LAUNCH_PARAM_END};
	if (w < 0 || h < 0)
		w = h = 0; /* no grid */
	return cuLaunchKernel(f, (unsigned)w, (unsigned)h, 1, now.block[0], now.block[1], now.block[2], now.shared, s, NULL,
	                      extra);
}

CUresult cuLaunch(CUfunction f) { return launch(f, 1, 1, NULL); }
CUresult cuLaunchGrid(CUfunction f, int w, int h) { return launch(f, w, h, NULL); }
CUresult cuLaunchGridAsync(CUfunction f, int w, int h, CUstream s) { return launch(f, w, h, s); }

/* ---- contexts with a count of users */

/* The count is 1 when a context is created; the last user destroys it. */
static CUresult attach(CUcontext c, CUcontext *out, unsigned flags)
{
	if (!out || flags)
		return CUDA_ERROR_INVALID_VALUE;
	c->attached++;
	*out = c;
	return CUDA_SUCCESS;
}

CUresult cuCtxAttach(CUcontext *out, unsigned flags) { DRIVER_CALL(IN_CONTEXT, attach(c.context, out, flags)); }

CUresult cuCtxDetach(CUcontext context)
{
	bool last;
	call_lock();
	last = !object_is(context, OBJECT_CONTEXT) || !context->attached;
	if (!last)
		context->attached--;
	call_unlock();
	return last ? cuCtxDestroy_v2(context) : CUDA_SUCCESS;
}
