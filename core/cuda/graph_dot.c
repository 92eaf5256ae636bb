/* graph_dot.c: cuGraphDebugDotPrint: a graph as text for Graphviz.
 *
 * A node is "graph_ID_node_N", N its place in the order in which nodes were added, and its label says what it does; flags ask for more. A
 * child and the bodies of a condition are clusters beside their node, to which an edge without an arrow leads. */
#include "cuda/graph.h"

#include <stdio.h>

/* CU_GRAPH_DEBUG_DOT_FLAGS_... */
enum {
	VERBOSE = 1,
	KERNELS = 4,
	COPIES = 8,
	FILLS = 16,
	HOSTS = 32,
	EVENTS = 64,
	ATTRIBUTES = 512,
	HANDLES = 1024,
	ALLOCS = 2048,
	FREES = 4096,
	CONDITIONS = 1 << 15,
	ALL = 0xffff
};

static const char *const names[] = {[WORK_KERNEL] = "KERNEL",
                                    [WORK_COPY] = "MEMCPY",
                                    [WORK_FILL] = "MEMSET",
                                    [WORK_HOST] = "HOST",
                                    [WORK_GRAPH] = "GRAPH",
                                    [WORK_EMPTY] = "EMPTY",
                                    [WORK_WAIT] = "EVENT_WAIT",
                                    [WORK_RECORD] = "EVENT_RECORD",
                                    [WORK_ALLOC] = "MEM_ALLOC",
                                    [WORK_FREE] = "MEM_FREE",
                                    [WORK_CONDITIONAL] = "CONDITIONAL"};

static unsigned long long wide(u64 v) { return (unsigned long long)v; }

static void kernel(FILE *f, const KernelWork *k, unsigned flags)
{
	bool there = object_is(k->f, OBJECT_FUNCTION) && k->f->o.id == k->f_id;
	fprintf(f, "\\n%s\\n\\<\\<\\<(%u,%u,%u),(%u,%u,%u),%u\\>\\>\\>", there ? k->f->kernel.name : "?", k->grid[0], k->grid[1],
	        k->grid[2], k->block[0], k->block[1], k->block[2], k->shared);
	if (flags & ATTRIBUTES)
		fprintf(f, "\\ncooperative %d\\ncluster (%u,%u,%u)", k->cooperative, k->cluster[0], k->cluster[1], k->cluster[2]);
}

static void details(FILE *f, CUgraphNode n, unsigned flags)
{
	const Work *w = &n->work;
	if (flags & HANDLES)
		fprintf(f, "\\n%p", (void *)n);
	if (w->kind == WORK_KERNEL && flags & (KERNELS | ATTRIBUTES))
		kernel(f, &w->kernel, flags);
	if (w->kind == WORK_COPY && flags & COPIES)
		fprintf(f, "\\n0x%llx to 0x%llx\\n%zu x %zu x %zu bytes", wide(w->copy.from), wide(w->copy.to), w->copy.width,
		        w->copy.height, w->copy.depth);
	if (w->kind == WORK_FILL && flags & FILLS)
		fprintf(f, "\\n0x%llx\\n%zu x %zu of 0x%x, %u bytes each", wide(w->fill.to), w->fill.width, w->fill.height,
		        w->fill.value, w->fill.element);
	if (w->kind == WORK_HOST && flags & HOSTS)
		fprintf(f, "\\nfunction 0x%llx\\nargument %p", wide((uintptr_t)w->host.fn), w->host.user);
	if ((w->kind == WORK_RECORD || w->kind == WORK_WAIT) && flags & EVENTS)
		fprintf(f, "\\nevent %p", (void *)w->event);
	if (w->kind == WORK_ALLOC && flags & ALLOCS)
		fprintf(f, "\\n0x%llx", wide(graph_memory_base(w->memory)));
	if (w->kind == WORK_FREE && flags & FREES)
		fprintf(f, "\\n0x%llx", wide(w->freed));
	if (w->kind == WORK_CONDITIONAL && flags & CONDITIONS)
		fprintf(f, "\\nhandle 0x%llx\\n%s", wide(w->conditional.handle),
		        w->conditional.type == 0   ? "if"
		        : w->conditional.type == 1 ? "while"
		                                   : "switch");
}

static void print(FILE *f, CUgraph g, unsigned flags);

/* A graph within a graph. Nesting is limited where graphs are built. */
static void inner(FILE *f, CUgraphNode owner, u32 at, CUgraph g, unsigned flags)
{
	print(f, g, flags);
	if (g->n)
		fprintf(f, "\"graph_%llu_node_%u\" -> \"graph_%llu_node_0\" [style=dashed arrowhead=none];\n",
		        wide(owner->graph->o.id), at, wide(g->o.id));
}

static void print(FILE *f, CUgraph g, unsigned flags)
{
	unsigned long long id = wide(g->o.id);
	fprintf(f, "subgraph cluster_%llu {\nlabel=\"graph_%llu\";\n", id, id);
	for (u32 i = 0; i < g->n; i++) {
		g->node[i]->mark = i;
		fprintf(f, "\"graph_%llu_node_%u\" [shape=record label=\"%u\\n%s", id, i, i, names[g->node[i]->work.kind]);
		details(f, g->node[i], flags);
		fprintf(f, "\"];\n");
	}
	fprintf(f, "}\n");
	for (u32 i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->node[i]->n_after; k++)
			fprintf(f, "\"graph_%llu_node_%u\" -> \"graph_%llu_node_%u\";\n", id, g->node[i]->after[k]->mark, id, i);
	for (u32 i = 0; i < g->n; i++) {
		const Work *w = &g->node[i]->work;
		if (w->kind == WORK_GRAPH)
			inner(f, g->node[i], i, w->graph, flags);
		for (unsigned k = 0; w->kind == WORK_CONDITIONAL && k < w->conditional.n; k++)
			inner(f, g->node[i], i, w->conditional.body[k], flags);
	}
}

static CUresult dot(CUgraph g, const char *path, unsigned flags)
{
	if (!is_graph(g) || !path || flags & ~(unsigned)ALL)
		return CUDA_ERROR_INVALID_VALUE;
	FILE *f = fopen(path, "w");
	if (!f)
		return CUDA_ERROR_OPERATING_SYSTEM;
	fprintf(f, "digraph dot {\n");
	print(f, g, flags & VERBOSE ? ALL : flags);
	fprintf(f, "}\n");
	bool ok = !ferror(f);
	return fclose(f) == 0 && ok ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

CUresult cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned flags) { DRIVER_CALL(IN_CONTEXT, dot(g, path, flags)); }
