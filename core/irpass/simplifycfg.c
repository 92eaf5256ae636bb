/* simplifycfg: makes blocks fewer and branches straight.
 *
 *   a: br i1 true, label %b, label %c      a: br label %b                 a branch on a constant; %c goes if nothing else leads there
 *   a: br label %b        b: …             a: …                           a block with one way in joins the one before it
 *   a: br label %b        b: br label %c   a: br label %c                 an empty block is passed by
 *   a: br i1 %c, label %b, label %d        a: %x = select i1 %c, i32 2, i32 1
 *   b: br label %d                            br label %d
 *   d: %x = phi [ 1, %a ], [ 2, %b ]
 *
 * Blocks that hold no more than phi-node-folding-threshold cheap instructions count as empty for the last rule; these are then
 * always executed. Loops keep the blocks in front of their headers and their latches, which hold their metadata. Rounds over the
 * blocks until nothing changes, at most MAX_ROUNDS; each round is linear in instructions and edges. */
#include "irpass/simplify_cfg.h"

#include "analysis/cfg.h"
#include "irpass/util.h"

enum { MAX_ROUNDS = 10, MAX_SELECTS = 4 };

typedef struct Simplifier {
	PassCx   *cx;
	IrModule *m;
	IrFunc   *f;
	IrCfg    *cfg; /* of this round's beginning */
	bool      changed;
} Simplifier;

/* ---- branches ---- */

static bool same_targets(IrModule *m, IrRef block)
{
	IrRef t = ir_term(m, block);
	if (!t.i || ir_inst(m, t)->op != IR_BR || ir_n_ops(m, t) != 3 || !ir_same(ir_op(m, t, 1), ir_op(m, t, 2)))
		return false;
	IrRef     to = ir_op(m, t, 1);
	IrBuilder b = ir_build_before(m, t);
	ir_each_inst(m, to, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		IrRef first = IR_NO_REF;
		for (u32 i = 0; i < ir_phi_n(m, phi); i++) {
			if (!ir_same(ir_phi_block(m, phi, i), block))
				continue;
			if (first.i && !ir_same(first, ir_phi_value(m, phi, i)))
				return false;
			first = ir_phi_value(m, phi, i);
		}
	}
	IrRef br = ir_b_br(&b, to);
	ir_attach(m, br, "llvm.loop", ir_attached(m, t, "llvm.loop"));
	ir_remove(m, t);
	ir_phis_forget(m, to, block);
	return true;
}

static void fold_branches(Simplifier *x)
{
	ir_each_block(x->m, x->f, b) {
		IrRef t = ir_term(x->m, b);
		if (t.i && (fold_terminator(x->m, t) || same_targets(x->m, b)))
			x->changed = true;
	}
}

static void remove_unreachable(Simplifier *x)
{
	x->cfg = ir_cfg_build(x->m, x->f, x->cx->scratch);
	if (x->cfg->order.n == x->cfg->n)
		return;
	for (u32 b = 0; b < x->cfg->n; b++)
		if (!ir_cfg_reached(x->cfg, b))
			ir_block_remove(x->m, x->cfg->block[b]);
	x->cfg = ir_cfg_build(x->m, x->f, x->cx->scratch);
	x->changed = true;
}

/* ---- blocks ---- */

static bool address_taken(const IrModule *m, IrRef block)
{
	ir_each_use(m, block, u)
		if (ir_kind(ir_use(m, u)->user) != IR_INST)
			return true;
	return false;
}

/* Only a branch to one block, and whose branch it is. */
static IrRef leads_to(const IrModule *m, IrRef block)
{
	IrRef t = ir_term(m, block);
	return t.i && ir_inst(m, t)->op == IR_BR && ir_n_ops(m, t) == 1 ? ir_op(m, t, 0) : IR_NO_REF;
}

static bool may_join(const Simplifier *x, IrRef block, IrRef next)
{
	const IrModule *m = x->m;
	return next.i && !ir_same(next, x->f->first) && !ir_same(next, block) && ir_same(ir_single_pred(m, next), block) &&
	       !address_taken(m, next);
}

static void join_chains(Simplifier *x)
{
	IrModule *m = x->m;
	for (IrRef b = x->f->first; b.i; b = ir_block(m, b)->next) {
		for (IrRef next; may_join(x, b, next = leads_to(m, b));) {
			x->changed |= fold_single_phis(x->m, next);
			if (ir_inst(m, ir_block(m, next)->first)->op == IR_PHI)
				break;
			ir_block_join(m, b, next);
			x->changed = true;
		}
	}
}

/* Is there an edge to `block` from one that comes behind it? */
static bool is_header(const Simplifier *x, IrRef block)
{
	u32 n = ir_cfg_number(x->cfg, x->m, block);
	if (n == GRAPH_NONE)
		return true;
	Nodes preds = graph_pred(&x->cfg->graph, n);
	for (u32 i = 0; i < preds.n; i++)
		if (ir_cfg_reached(x->cfg, preds.p[i]) && x->cfg->order.pos[preds.p[i]] >= x->cfg->order.pos[n])
			return true;
	return false;
}

static bool has_phis(const IrModule *m, IrRef block) { return ir_inst(m, ir_block(m, block)->first)->op == IR_PHI; }

/* May all ways into the empty block go on to `to` directly? None of them may lead there already, and where phis tell the ways
 * apart each needs an edge of its own, on which a copy can stand. */
static bool may_pass_by(const Simplifier *x, IrRef block, IrRef to, const VecU32 *preds)
{
	const IrModule *m = x->m;
	for (u32 i = 0; i < preds->n; i++) {
		IrRef p = {preds->p[i]}, t = ir_term(m, p);
		if (ir_same(p, block) || ir_inst(m, t)->op == IR_INDIRECTBR || ir_inst(m, t)->op == IR_CALLBR)
			return false;
		if (has_phis(m, to) && ir_n_succs(m, p) != 1)
			return false;
		for (u32 k = i + 1; k < preds->n && has_phis(m, to); k++)
			if (preds->p[k] == p.i)
				return false;
	}
	return preds->n > 0;
}

static void pass_by(Simplifier *x, IrRef block)
{
	IrModule *m = x->m;
	IrRef     to = leads_to(m, block);
	VecU32    preds = {0};
	if (!to.i || ir_block(m, block)->n_insts != 1 || ir_same(to, block) || ir_same(block, x->f->first) ||
	    address_taken(m, block) || ir_attached(m, ir_term(m, block), "llvm.loop").i || is_header(x, to) ||
	    is_header(x, block))
		return;
	ir_preds(m, block, &preds);
	if (!may_pass_by(x, block, to, &preds))
		return;
	ir_each_inst(m, to, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		IrRef v = ir_phi_value_for(m, phi, block);
		for (u32 i = 0; i < preds.n; i++)
			ir_phi_add(m, phi, v, (IrRef){preds.p[i]});
	}
	for (u32 i = 0; i < preds.n; i++)
		for (u32 k = 0, n = ir_n_succs(m, (IrRef){preds.p[i]}); k < n; k++)
			if (ir_same(ir_succ(m, (IrRef){preds.p[i]}, k), block))
				ir_set_succ(m, (IrRef){preds.p[i]}, k, to);
	ir_block_remove(m, block);
	x->changed = true;
}

/* ---- selects ---- */

static bool is_cheap(const IrModule *m, IrRef i)
{
	u32 op = ir_inst(m, i)->op;
	if (op == IR_FDIV || op == IR_FREM || op == IR_UDIV || op == IR_SDIV || op == IR_UREM || op == IR_SREM)
		return false;
	return (ir_op_is_binary(op) || ir_op_is_cast(op) || op == IR_GETELEMENTPTR || op == IR_SELECT || op == IR_ICMP ||
	        op == IR_FCMP || op == IR_FNEG) &&
	       ir_is_speculatable(m, i);
}

/* Instructions of a block on one side of a branch that may be executed whichever way it goes; ~0: not all. */
static u32 arm_cost(const Simplifier *x, IrRef arm)
{
	const IrModule *m = x->m;
	u32             n = 0;
	if (ir_block(m, arm)->n_insts > (u32)knob_int(x->cx->s, KNOB_phi_node_folding_threshold) + 1)
		return ~0u;
	ir_each_inst(m, arm, i) {
		if (ir_same(i, ir_block(m, arm)->last))
			break;
		if (!is_cheap(m, i))
			return ~0u;
		n++;
	}
	return n;
}

/* `arm` is entered from `from` alone, and leads to `to` alone. */
static bool is_arm(const IrModule *m, IrRef arm, IrRef from, IrRef to)
{
	return ir_same(leads_to(m, arm), to) && ir_same(ir_single_pred(m, arm), from) && !ir_same(arm, from) &&
	       !ir_same(arm, to) && !address_taken(m, arm);
}

typedef struct Choice {
	IrRef from, condition; /* where the ways part */
	IrRef way[2];          /* the predecessors of the join on which the condition is true and false */
} Choice;

/* The branch whose two ways meet in `join`, by at most one small block each. */
static bool find_choice(const Simplifier *x, IrRef join, Choice *c)
{
	const IrModule *m = x->m;
	VecU32          preds = {0};
	ir_preds(m, join, &preds);
	if (preds.n != 2)
		return false;
	for (u32 i = 0; i < 2; i++) {
		IrRef p = {preds.p[i]}, other = {preds.p[1 - i]}, t;
		c->from = ir_same(leads_to(m, p), join) ? ir_single_pred(m, p) : IR_NO_REF;
		t = c->from.i ? ir_term(m, c->from) : IR_NO_REF;
		if (!t.i || ir_inst(m, t)->op != IR_BR || ir_n_ops(m, t) != 3 || ir_same(ir_op(m, t, 1), ir_op(m, t, 2)) ||
		    ir_same(c->from, join) || !is_arm(m, p, c->from, join))
			continue;
		if (!ir_same(other, c->from) && !is_arm(m, other, c->from, join))
			continue;
		c->condition = ir_op(m, t, 0);
		for (u32 k = 0; k < 2; k++) {
			IrRef to = ir_op(m, t, k + 1);
			c->way[k] = ir_same(to, join) ? c->from : to;
		}
		return !ir_attached(m, t, "llvm.loop").i;
	}
	return false;
}

static void hoist_arm(IrModule *m, IrRef arm, IrRef before)
{
	ir_each_inst(m, arm, i) {
		if (ir_same(i, ir_block(m, arm)->last))
			break;
		ir_move_before(m, i, before);
	}
}

static void choose(Simplifier *x, IrRef join)
{
	IrModule *m = x->m;
	Choice    c;
	u32       cost = 0, phis = 0, limit = (u32)knob_int(x->cx->s, KNOB_phi_node_folding_threshold);
	if (!has_phis(m, join) || !find_choice(x, join, &c))
		return;
	for (u32 k = 0; k < 2; k++)
		if (!ir_same(c.way[k], c.from)) {
			u32 arm = arm_cost(x, c.way[k]);
			cost = arm == ~0u ? limit + 1 : cost + arm;
		}
	for (IrRef i = ir_block(m, join)->first; ir_inst(m, i)->op == IR_PHI; i = ir_inst(m, i)->next)
		phis++;
	if (cost > limit || phis > MAX_SELECTS)
		return;
	IrRef t = ir_term(m, c.from);
	for (u32 k = 0; k < 2; k++)
		if (!ir_same(c.way[k], c.from))
			hoist_arm(m, c.way[k], t);
	ir_each_inst(m, join, phi) {
		if (ir_inst(m, phi)->op != IR_PHI)
			break;
		IrBuilder b = ir_build_before(m, t);
		IrRef     yes = ir_phi_value_for(m, phi, c.way[0]), no = ir_phi_value_for(m, phi, c.way[1]);
		IrRef     v = ir_same(yes, no) ? yes : ir_b_select(&b, c.condition, yes, no);
		if (!ir_same(yes, no))
			ir_inst(m, v)->flags |= ir_inst(m, phi)->flags;
		replace_inst(m, phi, v);
	}
	IrBuilder b = ir_build_before(m, t);
	ir_b_br(&b, join);
	ir_remove(m, t);
	for (u32 k = 0; k < 2; k++)
		if (!ir_same(c.way[k], c.from))
			ir_block_remove(m, c.way[k]);
	remove_if_dead(x->cx, c.condition);
	x->changed = true;
}

/* Joins of inner branches first: they come behind those of outer ones. */
static void choose_all(Simplifier *x)
{
	Vec(IrRef) blocks = {0};
	ir_each_block(x->m, x->f, b)
		vec_push(x->cx->scratch, &blocks, b);
	while (blocks.n) {
		IrRef b = vec_pop(&blocks);
		if (ir_block(x->m, b)->first.i) /* else it is gone */
			choose(x, b);
	}
}

/* ---- the pass ---- */

bool simplify_cfg(PassCx *cx, IrFunc *f)
{
	Simplifier x = {.cx = cx, .m = cx->ir, .f = f};
	bool       any = false;
	for (u32 round = 0; round < MAX_ROUNDS; round++) {
		x.changed = false;
		fold_branches(&x);
		remove_unreachable(&x);
		x.changed |= fold_all_single_phis(x.m, f);
		ir_each_block(x.m, f, b)
			pass_by(&x, b);
		join_chains(&x);
		choose_all(&x);
		any |= x.changed;
		if (!x.changed)
			break;
	}
	return any;
}

static bool run(PassCx *cx)
{
	IrFunc *f = pass_func(cx);
	return !ir_same(f->first, f->last) && simplify_cfg(cx, f);
}

static const Knob knobs[] = {KNOB_phi_node_folding_threshold, KNOB_NONE};

const Pass irpass_simplifycfg = {
	.id = "simplifycfg",
	.title = "Simplify the CFG",
	.summary = "Folds branches on constants, merges straight lines of blocks, and makes selects of two-way phis.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.flags = PF_ANY_SIZE,
	.gate = KNOB_simplifycfg,
	.knobs = knobs,
	.keeps = 0,
	.run = run,
};
