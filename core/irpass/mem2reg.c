/* mem2reg: promotes allocas that are only loaded and stored to SSA values.
 *
 *   %x = alloca i32                       a:  br …
 *   a: store i32 1, ptr %x                b:  br …
 *   b: store i32 2, ptr %x           →    c:  %x = phi i32 [ 1, %a ], [ 2, %b ]
 *   c: %v = load i32, ptr %x                  … %x …
 *
 * Slots whose address is used otherwise, volatile accesses and accesses of another type than the slot's
 * stay (sroa takes those apart). See promote.h for the algorithm. */
#include "irpass/promote.h"

static bool run(PassCx *cx)
{
	IrModule *m = cx->ir;
	Vec(IrRef) slots = {0};
	ir_each_inst(m, pass_func(cx)->first, i)
		if (ir_inst(m, i)->op == IR_ALLOCA && is_promotable(m, i))
			vec_push(cx->scratch, &slots, i);
	promote_allocas(cx, slots.p, slots.n);
	return slots.n != 0;
}

const Pass irpass_mem2reg = {
	.id = "mem2reg",
	.title = "Promote Memory to Register",
	.summary = "Promotes stack slots that are only loaded and stored to values.",
	.group = "ir",
	.level = PASS_IR,
	.scope = PASS_FUNCTION,
	.keeps = AN_CFG | AN_DOM | AN_POSTDOM | AN_LOOPS,
	.looks_for = IR_OPS(ALLOCA),
	.flags = PF_ANY_SIZE | PF_IDEMPOTENT,
	.run = run,
};
