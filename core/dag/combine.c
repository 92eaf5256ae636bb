/* combine.c: the worklist of combining: replaces nodes by cheaper ones until no rule of combine.def applies.
 *
 * Needs the uses and the table of equal nodes to be right, and keeps them. All nodes are on the worklist at first; users are
 * visited before their operands, so that they see them as they were written. A node that is made, or one of whose operands
 * changed, is put on it again. Each visit folds the node (fold.c), else tries the rules of its operation. Nodes that nothing
 * uses are removed.
 *
 * Termination. Each application of a rule lowers, in lexicographic order,
 *   1. the cost of the graph: loads and stores, divisions, multiplications (MUL, MAD and MULWIDE cost the same, more than a
 *      sum of shifts), other operations, casts;
 *   2. the sum of the distances of constants from the root (they move outward through sums, products and shifts), and the
 *      number of operands behind a constant one;
 *   3. the rank of the form: SUB of a constant > ADD; SETCC with >= or <= > with > or <; SRA > SRL; SIGN_EXTEND > ZERO_EXTEND
 *      > ANY_EXTEND; SHL and SRL > AND > bit field; the number of bits set in masks.
 * A division by a constant and a product that is added become several nodes that no rule takes apart again, so each raises
 * the cost at most once. On random graphs fewer rules apply than twice the number of nodes (tests/unit/combine.c). Should two
 * rules undo each other, the worklist stops after 64 visits a node; with asserts on, that is an internal error. */
#include "dag/combine.h"

/* What folding says of the operands as they are now. */
static DagVal fold_again(Combiner *c, const DagNode *n)
{
	DagVal ops[4];
	bool   folds =
		dag_op_info[n->opcode].flags & DOF_ELEMENTWISE || n->opcode == DAG_SELECT || n->opcode == DAG_EXTRACT_ELEMENT;
	if (dag_n_results(n) != 1 || !dag_n_ops(n) || dag_n_ops(n) > PS_COUNT(ops) || n->mem || !folds)
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
	Combiner c = {.f = f, .d = &f->dag, .legal = legal, .rotates = combine_has_rotates(f)};
	combine_graph(&c);
}
