/* divergence.c: divergence of IR, see divergence.h. A worklist of values and one of branches; graph/diverge.c finds what a branch
 * causes. */
#include "analysis/divergence.h"

#include "ir/intrinsic.h"
#include "isa/isa.h"

typedef struct Spread {
	const IrModule *m;
	const IrCfg    *cfg;
	Arena          *a;
	Divergence     *d;
	VecU32          work;   /* divergent values whose users have not been visited */
	VecU32          blocks; /* whose branches are divergent, to be spread */
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

/* ---- spreading ---- */

static void visit_use(Spread *s, IrRef user, u32 use)
{
	if (ir_op_is_terminator(ir_inst(s->m, user)->op)) {
		u32 b = ir_cfg_of(s->cfg, s->m, user);
		if (b != GRAPH_NONE && ir_cfg_reached(s->cfg, b))
			vec_push(s->a, &s->blocks, b);
	} else if (passes_on(s->m, user, use) && ir_type_kind(s->m, ir_inst(s->m, user)->type) != IRT_VOID) {
		mark(s, user);
	}
}

static void visit(Spread *s, IrRef v)
{
	ir_each_use(s->m, v, u) {
		IrRef user = ir_use(s->m, u)->user;
		if (ir_kind(user) == IR_INST && !ir_is_none(ir_inst(s->m, user)->block))
			visit_use(s, user, u);
	}
}

static void mark_phis(Spread *s, u32 block)
{
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

/* The uses outside of a cycle of what is computed in it. */
static void visit_live_out(Spread *s, u32 cycle)
{
	Nodes n = diverge_cycle(&s->d->control, cycle);
	for (u32 k = 0; k < n.n; k++)
		ir_each_inst(s->m, s->cfg->block[n.p[k]], i)
			ir_each_use(s->m, i, u) {
				IrRef user = ir_use(s->m, u)->user;
				u32   b = ir_cfg_of(s->cfg, s->m, user);
				bool  phi = ir_inst(s->m, user)->op == IR_PHI;
				if (b != GRAPH_NONE && diverge_differs(&s->d->control, cycle, n.p[k], b, phi))
					visit_use(s, user, u);
			}
}

static void spread(Spread *s)
{
	Diverge *c = &s->d->control;
	while (s->work.n || s->blocks.n) {
		if (s->work.n) {
			visit(s, (IrRef){vec_pop(&s->work)});
			continue;
		}
		diverge_branch(c, vec_pop(&s->blocks));
		while (c->joins.n)
			mark_phis(s, vec_pop(&c->joins));
		while (c->lefts.n)
			visit_live_out(s, vec_pop(&c->lefts));
	}
}

Divergence *divergence_build(const IrModule *m, const IrFunc *f, const IrCfg *cfg, const DomTree *postdom, const Loops *loops,
                             Arena *a)
{
	Divergence *d = arena_new(a, Divergence);
	Spread      s = {.m = m, .cfg = cfg, .a = a, .d = d};
	map_init(&d->value, a);
	diverge_init(&d->control, &cfg->graph, &cfg->order, postdom, loops, a);
	for (u32 i = 0; i < f->n_args && !ir_is_kernel(f); i++)
		mark(&s, ir_func_arg(f, i));
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			if (is_divergence_source(m, i))
				mark(&s, i);
	spread(&s);
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
