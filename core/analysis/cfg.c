/* cfg.c: builds the graph of an IR function's blocks and computes the analyses on it, see cfg.h. Linear in blocks and edges. */
#include "analysis/cfg.h"

u32 ir_cfg_number(const IrCfg *cfg, const IrModule *m, IrRef block)
{
	/* Marks are shared by all who number blocks, so they are only a hint. */
	u32 hint = ir_block(m, block)->mark;
	if (hint < cfg->n && ir_same(cfg->block[hint], block))
		return hint;
	return (u32)map_or(&cfg->number, block.i, GRAPH_NONE);
}

u32 ir_cfg_use(const IrCfg *cfg, const IrModule *m, u32 use)
{
	IrRef user = ir_use(m, use)->user;
	if (ir_inst(m, user)->op == IR_PHI)
		return ir_cfg_number(cfg, m, ir_op(m, user, ir_use_index(m, use) + 1));
	return ir_cfg_of(cfg, m, user);
}

IrCfg *ir_cfg_build(const IrModule *m, const IrFunc *f, Arena *a)
{
	IrCfg     *cfg = arena_new(a, IrCfg);
	GraphEdges edges = {0};
	cfg->block = arena_array(a, IrRef, f->n_blocks + 1);
	map_init(&cfg->number, a);
	ir_each_block(m, f, b) {
		ir_block(m, b)->mark = cfg->n;
		map_set(&cfg->number, b.i, cfg->n);
		cfg->block[cfg->n++] = b;
	}
	for (u32 i = 0; i < cfg->n; i++)
		for (u32 k = 0, n = ir_n_succs(m, cfg->block[i]); k < n; k++)
			vec_push(a, &edges, ((GraphEdge){i, ir_cfg_number(cfg, m, ir_succ(m, cfg->block[i], k))}));
	graph_build(&cfg->graph, a, cfg->n, edges.p, edges.n);
	cfg->order = graph_rpo(&cfg->graph, a, 0);
	return cfg;
}

bool ir_inst_dominates(const IrModule *m, const IrCfg *cfg, const DomTree *dom, IrRef def, IrRef use)
{
	IrRef from = ir_inst(m, def)->block, to = ir_inst(m, use)->block;
	if (!ir_same(from, to))
		return dom_dominates(dom, ir_cfg_number(cfg, m, from), ir_cfg_number(cfg, m, to));
	for (IrRef i = ir_inst(m, def)->next; !ir_is_none(i); i = ir_inst(m, i)->next)
		if (ir_same(i, use))
			return true;
	return false;
}

/* ---- the manager's rows (pass/analyses.def) ---- */

void *an_cfg_compute(PassCx *cx, Arena *arena);
bool  an_cfg_equal(const void *a, const void *b);
void *an_dom_compute(PassCx *cx, Arena *arena);
void *an_postdom_compute(PassCx *cx, Arena *arena);
void *an_loops_compute(PassCx *cx, Arena *arena);

void *an_cfg_compute(PassCx *cx, Arena *arena) { return ir_cfg_build(cx->ir, ir_func(cx->ir, (IrRef){cx->func}), arena); }

bool an_cfg_equal(const void *a, const void *b)
{
	const IrCfg *x = a, *y = b;
	if (x->n != y->n || memcmp(x->block, y->block, x->n * sizeof(IrRef)) != 0)
		return false;
	if (memcmp(x->graph.succ.at, y->graph.succ.at, (x->n + 1) * sizeof(u32)) != 0)
		return false;
	return memcmp(x->graph.succ.item, y->graph.succ.item, x->graph.succ.at[x->n] * sizeof(u32)) == 0;
}

void *an_dom_compute(PassCx *cx, Arena *arena) { return dom_new(&ir_cfg(cx)->graph, arena); }
void *an_postdom_compute(PassCx *cx, Arena *arena) { return postdom_new(&ir_cfg(cx)->graph, arena); }
void *an_loops_compute(PassCx *cx, Arena *arena) { return loops_new(&ir_cfg(cx)->graph, &ir_cfg(cx)->order, ir_dom(cx), arena); }
