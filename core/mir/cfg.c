#include "mir/cfg.h"

MirCfg *mir_cfg_new(const MirFunc *f, Arena *a)
{
	MirCfg    *c = arena_new(a, MirCfg);
	GraphEdges edges = {0};
	u32        n = 0;
	c->node = arena_array(a, u32, f->block.n);
	c->block = arena_array(a, u32, f->n_blocks + 1);
	for (u32 b = 0; b < f->block.n; b++)
		c->node[b] = GRAPH_NONE;
	mir_each_block(f, b) {
		c->node[b.i] = n;
		c->block[n++] = b.i;
	}
	mir_each_block(f, b)
		mir_each_succ(f, b, e)
			vec_push(a, &edges, ((GraphEdge){c->node[b.i], c->node[e->to]}));
	graph_build(&c->g, a, n, edges.p, edges.n);
	c->order = graph_rpo(&c->g, a, 0);
	c->dom = dom_build(&c->g, a, 0);
	c->loops = loops_build(&c->g, &c->order, &c->dom, a);
	return c;
}

void mir_note_reducible(MirFunc *f, Arena *scratch)
{
	if (f->first_block && mir_cfg_reducible(mir_cfg_new(f, scratch)))
		f->props |= MP_REDUCIBLE;
}
