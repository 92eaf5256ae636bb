/* state.h: the inside of the runtime's stand-in: what programs registered, and how a call begins and ends. For the files of cudart/ alone.
 *
 * Everything is done by the driver's stand-in; the runtime adds names: kernels and variables have addresses in the program, and belong to
 * whatever context is current, which is the primary one of the thread's device unless the program made another one current. */
#ifndef PS_CUDART_STATE_H
#define PS_CUDART_STATE_H

#include "base/base.h"
#include "cudart/runtime.h"

/* ---- calls */

/* The driver is initialised, and the thread has a context. */
CUresult runtime_begin(void);
/* Remembers an error for cudaGetLastError. */
cudaError_t runtime_end(CUresult r);
/* The device that the thread has chosen. */
int runtime_device(void);
/* The thread's next call makes the device's primary context the current one. */
void runtime_choose(int device);

/* The body of a function of the API: `value` is a CUresult, or a cudaError_t, of which both have one set of numbers. */
#define RUNTIME_CALL(value)                                            \
	do {                                                           \
		CUresult begun = runtime_begin();                      \
		return runtime_end(begun ? begun : (CUresult)(value)); \
	} while (0)
/* Of a function that needs no context. */
#define PLAIN_CALL(value) return runtime_end((CUresult)(value))

/* ---- what was registered */

typedef enum EntryKind { ENTRY_KERNEL, ENTRY_VARIABLE } EntryKind;

/* A kernel or a variable of a program. */
typedef struct Entry {
	EntryKind      kind;
	const void    *host; /* its address in the program */
	const char    *name; /* in the PTX */
	struct Binary *binary;
	size_t         size;
	void         **managed; /* of a managed variable: where the program keeps its address */
	/* of a kernel: what it is in the context that was asked for last */
	unsigned long long context;
	CUfunction         function;
} Entry;

/* NULL: nothing of the kind is registered for the address. */
Entry *entry_find(EntryKind kind, const void *host);
/* The driver's handle in the current context. `f`: the address of a kernel's stub, an Entry, or the driver's own handle. */
CUresult function_of(const void *f, CUfunction *out);
CUresult symbol_of(const void *symbol, CUdeviceptr *out, size_t *size);

/* What a call of cudaMemcpy… asks of the driver (copy.c). */
CUresult copy_params(const cudaMemcpy3DParms *p, CUDA_MEMCPY3D *out);
CUresult copy_params_back(const CUDA_MEMCPY3D *c, cudaMemcpy3DParms *out);
CUresult copy_line(void *to, const void *from, size_t size, cudaMemcpyKind kind, CUDA_MEMCPY3D *out);

#endif
