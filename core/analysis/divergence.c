#include "analysis/divergence.h"

#include "ir/intrinsic.h"
#include "isa/isa.h"

typedef struct Spread {
	const IrModule *m;
	const IrFunc   *f;
	const IrCfg    *cfg;
	const DomTree  *postdom;
	const Loops    *loops;
	Arena          *a;
	Divergence     *d;
	VecU32          work;     /* divergent values not looked at yet */
	u32            *label;    /* by block, of the branch at hand; GRAPH_NONE: none */
	VecU32          labelled; /* blocks that have one */
	Bitset          pending;  /* by place in the order: blocks whose successors have yet to hear of a label */
	u32             n_pending;
	Bitset          left; /* loops whose threads leave in different iterations */
} Spread;

static void mark(Spread *s, IrRef v)
{
	bool fresh;
	*map_put(&s->d->value, v.i, &fresh) = 1;
	if (fresh)
		vec_push(s->a, &s->work, v.i);
}

/* ---- sources ---- */

static bool is_source_call(const IrModule *m, IrRef i)
{
	if (!ir_call_intrinsic(m, i))
		return true; /* some function, or inline asm */
	switch ((IrDivergence)ir_family_info[ir_call_family(m, i)].divergence) {
	case IRDIV_EFFECT: return ir_may_read(m, i);
	case IRDIV_SOURCE: return true;
	case IRDIV_REGISTER: return isa_sreg(ir_call_detail(m, i))->divergence >= DIV_THREAD;
	case IRDIV_OPERANDS:
	case IRDIV_UNIFORM:
	case IRDIV_MASK_0:
	case IRDIV_MASK_1: return false;
	}
	return true;
}

/* Does a divergent operand, given by this use, make the user's value differ? */
static bool passes_on(const IrModule *m, IrRef user, u32 use)
{
	if (ir_inst(m, user)->op != IR_CALL)
		return true;
	switch ((IrDivergence)ir_family_info[ir_call_family(m, user)].divergence) {
	case IRDIV_UNIFORM: return false;
	case IRDIV_MASK_0: return ir_use_index(m, use) == 1; /* operand 0 is the callee */
	case IRDIV_MASK_1: return ir_use_index(m, use) == 2;
	default: return true;
	}
}

bool is_divergence_source(const IrModule *m, IrRef i)
{
	const IrInst *inst = ir_inst(m, i);
	u32           space;
	switch (inst->op) {
	case IR_ATOMICRMW:
	case IR_CMPXCHG:
	case IR_ALLOCA:
	case IR_VAARG: return true;
	case IR_LOAD:
		space = ir_type(m, ir_type_of(m, ir_op(m, i, 0)))->bits;
		return space == AS_GENERIC || space == AS_LOCAL || (inst->flags & (IRF_VOLATILE | IRF_ATOMIC)) != 0;
	case IR_CALL:
	case IR_INVOKE:
	case IR_CALLBR: return ir_type_kind(m, inst->type) != IRT_VOID && is_source_call(m, i);
	default: return false;
	}
}

/* ---- control ---- */

static void mark_phis(Spread *s, u32 block)
{
	if (bitset_has(s->d->join, block))
		return;
	bitset_add(s->d->join, block);
	ir_each_inst(s->m, s->cfg->block[block], i) {
		if (ir_inst(s->m, i)->op != IR_PHI)
			break;
		/* Inputs that are one and the same value differ for nobody. */
		bool same = true;
		for (u32 k = 1; k < ir_phi_n(s->m, i); k++)
			same &= ir_same(ir_phi_value(s->m, i, k), ir_phi_value(s->m, i, 0));
		if (!same)
			mark(s, i);
	}
}

/* What is computed in `loop` and used outside of it. */
static void mark_live_out(Spread *s, u32 loop)
{
	Nodes n = loop_nodes(s->loops, loop);
	if (bitset_has(s->left, loop))
		return;
	bitset_add(s->left, loop);
	for (u32 k = 0; k < n.n; k++)
		ir_each_inst(s->m, s->cfg->block[n.p[k]], i)
			ir_each_use(s->m, i, u) {
				IrRef user = ir_use(s->m, u)->user;
				u32   b = ir_cfg_number(s->cfg, s->m, ir_inst(s->m, user)->block);
				if (!loop_contains(s->loops, loop, b))
					mark(s, user);
			}
}

/* Gives `to` the label that comes along an edge; a block that two labels reach is a join, and starts one of its own. */
static void carry_label(Spread *s, u32 to, u32 label)
{
	if (s->label[to] == GRAPH_NONE)
		vec_push(s->a, &s->labelled, to);
	else if (s->label[to] == label)
		return;
	if (s->label[to] != GRAPH_NONE) {
		mark_phis(s, to);
		if (s->label[to] == to)
			return;
		label = to;
	}
	s->label[to] = label;
	u32 pos = s->cfg->order.pos[to];
	if (!bitset_has(s->pending, pos)) {
		bitset_add(s->pending, pos);
		s->n_pending++;
	}
}

/* In reverse post order up to the post-dominator, and again for what labels bring along back edges: a label only
 * ever changes to the block's own, so each block is looked at three times at most. */
static void spread_labels(Spread *s, u32 block)
{
	const Graph *g = &s->cfg->graph;
	const Order *o = &s->cfg->order;
	u32          stop = s->postdom->idom[block];
	for (u32 at = bitset_next(s->pending, 0); s->n_pending; at = bitset_next(s->pending, at < s->pending.bits ? at + 1 : 0)) {
		if (at >= s->pending.bits)
			continue; /* what is left lies before */
		u32 v = o->node[at];
		bitset_del(s->pending, at);
		s->n_pending--;
		if (v == stop || v == block)
			continue;
		Nodes out = graph_succ(g, v);
		for (u32 k = 0; k < out.n; k++)
			carry_label(s, out.p[k], s->label[v]);
	}
}

static void spread_branch(Spread *s, u32 block)
{
	Nodes succ = graph_succ(&s->cfg->graph, block);
	bitset_add(s->d->branch, block);
	for (u32 i = 0; i < succ.n; i++)
		carry_label(s, succ.p[i], succ.p[i]);
	spread_labels(s, block);
	while (s->labelled.n)
		s->label[vec_pop(&s->labelled)] = GRAPH_NONE;
	for (u32 loop = s->loops->of[block]; loop != GRAPH_NONE; loop = s->loops->loop[loop].parent)
		for (u32 i = 0; i < succ.n; i++)
			if (!loop_contains(s->loops, loop, succ.p[i])) {
				mark_live_out(s, loop);
				break;
			}
}

static void visit_terminator(Spread *s, IrRef term)
{
	u32 b = ir_cfg_number(s->cfg, s->m, ir_inst(s->m, term)->block);
	if (b != GRAPH_NONE && ir_cfg_reached(s->cfg, b) && !bitset_has(s->d->branch, b) &&
	    ir_n_succs(s->m, s->cfg->block[b]) > 1)
		spread_branch(s, b);
}

static void visit(Spread *s, IrRef v)
{
	ir_each_use(s->m, v, u) {
		IrRef user = ir_use(s->m, u)->user;
		if (ir_kind(user) != IR_INST || ir_is_none(ir_inst(s->m, user)->block))
			continue;
		if (ir_op_is_terminator(ir_inst(s->m, user)->op)) {
			visit_terminator(s, user);
			continue;
		}
		if (passes_on(s->m, user, u) && ir_type_kind(s->m, ir_inst(s->m, user)->type) != IRT_VOID)
			mark(s, user);
	}
}

Divergence *divergence_build(const IrModule *m, const IrFunc *f, const IrCfg *cfg, const DomTree *postdom, const Loops *loops,
                             Arena *a)
{
	Divergence *d = arena_new(a, Divergence);
	Spread      s = {.m = m, .f = f, .cfg = cfg, .postdom = postdom, .loops = loops, .a = a, .d = d};
	map_init(&d->value, a);
	d->branch = bitset_new(a, cfg->n);
	d->join = bitset_new(a, cfg->n);
	s.label = arena_array(a, u32, cfg->n + 1);
	for (u32 i = 0; i < cfg->n; i++)
		s.label[i] = GRAPH_NONE;
	s.pending = bitset_new(a, cfg->n + 1);
	s.left = bitset_new(a, loops->n + 1);
	for (u32 i = 0; i < f->n_args && !ir_is_kernel(m, f); i++)
		mark(&s, ir_func_arg(f, i));
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			if (is_divergence_source(m, i))
				mark(&s, i);
	while (s.work.n)
		visit(&s, (IrRef){vec_pop(&s.work)});
	return d;
}

/* ---- the manager's row ---- */

void *an_divergence_compute(PassCx *cx, Arena *arena);
bool  an_divergence_equal(const void *a, const void *b);

void *an_divergence_compute(PassCx *cx, Arena *arena)
{
	IrFunc *f = ir_func(cx->ir, (IrRef){cx->func});
	return divergence_build(cx->ir, f, ir_cfg(cx), ir_postdom(cx), ir_loops(cx), arena);
}

bool an_divergence_equal(const void *a, const void *b)
{
	const Divergence *x = a, *y = b;
	if (x->value.live != y->value.live)
		return false;
	map_each(&x->value, e) if (!map_get(&y->value, e->key)) return false;
	return true;
}
