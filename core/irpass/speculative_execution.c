/* speculative-execution: hoists cheap instructions without side effects above the branch that guards them.
 *
 *   a: br i1 %c, label %b, label %d            a: %q = getelementptr …
 *   b: %q = getelementptr …             →         br i1 %c, label %b, label %d
 *      store i32 0, ptr %q                     b: store i32 0, ptr %q
 *
 * On a divergent branch the threads that do not enter %b wait for those that do, so hoisting costs them nothing; and
 * early-cse then sees the equal address computations of several guarded blocks in one block. Handles a block whose only
 * predecessor is the branch and whose successor is the branch's other target, and more than the return: there, the other
 * threads exit. Hoists only instructions that cannot trap
 * and have no side effects, at most MAX_COST of them, and only if at most MAX_LEFT others stay in the block. Linear in
 * instructions. */
#include "ir/builder.h"
#include "irpass/util.h"

enum { MAX_COST = 7, MAX_LEFT = 5 };

static u32 cost(const IrModule *m, IrRef i)
{
	switch (ir_inst(m, i)->op) {
	case IR_GETELEMENTPTR: {
		u32 variable = 0;
		for (u32 k = 1; k < ir_n_ops(m, i); k++)
			variable += ir_kind(ir_op(m, i, k)) != IR_CONST;
		return variable;
	}
	case IR_BITCAST:
	case IR_TRUNC:
	case IR_PTRTOINT:
	case IR_PTRTOADDR:
	case IR_INTTOPTR: return 0;
	default: return 1;
	}
}

static bool may_move(const IrModule *m, IrRef i)
{
	u32 op = ir_inst(m, i)->op;
	if (!ir_op_is_binary(op) && !ir_op_is_cast(op) && op != IR_GETELEMENTPTR && op != IR_SELECT && op != IR_ICMP &&
	    op != IR_FCMP && op != IR_FNEG)
		return false;
	return ir_is_speculatable(m, i) && op != IR_FDIV && op != IR_FREM;
}

static bool hoist(PassCx *cx, IrRef from, IrRef to)
{
	IrModule *m = cx->ir;
	Vec(IrRef) moves = {0};
	Map left;
	u32 total = 0, n_left = 0;
	map_init(&left, cx->scratch);
	ir_each_inst(m, from, i) {
		bool ok = may_move(m, i);
		if (ir_op_is_terminator(ir_inst(m, i)->op))
			break;
		for (u32 k = 0; ok && k < ir_n_ops(m, i); k++)
			ok = !map_get(&left, ir_op(m, i, k).i);
		if (!ok) {
			map_set(&left, i.i, 1);
			if (++n_left > MAX_LEFT)
				return false;
			continue;
		}
		total += cost(m, i);
		if (total > MAX_COST)
			return false;
		vec_push(cx->scratch, &moves, i);
	}
	for (u32 i = 0; i < moves.n; i++)
		ir_move_before(m, moves.p[i], ir_term(m, to));
	return moves.n != 0;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	bool      changed = false;
	ir_each_block(m, pass_func(cx), b) {
		IrRef t = ir_term(m, b);
		if (ir_is_none(t) || ir_inst(m, t)->op != IR_BR || ir_n_ops(m, t) != 3)
			continue;
		for (u32 k = 0; k < 2; k++) {
			IrRef side = ir_succ(m, b, k), other = ir_succ(m, b, 1 - k);
			if (ir_same(side, other) || ir_same(side, b) || !ir_same(ir_single_pred(m, side), b) ||
			    ir_n_succs(m, side) != 1 || !ir_same(ir_succ(m, side, 0), other) ||
			    is_inst(m, ir_block(m, other)->first, IR_RET))
				continue;
			changed |= hoist(cx, side, b);
		}
	}
	return changed;
}

const Pass irpass_speculative_execution = {
	.id = "speculative-execution",
	.title = "Speculatively execute instructions",
	.summary = "Moves cheap instructions above the branch that guards them.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_speculative_execution,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(BR),
	.run = run,
};
