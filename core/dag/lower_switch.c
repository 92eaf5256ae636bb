/* lower_switch.c: a jump table as brx.idx.
 *
 * Needs switches as the IR pass lower-switch leaves them: over 0 .. n-1, of a value known to be in that range, with the default
 * as the last target. Linear in targets. */
#include "dag/func.h"

/* Entries with the same target share an edge, whose probability is the sum of theirs. */
static void add_target(DagFunc *f, u32 table, IrRef block, u32 prob)
{
	MirBlockId to = dag_mir_block(f, block);
	vec_push(f->mir->arena, &f->mir->jump_table.p[table].block, to.i);
	MirEdgeId there = mir_edge_between(f->mir, f->mir_block, to);
	if (there.i && prob != MIR_PROB_UNKNOWN)
		mir_edge(f->mir, there)->prob += prob;
	if (!there.i)
		mir_edge_add(f->mir, f->mir_block, to, prob);
}

void dag_lower_switch(DagFunc *f, IrRef inst)
{
	IrModule *m = f->m;
	Dag      *d = &f->dag;
	if (!ir_attached(m, inst, "ptxscope.table").i) {
		dag_unsupported(f, inst, "a switch that lower-switch has not seen");
		return;
	}
	u32  table = mir_jump_table_new(f->mir);
	u32  n = ir_n_ops(m, inst) / 2;
	u32 *prob = arena_array(f->arena, u32, n);
	dag_branch_weights(f, inst, prob, n);
	for (u32 k = 1; k < n; k++)
		add_target(f, table, ir_op(m, inst, 2 * k + 1), prob[k]);
	add_target(f, table, ir_op(m, inst, 1), prob[0]);
	DagNode name = {.opcode = DAG_TargetJumpTable, .k = {table, 0}};
	DagVt   untyped = VT_OF(VTK_UNTYPED, 0, 0), chain = VT_CHAIN;
	DagVal  index = dag_zext_or_trunc(d, dag_value(f, ir_op(m, inst, 0)), VT_I32);
	DagVal  ops[] = {dag_control_root(f), index, dag_node_like(d, &name, &untyped, 1, NULL, 0)};
	DagNode like = {.opcode = DAG_BRX, .props = DP_SIDE_EFFECT | DP_NO_CSE};
	d->root = dag_node_like(d, &like, &chain, 1, ops, 3);
}
