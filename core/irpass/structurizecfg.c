/* structurizecfg: makes control flow reducible, and in mode strict single-entry single-exit.
 *
 *        entry                        entry
 *        ↙   ↘                        ↙   ↘
 *       a  ⇄  b            →         ↘   ↙        which: 0 → a, 1 → b
 *                                   irr.guard ⇄
 *                                    ↙     ↘
 *                                   a       b     both lead back to irr.guard
 *
 * structurizecfg-mode=reducible (the default) gives every cycle a single header: all edges to the entries of an
 * irreducible cycle are redirected to a guard block, whose phis carry the target and the values of the entries'
 * phis (hub.h). Other control flow is left alone: ptxas accepts any reducible graph, and restructuring costs branches.
 * No SSA repair is needed: a block outside the cycle that dominates one entry dominates all of them, and
 * no block of the cycle dominates an entry other than itself.
 *
 * strict then gives every region one exit as well (structurize_strict.c). off does nothing. Adds one guard per irreducible
 * cycle and analyses the graph again after each. */
#include "analysis/cfg.h"
#include "base/map.h"
#include "irpass/hub.h"

enum { MODE_REDUCIBLE, MODE_STRICT, MODE_OFF };

/* ---- irreducible cycles ---- */

/* The entries of a cycle that is entered at several places; empty where all cycles have one header. */
static VecU32 irreducible_headers(PassCx *cx, const IrCfg *cfg)
{
	Arena *a = cx->scratch;
	VecU32 headers = {0};
	bool  *in = arena_array(a, bool, cfg->n + 1);
	for (u32 i = 0; i < cfg->n; i++)
		in[i] = ir_cfg_reached(cfg, i);
	/* Remove the headers of reducible loops until only irreducible cycles, or none, are left. */
	for (bool again = true; again;) {
		GraphEdges edges = {0};
		again = false;
		for (u32 v = 0; v < cfg->n; v++) {
			Nodes succ = graph_succ(&cfg->graph, v);
			for (u32 k = 0; in[v] && k < succ.n; k++)
				if (in[succ.p[k]])
					vec_push(a, &edges, ((GraphEdge){v, succ.p[k]}));
		}
		Graph g;
		graph_build(&g, a, cfg->n, edges.p, edges.n);
		Sccs s = graph_sccs(&g, a);
		for (u32 c = s.n; c-- > 0;) { /* outermost first, in the order of the entry */
			Nodes m = node_list(&s.member, c);
			if (!in[m.p[0]] || !scc_is_cyclic(&g, &s, c))
				continue;
			headers.n = 0;
			for (u32 i = 0; i < m.n; i++) {
				Nodes p = graph_pred(&cfg->graph, m.p[i]);
				bool  entered = m.p[i] == 0;
				for (u32 k = 0; k < p.n; k++)
					entered |= ir_cfg_reached(cfg, p.p[k]) && s.of[p.p[k]] != c;
				if (entered)
					vec_push(a, &headers, m.p[i]);
			}
			if (headers.n > 1)
				return headers;
			for (u32 i = 0; i < headers.n; i++) {
				in[headers.p[i]] = false;
				again = true;
			}
		}
	}
	headers.n = 0;
	return headers;
}

static void add_edges_to(Hub *h, u32 target)
{
	IrModule *m = h->m;
	VecU32    preds = {0};
	Map       listed;
	map_init(&listed, h->cx->scratch);
	ir_preds(m, (IrRef){h->target.p[target]}, &preds);
	for (u32 i = 0; i < preds.n; i++) {
		IrRef p = {preds.p[i]};
		bool  fresh;
		map_put(&listed, p.i, &fresh);
		for (u32 s = 0; s < ir_n_succs(m, p) && fresh; s++)
			if (ir_succ(m, p, s).i == h->target.p[target])
				hub_add_edge(h, p, s, target);
	}
}

static bool make_reducible_once(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	IrCfg    *cfg = ir_cfg_build(m, f, cx->scratch);
	DomTree   dom = dom_build(&cfg->graph, cx->scratch, 0);
	if (graph_is_reducible(&cfg->graph, &cfg->order, &dom))
		return false;
	VecU32 headers = irreducible_headers(cx, cfg);
	if (!headers.n)
		return false;
	Hub h;
	hub_init(&h, cx);
	for (u32 i = 0; i < headers.n; i++)
		vec_push(cx->scratch, &h.target, cfg->block[headers.p[i]].i);
	for (u32 i = 0; i < headers.n; i++)
		add_edges_to(&h, i);
	hub_build(&h, ir_block(m, (IrRef){h.target.p[0]})->prev);
	pass_remark(cx, REMARK_PASSED, ir_block(m, (IrRef){h.target.p[0]})->origin, "a cycle with %u entries gets one header",
	            headers.n);
	return true;
}

static bool run(PassCx *cx)
{
	i64  mode = knob_int(cx->s, KNOB_structurizecfg_mode);
	bool changed = false;
	u32  limit = pass_func(cx)->n_blocks + 8;
	if (mode == MODE_OFF)
		return false;
	while (limit && make_reducible_once(cx)) {
		changed = true;
		limit--;
	}
	if (mode == MODE_STRICT && limit)
		changed |= structurize_strict(cx);
	return changed;
}

static const Knob knobs[] = {KNOB_structurizecfg_mode, KNOB_NONE};

const Pass irpass_structurizecfg = {
	.id = "structurizecfg",
	.title = "Structurize the CFG",
	.summary = "Makes control flow reducible, or single-entry single-exit (structurizecfg-mode=strict).",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.knobs = knobs,
	.keeps = 0,
	.flags = PF_ANY_SIZE | PF_IDEMPOTENT,
	.run = run,
};
