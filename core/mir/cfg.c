/* cfg.c: builds the graph of a machine function's blocks and computes the analyses on it, see cfg.h. Linear in blocks and edges. */
#include "mir/cfg.h"
#include "ir/ir.h"

MirCfg *mir_cfg_build(const MirFunc *f, Arena *a)
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
	return c;
}

void mir_note_reducible(MirFunc *f, Arena *scratch)
{
	if (!f->first_block)
		return;
	MirCfg *c = mir_cfg_build(f, scratch);
	DomTree dom = dom_build(&c->g, scratch, 0);
	if (graph_is_reducible(&c->g, &c->order, &dom))
		f->props |= MP_REDUCIBLE;
}

bool mir_inst_dominates(const MirFunc *f, const MirCfg *cfg, const DomTree *dom, MirInstId a, MirInstId b)
{
	u32 x = cfg->node[mir_inst(f, a)->block], y = cfg->node[mir_inst(f, b)->block];
	return x == y ? mir_before(f, a, b) : x != GRAPH_NONE && y != GRAPH_NONE && dom_dominates(dom, x, y);
}

/* ---- the manager's rows (pass/analyses.def) ---- */

void *mir_cfg_compute(PassCx *cx, Arena *arena);
bool  mir_cfg_equal(const void *a, const void *b);
void *mir_dom_compute(PassCx *cx, Arena *arena);
void *mir_postdom_compute(PassCx *cx, Arena *arena);
void *mir_loops_compute(PassCx *cx, Arena *arena);

void *mir_cfg_compute(PassCx *cx, Arena *arena) { return mir_cfg_build(mir_pass_func(cx), arena); }

bool mir_cfg_equal(const void *a, const void *b)
{
	const MirCfg *x = a, *y = b;
	const u32     n = x->g.n;
	return n == y->g.n && memcmp(x->block, y->block, n * sizeof(u32)) == 0 &&
	       memcmp(x->g.succ.at, y->g.succ.at, (n + 1) * sizeof(u32)) == 0 &&
	       memcmp(x->g.succ.item, y->g.succ.item, x->g.succ.at[n] * sizeof(u32)) == 0;
}

void *mir_dom_compute(PassCx *cx, Arena *arena) { return dom_new(&mir_cfg(cx)->g, arena); }
void *mir_postdom_compute(PassCx *cx, Arena *arena) { return postdom_new(&mir_cfg(cx)->g, arena); }
void *mir_loops_compute(PassCx *cx, Arena *arena) { return loops_new(&mir_cfg(cx)->g, &mir_cfg(cx)->order, mir_dom(cx), arena); }

/* What the program says of the loop, at one of its branches back. */
static IrUnroll said(const MirFunc *f, const IrModule *m, const MirCfg *cfg, const Loops *loops, u32 loop)
{
	Nodes latch = node_list(&loops->latch, loop);
	for (u32 i = 0; m && i < latch.n; i++) {
		u32      ir = mir_block(f, (MirBlockId){cfg->block[latch.p[i]]})->ir;
		IrRef    term = ir && ir != ~0u ? ir_term(m, ir_ref(IR_BLOCK, ir)) : (IrRef){0};
		IrUnroll u = ir_is_none(term) ? IR_UNROLL_OPEN : ir_unroll(m, term);
		if (u != IR_UNROLL_OPEN)
			return u;
	}
	return IR_UNROLL_OPEN;
}

bool mir_must_not_unroll(const MirFunc *f, const IrModule *ir, const MirCfg *cfg, const Loops *loops, u32 loop)
{
	IrUnroll u = said(f, ir, cfg, loops, loop);
	Nodes    node = loop_nodes(loops, loop);
	u32      exits = 0;
	if (u != IR_UNROLL_OPEN)
		return u == IR_UNROLL_NOT;
	for (u32 n = 0; n < node.n; n++) {
		Nodes to = graph_succ(&cfg->g, node.p[n]);
		bool  leaves = false;
		if (loops->of[node.p[n]] != loop)
			return false;
		for (u32 k = 0; k < to.n; k++)
			leaves |= !loop_contains(loops, loop, to.p[k]);
		exits += leaves;
	}
	return exits > 1;
}
