/* graph.c: graphs of work, and what is made of them to be launched.
 *
 * An executable graph is a copy of the work in an order in which everything comes behind what it depends on, so a launch is a loop. The
 * order is by depth first search from the nodes in the order in which they were added; the steps of a child stand where its node does. */
#include "cuda/graph.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 32 };

CUgraph graph_new(CUcontext c) { return object_new(OBJECT_GRAPH, c, sizeof(struct CUgraph_st)); }

bool work_copy(const Work *from, Work *to)
{
	*to = *from;
	if (from->kind == WORK_GRAPH)
		return (to->graph = graph_clone(from->graph)) != NULL;
	if (from->kind == WORK_ALLOC)
		graph_memory_keep(from->memory);
	if (from->kind != WORK_KERNEL)
		return true;
	to->kernel.params = malloc((size_t)from->kernel.params_size + 1);
	if (to->kernel.params)
		bytes_copy(to->kernel.params, from->kernel.params, (size_t)from->kernel.params_size);
	return to->kernel.params != NULL;
}

void work_free(Work *w)
{
	if (w->kind == WORK_KERNEL)
		free(w->kernel.params);
	if (w->kind == WORK_GRAPH && w->graph)
		graph_destroy(w->graph);
	if (w->kind == WORK_ALLOC)
		graph_memory_drop(w->memory);
}

CUresult work_replace(Work *old, const Work *w)
{
	Work own;
	if (!work_copy(w, &own))
		return CUDA_ERROR_OUT_OF_MEMORY;
	work_free(old);
	*old = own;
	return CUDA_SUCCESS;
}

/* Is there room for `depth` graphs within each other below this one? Then it and those around it have them. */
static bool may_nest(CUgraph g, u32 depth)
{
	u32 around = 0;
	for (CUgraphNode n = g->owner; n; n = n->graph->owner)
		around++;
	if (around + depth >= MOST_NESTED)
		return false;
	for (;; g = g->owner->graph, depth++) {
		g->depth = PS_MAX(g->depth, depth);
		if (!g->owner)
			return true;
	}
}

CUresult graph_add(CUgraph g, const CUgraphNode *after, size_t n, const Work *w, CUgraphNode *out)
{
	for (size_t i = 0; i < n; i++)
		if (!object_is(after[i], OBJECT_NODE) || after[i]->graph != g)
			return CUDA_ERROR_INVALID_VALUE;
	if ((w->kind == WORK_GRAPH || w->kind == WORK_CONDITIONAL) &&
	    !may_nest(g, w->kind == WORK_GRAPH ? w->graph->depth + 1 : 1))
		return unsupported("graphs that are nested that deep");
	CUgraphNode *more = realloc(g->node, (g->n + 1) * sizeof *more);
	if (more)
		g->node = more;
	CUgraphNode node = more ? object_new(OBJECT_NODE, g->o.context, sizeof *node) : NULL;
	if (!node)
		return CUDA_ERROR_OUT_OF_MEMORY;
	node->graph = g;
	node->after = malloc((n + 1) * sizeof *node->after);
	if (!node->after || !work_copy(w, &node->work)) {
		free(node->after);
		object_free(node);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (w->kind == WORK_GRAPH) { /* it goes with its node, not with a context */
		node->work.graph->owner = node;
		node->work.graph->o.context = NULL;
	}
	bytes_copy(node->after, after, n * sizeof *after);
	node->n_after = n;
	g->node[g->n++] = node;
	*out = node;
	return CUDA_SUCCESS;
}

static void node_free(CUgraphNode n)
{
	if (n->work.kind == WORK_CONDITIONAL) {
		for (unsigned i = 0; i < n->work.conditional.n; i++)
			graph_destroy(n->work.conditional.body[i]);
		free(n->work.conditional.body);
	}
	work_free(&n->work);
	free(n->after);
	free(n->args);
	object_free(n);
}

void graph_destroy(CUgraph g)
{
	for (size_t i = 0; i < g->n; i++)
		node_free(g->node[i]);
	free(g->node);
	conditions_drop(g->condition, g->n_conditions);
	UserReferences users = g->users;
	object_free(g);
	user_references_drop(&users);
}

CUresult graph_may_be_cloned(CUgraph g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->node[i]->work.kind >= WORK_ALLOC)
			return CUDA_ERROR_NOT_SUPPORTED;
	return CUDA_SUCCESS;
}

void node_keeps(CUgraphNode to, CUgraphNode from)
{
	if (from->work.kind == WORK_COPY)
		to->copy = from->copy;
	if (from->work.kind == WORK_KERNEL)
		to->kept = from->kept;
}

/* Nodes are added as they were, each behind copies of what it was behind; these may come later. */
CUgraph graph_clone(CUgraph g)
{
	CUgraph to = graph_new(g->o.context);
	bool    ok = to && user_references_copy(&to->users, &g->users);
	for (size_t i = 0; ok && i < g->n; i++) {
		CUgraphNode node;
		ok = graph_add(to, NULL, 0, &g->node[i]->work, &node) == CUDA_SUCCESS;
		if (ok) {
			node_keeps(node, g->node[i]);
			node->origin = g->node[i]->o.id;
			g->node[i]->mark = (u32)i;
		}
	}
	for (size_t i = 0; ok && i < g->n; i++) {
		CUgraphNode  from = g->node[i], node = to->node[i];
		CUgraphNode *after = realloc(node->after, (from->n_after + 1) * sizeof *after);
		ok = after != NULL;
		if (ok)
			node->after = after;
		for (size_t k = 0; ok && k < from->n_after; k++)
			after[node->n_after++] = to->node[from->after[k]->mark];
	}
	if (to)
		to->origin = g->o.id;
	if (to && !ok) {
		graph_destroy(to);
		return NULL;
	}
	return to;
}

/* Conditions are within each other as deep as graphs are. */
void sequence_free(Sequence *q)
{
	for (u32 i = 0; i < q->n; i++) {
		Step *s = &q->step[i];
		for (unsigned k = 0; s->body && k < s->work.conditional.n; k++)
			sequence_free(&s->body[k]);
		free(s->body);
		work_free(&s->work);
		free(s->after);
	}
	free(q->step);
	conditions_drop(q->condition, q->n_conditions);
	user_references_drop(&q->users);
}

void exec_destroy(CUgraphExec x)
{
	Sequence sequence = x->sequence;
	object_free(x);
	sequence_free(&sequence);
}

/* ---- orders */

/* Nodes from `roots` on against the edges, what comes first in front, without recursion. A node's mark is 1 + how many of its edges
 * have been followed, and DONE in the end. NULL: no memory, or (*cycle) the graph has a cycle. */
enum { DONE = UINT32_MAX };
static CUgraphNode *ordered(CUgraph g, const CUgraphNode *roots, size_t n_roots, size_t *n, bool *cycle)
{
	CUgraphNode *order = calloc(2 * g->n + 1, sizeof *order), *stack = order ? order + g->n : NULL;
	*n = 0;
	*cycle = false;
	for (size_t i = 0; i < g->n; i++)
		g->node[i]->mark = 0;
	for (size_t i = 0; order && i < n_roots; i++) {
		size_t top = 0;
		if (roots[i]->mark)
			continue;
		roots[i]->mark = 1;
		stack[top++] = roots[i];
		while (top) {
			CUgraphNode at = stack[top - 1];
			if (at->mark - 1 == at->n_after) {
				at->mark = DONE;
				order[(*n)++] = at;
				top--;
				continue;
			}
			CUgraphNode next = at->after[at->mark++ - 1];
			if (next->mark == DONE)
				continue;
			if (next->mark) {
				*cycle = true;
				free(order);
				return NULL;
			}
			next->mark = 1;
			stack[top++] = next;
		}
	}
	return order;
}

bool graph_has(CUgraph g, CUgraphNode n) { return object_is(n, OBJECT_NODE) && n->graph == g; }
u64  graph_id(CUgraph g) { return g->o.id; }

bool graph_reaches(CUgraph g, const CUgraphNode *last, size_t n_last, const CUgraphNode *all, size_t n_all)
{
	size_t       n;
	bool         cycle;
	CUgraphNode *order = ordered(g, last, n_last, &n, &cycle);
	bool         reached = order != NULL;
	for (size_t i = 0; i < n_all; i++)
		reached = reached && all[i]->mark == DONE;
	free(order);
	return reached;
}

/* ---- building */

static CUresult create(CUcontext c, CUgraph *out, unsigned flags)
{
	if (!out || flags)
		return CUDA_ERROR_INVALID_VALUE;
	*out = graph_new(c);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuGraphCreate(CUgraph *out, unsigned flags) { DRIVER_CALL(IN_CONTEXT, create(c.context, out, flags)); }

static CUresult destroy(CUgraph g)
{
	if (!is_graph(g) || g->owner)
		return CUDA_ERROR_INVALID_VALUE;
	graph_destroy(g);
	return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph g) { DRIVER_CALL(IN_CONTEXT, destroy(g)); }

/* ---- copies and ends */

static CUresult clone(CUcontext c, CUgraph *out, CUgraph g)
{
	if (!out || !is_graph(g))
		return CUDA_ERROR_INVALID_VALUE;
	if (graph_may_be_cloned(g) != CUDA_SUCCESS)
		return graph_may_be_cloned(g);
	*out = graph_clone(g);
	if (*out)
		(*out)->o.context = c;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuGraphClone(CUgraph *out, CUgraph g) { DRIVER_CALL(IN_CONTEXT, clone(c.context, out, g)); }

static CUresult find_in_clone(CUgraphNode *out, CUgraphNode n, CUgraph g)
{
	if (!out || !object_is(n, OBJECT_NODE) || !is_graph(g))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < g->n; i++)
		if (g->node[i]->origin == n->o.id)
			return *out = g->node[i], CUDA_SUCCESS;
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode n, CUgraph g) { DRIVER_CALL(IN_CONTEXT, find_in_clone(out, n, g)); }

/* Its edges go, too. */
static CUresult destroy_node(CUgraphNode n)
{
	if (!object_is(n, OBJECT_NODE))
		return CUDA_ERROR_INVALID_VALUE;
	CUgraph g = n->graph;
	size_t  left = 0;
	for (size_t i = 0; i < g->n; i++) {
		CUgraphNode other = g->node[i];
		size_t      kept = 0;
		for (size_t k = 0; k < other->n_after; k++)
			if (other->after[k] != n)
				other->after[kept++] = other->after[k];
		other->n_after = kept;
		if (other != n)
			g->node[left++] = other;
	}
	g->n = left;
	node_free(n);
	return CUDA_SUCCESS;
}

CUresult cuGraphDestroyNode(CUgraphNode n) { DRIVER_CALL(IN_CONTEXT, destroy_node(n)); }

/* ---- making it executable */

static CUresult steps_add(Sequence *s, Step step)
{
	Step *more = array_grow(s->step, s->n, &s->room, sizeof *more);
	if (!more)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->step = more;
	s->step[s->n++] = step;
	return CUDA_SUCCESS;
}

/* What a condition chooses from. */
static CUresult bodies_of(const ConditionalWork *w, Sequence **out)
{
	Sequence *body = *out = calloc(w->n, sizeof *body);
	CUresult  r = body ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	for (unsigned i = 0; r == CUDA_SUCCESS && i < w->n; i++)
		r = sequence_of(&body[i], w->body[i]);
	return r;
}

/* The node's step; of a child, the child's own ones come first. Marks of the graph's nodes are places of their steps. */
static CUresult node_steps(Sequence *s, CUgraphNode n)
{
	CUresult r = n->work.kind == WORK_GRAPH ? sequence_of(s, n->work.graph) : CUDA_SUCCESS;
	Step     step = {.node = n->o.id, .n_after = n->n_after, .after = malloc((n->n_after + 1) * sizeof *step.after)};
	Work     empty = {.kind = WORK_EMPTY};
	if (r == CUDA_SUCCESS && (!step.after || !work_copy(n->work.kind == WORK_GRAPH ? &empty : &n->work, &step.work)))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; r == CUDA_SUCCESS && i < n->n_after; i++)
		step.after[i] = n->after[i]->mark;
	if (r == CUDA_SUCCESS && (r = steps_add(s, step)) == CUDA_SUCCESS && n->work.kind == WORK_CONDITIONAL)
		r = bodies_of(&n->work.conditional, &s->step[s->n - 1].body);
	else if (r != CUDA_SUCCESS)
		free(step.after);
	n->mark = (u32)s->n - 1;
	return r;
}

CUresult sequence_of(Sequence *s, CUgraph g)
{
	size_t       n;
	bool         cycle;
	CUgraphNode *order = ordered(g, g->node, g->n, &n, &cycle);
	CUresult     r = order ? CUDA_SUCCESS : cycle ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY;
	if (r == CUDA_SUCCESS && !user_references_copy(&s->users, &g->users))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	for (u32 i = 0; r == CUDA_SUCCESS && i < g->n_conditions; i++)
		if (!condition_keep(&s->condition, &s->n_conditions, &s->room_conditions, g->condition[i]))
			r = CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; r == CUDA_SUCCESS && i < n; i++)
		r = node_steps(s, order[i]);
	free(order);
	return r;
}

static CUresult instantiate(CUcontext c, CUgraphExec *out, CUgraph g, unsigned long long flags)
{
	Sequence s = {0};
	if (!out || !is_graph(g) || flags > 15)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult    r = sequence_of(&s, g);
	CUgraphExec x = r == CUDA_SUCCESS ? object_new(OBJECT_EXEC, c, sizeof *x) : NULL;
	*out = x;
	if (!x) {
		sequence_free(&s);
		return r != CUDA_SUCCESS ? r : CUDA_ERROR_OUT_OF_MEMORY;
	}
	x->sequence = s;
	x->flags = flags;
	return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph g, unsigned long long flags)
{
	DRIVER_CALL(IN_CONTEXT, instantiate(c.context, out, g, flags));
}

/* The result says what was wrong: 0 nothing, 1 something, 2 the graph's structure. */
static CUresult instantiate_with(CUcontext c, CUgraphExec *out, CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *p)
{
	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = instantiate(c, out, g, p->flags);
	p->error_node = NULL;
	p->result = r == CUDA_SUCCESS ? 0 : r == CUDA_ERROR_INVALID_VALUE && is_graph(g) ? 2 : 1;
	return r;
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *p)
{
	DRIVER_CALL(IN_CONTEXT, instantiate_with(c.context, out, g, p));
}

/* ---- an executable graph that takes over the work of another graph */

static int difference(const Step *a, u32 at, const Step *b)
{
	if (a->n_after != b->n_after)
		return TOPOLOGY_CHANGED;
	for (size_t i = 0; i < a->n_after; i++)
		if (a->after[i] != b->after[i] + at)
			return TOPOLOGY_CHANGED;
	if (a->work.kind != b->work.kind)
		return TYPE_CHANGED;
	const ConditionalWork *x = &a->work.conditional, *y = &b->work.conditional;
	if (a->work.kind != WORK_CONDITIONAL)
		return UPDATED;
	int what = x->type == y->type && x->n == y->n ? UPDATED : TOPOLOGY_CHANGED;
	for (unsigned i = 0; what == UPDATED && i < x->n; i++)
		what = a->body[i].n != b->body[i].n ? TOPOLOGY_CHANGED : differences(&a->body[i], 0, &b->body[i]);
	return what;
}

int differences(const Sequence *a, u32 at, const Sequence *b)
{
	int what = UPDATED;
	for (u32 i = 0; what == UPDATED && i < b->n; i++)
		what = difference(&a->step[at + i], at, &b->step[i]);
	return what;
}

static void exchange(Sequence *a, Sequence *b);

void exchange_work(Sequence *a, u32 at, Sequence *b)
{
	for (u32 i = 0; i < b->n; i++) {
		Step *x = &a->step[at + i], *y = &b->step[i];
		Work  old = x->work;
		for (unsigned k = 0; old.kind == WORK_CONDITIONAL && k < old.conditional.n; k++)
			exchange(&x->body[k], &y->body[k]);
		x->work = y->work;
		y->work = old;
	}
}

/* All of it. */
static void exchange(Sequence *a, Sequence *b)
{
	exchange_work(a, 0, b);
	Sequence was = *a;
	a->condition = b->condition, a->n_conditions = b->n_conditions, a->room_conditions = b->room_conditions;
	b->condition = was.condition, b->n_conditions = was.n_conditions, b->room_conditions = was.room_conditions;
	a->users = b->users;
	b->users = was.users;
}

/* Steps of graphs that were built alike stand in one order. Nodes of the first graph stay the names of the steps. */
static CUresult update(CUgraphExec x, CUgraph g, CUgraphExecUpdateResultInfo *info)
{
	Sequence s = {0};
	if (!object_is(x, OBJECT_EXEC) || !is_graph(g) || !info)
		return CUDA_ERROR_INVALID_VALUE;
	*info = (CUgraphExecUpdateResultInfo){.result = UPDATE_FAILED};
	CUresult r = sequence_of(&s, g);
	int what = r != CUDA_SUCCESS ? UPDATE_FAILED : x->sequence.n != s.n ? TOPOLOGY_CHANGED : differences(&x->sequence, 0, &s);
	if (what == UPDATED)
		exchange(&x->sequence, &s);
	sequence_free(&s);
	if (r == CUDA_SUCCESS)
		info->result = what;
	return r == CUDA_SUCCESS && what != UPDATED ? CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE : r;
}

CUresult cuGraphExecUpdate_v2(CUgraphExec x, CUgraph g, CUgraphExecUpdateResultInfo *info)
{
	DRIVER_CALL(IN_CONTEXT, update(x, g, info));
}

static CUresult update_plain(CUgraphExec x, CUgraph g, CUgraphNode *error, int *result)
{
	CUgraphExecUpdateResultInfo info;
	CUresult                    r = update(x, g, &info);
	if (error)
		*error = NULL;
	if (result)
		*result = r == CUDA_ERROR_INVALID_VALUE ? UPDATE_FAILED : info.result;
	return r;
}

CUresult cuGraphExecUpdate(CUgraphExec x, CUgraph g, CUgraphNode *error, int *result)
{
	DRIVER_CALL(IN_CONTEXT, update_plain(x, g, error, result));
}

static Step *step_of(const Sequence *q, u64 node)
{
	Step *found = NULL;
	for (u32 i = 0; !found && i < q->n; i++) {
		Step *s = &q->step[i];
		if (s->node == node)
			found = s;
		for (unsigned k = 0; !found && s->work.kind == WORK_CONDITIONAL && k < s->work.conditional.n; k++)
			found = step_of(&s->body[k], node);
	}
	return found;
}

Step *exec_step(CUgraphExec x, CUgraphNode n)
{
	return object_is(x, OBJECT_EXEC) && object_is(n, OBJECT_NODE) ? step_of(&x->sequence, n->o.id) : NULL;
}

/* ---- launching */

static CUresult run(CUcontext c, const Sequence *q);

static CUresult run_conditional(CUcontext c, const Step *s)
{
	CUresult r = CUDA_SUCCESS;
	u32      k;
	for (bool again = false; r == CUDA_SUCCESS && !c->failed; again = true) {
		if ((k = condition_chooses(&s->work.conditional, again)) == ~0u)
			break;
		r = run(c, &s->body[k]);
	}
	return r;
}

static CUresult run(CUcontext c, const Sequence *q)
{
	CUresult r = CUDA_SUCCESS;
	conditions_assign(q->condition, q->n_conditions);
	for (u32 i = 0; r == CUDA_SUCCESS && i < q->n && !c->failed; i++) {
		const Step *s = &q->step[i];
		if (!s->off)
			r = s->work.kind == WORK_CONDITIONAL ? run_conditional(c, s) : work_run(c, &s->work);
	}
	return r;
}

/* In a stream that is captured, the work becomes part of the graph that is made, step by step. */
static CUresult capture(CUcontext c, const Sequence *q, CUstream s)
{
	CUresult r = CUDA_SUCCESS;
	for (u32 i = 0; r == CUDA_SUCCESS && i < q->n; i++)
		if (q->step[i].work.kind >= WORK_ALLOC)
			r = unsupported(
				"a graph with nodes of memory or conditions that is launched while the stream is captured");
		else if (!q->step[i].off)
			r = stream_submit(c, s, &q->step[i].work);
	return r;
}

enum { AUTO_FREE_ON_LAUNCH = 1 };
static CUresult launch(CUcontext c, CUgraphExec x, CUstream handle)
{
	CUstream s;
	if (!object_is(x, OBJECT_EXEC))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = stream_of(c, handle, &s);
	if (r != CUDA_SUCCESS)
		return r;
	if (stream_captures(s))
		return capture(c, &x->sequence, handle);
	for (u32 i = 0; x->flags & AUTO_FREE_ON_LAUNCH && i < x->sequence.n; i++)
		if (x->sequence.step[i].work.kind == WORK_ALLOC)
			graph_memory_reclaim(x->sequence.step[i].work.memory);
	return run(c, &x->sequence);
}

CUresult cuGraphLaunch(CUgraphExec x, CUstream s) { DRIVER_CALL(IN_CONTEXT, launch(c.context, x, s)); }

static CUresult exec_only(CUgraphExec x, bool destroyed)
{
	if (!object_is(x, OBJECT_EXEC))
		return CUDA_ERROR_INVALID_VALUE;
	if (destroyed)
		exec_destroy(x);
	return CUDA_SUCCESS;
}

CUresult cuGraphUpload(CUgraphExec x, CUstream s) { DRIVER_CALL(IN_CONTEXT, ((void)s, exec_only(x, false))); }
CUresult cuGraphExecDestroy(CUgraphExec x) { DRIVER_CALL(IN_CONTEXT, exec_only(x, true)); }

static CUresult exec_flags(CUgraphExec x, unsigned long long *out)
{
	if (!object_is(x, OBJECT_EXEC) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = x->flags;
	return CUDA_SUCCESS;
}

CUresult cuGraphExecGetFlags(CUgraphExec x, unsigned long long *out) { DRIVER_CALL(IN_CONTEXT, exec_flags(x, out)); }

/* ---- steps that are left out */

static CUresult enable(CUgraphExec x, CUgraphNode n, const unsigned *set, unsigned *get)
{
	Step *s = exec_step(x, n);
	if (!s || (!set && !get))
		return CUDA_ERROR_INVALID_VALUE;
	if (set)
		s->off = !*set;
	if (get)
		*get = !s->off;
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec x, CUgraphNode n, unsigned on) { DRIVER_CALL(IN_CONTEXT, enable(x, n, &on, NULL)); }
CUresult cuGraphNodeGetEnabled(CUgraphExec x, CUgraphNode n, unsigned *out) { DRIVER_CALL(IN_CONTEXT, enable(x, n, NULL, out)); }
