/* graph_user.c: user objects: what a program wants to have destroyed when no graph needs it any more. References are counted: the
 * program's, and those of graphs and of executable graphs, which keep as many as the graph that they were made of. */
#include "cuda/graph.h"

#include <stdlib.h>

enum { NO_DESTRUCTOR_SYNC = 1, MOVE = 1 };

struct CUuserObject_st {
	Object   o;
	void    *value;
	CUhostFn destroy;
	u64      references, own; /* all, and those of the program */
};

/* Behind the last reference the destructor runs, outside the lock, since it may wait for a thread that calls us. */
static void drop(CUuserObject u, unsigned count)
{
	u->references -= count;
	if (u->references)
		return;
	HostWork h = {.fn = u->destroy, .user = u->value};
	object_free(u);
	host_run(&h);
}

/* The place of the object among the users; NULL: it has none. */
static UserReference *reference_of(const UserReferences *r, CUuserObject u)
{
	for (u32 i = 0; i < r->n; i++)
		if (r->p[i].object == u)
			return &r->p[i];
	return NULL;
}

static bool keep(UserReferences *r, CUuserObject u, unsigned count)
{
	UserReference *at = reference_of(r, u), *more = at ? r->p : array_grow(r->p, r->n, &r->room, sizeof *more);
	if (!more)
		return false;
	r->p = more;
	if (!at) {
		at = &r->p[r->n++];
		*at = (UserReference){u, 0};
	}
	at->count += count;
	u->references += count;
	return true;
}

bool user_references_copy(UserReferences *to, const UserReferences *from)
{
	bool ok = true;
	for (u32 i = 0; ok && i < from->n; i++)
		ok = keep(to, from->p[i].object, from->p[i].count);
	return ok;
}

void user_references_drop(UserReferences *r)
{
	UserReferences all = *r;
	*r = (UserReferences){0};
	for (u32 i = 0; i < all.n; i++)
		drop(all.p[i].object, all.p[i].count);
	free(all.p);
}

static bool is_user(CUuserObject u) { return object_is(u, OBJECT_USER); }

static CUresult create(CUuserObject *out, void *value, CUhostFn destroy, unsigned count, unsigned flags)
{
	if (!out || !destroy || !count || flags != NO_DESTRUCTOR_SYNC)
		return CUDA_ERROR_INVALID_VALUE;
	CUuserObject u = *out = object_new(OBJECT_USER, NULL, sizeof *u);
	if (!u)
		return CUDA_ERROR_OUT_OF_MEMORY;
	u->value = value, u->destroy = destroy;
	u->references = u->own = count;
	return CUDA_SUCCESS;
}

CUresult cuUserObjectCreate(CUuserObject *out, void *value, CUhostFn destroy, unsigned count, unsigned flags)
{
	DRIVER_CALL(0, create(out, value, destroy, count, flags));
}

static CUresult retain(CUuserObject u, unsigned count)
{
	if (!is_user(u) || !count)
		return CUDA_ERROR_INVALID_VALUE;
	u->references += count, u->own += count;
	return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(CUuserObject u, unsigned count) { DRIVER_CALL(0, retain(u, count)); }

static CUresult release(CUuserObject u, unsigned count)
{
	if (!is_user(u) || !count || count > u->own)
		return CUDA_ERROR_INVALID_VALUE;
	u->own -= count;
	drop(u, count);
	return CUDA_SUCCESS;
}

CUresult cuUserObjectRelease(CUuserObject u, unsigned count) { DRIVER_CALL(0, release(u, count)); }

/* References of the program become the graph's, or the graph gets further ones. */
static CUresult graph_retain(CUgraph g, CUuserObject u, unsigned count, unsigned flags)
{
	bool moved = flags & MOVE;
	if (!is_graph(g) || !is_user(u) || !count || flags & ~(unsigned)MOVE || (moved && count > u->own))
		return CUDA_ERROR_INVALID_VALUE;
	if (!keep(&g->users, u, count))
		return CUDA_ERROR_OUT_OF_MEMORY;
	u->own -= moved ? count : 0;
	u->references -= moved ? count : 0;
	return CUDA_SUCCESS;
}

CUresult cuGraphRetainUserObject(CUgraph g, CUuserObject u, unsigned count, unsigned flags)
{
	DRIVER_CALL(0, graph_retain(g, u, count, flags));
}

static CUresult graph_release(CUgraph g, CUuserObject u, unsigned count)
{
	UserReference *at = is_graph(g) && is_user(u) ? reference_of(&g->users, u) : NULL;
	if (!at || !count || count > at->count)
		return CUDA_ERROR_INVALID_VALUE;
	at->count -= count;
	if (!at->count)
		*at = g->users.p[--g->users.n];
	drop(u, count);
	return CUDA_SUCCESS;
}

CUresult cuGraphReleaseUserObject(CUgraph g, CUuserObject u, unsigned count) { DRIVER_CALL(0, graph_release(g, u, count)); }
