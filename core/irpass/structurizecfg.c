/* structurizecfg: control flow that later passes can rely on.
 *
 *        entry                        entry
 *        ↙   ↘                        ↙   ↘
 *       a  ⇄  b            →         ↘   ↙        which: 0 → a, 1 → b
 *                                   irr.guard ⇄
 *                                    ↙     ↘
 *                                   a       b     both lead back to irr.guard
 *
 * structurizecfg-mode=reducible (the default) makes every cycle one with a single header: all edges to the
 * headers of an irreducible cycle go to a guard that knows which one is meant, and carries the values of
 * their phis. Nothing else is touched: ptxas takes any reducible graph, and reshaping it costs branches.
 * No value needs repair: what dominates a header from outside dominates every entry of the cycle, and
 * nothing inside can dominate a header.
 *
 * strict is meant to give every region a single exit as well; it does what reducible does and says so in a
 * remark. off does nothing. A guard for each cycle; the graph is analysed again after each. */
#include "analysis/cfg.h"
#include "irpass/util.h"

enum { MODE_REDUCIBLE, MODE_STRICT, MODE_OFF };

typedef struct Moved {
	IrRef phi;    /* of the guard */
	u32   target; /* the last one that reads it */
} Moved;

/* Two edges of one branch. */
typedef struct Fork {
	u32 cond;  /* IrRef.i; 0: a single edge */
	u32 other; /* target where the condition is false */
} Fork;

typedef struct Hub {
	PassCx   *cx;
	IrModule *m;
	IrFunc   *f;
	IrRef     guard;
	VecU32    target;  /* IrRef.i of the blocks behind the guard */
	GraphEdges edge;   /* block IrRef.i → successor index, of every edge that is turned to the guard */
	VecU32    to;      /* by edge: which target it went to */
	Vec(Fork) fork;    /* by edge */
	Vec(Moved) moved;
} Hub;

/* ---- hubs: many edges to many targets, by way of one block ---- */

static void add_edges_to(Hub *h, u32 target)
{
	IrModule *m = h->m;
	VecU32    preds = {0};
	ir_preds(m, (IrRef){h->target.p[target]}, &preds);
	for (u32 i = 0; i < preds.n; i++) {
		IrRef p = {preds.p[i]};
		bool  listed = false;
		for (u32 k = 0; k < i; k++)
			listed |= preds.p[k] == p.i;
		if (listed)
			continue;
		for (u32 s = 0; s < ir_n_succs(m, p); s++)
			if (ir_succ(m, p, s).i == h->target.p[target]) {
				vec_push(h->cx->scratch, &h->edge, ((GraphEdge){p.i, s}));
				vec_push(h->cx->scratch, &h->to, target);
			}
	}
}

/* A branch both of whose ways are turned goes to the guard for good, and selects what it says there. */
static void merge_branches(Hub *h)
{
	IrModule *m = h->m;
	u32       n = 0;
	for (u32 i = 0; i < h->edge.n; i++) {
		IrRef from = {h->edge.p[i].from}, term = ir_term(m, from);
		bool  merged = false;
		for (u32 k = 0; k < n && is_inst(m, term, IR_BR) && ir_n_succs(m, from) == 2; k++)
			if (h->edge.p[k].from == from.i && h->to.p[k] != h->to.p[i] && ir_is_none((IrRef){h->fork.p[k].cond})) {
				bool first = h->edge.p[k].to == 0; /* taken where the condition holds */
				h->fork.p[k] = (Fork){ir_op(m, term, 0).i, first ? h->to.p[i] : h->to.p[k]};
				h->to.p[k] = first ? h->to.p[k] : h->to.p[i];
				merged = true;
			}
		if (merged)
			continue;
		h->edge.p[n] = h->edge.p[i];
		h->to.p[n] = h->to.p[i];
		vec_push(h->cx->scratch, &h->fork, ((Fork){0}));
		n++;
	}
	h->edge.n = h->to.n = n;
}

/* Any other block that two turned edges leave needs one of its own for each: the guard's phis have one entry for
 * each predecessor, and the targets differ. */
static void split_shared_sources(Hub *h)
{
	for (u32 i = 0; i < h->edge.n; i++) {
		bool shared = false;
		for (u32 k = 0; k < h->edge.n; k++)
			shared |= k != i && h->edge.p[k].from == h->edge.p[i].from;
		if (!shared)
			continue;
		IrRef mid = ir_split_edge(h->m, (IrRef){h->edge.p[i].from}, h->edge.p[i].to, STR("irr.edge"));
		h->edge.p[i] = (GraphEdge){mid.i, 0};
	}
}

/* A phi of the guard that carries nothing to target `t` yet, of this type: an edge goes to one target only, so one
 * phi serves a phi of each. */
static IrRef guard_phi(Hub *h, u32 t, IrRef like)
{
	IrModule *m = h->m;
	IrType    type = ir_inst(m, like)->type;
	for (u32 k = 0; k < h->moved.n; k++)
		if (h->moved.p[k].target != t && ir_type_same(ir_inst(m, h->moved.p[k].phi)->type, type)) {
			h->moved.p[k].target = t;
			return h->moved.p[k].phi;
		}
	IrBuilder b = ir_build_end(m, h->guard);
	IrRef     phi = ir_b_phi(&b, type);
	name_after(m, phi, like, ".moved");
	ir_inst(m, phi)->origin = ir_inst(m, like)->origin;
	for (u32 i = 0; i < h->edge.n; i++)
		ir_phi_add(m, phi, ir_const_poison(m, type), (IrRef){h->edge.p[i].from});
	vec_push(h->cx->scratch, &h->moved, ((Moved){phi, t}));
	return phi;
}

static bool goes_to(const Hub *h, u32 edge, u32 t)
{
	return h->to.p[edge] == t || (h->fork.p[edge].cond && h->fork.p[edge].other == t);
}

static IrRef forked(Hub *h, u32 edge, IrRef yes, IrRef no)
{
	IrBuilder b = ir_build_before(h->m, ir_term(h->m, (IrRef){h->edge.p[edge].from}));
	return ir_same(yes, no) ? yes : ir_b_select(&b, (IrRef){h->fork.p[edge].cond}, yes, no);
}

/* Along an edge, or one way of a fork, `v` comes to the guard's phi. */
static void bring(Hub *h, u32 edge, IrRef moved, u32 t, IrRef v)
{
	IrModule *m = h->m;
	IrRef     was = ir_phi_value(m, moved, edge);
	if (!ir_is_undef(m, was)) /* the other way brings something of its own */
		v = h->to.p[edge] == t ? forked(h, edge, v, was) : forked(h, edge, was, v);
	ir_set_op(m, moved, 2 * edge, v);
}

/* The phis of target `t` take what the guard's phis bring. */
static void move_phis(Hub *h, u32 t)
{
	IrModule *m = h->m;
	IrRef     target = {h->target.p[t]};
	ir_each_inst(m, target, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		IrRef moved = guard_phi(h, t, phi);
		for (u32 i = 0; i < h->edge.n; i++) {
			if (!goes_to(h, i, t))
				continue;
			bring(h, i, moved, t, ir_phi_value_for(m, phi, (IrRef){h->edge.p[i].from}));
			for (u32 k = ir_phi_n(m, phi); k-- > 0;)
				if (ir_phi_block(m, phi, k).i == h->edge.p[i].from) {
					ir_phi_remove(m, phi, k);
					break;
				}
		}
		ir_phi_add(m, phi, moved, h->guard);
	}
}

static void turn_edges(Hub *h)
{
	IrModule *m = h->m;
	IrBuilder b = ir_build_end(m, h->guard);
	IrRef     which = ir_b_phi(&b, IR_TYPE(I32));
	ir_set_name(m, which, STR("which"));
	for (u32 i = 0; i < h->edge.n; i++) {
		IrRef say = ir_const_int(m, IR_TYPE(I32), h->to.p[i]);
		if (h->fork.p[i].cond)
			say = forked(h, i, say, ir_const_int(m, IR_TYPE(I32), h->fork.p[i].other));
		ir_phi_add(m, which, say, (IrRef){h->edge.p[i].from});
	}
	for (u32 t = 0; t < h->target.n; t++)
		move_phis(h, t);
	for (u32 i = 0; i < h->edge.n; i++) {
		IrRef from = {h->edge.p[i].from};
		if (!h->fork.p[i].cond) {
			ir_set_succ(m, from, h->edge.p[i].to, h->guard);
			continue;
		}
		ir_remove(m, ir_term(m, from));
		IrBuilder e = ir_build_end(m, from);
		ir_b_br(&e, h->guard);
	}
	/* The last target needs no test. */
	IrRef at = h->guard;
	for (u32 t = 0; t + 1 < h->target.n; t++) {
		IrBuilder e = ir_build_end(m, at);
		IrRef     other = {h->target.p[t + 1]};
		if (t + 2 < h->target.n) {
			other = ir_block_new(m, h->f, STR("irr.guard"));
			ir_block_move_after(m, other, at);
		}
		IrRef is = ir_b_cmp(&e, IRP_I_EQ, which, ir_const_int(m, IR_TYPE(I32), t));
		ir_b_cond_br(&e, is, (IrRef){h->target.p[t]}, other);
		/* The phis behind expect the guard itself: they hear of the block they are reached from. */
		if (!ir_same(at, h->guard))
			ir_phis_retarget(m, (IrRef){h->target.p[t]}, h->guard, at);
		if (t + 2 == h->target.n && !ir_same(at, h->guard))
			ir_phis_retarget(m, other, h->guard, at);
		at = other;
	}
}

/* ---- irreducible cycles ---- */

/* The entries of a cycle that is entered at several places; empty where all cycles have one header. */
static VecU32 irreducible_headers(PassCx *cx, const IrCfg *cfg)
{
	Arena *a = cx->scratch;
	VecU32 headers = {0};
	bool  *in = arena_array(a, bool, cfg->n + 1);
	for (u32 i = 0; i < cfg->n; i++)
		in[i] = ir_cfg_reached(cfg, i);
	/* Take away the headers of proper loops until only irreducible cycles, or none, are left. */
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
	Hub h = {.cx = cx, .m = m, .f = f};
	for (u32 i = 0; i < headers.n; i++)
		vec_push(cx->scratch, &h.target, cfg->block[headers.p[i]].i);
	for (u32 i = 0; i < headers.n; i++)
		add_edges_to(&h, i);
	merge_branches(&h);
	split_shared_sources(&h);
	h.guard = ir_block_new(m, f, STR("irr.guard"));
	ir_block_move_after(m, h.guard, ir_block(m, (IrRef){h.target.p[0]})->prev);
	ir_block(m, h.guard)->origin = ir_block(m, (IrRef){h.target.p[0]})->origin;
	turn_edges(&h);
	pass_remark(cx, REMARK_PASSED, ir_block(m, (IrRef){h.target.p[0]})->origin,
	            "a cycle with %u entries gets one header", headers.n);
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
	if (mode == MODE_STRICT)
		pass_remark(cx, REMARK_MISSED, ir_global(cx->ir, pass_func(cx)->ref)->origin,
		            "regions keep their exits: strict does what reducible does");
	return changed;
}

static const Knob knobs[] = {KNOB_structurizecfg_mode, KNOB_NONE};

const Pass irpass_structurizecfg = {
	.id = "structurizecfg",
	.title = "Structurize the CFG",
	.summary = "Gives every cycle one header (reducible), or leaves the graph as it is (off).",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.knobs = knobs,
	.keeps = 0,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
