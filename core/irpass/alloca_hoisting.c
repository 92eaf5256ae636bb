/* alloca-hoisting: moves allocas of constant size to the entry block.
 *
 *   entry: br label %a                entry: %x = alloca i32
 *   a:     %x = alloca i32       →           br label %a
 *
 * Frame layout then gives each a fixed offset. An alloca in a loop becomes one object shared by all iterations instead of
 * one object per iteration. An alloca whose size is computed stays where it is, because its operand need not be
 * available in the entry block; it is allocated dynamically. One walk over the instructions. */
#include "analysis/cfg.h"
#include "ir/builder.h"
#include "irpass/util.h"

static bool is_in_loop(PassCx *cx, IrRef block)
{
	u32 number = ir_cfg_number(ir_cfg(cx), cx->ir, block);
	return number != GRAPH_NONE && loop_depth(ir_loops(cx), number) != 0;
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	IrRef     term = ir_term(m, f->first);
	bool      changed = false;
	ir_each_block_had(m, f, b, IR_OPS(ALLOCA)) {
		if (ir_same(b, f->first))
			continue;
		ir_each_inst(m, b, i) {
			if (ir_inst(m, i)->op != IR_ALLOCA)
				continue;
			u64 count;
			if (ir_n_ops(m, i) && !ir_is_none(ir_op(m, i, 0)) && !ir_as_int(m, ir_op(m, i, 0), &count)) {
				pass_remark(cx, REMARK_MISSED, value_line(m, i), "alloca of computed size stays in its block");
				continue;
			}
			ir_move_before(m, i, term);
			pass_remark(cx, REMARK_PASSED, value_line(m, i), "alloca is made in the entry block%s",
			            is_in_loop(cx, b) ? ": one object for all iterations of its loop" : "");
			changed = true;
		}
	}
	return changed;
}

const Pass irpass_alloca_hoisting = {
	.id = "alloca-hoisting",
	.title = "Hoisting alloca instructions in non-entry blocks to the entry block",
	.summary = "Moves stack slots of constant size to the entry block.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(ALLOCA),
	.flags = PF_ANY_SIZE | PF_REQUIRED | PF_IDEMPOTENT | PF_NVIDIA,
	.run = run,
};
