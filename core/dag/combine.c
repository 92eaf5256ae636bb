/* combine.c: the graph becomes smaller: each node is looked at, and again whenever an operand of it changed,
 * until nothing is left to do. Every rule makes the graph smaller, cheaper or more canonical, so it ends. */
#include "dag/combine.h"

static DagVal visit(Combiner *c, u32 node)
{
	Dag           *d = c->d;
	const DagNode *n = dag_at(d, node);
	/* What folding says of the operands as they are now. */
	if (dag_n_results(n) == 1 && dag_n_ops(n) && dag_n_ops(n) <= 4 && !n->mem &&
	    (dag_op_info[n->opcode].flags & DOF_ELEMENTWISE)) {
		DagVal ops[4];
		for (u32 i = 0; i < dag_n_ops(n); i++)
			ops[i] = dag_operand(d, n, i);
		DagVal r = dag_fold(d, (DagOp)n->opcode, n->vt[0], ops, dag_n_ops(n), n->flags);
		if (dag_is(r))
			return r;
	}
	switch ((DagOp)n->opcode) {
	case DAG_ADD:
	case DAG_SUB:
	case DAG_MUL:
	case DAG_AND:
	case DAG_OR:
	case DAG_XOR:
	case DAG_SHL:
	case DAG_SRL:
	case DAG_SRA: return combine_int(c, node);
	case DAG_FSHL:
	case DAG_FSHR:
	case DAG_ROTL:
	case DAG_ROTR: return combine_funnel(c, node);
	case DAG_UDIV:
	case DAG_SDIV:
	case DAG_UREM:
	case DAG_SREM: return combine_division(c, node);
	case DAG_SETCC:
	case DAG_SELECT:
	case DAG_BRCOND: return combine_cond(c, node);
	case DAG_ANY_EXTEND:
	case DAG_ZERO_EXTEND:
	case DAG_SIGN_EXTEND:
	case DAG_TRUNCATE:
	case DAG_SIGN_EXTEND_INREG:
	case DAG_BITCAST:
	case DAG_BFE_U:
	case DAG_BUILD_VECTOR:
	case DAG_EXTRACT_VECTOR_ELT:
	case DAG_STORE:
	case DAG_LOAD: return combine_width(c, node);
	case DAG_FADD:
	case DAG_FSUB:
	case DAG_FMUL:
	case DAG_FDIV:
	case DAG_FNEG:
	case DAG_FABS:
	case DAG_FMA:
	case DAG_FP_ROUND:
	case DAG_FP_EXTEND: return combine_fp(c, node);
	default: return DAG_NONE;
	}
}

static void look_at(Combiner *c, u32 node)
{
	Dag     *d = c->d;
	DagNode *n = dag_at(d, node);
	if (n->opcode == DAG_DELETED || n->opcode == DAG_MACHINE)
		return;
	if (n->use_count == 0 && node != d->root.n) {
		dag_drop(d, node);
		return;
	}
	d->order = n->order;
	d->origin = n->origin;
	d->flags = n->flags;
	DagVal r = visit(c, node);
	d->flags = 0;
	if (!dag_is(r) || (r.n == node && r.r == 0))
		return;
	/* Who uses the node is looked at again, and who takes bits out of it through a shift. */
	dag_each_use(d, node, u) {
		u32 user = dag_use(d, u)->user;
		dag_touch(d, user);
		if (dag_at(d, user)->opcode == DAG_SRL && dag_at(d, user)->use_count == 1)
			dag_touch(d, dag_use(d, dag_at(d, user)->uses)->user);
	}
	dag_replace(d, dag_res(node, 0), r);
	dag_drop(d, node);
}

void dag_combine(DagFunc *f, bool legal)
{
	Combiner c = {.f = f, .d = &f->dag, .legal = legal};
	Dag     *d = &f->dag;
	VecU32   order = {0};
	dag_topological(d, &f->scratch, &order);
	d->work.n = 0;
	d->collect = true;
	/* Users first: they see their operands as they were written. */
	for (u32 i = 0; i < order.n; i++)
		if (dag_n_ops(dag_at(d, order.p[i])))
			dag_touch(d, order.p[i]);
	/* A rule that did not lead anywhere would go on for ever: a bound by the size of the graph. */
	u64 budget = 64 * (u64)order.n + 4096;
	while (d->work.n && budget--) {
		u32 node = vec_pop(&d->work);
		dag_at(d, node)->props &= ~(u32)DP_QUEUED;
		look_at(&c, node);
	}
	d->collect = false;
	while (d->work.n)
		dag_at(d, vec_pop(&d->work))->props &= ~(u32)DP_QUEUED;
	d->order = d->origin = 0;
	dag_sweep(d);
}
