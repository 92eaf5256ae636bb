/* dce: instructions whose result nobody uses go, if doing them has no effect.
 *
 *   %a = add i32 %x, 1      (nobody uses %b)
 *   %b = mul i32 %a, 2                              →   (nothing)
 *
 * Cycles of phis that only feed each other go as well: what is needed is marked from the roots
 * (side effects, terminators), the rest is removed. Linear. */
#include "base/bitset.h"
#include "irpass/util.h"

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	Bitset    needed = bitset_new(cx->scratch, m->insts.n);
	VecU32    work = {0};
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			if (ir_has_side_effects(m, i)) {
				bitset_add(needed, ir_index(i));
				vec_push(cx->scratch, &work, i.i);
			}
	while (work.n) {
		IrRef i = {vec_pop(&work)};
		for (u32 k = 0; k < ir_n_ops(m, i); k++) {
			IrRef op = ir_op(m, i, k);
			if (ir_kind(op) != IR_INST || bitset_has(needed, ir_index(op)))
				continue;
			bitset_add(needed, ir_index(op));
			vec_push(cx->scratch, &work, op.i);
		}
	}
	bool changed = false;
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			if (!bitset_has(needed, ir_index(i))) {
				ir_remove(m, i);
				changed = true;
			}
	return changed;
}

const Pass irpass_dce = {
	.id = "dce",
	.title = "Dead Code Elimination",
	.summary = "Removes instructions without effect whose result nobody uses.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_dce,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
