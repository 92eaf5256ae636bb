/* launch.c: kernels: their attributes, launches, what becomes of faults, and occupancy.
 *
 * A fault is reported on standard error when it happens and is the result of every later call in the context, as on hardware; the launch
 * itself succeeds. */
#include "cuda/state.h"

#include <stdio.h>
#include <string.h>

enum {
	SHARED_BY_DEFAULT = 48 << 10,
	SHARED_AT_MOST = 227 << 10,
	THREADS = 1024,
	RESIDENT_BLOCKS = 8,
	RESIDENT_THREADS = 2048,
	SHARED_OF_SM = 228 << 10,
	MULTIPROCESSORS = 8,
	LARGEST_CLUSTER = 8 /* that every device has */
};

static bool is_function(CUfunction f) { return object_is(f, OBJECT_FUNCTION); }

/* ---- attributes */

static int most_threads(CUfunction f)
{
	return f->kernel.max_threads ? (int)PS_MIN(f->kernel.max_threads, (u32)THREADS) : THREADS;
}

static CUresult get_attribute(int *out, CUfunction_attribute a, CUfunction f)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	switch (a) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *out = most_threads(f); break;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *out = (int)f->kernel.shared_bytes; break;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *out = (int)f->kernel.const_bytes; break;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *out = (int)f->kernel.local_bytes; break;
	case CU_FUNC_ATTRIBUTE_NUM_REGS: *out = (int)PS_MIN(f->kernel.registers, 255u); break;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION:
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *out = (int)driver.sm; break;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *out = f->most_dynamic; break;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *out = f->carveout; break;
	default:
		if ((int)a < 0 || a >= CU_FUNC_ATTRIBUTE_MAX)
			return CUDA_ERROR_INVALID_VALUE;
		*out = 0;
	}
	return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *out, CUfunction_attribute a, CUfunction f) { DRIVER_CALL(IN_CONTEXT, get_attribute(out, a, f)); }

static CUresult set_attribute(CUfunction f, CUfunction_attribute a, int value)
{
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	if (a == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
		if (value < 0 || value > SHARED_AT_MOST - (int)f->kernel.shared_bytes)
			return CUDA_ERROR_INVALID_VALUE;
		f->most_dynamic = value;
		return CUDA_SUCCESS;
	}
	if (a != CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT || value < -1 || value > 100)
		return CUDA_ERROR_INVALID_VALUE;
	f->carveout = value;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute a, int value)
{
	DRIVER_CALL(IN_CONTEXT, set_attribute(f, a, value));
}

static CUresult without_effect(CUfunction f, bool valid)
{
	return !is_function(f) ? CUDA_ERROR_INVALID_HANDLE : valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetCacheConfig(CUfunction f, int config)
{
	DRIVER_CALL(IN_CONTEXT, without_effect(f, config >= 0 && config <= 3));
}
CUresult cuFuncSetSharedMemConfig(CUfunction f, int config)
{
	DRIVER_CALL(IN_CONTEXT, without_effect(f, config >= 0 && config <= 2));
}
CUresult cuFuncLoad(CUfunction f) { DRIVER_CALL(IN_CONTEXT, without_effect(f, true)); }

static CUresult describe(CUfunction f, CUmodule *module, const char **name, int *loaded)
{
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!module && !name && !loaded)
		return CUDA_ERROR_INVALID_VALUE;
	if (module)
		*module = f->module;
	if (name)
		*name = f->kernel.name;
	if (loaded)
		*loaded = 1;
	return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *out, CUfunction f) { DRIVER_CALL(IN_CONTEXT, describe(f, out, NULL, NULL)); }
CUresult cuFuncGetName(const char **out, CUfunction f) { DRIVER_CALL(IN_CONTEXT, describe(f, NULL, out, NULL)); }
CUresult cuFuncIsLoaded(int *out, CUfunction f) { DRIVER_CALL(IN_CONTEXT, describe(f, NULL, NULL, out)); }

static CUresult parameter(CUfunction f, size_t i, size_t *offset, size_t *size)
{
	size_t bytes;
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!offset || i > UINT32_MAX ||
	    !ps_emulator_parameter(f->module->emulator, f->kernel.name, (u32)i, offset, size ? size : &bytes))
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction f, size_t i, size_t *offset, size_t *size)
{
	DRIVER_CALL(IN_CONTEXT, parameter(f, i, offset, size));
}

/* ---- the same of a library's kernel, on a device */

#define KERNEL(k) ((CUfunction)(void *)(k))

static CUresult on_device(CUdevice d) { return d >= 0 && d < driver.n_devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; }

CUresult cuKernelGetAttribute(int *out, CUfunction_attribute a, CUkernel k, CUdevice d)
{
	DRIVER_CALL(IN_CONTEXT, on_device(d) ? on_device(d) : get_attribute(out, a, KERNEL(k)));
}
CUresult cuKernelSetAttribute(CUfunction_attribute a, int value, CUkernel k, CUdevice d)
{
	DRIVER_CALL(IN_CONTEXT, on_device(d) ? on_device(d) : set_attribute(KERNEL(k), a, value));
}
CUresult cuKernelSetCacheConfig(CUkernel k, int config, CUdevice d)
{
	DRIVER_CALL(IN_CONTEXT, on_device(d) ? on_device(d) : without_effect(KERNEL(k), config >= 0 && config <= 3));
}
CUresult cuKernelGetName(const char **out, CUkernel k) { DRIVER_CALL(IN_CONTEXT, describe(KERNEL(k), NULL, out, NULL)); }
CUresult cuKernelGetLibrary(CUlibrary *out, CUkernel k)
{
	DRIVER_CALL(IN_CONTEXT, describe(KERNEL(k), (CUmodule *)(void *)out, NULL, NULL));
}
CUresult cuKernelGetParamInfo(CUkernel k, size_t i, size_t *offset, size_t *size)
{
	DRIVER_CALL(IN_CONTEXT, parameter(KERNEL(k), i, offset, size));
}

/* ---- parameters */

/* `extra` is a list of names and values. */
static CUresult packed(CUfunction f, void **extra, u8 *room)
{
	const void   *bytes = NULL;
	const size_t *size = NULL;
	for (; (uintptr_t)*extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if ((uintptr_t)*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			bytes = extra[1];
		else if ((uintptr_t)*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
			size = extra[1];
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	if (!bytes || !size || *size < f->kernel.params_size)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(room, bytes, (size_t)f->kernel.params_size);
	return CUDA_SUCCESS;
}

static CUresult one_by_one(CUfunction f, void **params, u8 *room)
{
	size_t at, size;
	memset(room, 0, (size_t)f->kernel.params_size);
	for (u32 i = 0; ps_emulator_parameter(f->module->emulator, f->kernel.name, i, &at, &size); i++) {
		if (!params[i])
			return CUDA_ERROR_INVALID_VALUE;
		memcpy(room + at, params[i], size);
	}
	return CUDA_SUCCESS;
}

static bool sizes_fit(CUfunction f, const KernelWork *k)
{
	u64 threads = 1;
	for (u32 i = 0; i < 3; i++) {
		if (!k->grid[i] || !k->block[i] || k->block[i] > THREADS || k->grid[i] > (i ? 65535u : 2147483647u))
			return false;
		threads *= k->block[i];
	}
	u64 shared = (u64)f->kernel.shared_bytes + k->shared;
	return k->block[2] <= 64 && threads <= (u64)most_threads(f) && k->shared <= (unsigned)f->most_dynamic &&
	       shared <= SHARED_AT_MOST;
}

CUresult kernel_work(CUfunction f, void **params, void **extra, u8 *room, KernelWork *out)
{
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!sizes_fit(f, out) || (params && extra) || (!params && !extra && f->kernel.n_params))
		return CUDA_ERROR_INVALID_VALUE;
	out->f = f;
	out->f_id = f->o.id;
	out->params = room;
	out->params_size = f->kernel.params_size;
	return extra ? packed(f, extra, room) : params ? one_by_one(f, params, room) : CUDA_SUCCESS;
}

/* ---- running */

/* What kernels of the module may access: memory of its context, of that context's peers and of the host, but not what the emulator has
 * mapped itself. */
static bool may_access(CUmodule m, const Alloc *a)
{
	if (a->kind == ALLOC_MAPPED)
		return a->readers >> m->o.context->device & 1;
	if (a->set)
		return a->set != m->set;
	bool host = a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED || a->kind == ALLOC_MANAGED;
	bool own = a->context == m->o.context || peer_find(m->o.context, a->context) != ~0u;
	return (a->module != m || a->constant) && a->kind != ALLOC_ARRAY && (host || own);
}

static bool map(CUmodule m, const Alloc *a)
{
	bool     only_read = a->kind == ALLOC_MAPPED && !(a->writers >> m->o.context->device & 1);
	unsigned rights = only_read ? PS_READ : PS_READ | PS_WRITE;
	return !may_access(m, a) ||
	       ps_emulator_map(m->emulator, (void *)(uintptr_t)a->base, (size_t)a->size, rights) == PS_STATUS_DONE;
}

/* Takes over what has changed since the module's last launch; where that is too much, everything. */
static bool map_memory(CUmodule m)
{
	bool ok = true;
	if (m->version && driver.version - m->version < MOST_CHANGES) {
		for (u64 v = m->version + 1; v <= driver.version && ok; v++) {
			const AllocChange *c = &driver.change[v % MOST_CHANGES];
			if (c->added)
				ok = map(m, &c->alloc);
			else if (may_access(m, &c->alloc))
				ps_emulator_unmap(m->emulator, (void *)(uintptr_t)c->alloc.base);
		}
	} else {
		ps_emulator_unmap(m->emulator, NULL);
		for (u32 i = 0; i < driver.n_alloc && ok; i++)
			ok = map(m, &driver.alloc[i]);
	}
	m->version = ok ? driver.version : 0;
	return ok;
}

static CUresult result_of(const char *kind)
{
	static const struct {
		const char *kind;
		CUresult    result;
	} rows[] = {
		{"out-of-bounds", CUDA_ERROR_ILLEGAL_ADDRESS},
		{"read-only", CUDA_ERROR_ILLEGAL_ADDRESS},
		{"bad-free", CUDA_ERROR_ILLEGAL_ADDRESS},
		{"misaligned", CUDA_ERROR_MISALIGNED_ADDRESS},
		{"bad-call", CUDA_ERROR_INVALID_PC},
		{"unknown-function", CUDA_ERROR_INVALID_PC},
		{"unsupported", CUDA_ERROR_ILLEGAL_INSTRUCTION},
		{"assert", CUDA_ERROR_ASSERT},
		{"stack-overflow", CUDA_ERROR_HARDWARE_STACK_ERROR},
		{"deadlock", CUDA_ERROR_LAUNCH_TIMEOUT},
		{"step-limit", CUDA_ERROR_LAUNCH_TIMEOUT},
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		if (strcmp(kind, rows[i].kind) == 0)
			return rows[i].result;
	return CUDA_ERROR_LAUNCH_FAILED;
}

/* Line `n` of the text without what it is indented by. */
static const char *line_of(PsEmulator *e, u32 n, int *size)
{
	size_t      left;
	const char *p = ps_emulator_text(e, &left), *end = p + left;
	while (n > 1 && p < end)
		n -= *p++ == '\n';
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	const char *stop = memchr(p, '\n', (size_t)(end - p));
	*size = (int)((stop ? stop : end) - p);
	return p;
}

static CUresult report(CUfunction f)
{
	PsEmulator *e = f->module->emulator;
	PsFault     x;
	int         n;
	if (!ps_emulator_fault(e, &x)) {
		say("kernel '%s': %s", f->kernel.name, ps_emulator_messages(e));
		return CUDA_ERROR_LAUNCH_FAILED;
	}
	const char *line = line_of(e, x.line, &n);
	say("kernel '%s', block (%u,%u,%u), thread (%u,%u,%u): %s: %s\n", f->kernel.name, x.block[0], x.block[1], x.block[2],
	    x.thread[0], x.thread[1], x.thread[2], x.kind, x.message);
	if (x.line)
		say("  line %u of the PTX: %.*s\n", x.line, n, line);
	return result_of(x.kind);
}

CUresult kernel_run(CUcontext c, const KernelWork *k)
{
	char        sanitize[64], jobs[32], after[48];
	const char *argv[3] = {jobs};
	int         argc = 1;
	if (!is_function(k->f) || k->f->o.id != k->f_id)
		return CUDA_ERROR_INVALID_HANDLE;
	PsEmulator *e = k->f->module->emulator;
	PsLaunch    l = {.size = sizeof l,
	                 .kernel = k->f->kernel.name,
	                 .shared_bytes = k->shared,
	                 .cooperative = k->cooperative,
	                 .params = k->params,
	                 .params_size = k->params_size,
	                 .barrier_of_threads = driver.sm >= 70 && !(driver.sanitize && *driver.sanitize),
	                 .heap = context_heap(k->f->module->o.context)};
	memcpy(l.grid, k->grid, sizeof l.grid);
	memcpy(l.block, k->block, sizeof l.block);
	memcpy(l.cluster, k->cluster, sizeof l.cluster);
	if (!k->params_size)
		l.params = "";
	l.textures = texture_table(c, &l.n_textures);
	snprintf(jobs, sizeof jobs, "--jobs=%u", driver.jobs);
	snprintf(after, sizeof after, "--jobs-after=%llu", (unsigned long long)driver.jobs_after);
	snprintf(sanitize, sizeof sanitize, "--sanitize=%s", driver.sanitize ? driver.sanitize : "");
	if (driver.jobs_after)
		argv[argc++] = after;
	if (driver.sanitize && *driver.sanitize)
		argv[argc++] = sanitize;
	if (!map_memory(k->f->module))
		return say("kernel '%s': %s", k->f->kernel.name, ps_emulator_messages(e)), CUDA_ERROR_OUT_OF_MEMORY;
	if (ps_emulator_launch(e, &l, argc, argv) != PS_STATUS_DONE) {
		say("kernel '%s': %s", k->f->kernel.name, ps_emulator_messages(e));
		return CUDA_ERROR_INVALID_VALUE;
	}
	PsRun       ran = ps_emulator_run(e);
	size_t      n;
	const char *text = ps_emulator_printed(e, &n);
	fwrite(text, 1, n, stdout);
	if (n)
		fflush(stdout);
	if (ran != PS_RUN_DONE)
		c->failed = report(k->f);
	return CUDA_SUCCESS;
}

/* ---- launches */

static CUresult launch(CUcontext c, CUfunction f, Work *w, CUstream s, void **params, void **extra)
{
	u8       room[MOST_PARAMS];
	CUresult r = kernel_work(f, params, extra, room, &w->kernel);
	if (r == CUDA_SUCCESS && f->o.context != c)
		r = CUDA_ERROR_INVALID_HANDLE;
	return r == CUDA_SUCCESS ? stream_submit(c, s, w) : r;
}

/* More than seven parameters: the signature is CUDA's. */
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream s, void **params, void **extra)
{
	Work w = {.kind = WORK_KERNEL, .kernel = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared}};
	DRIVER_CALL(IN_CONTEXT, launch(c.context, f, &w, s, params, extra));
}

/* All blocks of a cooperative launch are there at the same time. */
static bool too_many(const unsigned *grid) { return (u64)grid[0] * grid[1] * grid[2] > MULTIPROCESSORS * RESIDENT_BLOCKS; }

/* More than seven parameters: the signature is CUDA's. */
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                   unsigned shared, CUstream s, void **params)
{
	Work w = {.kind = WORK_KERNEL,
	          .kernel = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, .cooperative = true}};
	DRIVER_CALL(IN_CONTEXT, too_many(w.kernel.grid) ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
	                                                : launch(c.context, f, &w, s, params, NULL));
}

static CUresult launch_with(CUcontext c, const CUlaunchConfig *p, CUfunction f, void **params, void **extra)
{
	Work w = {.kind = WORK_KERNEL};
	if (!p || (p->n_attrs && !p->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < p->n_attrs; i++) {
		const CUlaunchAttribute *a = &p->attrs[i];
		if (a->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && a->value[0]) {
			w.kernel.cooperative = true;
			if (too_many(p->grid))
				return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
		}
		if (a->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			for (u32 k = 0; k < 3; k++)
				w.kernel.cluster[k] = a->value[k];
	}
	memcpy(w.kernel.grid, p->grid, sizeof w.kernel.grid);
	memcpy(w.kernel.block, p->block, sizeof w.kernel.block);
	w.kernel.shared = p->shared_bytes;
	return launch(c, f, &w, p->stream, params, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **params, void **extra)
{
	DRIVER_CALL(IN_CONTEXT, launch_with(c.context, config, f, params, extra));
}

/* ---- occupancy: of a multiprocessor with the limits of attributes.def */

static int resident(CUfunction f, int block, size_t shared)
{
	u64 each = f->kernel.shared_bytes + shared + 1024, by_shared = each ? SHARED_OF_SM / each : RESIDENT_BLOCKS;
	u64 warps = ((u64)block + 31) / 32, by_threads = RESIDENT_THREADS / (32 * warps);
	return block > most_threads(f) ? 0 : (int)PS_MIN(PS_MIN(by_shared, by_threads), (u64)RESIDENT_BLOCKS);
}

static CUresult max_blocks(int *out, CUfunction f, int block, size_t shared)
{
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!out || block <= 0 || shared > SHARED_OF_SM)
		return CUDA_ERROR_INVALID_VALUE;
	*out = resident(f, block, shared);
	return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, CUfunction f, int block, size_t shared)
{
	DRIVER_CALL(IN_CONTEXT, max_blocks(out, f, block, shared));
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *out, CUfunction f, int block, size_t shared, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, flags > 1 ? CUDA_ERROR_INVALID_VALUE : max_blocks(out, f, block, shared));
}

static CUresult best_block(int *grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
	int best = 0, threads = 0;
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!grid || !block)
		return CUDA_ERROR_INVALID_VALUE;
	int most = limit > 0 ? PS_MIN(limit, most_threads(f)) : most_threads(f);
	for (int n = (most + 31) & ~31; n > 0; n -= 32) {
		int    size = PS_MIN(n, most);
		size_t bytes = shared_of ? shared_of(size) : shared;
		int    there = bytes > SHARED_OF_SM ? 0 : resident(f, size, bytes);
		if (there * size > threads) {
			threads = there * size;
			best = size;
			*grid = there * MULTIPROCESSORS;
		}
	}
	*block = best;
	return best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of, size_t shared,
                                          int limit)
{
	DRIVER_CALL(IN_CONTEXT, best_block(grid, block, f, shared_of, shared, limit));
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of,
                                                   size_t shared, int limit, unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, flags > 1 ? CUDA_ERROR_INVALID_VALUE : best_block(grid, block, f, shared_of, shared, limit));
}

static CUresult available_shared(size_t *out, CUfunction f, int blocks, int block)
{
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!out || blocks <= 0 || block <= 0 || blocks > resident(f, block, 0))
		return CUDA_ERROR_INVALID_VALUE;
	i64 each = SHARED_OF_SM / blocks - 1024 - (i64)f->kernel.shared_bytes;
	*out = (size_t)PS_MAX(PS_MIN(each, (i64)SHARED_AT_MOST), (i64)0);
	return CUDA_SUCCESS;
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *out, CUfunction f, int blocks, int block)
{
	DRIVER_CALL(IN_CONTEXT, available_shared(out, f, blocks, block));
}

/* How many clusters of `size` blocks are there at the same time; the multiprocessors are one group. */
static int clusters(CUfunction f, const CUlaunchConfig *p, u64 size)
{
	u64 threads = (u64)p->block[0] * p->block[1] * p->block[2];
	if (!threads || threads > THREADS || p->shared_bytes > (unsigned)f->most_dynamic)
		return 0;
	return (int)((u64)resident(f, (int)threads, p->shared_bytes) * MULTIPROCESSORS / size);
}

/* `most`: the largest size that some cluster of fits; else of the size that the launch asks for. */
static CUresult active_clusters(int *out, CUfunction f, const CUlaunchConfig *p, bool most)
{
	u64 size = 1;
	if (!is_function(f))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!out || !p || (p->n_attrs && !p->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < p->n_attrs; i++)
		for (u32 k = 0; k < 3 && p->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION; k++)
			size *= PS_MIN(p->attrs[i].value[k], 1u << 20);
	if (!most && (!size || size > LARGEST_CLUSTER))
		return CUDA_ERROR_INVALID_CLUSTER_SIZE;
	for (size = most ? LARGEST_CLUSTER : size; most && size > 1 && !clusters(f, p, size);)
		size /= 2;
	*out = most ? (int)size : clusters(f, p, size);
	return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveClusters(int *out, CUfunction f, const CUlaunchConfig *p)
{
	DRIVER_CALL(IN_CONTEXT, active_clusters(out, f, p, false));
}
CUresult cuOccupancyMaxPotentialClusterSize(int *out, CUfunction f, const CUlaunchConfig *p)
{
	DRIVER_CALL(IN_CONTEXT, active_clusters(out, f, p, true));
}
