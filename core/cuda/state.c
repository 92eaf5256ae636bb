/* state.c: the process's one Driver, the lock, calls, and the table of objects. */
#define _GNU_SOURCE
#include "cuda/state.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

Driver                 driver;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE           *log_file;

typedef struct Told {
	struct Told *next;
	char         text[];
} Told;
static Told *told; /* what unsupported() has printed */

u64 clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

void say(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fputs("ptxscope-cuda: ", stderr);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}

CUresult unsupported(const char *what)
{
	for (const Told *t = told; t; t = t->next)
		if (strcmp(t->text, what) == 0)
			return CUDA_ERROR_NOT_SUPPORTED;
	Told *t = malloc(sizeof *t + strlen(what) + 1);
	if (t) {
		t->next = told;
		strcpy(t->text, what);
		told = t;
	}
	say("%s is not supported\n", what);
	return CUDA_ERROR_NOT_SUPPORTED;
}

/* ---- calls */

/* PTXSCOPE_LOG: "1" or "-" is standard error, anything else the name of a file. */
static void open_log(void)
{
	const char *path = getenv("PTXSCOPE_LOG");
	if (!path || !*path || log_file)
		return;
	log_file = strcmp(path, "1") == 0 || strcmp(path, "-") == 0 ? stderr : fopen(path, "w");
	if (!log_file)
		say("PTXSCOPE_LOG: '%s' cannot be written\n", path);
}

void call_lock(void) { pthread_mutex_lock(&lock); }
void call_unlock(void) { pthread_mutex_unlock(&lock); }

bool call_begin(Call *c, const char *name, unsigned needs)
{
	call_lock();
	*c = (Call){.name = name};
	if (!driver.ready)
		open_log();
	if (!driver.ready && !(needs & ANYWHERE)) {
		c->result = CUDA_ERROR_NOT_INITIALIZED;
		return false;
	}
	c->context = context_current();
	if (!(needs & IN_CONTEXT))
		return true;
	c->result = !c->context                              ? CUDA_ERROR_INVALID_CONTEXT
	            : !object_is(c->context, OBJECT_CONTEXT) ? CUDA_ERROR_CONTEXT_IS_DESTROYED
	                                                     : c->context->failed;
	return c->result == CUDA_SUCCESS;
}

CUresult call_end(Call *c)
{
	if (log_file) {
		const char *text = "?";
		cuGetErrorName(c->result, &text);
		fprintf(log_file, "%s = %s\n", c->name, text);
		fflush(log_file);
	}
	call_unlock();
	return c->result;
}

void *array_grow(void *array, u32 n, u32 *room, size_t size)
{
	if (n < *room)
		return array;
	u32   more = *room ? 2 * *room : 8;
	void *grown = more > *room ? realloc(array, more * size) : NULL;
	*room = grown ? more : *room;
	return grown;
}

/* ---- objects: a hash table with linear probing */

static u32 slot_of(const void *p)
{
	u64 h = (u64)(uintptr_t)p * 0x9E3779B97F4A7C15u;
	return (u32)(h >> 32) & (driver.room_object - 1);
}

static bool table_grow(void)
{
	u32      room = driver.room_object ? 2 * driver.room_object : 64, before = driver.room_object;
	Object **old = driver.object, **table = calloc(room, sizeof *table);
	if (!table)
		return false;
	driver.object = table;
	driver.room_object = room;
	for (u32 i = 0; i < before; i++)
		if (old[i]) {
			u32 at = slot_of(old[i]);
			while (table[at])
				at = (at + 1) & (room - 1);
			table[at] = old[i];
		}
	free(old);
	return true;
}

void *object_new(ObjectKind kind, CUcontext c, size_t size)
{
	if (2 * (driver.n_object + 1) > driver.room_object && !table_grow())
		return NULL;
	Object *o = calloc(1, size);
	if (!o)
		return NULL;
	*o = (Object){.kind = kind, .context = c, .id = ++driver.next_id};
	u32 at = slot_of(o);
	while (driver.object[at])
		at = (at + 1) & (driver.room_object - 1);
	driver.object[at] = o;
	driver.n_object++;
	return o;
}

/* ~0: it is no object. */
static u32 object_find(const void *p)
{
	if (!p || !driver.room_object)
		return ~0u;
	for (u32 at = slot_of(p); driver.object[at]; at = (at + 1) & (driver.room_object - 1))
		if (driver.object[at] == p)
			return at;
	return ~0u;
}

bool object_is(const void *p, ObjectKind kind)
{
	u32 at = object_find(p);
	return at != ~0u && driver.object[at]->kind == kind;
}

void object_free(void *p)
{
	u32 at = object_find(p), mask = driver.room_object - 1;
	if (at == ~0u)
		return;
	driver.object[at] = NULL;
	driver.n_object--;
	/* What was pushed past the slot comes back to where it is looked for. */
	for (u32 i = (at + 1) & mask; driver.object[i]; i = (i + 1) & mask) {
		Object *moved = driver.object[i];
		driver.object[i] = NULL;
		u32 to = slot_of(moved);
		while (driver.object[to])
			to = (to + 1) & mask;
		driver.object[to] = moved;
	}
	((Object *)p)->kind = 0;
	free(p);
}

void object_each(CUcontext c, ObjectKind kind, void (*visit)(void *object))
{
	u32    n = 0;
	void **found = calloc(driver.n_object + 1, sizeof *found);
	for (u32 i = 0; found && i < driver.room_object; i++)
		if (driver.object[i] && driver.object[i]->kind == kind && driver.object[i]->context == c)
			found[n++] = driver.object[i];
	for (u32 i = 0; i < n; i++)
		if (object_is(found[i], kind))
			visit(found[i]);
	free(found);
}
