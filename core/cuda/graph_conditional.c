/* graph_conditional.c: nodes whose graphs run as a condition says, which kernels set (cudaGraphSetConditional).
 *
 * A condition's handle is the address of its word in device memory, so setting it is a store (simt/builtin.c). The documentation says that
 * a default is assigned when "the graph" is launched: here, at the beginning of each run of the graph that the condition was made for,
 * which may be the body of another node. */
#include "cuda/graph.h"

#include <stdlib.h>
#include <string.h>

enum { COND_IF, COND_WHILE, COND_SWITCH };
enum { COND_ASSIGN_DEFAULT = 1 };

bool condition_keep(Condition ***array, u32 *n, u32 *room, Condition *c)
{
	Condition **more = array_grow(*array, *n, room, sizeof *more);
	if (!more)
		return false;
	*array = more;
	more[(*n)++] = c;
	c->users++;
	return true;
}

void conditions_drop(Condition **array, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		Alloc *word = --array[i]->users ? NULL : alloc_at(array[i]->handle);
		if (word)
			alloc_release(word);
		if (!array[i]->users)
			free(array[i]);
	}
	free(array);
}

void conditions_assign(Condition **array, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (array[i]->assigned && alloc_holding(array[i]->handle, sizeof array[i]->value))
			memcpy((void *)(uintptr_t)array[i]->handle, &array[i]->value, sizeof array[i]->value);
}

u32 condition_chooses(const ConditionalWork *w, bool again)
{
	unsigned v;
	if ((again && w->type != COND_WHILE) || !alloc_holding(w->handle, sizeof v))
		return ~0u;
	memcpy(&v, (const void *)(uintptr_t)w->handle, sizeof v);
	u32 k = w->type == COND_SWITCH ? v : !v;
	return k < w->n ? k : ~0u;
}

static CUresult create(CUcontext now, CUgraphConditionalHandle *out, CUgraph g, CUcontext context, Condition wanted)
{
	if (!out || !is_graph(g))
		return CUDA_ERROR_INVALID_VALUE;
	CUcontext  c = context ? context : now;
	Condition *own = object_is(c, OBJECT_CONTEXT) ? malloc(sizeof *own) : NULL;
	if (!own)
		return object_is(c, OBJECT_CONTEXT) ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_CONTEXT;
	*own = wanted;
	CUresult r = alloc_new(ALLOC_DEVICE, c, sizeof(unsigned), 0, &own->handle);
	if (r == CUDA_SUCCESS && !condition_keep(&g->condition, &g->n_conditions, &g->room_conditions, own)) {
		alloc_release(alloc_at(own->handle));
		r = CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (r != CUDA_SUCCESS)
		free(own);
	else
		*out = own->handle;
	return r;
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph g, CUcontext context, unsigned value,
                                        unsigned flags)
{
	DRIVER_CALL(IN_CONTEXT, flags > COND_ASSIGN_DEFAULT ? CUDA_ERROR_INVALID_VALUE
	                                                    : create(c.context, out, g, context,
	                                                             (Condition){.value = value, .assigned = flags != 0}));
}

static bool is_handle(u64 handle)
{
	for (u32 i = 0; i < driver.room_object; i++) {
		CUgraph g = driver.object[i] && driver.object[i]->kind == OBJECT_GRAPH ? (CUgraph)(void *)driver.object[i] : NULL;
		for (u32 k = 0; g && k < g->n_conditions; k++)
			if (g->condition[k]->handle == handle)
				return true;
	}
	return false;
}

static void bodies_free(CUgraph *body, unsigned n)
{
	for (unsigned i = 0; body && i < n && body[i]; i++)
		graph_destroy(body[i]);
	free(body);
}

/* The node's graphs are new and empty, and the program fills them. */
CUresult graph_add_conditional(CUgraphNode *out, CUgraph g, AFTER, CUDA_CONDITIONAL_NODE_PARAMS *p)
{
	unsigned most = p->type == COND_IF ? 2 : p->type == COND_WHILE ? 1 : 1 << 16;
	if (!out || !is_graph(g) || (n && !after) || p->type < COND_IF || p->type > COND_SWITCH || !p->size || p->size > most ||
	    !is_handle(p->handle))
		return CUDA_ERROR_INVALID_VALUE;
	CUgraph *body = calloc(p->size, sizeof *body);
	bool     ok = body != NULL;
	for (unsigned i = 0; ok && i < p->size; i++)
		ok = (body[i] = graph_new(NULL)) != NULL;
	Work     w = {.kind = WORK_CONDITIONAL, .conditional = {p->handle, p->type, p->size, body}};
	CUresult r = ok ? graph_add(g, after, n, &w, out) : CUDA_ERROR_OUT_OF_MEMORY;
	if (r != CUDA_SUCCESS) {
		bodies_free(body, p->size);
		return r;
	}
	for (unsigned i = 0; i < p->size; i++)
		body[i]->owner = *out;
	p->bodies = body;
	return CUDA_SUCCESS;
}
