#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_BYTES = 1 << 16 };

bool run_result(Run *run, const char *call, int result)
{
	if (result == 0)
		return true;
	run->call = call;
	run->result = result;
	return false;
}

/* ---- JSON */

static void json_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20 || *p >= 0x7F) /* a log may be of any encoding: bytes become characters of the same number */
			fprintf(out, "\\u%04x", *p);
		else
			fputc(*p, out);
	}
	fputc('"', out);
}

static void json_error(Run *run, const char *key)
{
	fprintf(run->out, ",\"%s\":{\"call\":\"%s\",\"result\":", key, run->call);
	json_text(run->out, driver_error_name(run->d, run->result));
	fputs(",\"text\":", run->out);
	json_text(run->out, driver_error_text(run->d, run->result));
	fputc('}', run->out);
}

static int attribute(const Driver *d, int which, int device)
{
	int value = 0;
	return d->device_attribute(&value, which, device) == 0 ? value : 0;
}

static void json_device(const Driver *d, int device, FILE *out)
{
	char   name[256] = "";
	int    version = 0;
	size_t memory = 0;
	d->device_name(name, sizeof name, device);
	d->driver_version(&version);
	d->device_memory(&memory, device);
	fputs("{\"name\":", out);
	json_text(out, name);
	fprintf(out,
	        ",\"target\":\"sm_%d%d\",\"driver\":\"%d.%d\",\"memoryBytes\":%zu,\"processors\":%d,\"warp\":%d,\"clockMHz\":%d,"
	        "\"memoryClockMHz\":%d,\"threadsPerProcessor\":%d}",
	        attribute(d, DEVICE_MAJOR, device), attribute(d, DEVICE_MINOR, device), version / 1000, version % 1000 / 10,
	        memory, attribute(d, DEVICE_PROCESSORS, device), attribute(d, DEVICE_WARP, device),
	        attribute(d, DEVICE_CLOCK_KHZ, device) / 1000, attribute(d, DEVICE_MEMORY_CLOCK_KHZ, device) / 1000,
	        attribute(d, DEVICE_THREADS_PER_PROCESSOR, device));
}

static int function_attribute(Run *run, int which)
{
	int value = 0;
	return run->d->function_attribute(&value, which, run->function) == 0 ? value : 0;
}

static void json_function(Run *run)
{
	const Job *j = run->job;
	int        blocks = 0, threads = (int)(j->block[0] * j->block[1] * j->block[2]);
	run->d->occupancy(&blocks, run->function, threads, j->shared);
	fprintf(run->out,
	        ",\"function\":{\"registers\":%d,\"sharedBytes\":%d,\"localBytes\":%d,\"constBytes\":%d,\"maxThreads\":%d,"
	        "\"blocksPerProcessor\":%d}",
	        function_attribute(run, FUNC_REGISTERS), function_attribute(run, FUNC_SHARED_BYTES),
	        function_attribute(run, FUNC_LOCAL_BYTES), function_attribute(run, FUNC_CONST_BYTES),
	        function_attribute(run, FUNC_MAX_THREADS), blocks);
}

/* ---- the module */

/* False where the driver refuses the PTX; its log says why. */
static bool load(Run *run)
{
	static char info[LOG_BYTES], error[LOG_BYTES];
	int         options[] = {JIT_INFO_LOG, JIT_INFO_LOG_BYTES, JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
	void       *values[] = {info, (void *)(uintptr_t)LOG_BYTES, error, (void *)(uintptr_t)LOG_BYTES};
	bool        loaded = CALL(run, module_load, &run->module, run->job->ptx, 4, options, values) &&
	              CALL(run, module_function, &run->function, run->module, run->job->kernel);
	info[LOG_BYTES - 1] = error[LOG_BYTES - 1] = 0;
	if (!loaded)
		json_error(run, "refused");
	fputs(",\"log\":", run->out);
	json_text(run->out, *error ? error : info);
	return loaded;
}

static bool make_memory(Run *run)
{
	Job *j = run->job;
	for (unsigned i = 0; i < j->n_buffers; i++)
		if (!CALL(run, alloc, &j->buffer[i].address, j->buffer[i].bytes ? j->buffer[i].bytes : 1))
			return false;
	for (unsigned i = 0; i < j->n_symbols; i++) {
		size_t size = 0;
		if (!CALL(run, module_global, &j->symbol[i].address, &size, run->module, j->symbol[i].name))
			return false;
		if (j->symbol[i].bytes > size)
			return run_result(run, "module_global", 1);
	}
	return textures_make(run);
}

static bool fill_memory(Run *run)
{
	Job *j = run->job;
	for (unsigned i = 0; i < j->n_buffers + j->n_symbols; i++) {
		const Memory *m = i < j->n_buffers ? &j->buffer[i] : &j->symbol[i - j->n_buffers];
		if (m->bytes && !CALL(run, to_device, m->address, m->initial, m->bytes))
			return false;
	}
	return textures_fill(run);
}

static void apply_patches(Job *j)
{
	for (unsigned i = 0; i < j->n_patches; i++) {
		const Patch *p = &j->patch[i];
		uint64_t     v = p->texture ? j->texture[p->index].object : j->buffer[p->index].address + p->addend;
		memcpy(j->params + p->offset, &v, sizeof v);
	}
}

/* ---- launches */

static bool launch(Run *run)
{
	Job  *j = run->job;
	void *extra[] = {(void *)(uintptr_t)LAUNCH_BUFFER, j->params, (void *)(uintptr_t)LAUNCH_BUFFER_BYTES, &j->params_bytes,
	                 (void *)(uintptr_t)LAUNCH_END};
	return CALL(run, launch, run->function, j->grid[0], j->grid[1], j->grid[2], j->block[0], j->block[1], j->block[2],
	            j->shared, NULL, NULL, j->params_bytes ? extra : NULL);
}

static bool timed_launch(Run *run, void *from, void *to, float *ms)
{
	return fill_memory(run) && CALL(run, event_record, from, NULL) && launch(run) && CALL(run, event_record, to, NULL) &&
	       CALL(run, event_synchronize, to) && CALL(run, synchronize) && CALL(run, event_elapsed, ms, from, to);
}

/* No launch is begun once the budget is spent, but one is always timed where any was asked for. */
static bool measure(Run *run)
{
	void *from, *to;
	float ms, spent = 0;
	Job  *j = run->job;
	if (!j->launches)
		return true;
	if (!CALL(run, event_create, &from, 0) || !CALL(run, event_create, &to, 0))
		return false;
	for (unsigned i = 0; i < j->warmup && spent < (float)j->budget_ms / 4; i++, spent += ms)
		if (!timed_launch(run, from, to, &ms))
			return false;
	for (unsigned i = 0; i < j->launches && (i == 0 || spent < (float)j->budget_ms); i++, spent += ms) {
		if (!timed_launch(run, from, to, &ms))
			return false;
		run->ms[run->n_ms++] = ms;
	}
	return true;
}

static bool allow_shared(Run *run)
{
	int most = function_attribute(run, FUNC_MAX_DYNAMIC_SHARED);
	return (int)run->job->shared <= most ||
	       CALL(run, function_set_attribute, run->function, FUNC_MAX_DYNAMIC_SHARED, (int)run->job->shared);
}

/* The results of the first launch, kept while the kernel is timed. */
static uint8_t **read_back(Run *run)
{
	Job      *j = run->job;
	uint8_t **bytes = calloc(MOST_BUFFERS, sizeof *bytes);
	if (!textures_read_back(run))
		return NULL;
	for (unsigned i = 0; bytes && i < j->n_buffers; i++) {
		bytes[i] = malloc(j->buffer[i].bytes + 1);
		if (!bytes[i])
			return run_result(run, "malloc", 2), NULL;
		if (j->buffer[i].bytes && !CALL(run, to_host, bytes[i], j->buffer[i].address, j->buffer[i].bytes))
			return NULL;
	}
	return bytes;
}

static uint8_t **execute(Run *run)
{
	if (!allow_shared(run) || !make_memory(run) || !fill_memory(run))
		return NULL;
	apply_patches(run->job);
	if (!launch(run) || !CALL(run, synchronize))
		return NULL;
	uint8_t **bytes = read_back(run);
	fflush(stdout);
	if (!bytes || !freopen("/dev/null", "w", stdout) || !measure(run))
		return NULL;
	return bytes;
}

static void json_times(Run *run)
{
	fputs(",\"times\":[", run->out);
	for (unsigned i = 0; i < run->n_ms; i++)
		fprintf(run->out, "%s%.6f", i ? "," : "", (double)run->ms[i]);
	fputc(']', run->out);
}

static void json_buffers(Run *run, uint8_t **bytes)
{
	const Job *j = run->job;
	fputs(",\"buffers\":[", run->out);
	for (unsigned i = 0; i < j->n_buffers; i++)
		fprintf(run->out, "%s%zu", i ? "," : "", j->buffer[i].bytes);
	fputs("]}\n", run->out);
	for (unsigned i = 0; i < j->n_buffers; i++)
		fwrite(bytes[i], 1, j->buffer[i].bytes, run->out);
}

/* ---- */

static bool open_device(Run *run, int ordinal)
{
	void *context;
	return CALL(run, init, 0) && CALL(run, device_get, &run->device, ordinal) &&
	       CALL(run, context_retain, &context, run->device) && CALL(run, context_set, context);
}

bool run_job(const Driver *d, Job *job, FILE *out)
{
	Run run = {.d = d, .job = job, .out = out};
	if (!open_device(&run, job->device)) {
		fprintf(stderr, "device %d: %s: %s\n", job->device, run.call, driver_error_name(d, run.result));
		return false;
	}
	fputs("{\"device\":", out);
	json_device(d, run.device, out);
	if (!load(&run)) {
		fputs("}\n", out);
		return true;
	}
	json_function(&run);
	uint8_t **bytes = execute(&run);
	json_times(&run);
	if (bytes) {
		json_buffers(&run, bytes);
		return true;
	}
	json_error(&run, "fault");
	fputs("}\n", out);
	return true;
}

bool run_devices(const Driver *d, FILE *out)
{
	int n = 0;
	if (d->init(0) != 0 || d->device_count(&n) != 0)
		n = 0;
	fputc('[', out);
	for (int i = 0; i < n; i++) {
		int device;
		if (i)
			fputc(',', out);
		if (d->device_get(&device, i) == 0)
			json_device(d, device, out);
	}
	fputs("]\n", out);
	return true;
}
