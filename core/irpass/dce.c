/* dce: removes instructions that have no side effect and whose result is not needed.
 *
 *   %a = add i32 %x, 1      (%b has no users)
 *   %b = mul i32 %a, 2                              →   (nothing)
 *
 * Mark and sweep: marks what the roots (side effects, terminators) need and removes the rest, including cycles of phis
 * that only feed each other. A store of an undefined value may leave memory as it is, so it goes, too. One backward walk over the blocks visits most users before the definitions they use; an
 * operand whose definition was already passed (a back edge, or a block laid out later) goes on a worklist. Linear. */
#include "base/bitset.h"
#include "ir/builder.h"
#include "irpass/util.h"

typedef struct Marker {
	PassCx    *cx;
	IrModule  *m;
	SparseBits needed, passed; /* passed: visited before any user was known to be needed */
	u32        n_passed;
	VecU32     work;
} Marker;

static void mark_operands(Marker *k, IrRef i)
{
	const IrInst *r = ir_inst(k->m, i);
	for (u32 o = 0; o < r->n_ops; o++) {
		IrRef op = ir_use(k->m, r->ops + o)->value;
		if (ir_kind(op) != IR_INST || !sparse_add(&k->needed, ir_index(op)))
			continue;
		if (k->n_passed && sparse_has(&k->passed, ir_index(op)))
			vec_push(k->cx->scratch, &k->work, op.i);
	}
}

static bool is_root(const IrModule *m, IrRef i)
{
	bool no_effect = ir_inst(m, i)->op == IR_STORE && ir_is_plain(m, i) && ir_is_undef(m, ir_op(m, i, 0));
	return !no_effect && ir_has_side_effects(m, i);
}

static void mark_block(Marker *k, IrRef b)
{
	IrModule *m = k->m;
	for (IrRef i = ir_block(m, b)->last; !ir_is_none(i); i = ir_inst(m, i)->prev) {
		if (!sparse_has(&k->needed, ir_index(i)) && !is_root(m, i)) {
			sparse_add(&k->passed, ir_index(i));
			k->n_passed++;
			continue;
		}
		sparse_add(&k->needed, ir_index(i));
		mark_operands(k, i);
		while (k->work.n) {
			mark_operands(k, (IrRef){vec_pop(&k->work)});
			k->n_passed--;
		}
	}
}

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	IrFunc   *f = pass_func(cx);
	Marker    k = {.cx = cx, .m = m};
	k.needed = sparse_new(cx->scratch, m->insts.n);
	k.passed = sparse_new(cx->scratch, m->insts.n);
	for (IrRef b = f->last; !ir_is_none(b); b = ir_block(m, b)->prev)
		mark_block(&k, b);
	if (!k.n_passed)
		return false;
	ir_each_block(m, f, b)
		ir_each_inst(m, b, i)
			if (!sparse_has(&k.needed, ir_index(i)))
				ir_remove(m, i);
	return true;
}

const Pass irpass_dce = {
	.id = "dce",
	.title = "Dead Code Elimination",
	.summary = "Deletes instructions that have no effect and no uses.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.disable = KNOB_disable_dce,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.flags = PF_ANY_SIZE | PF_IDEMPOTENT,
	.run = run,
};
