/* call.c: how a call finds its context, errors, versions. */
#include "cudart/state.h"

enum { RUNTIME_VERSION = PS_CUDART == 12 ? 12090 : 13000 };

static _Thread_local struct {
	int         device;
	bool        chosen; /* the device has changed since a context was made current */
	cudaError_t last;
} thread;

/* The primary context of the thread's device, which the process keeps once it is there, becomes the current one. */
static CUresult use_primary(void)
{
	CUcontext c;
	unsigned  flags;
	int       active = 0;
	CUresult  r = cuDevicePrimaryCtxGetState(thread.device, &flags, &active);
	if (r == CUDA_SUCCESS)
		r = cuDevicePrimaryCtxRetain(&c, thread.device);
	if (r == CUDA_SUCCESS && active)
		r = cuDevicePrimaryCtxRelease_v2(thread.device);
	return r == CUDA_SUCCESS ? cuCtxSetCurrent(c) : r;
}

CUresult runtime_begin(void)
{
	CUcontext c = NULL;
	CUresult  r = cuInit(0);
	if (r != CUDA_SUCCESS)
		return r;
	if (!thread.chosen && cuCtxGetCurrent(&c) == CUDA_SUCCESS && c)
		return CUDA_SUCCESS;
	thread.chosen = false;
	return use_primary();
}

/* Work that has not ended is no error. */
cudaError_t runtime_end(CUresult r)
{
	if (r != CUDA_SUCCESS && r != CUDA_ERROR_NOT_READY)
		thread.last = (cudaError_t)r;
	return (cudaError_t)r;
}

int runtime_device(void)
{
	CUdevice  d;
	CUcontext c = NULL;
	bool      other = !thread.chosen && cuCtxGetCurrent(&c) == CUDA_SUCCESS && c && cuCtxGetDevice_v2(&d, c) == CUDA_SUCCESS;
	return other ? d : thread.device;
}

void runtime_choose(int device)
{
	thread.device = device;
	thread.chosen = true;
}

/* ---- errors */

/* What ended the current context, which no call forgets. */
static cudaError_t lasting(void)
{
	CUcontext c = NULL;
	return cuCtxGetCurrent(&c) == CUDA_SUCCESS && c ? (cudaError_t)cuCtxSynchronize_v2(c) : cudaSuccess;
}

cudaError_t cudaPeekAtLastError(void)
{
	cudaError_t e = lasting();
	return e != cudaSuccess ? e : thread.last;
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t e = cudaPeekAtLastError();
	thread.last = cudaSuccess;
	return e;
}

static const struct {
	cudaError_t error;
	const char *name, *text;
} errors[] = {
#define ERROR(id, number, text) {id, #id, text},
#include "cudart/errors.def"
};

static u32 row_of(cudaError_t e)
{
	u32 i = 0;
	while (i < PS_COUNT(errors) && errors[i].error != e)
		i++;
	return i;
}

const char *cudaGetErrorName(cudaError_t error)
{
	u32 i = row_of(error);
	return i < PS_COUNT(errors) ? errors[i].name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
	u32 i = row_of(error);
	return i < PS_COUNT(errors) ? errors[i].text : "unrecognized error code";
}

/* ---- versions and addresses */

static CUresult set_int(int *out, int v)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = v;
	return CUDA_SUCCESS;
}

cudaError_t cudaDriverGetVersion(int *out) { PLAIN_CALL(cuDriverGetVersion(out)); }
cudaError_t cudaRuntimeGetVersion(int *out) { PLAIN_CALL(set_int(out, RUNTIME_VERSION)); }

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version, unsigned long long flags,
                                             int *status)
{
	int own;
	RUNTIME_CALL(cuGetProcAddress_v2(name, out, (int)version, flags, status ? status : &own));
}
cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags, int *status)
{
	int own;
	RUNTIME_CALL(cuGetProcAddress_v2(name, out, RUNTIME_VERSION, flags, status ? status : &own));
}

/* There is nothing that profiles from outside. */
cudaError_t cudaProfilerStart(void) { RUNTIME_CALL(CUDA_SUCCESS); }
cudaError_t cudaProfilerStop(void) { RUNTIME_CALL(CUDA_SUCCESS); }
