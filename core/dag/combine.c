/* combine.c: replaces nodes by cheaper ones until no rule applies: the worklist of combining. The rules are combine.def's.
 *
 * Why it ends. Every rule that replaces a node lowers, in this order, one of
 *   1. what the graph costs: loads and stores, divisions, multiplications (MUL, MAD and wide ones count alike, a sum of
 *      shifts less), other operations, casts;
 *   2. the sum over constants of how far they are from the root (constants go outward in sums and products, behind
 *      shifts), and the number of operands that stand before a constant;
 *   3. the rank of the operation's form: SUB of a constant > ADD, SETCC of >= and <= > of > and <, SRA > SRL, SIGN_EXTEND
 *      > ZERO_EXTEND > ANY_EXTEND, SHL with SRL > AND or a field, and of masks the number of bits that are set;
 * and none raises an earlier one by more than a fixed number of nodes that no rule takes apart again (division by a
 * constant, a product with a sum). So the number of steps is linear in the nodes for all graphs seen, and the worklist
 * stops at a bound that is far above it; where asserts are on, reaching that bound is an internal error.
 *
 * Each node is visited, users before operands, and again whenever one of its operands changed. */
#include "dag/combine.h"

/* What folding says of the operands as they are now. */
static DagVal fold_again(Combiner *c, const DagNode *n)
{
	DagVal ops[4];
	if (dag_n_results(n) != 1 || !dag_n_ops(n) || dag_n_ops(n) > PS_COUNT(ops) || n->mem ||
	    !(dag_op_info[n->opcode].flags & DOF_ELEMENTWISE))
		return DAG_NONE;
	for (u32 i = 0; i < dag_n_ops(n); i++)
		ops[i] = dag_operand(c->d, n, i);
	return dag_fold(c->d, (DagOp)n->opcode, n->vt[0], ops, dag_n_ops(n));
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
	DagVal r = fold_again(c, n);
	if (!dag_is(r))
		r = combine_by_rules(c, n);
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

void combine_graph(Combiner *c)
{
	Dag   *d = c->d;
	VecU32 order = {0};
	dag_topological(d, &c->f->scratch, &order);
	d->work.n = 0;
	d->collect = true;
	/* Users first: they see their operands as they were written. */
	for (u32 i = 0; i < order.n; i++)
		if (dag_n_ops(dag_at(d, order.p[i])))
			dag_touch(d, order.p[i]);
	u64 budget = 64 * (u64)order.n + 4096;
	while (d->work.n && budget--) {
		u32 node = vec_pop(&d->work);
		dag_at(d, node)->props &= ~(u32)DP_QUEUED;
		look_at(c, node);
	}
#ifndef NDEBUG
	if (d->work.n)
		ICE(d->s, "combining does not end: rule %s", combine_rule_name[c->rule]);
#endif
	d->collect = false;
	while (d->work.n)
		dag_at(d, vec_pop(&d->work))->props &= ~(u32)DP_QUEUED;
	d->order = d->origin = 0;
	dag_sweep(d);
}

void dag_combine(DagFunc *f, bool legal)
{
	Combiner c = {.f = f, .d = &f->dag, .legal = legal};
	combine_graph(&c);
}
