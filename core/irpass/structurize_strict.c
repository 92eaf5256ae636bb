/* structurizecfg-mode=strict: every region has one entry and one exit.
 *
 *      b                         b
 *     ↙ ↘                       ↙ ↘
 *    x → t     z               x    ↘           t was reached from both sides of b and continues to z:
 *     ↘  ↓   ↗           →      ↘   ↙           the exit edges of b's two arms now meet in one block,
 *       → z                     guard           which branches to their targets
 *                              ↙   ↓
 *                             t  → z
 *
 * Needs reducible control flow (structurizecfg.c). Loops first, outer before inner: a loop with several latches, or with an
 * exit from a block other than its header or its only latch, gets one block to which all its back and exit edges are
 * redirected, and which either continues or leaves the loop. A value that is defined in such a loop and used outside it is
 * stored to and loaded from an alloca, which is promoted at the end.
 *
 * Then every branch in reverse post order, ignoring back edges. An arm is the set of blocks dominated by a successor whose
 * only predecessor is the branch. Where the edges that leave the arms have several targets, they are redirected to a hub
 * (Bahmann, Reissmann, Jahre and Meyer, "Perfect Reconstructability of Control Flow from Demand Dependence Graphs", in the
 * form used by MLIR's lifting of control flow). No SSA repair is needed: a value defined in an arm dominates no block
 * outside of it. The hub tests for its targets in post order.
 *
 * Several returns are merged into one. The graph is analysed again after each hub; the number of hubs is limited. */
#include "analysis/cfg.h"
#include "base/bitset.h"
#include "ir/builder.h"
#include "irpass/hub.h"
#include "irpass/promote.h"

typedef struct Strict {
	PassCx   *cx;
	IrModule *m;
	IrFunc   *f;
	IrCfg    *cfg;
	DomTree   dom;
	Loops     loops;
	Vec(IrRef) slots;
} Strict;

static void analyse(Strict *s)
{
	s->cfg = ir_cfg_build(s->m, s->f, s->cx->scratch);
	s->dom = dom_build(&s->cfg->graph, s->cx->scratch, 0);
	s->loops = loops_build(&s->cfg->graph, &s->cfg->order, &s->dom, s->cx->scratch);
}

static bool is_back_edge(const Strict *s, u32 from, u32 to) { return dom_dominates(&s->dom, to, from); }

/* Targets by their place in reverse post order, the last first; `first` stays first. */
static void order_targets(Strict *s, Hub *h, VecU32 *nodes, u32 first)
{
	for (u32 i = 1; i < nodes->n; i++) {
		u32 v = nodes->p[i], k = i;
		for (;
		     k && (v == first || (nodes->p[k - 1] != first && s->cfg->order.pos[nodes->p[k - 1]] < s->cfg->order.pos[v]));
		     k--)
			nodes->p[k] = nodes->p[k - 1];
		nodes->p[k] = v;
	}
	for (u32 i = 0; i < nodes->n; i++)
		vec_push(s->cx->scratch, &h->target, s->cfg->block[nodes->p[i]].i);
}

static u32 index_of(const VecU32 *list, u32 v)
{
	for (u32 i = 0; i < list->n; i++)
		if (list->p[i] == v)
			return i;
	return list->n;
}

static void add_once(Strict *s, VecU32 *list, u32 v)
{
	if (index_of(list, v) == list->n)
		vec_push(s->cx->scratch, list, v);
}

/* Redirects `edges` (between graph nodes) to a new hub, whose targets are the edges' target blocks. */
static void build_hub(Strict *s, const GraphEdges *edges, VecU32 *targets, u32 first, u32 after)
{
	Hub h;
	hub_init(&h, s->cx);
	order_targets(s, &h, targets, first);
	Bitset done = bitset_new(s->cx->scratch, s->cfg->n + 1);
	Bitset taken = bitset_new(s->cx->scratch, targets->n);
	for (u32 i = 0; i < edges->n; i++) {
		u32   from = edges->p[i].from;
		Nodes succ = graph_succ(&s->cfg->graph, from);
		if (bitset_has(done, from))
			continue;
		bitset_add(done, from);
		bitset_clear(taken);
		for (u32 k = i; k < edges->n; k++)
			if (edges->p[k].from == from)
				bitset_add(taken, index_of(targets, edges->p[k].to));
		for (u32 j = 0; j < succ.n; j++) {
			u32 t = index_of(targets, succ.p[j]);
			if (t < targets->n && bitset_has(taken, t))
				hub_add_edge(&h, s->cfg->block[from], j, t);
		}
	}
	hub_build(&h, s->cfg->block[after]);
}

/* ---- returns ---- */

static bool one_return(Strict *s)
{
	IrModule *m = s->m;
	VecU32    rets = {0};
	ir_each_block(m, s->f, b)
		if (is_inst(m, ir_term(m, b), IR_RET))
			vec_push(s->cx->scratch, &rets, b.i);
	if (rets.n < 2)
		return false;
	IrRef     all = ir_block_new(m, s->f, STR("return"));
	IrBuilder b = ir_build_end(m, all);
	IrRef     first = ir_term(m, (IrRef){rets.p[0]}), value = IR_NO_REF;
	bool      has_value = ir_n_ops(m, first) != 0;
	ir_block(m, all)->origin = b.origin = ir_info(m, first)->origin;
	if (has_value)
		value = ir_b_phi(&b, ir_type_of(m, ir_op(m, first, 0)));
	for (u32 i = 0; i < rets.n; i++) {
		IrRef term = ir_term(m, (IrRef){rets.p[i]});
		if (has_value)
			ir_phi_add(m, value, ir_op(m, term, 0), (IrRef){rets.p[i]});
		IrBuilder e = ir_build_before(m, term);
		e.origin = ir_info(m, term)->origin;
		ir_remove(m, term);
		e = ir_build_end(m, (IrRef){rets.p[i]});
		ir_b_br(&e, all);
	}
	b = ir_build_end(m, all);
	ir_b_ret(&b, value);
	return true;
}

/* ---- loops ---- */

static bool is_outside(const Strict *s, u32 loop, IrRef block)
{
	u32 node = ir_cfg_number(s->cfg, s->m, block);
	return node == GRAPH_NONE || !loop_contains(&s->loops, loop, node);
}

/* Stores the value to an alloca in the loop and loads it again for every use outside. */
static void demote(Strict *s, u32 loop, IrRef v)
{
	IrModule *m = s->m;
	VecU32    uses = {0};
	ir_each_use(m, v, u) {
		IrRef user = ir_use(m, u)->user, at = ir_inst(m, user)->block;
		if (is_inst(m, user, IR_PHI))
			at = ir_phi_block(m, user, ir_use_index(m, u) / 2);
		if (is_outside(s, loop, at))
			vec_push(s->cx->scratch, &uses, u);
	}
	if (!uses.n)
		return;
	IrType    type = ir_inst(m, v)->type;
	IrBuilder e = build_at_entry(m, s->f), d = build_after(m, v);
	IrRef     slot = ir_b_alloca(&e, type, 0, 0);
	vec_push(s->cx->scratch, &s->slots, slot);
	ir_b_store(&d, v, slot, 0);
	for (u32 i = 0; i < uses.n; i++) {
		IrRef     user = ir_use(m, uses.p[i])->user;
		bool      phi = is_inst(m, user, IR_PHI);
		IrBuilder b = ir_build_before(m, phi ? ir_term(m, ir_phi_block(m, user, ir_use_index(m, uses.p[i]) / 2)) : user);
		ir_set_use(m, uses.p[i], ir_b_load(&b, type, slot, 0));
	}
}

static bool fix_loop(Strict *s, u32 loop)
{
	u32        header = s->loops.loop[loop].header, exiting = GRAPH_NONE;
	Nodes      latch = node_list(&s->loops.latch, loop), inside = loop_nodes(&s->loops, loop);
	GraphEdges edges = loop_exits(&s->cfg->graph, &s->loops, s->cx->scratch, loop);
	VecU32     targets = {0};
	bool       good = true;
	for (u32 i = 0; i < latch.n; i++)
		good &= latch.p[i] == latch.p[0];
	for (u32 i = 0; i < edges.n; i++) {
		good &= exiting == GRAPH_NONE || exiting == edges.p[i].from;
		exiting = edges.p[i].from;
	}
	if (good && (exiting == GRAPH_NONE || exiting == header || exiting == latch.p[0]))
		return false;
	pass_remark(s->cx, REMARK_PASSED, ir_block(s->m, s->cfg->block[header])->origin,
	            "the loop goes on and is left in one block");
	for (u32 i = 0; i < inside.n; i++)
		ir_each_inst(s->m, s->cfg->block[inside.p[i]], v)
			if (ir_has_uses(s->m, v))
				demote(s, loop, v);
	for (u32 i = 0; i < latch.n; i++)
		vec_push(s->cx->scratch, &edges, ((GraphEdge){latch.p[i], header}));
	for (u32 i = 0; i < edges.n; i++)
		add_once(s, &targets, edges.p[i].to);
	build_hub(s, &edges, &targets, header, inside.p[inside.n - 1]);
	return true;
}

static bool fix_loops(Strict *s)
{
	for (u32 l = 0; l < s->loops.n; l++)
		if (fix_loop(s, l))
			return true;
	return false;
}

/* ---- branches ---- */

/* Is `b` the successor's only predecessor? Then the successor is the first block of an arm. */
static bool begins_arm(const Strict *s, u32 b, u32 succ)
{
	Nodes pred = graph_pred(&s->cfg->graph, succ);
	for (u32 i = 0; i < pred.n; i++)
		if (pred.p[i] != b && ir_cfg_reached(s->cfg, pred.p[i]) && !is_back_edge(s, pred.p[i], succ))
			return false;
	return succ != b && !is_back_edge(s, b, succ);
}

static bool fix_branch(Strict *s, u32 b)
{
	const Graph *g = &s->cfg->graph;
	Nodes        succ = graph_succ(g, b);
	VecU32       targets = {0}, region = {0};
	GraphEdges   edges = {0};
	if (succ.n < 2)
		return false;
	vec_push(s->cx->scratch, &region, b);
	for (u32 i = 0; i < succ.n; i++)
		if (begins_arm(s, b, succ.p[i]) && index_of(&region, succ.p[i]) == region.n)
			/* Its subtree of the dominator tree: an interval of the preorder. */
			for (u32 k = s->dom.in [succ.p[i]];
			     k < s->dom.reached && dom_dominates(&s->dom, succ.p[i], s->dom.pre[k]); k++)
				vec_push(s->cx->scratch, &region, s->dom.pre[k]);
	Bitset in = bitset_new(s->cx->scratch, s->cfg->n + 1);
	u32    last = b;
	for (u32 i = 0; i < region.n; i++) {
		bitset_add(in, region.p[i]);
		last = PS_MAX(last, region.p[i]);
	}
	for (u32 i = 0; i < region.n; i++) {
		Nodes out = graph_succ(g, region.p[i]);
		for (u32 k = 0; k < out.n; k++)
			if (!bitset_has(in, out.p[k]) && !is_back_edge(s, region.p[i], out.p[k])) {
				add_once(s, &targets, out.p[k]);
				vec_push(s->cx->scratch, &edges, ((GraphEdge){region.p[i], out.p[k]}));
			}
	}
	if (targets.n < 2)
		return false;
	pass_remark(s->cx, REMARK_PASSED, ir_info(s->m, ir_term(s->m, s->cfg->block[b]))->origin,
	            "what follows the branch is reached by way of one block, which tells %u ways apart", targets.n);
	build_hub(s, &edges, &targets, GRAPH_NONE, last);
	return true;
}

static bool fix_branches(Strict *s)
{
	for (u32 i = 0; i < s->cfg->order.n; i++)
		if (fix_branch(s, s->cfg->order.node[i]))
			return true;
	return false;
}

/* ---- all of it ---- */

static bool is_understood(const Strict *s)
{
	ir_each_block(s->m, s->f, b) {
		IrRef t = ir_term(s->m, b);
		u32   op = ir_inst(s->m, t)->op;
		if (op != IR_BR && op != IR_SWITCH && op != IR_RET && op != IR_UNREACHABLE)
			return false;
	}
	return true;
}

bool structurize_strict(PassCx *cx)
{
	Strict s = {.cx = cx, .m = cx->ir, .f = pass_func(cx)};
	u32    line = ir_global(cx->ir, s.f->ref)->origin, limit = 4 * s.f->n_blocks + 16;
	if (s.f->n_blocks > 2000 || !is_understood(&s)) {
		pass_remark(cx, REMARK_MISSED, line, "regions keep their exits: %s",
		            s.f->n_blocks > 2000 ? "the function is too large" : "it has a terminator that cannot be turned");
		return false;
	}
	bool changed = one_return(&s);
	for (analyse(&s); limit && (fix_loops(&s) || fix_branches(&s)); limit--) {
		analyse(&s);
		changed = true;
	}
	pass_invalidate(cx, 0); /* drop the cached analyses of the graph */
	promote_allocas(cx, s.slots.p, s.slots.n);
	if (!limit)
		pass_remark(cx, REMARK_MISSED, line, "some regions keep their exits: it takes too many blocks");
	return changed;
}
