/* instsimplify: instructions whose value is known become that value (analysis/fold.h), and what then is
 * not needed goes.
 *
 *   %a = add i32 2, 3
 *   %b = mul i32 %x, %a      →   %b = mul i32 %x, 5
 *
 * A worklist: users of what was replaced are looked at again. Linear in replacements and their users. */
#include "analysis/fold.h"
#include "irpass/util.h"

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	VecU32    work = {0};
	bool      changed = false;
	ir_each_block(m, pass_func(cx), b)
		ir_each_inst(m, b, i)
			vec_push(cx->scratch, &work, i.i);
	for (u32 at = 0; at < work.n; at++) {
		IrRef i = {work.p[at]};
		if (ir_is_none(ir_inst(m, i)->block))
			continue;
		IrRef v = ir_fold(m, i);
		if (ir_is_none(v) || ir_same(v, i))
			continue;
		ir_each_use(m, i, u)
			if (ir_kind(ir_use(m, u)->user) == IR_INST)
				vec_push(cx->scratch, &work, ir_use(m, u)->user.i);
		ir_replace_all_uses(m, i, v);
		remove_if_dead(cx, i);
		changed = true;
	}
	return changed;
}

const Pass irpass_instsimplify = {
	.id = "instsimplify",
	.title = "Remove redundant instructions",
	.summary = "Instructions whose value is known become that value.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.flags = PF_IDEMPOTENT,
	.run = run,
};
